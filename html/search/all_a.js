var searchData=
[
  ['map_2eh_0',['map.h',['../map_8h.html',1,'']]],
  ['memory_5fbytes_1',['memory_bytes',['../structsumac__files__report.html#a75ace71d531e3b31b4c5b9007ccef228',1,'sumac_files_report']]],
  ['memory_5flimit_2',['memory_limit',['../structsumac__context__config.html#a326a6e895b95ec6ffe917df9eab7b887',1,'sumac_context_config::memory_limit()'],['../structsumac__files__config.html#a81157110ab5d1dfcf522dab1419031bc',1,'sumac_files_config::memory_limit()']]],
  ['modulus_3',['modulus',['../structsumac__group.html#a6a3952debb4b96773da42a12a6827e22',1,'sumac_group']]],
  ['mpi_2eh_4',['mpi.h',['../mpi_8h.html',1,'']]],
  ['msm_2eh_5',['msm.h',['../msm_8h.html',1,'']]],
  ['msm_5fseconds_6',['msm_seconds',['../structsumac__files__report.html#a570a0530d16c10751f86e622528244fe',1,'sumac_files_report']]]
];
