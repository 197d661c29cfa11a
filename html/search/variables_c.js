var searchData=
[
  ['offset_5fcount_0',['offset_count',['../structsumac__msm__config.html#ad1dfde747215dc1ad05f4fab9d25e797',1,'sumac_msm_config']]],
  ['offsets_1',['offsets',['../structsumac__msm__config.html#a6b82f73c4d095be27c8f90a2acb9908a',1,'sumac_msm_config']]],
  ['order_2',['order',['../structsumac__group.html#a4b9a53d34e49803a9eb5a9d890f4ca4a',1,'sumac_group']]],
  ['outside_5fsubgroup_3',['outside_subgroup',['../structsumac__bases__config.html#ad60e3a9945b9d935056197facaf01ba1',1,'sumac_bases_config::outside_subgroup()'],['../structsumac__files__config.html#a3b3ac2a46faf5434e6d601f9ae069e4c',1,'sumac_files_config::outside_subgroup()']]]
];
