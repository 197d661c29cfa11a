/* sumac_msm() with any configuration, against one scalar multiplication: the bases' discrete logarithms are
 * known. */
#include <stdlib.h>
#include <string.h>

#include "curves/registry.h"
#include "fuzz.h"

enum { MOST_BASES = 12, MOST_POINT_BYTES = 512, MOST_SCALAR_BYTES = 64 };

typedef struct fuzz_msm {
    const sumac_curve_info *info;
    uint8_t points[MOST_BASES * MOST_POINT_BYTES];
    uint8_t logarithms[MOST_BASES * MOST_SCALAR_BYTES];
    uint8_t scalars[MOST_BASES * MOST_SCALAR_BYTES];
} fuzz_msm;

/* The logarithm of a base is one of 256: small, so that equal bases are frequent, or r minus that, so that
 * opposite ones are, or large. */
static void make_logarithm(const sumac_curve_info *info, uint8_t *d, uint8_t choice)
{
    uint64_t limbs[MOST_SCALAR_BYTES / 8] = {choice % 6};
    if (choice & 0x40) {
        const uint64_t small = limbs[0];
        memcpy(limbs, info->order, info->scalar_bytes);
        limbs[0] -= limbs[0] >= small ? small : 0;
    }
    memcpy(d, limbs, info->scalar_bytes);
    if (choice & 0x80) {
        d[info->scalar_bytes / 2] = choice;
    }
}

/* Base i is d*G; such multiples are computed once. */
static void make_base(fuzz_msm *m, const sumac_curve *curve, size_t i, uint8_t choice)
{
    static uint8_t *known[64][256];
    const uint8_t one[MOST_SCALAR_BYTES] = {1};
    uint8_t *d = m->logarithms + i * m->info->scalar_bytes;
    size_t index = 0;
    while (sumac_registry[index] != curve) {
        index++;
    }
    make_logarithm(m->info, d, choice);
    uint8_t **point = &known[index][choice];
    if (*point == NULL) {
        *point = malloc(m->info->point_bytes);
        fuzz_require(*point != NULL &&
                         sumac_known_answer(fuzz_context(), curve, d, one, 1, *point) == SUMAC_OK,
                     "a base is made");
    }
    memcpy(m->points + i * m->info->point_bytes, *point, m->info->point_bytes);
}

static void make_scalar(fuzz_msm *m, fuzz_input *input, size_t i)
{
    uint8_t *k = m->scalars + i * m->info->scalar_bytes;
    const uint8_t kind = fuzz_byte(input);
    memset(k, kind & 1 ? 0xff : 0, m->info->scalar_bytes);
    if (kind & 2) {
        memcpy(k, m->info->order, m->info->scalar_bytes);
    }
    if (kind & 4) {
        fuzz_bytes(input, k, m->info->scalar_bytes);
    } else {
        k[(kind >> 3) % m->info->scalar_bytes] ^= fuzz_byte(input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_msm m;
    fuzz_input input = {data, size};
    const sumac_curve *curve = fuzz_curve(&input);
    m.info = sumac_curve_describe(curve);
    const uint8_t flags = fuzz_byte(&input);
    sumac_msm_config config = sumac_msm_config_default();
    sumac_bases_config bases_config = sumac_bases_config_default();
    config.c = fuzz_byte(&input) % 10;
    config.reduction = (sumac_reduction)(flags % 3);
    config.chunks = flags / 4 % 4;
    config.batch = 1 + flags / 16 % 3;
    config.separate_bases = flags / 64 % 2;
    bases_config.precompute_factor = fuzz_byte(&input) % 5;
    bases_config.c = config.c;
    bases_config.outside_subgroup = flags / 128;
    const size_t n = fuzz_byte(&input) % (MOST_BASES / config.batch + 1);
    const size_t bases_count = config.separate_bases ? n * config.batch : n;
    for (size_t i = 0; i < bases_count; i++) {
        make_base(&m, curve, i, fuzz_byte(&input));
    }
    for (size_t i = 0; i < n * config.batch; i++) {
        make_scalar(&m, &input, i);
    }
    sumac_bases *bases = NULL;
    uint8_t results[3 * MOST_POINT_BYTES], expected[MOST_POINT_BYTES];
    fuzz_require(sumac_bases_create(fuzz_context(), curve, m.points, bases_count, &bases_config, &bases) ==
                     SUMAC_OK,
                 "bases are made");
    fuzz_require(sumac_msm(fuzz_context(), bases, m.scalars, n, &config, results) == SUMAC_OK,
                 "the MSM runs");
    for (size_t j = 0; j < config.batch; j++) {
        const size_t first = config.separate_bases ? j * n : 0;
        fuzz_require(sumac_known_answer(fuzz_context(), curve, m.scalars + j * n * m.info->scalar_bytes,
                                        m.logarithms + first * m.info->scalar_bytes, n, expected) == SUMAC_OK,
                     "the answer is known");
        fuzz_require(memcmp(results + j * m.info->point_bytes, expected, m.info->point_bytes) == 0,
                     "the MSM's result is right");
    }
    sumac_bases_destroy(bases);
    return 0;
}
