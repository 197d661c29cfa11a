var searchData=
[
  ['length_0',['length',['../structsumac__transform__config.html#a67f3bf694b3ba170f517f50fd7786ef8',1,'sumac_transform_config']]],
  ['load_5fseconds_1',['load_seconds',['../structsumac__files__report.html#a8cd6d38245afb51609570f8675fa1f90',1,'sumac_files_report']]],
  ['load_5ftrusted_5fsetup_2',['load_trusted_setup',['../ckzg_8h.html#af2a63f1bb3ee465f629569c3b0a73664',1,'ckzg.h']]],
  ['load_5ftrusted_5fsetup_5ffile_3',['load_trusted_setup_file',['../ckzg_8h.html#ab52233bdb5fbb6e5f6bc2d4a1a69cbdb',1,'ckzg.h']]],
  ['location_4',['location',['../structsumac__bases__config.html#a7cc27d8b3afc22247addceba6998d647',1,'sumac_bases_config::location()'],['../structsumac__context__info.html#a112ddf3716e01e15890e9b0ce3102144',1,'sumac_context_info::location()']]]
];
