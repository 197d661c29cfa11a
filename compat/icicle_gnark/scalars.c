/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "curve.h"
#include "vectors.h"

/* ---- One scalar ---- */

static int scalar_field(const sumac_icicle_group *g, sumac_icicle_field *field, const sumac_group **group)
{
    if (sumac_group_find(g->curve, g->name, group) != SUMAC_OK) {
        return 0;
    }
    sumac_icicle_field_init(field, (*group)->order, (*group)->scalar_bytes / sizeof(uint64_t), 1, 0);
    return 1;
}

void sumac_icicle_scalar(const sumac_icicle_group *g, sumac_icicle_operation operation, const void *a,
                         const void *b, void *result)
{
    sumac_icicle_field f;
    const sumac_group *group;
    if (!scalar_field(g, &f, &group)) {
        return;
    }
    const sumac_icicle_element x = sumac_icicle_load(&f, a), y = sumac_icicle_load(&f, b);
    const sumac_icicle_element z = operation == SUMAC_ICICLE_PLUS    ? sumac_icicle_plus(&f, &x, &y)
                                   : operation == SUMAC_ICICLE_MINUS ? sumac_icicle_minus(&f, &x, &y)
                                                                     : sumac_icicle_times(&f, &x, &y);
    sumac_icicle_store(&f, &z, result);
}

void sumac_icicle_scalar_inverse(const sumac_icicle_group *g, const void *a, void *result)
{
    sumac_icicle_field f;
    const sumac_group *group;
    if (scalar_field(g, &f, &group)) {
        const sumac_icicle_element x = sumac_icicle_load(&f, a), y = sumac_icicle_inverse(&f, &x);
        sumac_icicle_store(&f, &y, result);
    }
}

static int random_bytes(void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t got = getrandom((char *)bytes + done, count - done, 0);
        if (got < 0 && errno != EINTR) {
            return 0;
        }
        done += got < 0 ? 0 : (size_t)got;
    }
    return 1;
}

/* Random bits of the length of r are drawn until they are less than r. Without randomness the scalars are zeros. */
void sumac_icicle_generate_scalars(const sumac_icicle_group *g, void *scalars, int size)
{
    const sumac_group *group;
    if (sumac_group_find(g->curve, g->name, &group) != SUMAC_OK) {
        return;
    }
    const size_t bytes = group->scalar_bytes, count = size < 0 ? 0 : (size_t)size;
    const unsigned spare = group->scalar_bytes * 8 - group->scalar_bits;
    if (!random_bytes(scalars, count * bytes)) {
        memset(scalars, 0, count * bytes);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *scalar = (uint8_t *)scalars + i * bytes;
        for (;;) {
            uint64_t top;
            memcpy(&top, scalar + bytes - sizeof top, sizeof top);
            top = top << spare >> spare;
            memcpy(scalar + bytes - sizeof top, &top, sizeof top);
            if (sumac_icicle_all_reduced(group->order, bytes / sizeof top, scalar, 1)) {
                break;
            }
            if (!random_bytes(scalar, bytes)) {
                memset(scalar, 0, bytes);
            }
        }
    }
}

/* ---- Vectors ---- */

/* Write R mod r, or 1/R mod r, as a canonical scalar. */
static void power_of_two(const sumac_group *group, int inverse, uint64_t *factor)
{
    sumac_icicle_field f;
    static const uint64_t one[SUMAC_ICICLE_MOST_WORDS] = {1};
    sumac_icicle_field_init(&f, group->order, group->scalar_bytes / sizeof(uint64_t), 1, 0);
    sumac_icicle_convert(&f, one, 1, !inverse, factor);
}

/* Vectors of libsumac are in Montgomery form. Multiplying an element by a constant multiplies its bytes by the same one,
 * whatever they mean. */
static int scale(sumac_icicle_call *call, sumac_vector *vector, int inverse)
{
    uint64_t factor[SUMAC_ICICLE_MOST_WORDS];
    power_of_two(call->group, inverse, factor);
    return sumac_icicle_status_of(sumac_vector_scale_powers(
        call->context, vector, factor, call->group->scalar_bytes, NULL, 0, sumac_vector_count(vector)));
}

/* Check the sizes of a call on vectors, and multiply them. */
static int count_of(size_t n, const VecOpsConfig *config, size_t each, size_t *count)
{
    if (config == NULL) {
        return SUMAC_ICICLE_INVALID_POINTER;
    }
    if (config->batch_size < 1 || n > SIZE_MAX / each / (size_t)config->batch_size) {
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    }
    *count = n * (size_t)config->batch_size;
    return SUMAC_ICICLE_SUCCESS;
}

int sumac_icicle_convert_scalars(const sumac_icicle_group *g, const void *in, size_t n, bool is_into,
                                 const VecOpsConfig *config, void *out)
{
    sumac_icicle_call call;
    sumac_icicle_vector result = {0};
    int status = sumac_icicle_begin(&call, g);
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    size_t count = 0;
    status = count_of(n, config, call.group->scalar_bytes, &count);
    if (status == SUMAC_ICICLE_SUCCESS && count > 0) {
        status = sumac_icicle_take_result(&call, in, config->is_a_on_device, out, config->is_result_on_device,
                                          count, &result);
        if (status == SUMAC_ICICLE_SUCCESS) {
            status = scale(&call, result.vector, !is_into);
        }
        status = sumac_icicle_deliver(&call, &result, status);
    }
    sumac_icicle_end(&call);
    return status;
}

int sumac_icicle_vectors(const sumac_icicle_group *g, sumac_icicle_operation operation, const void *a,
                         const void *b, int n, const VecOpsConfig *config, void *out)
{
    sumac_icicle_call call;
    sumac_icicle_vector result = {0}, other = {0};
    int status = sumac_icicle_begin(&call, g);
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    size_t count = 0;
    status =
        n < 0 ? SUMAC_ICICLE_INVALID_ARGUMENT : count_of((size_t)n, config, call.group->scalar_bytes, &count);
    if (status == SUMAC_ICICLE_SUCCESS && count > 0) {
        /* The second operand is taken first, because the result may take its memory. */
        status = sumac_icicle_take(&call, b, config->is_b_on_device, out, count, &other);
        if (status == SUMAC_ICICLE_SUCCESS) {
            status = sumac_icicle_take_result(&call, a, config->is_a_on_device, out,
                                              config->is_result_on_device, count, &result);
        }
        if (status == SUMAC_ICICLE_SUCCESS) {
            status = sumac_icicle_status_of((operation == SUMAC_ICICLE_PLUS    ? sumac_vector_add
                                             : operation == SUMAC_ICICLE_MINUS ? sumac_vector_subtract
                                                                               : sumac_vector_multiply)(
                call.context, result.vector, other.vector, 1, result.vector));
        }
        if (status == SUMAC_ICICLE_SUCCESS && operation == SUMAC_ICICLE_TIMES) {
            status = scale(&call, result.vector, 0); /* the product of bytes was divided by R */
        }
        sumac_vector_destroy(other.vector);
        status = sumac_icicle_deliver(&call, &result, status);
    }
    sumac_icicle_end(&call);
    return status;
}
