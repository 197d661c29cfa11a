/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/sparse.h"

#include <stdlib.h>
#include <string.h>

/* Memory with a copy of the host's; null after a failure. */
static void *copy_in(executor *self, const void *from, uint64_t bytes, sumac_status *status)
{
    if (*status != SUMAC_OK) {
        return NULL;
    }
    void *memory = self->backend->allocate(self->engine, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        *status =
            executor_fail(self, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for a sparse matrix",
                          (unsigned long long)bytes);
    } else if (self->engine == NULL) {
        memcpy(memory, from, (size_t)bytes);
    } else {
        *status = executor_done(self, self->backend->device->upload(self->engine, memory, from, bytes));
    }
    return memory;
}

/* The same of a vector's elements. */
static void *copy_values(executor *self, const sumac_vector *values, sumac_status *status)
{
    if (*status != SUMAC_OK) {
        return NULL;
    }
    sumac_vector *copy = NULL;
    const vector_slice all = {0, 1, values->count, values->count};
    *status = vector_create(self, values->curve, SUMAC_VECTOR_SCALARS, values->count, &copy);
    if (*status != SUMAC_OK) {
        return NULL;
    }
    *status = vector_copy(self, copy, &all, values, &all);
    void *memory = copy->memory;
    free(copy); /* its memory is the matrix's now */
    return memory;
}

sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix)
{
    sumac_status status = SUMAC_OK;
    const uint64_t starts_bytes = (rows->rows + 1) * sizeof *rows->starts;
    const uint64_t terms_bytes = rows->starts[rows->rows] * sizeof *rows->terms;
    sparse_matrix *created = calloc(1, sizeof *created);
    if (created == NULL) {
        return executor_fail(self, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a sparse matrix",
                             sizeof *created);
    }
    created->backend = self->backend;
    created->bytes = starts_bytes + terms_bytes + values->count * values->bytes;
    created->rows.rows = rows->rows;
    created->rows.starts = copy_in(self, rows->starts, starts_bytes, &status);
    created->rows.terms = copy_in(self, rows->terms, terms_bytes, &status);
    created->rows.values = copy_values(self, values, &status);
    if (status != SUMAC_OK) {
        sparse_destroy(created);
        return status;
    }
    *matrix = created;
    return SUMAC_OK;
}

static void release(const backend *owner, const void *memory)
{
    if (memory != NULL) {
        owner->release((void *)(uintptr_t)memory);
    }
}

void sparse_destroy(sparse_matrix *matrix)
{
    if (matrix != NULL) {
        release(matrix->backend, matrix->rows.starts);
        release(matrix->backend, matrix->rows.terms);
        release(matrix->backend, matrix->rows.values);
        free(matrix);
    }
}
