/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads tables of bases and partial results. The checksum would refuse nearly every change. It is
 * corrected, so that the checks after it run, too.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/cleanup.h"
#include "support/exact.h"
#include "support/container.h"

static void try_table(const sumac_group *group, uint8_t *bytes, size_t size)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    file_correct(bytes, size);
    const sumac_status status = open_trusted(fuzz_context(), group, fuzz_file(bytes, size), &bases);
    fuzz_require((status == SUMAC_OK) == (bases != NULL), "success, and only that, gives bases");
    if (bases != NULL && sumac_bases_count(bases) > 0) {
        const sumac_group *info = info_of(bases).group;
        uint8_t scalar[64] = {5}, result[512];
        sumac_msm_config config = {.size = sizeof config};
        config.scalar_bits = 3; /* multiples may be made for more bits than this */
        fuzz_require(info->scalar_bytes <= sizeof scalar && info->point_bytes <= sizeof result,
                     "the buffers hold it");
        (void)!exact_msm(fuzz_context(), bases, scalar, 1, &config, result);
    }
}

static void try_partial(const sumac_group *group, uint32_t batch, uint8_t *bytes, size_t size)
{
    uint8_t results[4 * 512];
    const void *const partials[] = {bytes, bytes};
    if (size < sumac_partial_bytes(group, batch)) {
        return;
    }
    const size_t whole = sumac_partial_bytes(group, batch);
    file_correct(bytes, whole);
    (void)!exact_combine(fuzz_context(), group, partials, 2, batch, results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const sumac_group *group = fuzz_group(&input);
    const uint8_t choice = fuzz_byte(&input);
    AUTO_FREE uint8_t *bytes = malloc(input.size + 1);
    fuzz_require(bytes != NULL, "there is memory");
    memcpy(bytes, input.data, input.size);
    if (choice % 2 == 0) {
        try_table(choice % 4 == 0 ? group : NULL, bytes, input.size);
    } else {
        try_partial(group, 1 + choice / 2 % 4, bytes, input.size);
    }
    return 0;
}
