var searchData=
[
  ['g1_5ft_0',['g1_t',['../structg1__t.html',1,'']]]
];
