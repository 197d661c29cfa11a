var searchData=
[
  ['verify_5fblob_5fkzg_5fproof_0',['verify_blob_kzg_proof',['../ckzg_8h.html#ac1037db6be8e66514d0809eb84ec9e3d',1,'ckzg.h']]],
  ['verify_5fblob_5fkzg_5fproof_5fbatch_1',['verify_blob_kzg_proof_batch',['../ckzg_8h.html#a1a7f7ae1a3fd08c1de5a1879e1217d6f',1,'ckzg.h']]],
  ['verify_5fcell_5fkzg_5fproof_5fbatch_2',['verify_cell_kzg_proof_batch',['../ckzg_8h.html#a649b9e6dab6abad2f16afdf668064c71',1,'ckzg.h']]],
  ['verify_5fkzg_5fproof_3',['verify_kzg_proof',['../ckzg_8h.html#a2d449ceac272693ff73f0cbbeb8af671',1,'ckzg.h']]]
];
