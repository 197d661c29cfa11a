var searchData=
[
  ['field_5fbits_0',['field_bits',['../structsumac__group.html#a87bcc49900f8d5510f6499b63ba48011',1,'sumac_group']]],
  ['field_5fbytes_1',['field_bytes',['../structsumac__group.html#a21cda35fae36251233cb273fd08167eb',1,'sumac_group']]],
  ['first_2',['first',['../structsumac__files__config.html#adc4e1d7c3324c70539878ae4a9d87dd4',1,'sumac_files_config::first()'],['../structsumac__msm__config.html#aedb021386ba30d29a877ada04eba338f',1,'sumac_msm_config::first()']]],
  ['form_3',['form',['../structsumac__bases__config.html#ad9093a702b8514374cc7a3f9d6a34807',1,'sumac_bases_config::form()'],['../structsumac__element__layout.html#a3ccd49e16c6ac02ea8e8844f31c9193a',1,'sumac_element_layout::form()']]],
  ['format_4',['format',['../structsumac__files__config.html#aa3f39f44e2711753b8c4e2065db00cd6',1,'sumac_files_config']]],
  ['formats_2eh_5',['formats.h',['../formats_8h.html',1,'']]],
  ['fr_5ft_6',['fr_t',['../structfr__t.html',1,'']]],
  ['free_5ftrusted_5fsetup_7',['free_trusted_setup',['../ckzg_8h.html#ada195513a73c5442b26742ec1f6b6151',1,'ckzg.h']]]
];
