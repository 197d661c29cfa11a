var searchData=
[
  ['dascontext_0',['DASContext',['../eth__kzg_8h.html#a56b1330f1f99d392b4820423be04bbe9',1,'eth_kzg.h']]],
  ['degree_1',['degree',['../structsumac__group.html#aa9228ef70d87c8621c6a64de036b9d49',1,'sumac_group']]],
  ['description_2',['description',['../structsumac__format__info.html#a25be610fa1c4ef34aff90416e221a02c',1,'sumac_format_info']]],
  ['device_5fcount_3',['device_count',['../structsumac__context__config.html#a169d8dad2707d07e2729075803d36afb',1,'sumac_context_config::device_count()'],['../structsumac__context__info.html#a430438f0b5b5b2753f21ce45841d2f64',1,'sumac_context_info::device_count()']]],
  ['device_5fnames_4',['device_names',['../structsumac__context__info.html#ac2d64c30980668dc2db4ff50d33c8af1',1,'sumac_context_info']]],
  ['device_5fweights_5',['device_weights',['../structsumac__context__config.html#a577828fbba5e83d28dc294fd24e12ec9',1,'sumac_context_config']]],
  ['devices_6',['devices',['../structsumac__context__config.html#a44cb69e05967b7b6635dc0a319d67995',1,'sumac_context_config']]],
  ['domain_7',['domain',['../structsumac__groth16__info.html#ab16309a874fdb18f692ced4016bfac5c',1,'sumac_groth16_info']]]
];
