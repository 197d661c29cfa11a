var searchData=
[
  ['sumac_5fall_0',['SUMAC_ALL',['../bases_8h.html#a8ccb69d9655f2668889a5afff938606d',1,'bases.h']]],
  ['sumac_5fall_5fdevices_1',['SUMAC_ALL_DEVICES',['../context_8h.html#a053b3252d65604cac8a34231059b9b1f',1,'context.h']]],
  ['sumac_5fkzg_5fcell_5felements_2',['SUMAC_KZG_CELL_ELEMENTS',['../kzg_8h.html#aa390dc9b52128c1b341812d36e61d84c',1,'kzg.h']]],
  ['sumac_5fkzg_5fcells_3',['SUMAC_KZG_CELLS',['../kzg_8h.html#a4b9d678766140bedeec52150f566575a',1,'kzg.h']]],
  ['sumac_5fkzg_5ffield_5felements_4',['SUMAC_KZG_FIELD_ELEMENTS',['../kzg_8h.html#a37ccb93b1df5e1e45019c37469bc40d3',1,'kzg.h']]],
  ['sumac_5fkzg_5fg2_5fpoints_5',['SUMAC_KZG_G2_POINTS',['../kzg_8h.html#a6157e6d6d760bea5a2a3207cc876a09f',1,'kzg.h']]],
  ['sumac_5fmax_5fpool_6',['SUMAC_MAX_POOL',['../pool_8h.html#a0c021d7b759ff23af69fb1e72673e971',1,'pool.h']]],
  ['sumac_5fmessage_5fbytes_7',['SUMAC_MESSAGE_BYTES',['../status_8h.html#a0ad3c92bb5f775677ba5384ed0a60ac5',1,'status.h']]],
  ['sumac_5fversion_5fnumber_8',['SUMAC_VERSION_NUMBER',['../status_8h.html#a6f200d6583a5541d25a884b36d6d738f',1,'status.h']]],
  ['sumac_5fversion_5fstring_9',['SUMAC_VERSION_STRING',['../status_8h.html#af898dda9ad6620e2258dfba51f336aa7',1,'status.h']]]
];
