var searchData=
[
  ['free_5ftrusted_5fsetup_0',['free_trusted_setup',['../ckzg_8h.html#ada195513a73c5442b26742ec1f6b6151',1,'ckzg.h']]]
];
