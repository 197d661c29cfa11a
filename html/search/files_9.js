var searchData=
[
  ['vector_2eh_0',['vector.h',['../vector_8h.html',1,'']]],
  ['verifier_2eh_1',['verifier.h',['../verifier_8h.html',1,'']]]
];
