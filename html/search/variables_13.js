var searchData=
[
  ['wires_0',['wires',['../structsumac__groth16__info.html#a40121fb3645862ad257159588c96e24c',1,'sumac_groth16_info']]],
  ['workspace_5fbytes_1',['workspace_bytes',['../structsumac__msm__needs.html#a10bcf0c1036bbf1da9fb9f6bd6bef614',1,'sumac_msm_needs']]]
];
