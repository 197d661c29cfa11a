var searchData=
[
  ['pairing_2eh_0',['pairing.h',['../pairing_8h.html',1,'']]],
  ['pool_2eh_1',['pool.h',['../pool_8h.html',1,'']]],
  ['prover_2eh_2',['prover.h',['../prover_8h.html',1,'']]]
];
