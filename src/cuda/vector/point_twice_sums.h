/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header lists the sums and multiples that do two transforms at once of a row of n points: the transform of the
 * lower half of the row's transform. point_transforms_twice.cu has the kernels. The host lists them once for each
 * length. The sums of a stage do not depend on each other, and all multiples are computed between two stages.
 *
 * Let w have order n, and T_j be the row's point number -j mod n. Then
 *   y_i = sum over t < n/2 of w^(it) sum over j of w^(-tj) T_j = n/2 T_i + sum over odd d of g(d) T_(i-d),
 *   g(d) = 2/(1 - w^d),
 * because the sum over t is 0 for even d. The first term is a multiple. The second, G, is a cyclic convolution. With
 * m = n/2 and j < m, one half of it is computed from U_j = T_j + T_(j+m), and the other from V_j = T_j - T_(j+m):
 *   G_i = A_i + B_i, G_(i+m) = A_i - B_i.
 * A is this convolution of half the length, of U with w^2, and is divided again down to a length of 2, where
 * A_i = U_(i-1). And
 *   B_i = sum over odd d < m of b(d) V_(i-d),  b(d) = 2w^d/(1 - w^2d),
 * where V_(j-m) = -V_j. An even i needs only odd positions of V, and an odd i only even ones, with the same factors.
 * With N = m/2, X0_a = V_(2a-1), X1_a = V_(2a) and h = 0 or 1
 *   B_(2a+h) = sum over c < N of t(a - c) Xh_c,  t(a) = b(2a + 1), t(a - N) = -t(a), a = 0 .. N - 1,
 * which are two products of one Toeplitz matrix with vectors of points.
 *
 * The product of a Toeplitz matrix of k*k blocks H_(i-j+k-1) takes 2k - 1 products of one block, one for each of 2k - 1
 * values of e (the transposed algorithm of Toom and Cook). With blocks S_e such that H_s is the sum over e of e^s S_e,
 *   y_i = sum over e of e^i P_e,  P_e = S_e * sum over j of e^(k-1-j) x_j.
 * One e is infinity: its powers are 0 except for the highest exponent of each of the three formulas. With k = 4 the
 * others are 0 and five powers of z, which has order 6; with k = 2 they are 0 and 1. z = -lambda^2, so the endomorphism
 * computes the multiple of a point by z with one product of coordinates. A matrix is divided into 4*4 blocks until its
 * blocks have 1 or 2*2 elements.
 *
 * This form is for many rows. For few rows the device computes all multiples at once, so the time is that of the
 * longest chain of additions and launches, not that of the multiples. So the direct form divides no matrix: all V and a
 * last U, of length 8, are sums of T, and each point is multiplied by every factor. As t(N - 1 - a) = t(a), a V has N/2
 * factors, and the last U has g(1), g(3), g(5) and g(7).
 */
#ifndef SUMAC_CUDA_VECTOR_POINT_TWICE_SUMS_H
#define SUMAC_CUDA_VECTOR_POINT_TWICE_SUMS_H

#include <stdint.h>

enum {
    TWICE_MOST_LOG2 = 10, /* log2 of the longest row; longer rows' lists would be too long */
    TWICE_MOST_STAGES = 2 * (TWICE_MOST_LOG2 / 2) + 1,
    TWICE_ROOTS = 6,                    /* powers of z */
    TWICE_MOST_EVALUATIONS = 2 * 4 - 1, /* values of e */
    TWICE_MOST_ROOTS = TWICE_ROOTS - 1  /* those that are powers of z */
};

/* A form has TWICE_WIDTH or TWICE_DIRECT_WIDTH (a warp's quads) multiples of each factor, in consecutive slots. Rows
 * shorter than 2^TWICE_LEAST_LOG2 have no direct form. */
enum { TWICE_WIDTH = 2, TWICE_DIRECT_WIDTH = 8, TWICE_LEAST_LOG2 = 3 };

static inline uint32_t twice_width(bool is_direct)
{
    return is_direct ? TWICE_DIRECT_WIDTH : TWICE_WIDTH;
}

/* A sum adds up points in slots, and writes the slot `target`. Slots 0 .. n - 1 are the row's points, which keep their
 * original value until the last stage writes the values. The products' slots follow. Of a sum's terms the first
 * `products` are products. */
struct twice_sum {
    uint32_t target, first_term, terms, products;
};

/* A term is slot << TWICE_SLOT_SHIFT | the exponent of the power of z that the slot's point is multiplied by. */
enum { TWICE_POWER_MASK = 7, TWICE_SLOT_SHIFT = 3 };

/* Return the k for which z^power = (-1)^power * lambda^k. */
static inline __host__ __device__ uint32_t twice_endomorphisms(uint32_t power)
{
    return (power + 3 * (power & 1)) % TWICE_ROOTS / 2;
}

/* The first `before` stages come before the products. Stage i has the sums [first[i], first[i + 1]), of at most
 * most_terms[i] terms each, or most_pieces[i] if each product counts as two. */
struct twice_stages {
    uint32_t stages, before;
    uint32_t first[TWICE_MOST_STAGES + 1];
    uint32_t most_terms[TWICE_MOST_STAGES], most_pieces[TWICE_MOST_STAGES];
    uint32_t sums, terms, slots;
    uint32_t products; /* the number of factors */
};

/* This is memory for the lists. If the lists are only counted, all pointers are null. */
struct twice_lists {
    twice_sum *sums;
    uint32_t *terms;
    uint32_t *sources; /* for each factor, the first slot of the points that it multiplies */
};

/* ---- A product of a Toeplitz matrix ---- */

/* twice_levels() returns how many times a matrix of 2^log2 rows is divided; twice_radix() returns k, the number of
 * blocks in a row of the first division. */
static inline uint32_t twice_levels(uint32_t log2)
{
    return (log2 + 1) / 2;
}

static inline uint32_t twice_radix(uint32_t length)
{
    return length >= 4 ? 4 : 2;
}

/* The values of e are 0, infinity, and z^0, z^1 .. */
enum { AT_ZERO, AT_INFINITY, AT_ROOTS, NO_TERM = -1 };

/* Return the power of z that is e^exponent, or NO_TERM if that is 0; `highest` is the formula's highest exponent. */
static inline int twice_power(uint32_t e, uint32_t exponent, uint32_t highest)
{
    if (e == AT_ZERO) {
        return exponent == 0 ? 0 : NO_TERM;
    }
    if (e == AT_INFINITY) {
        return exponent == highest ? 0 : NO_TERM;
    }
    return (int)((e - AT_ROOTS) * exponent % TWICE_ROOTS);
}

/* ---- The sums ---- */

/* Each pass over all sums lists those of one stage. */
struct twice_lister {
    uint32_t log2;
    uint32_t stage; /* the stage that is listed */
    twice_lists to;
    uint32_t width;        /* slots of a factor */
    uint32_t all_products; /* the number of factors */
    uint32_t sum_count, term_count, most_terms, most_pieces;
    uint32_t open_terms, open_products; /* the numbers of terms and of products of the current sum */
    uint32_t slots, products;           /* the numbers of slots and of products so far */
};

static inline void twice_add_term(twice_lister *l, uint32_t stage, uint32_t slot, uint32_t power)
{
    if (stage != l->stage) {
        return;
    }
    const uint32_t n = 1u << l->log2;
    uint32_t at = l->term_count;
    if (slot >= n && slot - n < l->width * l->all_products) {
        const uint32_t product = at - l->open_terms + l->open_products++;
        if (l->to.terms != nullptr) {
            l->to.terms[at] = l->to.terms[product];
        }
        at = product;
    }
    if (l->to.terms != nullptr) {
        l->to.terms[at] = slot << TWICE_SLOT_SHIFT | power % TWICE_ROOTS;
    }
    l->term_count++;
    l->open_terms++;
}

/* The terms since the last sum become a sum. */
static inline void twice_end_sum(twice_lister *l, uint32_t stage, uint32_t target)
{
    if (stage != l->stage) {
        return;
    }
    if (l->to.sums != nullptr) {
        l->to.sums[l->sum_count] = {target, l->term_count - l->open_terms, l->open_terms, l->open_products};
    }
    const uint32_t pieces = l->open_terms + l->open_products;
    l->sum_count++;
    l->most_terms = l->open_terms > l->most_terms ? l->open_terms : l->most_terms;
    l->most_pieces = pieces > l->most_pieces ? pieces : l->most_pieces;
    l->open_terms = 0;
    l->open_products = 0;
}

static inline uint32_t twice_take_slots(twice_lister *l, uint32_t count)
{
    l->slots += count;
    return l->slots - count;
}

/* Return the first slot of a factor's multiples of the points from slot `source` on. */
static inline uint32_t twice_take_product(twice_lister *l, uint32_t source)
{
    if (l->to.sources != nullptr) {
        l->to.sources[l->products] = source;
    }
    l->products++;
    return (1u << l->log2) + l->width * (l->products - 1);
}

/* Return the first slot of X0, which X1 follows, of `length` points each. If length = 1, they are a product's slots, in
 * place. */
static inline uint32_t twice_take_vectors(twice_lister *l, uint32_t length)
{
    return length > 1 ? twice_take_slots(l, 2 * length)
                      : twice_take_product(l, (1u << l->log2) + l->width * l->products);
}

static inline void twice_list_product(twice_lister *l, uint32_t first, uint32_t length, uint32_t before,
                                      uint32_t after);

/* Stage `before` computes, for each e, the parts of the vectors of `length` > 1 points in slots from `first` on. The
 * products of the parts are complete before stage `after`, in slots from parts[e] on. */
static inline void twice_list_parts(twice_lister *l, uint32_t *parts, uint32_t first, uint32_t length,
                                    uint32_t before, uint32_t after)
{
    const uint32_t k = twice_radix(length), part = length / k;
    for (uint32_t e = 0; e < 2 * k - 1; e++) {
        parts[e] = twice_take_vectors(l, part);
        for (uint32_t i = 0; i < 2 * part; i++) { /* the points of both vectors */
            const uint32_t from = first + i / part * length + i % part;
            for (uint32_t j = 0; j < k; j++) {
                const int power = twice_power(e, k - 1 - j, k - 1);
                if (power != NO_TERM) {
                    twice_add_term(l, before, from + j * part, (uint32_t)power);
                }
            }
            twice_end_sum(l, before, parts[e] + i);
        }
        twice_list_product(l, parts[e], part, before + 1, after - 1);
    }
}

/* Add the terms of point i of the two products. */
static inline void twice_join_parts(twice_lister *l, uint32_t stage, const uint32_t *parts, uint32_t length,
                                    uint32_t i, uint32_t sign)
{
    const uint32_t k = twice_radix(length), part = length / k;
    const uint32_t block = i % length / part, index = i / length * part + i % part;
    for (uint32_t e = 0; e < 2 * k - 1; e++) {
        const int power = twice_power(e, block, k - 1);
        if (power != NO_TERM) {
            twice_add_term(l, stage, parts[e] + index, sign + (uint32_t)power);
        }
    }
}

/* In stage `after` the vectors of `length` points are replaced by their products, in place. */
static inline void twice_list_product(twice_lister *l, uint32_t first, uint32_t length, uint32_t before,
                                      uint32_t after)
{
    if (length == 1) {
        return;
    }
    uint32_t parts[TWICE_MOST_EVALUATIONS];
    twice_list_parts(l, parts, first, length, before, after);
    for (uint32_t i = 0; i < 2 * length; i++) {
        twice_join_parts(l, after, parts, length, i, 0);
        twice_end_sum(l, after, first + i);
    }
}

/* Return the slot of T_j. */
static inline uint32_t twice_slot_of(const twice_lister *l, uint32_t j)
{
    return (0 - j) & ((1u << l->log2) - 1);
}

/* Return the first slot of the products n/2 T, which are in the order of the row's points. */
static inline uint32_t twice_take_halves(twice_lister *l)
{
    const uint32_t n = 1u << l->log2, first = n + l->width * l->products;
    for (uint32_t i = 0; i < n; i += l->width) {
        (void)twice_take_product(l, i);
    }
    return first;
}

/* List the sum for U_j, or if `alternates` for V_j, of length `to`, from T or a U of length `from`: T if slots is 0,
 * else the points in slots from `slots` on. */
static inline void twice_list_fold(twice_lister *l, uint32_t stage, uint32_t slots, uint32_t from,
                                   uint32_t to, uint32_t j, uint32_t sign, bool alternates, uint32_t target)
{
    for (uint32_t i = 0; i < from / to; i++) {
        const uint32_t index = j + i * to, power = alternates ? sign + 3 * i : sign;
        twice_add_term(l, stage, slots == 0 ? twice_slot_of(l, index) : slots + index, power);
    }
    twice_end_sum(l, stage, target);
}

/* List the sums for X0 and X1 of V of length m. */
static inline void twice_list_vectors(twice_lister *l, uint32_t stage, uint32_t slots, uint32_t from,
                                      uint32_t m, uint32_t first)
{
    for (uint32_t a = 0; a < m / 2; a++) {
        /* V_(-1) = -V_(m-1) */
        twice_list_fold(l, stage, slots, from, m, (2 * a - 1) & (m - 1), a == 0 ? 3 : 0, true, first + a);
        twice_list_fold(l, stage, slots, from, m, 2 * a, 0, true, first + m / 2 + a);
    }
}

static inline uint32_t twice_most_levels(uint32_t log2)
{
    return log2 > 2 ? twice_levels(log2 - 2) : 0;
}

/* List the sums of stage l->stage, and take all slots and products. Parts with the most levels are joined in the last
 * stage, the others before it. */
static inline void twice_list_sums(twice_lister *l)
{
    const uint32_t n = 1u << l->log2, parts = l->log2 - 1;
    const uint32_t most_levels = twice_most_levels(l->log2), stages_before = most_levels + 1;
    const uint32_t last = stages_before + (most_levels > 0 ? most_levels - 1 : 0);
    uint32_t vectors[TWICE_MOST_LOG2], of_vectors[TWICE_MOST_LOG2][TWICE_MOST_EVALUATIONS];
    uint32_t u = 0, u_length = n, part = 0, joined_last = 0;
    l->products = 0;
    l->slots = n + l->width * l->all_products;
    for (uint32_t stage = 0; stage < stages_before; stage++) {
        /* List the parts whose division begins in the next stage, and U for the later parts. */
        for (; part < parts && most_levels - twice_levels(parts - 1 - part) == stage; part++) {
            const uint32_t m = n >> (part + 1), length = m / 2, levels = most_levels - stage;
            vectors[part] = twice_take_vectors(l, length);
            twice_list_vectors(l, stage, u, u_length, m, vectors[part]);
            if (levels == most_levels && levels > 0) {
                twice_list_parts(l, of_vectors[part], vectors[part], length, stage + 1, last);
                joined_last = part + 1;
            } else {
                twice_list_product(l, vectors[part], length, stage + 1, stages_before + levels - 1);
            }
        }
        const uint32_t m = n >> part, next = twice_take_slots(l, m);
        for (uint32_t j = 0; j < m; j++) {
            twice_list_fold(l, stage, u, u_length, m, j, 0, false, next + j);
        }
        u = next;
        u_length = m;
    }
    const uint32_t halves = twice_take_halves(l);
    for (uint32_t i = 0; i < n; i++) {
        twice_add_term(l, last, halves + twice_slot_of(l, i), 0);
        twice_add_term(l, last, u + ((i + 1) & 1), 0);
        for (uint32_t p = 0; p < parts; p++) {
            const uint32_t m = n >> (p + 1), index = i & (m - 1), sign = (i & m) != 0 ? 3 : 0;
            const uint32_t of_both = (index & 1) * (m / 2) + index / 2;
            if (p < joined_last) {
                twice_join_parts(l, last, of_vectors[p], m / 2, of_both, sign);
            } else {
                twice_add_term(l, last, vectors[p] + of_both, sign);
            }
        }
        twice_end_sum(l, last, i);
    }
}

/* ---- The direct form ---- */

/* Add the terms of value i of a part, whose V of length m has its products from slot `first` on. */
static inline void twice_list_direct_terms(twice_lister *l, uint32_t first, uint32_t m, uint32_t i)
{
    const uint32_t length = m / 2, index = i & (m - 1), a = index / 2, h = index & 1;
    for (uint32_t c = 0; c < length; c++) {
        const uint32_t difference = (a - c) & (length - 1), opposite = length - 1 - difference;
        const uint32_t factor = difference < opposite ? difference : opposite;
        const bool is_negative = (c > a) != ((i & m) != 0); /* t(a - N) = -t(a) */
        twice_add_term(l, 1, first + factor * m + h * length + c, is_negative ? 3 : 0);
    }
}

/* List the sums of the direct form as twice_list_sums() does: stage 0 makes the vectors, and stage 1 the values. */
static inline void twice_list_directly(twice_lister *l)
{
    const uint32_t n = 1u << l->log2, parts = l->log2 - TWICE_LEAST_LOG2, last = 1u << TWICE_LEAST_LOG2;
    uint32_t products[TWICE_MOST_LOG2];
    l->products = 0;
    l->slots = n + l->width * l->all_products;
    for (uint32_t part = 0; part < parts; part++) {
        const uint32_t m = n >> (part + 1), vectors = twice_take_slots(l, m);
        twice_list_vectors(l, 0, 0, n, m, vectors);
        products[part] = n + l->width * l->products;
        for (uint32_t i = 0; i < m / 4 * m; i += l->width) {
            (void)twice_take_product(l, vectors + i % m);
        }
    }
    const uint32_t u = twice_take_slots(l, last), u_products = n + l->width * l->products;
    for (uint32_t j = 0; j < last; j++) {
        twice_list_fold(l, 0, 0, n, last, j, 0, false, u + j);
    }
    for (uint32_t i = 0; i < last / 2 * last; i += l->width) {
        (void)twice_take_product(l, u + i % last);
    }
    const uint32_t halves = twice_take_halves(l);
    for (uint32_t i = 0; i < n; i++) {
        twice_add_term(l, 1, halves + twice_slot_of(l, i), 0);
        for (uint32_t part = 0; part < parts; part++) {
            twice_list_direct_terms(l, products[part], n >> (part + 1), i);
        }
        for (uint32_t d = 1; d < last; d += 2) {
            twice_add_term(l, 1, u_products + d / 2 * last + ((i - d) & (last - 1)), 0);
        }
        twice_end_sum(l, 1, i);
    }
}

/* ---- All ---- */

/* Return the number of factors whose multiples take long chains: all but n/2, which comes last. */
static inline uint32_t twice_count_long_products(uint32_t log2, bool is_direct)
{
    uint32_t all = 0;
    if (is_direct) {
        const uint32_t last = 1u << TWICE_LEAST_LOG2;
        all = last / 2 * last;
        for (uint32_t m = (1u << log2) / 2; m >= last; m /= 2) {
            all += m / 4 * m;
        }
        return all / TWICE_DIRECT_WIDTH;
    }
    for (uint32_t of = 0; of + 2 <= log2; of++) {
        uint32_t products = of % 2 != 0 ? 3 : 1;
        for (uint32_t i = 0; i < of / 2; i++) {
            products *= TWICE_MOST_EVALUATIONS;
        }
        all += products;
    }
    return all;
}

static inline uint32_t twice_count_products(uint32_t log2, bool is_direct)
{
    return twice_count_long_products(log2, is_direct) + (1u << log2) / twice_width(is_direct);
}

/* List or count all sums, terms and products of rows of 2^log2 points. */
static inline twice_stages twice_list_stages(uint32_t log2, bool is_direct, const twice_lists &to)
{
    twice_stages all = {};
    twice_lister l = {};
    const uint32_t most_levels = is_direct ? 0 : twice_most_levels(log2);
    all.before = most_levels + 1;
    all.stages = 2 * most_levels + (most_levels > 0 ? 1 : 2);
    all.products = twice_count_products(log2, is_direct);
    l.log2 = log2;
    l.to = to;
    l.width = twice_width(is_direct);
    l.all_products = all.products;
    for (l.stage = 0; l.stage < all.stages; l.stage++) {
        l.most_terms = 0;
        l.most_pieces = 0;
        if (is_direct) {
            twice_list_directly(&l);
        } else {
            twice_list_sums(&l);
        }
        all.most_terms[l.stage] = l.most_terms;
        all.most_pieces[l.stage] = l.most_pieces;
        all.first[l.stage + 1] = l.sum_count;
    }
    all.sums = l.sum_count;
    all.terms = l.term_count;
    all.slots = l.slots;
    return all;
}

/* ---- The factors ---- */

/* The state in which factors are computed: `field` has an element's type, add(), subtract() and multiply(). */
template <typename field> struct twice_factors {
    typedef typename field::element element;
    field *f;
    element roots[TWICE_ROOTS]; /* powers of z */
    element sixth;              /* 1/6 */
    element *factors;
    uint32_t count;
    /* Here k = 4. S of root e is the sum over s = 1 .. 5 of weights[e][s - 1]*H_s. The sum of ends[s - 1]*H_s is H_0 -
     * S_0, and also the last H minus S of infinity. */
    element weights[TWICE_MOST_ROOTS][TWICE_MOST_ROOTS];
    element ends[TWICE_MOST_ROOTS];
};

/*
 * The five roots' part of H_s, R_s = sum over e of e^s S_e, has period 6, so R_0 = R_6 = u. Its transform is 0 at the sixth
 * root, z^5, which is not used, so u = -(sum over s = 1 .. 5 of z^s H_s). At the other roots its transform is 6 S_e.
 */
template <typename field> static void twice_set_weights(twice_factors<field> *t)
{
    for (uint32_t s = 1; s < TWICE_ROOTS; s++) {
        t->ends[s - 1] = t->roots[(s + 3) % TWICE_ROOTS]; /* -z^s */
        for (uint32_t e = 0; e < TWICE_MOST_ROOTS; e++) {
            const uint32_t inverse = (TWICE_ROOTS - e) * s % TWICE_ROOTS;
            t->weights[e][s - 1] = t->f->multiply(t->f->add(t->roots[inverse], t->ends[s - 1]), t->sixth);
        }
    }
}

/* List the factors of all products of a matrix of `length` rows, whose diagonals are t(1 - length) .. t(length - 1);
 * `memory` holds as many elements as there are diagonals. */
template <typename field>
static void twice_split_matrix(twice_factors<field> *t, const typename field::element *diagonals,
                               uint32_t length, typename field::element *memory)
{
    typedef typename field::element element;
    if (length == 1) {
        t->factors[t->count++] = diagonals[0];
        return;
    }
    const uint32_t k = twice_radix(length), part = length / k, part_diagonals = 2 * part - 1;
    for (uint32_t e = 0; e < 2 * k - 1; e++) {
        for (uint32_t i = 0; i < part_diagonals; i++) {
            const element *h = diagonals + i; /* the diagonal of H_s is h[s*part] */
            element sum = {};
            if (k == 2) {
                sum = h[part];
            }
            for (uint32_t s = 1; k > 2 && s < TWICE_ROOTS; s++) {
                const element weight = e < AT_ROOTS ? t->ends[s - 1] : t->weights[e - AT_ROOTS][s - 1];
                sum = t->f->add(sum, t->f->multiply(h[s * part], weight));
            }
            memory[i] = e == AT_ZERO       ? t->f->subtract(h[0], sum)
                        : e == AT_INFINITY ? t->f->subtract(h[(2 * k - 2) * part], sum)
                                           : sum;
        }
        twice_split_matrix(t, memory, part, memory + part_diagonals);
    }
}

/* List a factor for `count` slots, once for each `width` of them. */
template <typename field>
static void twice_repeat_factor(twice_factors<field> *t, const typename field::element &factor,
                                uint32_t count, uint32_t width)
{
    for (uint32_t i = 0; i < count; i += width) {
        t->factors[t->count++] = factor;
    }
}

/* List the factor n/2. */
template <typename field> static void twice_list_half(twice_factors<field> *t, uint32_t log2, uint32_t width)
{
    typename field::element half = t->roots[0];
    for (uint32_t i = 1; i < log2; i++) {
        half = t->f->add(half, half);
    }
    twice_repeat_factor(t, half, 1u << log2, width);
}

/* List all factors. b holds b(1), b(3) .. of each part, n/2 - 1 elements in all; `memory` holds 2n elements. */
template <typename field>
static void twice_list_factors(twice_factors<field> *t, uint32_t log2, const typename field::element *b,
                               typename field::element *memory)
{
    const typename field::element zero = {};
    twice_set_weights(t);
    t->count = 0;
    for (uint32_t part = 0; part + 2 <= log2; part++) {
        const uint32_t length = (1u << log2) >> (part + 2);
        for (uint32_t a = 0; a < length; a++) {
            memory[length - 1 + a] = b[a];
            if (a > 0) {
                memory[a - 1] = t->f->subtract(zero, b[a]); /* t(a - N) */
            }
        }
        twice_split_matrix(t, memory, length, memory + 2 * length - 1);
        b += length;
    }
    twice_list_half(t, log2, TWICE_WIDTH);
}

/* List all factors of the direct form; b is that of twice_list_factors(). */
template <typename field>
static void twice_list_direct_factors(twice_factors<field> *t, uint32_t log2,
                                      const typename field::element *b)
{
    typedef typename field::element element;
    const uint32_t n = 1u << log2, last = 1u << TWICE_LEAST_LOG2;
    t->count = 0;
    for (uint32_t m = n / 2; m >= last; m /= 2) {
        for (uint32_t a = 0; a < m / 4; a++) {
            twice_repeat_factor(t, b[a], m, TWICE_DIRECT_WIDTH);
        }
        b += m / 2;
    }
    /* g of length 2 is 1. g of length 2m follows from g of length m: g(d) + b(d), and for d + m, g(d) - b(d). */
    element g[1 << TWICE_LEAST_LOG2];
    g[0] = t->roots[0];
    for (uint32_t m = 2; m < last; m *= 2) {
        const element *shorter = b + last / 2 - m; /* shorter parts come later */
        for (uint32_t a = 0; a < m / 2; a++) {
            g[m / 2 + a] = t->f->subtract(g[a], shorter[a]);
            g[a] = t->f->add(g[a], shorter[a]);
        }
    }
    for (uint32_t a = 0; a < last / 2; a++) {
        twice_repeat_factor(t, g[a], last, TWICE_DIRECT_WIDTH);
    }
    twice_list_half(t, log2, TWICE_DIRECT_WIDTH);
}

#endif
