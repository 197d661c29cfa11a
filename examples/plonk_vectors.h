/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the vectors and the transcript of plonk_prover.c. A scalar is a vector of one element. An error ends the program. A
 * real SRS comes from a ceremony, by sumac_bases_open(); this one is made by the program, which knows its secret. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/experimental.h>

enum { SCALAR = 32, G1 = 64, G2 = 128 }; /* bytes */
static sumac_context *context;
static const sumac_group *g1;
static sumac_bases *srs;
static unsigned char g1_point[G1], g2_points[2][G2];
static sumac_vector *made[8192];
static size_t made_count;

typedef struct transcript {
    unsigned char bytes[2048];
    size_t count;
} transcript;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

/* ---- Vectors, all of which release() frees ---- */

static sumac_vector *vector(sumac_vector_kind kind, size_t n)
{
    check(sumac_vector_create(context, g1, kind, n, &made[made_count]));
    return made[made_count++];
}

static sumac_vector *view(sumac_vector *of, size_t first, size_t n)
{
    check(sumac_vector_view(context, of, first, n, &made[made_count]));
    return made[made_count++];
}

static sumac_vector *scalar(const void *raw)
{
    sumac_vector *result = vector(SUMAC_VECTOR_SCALARS, 1);
    check(sumac_vector_set(context, result, raw, SCALAR, 0, 1, NULL));
    return result;
}

static sumac_vector *integer(size_t n)
{
    return scalar((unsigned char[SCALAR]){(unsigned char)n, (unsigned char)(n >> 8)});
}

static void get(const sumac_vector *from, void *raw, size_t bytes)
{
    check(sumac_vector_get(context, from, 0, sumac_vector_count(from), NULL, raw, bytes));
}

/* Copy a vector to a place in another one, from element `first` on. */
static void copy(const sumac_vector *from, sumac_vector *to, size_t first)
{
    const size_t n = sumac_vector_count(from);
    const sumac_slice source = sumac_slice_of(0, n), target = sumac_slice_of(first, n);
    check(sumac_vector_copy(context, from, &source, to, &target));
}

typedef sumac_status operation(sumac_context *, const sumac_vector *, const sumac_vector *, size_t,
                               sumac_vector *);
static sumac_vector *apply(operation *by, const sumac_vector *a, const sumac_vector *b)
{
    sumac_vector *result = vector(SUMAC_VECTOR_SCALARS, sumac_vector_count(a));
    check(by(context, a, b, 1, result)); /* a scalar b is used for each element */
    return result;
}
#define ADD(a, b) apply(sumac_vector_add, a, b)
#define SUB(a, b) apply(sumac_vector_subtract, a, b)
#define MUL(a, b) apply(sumac_vector_multiply, a, b)

static sumac_vector *inverse(const sumac_vector *a)
{
    sumac_vector *result = vector(SUMAC_VECTOR_SCALARS, sumac_vector_count(a));
    copy(a, result, 0);
    check(sumac_vector_invert(context, result));
    return result;
}

/* Square `times` times. */
static sumac_vector *square(const sumac_vector *a, int times)
{
    sumac_vector *result = MUL(a, a);
    for (int i = 1; i < times; i++) {
        result = MUL(result, result);
    }
    return result;
}

/* Return factor, factor*ratio, factor*ratio^2, ... */
static sumac_vector *powers(const sumac_vector *factor, const sumac_vector *ratio, size_t n)
{
    unsigned char raw[2][SCALAR];
    sumac_vector *result = vector(SUMAC_VECTOR_SCALARS, n);
    get(factor, raw[0], SCALAR);
    get(ratio, raw[1], SCALAR);
    check(sumac_vector_fill(context, result, raw[0], SCALAR));
    check(sumac_vector_scale_powers(context, result, NULL, 0, raw[1], SCALAR, n));
    return result;
}

static sumac_vector *root_of_unity(uint32_t log2)
{
    unsigned char raw[SCALAR];
    check(sumac_root_of_unity(g1, log2, raw, SCALAR));
    return scalar(raw);
}

/* Free the vectors that were made after the first `kept` ones. */
static void release(size_t kept)
{
    while (made_count > kept) {
        sumac_vector_destroy(made[--made_count]);
    }
}

/* ---- The transcript: messages of the prover, and challenges ---- */

static void absorb(transcript *t, const void *bytes, size_t count)
{
    memcpy(t->bytes + t->count, bytes, count);
    t->count += count;
}

static sumac_vector *challenge(transcript *t)
{
    unsigned char raw[SCALAR];
    check(sumac_challenge(context, g1, "keccak256", t->bytes, t->count, raw, sizeof raw));
    absorb(t, raw, sizeof raw);
    return scalar(raw);
}

static sumac_vector *random_scalars(size_t n)
{
    sumac_vector *result = vector(SUMAC_VECTOR_SCALARS, n);
    FILE *file = fopen("/dev/urandom", "rb");
    for (size_t i = 0; i < n; i++) {
        transcript t = {.count = 64};
        if (file == NULL || fread(t.bytes, 1, t.count, file) != t.count) {
            exit(1);
        }
        copy(challenge(&t), result, i);
    }
    fclose(file);
    return result;
}

/* ---- An SRS ---- */

/* Make G, s*G, s^2*G, ... by a batch of MSMs of one base, and H and s*H of the second group. */
static void make_srs(size_t n)
{
    const unsigned char secret[SCALAR] = {42};
    const sumac_msm_config config = {.size = sizeof config, .batch = (uint32_t)n};
    const sumac_group *g2;
    sumac_bases *base;
    sumac_vector *points = vector(SUMAC_VECTOR_POINTS, n);
    check(sumac_group_find("bn254", "g2", &g2));
    check(sumac_group_generator(g1, g1_point, G1));
    check(sumac_group_generator(g2, g2_points, G2));
    check(sumac_bases_create(context, g1, g1_point, G1, 1, NULL, &base));
    check(sumac_msm_vectors(context, base, powers(integer(1), scalar(secret), n), 0, 1, &config, points, 0));
    check(sumac_bases_create_from_vector(context, points, 0, n, NULL, &srs));
    sumac_bases_destroy(base);
    check(sumac_bases_create(context, g2, g2_points, G2, 1, NULL, &base));
    check(sumac_msm(context, base, secret, SCALAR, 1, NULL, g2_points[1], G2));
    sumac_bases_destroy(base);
}
