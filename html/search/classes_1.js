var searchData=
[
  ['cell_0',['Cell',['../structCell.html',1,'']]],
  ['cresult_1',['CResult',['../structCResult.html',1,'']]]
];
