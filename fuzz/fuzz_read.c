/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads bytes as every file format with every curve. They must be refused with a sentence, or give bases.
 * If points were checked to lie on the curve, they must do so, and be read back unchanged.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "sumac/experimental.h"
#include "sumac/kzg.h"
#include "support/cleanup.h"
#include "support/exact.h"

static void check_bases(const sumac_group *group, const sumac_bases *bases)
{
    const size_t n = sumac_bases_count(bases);
    AUTO_FREE uint8_t *points = malloc(n * group->point_bytes + 1);
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *again = NULL;
    fuzz_require(points != NULL, "there is memory");
    fuzz_require(exact_get(fuzz_context(), bases, 0, n, points) == SUMAC_OK, "points are given back");
    config.check = SUMAC_CHECK_CURVE;
    fuzz_require(exact_create(fuzz_context(), group, points, n, &config, &again) == SUMAC_OK,
                 "points that were checked are right");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const sumac_group *group = fuzz_group(&input);
    const size_t choice = fuzz_byte(&input) % (sumac_format_count() + 2);
    sumac_bases_config config = {.size = sizeof config};
    config.check = (sumac_check)(fuzz_byte(&input) % 3);
    const char *path = fuzz_file(input.data, input.size);
    if (choice == sumac_format_count()) {
        void *scalars = NULL;
        size_t bytes = 0;
        fuzz_check_sentence(sumac_scalars_read(fuzz_context(), group, path, &scalars, &bytes));
        sumac_free(scalars);
    } else if (choice > sumac_format_count()) {
        const sumac_kzg_config setup_config = {.size = sizeof setup_config, .check = config.check};
        CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
        fuzz_check_sentence(sumac_kzg_open(fuzz_context(), path, &setup_config, &setup));
    } else {
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        const sumac_status status = sumac_bases_open(
            fuzz_context(), group, path, sumac_format_at(choice)->name, 0, SUMAC_ALL, &config, &bases);
        fuzz_check_sentence(status);
        fuzz_require((status == SUMAC_OK) == (bases != NULL), "success, and only that, gives bases");
        if (bases != NULL && config.check != SUMAC_CHECK_NONE) {
            check_bases(group, bases);
        }
    }
    return 0;
}
