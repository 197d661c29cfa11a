var searchData=
[
  ['kzgsettings_0',['KZGSettings',['../structKZGSettings.html',1,'']]]
];
