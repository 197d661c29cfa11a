var searchData=
[
  ['recover_5fcells_5fand_5fkzg_5fproofs_0',['recover_cells_and_kzg_proofs',['../ckzg_8h.html#a97b3597ee38710db40ef87908cd963d0',1,'ckzg.h']]]
];
