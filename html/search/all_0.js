var searchData=
[
  ['backend_0',['backend',['../structsumac__context__config.html#ac0c1be6c68694312e58c6dd4f0d07a2d',1,'sumac_context_config::backend()'],['../structsumac__context__info.html#acedb93d676e8924fb332a9eb09979add',1,'sumac_context_info::backend()']]],
  ['base_5fsets_1',['base_sets',['../structsumac__msm__config.html#a6b5aa38063c9af16c9288c0673e3a607',1,'sumac_msm_config']]],
  ['bases_2eh_2',['bases.h',['../bases_8h.html',1,'']]],
  ['batch_3',['batch',['../structsumac__msm__config.html#a48c5d37ff8d14194a93c1cfd794ecb60',1,'sumac_msm_config']]],
  ['blob_4',['Blob',['../structBlob.html',1,'']]],
  ['blob_5',['blob',['../structsumac__kzg__wrong.html#ad388f4a6dc1ab7751aeac823c4e7b8ed',1,'sumac_kzg_wrong']]],
  ['blob_5fto_5fkzg_5fcommitment_6',['blob_to_kzg_commitment',['../ckzg_8h.html#ab9255f10b222968e859a1bb92e82f1e3',1,'ckzg.h']]],
  ['byte_5forder_7',['byte_order',['../structsumac__element__layout.html#abb29f3a140fe893c9fb4862ee6f79c48',1,'sumac_element_layout']]],
  ['bytes_8',['bytes',['../structsumac__bases__info.html#a268b6920eae3013addea8a9ed73cd55b',1,'sumac_bases_info']]],
  ['bytes32_9',['Bytes32',['../structBytes32.html',1,'']]],
  ['bytes48_10',['Bytes48',['../structBytes48.html',1,'']]],
  ['bytes_5ffrom_5fbls_5ffield_11',['bytes_from_bls_field',['../ckzg_8h.html#a6ccc566114865e7525db54ede4984d0e',1,'ckzg.h']]],
  ['bytes_5fto_5fkzg_5fcommitment_12',['bytes_to_kzg_commitment',['../ckzg_8h.html#ae27d0024c44a21296267ee1bd9989586',1,'ckzg.h']]]
];
