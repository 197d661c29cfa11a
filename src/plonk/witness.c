/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads witnesses of circom (.wtns) from files or memory. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "io/wtns_input.h"
#include "plonk/key.h"

/* Read a witness from a file or, if path is null, from `data`. */
static sumac_status open_witness(sumac_context *context, const sumac_plonk_key *key, const char *path,
                                 const void *data, size_t data_bytes, void **witness, size_t *witness_bytes)
{
    BEGIN_MAKING(context, witness);
    TRY(require(context, key != NULL && (path != NULL || data != NULL) && witness_bytes != NULL,
                "key, what is read and witness_bytes"));
    AUTO_FREE uint8_t *values = NULL;
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the witness in memory"));
    TRY(wtns_input_read(&file, key->verifying->groups.g1, key->wires, &values));
    *witness = values;
    *witness_bytes = key_witness_bytes(key);
    values = NULL;
    return SUMAC_OK;
}

sumac_status sumac_plonk_witness_open(sumac_context *context, const sumac_plonk_key *key, const char *path,
                                      void **witness, size_t *witness_bytes)
{
    return open_witness(context, key, path, NULL, 0, witness, witness_bytes);
}

sumac_status sumac_plonk_witness_create(sumac_context *context, const sumac_plonk_key *key, const void *data,
                                        size_t data_bytes, void **witness, size_t *witness_bytes)
{
    return open_witness(context, key, NULL, data, data_bytes, witness, witness_bytes);
}

sumac_status sumac_plonk_witness_publics(sumac_context *context, const sumac_plonk_key *key,
                                         const void *witness, size_t witness_bytes, void *publics,
                                         size_t publics_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && witness != NULL && plonk_publics_are_set(key->verifying, publics),
                "key, witness and publics"));
    const size_t bytes = plonk_publics_bytes(key->verifying);
    TRY(bytes_require(context, "witness", witness_bytes, 1, key_witness_bytes(key)));
    TRY(bytes_require(context, "publics", publics_bytes, 1, bytes));
    if (bytes > 0) {
        memcpy(publics, key_publics(key, witness), bytes);
    }
    return SUMAC_OK;
}
