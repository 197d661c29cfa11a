var searchData=
[
  ['eth_5fkzg_5fcompute_5fblob_5fkzg_5fproof_0',['eth_kzg_compute_blob_kzg_proof',['../eth__kzg_8h.html#abe110c630691729d054904997498b2ac',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fcompute_5fcells_1',['eth_kzg_compute_cells',['../eth__kzg_8h.html#a83e16f60e7ff75d0ceeb15cd1b0431bc',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fcompute_5fcells_5fand_5fkzg_5fproofs_2',['eth_kzg_compute_cells_and_kzg_proofs',['../eth__kzg_8h.html#ab74eb9cc260defcc56de6821f3d67076',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fcompute_5fkzg_5fproof_3',['eth_kzg_compute_kzg_proof',['../eth__kzg_8h.html#a9a56bdba189ec614bbeac3803fb32d1d',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fdas_5fcontext_5ffree_4',['eth_kzg_das_context_free',['../eth__kzg_8h.html#a56d959e7cdf92efda93faa8fedcfbb6f',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fdas_5fcontext_5fnew_5',['eth_kzg_das_context_new',['../eth__kzg_8h.html#ad21394eed1589d41943c5824021c6a34',1,'eth_kzg.h']]],
  ['eth_5fkzg_5ffree_5ferror_5fmessage_6',['eth_kzg_free_error_message',['../eth__kzg_8h.html#a6fb8a144814bc4ab074fb8cf0e5b49e0',1,'eth_kzg.h']]],
  ['eth_5fkzg_5frecover_5fcells_5fand_5fproofs_7',['eth_kzg_recover_cells_and_proofs',['../eth__kzg_8h.html#a4361fbd2558aa739f2b3cf7cc7b13692',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fverify_5fblob_5fkzg_5fproof_5fbatch_8',['eth_kzg_verify_blob_kzg_proof_batch',['../eth__kzg_8h.html#ab9849140439a128f218a41d18461cd60',1,'eth_kzg.h']]],
  ['eth_5fkzg_5fverify_5fcell_5fkzg_5fproof_5fbatch_9',['eth_kzg_verify_cell_kzg_proof_batch',['../eth__kzg_8h.html#a1c5ffbbb2e1e34b9592851a8d48ff36b',1,'eth_kzg.h']]]
];
