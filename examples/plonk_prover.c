/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program is a PLONK prover (eprint 2019/953) with its verifier. It proves that it knows an x_1 with x_N = y, where y is
 * public and x_(i+1) = x_i^2 + i. The circuit has N gates qM*a*b + qC + PI = c. Gate 0 says that c is y, and gate i that c is
 * a*b + i. Copy constraints say that a and b of gate i + 1 are c of gate i, and that the last c is that of gate 0.
 *
 * Polynomials lie where the context computes, which is a GPU's memory if there is one. The verifier gets their values at a
 * challenge z, so that the equation that must hold is one function, numerator(), for the prover's columns and the verifier's
 * values. One proof of two points opens all polynomials. A prover for large circuits would cut the quotient into three
 * polynomials, so that rows have N + 6 coefficients instead of 4N, and reuse its vectors.
 */
#include "plonk_vectors.h"

enum { LOG = 8, N = 1 << LOG, ROW = 4 * N };
/* These are the polynomials, a row each. The key has the first ones, and the proof the others. Z is also opened at z*w. */
enum { QM, QC, S1, S2, S3, A, B, C, Z, T, ALL, ZW = ALL, VALUES, FIXED = A, POINTS = ALL - FIXED + 2 };
typedef struct proof {
    unsigned char points[POINTS][G1];     /* commitments to A .. T, and the two points that open all */
    unsigned char values[VALUES][SCALAR]; /* at z, and of Z at z*w */
} proof;
typedef struct challenges {
    sumac_vector *beta, *gamma, *alpha;
} challenges;

static const unsigned char shift[SCALAR] = {5};
static const sumac_transform_config from_domain = {.size = sizeof from_domain, .inverse = 1},
                                    coset = {.size = sizeof coset, .shift = shift, .shift_bytes = SCALAR};
static unsigned char opened[ALL][2];
static sumac_vector *root, *k[3]; /* root is w, and wire j of gate i has the position k[j]*w^i; k[0] is 1 */

/* ---- What prover and verifier have in common ---- */

/* Return the product of wire + beta*position + gamma over the three wires. */
static sumac_vector *permuted(sumac_vector *const wires[3], sumac_vector *const positions[3],
                              const challenges *c)
{
    sumac_vector *product = NULL;
    for (int j = 0; j < 3; j++) {
        sumac_vector *factor = ADD(ADD(wires[j], MUL(positions[j], c->beta)), c->gamma);
        product = j == 0 ? factor : MUL(product, factor);
    }
    return product;
}

/* Return the following, from the values p of the polynomials at x. It is 0 on the domain, the powers of w, if the proof is right:
 * qM*a*b + qC + y*L - c + alpha*(prod(wire + beta*k*x + gamma)*Z(x) - prod(wire + beta*S + gamma)*Z(w*x)) + alpha^2*(Z - 1)*L.
 * L = (x^N - 1)/(N*(x - 1)) is 1 at x = 1, and 0 at the other powers of w. */
static sumac_vector *numerator(sumac_vector *const p[VALUES], sumac_vector *x, const sumac_vector *y,
                               const challenges *c)
{
    sumac_vector *const positions[] = {x, MUL(x, k[1]), MUL(x, k[2])};
    sumac_vector *l = MUL(inverse(MUL(SUB(x, k[0]), integer(N))), SUB(square(x, LOG), k[0]));
    sumac_vector *gates = SUB(ADD(ADD(MUL(MUL(p[QM], p[A]), p[B]), p[QC]), MUL(l, y)), p[C]);
    sumac_vector *copies =
        SUB(MUL(permuted(&p[A], positions, c), p[Z]), MUL(permuted(&p[A], &p[S1], c), p[ZW]));
    return ADD(gates, MUL(ADD(copies, MUL(MUL(SUB(p[Z], k[0]), l), c->alpha)), c->alpha));
}

/* Return z and z*w. */
static sumac_vector *opening_points(const sumac_vector *z)
{
    sumac_vector *points = vector(SUMAC_VECTOR_SCALARS, 2);
    copy(z, points, 0);
    copy(MUL(z, root), points, 1);
    return points;
}

/* ---- The prover ---- */

/* Commit to rows of coefficients, and append the commitments to the transcript. */
static void commit(sumac_vector *rows, transcript *t, unsigned char (*points)[G1])
{
    const size_t count = sumac_vector_count(rows) / ROW;
    sumac_vector *commitments = vector(SUMAC_VECTOR_POINTS, count);
    check(sumac_srs_commit(context, srs, rows, ROW, commitments));
    get(commitments, points, count * G1);
    absorb(t, points, count * G1);
}

/* Turn the values on the domain into coefficients, and add a random multiple of X^N - 1, which hides them. It has as
 * many coefficients as there are points whose values follow from the proof: z and the secret, and for Z also w times these. */
static void interpolate(const sumac_vector *values, sumac_vector *row, size_t blinding)
{
    sumac_vector *begin = view(row, 0, N), *start = view(row, 0, blinding),
                 *numbers = random_scalars(blinding);
    copy(values, row, 0);
    check(sumac_vector_ntt(context, begin, &from_domain));
    check(sumac_vector_subtract(context, start, numbers, 1, start));
    copy(numbers, row, N);
}

/* The columns have the values of the fixed polynomials, whose coefficients are known, and of the wires. */
static void prove(sumac_vector *polynomials, sumac_vector *const columns[ALL], const sumac_vector *y,
                  transcript t, proof *p)
{
    sumac_vector *row[ALL], *values[VALUES];
    challenges c;
    for (size_t i = 0; i < ALL; i++) {
        row[i] = view(polynomials, i * ROW, ROW);
    }
    /* Round 1: commit to the wires. */
    for (size_t i = A; i <= C; i++) {
        interpolate(columns[i], row[i], 2);
    }
    commit(view(polynomials, A * ROW, 3 * ROW), &t, p->points);

    /* Round 2: Z has the running products of two products' quotients. All of them have the product 1 if the copies are right. */
    c.beta = challenge(&t);
    c.gamma = challenge(&t);
    sumac_vector *x = powers(k[0], root, N), *positions[] = {x, MUL(x, k[1]), MUL(x, k[2])};
    sumac_vector *product =
        MUL(permuted(&columns[A], positions, &c), inverse(permuted(&columns[A], &columns[S1], &c)));
    check(sumac_vector_scan(context, product, N, SUMAC_SCAN_PRODUCT, 1));
    interpolate(product, row[Z], 4);
    commit(row[Z], &t, p->points + Z - FIXED);

    /* Round 3: T is the numerator divided by X^N - 1, on a coset of 4N points. */
    c.alpha = challenge(&t);
    sumac_transform_config back = coset;
    back.inverse = 1;
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = vector(SUMAC_VECTOR_SCALARS, ROW);
        copy(i == ZW ? MUL(row[Z], powers(k[0], root, ROW)) : row[i], values[i], 0); /* Z(w*X) */
    }
    check(sumac_vectors_ntt(context, values, VALUES, &coset));
    sumac_vector *quotient = numerator(values, powers(scalar(shift), root_of_unity(LOG + 2), ROW), y, &c);
    check(sumac_vector_divide_by_vanishing(context, quotient, N, &coset));
    check(sumac_vector_ntt(context, quotient, &back));
    copy(quotient, row[T], 0);
    commit(row[T], &t, p->points + T - FIXED);

    /* Round 4: give the values at z, and of Z at z*w. */
    sumac_vector *points = opening_points(challenge(&t)), *all = vector(SUMAC_VECTOR_SCALARS, VALUES);
    sumac_vector *at_z = view(all, 0, ALL), *at_zw = view(all, ZW, 1);
    for (size_t i = 0; i < ALL; i++) {
        copy(view(points, 0, 1), at_z, i);
    }
    check(sumac_srs_open(context, srs, polynomials, ROW, at_z, at_z, NULL));
    check(sumac_srs_open(context, srs, row[Z], ROW, view(points, 1, 1), at_zw, NULL));
    get(all, p->values, sizeof p->values);
    absorb(&t, p->values, sizeof p->values);

    /* Round 5: open all polynomials together. */
    sumac_vector *factors = powers(k[0], challenge(&t), ALL), *h = vector(SUMAC_VECTOR_SCALARS, ROW);
    sumac_vector *point = vector(SUMAC_VECTOR_POINTS, 1);
    check(sumac_shplonk_quotient(context, srs, polynomials, ROW, points, opened, sizeof opened, factors, h,
                                 point));
    get(point, p->points[POINTS - 2], G1);
    absorb(&t, p->points[POINTS - 2], G1);
    check(sumac_shplonk_open(context, srs, polynomials, ROW, points, opened, sizeof opened, factors, h,
                             challenge(&t), point));
    get(point, p->points[POINTS - 1], G1);
}

/* ---- The verifier, which knows the commitments to the fixed polynomials ---- */

static int verify(const unsigned char key[FIXED][G1], const sumac_vector *y, transcript t, const proof *p)
{
    unsigned char sides[2][SCALAR];
    sumac_vector *value[VALUES], *all = vector(SUMAC_VECTOR_SCALARS, VALUES),
                                 *matrix = vector(SUMAC_VECTOR_SCALARS, 2 * ALL);
    sumac_vector *points = vector(SUMAC_VECTOR_POINTS, FIXED + POINTS);
    challenges c;
    int holds;
    check(sumac_vector_set(context, points, key, FIXED * G1, 0, FIXED, NULL));
    if (sumac_vector_set(context, points, p->points, sizeof p->points, FIXED, POINTS, NULL) != SUMAC_OK ||
        sumac_vector_set(context, all, p->values, sizeof p->values, 0, VALUES, NULL) != SUMAC_OK) {
        return 0; /* a point that is not on the curve, or a number that is not less than r */
    }
    /* Compute the challenges again. */
    absorb(&t, p->points, 3 * G1);
    c.beta = challenge(&t);
    c.gamma = challenge(&t);
    absorb(&t, p->points[Z - FIXED], G1);
    c.alpha = challenge(&t);
    absorb(&t, p->points[T - FIXED], G1);
    sumac_vector *z = challenge(&t);
    absorb(&t, p->values, sizeof p->values);
    sumac_vector *factors = powers(k[0], challenge(&t), ALL);
    absorb(&t, p->points[POINTS - 2], G1);

    /* The numerator must be T*(X^N - 1) at z, and the values must be those of the polynomials. */
    for (size_t i = 0; i < VALUES; i++) {
        value[i] = view(all, i, 1);
        copy(value[i], matrix, i == ZW ? 2 * Z + 1 : 2 * i);
    }
    get(numerator(value, z, y, &c), sides[0], SCALAR);
    get(MUL(value[T], SUB(square(z, LOG), k[0])), sides[1], SCALAR);
    check(sumac_shplonk_verify(context, g1, g1_point, G1, g2_points, sizeof g2_points, view(points, 0, ALL),
                               opening_points(z), opened, sizeof opened, matrix, factors, challenge(&t),
                               view(points, ALL, 2), &holds));
    return holds && memcmp(sides[0], sides[1], SCALAR) == 0;
}

/* ---- The circuit, and its witness ---- */

/* Two wires have the same value if they are in one cycle. Exchanging what follows them joins their cycles. */
static void join(uint64_t *next, size_t wire, size_t other)
{
    const uint64_t kept = next[wire];
    next[wire] = next[other];
    next[other] = kept;
}

/* Set the columns qM, qC, S1, S2 and S3, and their polynomials. Wire j of gate i has number j*N + i. */
static void make_circuit(sumac_vector *polynomials, sumac_vector *columns[ALL])
{
    sumac_vector *identity = vector(SUMAC_VECTOR_SCALARS, 3 * N),
                 *sigma = vector(SUMAC_VECTOR_SCALARS, 3 * N);
    uint64_t next[3 * N];
    for (size_t i = 0; i < 3 * N; i++) {
        next[i] = i;
    }
    for (size_t i = 1; i < N; i++) {
        copy(k[0], columns[QM], i);
        copy(integer(i), columns[QC], i);
        join(next, i, N + i);                             /* a and b of gate i, */
        join(next, 2 * N + i, i + 1 < N ? i + 1 : 2 * N); /* and its c and the next a, or the c of gate 0 */
    }
    for (size_t j = 0; j < 3; j++) {
        copy(MUL(powers(k[0], root, N), k[j]), identity, j * N);
    }
    check(sumac_vector_gather(context, identity, 1, next, 3 * N, sigma));
    for (size_t i = 0; i < FIXED; i++) {
        columns[i] = i < S1 ? columns[i] : view(sigma, (i - S1) * N, N);
        interpolate(columns[i], view(polynomials, i * ROW, ROW), 0);
    }
}

/* Set the wires' columns, and return x_N. If `wrong` is not 0, the a of this gate is not the c of the gate before. */
static sumac_vector *make_witness(sumac_vector *columns[ALL], size_t wrong)
{
    sumac_vector *x = integer(3);
    for (size_t i = 1; i < N; i++) {
        x = i == wrong ? ADD(x, k[0]) : x;
        copy(x, columns[A], i);
        copy(x, columns[B], i);
        x = ADD(MUL(x, x), integer(i));
        copy(x, columns[C], i);
    }
    copy(x, columns[C], 0);
    return x;
}

/* Return 1 if the proof holds, and 2 if it also holds with a value or a point altered. */
static int try_proof(const unsigned char key[FIXED][G1], transcript t, sumac_vector *polynomials,
                     sumac_vector *const columns[ALL], sumac_vector *y)
{
    const size_t kept = made_count;
    unsigned char raw[SCALAR];
    proof p, altered;
    get(y, raw, SCALAR);
    absorb(&t, raw, SCALAR);
    prove(polynomials, columns, y, t, &p);
    int holds = verify(key, y, t, &p);
    for (size_t i = 0; holds == 1 && i < VALUES + POINTS; i++) {
        altered = p;
        altered.values[i % VALUES][0] ^= i < VALUES;
        memcpy(altered.points[i % POINTS], i < VALUES ? p.points[i % POINTS] : g1_point, G1);
        holds += verify(key, y, t, &altered);
        release(kept);
    }
    release(kept);
    return holds;
}

int main(void)
{
    unsigned char key[FIXED][G1];
    sumac_vector *columns[ALL];
    transcript t = {.count = 0};
    check(sumac_group_find("bn254", "g1", &g1));
    check(sumac_context_create(NULL, &context, NULL));
    root = root_of_unity(LOG);
    for (size_t i = 0; i < ALL; i++) {
        opened[i][0] = 1;
        opened[i][1] = i == Z;
        columns[i] = vector(SUMAC_VECTOR_SCALARS, N);
    }
    for (size_t j = 0; j < 3; j++) {
        k[j] = integer(j + 1);
    }
    make_srs(ROW);
    sumac_vector *polynomials = vector(SUMAC_VECTOR_SCALARS, ALL * ROW);
    make_circuit(polynomials, columns);
    commit(view(polynomials, 0, FIXED * ROW), &t, key);
    sumac_vector *y = make_witness(columns, 0);
    const int right = try_proof(key, t, polynomials, columns, y);
    const int other = try_proof(key, t, polynomials, columns, ADD(y, k[0]));
    y = make_witness(columns, N / 2);
    const int copied = try_proof(key, t, polynomials, columns, y);
    printf("%d gates: the proof %s, another y is %s, and a wrong copy is %s\n", N,
           right == 1 ? "holds" : "is wrong", other ? "accepted" : "refused",
           copied ? "accepted" : "refused");
    release(0);
    sumac_bases_destroy(srs);
    sumac_context_destroy(context);
    return right != 1 || other || copied;
}
