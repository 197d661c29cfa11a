var searchData=
[
  ['eth_5fkzg_2eh_0',['eth_kzg.h',['../eth__kzg_8h.html',1,'']]],
  ['experimental_2eh_1',['experimental.h',['../experimental_8h.html',1,'']]]
];
