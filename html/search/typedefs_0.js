var searchData=
[
  ['dascontext_0',['DASContext',['../eth__kzg_8h.html#a56b1330f1f99d392b4820423be04bbe9',1,'eth_kzg.h']]]
];
