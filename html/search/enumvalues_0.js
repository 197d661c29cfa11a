var searchData=
[
  ['c_5fkzg_5fbadargs_0',['C_KZG_BADARGS',['../ckzg_8h.html#a874402dff4e364266d001fabdecc6432a0970dd8c2c6d34a74fb5fb94ae9be197',1,'ckzg.h']]],
  ['c_5fkzg_5ferror_1',['C_KZG_ERROR',['../ckzg_8h.html#a874402dff4e364266d001fabdecc6432afda7270f4defb0faf7c8d776c631ba27',1,'ckzg.h']]],
  ['c_5fkzg_5fmalloc_2',['C_KZG_MALLOC',['../ckzg_8h.html#a874402dff4e364266d001fabdecc6432a809854de78a0ec94f3eece414da80e8e',1,'ckzg.h']]]
];
