var searchData=
[
  ['load_5ftrusted_5fsetup_0',['load_trusted_setup',['../ckzg_8h.html#af2a63f1bb3ee465f629569c3b0a73664',1,'ckzg.h']]],
  ['load_5ftrusted_5fsetup_5ffile_1',['load_trusted_setup_file',['../ckzg_8h.html#ab52233bdb5fbb6e5f6bc2d4a1a69cbdb',1,'ckzg.h']]]
];
