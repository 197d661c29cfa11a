var searchData=
[
  ['error_5fmsg_0',['error_msg',['../structCResult.html#aaa334305cd897109307c31c1fcf4fa13',1,'CResult']]]
];
