var searchData=
[
  ['n_0',['n',['../structsumac__files__config.html#a07655ba7b810d0158ea312ce1e7f015c',1,'sumac_files_config::n()'],['../structsumac__files__report.html#a564387b404320926a3f0c9dfb153ddda',1,'sumac_files_report::n()'],['../structsumac__fk20__info.html#a2b6fd6d82c3e29b227aeb5bfd5afe9f7',1,'sumac_fk20_info::n()']]],
  ['name_1',['name',['../structsumac__trace__event.html#abcc7cfa8b20bd427f36ccaabc49667a6',1,'sumac_trace_event::name()'],['../structsumac__format__info.html#ada854d7a071b5fa5a0b686e809663407',1,'sumac_format_info::name()'],['../structsumac__group.html#aed5d1f44c1de6a5c57f96ddb403bad64',1,'sumac_group::name()']]]
];
