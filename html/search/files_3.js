var searchData=
[
  ['formats_2eh_0',['formats.h',['../formats_8h.html',1,'']]]
];
