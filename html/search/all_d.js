var searchData=
[
  ['page_5flocked_0',['page_locked',['../structsumac__bases__config.html#a457c39e56697c216556268fa2fea152a',1,'sumac_bases_config']]],
  ['pairing_2eh_1',['pairing.h',['../pairing_8h.html',1,'']]],
  ['pass_2',['pass',['../structsumac__trace__event.html#a5379d29d12f9b3248cea4d59c60fa7de',1,'sumac_trace_event']]],
  ['pinned_5fbytes_3',['pinned_bytes',['../structsumac__msm__needs.html#acfd6bd54e0f94772ea9b7e81078cf2b2',1,'sumac_msm_needs']]],
  ['point_5fbytes_4',['point_bytes',['../structsumac__group.html#a77c4602214b331d3828ab5785828054e',1,'sumac_group']]],
  ['pool_2eh_5',['pool.h',['../pool_8h.html',1,'']]],
  ['precompute_5ffactor_6',['precompute_factor',['../structsumac__bases__config.html#aa51d7eac732a17ddbc16049bd9894d7a',1,'sumac_bases_config::precompute_factor()'],['../structsumac__bases__info.html#aa4c30838a2ef72126f80262505d8959f',1,'sumac_bases_info::precompute_factor()'],['../structsumac__groth16__key__config.html#af4ed05f39ba963f4ca9b05285714f251',1,'sumac_groth16_key_config::precompute_factor()']]],
  ['progress_7',['progress',['../structsumac__context__config.html#aed1daeab3ea39e432e0bac5f9d839bdd',1,'sumac_context_config']]],
  ['prover_2eh_8',['prover.h',['../prover_8h.html',1,'']]],
  ['publics_9',['publics',['../structsumac__groth16__info.html#a04b09ec78655abc571e2f1660b571fa7',1,'sumac_groth16_info']]]
];
