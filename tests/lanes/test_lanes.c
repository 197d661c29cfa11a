/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares the lanes of src/lanes with GMP, on limbs that make carries run through every digit. It also
 * compares sums of lists in lanes with the same sums by single additions, with every kind of exceptional pair. For
 * AVX-512 it tests roots in lanes. It is compiled once per curve.
 */
#include <stdlib.h>
#include <string.h>

#include "base/instructions.h"
#include "lanes/segments.h"
#ifdef SUMAC_VARIANT_AVX512
#include "lanes/sqrt.h"
#endif
#include "cpu/affine_sum.h"
#include "cpu/engine.h"
#include "support/harness.h"

static gmp_randstate_t random_state;
static mpz_t prime, radix_inverse; /* p, and 1/S mod p */

static void need_lanes(void)
{
    if (VEC_LANES == 8 ? !cpu_has_avx512() : !cpu_has_avx2()) {
        skip();
    }
}

static void lane_set(fpv *r, int lane, const mpz_t value)
{
    mpz_t rest;
    mpz_init_set(rest, value);
    for (int i = 0; i < FPV_DIGITS; i++) {
        uint64_t digits[VEC_LANES];
        vec_store(digits, r->d[lane / VEC_LANES][i]);
        digits[lane % VEC_LANES] = mpz_get_ui(rest) & FPV_MASK;
        r->d[lane / VEC_LANES][i] = vec_load(digits);
        mpz_fdiv_q_2exp(rest, rest, 52);
    }
    assert_int_equal(mpz_sgn(rest), 0);
    mpz_clear(rest);
}

static void lane_get(mpz_t value, const fpv *a, int lane)
{
    mpz_set_ui(value, 0);
    for (int i = FPV_DIGITS - 1; i >= 0; i--) {
        const int64_t digit = fpv_lane_digit(a, lane, i);
        mpz_mul_2exp(value, value, 52);
        if (digit < 0) {
            mpz_sub_ui(value, value, (unsigned long)-digit);
        } else {
            mpz_add_ui(value, value, (unsigned long)digit);
        }
    }
}

/* Make a value below k*p of this kind. The kinds are ends of the range, multiples of p, and digits that are all ones or
 * all zeros. */
static void adversarial(mpz_t value, unsigned kind, unsigned long k)
{
    TEST_NUMBERS(limit);
    mpz_mul_ui(limit, prime, k);
    switch (kind % 8) {
    case 0:
        mpz_sub_ui(value, limit, 1);
        break;
    case 1:
        mpz_set_ui(value, kind / 8 % 2);
        break;
    case 2: /* near a multiple of p */
        mpz_mul_ui(value, prime, kind / 8 % k);
        mpz_add_ui(value, value, kind / 8 % 3);
        break;
    case 3: /* ones below a digit's border */
        mpz_set_ui(value, 0);
        mpz_setbit(value, 52 * (1 + kind / 8 % (FPV_DIGITS - 1)));
        mpz_sub_ui(value, value, 1);
        break;
    case 4: /* a single one at a digit's border */
        mpz_set_ui(value, 0);
        mpz_setbit(value, 52 * (kind / 8 % FPV_DIGITS));
        break;
    case 5: /* all ones below the top bit */
        mpz_set_ui(value, 0);
        mpz_setbit(value, mpz_sizeinbase(limit, 2) - 1);
        mpz_sub_ui(value, value, 1);
        break;
    case 6: /* long runs of ones and zeros */
        mpz_rrandomb(value, random_state, mpz_sizeinbase(limit, 2));
        break;
    default:
        mpz_urandomm(value, random_state, limit);
        break;
    }
    mpz_mod(value, value, limit);
}

/* Clear the bits above the low digits, because only the low digits of an operand count. */
static void keep_low_digits(fpv *r)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_and(r->d[v][i], vec_broadcast(FPV_MASK));
        }
    }
}

/* Operate on all pairs of kinds, sixteen at a time. The result must be less than `below` times p, and congruent
 * to the expected value modulo p. */
static void for_pairs(unsigned long k_a, unsigned long k_b,
                      void (*operate)(fpv *r, const fpv *a, const fpv *b),
                      void (*expect)(mpz_t r, const mpz_t a, const mpz_t b), unsigned long below)
{
    mpz_t a[FPV_LANES], b[FPV_LANES], got, expected;
    fpv x, y, r;
    mpz_inits(got, expected, NULL);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        mpz_inits(a[lane], b[lane], NULL);
    }
    fpv_set_zero(&x);
    fpv_set_zero(&y);
    for (unsigned i = 0; i < 96; i++) {
        for (unsigned j = 0; j < 96; j += FPV_LANES) {
            for (int lane = 0; lane < FPV_LANES; lane++) {
                adversarial(a[lane], i, k_a);
                adversarial(b[lane], j + (unsigned)lane, k_b);
                lane_set(&x, lane, a[lane]);
                lane_set(&y, lane, b[lane]);
            }
            operate(&r, &x, &y);
            keep_low_digits(&r);
            assert_true(fpv_is_below(&r, (int64_t)below));
            for (int lane = 0; lane < FPV_LANES; lane++) {
                lane_get(got, &r, lane);
                expect(expected, a[lane], b[lane]);
                mpz_sub(got, got, expected);
                assert_true(mpz_divisible_p(got, prime));
            }
        }
    }
    for (int lane = 0; lane < FPV_LANES; lane++) {
        mpz_clears(a[lane], b[lane], NULL);
    }
    mpz_clears(got, expected, NULL);
}

static void expect_product(mpz_t r, const mpz_t a, const mpz_t b)
{
    mpz_mul(r, a, b);
    mpz_mul(r, r, radix_inverse);
}

/* Set bits above an operand's low digits, which must not matter. */
static void add_high_bits(fpv *r)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_or(r->d[v][i], vec_broadcast(UINT64_C(0xa5f) << 52));
        }
    }
}

static void multiply(fpv *r, const fpv *a, const fpv *b)
{
    const fpv_ending as_operand = {0, NULL, 0};
    fpv x = *a, y = *b;
    add_high_bits(&x);
    add_high_bits(&y);
    fpv_mul_ending(r, &x, &y, as_operand);
}

static void square_first(fpv *r, const fpv *a, const fpv *b)
{
    const fpv_ending as_operand = {0, NULL, 0};
    fpv x = *a;
    (void)b;
    add_high_bits(&x);
    fpv_sqr_ending(r, &x, as_operand);
}

static void expect_square(mpz_t r, const mpz_t a, const mpz_t b)
{
    (void)b;
    expect_product(r, a, a);
}

static void test_multiply(void)
{
    need_lanes();
    for_pairs(4, 3, multiply, expect_product, 3);
    for_pairs(16, 3, multiply, expect_product, 5);
    for_pairs(4, 1, square_first, expect_square, 3);
}

#if FE_DEGREE == 2
/* Compute c0 + c1*u = (a0 + a1*u)*(b0 + b1*u)/S. */
static void expect_fp2_product(mpz_t c[2], mpz_t a[2], mpz_t b[2])
{
    mpz_mul(c[0], a[1], b[1]);
    mpz_mul_si(c[0], c[0], -FP2_BETA);
    mpz_addmul(c[0], a[0], b[0]);
    mpz_mul(c[1], a[0], b[1]);
    mpz_addmul(c[1], a[1], b[0]);
    for (int part = 0; part < 2; part++) {
        mpz_mul(c[part], c[part], radix_inverse);
    }
}

static void check_fp2(const fev *r, int lane, mpz_t a[2], mpz_t b[2])
{
    mpz_t expected[2], got;
    mpz_inits(expected[0], expected[1], got, NULL);
    expect_fp2_product(expected, a, b);
    for (int part = 0; part < 2; part++) {
        lane_get(got, &r->c[part], lane);
        mpz_sub(got, got, expected[part]);
        assert_true(mpz_divisible_p(got, prime));
    }
    mpz_clears(expected[0], expected[1], got, NULL);
}

static void test_multiply_fp2(void)
{
    mpz_t a[2], b[2][FPV_LANES];
    fev x, y, product, square;
    need_lanes();
    mpz_inits(a[0], a[1], NULL);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        mpz_inits(b[0][lane], b[1][lane], NULL);
    }
    fev_set_zero(&x);
    fev_set_zero(&y);
    for (unsigned i = 0; i < 32 * 32; i++) {
        adversarial(a[0], i % 32, 4);
        adversarial(a[1], i / 32, 4);
        for (int lane = 0; lane < FPV_LANES; lane++) {
            for (int part = 0; part < 2; part++) {
                adversarial(b[part][lane], (unsigned)gmp_urandomm_ui(random_state, 96), 4);
                lane_set(&x.c[part], lane, a[part]);
                lane_set(&y.c[part], lane, b[part][lane]);
            }
        }
        fev_mul(&product, &x, &y);
        assert_true(fev_is_product(&product));
        const fev nothing = {{{{{{0}}}}}};
        fev_sqr_less(&square, &x, &nothing, 1);
        for (int lane = 0; lane < FPV_LANES; lane++) {
            mpz_t second[2] = {{b[0][lane][0]}, {b[1][lane][0]}};
            check_fp2(&product, lane, a, second);
            check_fp2(&square, lane, a, a);
        }
    }
    mpz_clears(a[0], a[1], NULL);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        mpz_clears(b[0][lane], b[1][lane], NULL);
    }
}
#endif

static void test_subtract(void)
{
    need_lanes();
    for_pairs(2, 2, fpv_sub, mpz_sub, 4);
}

/* Reduce a value like x3 in a sum: p <= value + 7p < 8p. The digits have either sign and are as large as columns may
 * be. */
static void reduce_difference(fpv *r, const fpv *a, const fpv *b)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_sub(a->d[v][i], b->d[v][i]);
        }
        for (int i = 0; i + 1 < FPV_DIGITS; i++) {
            const int64_t carry = (v == 0 ? 1 : -1) * (FPV_HALVES - 2);
            r->d[v][i] = vec_add(r->d[v][i], vec_broadcast((uint64_t)carry << 52));
            r->d[v][i + 1] = vec_sub(r->d[v][i + 1], vec_broadcast((uint64_t)carry));
        }
        fpv_reduce(r->d[v], 7);
    }
}

static void test_reduce(void)
{
    need_lanes();
    for_pairs(1, 6, reduce_difference, mpz_sub, 2);
}

static void canonical_first(fpv *r, const fpv *a, const fpv *b)
{
    (void)b;
    fpv_canonical(r, a);
}

/* Divide by S, because shifted values have wider bounds than for_pairs() checks. */
static void divide(fpv *r)
{
    fpv one;
    fpv_set_zero(&one);
    for (int v = 0; v < FPV_VECTORS; v++) {
        one.d[v][0] = vec_broadcast(1);
    }
    multiply(r, r, &one);
}

static void shift_first(fpv *r, const fpv *a, const fpv *b)
{
    (void)b;
    fpv_shift_left(r, a, 2 * SLOPE_SHIFT);
    divide(r);
}

static void subtract_and_shift(fpv *r, const fpv *a, const fpv *b)
{
    fpv_sub_shift(r, a, b);
    divide(r);
}

static void expect_first(mpz_t r, const mpz_t a, const mpz_t b)
{
    (void)b;
    mpz_set(r, a);
}

static void expect_shifted(mpz_t r, const mpz_t a, const mpz_t b)
{
    (void)b;
    mpz_mul_2exp(r, a, 2 * SLOPE_SHIFT);
    mpz_mul(r, r, radix_inverse);
}

static void expect_difference_shifted(mpz_t r, const mpz_t a, const mpz_t b)
{
    mpz_sub(r, a, b);
    mpz_mul_2exp(r, r, SLOPE_SHIFT);
    mpz_mul(r, r, radix_inverse);
}

static void test_canonical_and_shift(void)
{
    need_lanes();
    for_pairs(2, 1, canonical_first, expect_first, 1);
    for_pairs(1, 1, shift_first, expect_shifted, 3);
    for_pairs(2, 2, subtract_and_shift, expect_difference_shifted, 3);
}

/* ---- lists ---- */

enum { TABLE = 120, ENTRIES = 2600 };

typedef struct list_input {
    affine table[TABLE];
    uint32_t entries[ENTRIES];
    uint32_t starts[ENTRIES + 1];
    uint32_t lists;
} list_input;

/* Fill the table with multiples of the generator. Some of them are equal, and some are infinity. */
static void make_table(affine *table, unsigned distinct)
{
    static const affine generator = {CURVE_GENERATOR_X, CURVE_GENERATOR_Y};
    xyzz sum;
    xyzz_from_affine(&sum, &generator);
    for (unsigned i = 0; i < TABLE; i++) {
        if (i % 29 == 28) {
            affine_set_infinity(&table[i]);
        } else if (i < distinct) {
            xyzz_to_affine(&table[i], &sum);
            xyzz_add_affine(&sum, &sum, &generator);
        } else {
            table[i] = table[i % distinct];
        }
    }
}

/* Make lists of lengths 1 to 2*mean. Every seventh list is a long one. */
static void make_lists(list_input *input, unsigned mean, unsigned long_list)
{
    uint32_t position = 0;
    input->lists = 0;
    for (uint32_t i = 0; i < ENTRIES; i++) {
        input->entries[i] = (uint32_t)gmp_urandomm_ui(random_state, 2 * TABLE);
    }
    while (position < ENTRIES) {
        uint32_t length = 1 + (uint32_t)gmp_urandomm_ui(random_state, 2 * mean);
        if (long_list != 0 && input->lists % 7 == 3) {
            length = long_list;
        }
        input->starts[input->lists++] = position;
        position += length < ENTRIES - position ? length : ENTRIES - position;
    }
    input->starts[input->lists] = ENTRIES;
}

static void compare_lists(const list_input *input)
{
    lanes_scratch lanes;
    const uint64_t bytes = lanes_scratch_at(&lanes, NULL, ENTRIES);
    AUTO_FREE void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    AUTO_FREE affine *sums = malloc(ENTRIES * sizeof(affine)), *items = malloc(ENTRIES * sizeof(affine));
    AUTO_FREE fe *products = malloc((ENTRIES / 2 + 1) * sizeof(fe));
    uint32_t starts[ENTRIES + 1], lane_starts[ENTRIES + 1];
    assert_true(memory != NULL && sums != NULL && items != NULL && products != NULL);
    memcpy(starts, input->starts, sizeof starts);
    memcpy(lane_starts, input->starts, sizeof lane_starts);
    const segment_scratch scalar = {items, products, starts};
    segments_sum(&scalar, input->table, input->entries, input->lists);
    lanes_scratch_at(&lanes, memory, ENTRIES);
    const uint32_t between = _mm_getcsr();
    _mm_setcsr(_MM_MASK_MASK | _MM_ROUND_UP | _MM_FLUSH_ZERO_ON);
    lanes_segments_sum(&lanes, sums, lane_starts, input->lists, input->table, input->entries);
    assert_int_equal(_mm_getcsr(), _MM_MASK_MASK | _MM_ROUND_UP | _MM_FLUSH_ZERO_ON);
    _mm_setcsr(between);
    for (uint32_t s = 0; s < input->lists; s++) {
        assert_memory_equal(&sums[s], &items[s], sizeof(affine));
    }
}

static void test_lists(void)
{
    static const unsigned means[] = {1, 2, 9, 40, 90}, long_lists[] = {0, 65, 700};
    static const unsigned distinct[] = {TABLE, 9, 1};
    AUTO_FREE list_input *input = malloc(sizeof *input);
    need_lanes();
    assert_non_null(input);
    for (size_t d = 0; d < 3; d++) {
        make_table(input->table, distinct[d]);
        for (size_t m = 0; m < 5; m++) {
            for (size_t l = 0; l < 3; l++) {
                make_lists(input, means[m], long_lists[l]);
                compare_lists(input);
            }
        }
    }
}

#ifdef SUMAC_SQRT_LANES

/* Set c to an element: each component is 0, 1, p - 1 or random. Half of the elements are the squares of such. */
static void draw_radicand(mpz_t c[FE_DEGREE])
{
    TEST_NUMBERS(difference);
    for (int part = 0; part < FE_DEGREE; part++) {
        const unsigned long kind = gmp_urandomm_ui(random_state, 4);
        mpz_set_ui(c[part], kind == 1);
        if (kind == 2) {
            mpz_sub_ui(c[part], prime, 1);
        } else if (kind == 3) {
            mpz_urandomm(c[part], random_state, prime);
        }
    }
    if (gmp_urandomm_ui(random_state, 2) == 0) {
#if FE_DEGREE == 2
        mpz_mul(difference, c[1], c[1]);
        mpz_mul(c[1], c[0], c[1]);
        mpz_mul_2exp(c[1], c[1], 1);
        mpz_mod(c[1], c[1], prime);
        mpz_mul(c[0], c[0], c[0]);
        mpz_sub(c[0], c[0], difference);
#else
        mpz_mul(c[0], c[0], c[0]);
#endif
        mpz_mod(c[0], c[0], prime);
    }
}

/* Return 1 if the element has a root: it is 0, or Euler's criterion holds for it or, over Fp2, for its norm. */
static int has_root(mpz_t c[FE_DEGREE])
{
    TEST_NUMBERS(norm);
#if FE_DEGREE == 2
    mpz_mul(norm, c[0], c[0]);
    mpz_addmul(norm, c[1], c[1]);
    mpz_mod(norm, norm, prime);
#else
    mpz_set(norm, c[0]);
#endif
    return mpz_legendre(norm, prime) >= 0;
}

/* Check that the square of half of t is the element, where t has the factor S. */
static void check_root(mpz_t c[FE_DEGREE], const fev *t, int lane)
{
    TEST_NUMBERS(root, other, square);
    lane_get(root, &t->c[0], lane);
    mpz_mul(root, root, radix_inverse);
    mpz_mul(square, root, root);
#if FE_DEGREE == 2
    lane_get(other, &t->c[1], lane);
    mpz_mul(other, other, radix_inverse);
    mpz_submul(square, other, other);
    mpz_mul(other, other, root);
    mpz_submul_ui(other, c[1], 2); /* the square of (root + other*u)/2 has the c1 root*other/2 */
    assert_true(mpz_divisible_p(other, prime));
#endif
    mpz_submul_ui(square, c[0], 4);
    assert_true(mpz_divisible_p(square, prime));
}

static void test_roots(void)
{
    static sqrt_lanes_scratch scratch;
    mpz_t elements[FPV_LANES][FE_DEGREE];
    TEST_NUMBERS(value);
    unsigned roots = 0, bundles = 20;
    need_lanes();
    for (int lane = 0; lane < FPV_LANES; lane++) {
        for (int part = 0; part < FE_DEGREE; part++) {
            mpz_init(elements[lane][part]);
        }
    }
    for (unsigned i = 0; i < bundles; i++) {
        fev a, t;
        for (int lane = 0; lane < FPV_LANES; lane++) {
            draw_radicand(elements[lane]);
            for (int part = 0; part < FE_DEGREE; part++) {
                mpz_mul_2exp(value, elements[lane][part], 52 * FPV_DIGITS);
                mpz_mod(value, value, prime);
                if (gmp_urandomm_ui(random_state, 2) == 0) {
                    mpz_add(value, value, prime);
                }
                lane_set(&a.c[part], lane, value);
            }
        }
        const uint32_t found = sqrt_lanes(&t, &a, &scratch);
        for (int lane = 0; lane < FPV_LANES; lane++) {
            assert_int_equal(found >> lane & 1, has_root(elements[lane]));
            if ((found >> lane & 1) != 0) {
                check_root(elements[lane], &t, lane);
                roots++;
            }
        }
    }
    assert_true(roots > bundles && roots < bundles * FPV_LANES);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        for (int part = 0; part < FE_DEGREE; part++) {
            mpz_clear(elements[lane][part]);
        }
    }
}

#endif

static const test_entry entries[] = {
    {"products", TEST_ONCE(test_multiply)},
#if FE_DEGREE == 2
    {"products over Fp2", TEST_ONCE(test_multiply_fp2)},
#endif
    {"differences", TEST_ONCE(test_subtract)},
    {"reductions", TEST_ONCE(test_reduce)},
    {"canonical and shifted values", TEST_ONCE(test_canonical_and_shift)},
    {"lists", TEST_ONCE(test_lists)},
#ifdef SUMAC_SQRT_LANES
    {"roots", TEST_ONCE(test_roots)},
#endif
};

int main(int argc, char **argv)
{
    gmp_randinit_default(random_state);
    gmp_randseed_ui(random_state, 20261120);
    mpz_inits(prime, radix_inverse, NULL);
    mpz_import(prime, FP_LIMBS, -1, sizeof(uint64_t), 0, 0, fp_modulus);
    mpz_setbit(radix_inverse, 52 * FPV_DIGITS);
    (void)mpz_invert(radix_inverse, radix_inverse, prime);
    const uint32_t outside = vec_begin(); /* the state of the processor outside of lanes */
    const int status = test_main("lanes", entries, sizeof entries / sizeof *entries, argc, argv);
    vec_end(outside);
    gmp_randclear(random_state);
    mpz_clears(prime, radix_inverse, NULL);
    return status;
}
