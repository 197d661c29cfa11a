var searchData=
[
  ['kzg_2eh_0',['kzg.h',['../kzg_8h.html',1,'']]]
];
