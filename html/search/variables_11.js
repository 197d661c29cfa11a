var searchData=
[
  ['unverified_0',['unverified',['../structsumac__groth16__prove__config.html#a14a26ea5f015248f16a2b3df29dcd64b',1,'sumac_groth16_prove_config']]],
  ['user_1',['user',['../structsumac__context__config.html#a36499089579240003fe87e367b6519b3',1,'sumac_context_config']]]
];
