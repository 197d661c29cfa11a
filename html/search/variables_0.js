var searchData=
[
  ['backend_0',['backend',['../structsumac__context__config.html#ac0c1be6c68694312e58c6dd4f0d07a2d',1,'sumac_context_config::backend()'],['../structsumac__context__info.html#acedb93d676e8924fb332a9eb09979add',1,'sumac_context_info::backend()']]],
  ['base_5fsets_1',['base_sets',['../structsumac__msm__config.html#a6b5aa38063c9af16c9288c0673e3a607',1,'sumac_msm_config']]],
  ['batch_2',['batch',['../structsumac__msm__config.html#a48c5d37ff8d14194a93c1cfd794ecb60',1,'sumac_msm_config']]],
  ['blob_3',['blob',['../structsumac__kzg__wrong.html#ad388f4a6dc1ab7751aeac823c4e7b8ed',1,'sumac_kzg_wrong']]],
  ['byte_5forder_4',['byte_order',['../structsumac__element__layout.html#abb29f3a140fe893c9fb4862ee6f79c48',1,'sumac_element_layout']]],
  ['bytes_5',['bytes',['../structsumac__bases__info.html#a268b6920eae3013addea8a9ed73cd55b',1,'sumac_bases_info']]]
];
