var searchData=
[
  ['ckzg_2eh_0',['ckzg.h',['../ckzg_8h.html',1,'']]],
  ['context_2eh_1',['context.h',['../context_8h.html',1,'']]]
];
