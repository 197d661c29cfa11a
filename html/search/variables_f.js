var searchData=
[
  ['scalar_5fbits_0',['scalar_bits',['../structsumac__bases__config.html#a2c22da981e7a16c0cce047d77bda5302',1,'sumac_bases_config::scalar_bits()'],['../structsumac__group.html#af314ed7393d841dccc74a18ff3a60670',1,'sumac_group::scalar_bits()'],['../structsumac__msm__config.html#ad4f8b1e37412f4ee23a45b44e60bd9c1',1,'sumac_msm_config::scalar_bits()']]],
  ['scalar_5fbytes_1',['scalar_bytes',['../structsumac__group.html#a1c943333e3a86f51ab54bf2e6c85ebca',1,'sumac_group::scalar_bytes()'],['../structsumac__msm__config.html#a3ec4d5f8f879d413344bd71b7f3e3015',1,'sumac_msm_config::scalar_bytes()'],['../structsumac__element__layout.html#a7faf9c19365771f236e198a8d90ccee5',1,'sumac_element_layout::scalar_bytes()']]],
  ['scalar_5fform_2',['scalar_form',['../structsumac__msm__config.html#af06b97ad3922daabe89eda9a249aefae',1,'sumac_msm_config']]],
  ['scalar_5fsigned_3',['scalar_signed',['../structsumac__msm__config.html#af169e08766b836ede1fc44e41907002e',1,'sumac_msm_config::scalar_signed()'],['../structsumac__element__layout.html#aa1a27f2b208773bc35879fde1a066f1e',1,'sumac_element_layout::scalar_signed()']]],
  ['scalars_5flocation_4',['scalars_location',['../structsumac__msm__config.html#ab6c3470c7b0356a46494f49d9103659d',1,'sumac_msm_config']]],
  ['shift_5',['shift',['../structsumac__transform__config.html#ac35bdd448b5a15c50c3e03474c1ef7e9',1,'sumac_transform_config']]],
  ['size_6',['size',['../structsumac__group.html#a11f57f5ea1c6c9bb2a6839b7a680bb87',1,'sumac_group']]],
  ['stride_7',['stride',['../structsumac__bases__config.html#a26e3caf594b6528d99641a00a54fcbe7',1,'sumac_bases_config']]]
];
