/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/vector_checks.h"

#include "api/call.h"

/* Memory of another device would fail the call and every later one of the process. */
static sumac_status check_usable(sumac_context *context, const sumac_vector *vector)
{
    if (vector->backend != context_executor(context)->backend) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "a vector is the %s backend's, and the context is the %s backend's",
                    vector->backend->name, context_executor(context)->backend->name);
    }
    const int32_t own = executor_device(context_executor(context));
    return vector->device == own
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "a vector lies on GPU %d, and the context is on GPU %d",
                      (int)vector->device, (int)own);
}

sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (a == NULL || b == NULL || c == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a vector must not be null");
    }
    sumac_status status = check_usable(context, a);
    status = status == SUMAC_OK ? check_usable(context, b) : status;
    return status == SUMAC_OK ? check_usable(context, c) : status;
}

sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what)
{
    static const char *const names[] = {"scalars", "points"};
    return vector->elements == elements
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "%s is a vector of %s, where %s are wanted", what,
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

sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows)
{
    if (length == 0 || count % length != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a vector of %zu elements has no rows of %zu", (size_t)count,
                    length);
    }
    *rows = count / length;
    return SUMAC_OK;
}
