var searchData=
[
  ['randomness_0',['randomness',['../structsumac__groth16__prove__config.html#a9556e9242e401400ad5114c87df4185c',1,'sumac_groth16_prove_config']]],
  ['randomness_5fbytes_1',['randomness_bytes',['../structsumac__groth16__prove__config.html#ac25dafee0cedf79312f5d3a71d97dacf',1,'sumac_groth16_prove_config']]],
  ['replica_5flimit_2',['replica_limit',['../structsumac__context__config.html#a497ec36855eb93c31605a87caebb75ee',1,'sumac_context_config']]],
  ['replicated_3',['replicated',['../structsumac__bases__config.html#a5d10483acc609156bbb4962e4865a91e',1,'sumac_bases_config']]],
  ['reserved_4',['reserved',['../structsumac__bases__config.html#a3d9d1f6ae1c0f17a27792b207166e809',1,'sumac_bases_config::reserved()'],['../structsumac__context__config.html#af29c94b76e71b9e39fbc964cdbb8f15d',1,'sumac_context_config::reserved()'],['../structsumac__groth16__prove__config.html#a9cc38ff4ab8aee24056b80034f2794c6',1,'sumac_groth16_prove_config::reserved()'],['../structsumac__group.html#a51ebf29db76035136667e693b5d4f4ef',1,'sumac_group::reserved()'],['../structsumac__element__layout.html#a6d21db8ecefe1df2684686e19227f593',1,'sumac_element_layout::reserved()'],['../structsumac__transform__config.html#acbd95675f83f362fc47063a171446713',1,'sumac_transform_config::reserved()']]],
  ['result_5fform_5',['result_form',['../structsumac__msm__config.html#a7fcaa4c4d9725af05f444e60c500b41b',1,'sumac_msm_config']]],
  ['result_5flocation_6',['result_location',['../structsumac__msm__config.html#a701221e206a0d97f76dd08f61d72f2ce',1,'sumac_msm_config']]],
  ['resumed_7',['resumed',['../structsumac__files__report.html#ad47c2762615f25774f8ffd096f99030c',1,'sumac_files_report']]]
];
