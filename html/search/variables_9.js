var searchData=
[
  ['length_0',['length',['../structsumac__transform__config.html#a67f3bf694b3ba170f517f50fd7786ef8',1,'sumac_transform_config']]],
  ['load_5fseconds_1',['load_seconds',['../structsumac__files__report.html#a8cd6d38245afb51609570f8675fa1f90',1,'sumac_files_report']]],
  ['location_2',['location',['../structsumac__bases__config.html#a7cc27d8b3afc22247addceba6998d647',1,'sumac_bases_config::location()'],['../structsumac__context__info.html#a112ddf3716e01e15890e9b0ce3102144',1,'sumac_context_info::location()']]]
];
