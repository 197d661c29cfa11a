var searchData=
[
  ['g1_0',['g1',['../structsumac__groth16__info.html#a1b277994fe01c7d16f69f9357ac45d73',1,'sumac_groth16_info']]],
  ['group_1',['group',['../structsumac__bases__info.html#a02f2b3b7df9464e70ee8e94e1a1aab09',1,'sumac_bases_info::group()'],['../structsumac__fk20__info.html#a4c2d0a5e5f91fda81622f3ba5a7cd6cd',1,'sumac_fk20_info::group()']]]
];
