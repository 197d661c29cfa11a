var searchData=
[
  ['bases_2eh_0',['bases.h',['../bases_8h.html',1,'']]]
];
