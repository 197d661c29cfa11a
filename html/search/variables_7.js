var searchData=
[
  ['infinity_0',['infinity',['../structsumac__bases__config.html#acd8b5a7cf4773abafb9711afb1011895',1,'sumac_bases_config']]],
  ['infinity_5foffset_1',['infinity_offset',['../structsumac__bases__config.html#a25dfca179bd2ebf0a77f743beb131c2d',1,'sumac_bases_config']]],
  ['inverse_2',['inverse',['../structsumac__transform__config.html#ac3806de3437ac079c67bb33c84cca9b6',1,'sumac_transform_config']]]
];
