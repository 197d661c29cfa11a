/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One large proof by several devices. Its sums are shared out as all are; here the rest is: steps 1 and 3 to 5 of prove.c.
 * The polynomials are independent, and each has a home: a the first device, b the second, c the third or, of two, the first.
 *
 *   1  each device takes its part of the witness, over a link of its own, and copies it to z, which the first one has
 *   3  a = A w and b = B w, each at its home, and copies of both at c's
 *   4  each polynomial on the odd powers of the root, c after it has been made of the copies
 *   5  b and c are copied to the first device, which has h
 *
 * Memory is taken first: who copies finds it.
 */
#include "groth16/prove_steps.h"

/* Vectors beside those of `proving`, which lie with the first device. */
typedef struct across {
    proving *p;
    executor_list *list;
    uint32_t home_of_c;
    sumac_vector *z;      /* at b's home */
    sumac_vector *b;      /* at its home */
    sumac_vector *c;      /* at its home, if that is not the first device */
    sumac_vector *a_of_c; /* there: c's copy of a */
} across;

enum { HOME_OF_A, HOME_OF_B, HOME_OF_C };

static proving part_of(const across *all, uint32_t k)
{
    proving part = *all->p;
    part.own = &all->list->at[k];
    part.shard = k;
    return part;
}

/* ---- 1 ---- */

static sumac_status load_part(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const across *all = arguments;
    const proving own = part_of(all, k);
    const size_t wires = own.key->wires, first = (size_t)executors_cut(all->list, wires, 1, k);
    const size_t n = (size_t)executors_cut(all->list, wires, 1, k + 1) - first;
    const uint8_t *witness = proving_witness(&own, 0) + first * own.scalar_bytes;
    const sumac_element_layout raw = sumac_element_layout_default();
    sumac_vector *part = NULL;
    (void)stop;
    if (k == HOME_OF_A || n == 0) {
        return n == 0 ? SUMAC_OK : vector_set(own.own, own.z, EXTRA_WIRES + first, n, witness, &raw);
    }
    sumac_status status = proving_scalars(&own, n, &part);
    status = status == SUMAC_OK ? vector_set(own.own, part, 0, n, witness, &raw) : status;
    status =
        status == SUMAC_OK ? vector_copy_across(own.own, own.z, EXTRA_WIRES + first, part, 0, n) : status;
    sumac_vector_destroy(part);
    return status;
}

sumac_status across_load(proving *p)
{
    across all = {.p = p, .list = context_executors(p->context)};
    if (p->batch->vector != NULL) {
        return proving_load(p);
    }
    sumac_status status = proving_begin_load(p);
    status = status == SUMAC_OK ? executors_run(all.list, load_part, &all) : status;
    if (status == SUMAC_BAD_ENCODING) { /* once more, by one device, for the sentence */
        proving_let_go(&p->z);
        status = proving_load(p);
    }
    return status;
}

/* ---- 3 to 5 ---- */

static int c_is_away(const across *all)
{
    return all->home_of_c != HOME_OF_A;
}

/* c where it is made. */
static sumac_vector *c_at_home(const across *all)
{
    return c_is_away(all) ? all->c : all->p->c;
}

static sumac_status take_memory(void *arguments, uint32_t k, const _Atomic int *stop)
{
    across *all = arguments;
    proving *p = all->p;
    const proving own = part_of(all, k);
    const size_t n = p->key->domain;
    sumac_status status = SUMAC_OK;
    (void)stop;
    if (k == HOME_OF_A) {
        status = proving_scalars(&own, n, &p->a);
        status = status == SUMAC_OK ? proving_scalars(&own, n, &p->b) : status;
        status = status == SUMAC_OK ? proving_scalars(&own, n, &p->c) : status;
    }
    if (k == HOME_OF_B) {
        status = proving_scalars(&own, n, &all->b);
        status =
            status == SUMAC_OK && !p->key->takes_products ? proving_scalars(&own, p->row, &all->z) : status;
    }
    if (k == all->home_of_c && c_is_away(all)) {
        status = proving_scalars(&own, n, &all->c);
        status = status == SUMAC_OK ? proving_scalars(&own, n, &all->a_of_c) : status;
    }
    return status;
}

/* 3: of c there is b. */
static sumac_status evaluate(void *arguments, uint32_t k, const _Atomic int *stop)
{
    across *all = arguments;
    proving own = part_of(all, k);
    const size_t n = own.key->domain;
    sumac_status status = SUMAC_OK;
    (void)stop;
    if (k == HOME_OF_A) {
        status = quotient_multiply(&own, 0, 'A');
        return status == SUMAC_OK && c_is_away(all) ? vector_copy_across(own.own, all->a_of_c, 0, own.a, 0, n)
                                                    : status;
    }
    if (k == HOME_OF_B) {
        own.b = all->b;
        if (all->z != NULL) {
            status = vector_copy_across(own.own, all->z, 0, own.z, 0, own.row);
            own.z = all->z;
        }
        status = status == SUMAC_OK ? quotient_multiply(&own, 0, 'B') : status;
        return status == SUMAC_OK ? vector_copy_across(own.own, c_at_home(all), 0, own.b, 0, n) : status;
    }
    return status;
}

/* c becomes a o b, on the odd powers. */
static sumac_status make_c(const across *all, const proving *own)
{
    sumac_vector *c = c_at_home(all);
    const sumac_status status = vector_multiply(own->own, c, c, c_is_away(all) ? all->a_of_c : own->a, 1);
    return status == SUMAC_OK ? quotient_move_to_coset(own, c) : status;
}

/* 4, and copies to the first device. */
static sumac_status extend(void *arguments, uint32_t k, const _Atomic int *stop)
{
    across *all = arguments;
    const proving own = part_of(all, k);
    const size_t n = own.key->domain;
    sumac_status status = SUMAC_OK;
    (void)stop;
    if (k == all->home_of_c) { /* before a is another one */
        status = make_c(all, &own);
        status = status == SUMAC_OK && c_is_away(all) ? vector_copy_across(own.own, own.c, 0, all->c, 0, n)
                                                      : status;
    }
    if (k == HOME_OF_A && status == SUMAC_OK) {
        status = quotient_move_to_coset(&own, own.a);
    }
    if (k == HOME_OF_B) {
        status = quotient_move_to_coset(&own, all->b);
        status = status == SUMAC_OK ? vector_copy_across(own.own, own.b, 0, all->b, 0, n) : status;
    }
    return status;
}

sumac_status across_quotient(proving *p)
{
    across all = {.p = p, .list = context_executors(p->context)};
    all.home_of_c = HOME_OF_C % all.list->count;
    sumac_status status = executors_run(all.list, take_memory, &all);
    status = status == SUMAC_OK ? executors_run(all.list, evaluate, &all) : status;
    status = status == SUMAC_OK ? executors_run(all.list, extend, &all) : status;
    proving_let_go(&all.z);
    proving_let_go(&all.b);
    proving_let_go(&all.c);
    proving_let_go(&all.a_of_c);
    return status == SUMAC_OK ? quotient_subtract(p) : status;
}
