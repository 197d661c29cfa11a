/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes insecure powers of tau. A setup reads some points tau^i G of the first group and two of the second. All other points
 * are a hole in the file, which takes no space where the system has such files.
 */
#define _XOPEN_SOURCE 700

#include <stdlib.h>
#include <sys/types.h>

#include "toy_groth16.h"
#include "toy_points.h"

enum { READ_G2 = 2 };

static sumac_status put_powers(const toy_generator *g, uint32_t type, const sumac_vector *powers,
                               size_t computed, size_t count)
{
    FILE *file = g->to->file;
    const size_t written = computed < count ? computed : count;
    put_section(file, type, (uint64_t)count * g->point_bytes);
    TRY(toy_put_points(g, powers, 0, written));
    if (written < count) {
        (void)fseeko(file, (off_t)((count - written) * g->point_bytes) - 1, SEEK_CUR);
        fputc(0, file);
    }
    return SUMAC_OK;
}

sumac_status toy_powers(sumac_context *context, const sumac_group *g1, size_t points, uint64_t seed,
                        FILE *ptau, sumac_message *why)
{
    CLEANUP(toy_close_generator) toy_generator first = {.bases = NULL}, second = {.bases = NULL};
    CLEANUP(toy_close_vector) sumac_vector *powers = NULL;
    const toy_output to = {context, ptau, why};
    uint32_t log2 = 1;
    const uint8_t one[SCALAR_BYTES] = {1};
    uint8_t tau[SCALAR_BYTES];
    const sumac_group *g2;
    while (((size_t)2 << log2) - 1 < points) {
        log2++;
    }
    CALL(&to, sumac_known_logarithms(context, g1, 1, seed, tau, sizeof tau));
    TRY(sumac_group_find(g1->curve, "g2", &g2));
    TRY(toy_open_generator(&to, g1, points, &first));
    TRY(toy_open_generator(&to, g2, READ_G2, &second));
    CALL(&to, sumac_vector_create(context, g1, SUMAC_VECTOR_SCALARS, points, &powers));
    CALL(&to, sumac_vector_fill(context, powers, one, sizeof one));
    CALL(&to, sumac_vector_scale_powers(context, powers, NULL, 0, tau, sizeof tau, points));
    put_head(ptau, "ptau", 1, 3);
    put_section(ptau, 1, 4 + g1->field_bytes + 8);
    put32(ptau, g1->field_bytes);
    fwrite(g1->modulus, g1->field_bytes, 1, ptau);
    put32(ptau, log2);
    put32(ptau, log2);
    TRY(put_powers(&first, 2, powers, points, ((size_t)2 << log2) - 1));
    TRY(put_powers(&second, 3, powers, READ_G2, (size_t)1 << log2));
    return toy_finish_file(ptau, why);
}
