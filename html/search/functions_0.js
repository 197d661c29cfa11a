var searchData=
[
  ['blob_5fto_5fkzg_5fcommitment_0',['blob_to_kzg_commitment',['../ckzg_8h.html#ab9255f10b222968e859a1bb92e82f1e3',1,'ckzg.h']]],
  ['bytes_5ffrom_5fbls_5ffield_1',['bytes_from_bls_field',['../ckzg_8h.html#a6ccc566114865e7525db54ede4984d0e',1,'ckzg.h']]],
  ['bytes_5fto_5fkzg_5fcommitment_2',['bytes_to_kzg_commitment',['../ckzg_8h.html#ae27d0024c44a21296267ee1bd9989586',1,'ckzg.h']]]
];
