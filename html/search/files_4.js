var searchData=
[
  ['groth16_2eh_0',['groth16.h',['../groth16_8h.html',1,'']]],
  ['group_2eh_1',['group.h',['../group_8h.html',1,'']]]
];
