var searchData=
[
  ['key_5fbytes_0',['key_bytes',['../structsumac__groth16__info.html#ae5e8d1124d8d764d7d46a35be09a28e0',1,'sumac_groth16_info']]]
];
