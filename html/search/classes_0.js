var searchData=
[
  ['blob_0',['Blob',['../structBlob.html',1,'']]],
  ['bytes32_1',['Bytes32',['../structBytes32.html',1,'']]],
  ['bytes48_2',['Bytes48',['../structBytes48.html',1,'']]]
];
