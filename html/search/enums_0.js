var searchData=
[
  ['c_5fkzg_5fret_0',['C_KZG_RET',['../ckzg_8h.html#a874402dff4e364266d001fabdecc6432',1,'ckzg.h']]]
];
