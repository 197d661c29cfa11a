/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/vector_checks.h"

#include "api/call.h"

/* Refuse memory of another device: if a kernel used it, this call and every later one of the process would fail. */
static sumac_status check_usable(sumac_context *context, const sumac_vector *vector)
{
    const executor *self = context_executor(context);
    if (vector->backend != self->backend) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "a vector is the %s backend's, and the context is the %s backend's",
                    vector->backend->name, self->backend->name);
    }
    if (vector->device != executor_device(self)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a vector lies on GPU %d, and the context is on GPU %d",
                    (int)vector->device, (int)executor_device(self));
    }
    return SUMAC_OK;
}

sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c)
{
    TRY(call_require(context, a != NULL && b != NULL && c != NULL, "a vector"));
    TRY(check_usable(context, a));
    TRY(check_usable(context, b));
    return check_usable(context, c);
}

sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what)
{
    static const char *const names[] = {"scalars", "points"};
    if (vector->elements == elements) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT, "%s is a vector of %s, where %s are wanted", what,
                names[vector->elements], names[elements]);
}

sumac_status vector_range(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                          const char *what)
{
    if (first <= vector->count && n <= vector->count - first) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT, "%zu elements from %zu on are not in %s, which has %zu", n,
                first, what, (size_t)vector->count);
}

int vectors_overlap(const sumac_vector *a, const sumac_vector *b)
{
    const char *first_a = a->memory, *first_b = b->memory;
    return first_a < first_b + b->count * b->bytes && first_b < first_a + a->count * a->bytes;
}

int vectors_are_same(const sumac_vector *a, const sumac_vector *b)
{
    return a->memory == b->memory && a->count == b->count;
}

sumac_status vector_expect_apart(sumac_context *context, const sumac_vector *result, const sumac_vector *a)
{
    return result != a && !vectors_overlap(result, a)
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT,
                      "the result must be another vector, which shares no memory");
}

sumac_status vector_expect_apart_or_same(sumac_context *context, const sumac_vector *result,
                                         const sumac_vector *a)
{
    return vectors_are_same(result, a) ? SUMAC_OK : vector_expect_apart(context, result, a);
}

sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows)
{
    if (length == 0 || count % length != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a vector of %zu elements has no rows of %zu", (size_t)count,
                    length);
    }
    *rows = count / length;
    return SUMAC_OK;
}
