/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16_input.h"

#include "clock.h"
#include "progress.h"

int open_groth16_key(const session *opened, const options *given, const char *path,
                     const sumac_groth16_verifying_key *verifying, sumac_groth16_key **key,
                     sumac_groth16_info *info)
{
    sumac_groth16_key_config config = sumac_groth16_key_config_default();
    config.check = (sumac_check)given->check;
    config.precompute_factor = (uint32_t)given->precompute;
    config.verifying = verifying;
    *info = sumac_groth16_info_default();
    progress_begin("reading %s", path);
    const double start = seconds_now();
    sumac_status status = sumac_groth16_key_open(opened->context, path, &config, key);
    progress_end();
    session_span(opened, "read key", start);
    if (status == SUMAC_OK) {
        status = sumac_groth16_key_describe(*key, info);
    }
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

int toy_failure(const char *path, sumac_status status, const sumac_message *why)
{
    const char *before = path != NULL ? path : "", *colon = path != NULL ? ": " : "";
    return sumac_status_is_machine_fault(status) ? machine_fault("%s%s%s", before, colon, why->text)
                                                 : bad_input("%s%s%s", before, colon, why->text);
}

bool is_gnark_key(const sumac_groth16_info *info)
{
    return info->witness_bytes > info->wires * sumac_curve_describe(info->g1)->scalar_bytes;
}
