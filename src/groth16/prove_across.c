/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes one large proof with several devices. The sums of the proof are divided among the devices like all
 * sums; this file divides steps 1 and 3 to 5 of prove_steps.c. Each of the three polynomials is computed by one device,
 * its home: a by the first device, b by the second, and c by the third or, if there are only two, by the first.
 *
 *   1  each device receives its part of the witness over its own link, and copies it to z, which the first one has
 *   3  a = A w and b = B w are each computed at home and copied to c's home
 *   4  each polynomial is moved to the odd powers of the root, c after it has been computed from the copies
 *   5  b and c are copied to the first device, which computes h
 *
 * All devices allocate memory before the copies start, because copies write to other devices' memory.
 */
#include "base/try.h"
#include "groth16/prove_steps.h"

enum { HOME_OF_A, HOME_OF_B = KEY_HOME_OF_B, HOME_OF_C };

/* These vectors are used in addition to those of `proving`, which lie on the first device. */
typedef struct across {
    proving *p;
    executor_list *list;
    uint32_t home_of_c;
    sumac_vector *z;      /* at b's home */
    sumac_vector *b;      /* at its home */
    sumac_vector *c;      /* at its home, unless that is the first device */
    sumac_vector *a_of_c; /* a copy of a at c's home, unless that is the first device */
} across;

static void close_across(across *all)
{
    vector_destroy(all->z);
    vector_destroy(all->b);
    vector_destroy(all->c);
    vector_destroy(all->a_of_c);
}

static proving part_of(const across *all, uint32_t k)
{
    proving part = *all->p;
    part.self = &all->list->at[k];
    part.shard = k;
    return part;
}

/* ---- 1 ---- */

static sumac_status load_part(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const across *all = arguments;
    const proving part = part_of(all, k);
    const size_t wires = part.key->wires, first = (size_t)executors_cut(all->list, wires, 1, k);
    const size_t n = (size_t)executors_cut(all->list, wires, 1, k + 1) - first;
    const uint8_t *witness = proving_witness(&part, 0) + first * part.scalar_bytes;
    (void)stop;
    if (k == HOME_OF_A || n == 0) {
        return n == 0 ? SUMAC_OK : vector_set(part.self, part.z, EXTRA_WIRES + first, n, witness, NULL);
    }
    LOCAL_SCALARS(slice, part.self, part.of->g1, n);
    TRY(vector_set(part.self, slice, 0, n, witness, NULL));
    return vector_copy_across(part.self, part.z, EXTRA_WIRES + first, slice, 0, n);
}

sumac_status across_load(proving *p)
{
    across all = {.p = p, .list = context_executors(p->context)};
    if (p->batch->vector != NULL) {
        return proving_load(p);
    }
    TRY(proving_begin_load(p));
    const sumac_status status = executors_run(all.list, load_part, &all);
    if (status != SUMAC_BAD_ENCODING) {
        return status;
    }
    free_vector(&p->z); /* one device loads again, to get the message of the failure */
    return proving_load(p);
}

/* ---- 3 to 5 ---- */

static int c_is_away(const across *all)
{
    return all->home_of_c != HOME_OF_A;
}

static sumac_vector *c_at_home(const across *all)
{
    return c_is_away(all) ? all->c : all->p->c;
}

static sumac_status take_memory(void *arguments, uint32_t k, const _Atomic int *stop)
{
    across *all = arguments;
    proving *p = all->p;
    const proving part = part_of(all, k);
    const size_t n = p->key->domain;
    (void)stop;
    if (k == HOME_OF_A) {
        TRY(proving_scalars(&part, n, &p->a));
        TRY(proving_scalars(&part, n, &p->b));
        TRY(proving_scalars(&part, n, &p->c));
    }
    if (k == HOME_OF_B) {
        TRY(proving_scalars(&part, n, &all->b));
        TRY(p->key->takes_products ? SUMAC_OK : proving_scalars(&part, p->row, &all->z));
    }
    if (k == all->home_of_c && c_is_away(all)) {
        TRY(proving_scalars(&part, n, &all->c));
        TRY(proving_scalars(&part, n, &all->a_of_c));
    }
    return SUMAC_OK;
}

/* Do step 3; leave b in c. */
static sumac_status evaluate(void *arguments, uint32_t k, const _Atomic int *stop)
{
    across *all = arguments;
    proving part = part_of(all, k);
    const size_t n = part.key->domain;
    (void)stop;
    if (k == HOME_OF_A) {
        TRY(quotient_multiply(&part, 0, MATRIX_A));
        return c_is_away(all) ? vector_copy_across(part.self, all->a_of_c, 0, part.a, 0, n) : SUMAC_OK;
    }
    if (k == HOME_OF_B) {
        part.b = all->b;
        if (all->z != NULL) {
            TRY(vector_copy_across(part.self, all->z, 0, part.z, 0, part.row));
            part.z = all->z;
        }
        TRY(quotient_multiply(&part, 0, MATRIX_B));
        return vector_copy_across(part.self, c_at_home(all), 0, part.b, 0, n);
    }
    return SUMAC_OK;
}

/* Do step 4, and copy to the first device. */
static sumac_status extend(void *arguments, uint32_t k, const _Atomic int *stop)
{
    across *all = arguments;
    const proving part = part_of(all, k);
    const size_t n = part.key->domain;
    (void)stop;
    if (k == all->home_of_c) { /* compute c = a o b before a changes */
        sumac_vector *c = c_at_home(all);
        TRY(vector_multiply(part.self, c, c, c_is_away(all) ? all->a_of_c : part.a, 1));
        TRY(quotient_move_to_coset(&part, c));
        TRY(c_is_away(all) ? vector_copy_across(part.self, part.c, 0, c, 0, n) : SUMAC_OK);
    }
    if (k == HOME_OF_A) {
        TRY(quotient_move_to_coset(&part, part.a));
    }
    if (k == HOME_OF_B) {
        TRY(quotient_move_to_coset(&part, all->b));
        TRY(vector_copy_across(part.self, part.b, 0, all->b, 0, n));
    }
    return SUMAC_OK;
}

sumac_status across_quotient(proving *p)
{
    CLEANUP(close_across) across all = {.p = p, .list = context_executors(p->context)};
    all.home_of_c = HOME_OF_C % all.list->count;
    TRY(executors_run(all.list, take_memory, &all));
    TRY(executors_run(all.list, evaluate, &all));
    TRY(executors_run(all.list, extend, &all));
    return quotient_subtract(p);
}
