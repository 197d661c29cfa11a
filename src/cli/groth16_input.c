/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "groth16_input.h"

int open_proving_key(const session *opened, const options *given, const char *path, proving_key *key)
{
    *key = (proving_key){.info = sumac_groth16_info_default()};
    if (given->verifying_key != NULL) {
        MUST(session_check(opened, sumac_groth16_verifying_key_open(opened->context, given->verifying_key,
                                                                    &key->verifying)));
    }
    sumac_groth16_key_config config = sumac_groth16_key_config_default();
    config.check = (sumac_check)given->check;
    config.precompute_factor = (uint32_t)given->precompute;
    config.verifying = key->verifying;
    progress_begin("reading %s", path);
    MUST(session_step(opened, "read key", sumac_groth16_key_open(opened->context, path, &config, &key->key)));
    return session_check(opened, sumac_groth16_key_describe(key->key, &key->info));
}

void close_proving_key(proving_key *key)
{
    sumac_groth16_key_destroy(key->key);
    sumac_groth16_verifying_key_destroy(key->verifying);
}

int toy_check(const char *path, sumac_status status, const sumac_message *why)
{
    if (status == SUMAC_OK || status == SUMAC_WRITE_FAILED) {
        return STATUS_DONE;
    }
    const char *before = path != NULL ? path : "", *colon = path != NULL ? ": " : "";
    return sumac_status_is_machine_fault(status) ? machine_fault("%s%s%s", before, colon, why->text)
                                                 : bad_input("%s%s%s", before, colon, why->text);
}

bool is_gnark_key(const sumac_groth16_info *info)
{
    return info->witness_bytes > info->wires * sumac_curve_describe(info->g1)->scalar_bytes;
}
