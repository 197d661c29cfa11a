var searchData=
[
  ['table_5fbytes_0',['table_bytes',['../structsumac__bases__config.html#a73fcdbbb1d2735942cfa364162f2fc36',1,'sumac_bases_config::table_bytes()'],['../structsumac__kzg__config.html#ad02690ffe8d660b66b99078b528bcd31',1,'sumac_kzg_config::table_bytes()'],['../structsumac__fk20__info.html#a52ce452a95a00c7e8d619c375e65055a',1,'sumac_fk20_info::table_bytes()']]],
  ['tables_1',['tables',['../structsumac__bases__config.html#ae386d80282490bcab1f3f36404e1644c',1,'sumac_bases_config::tables()'],['../structsumac__bases__info.html#aa9c9716ee9b175ca82c3608085ca2097',1,'sumac_bases_info::tables()']]],
  ['thread_2',['thread',['../structsumac__trace__event.html#a984cf983feb347c516c95973b95523e5',1,'sumac_trace_event']]],
  ['threads_3',['threads',['../structsumac__context__config.html#aaad1ec590d81e11c40c67ff732c654b4',1,'sumac_context_config::threads()'],['../structsumac__context__info.html#a71d4674b3189dd54bfc937f41e4afe86',1,'sumac_context_info::threads()']]],
  ['trace_4',['trace',['../structsumac__context__config.html#a252747ebc9b8bc6b659ddefd2c5f9e45',1,'sumac_context_config']]],
  ['tuning_5',['tuning',['../structsumac__bases__config.html#a220e4289f7a3028a93926345bb29cd1c',1,'sumac_bases_config::tuning()'],['../structsumac__context__config.html#af5811cd3e12cf68b8640b1b44a6ac57d',1,'sumac_context_config::tuning()'],['../structsumac__msm__config.html#aba56b143abb6e04f11c10f0df0177c9c',1,'sumac_msm_config::tuning()']]],
  ['typical_5fbatch_6',['typical_batch',['../structsumac__bases__config.html#aa8f9ca2d820dc21764f81b66ef3f80d8',1,'sumac_bases_config']]],
  ['typical_5fn_7',['typical_n',['../structsumac__bases__config.html#a48fde7bc1aff407ec4806ec03b167974',1,'sumac_bases_config']]]
];
