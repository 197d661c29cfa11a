/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An insecure setup: a proving key of numbers that whoever makes it could keep. With the polynomials u, v, t of each wire,
 * by their values on the powers of the root of order n, and L_j, which are 1 at one of them and 0 at the others:
 *
 *   u_i = sum_j A_ji L_j(tau), and so on
 *   A_i = u_i G    B_i = v_i G    IC_i = (beta u_i + alpha v_i + t_i)/gamma G    C_i = the same, over delta
 *   H_j = L_(2j+1)(tau)/delta G, of L on the powers of the root of order 2n
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "codec/zkey.h"
#include "groth16/r1cs_file.h"
#include "groth16/random.h"
#include "io/binfile_output.h"
#include "io/memory.h"
#include "sumac/groth16.h"
#include "vector/calls.h"

/* The numbers of the key. */
enum { TAU, ALPHA, BETA, GAMMA, DELTA, SECRETS };

typedef struct setup {
    sumac_context *context;
    r1cs_file *r1cs;
    output_file *file;
    const groups *of;
    uint32_t publics, domain;
    size_t wires;
    sumac_vector *secrets[SECRETS]; /* one scalar each */
    sumac_vector *lagrange;         /* L_j(tau), in the order of snarkjs' roots */
    sumac_vector *u, *v, *rest;     /* of each wire; rest: beta u + alpha v + t */
    sumac_bases *g1, *g2;           /* the generators, with tables */
} setup;

static sumac_status create(const setup *s, size_t count, sumac_vector **vector)
{
    return sumac_vector_create(s->context, s->of->g1, SUMAC_VECTOR_SCALARS, count, vector);
}

/* ---- The numbers ---- */

static sumac_status choose_secrets(setup *s, uint64_t seed)
{
    const size_t bytes = s->of->info1->scalar_bytes;
    uint8_t secrets[SECRETS * MOST_SCALAR_BYTES];
    sumac_status status = seed == 0 ? random_scalars(s->context, s->of->g1, secrets, SECRETS)
                                    : sumac_known_logarithms(s->context, s->of->g1, SECRETS, seed, secrets);
    for (int i = 0; i < SECRETS && status == SUMAC_OK; i++) {
        status = create(s, 1, &s->secrets[i]);
        status = status == SUMAC_OK
                     ? sumac_vector_set(s->context, s->secrets[i], secrets + (size_t)i * bytes, 0, 1, NULL)
                     : status;
    }
    return status;
}

/* The Lagrange polynomials' values at tau on n powers: the inverse transform of tau's. */
static sumac_status evaluate_lagrange(const setup *s, size_t n, sumac_vector **values)
{
    uint8_t one[MOST_SCALAR_BYTES] = {1}, tau[MOST_SCALAR_BYTES];
    sumac_transform_config config = sumac_transform_config_default();
    config.inverse = 1;
    sumac_status status = sumac_vector_get(s->context, s->secrets[TAU], 0, 1, NULL, tau);
    status = status == SUMAC_OK ? create(s, n, values) : status;
    status = status == SUMAC_OK ? sumac_vector_fill(s->context, *values, one) : status;
    status = status == SUMAC_OK ? sumac_vector_scale_powers(s->context, *values, one, tau, n) : status;
    return status == SUMAC_OK ? sumac_vector_ntt(s->context, *values, &config) : status;
}

/* From our order of roots to snarkjs': element i is value row(i), or of the odd powers of a root of order 2n. */
static sumac_status reorder(const setup *s, sumac_vector *values, int odd, sumac_vector **ordered)
{
    const size_t n = s->domain;
    sumac_status status;
    uint64_t *rows = memory_allocate(s->context, s->r1cs->input.file.path, n * sizeof *rows, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        rows[i] = odd ? 2 * groups_odd_row(s->of, i, n) + 1 : groups_row(s->of, i, n);
    }
    status = create(s, n, ordered);
    status = status == SUMAC_OK ? sumac_vector_gather(s->context, values, 1, rows, n, *ordered) : status;
    free(rows);
    return status;
}

/* The sums over a matrix's columns. */
static sumac_status sum_columns(const setup *s, uint32_t matrix, const sumac_vector *values,
                                sumac_vector **sums)
{
    sparse_matrix *transposed = NULL;
    sumac_status status = create(s, s->wires, sums);
    if (status == SUMAC_OK) {
        status = coefficients_matrix(&s->r1cs->coefficients, matrix, s->wires, 1, values, &transposed);
    }
    if (status == SUMAC_OK) {
        status =
            vector_multiply_sparse(context_executor(s->context), *sums, 0, &transposed->rows, s->lagrange, 0);
    }
    sparse_destroy(transposed);
    return status;
}

static sumac_status evaluate_wires(setup *s)
{
    sumac_vector *values = NULL, *scaled = NULL;
    sumac_status status = coefficients_vector(&s->r1cs->coefficients, VALUE_CANONICAL, &values);
    status = status == SUMAC_OK ? sum_columns(s, 0, values, &s->u) : status;
    status = status == SUMAC_OK ? sum_columns(s, 1, values, &s->v) : status;
    status = status == SUMAC_OK ? sum_columns(s, 2, values, &s->rest) : status;
    status = status == SUMAC_OK ? create(s, s->wires, &scaled) : status;
    status =
        status == SUMAC_OK ? sumac_vector_multiply(s->context, s->u, s->secrets[BETA], 1, scaled) : status;
    status = status == SUMAC_OK ? sumac_vector_add(s->context, s->rest, scaled, 1, s->rest) : status;
    status =
        status == SUMAC_OK ? sumac_vector_multiply(s->context, s->v, s->secrets[ALPHA], 1, scaled) : status;
    status = status == SUMAC_OK ? sumac_vector_add(s->context, s->rest, scaled, 1, s->rest) : status;
    sumac_vector_destroy(values);
    sumac_vector_destroy(scaled);
    return status;
}

/* ---- Points ---- */

enum { SLICE = 1 << 14 /* of points that are made together */ };

/* With a table of about as many points as additions with it are to make: 2^c points for each of 254/c windows. */
static sumac_status make_generator(const setup *s, const sumac_curve *curve, sumac_bases **bases)
{
    uint8_t generator[MOST_POINT_BYTES];
    sumac_bases_config config = sumac_bases_config_default();
    const uint64_t most = (uint64_t)64 << 20, least = (uint64_t)64 << 10;
    const uint64_t balanced =
        16 * (s->wires + s->domain) * (uint64_t)sumac_curve_describe(curve)->point_bytes;
    config.check = SUMAC_CHECK_NONE; /* the curve's own generator */
    config.replicated = 1;
    config.tables = SUMAC_TABLES_AUTO;
    config.table_limit = balanced < least ? least : balanced < most ? balanced : most;
    config.typical_batch = SLICE;
    config.typical_n = 1;
    sumac_curve_generator(curve, generator);
    return sumac_bases_create(s->context, curve, generator, 1, &config, bases);
}

/* Multiples of a generator, scalars [first, first + n) times it, at most SLICE of them, as a .zkey has them. One device
 * makes so few faster than several. */
static sumac_status make_points(const setup *s, const sumac_bases *generator, const sumac_vector *scalars,
                                size_t first, size_t n, uint8_t *points)
{
    sumac_vector *multiples = NULL;
    sumac_msm_config config = sumac_msm_config_default();
    sumac_element_layout layout = sumac_element_layout_default();
    config.batch = (uint32_t)n;
    layout.form = SUMAC_FORM_MONTGOMERY;
    sumac_status status =
        sumac_vector_create(s->context, sumac_bases_curve(generator), SUMAC_VECTOR_POINTS, n, &multiples);
    if (status == SUMAC_OK) {
        status = vector_msm(context_executor(s->context), NULL, generator, 0, scalars, first, 1, &config,
                            multiples, 0);
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_get(s->context, multiples, 0, n, &layout, points);
    }
    sumac_vector_destroy(multiples);
    return status;
}

/* ---- The file ---- */

/* A section of points: scalars [first, first + n) times a generator. */
static sumac_status write_points(const setup *s, uint32_t type, const sumac_bases *generator,
                                 const sumac_vector *scalars, size_t first, size_t n)
{
    const size_t bytes = sumac_curve_describe(sumac_bases_curve(generator))->point_bytes;
    sumac_status status;
    uint8_t *points = memory_allocate(s->context, s->r1cs->input.file.path, SLICE * bytes, &status);
    status = status == SUMAC_OK ? binfile_write_section(s->file, type, (uint64_t)n * bytes, NULL) : status;
    for (size_t done = 0; done < n && status == SUMAC_OK; done += SLICE) {
        const size_t count = n - done < SLICE ? n - done : SLICE;
        status = make_points(s, generator, scalars, first + done, count, points);
        status = status == SUMAC_OK ? output_write(s->file, points, count * bytes) : status;
    }
    free(points);
    return status;
}

/* All of section 2. */
static sumac_status write_header(const setup *s)
{
    const sumac_curve_info *info = s->of->info1;
    const struct {
        const sumac_bases *generator;
        int secret;
    } points[] = {{s->g1, ALPHA}, {s->g1, BETA},  {s->g2, BETA},
                  {s->g2, GAMMA}, {s->g1, DELTA}, {s->g2, DELTA}};
    uint8_t bytes[ZKEY_MOST_HEADER_BYTES], *at = bytes;
    sumac_status status = binfile_write_section(
        s->file, ZKEY_HEADER, zkey_header_bytes(info->field_bytes, info->scalar_bytes), NULL);
    store_le32(at, info->field_bytes);
    memcpy(at += 4, info->modulus, info->field_bytes);
    store_le32(at += info->field_bytes, info->scalar_bytes);
    memcpy(at += 4, info->order, info->scalar_bytes);
    store_le32(at += info->scalar_bytes, (uint32_t)s->wires);
    store_le32(at += 4, s->publics);
    store_le32(at += 4, s->domain);
    at += 4;
    for (size_t i = 0; i < sizeof points / sizeof *points && status == SUMAC_OK; i++) {
        status = make_points(s, points[i].generator, s->secrets[points[i].secret], 0, 1, at);
        at += sumac_curve_describe(sumac_bases_curve(points[i].generator))->point_bytes;
    }
    return status == SUMAC_OK ? output_write(s->file, bytes, (size_t)(at - bytes)) : status;
}

/* The values of the coefficients times R^2. */
static sumac_status convert_values(const setup *s, uint8_t **values)
{
    const coefficients *all = &s->r1cs->coefficients;
    sumac_vector *vector = NULL;
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = SUMAC_FORM_MONTGOMERY;
    sumac_status status;
    *values = memory_allocate(s->context, s->r1cs->input.file.path, all->count * all->bytes, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    memcpy(*values, all->values, all->count * all->bytes);
    status = create(s, all->count, &vector);
    for (int i = 0; i < 2 && status == SUMAC_OK; i++) {
        status = sumac_vector_set(s->context, vector, *values, 0, all->count, NULL);
        status = status == SUMAC_OK ? sumac_vector_get(s->context, vector, 0, all->count, &layout, *values)
                                    : status;
    }
    sumac_vector_destroy(vector);
    return status;
}

static sumac_status write_terms(const setup *s, uint32_t matrix, const uint8_t *values)
{
    enum { TERMS = 1024 };
    const coefficients *all = &s->r1cs->coefficients;
    const coefficient_list *list = &all->matrices[matrix];
    const size_t each = ZKEY_TERM_BYTES + all->bytes;
    uint8_t bytes[TERMS * 44];
    size_t filled = 0;
    sumac_status status = SUMAC_OK;
    for (uint64_t i = 0; i < list->count && status == SUMAC_OK; i++) {
        const coefficient *one = &list->at[i];
        zkey_encode_term(bytes + filled, (zkey_term){matrix, one->row, one->column});
        memcpy(bytes + filled + ZKEY_TERM_BYTES, values + one->value * all->bytes, all->bytes);
        filled += each;
        if (filled + each > sizeof bytes || i + 1 == list->count) {
            status = output_write(s->file, bytes, filled);
            filled = 0;
        }
    }
    return status;
}

static sumac_status write_coefficients(const setup *s)
{
    const coefficients *all = &s->r1cs->coefficients;
    const uint64_t count = all->matrices[0].count + all->matrices[1].count;
    uint8_t number[4], *values = NULL;
    if (count > UINT32_MAX) {
        return fail(s->context, SUMAC_NOT_SUPPORTED,
                    "%s: %" PRIu64 " coefficients, where a .zkey counts to 2^32", s->r1cs->input.file.path,
                    count);
    }
    store_le32(number, (uint32_t)count);
    sumac_status status = convert_values(s, &values);
    status = status == SUMAC_OK ? binfile_write_section(s->file, ZKEY_COEFFICIENTS,
                                                        4 + count * (ZKEY_TERM_BYTES + all->bytes), NULL)
                                : status;
    status = status == SUMAC_OK ? output_write(s->file, number, sizeof number) : status;
    status = status == SUMAC_OK ? write_terms(s, 0, values) : status;
    status = status == SUMAC_OK ? write_terms(s, 1, values) : status;
    free(values);
    return status;
}

/* Magic, version, the number of sections; and the first of them. */
static sumac_status write_beginning(const setup *s)
{
    uint8_t protocol[4];
    store_le32(protocol, ZKEY_GROTH16);
    const sumac_status status = binfile_write_head(s->file, ZKEY_MAGIC, ZKEY_VERSION, 10);
    return status == SUMAC_OK ? binfile_write_section(s->file, ZKEY_PROTOCOL, sizeof protocol, protocol)
                              : status;
}

/* A hash of the circuit, which is all zeros, and no contributions. */
static sumac_status write_contributions(const setup *s)
{
    const uint8_t nothing[64 + 4] = {0};
    return binfile_write_section(s->file, ZKEY_CONTRIBUTIONS, sizeof nothing, nothing);
}

/* scalars /= one of the secrets; it is not 0, or nothing of the key would be. */
static sumac_status divide(const setup *s, sumac_vector *scalars, int secret)
{
    sumac_vector *inverse = NULL;
    const sumac_slice one = sumac_slice_of(0, 1);
    sumac_status status = create(s, 1, &inverse);
    status =
        status == SUMAC_OK ? sumac_vector_copy(s->context, s->secrets[secret], &one, inverse, &one) : status;
    status = status == SUMAC_OK ? sumac_vector_invert(s->context, inverse) : status;
    status = status == SUMAC_OK ? sumac_vector_multiply(s->context, scalars, inverse, 1, scalars) : status;
    sumac_vector_destroy(inverse);
    return status;
}

/* rest is divided by gamma for the public wires first, then by delta for the others. */
static sumac_status write_rest(const setup *s)
{
    sumac_vector *publics = NULL;
    const size_t count = (size_t)s->publics + 1;
    const sumac_slice slice = sumac_slice_of(0, count);
    sumac_status status = create(s, count, &publics);
    status = status == SUMAC_OK ? sumac_vector_copy(s->context, s->rest, &slice, publics, &slice) : status;
    status = status == SUMAC_OK ? divide(s, publics, GAMMA) : status;
    status = status == SUMAC_OK ? write_points(s, ZKEY_IC, s->g1, publics, 0, count) : status;
    status = status == SUMAC_OK ? divide(s, s->rest, DELTA) : status;
    status = status == SUMAC_OK ? write_points(s, ZKEY_C, s->g1, s->rest, count, s->wires - count) : status;
    sumac_vector_destroy(publics);
    return status;
}

static sumac_status write_h(const setup *s)
{
    sumac_vector *all = NULL, *odd = NULL;
    sumac_status status = evaluate_lagrange(s, 2 * (size_t)s->domain, &all);
    status = status == SUMAC_OK ? reorder(s, all, 1, &odd) : status;
    status = status == SUMAC_OK ? divide(s, odd, DELTA) : status;
    status = status == SUMAC_OK ? write_points(s, ZKEY_H, s->g1, odd, 0, s->domain) : status;
    sumac_vector_destroy(all);
    sumac_vector_destroy(odd);
    return status;
}

/* ---- All of it ---- */

/* Rows that bind the public inputs, behind the constraints: A has wire i there. */
static sumac_status add_public_rows(const setup *s)
{
    const uint8_t one[MOST_SCALAR_BYTES] = {1};
    sumac_status status = SUMAC_OK;
    for (uint32_t i = 0; i <= s->publics && status == SUMAC_OK; i++) {
        status = coefficients_add(&s->r1cs->coefficients, 0, s->r1cs->header.constraints + i, i, one);
    }
    return status;
}

static sumac_status choose_domain(setup *s)
{
    uint8_t root[MOST_SCALAR_BYTES];
    const uint64_t rows = (uint64_t)s->r1cs->header.constraints + s->publics + 1;
    uint32_t log2 = 0;
    while (UINT64_C(1) << log2 < rows) {
        log2++;
    }
    s->domain = (uint32_t)1 << (log2 & 31);
    return log2 < 32 && sumac_root_of_unity(s->of->g1, log2 + 1, root) == SUMAC_OK
               ? SUMAC_OK
               : fail(s->context, SUMAC_NOT_SUPPORTED,
                      "%s: %" PRIu64
                      " constraints and public inputs, for which the field of %s has no roots of unity",
                      s->r1cs->input.file.path, rows, s->of->info1->name);
}

static sumac_status run(setup *s, uint64_t seed)
{
    sumac_vector *lagrange = NULL;
    sumac_status status = choose_domain(s);
    status = status == SUMAC_OK ? r1cs_read(s->r1cs) : status;
    status = status == SUMAC_OK ? add_public_rows(s) : status;
    status = status == SUMAC_OK ? choose_secrets(s, seed) : status;
    status = status == SUMAC_OK ? make_generator(s, s->of->g1, &s->g1) : status;
    status = status == SUMAC_OK ? make_generator(s, s->of->g2, &s->g2) : status;
    status = status == SUMAC_OK ? write_beginning(s) : status;
    status = status == SUMAC_OK ? write_header(s) : status;
    status = status == SUMAC_OK ? write_coefficients(s) : status;
    status = status == SUMAC_OK ? evaluate_lagrange(s, s->domain, &lagrange) : status;
    status = status == SUMAC_OK ? reorder(s, lagrange, 0, &s->lagrange) : status;
    status = status == SUMAC_OK ? evaluate_wires(s) : status;
    status = status == SUMAC_OK ? write_points(s, ZKEY_A, s->g1, s->u, 0, s->wires) : status;
    status = status == SUMAC_OK ? write_points(s, ZKEY_B1, s->g1, s->v, 0, s->wires) : status;
    status = status == SUMAC_OK ? write_points(s, ZKEY_B2, s->g2, s->v, 0, s->wires) : status;
    status = status == SUMAC_OK ? write_rest(s) : status;
    status = status == SUMAC_OK ? write_h(s) : status;
    status = status == SUMAC_OK ? write_contributions(s) : status;
    sumac_vector_destroy(lagrange);
    return status;
}

static void free_setup(setup *s)
{
    for (int i = 0; i < SECRETS; i++) {
        sumac_vector_destroy(s->secrets[i]);
    }
    sumac_vector_destroy(s->lagrange);
    sumac_vector_destroy(s->u);
    sumac_vector_destroy(s->v);
    sumac_vector_destroy(s->rest);
    sumac_bases_destroy(s->g1);
    sumac_bases_destroy(s->g2);
}

/* Of a circuit that is open. */
static sumac_status write_key(r1cs_file *r1cs, uint64_t seed, const char *path)
{
    output_file file;
    setup s = {.context = r1cs->input.file.context,
               .r1cs = r1cs,
               .file = &file,
               .of = &r1cs->groups,
               .publics = r1cs->header.outputs + r1cs->header.inputs,
               .wires = r1cs->header.wires};
    sumac_status status = output_open(&file, s.context, path);
    if (status == SUMAC_OK) {
        status = run(&s, seed);
    }
    free_setup(&s);
    return output_close(&file, status);
}

sumac_status sumac_groth16_insecure_setup(sumac_context *context, const char *r1cs_path, uint64_t seed,
                                          const char *zkey_path)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (r1cs_path == NULL || zkey_path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "r1cs_path and zkey_path must not be null");
    }
    sumac_status status = output_require_other(context, "zkey_path", zkey_path, "r1cs_path", r1cs_path);
    if (status != SUMAC_OK) {
        return status;
    }
    r1cs_file r1cs;
    status = r1cs_open(&r1cs, context, r1cs_path);
    if (status == SUMAC_OK) {
        status = write_key(&r1cs, seed, zkey_path);
    }
    r1cs_close(&r1cs);
    return status;
}
