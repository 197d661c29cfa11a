var searchData=
[
  ['fr_5ft_0',['fr_t',['../structfr__t.html',1,'']]]
];
