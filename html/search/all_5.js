var searchData=
[
  ['g1_0',['g1',['../structsumac__groth16__info.html#a1b277994fe01c7d16f69f9357ac45d73',1,'sumac_groth16_info']]],
  ['g1_5ft_1',['g1_t',['../structg1__t.html',1,'']]],
  ['groth16_2eh_2',['groth16.h',['../groth16_8h.html',1,'']]],
  ['groth16_5fproof_5fsize_3',['groth16_proof_size',['../prover_8h.html#a45f4ba6651a495fe2a30511fe84ba350',1,'prover.h']]],
  ['groth16_5fprover_4',['groth16_prover',['../prover_8h.html#a3b8ff7596588a3083db9c16aa4d80f36',1,'prover.h']]],
  ['groth16_5fprover_5fcreate_5',['groth16_prover_create',['../prover_8h.html#a893e7fbb07989679200f410401d8cd07',1,'prover.h']]],
  ['groth16_5fprover_5fcreate_5fzkey_5ffile_6',['groth16_prover_create_zkey_file',['../prover_8h.html#ac90ceeb0e581e80e4d87da709122d61e',1,'prover.h']]],
  ['groth16_5fprover_5fdestroy_7',['groth16_prover_destroy',['../prover_8h.html#a2bf39e06e033e0cc1a2e48d2795e9958',1,'prover.h']]],
  ['groth16_5fprover_5fprove_8',['groth16_prover_prove',['../prover_8h.html#ab7ef406a435925661b94b3920b6e5f49',1,'prover.h']]],
  ['groth16_5fprover_5fzkey_5ffile_9',['groth16_prover_zkey_file',['../prover_8h.html#a1a0ed8928e3696db93bfebf6cbf2583c',1,'prover.h']]],
  ['groth16_5fpublic_5fsize_5ffor_5fzkey_5fbuf_10',['groth16_public_size_for_zkey_buf',['../prover_8h.html#a5416b4ab68538bf336c5f5d73f96682e',1,'prover.h']]],
  ['groth16_5fpublic_5fsize_5ffor_5fzkey_5ffile_11',['groth16_public_size_for_zkey_file',['../prover_8h.html#a108308e9e988d8e3f9e8103ada6153d9',1,'prover.h']]],
  ['groth16_5fverify_12',['groth16_verify',['../verifier_8h.html#ad19ccf107178f10c0f13196ac698fb48',1,'verifier.h']]],
  ['group_13',['group',['../structsumac__bases__info.html#a02f2b3b7df9464e70ee8e94e1a1aab09',1,'sumac_bases_info::group()'],['../structsumac__fk20__info.html#a4c2d0a5e5f91fda81622f3ba5a7cd6cd',1,'sumac_fk20_info::group()']]],
  ['group_2eh_14',['group.h',['../group_8h.html',1,'']]]
];
