var searchData=
[
  ['compute_5fblob_5fkzg_5fproof_0',['compute_blob_kzg_proof',['../ckzg_8h.html#aa7b8b9524f640637f9ef99bb80ccf1a2',1,'ckzg.h']]],
  ['compute_5fcells_5fand_5fkzg_5fproofs_1',['compute_cells_and_kzg_proofs',['../ckzg_8h.html#a67a9ee1bae249a2d43c9470650b7bd7a',1,'ckzg.h']]],
  ['compute_5fchallenge_2',['compute_challenge',['../ckzg_8h.html#ae736d90b9a0b870bc21857987fe077eb',1,'ckzg.h']]],
  ['compute_5fkzg_5fproof_3',['compute_kzg_proof',['../ckzg_8h.html#a25e21aec402c8a2c2a107665100b52ad',1,'ckzg.h']]],
  ['compute_5fverify_5fcell_5fkzg_5fproof_5fbatch_5fchallenge_4',['compute_verify_cell_kzg_proof_batch_challenge',['../ckzg_8h.html#a0bb06942a743c2e40d3b39fb2034a248',1,'ckzg.h']]]
];
