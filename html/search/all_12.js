var searchData=
[
  ['value_5forder_0',['value_order',['../structsumac__transform__config.html#a03eb7d6b0de50e673960ed591d1ae6c2',1,'sumac_transform_config']]],
  ['variant_1',['variant',['../structsumac__context__info.html#af5c95e89f536bfcd08d8627783e61aee',1,'sumac_context_info']]],
  ['vector_2eh_2',['vector.h',['../vector_8h.html',1,'']]],
  ['verifier_2eh_3',['verifier.h',['../verifier_8h.html',1,'']]],
  ['verify_5fblob_5fkzg_5fproof_4',['verify_blob_kzg_proof',['../ckzg_8h.html#ac1037db6be8e66514d0809eb84ec9e3d',1,'ckzg.h']]],
  ['verify_5fblob_5fkzg_5fproof_5fbatch_5',['verify_blob_kzg_proof_batch',['../ckzg_8h.html#a1a7f7ae1a3fd08c1de5a1879e1217d6f',1,'ckzg.h']]],
  ['verify_5fcell_5fkzg_5fproof_5fbatch_6',['verify_cell_kzg_proof_batch',['../ckzg_8h.html#a649b9e6dab6abad2f16afdf668064c71',1,'ckzg.h']]],
  ['verify_5fkzg_5fproof_7',['verify_kzg_proof',['../ckzg_8h.html#a2d449ceac272693ff73f0cbbeb8af671',1,'ckzg.h']]],
  ['verifying_8',['verifying',['../structsumac__groth16__key__config.html#a10e6335c8ecc97839959aab4a850d9f7',1,'sumac_groth16_key_config']]]
];
