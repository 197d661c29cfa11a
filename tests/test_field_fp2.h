/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The part of test_field.c for curves over Fp2: against the schoolbook formulas in GMP. */

static void mpz_montgomery_product(mpz_t r, const mpz_t x, const mpz_t y)
{
    mpz_mul(r, x, y);
    mpz_mul(r, r, r_inverse);
    mpz_mod(r, r, modulus);
}

static void assert_fp2(const fp2 *actual, const mpz_t c0, const mpz_t c1)
{
    assert_limbs(&actual->c0, c0);
    assert_limbs(&actual->c1, c1);
}

/* (a0 + a1 u)(b0 + b1 u) for Montgomery forms. */
static void mpz_fp2_mul(mpz_t c0, mpz_t c1, const fp2 *a, const fp2 *b)
{
    mpz_t a0, a1, b0, b1, product;
    mpz_inits(a0, a1, b0, b1, product, NULL);
    mpz_from_limbs(a0, a->c0.l);
    mpz_from_limbs(a1, a->c1.l);
    mpz_from_limbs(b0, b->c0.l);
    mpz_from_limbs(b1, b->c1.l);
    mpz_montgomery_product(c0, a0, b0);
    mpz_montgomery_product(product, a1, b1);
    mpz_mul_si(product, product, FP2_NONRESIDUE);
    mpz_add(c0, c0, product);
    mpz_mod(c0, c0, modulus);
    mpz_montgomery_product(c1, a0, b1);
    mpz_montgomery_product(product, a1, b0);
    mpz_add(c1, c1, product);
    mpz_mod(c1, c1, modulus);
    mpz_clears(a0, a1, b0, b1, product, NULL);
}

static void check_fp2_pair(const fp2 *a, const fp2 *b)
{
    mpz_t c0, c1;
    fp2 r, first = *a, second = *b;
    mpz_inits(c0, c1, NULL);
    mpz_fp2_mul(c0, c1, a, b);
    fp2_mul(&r, a, b);
    assert_fp2(&r, c0, c1);
    fp2_mul(&first, &first, b);
    assert_fp2(&first, c0, c1);
    fp2_mul(&second, a, &second);
    assert_fp2(&second, c0, c1);
    mpz_fp2_mul(c0, c1, a, a);
    fp2_sqr(&r, a);
    assert_fp2(&r, c0, c1);
    first = *a;
    fp2_sqr(&first, &first);
    assert_fp2(&first, c0, c1);
    first = *a;
    fp2_mul(&first, &first, &first);
    assert_fp2(&first, c0, c1);
    fp2_add(&r, a, b);
    fp2_sub(&r, &r, b);
    assert_true(fp2_eq(&r, a));
    mpz_clears(c0, c1, NULL);
}

static void random_fp2(fp2 *r)
{
    random_fp(&r->c0);
    random_fp(&r->c1);
}

static void check_fp2_special(const fp *a, const fp *b)
{
    fp2 x, y;
    x.c0 = *a;
    x.c1 = *b;
    y.c0 = *b;
    y.c1 = *a;
    check_fp2_pair(&x, &y);
    y.c0 = *b;
    y.c1 = *b;
    check_fp2_pair(&x, &y);
}

static void test_fp2_pairs(void **state)
{
    (void)state;
    for_all_pairs(check_fp2_special);
    for (int i = 0; i < RANDOM_PAIRS; i++) {
        fp2 a, b;
        random_fp2(&a);
        random_fp2(&b);
        check_fp2_pair(&a, &b);
    }
}

static void check_fp2_unary(const fp2 *a)
{
    fp2 r, one, expected;
    fp2_set_one(&one);
    fp2_inv(&r, a);
    if (fp2_is_zero(a)) {
        assert_true(fp2_is_zero(&r));
    } else {
        fp2_mul(&r, &r, a);
        assert_true(fp2_eq(&r, &one));
    }
    r = *a;
    fp2_inv(&r, &r);
    fp2_inv(&r, &r);
    assert_true(fp2_eq(&r, a));
    fp2_conjugate(&r, a);
    assert_true(fp_eq(&r.c0, &a->c0));
    fp2_add(&r, &r, a);
    assert_true(fp_is_zero(&r.c1));
    fp2_neg(&r, a);
    fp2_add(&r, &r, a);
    assert_true(fp2_is_zero(&r));
    fp2_double(&r, a);
    fp2_halve(&expected, &r);
    assert_true(fp2_eq(&expected, a));
    fp2_add(&expected, &r, a);
    fp2_mul_small(&r, a, 3);
    assert_true(fp2_eq(&r, &expected));
    fp2_set_zero(&r);
    fp2_cmov(&r, a, 0);
    assert_true(fp2_is_zero(&r));
    fp2_cmov(&r, a, 1);
    assert_true(fp2_eq(&r, a));
}

static void test_fp2_unary(void **state)
{
    (void)state;
    for (int i = 0; i < special_count; i++) {
        fp2 a;
        a.c0 = special[i];
        a.c1 = special[special_count - 1 - i];
        check_fp2_unary(&a);
        fp_set_zero(&a.c1);
        check_fp2_unary(&a);
    }
    for (int i = 0; i < RANDOM_INVERSES; i++) {
        fp2 a;
        random_fp2(&a);
        check_fp2_unary(&a);
    }
}
