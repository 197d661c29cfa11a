/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read keys of snarkjs (.zkey) and of gnark, and prepared keys. */
#ifndef SUMAC_PLONK_KEY_FORMAT_H
#define SUMAC_PLONK_KEY_FORMAT_H

#include "io/input.h"
#include "plonk/key.h"

/* Return 1 if a file that begins with these bytes is a .zkey. */
int plonk_zkey_fits(const uint8_t *begins, size_t count);

/* Read all of a file of known size into an empty key, but for `kept`. The caller destroys the key, also after a failure. */
sumac_status plonk_zkey_read(input_file *file, const sumac_plonk_key_config *config, sumac_plonk_key *key);

/* Read only the verifying key, from a file of known size. */
sumac_status plonk_zkey_read_verifying(input_file *file, sumac_plonk_verifying_key **verifying);

/* Do the same with files of gnark: codec/gnark_plonk.h. */
enum { GNARK_BEGINS_BYTES = 24 };
int plonk_gnark_fits(const uint8_t *begins, size_t count);
sumac_status plonk_gnark_read(input_file *file, const sumac_plonk_key_config *config, sumac_plonk_key *key);
sumac_status plonk_gnark_read_verifying(input_file *file, sumac_plonk_verifying_key **verifying);

/* Do the same with prepared keys. container_begins() recognises their first bytes. */
sumac_status plonk_prepared_read(input_file *file, const sumac_plonk_key_config *config,
                                 sumac_plonk_key *key);
sumac_status plonk_prepared_read_verifying(input_file *file, sumac_plonk_verifying_key **verifying);

#endif
