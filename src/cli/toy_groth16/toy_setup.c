/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes an insecure setup. u, v and t are the polynomials of each wire, given by their values on the powers
 * of snarkjs' root of unity w of order n; L_j is 1 at w^j and 0 at the other powers:
 *
 *   L_j = (1 - tau^n)/n w^j/(w^j - tau)     u_i = sum_j A_ji L_j     v_i = sum_j B_ji L_j     t_i = sum_j C_ji L_j
 *   A_i = u_i G    B_i = v_i G    IC_i = (beta u_i + alpha v_i + t_i)/gamma G    C_i with delta in place of gamma
 *   H_j = L_(2j+1)/delta G, with L on the powers of a root of order 2n
 */
#define _XOPEN_SOURCE 700

#include "toy_groth16.h"

#include <unistd.h>

#include "base/random.h"
#include "toy_file.h"
#include "toy_points.h"

enum { TAU, ALPHA, BETA, GAMMA, DELTA, SECRETS };
enum { SLICE = 1 << 14 /* the number of terms that are processed at a time */ };

typedef uint64_t scalar[SCALAR_WORDS];

typedef struct setup {
    sumac_context *context;
    sumac_message *why;
    FILE *r1cs, *zkey;
    const sumac_group *g1, *g2;
    const sumac_group *info; /* the description of g1 */
    uint32_t wires, publics, constraints, domain, log2_domain;
    off_t terms_start; /* the offset of the terms in the .r1cs */
    scalar secrets[SECRETS];
    sumac_vector *u, *v, *rest; /* one element for each wire; rest is beta u + alpha v + t */
    uint64_t term_counts[3];    /* the numbers of terms of A, B and C */
} setup;

/* ---- The circuit ---- */

static sumac_status get(const setup *s, void *bytes, size_t count)
{
    return fread(bytes, 1, count, s->r1cs) == count
               ? SUMAC_OK
               : refuse(s->why, SUMAC_BAD_FILE, "the circuit is truncated, or can't be read");
}

static sumac_status find_section(const setup *s, uint32_t wanted)
{
    uint32_t type;
    uint64_t size;
    for (off_t at = 12;; at += 12 + (off_t)size) {
        if (fseeko(s->r1cs, at, SEEK_SET) != 0) {
            return refuse(s->why, SUMAC_BAD_FILE, "the circuit is in no regular file");
        }
        TRY(get(s, &type, sizeof type));
        TRY(get(s, &size, sizeof size));
        if (type == wanted) {
            return SUMAC_OK;
        }
    }
}

static sumac_status find_groups(setup *s, const uint8_t *order, uint32_t bytes)
{
    for (size_t i = 0; i < sumac_group_count(); i++) {
        s->g1 = sumac_group_at(i);
        s->info = s->g1;
        if (toy_is_curve(s->info) && strcmp(s->info->name, "g1") == 0 && bytes == SCALAR_BYTES &&
            memcmp(s->info->order, order, SCALAR_BYTES) == 0 &&
            sumac_group_find(s->info->curve, "g2", &s->g2) == SUMAC_OK) {
            return SUMAC_OK;
        }
    }
    return refuse(s->why, SUMAC_UNKNOWN_CURVE,
                  "the circuit's prime is of no curve that this build proves with");
}

static sumac_status read_header(setup *s)
{
    char magic[4];
    uint8_t order[48];
    uint32_t bytes, numbers[7]; /* wires, outputs, inputs, private inputs, labels (two words), constraints */
    rewind(s->r1cs);
    TRY(get(s, magic, sizeof magic));
    if (memcmp(magic, "r1cs", sizeof magic) != 0) {
        return refuse(s->why, SUMAC_BAD_FILE, "the circuit does not begin as a .r1cs file");
    }
    TRY(find_section(s, 1));
    TRY(get(s, &bytes, sizeof bytes));
    if (bytes == 0 || bytes > sizeof order) {
        return refuse(s->why, SUMAC_BAD_FILE, "the circuit's prime has %u bytes", bytes);
    }
    TRY(get(s, order, bytes));
    TRY(get(s, numbers, sizeof numbers));
    TRY(find_groups(s, order, bytes));
    s->wires = numbers[0];
    s->publics = numbers[1] + numbers[2];
    s->constraints = numbers[6];
    if (s->wires <= numbers[1] || s->wires - 1 - numbers[1] < numbers[2]) {
        return refuse(s->why, SUMAC_BAD_FILE, "the circuit has more public wires than wires");
    }
    while (UINT64_C(1) << s->log2_domain < (uint64_t)s->constraints + s->publics + 1) {
        s->log2_domain++;
    }
    if (((s->info->order[0] - 1) & ((UINT64_C(2) << s->log2_domain) - 1)) != 0 || s->log2_domain > 31) {
        return refuse(s->why, SUMAC_NOT_SUPPORTED, "the field of %s has no roots of unity for %u constraints",
                      s->info->curve, s->constraints);
    }
    s->domain = UINT32_C(1) << s->log2_domain;
    TRY(find_section(s, 2));
    s->terms_start = ftello(s->r1cs);
    return SUMAC_OK;
}

static int is_less(const scalar a, const uint64_t *b)
{
    int i = SCALAR_WORDS - 1;
    while (i > 0 && a[i] == b[i]) {
        i--;
    }
    return a[i] < b[i];
}

/* These are some terms of the circuit. Each value belongs to a row and to a wire, which is a column, of A, B or C. */
typedef struct terms {
    size_t count;
    uint64_t rows[SLICE];
    uint32_t matrices[SLICE], wires[SLICE];
    scalar values[SLICE];
} terms;

typedef sumac_status (*terms_taker)(setup *s, const terms *some, void *user);

static sumac_status add_term(setup *s, terms *some, uint64_t row, uint32_t matrix, terms_taker take,
                             void *user)
{
    some->rows[some->count] = row;
    some->matrices[some->count++] = matrix;
    if (some->count < SLICE) {
        return SUMAC_OK;
    }
    TRY(take(s, some, user));
    some->count = 0;
    return SUMAC_OK;
}

/* Pass the terms of the circuit to a function. After them, pass the terms of those rows of A that bind the public
 * inputs. */
static sumac_status for_all_terms(setup *s, terms_taker take, void *user)
{
    AUTO_FREE terms *some = NULL;
    TRY(toy_allocate(1, sizeof *some, &some, s->why));
    fseeko(s->r1cs, s->terms_start, SEEK_SET);
    for (uint64_t i = 0; i < 3 * (uint64_t)s->constraints; i++) {
        uint32_t left;
        TRY(get(s, &left, sizeof left));
        for (; left > 0; left--) {
            uint32_t *wire = &some->wires[some->count];
            TRY(get(s, wire, sizeof *wire));
            TRY(get(s, some->values[some->count], SCALAR_BYTES));
            if (*wire >= s->wires || !is_less(some->values[some->count], s->info->order)) {
                return refuse(s->why, SUMAC_BAD_FILE,
                              "constraint %u of the circuit has a wire or a value that is too large",
                              (unsigned)(i / 3));
            }
            TRY(add_term(s, some, i / 3, (uint32_t)(i % 3), take, user));
        }
    }
    for (uint32_t wire = 0; wire <= s->publics; wire++) {
        some->wires[some->count] = wire;
        memcpy(some->values[some->count], (const scalar){1}, SCALAR_BYTES);
        TRY(add_term(s, some, (uint64_t)s->constraints + wire, 0, take, user));
    }
    return some->count > 0 ? take(s, some, user) : SUMAC_OK;
}

/* ---- Numbers ---- */

static sumac_status choose_secrets(setup *s, uint64_t seed)
{
    if (seed != 0) {
        CALL(s, sumac_known_logarithms(s->context, s->g1, SECRETS, seed, s->secrets,
                                       (size_t)SECRETS * s->g1->scalar_bytes));
    }
    for (size_t i = 0; i < SECRETS && seed == 0; i++) {
        if (system_random(s->secrets[i], SCALAR_BYTES - 1) != 0) { /* with one byte less, the number is less
                                                                      than r */
            return refuse(s->why, SUMAC_READ_FAILED, "the system gives no random numbers");
        }
    }
    return SUMAC_OK;
}

/* Create a vector of `count` zeros. */
static sumac_status make_vector(const setup *s, size_t count, sumac_vector **vector)
{
    CALL(s, sumac_vector_create(s->context, s->g1, SUMAC_VECTOR_SCALARS, count, vector));
    return SUMAC_OK;
}

static sumac_status make_number(const setup *s, const scalar number, sumac_vector **vector)
{
    TRY(make_vector(s, 1, vector));
    CALL(s, sumac_vector_fill(s->context, *vector, number, sizeof(scalar)));
    return SUMAC_OK;
}

static sumac_status compute_power(const setup *s, const scalar base, const scalar exponent, scalar power)
{
    CLEANUP(toy_close_vector) sumac_vector *factor = NULL, *product = NULL;
    TRY(make_number(s, base, &factor));
    TRY(make_number(s, (const scalar){1}, &product));
    for (size_t i = 64 * SCALAR_WORDS; i-- > 0;) {
        CALL(s, sumac_vector_multiply(s->context, product, product, 1, product));
        if ((exponent[i / 64] >> i % 64 & 1) != 0) {
            CALL(s, sumac_vector_multiply(s->context, product, factor, 1, product));
        }
    }
    CALL(s, sumac_vector_get(s->context, product, 0, 1, NULL, power, sizeof(scalar)));
    return SUMAC_OK;
}

/* Compute snarkjs' root of unity of order 2^log2, a power of 5, which is a nonsquare modulo the order of either
 * curve. */
static sumac_status find_root(const setup *s, uint32_t log2, scalar root)
{
    scalar exponent; /* (r - 1)/2^log2 */
    for (size_t i = 0; i < SCALAR_WORDS; i++) {
        const unsigned __int128 above = i + 1 < SCALAR_WORDS ? s->info->order[i + 1] : 0;
        exponent[i] = (uint64_t)((above << 64 | (s->info->order[i] - (i == 0))) >> log2);
    }
    return compute_power(s, (const scalar){5}, exponent, root);
}

/* Let x_j = first * ratio^j, where all x_j are roots of unity of order n. Set values[j] to L_j, the Lagrange polynomial
 * of x_j, at tau. */
static sumac_status evaluate_lagrange(const setup *s, uint64_t n, const scalar first, const scalar ratio,
                                      sumac_vector *values)
{
    const size_t count = sumac_vector_count(values);
    CLEANUP(toy_close_vector) sumac_vector *inverses = NULL, *tau = NULL, *scale = NULL, *order = NULL;
    scalar power;
    TRY(make_vector(s, count, &inverses));
    TRY(make_number(s, s->secrets[TAU], &tau));
    TRY(compute_power(s, s->secrets[TAU], (const scalar){n}, power));
    TRY(make_number(s, power, &order));
    TRY(make_number(s, (const scalar){1}, &scale));
    CALL(s, sumac_vector_subtract(s->context, scale, order, 1, scale));
    CALL(s, sumac_vector_fill(s->context, order, (const scalar){n}, sizeof(scalar)));
    CALL(s, sumac_vector_invert(s->context, order));
    CALL(s, sumac_vector_multiply(s->context, scale, order, 1, scale));
    CALL(s, sumac_vector_fill(s->context, values, (const scalar){1}, sizeof(scalar)));
    CALL(s,
         sumac_vector_scale_powers(s->context, values, first, sizeof(scalar), ratio, sizeof(scalar), count));
    CALL(s, sumac_vector_subtract(s->context, values, tau, 1, inverses));
    CALL(s, sumac_vector_invert(s->context, inverses));
    CALL(s, sumac_vector_multiply(s->context, values, inverses, 1, values));
    CALL(s, sumac_vector_multiply(s->context, values, scale, 1, values));
    return SUMAC_OK;
}

typedef struct sums {
    const sumac_vector *lagrange;
    scalar *of[3]; /* one for each wire, for A, B and C */
} sums;

static void free_sums(sums *all)
{
    for (size_t i = 0; i < 3; i++) {
        free(all->of[i]);
    }
}

/* Add a number to a sum, modulo an order that is less than 2^255. */
static void add_modulo(scalar sum, const scalar number, const uint64_t *order)
{
    unsigned __int128 carry = 0;
    for (size_t i = 0; i < SCALAR_WORDS; i++) {
        carry = (carry >> 64) + sum[i] + number[i];
        sum[i] = (uint64_t)carry;
    }
    const uint64_t mask = is_less(sum, order) ? 0 : UINT64_MAX;
    uint64_t borrow = 0;
    for (size_t i = 0; i < SCALAR_WORDS; i++) {
        const unsigned __int128 difference = (unsigned __int128)sum[i] - (order[i] & mask) - borrow;
        sum[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

static sumac_status add_products(setup *s, const terms *some, void *user)
{
    sums *all = user;
    CLEANUP(toy_close_vector) sumac_vector *values = NULL, *lagrange = NULL;
    AUTO_FREE scalar *products = NULL;
    TRY(toy_allocate(some->count, sizeof *products, &products, s->why));
    TRY(make_vector(s, some->count, &values));
    TRY(make_vector(s, some->count, &lagrange));
    CALL(s, sumac_vector_set(s->context, values, some->values, some->count * sizeof(scalar), 0, some->count,
                             NULL));
    CALL(s, sumac_vector_gather(s->context, all->lagrange, 1, some->rows, some->count, lagrange));
    CALL(s, sumac_vector_multiply(s->context, values, lagrange, 1, values));
    CALL(s,
         sumac_vector_get(s->context, values, 0, some->count, NULL, products, some->count * sizeof(scalar)));
    for (size_t i = 0; i < some->count; i++) {
        add_modulo(all->of[some->matrices[i]][some->wires[i]], products[i], s->info->order);
        s->term_counts[some->matrices[i]]++;
    }
    return SUMAC_OK;
}

static sumac_status evaluate_wires(setup *s)
{
    CLEANUP(toy_close_vector) sumac_vector *lagrange = NULL, *product = NULL, *alpha = NULL, *beta = NULL;
    CLEANUP(free_sums) sums all = {.of = {NULL}};
    sumac_vector **const vectors[] = {&s->u, &s->v, &s->rest};
    scalar root;
    TRY(make_vector(s, s->domain, &lagrange));
    TRY(find_root(s, s->log2_domain, root));
    TRY(evaluate_lagrange(s, s->domain, (const scalar){1}, root, lagrange));
    all.lagrange = lagrange;
    for (size_t i = 0; i < 3; i++) {
        TRY(toy_allocate(s->wires, sizeof *all.of[i], &all.of[i], s->why));
    }
    TRY(for_all_terms(s, add_products, &all));
    for (size_t i = 0; i < 3; i++) {
        TRY(make_vector(s, s->wires, vectors[i]));
        CALL(s, sumac_vector_set(s->context, *vectors[i], all.of[i], s->wires * sizeof(scalar), 0, s->wires,
                                 NULL));
    }
    TRY(make_vector(s, s->wires, &product));
    TRY(make_number(s, s->secrets[ALPHA], &alpha));
    TRY(make_number(s, s->secrets[BETA], &beta));
    CALL(s, sumac_vector_multiply(s->context, s->u, beta, 1, product));
    CALL(s, sumac_vector_add(s->context, s->rest, product, 1, s->rest));
    CALL(s, sumac_vector_multiply(s->context, s->v, alpha, 1, product));
    CALL(s, sumac_vector_add(s->context, s->rest, product, 1, s->rest));
    return SUMAC_OK;
}

/* ---- The key ---- */

/* Divide numbers by a secret. */
static sumac_status divide(const setup *s, const sumac_vector *numbers, int secret, sumac_vector *quotients)
{
    CLEANUP(toy_close_vector) sumac_vector *inverse = NULL;
    TRY(make_number(s, s->secrets[secret], &inverse));
    CALL(s, sumac_vector_invert(s->context, inverse));
    CALL(s, sumac_vector_multiply(s->context, numbers, inverse, 1, quotients));
    return SUMAC_OK;
}

static sumac_status write_header(const setup *s, const toy_generator *g1, const toy_generator *g2)
{
    const struct {
        const toy_generator *generator;
        int secret;
    } points[] = {{g1, ALPHA}, {g1, BETA}, {g2, BETA}, {g2, GAMMA}, {g1, DELTA}, {g2, DELTA}};
    put_head(s->zkey, "zkey", 1, 10);
    put_section(s->zkey, 1, 4);
    put32(s->zkey, 1); /* Groth16 */
    put_section(s->zkey, 2,
                5 * 4 + s->info->field_bytes + SCALAR_BYTES + 3 * (g1->point_bytes + g2->point_bytes));
    put32(s->zkey, s->info->field_bytes);
    fwrite(s->info->modulus, s->info->field_bytes, 1, s->zkey);
    put32(s->zkey, SCALAR_BYTES);
    fwrite(s->info->order, SCALAR_BYTES, 1, s->zkey);
    put32(s->zkey, s->wires);
    put32(s->zkey, s->publics);
    put32(s->zkey, s->domain);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        CLEANUP(toy_close_vector) sumac_vector *number = NULL;
        TRY(make_number(s, s->secrets[points[i].secret], &number));
        TRY(toy_put_points(points[i].generator, number, 0, 1));
    }
    return SUMAC_OK;
}

/* Write the terms of one matrix. A .zkey has values times R^2, R = 2^256, which is Montgomery form applied twice. */
static sumac_status put_coefficients(setup *s, const terms *some, void *user)
{
    const uint32_t *matrix = user;
    sumac_element_layout layout = {.size = sizeof layout};
    CLEANUP(toy_close_vector) sumac_vector *values = NULL;
    AUTO_FREE scalar *numbers = NULL;
    layout.form = SUMAC_FORM_MONTGOMERY;
    TRY(toy_allocate(some->count, sizeof *numbers, &numbers, s->why));
    TRY(make_vector(s, some->count, &values));
    const size_t bytes = some->count * sizeof *numbers;
    memcpy(numbers, some->values, bytes);
    for (int times = 0; times < 2; times++) {
        CALL(s, sumac_vector_set(s->context, values, numbers, bytes, 0, some->count, NULL));
        CALL(s, sumac_vector_get(s->context, values, 0, some->count, &layout, numbers, bytes));
    }
    for (size_t i = 0; i < some->count; i++) {
        if (some->matrices[i] == *matrix) {
            put32(s->zkey, *matrix);
            put32(s->zkey, some->rows[i]);
            put32(s->zkey, some->wires[i]);
            fwrite(numbers[i], SCALAR_BYTES, 1, s->zkey);
        }
    }
    return SUMAC_OK;
}

static sumac_status write_coefficients(setup *s)
{
    const uint64_t count = s->term_counts[0] + s->term_counts[1];
    if (count > UINT32_MAX) {
        return refuse(s->why, SUMAC_NOT_SUPPORTED,
                      "the circuit has %llu coefficients, and a .zkey counts to 2^32",
                      (unsigned long long)count);
    }
    put_section(s->zkey, 4, 4 + count * (12 + SCALAR_BYTES));
    put32(s->zkey, count);
    for (uint32_t matrix = 0; matrix < 2; matrix++) {
        TRY(for_all_terms(s, put_coefficients, &matrix));
    }
    return SUMAC_OK;
}

static sumac_status write_h(const setup *s, const toy_generator *g1)
{
    CLEANUP(toy_close_vector) sumac_vector *values = NULL;
    scalar first, ratio;
    TRY(make_vector(s, s->domain, &values));
    TRY(find_root(s, s->log2_domain + 1, first));
    TRY(find_root(s, s->log2_domain, ratio));
    TRY(evaluate_lagrange(s, 2 * (uint64_t)s->domain, first, ratio, values));
    TRY(divide(s, values, DELTA, values));
    return toy_put_section_of_points(g1, 9, values, 0, s->domain);
}

static sumac_status write_key(setup *s, const toy_generator *g1, const toy_generator *g2)
{
    const uint8_t no_contributions[64 + 4] = {0}; /* there are no contributions, and the hash of the circuit
                                                     is zero */
    const size_t publics = (size_t)s->publics + 1;
    CLEANUP(toy_close_vector) sumac_vector *quotients = NULL;
    TRY(make_vector(s, s->wires, &quotients));
    TRY(write_header(s, g1, g2));
    TRY(write_coefficients(s));
    TRY(toy_put_section_of_points(g1, 5, s->u, 0, s->wires));
    TRY(toy_put_section_of_points(g1, 6, s->v, 0, s->wires));
    TRY(toy_put_section_of_points(g2, 7, s->v, 0, s->wires));
    TRY(divide(s, s->rest, GAMMA, quotients));
    TRY(toy_put_section_of_points(g1, 3, quotients, 0, publics));
    TRY(divide(s, s->rest, DELTA, quotients));
    TRY(toy_put_section_of_points(g1, 8, quotients, publics, s->wires - publics));
    TRY(write_h(s, g1));
    put_section(s->zkey, 10, sizeof no_contributions);
    fwrite(no_contributions, sizeof no_contributions, 1, s->zkey);
    return toy_finish_file(s->zkey, s->why);
}

static void close_setup(setup *s)
{
    sumac_vector_destroy(s->u);
    sumac_vector_destroy(s->v);
    sumac_vector_destroy(s->rest);
}

sumac_status toy_setup(sumac_context *context, FILE *r1cs, uint64_t seed, FILE *zkey, sumac_message *why)
{
    CLEANUP(close_setup) setup s = {.context = context, .why = why, .r1cs = r1cs, .zkey = zkey};
    CLEANUP(toy_close_generator) toy_generator g1 = {.bases = NULL}, g2 = {.bases = NULL};
    TRY(read_header(&s));
    TRY(choose_secrets(&s, seed));
    TRY(evaluate_wires(&s));
    const toy_output to = {context, zkey, why};
    const uint64_t typical = (uint64_t)s.wires + s.domain;
    TRY(toy_open_generator(&to, s.g1, typical, &g1));
    TRY(toy_open_generator(&to, s.g2, typical, &g2));
    return write_key(&s, &g1, &g2);
}
