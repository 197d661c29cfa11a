var searchData=
[
  ['srs_2eh_0',['srs.h',['../srs_8h.html',1,'']]],
  ['status_2eh_1',['status.h',['../status_8h.html',1,'']]],
  ['sumac_2eh_2',['sumac.h',['../sumac_8h.html',1,'']]]
];
