var searchData=
[
  ['can_5fread_0',['can_read',['../structsumac__format__info.html#a7e40669c9bab910bf63e7659a2406e72',1,'sumac_format_info']]],
  ['cell_1',['cell',['../structsumac__kzg__wrong.html#ade9891d2f5bd2fe4791b7ff8f8b300a2',1,'sumac_kzg_wrong']]],
  ['cells_2',['cells',['../structsumac__kzg__config.html#ad523998b3fbd2b54738f3e4fd6a81304',1,'sumac_kzg_config']]],
  ['check_3',['check',['../structsumac__bases__config.html#a86e9a054cdb06fb5087e686cb138f113',1,'sumac_bases_config::check()'],['../structsumac__files__config.html#a66f2123c236b036886146cd73fea3716',1,'sumac_files_config::check()'],['../structsumac__groth16__key__config.html#abc57b415ce2af20f9d88f311bac9976a',1,'sumac_groth16_key_config::check()'],['../structsumac__kzg__config.html#ad923997d4a006e6fdcb6547b81e6a75f',1,'sumac_kzg_config::check()'],['../structsumac__element__layout.html#ad2f18b7fde12b23959e6a2ec6883de05',1,'sumac_element_layout::check()']]],
  ['checkpoint_4',['checkpoint',['../structsumac__files__config.html#ad3a23fed28530deb27e33519c0d1061b',1,'sumac_files_config']]],
  ['checkpoint_5fmilliseconds_5',['checkpoint_milliseconds',['../structsumac__files__config.html#a32c6aeb5dbbc4fb66cd463a37e11f2ae',1,'sumac_files_config']]],
  ['chunk_6',['chunk',['../structsumac__files__config.html#a42a42a6bc87646dbd8dd0c23af7e688c',1,'sumac_files_config::chunk()'],['../structsumac__files__report.html#a3aeb1adef709781a339559a356b51e02',1,'sumac_files_report::chunk()']]],
  ['coefficients_7',['coefficients',['../structsumac__groth16__info.html#a2edc02605e3a58fc01e429ff0b1b0b62',1,'sumac_groth16_info::coefficients()'],['../structsumac__transform__config.html#a5e1f091dcc05094403155878d1e1deda',1,'sumac_transform_config::coefficients()']]],
  ['cofactor_5fis_5fone_8',['cofactor_is_one',['../structsumac__group.html#ab531d0a66456272944b5ba274434d69c',1,'sumac_group']]],
  ['count_9',['count',['../structsumac__bases__info.html#af812240ee4473c65e3e6588ff70014b4',1,'sumac_bases_info']]],
  ['curve_10',['curve',['../structsumac__group.html#ad1f6f10c0d966d671ae6bcf934ef2cf6',1,'sumac_group']]],
  ['cut_5fscalars_11',['cut_scalars',['../structsumac__msm__config.html#a9b7f3748532d3bac502e6a6f076ff81a',1,'sumac_msm_config']]]
];
