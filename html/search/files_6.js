var searchData=
[
  ['map_2eh_0',['map.h',['../map_8h.html',1,'']]],
  ['mpi_2eh_1',['mpi.h',['../mpi_8h.html',1,'']]],
  ['msm_2eh_2',['msm.h',['../msm_8h.html',1,'']]]
];
