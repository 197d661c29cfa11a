var searchData=
[
  ['sumac_5fcheck_0',['sumac_check',['../bases_8h.html#a97eb7ccadf380d3f78d82dc7b67cae84',1,'bases.h']]],
  ['sumac_5fform_1',['sumac_form',['../bases_8h.html#aeee5938d823edb5d2312653117737f4e',1,'bases.h']]],
  ['sumac_5finfinity_2',['sumac_infinity',['../bases_8h.html#a83a60acdad4ce5a9b58279bcca1f9b15',1,'bases.h']]],
  ['sumac_5flocation_3',['sumac_location',['../context_8h.html#a9dd11b53fc41422ab5cae622cd2c4d41',1,'context.h']]],
  ['sumac_5forder_4',['sumac_order',['../vector_8h.html#aff1f40c10b277ed704f274452a6d8f99',1,'vector.h']]],
  ['sumac_5fscan_5',['sumac_scan',['../vector_8h.html#a5603899451089cf335dbce327cd052a0',1,'vector.h']]],
  ['sumac_5fstatus_6',['sumac_status',['../status_8h.html#a533b3e4dc5b3f5f4f52c5e7b5297826b',1,'status.h']]],
  ['sumac_5ftables_7',['sumac_tables',['../bases_8h.html#a3748308609e77a8df4dc1a36ee8b3294',1,'bases.h']]]
];
