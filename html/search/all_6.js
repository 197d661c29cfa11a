var searchData=
[
  ['handle_0',['handle',['../structKZGSettings.html#abe43e8f1a7fc0068605812c4b520c45f',1,'KZGSettings']]],
  ['has_5fverifying_5fkey_1',['has_verifying_key',['../structsumac__groth16__info.html#a318eb3d57438f80d973f12bb3f8bb2b0',1,'sumac_groth16_info']]]
];
