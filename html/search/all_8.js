var searchData=
[
  ['key_5fbytes_0',['key_bytes',['../structsumac__groth16__info.html#ae5e8d1124d8d764d7d46a35be09a28e0',1,'sumac_groth16_info']]],
  ['kzg_2eh_1',['kzg.h',['../kzg_8h.html',1,'']]],
  ['kzgsettings_2',['KZGSettings',['../structKZGSettings.html',1,'']]]
];
