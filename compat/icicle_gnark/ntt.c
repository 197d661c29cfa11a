/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

/* ---- Domains ---- */

enum { MOST_SCALAR_BYTES = 48, MOST_LOG2 = 63 };

/* The root of unity that programs have set, of order 2^log2. */
typedef struct domain {
    int is_set;
    uint32_t log2;
    uint8_t root[MOST_SCALAR_BYTES];
} domain;

static domain domains[SUMAC_ICICLE_DEVICES][SUMAC_ICICLE_CURVES];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; /* never held while something is computed */

static sumac_icicle_field field_of(const sumac_group *group)
{
    sumac_icicle_field f;
    sumac_icicle_field_init(&f, group->order, group->scalar_bytes / sizeof(uint64_t), 1, 0);
    return f;
}

static sumac_icicle_element square(const sumac_icicle_field *f, sumac_icicle_element a, uint32_t times)
{
    while (times-- > 0) {
        a = sumac_icicle_times(f, &a, &a);
    }
    return a;
}

int sumac_icicle_init_domain(const sumac_icicle_group *g, const void *primitive_root)
{
    const sumac_icicle_device *device;
    const sumac_group *group;
    int status = sumac_icicle_active(&device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_status_of(sumac_group_find(g->curve, g->name, &group));
    }
    if (status != SUMAC_ICICLE_SUCCESS || primitive_root == NULL) {
        return primitive_root == NULL ? SUMAC_ICICLE_INVALID_POINTER : status;
    }
    const sumac_icicle_field f = field_of(group);
    const sumac_icicle_element one = sumac_icicle_one(&f);
    domain new = {.is_set = 1};
    uint8_t ours[MOST_SCALAR_BYTES];
    sumac_icicle_element power = sumac_icicle_load(&f, primitive_root);
    while (!sumac_icicle_equal(&power, &one) && new.log2 < MOST_LOG2) {
        power = square(&f, power, 1);
        new.log2++;
    }
    if (!sumac_icicle_equal(&power, &one) ||
        sumac_root_of_unity(group, new.log2, ours, sizeof ours) != SUMAC_OK) {
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    }
    memcpy(new.root, primitive_root, group->scalar_bytes);
    domain *at = &domains[device->number][g->number];
    pthread_rwlock_wrlock(&lock);
    if (!at->is_set || new.log2 > at->log2) {
        *at = new;
    }
    pthread_rwlock_unlock(&lock);
    return SUMAC_ICICLE_SUCCESS;
}

static int domain_of(const sumac_icicle_device *device, const sumac_icicle_group *g, domain *found)
{
    pthread_rwlock_rdlock(&lock);
    *found = domains[device->number][g->number];
    pthread_rwlock_unlock(&lock);
    return found->is_set;
}

int sumac_icicle_release_domain(const sumac_icicle_group *g)
{
    const sumac_icicle_device *device;
    const int status = sumac_icicle_active(&device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        pthread_rwlock_wrlock(&lock);
        domains[device->number][g->number].is_set = 0;
        pthread_rwlock_unlock(&lock);
    }
    return status;
}

int sumac_icicle_root_of_unity(const sumac_icicle_group *g, uint64_t max_size, void *root)
{
    const sumac_group *group;
    const int status = sumac_icicle_status_of(sumac_group_find(g->curve, g->name, &group));
    if (status != SUMAC_ICICLE_SUCCESS || root == NULL) {
        return root == NULL ? SUMAC_ICICLE_INVALID_POINTER : status;
    }
    uint32_t log2 = 0;
    while (log2 < MOST_LOG2 && (uint64_t)1 << log2 < max_size) {
        log2++;
    }
    return sumac_root_of_unity(group, log2, root, group->scalar_bytes) == SUMAC_OK
               ? SUMAC_ICICLE_SUCCESS
               : SUMAC_ICICLE_INVALID_ARGUMENT;
}

/* ---- Transforms ---- */

/* A root w of order n = 2^log2 is a power of libsumac's: w = omega^e with odd e, which is found bit by bit. If the bits below
 * bit b are right, (w * omega^-e)^(2^(log2-1-b)) is 1 or -1, and it is 1 if bit b is 0. */
static int exponent_of(const sumac_icicle_field *f, const sumac_group *group, const domain *d, uint32_t log2,
                       size_t *exponent)
{
    uint8_t ours[MOST_SCALAR_BYTES];
    if (sumac_root_of_unity(group, log2, ours, sizeof ours) != SUMAC_OK) {
        return 0;
    }
    const sumac_icicle_element one = sumac_icicle_one(f), omega = sumac_icicle_load(f, ours);
    sumac_icicle_element rest = square(f, sumac_icicle_load(f, d->root), d->log2 - log2);
    sumac_icicle_element inverse = sumac_icicle_inverse(f, &omega);
    *exponent = 0;
    for (uint32_t b = 0; b < log2; b++) {
        const sumac_icicle_element sign = square(f, rest, log2 - 1 - b);
        if (!sumac_icicle_equal(&sign, &one)) {
            *exponent |= (size_t)1 << b;
            rest = sumac_icicle_times(f, &rest, &inverse);
        }
        inverse = square(f, inverse, 1);
    }
    return sumac_icicle_equal(&rest, &one);
}

static size_t reverse(size_t i, uint32_t bits)
{
    size_t reversed = 0;
    for (uint32_t b = 0; b < bits; b++) {
        reversed = reversed << 1 | (i >> b & 1);
    }
    return reversed;
}

/* Replace value i of each row by value i*factor mod 2^log2, where reversals of the bits of i say how values are listed
 * before and after. */
static int permute(const sumac_icicle_call *call, sumac_vector *vector, uint32_t log2, size_t factor,
                   int from_reversed, int to_reversed)
{
    const size_t n = (size_t)1 << log2, count = sumac_vector_count(vector);
    sumac_vector *moved = NULL;
    uint64_t *rows = malloc(count * sizeof *rows);
    if (rows == NULL) {
        return SUMAC_ICICLE_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t source = (to_reversed ? reverse(i, log2) : i) * factor & (n - 1);
        rows[i] = from_reversed ? reverse(source, log2) : source;
    }
    for (size_t i = n; i < count; i++) {
        rows[i] = rows[i - n] + n;
    }
    const sumac_slice all = sumac_slice_of(0, count);
    sumac_status status =
        sumac_vector_create(call->context, call->group, SUMAC_VECTOR_SCALARS, count, &moved);
    if (status == SUMAC_OK) {
        status = sumac_vector_gather(call->context, vector, 1, rows, count, moved);
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_copy(call->context, moved, &all, vector, &all);
    }
    sumac_vector_destroy(moved);
    free(rows);
    return sumac_icicle_status_of(status);
}

/* Transpose a matrix in place. */
static int transpose(const sumac_icicle_call *call, sumac_vector *vector, size_t rows, size_t columns)
{
    sumac_vector *moved = NULL;
    const sumac_slice all = sumac_slice_of(0, sumac_vector_count(vector));
    sumac_status status =
        sumac_vector_create(call->context, call->group, SUMAC_VECTOR_SCALARS, rows * columns, &moved);
    if (status == SUMAC_OK) {
        status = sumac_vector_transpose(call->context, vector, rows, columns, moved);
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_copy(call->context, moved, &all, vector, &all);
    }
    sumac_vector_destroy(moved);
    return sumac_icicle_status_of(status);
}

enum { NN, NR, RN, RR, NM, MN, ORDERINGS };

/* Transform rows of 2^log2 elements. The program's values belong to powers of its root w = omega^e: its value i is value
 * e*i of libsumac. */
static int transform(const sumac_icicle_call *call, sumac_vector *vector, uint32_t log2, size_t exponent,
                     int inverse, uint32_t ordering, const void *coset)
{
    const int in_reversed = ordering == RN || ordering == RR || ordering == MN;
    const int out_reversed = ordering == NR || ordering == RR || ordering == NM;
    const int values_reversed = inverse ? in_reversed : out_reversed;
    const size_t mask = ((size_t)1 << log2) - 1;
    const int same_root = exponent == (1 & mask);
    sumac_transform_config config = {.size = sizeof config, .length = mask + 1, .inverse = (uint32_t)inverse};
    config.coefficient_order =
        (inverse ? out_reversed : in_reversed) ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
    config.value_order = same_root && values_reversed ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
    config.shift = coset;
    config.shift_bytes = coset == NULL ? 0 : call->group->scalar_bytes;
    int status = SUMAC_ICICLE_SUCCESS;
    if (!same_root && inverse) {
        size_t back = exponent; /* 1/e modulo a power of two: the number of right bits doubles in each step */
        for (int i = 0; i < 6; i++) {
            back *= 2 - exponent * back;
        }
        status = permute(call, vector, log2, back & mask, values_reversed, 0);
    }
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_status_of(sumac_vector_ntt(call->context, vector, &config));
    }
    if (status == SUMAC_ICICLE_SUCCESS && !same_root && !inverse) {
        status = permute(call, vector, log2, exponent, 0, values_reversed);
    }
    return status;
}

/* Check a call's size, and find its root. */
static int prepare(const sumac_icicle_call *call, const sumac_icicle_group *g, int size, int direction,
                   const NTTConfigTail *tail, uint32_t *log2, size_t *exponent)
{
    domain d;
    if (size < 1 || (size & (size - 1)) != 0 || (direction != 0 && direction != 1) || tail->batch_size < 1 ||
        tail->ordering >= ORDERINGS ||
        (size_t)size > SIZE_MAX / MOST_SCALAR_BYTES / (size_t)tail->batch_size ||
        !domain_of(call->device, g, &d)) {
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    }
    for (*log2 = 0; 1 << *log2 < size; ++*log2) {
    }
    const sumac_icicle_field f = field_of(call->group);
    return *log2 <= d.log2 && exponent_of(&f, call->group, &d, *log2, exponent)
               ? SUMAC_ICICLE_SUCCESS
               : SUMAC_ICICLE_INVALID_ARGUMENT;
}

int sumac_icicle_ntt(const sumac_icicle_group *g, const void *input, int size, int direction,
                     const void *config, void *output)
{
    sumac_icicle_call call;
    sumac_icicle_vector result = {0};
    int status = config == NULL ? SUMAC_ICICLE_INVALID_POINTER : sumac_icicle_begin(&call, g);
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    static const uint8_t one[MOST_SCALAR_BYTES] = {1};
    const uint8_t *coset = (const uint8_t *)config + sizeof(void *);
    const size_t scalar = call.group->scalar_bytes;
    NTTConfigTail tail;
    memcpy(&tail, coset + scalar, sizeof tail);
    uint32_t log2 = 0;
    size_t exponent = 0;
    status = prepare(&call, g, size, direction, &tail, &log2, &exponent);
    if (status == SUMAC_ICICLE_SUCCESS) {
        const size_t rows = (size_t)tail.batch_size, n = (size_t)size;
        status = sumac_icicle_take_result(&call, input, tail.are_inputs_on_device, output,
                                          tail.are_outputs_on_device, rows * n, &result);
        if (status == SUMAC_ICICLE_SUCCESS && tail.columns_batch) {
            status = transpose(&call, result.vector, n, rows);
        }
        if (status == SUMAC_ICICLE_SUCCESS) {
            status = transform(&call, result.vector, log2, exponent, direction, tail.ordering,
                               memcmp(coset, one, scalar) == 0 ? NULL : coset);
        }
        if (status == SUMAC_ICICLE_SUCCESS && tail.columns_batch) {
            status = transpose(&call, result.vector, rows, n);
        }
        status = sumac_icicle_deliver(&call, &result, status);
    }
    sumac_icicle_end(&call);
    return status;
}
