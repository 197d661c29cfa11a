var searchData=
[
  ['value_5forder_0',['value_order',['../structsumac__transform__config.html#a03eb7d6b0de50e673960ed591d1ae6c2',1,'sumac_transform_config']]],
  ['variant_1',['variant',['../structsumac__context__info.html#af5c95e89f536bfcd08d8627783e61aee',1,'sumac_context_info']]],
  ['verifying_2',['verifying',['../structsumac__groth16__key__config.html#a10e6335c8ecc97839959aab4a850d9f7',1,'sumac_groth16_key_config']]]
];
