/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/sparse.h"

#include <stdlib.h>
#include <string.h>

static sumac_status no_memory(executor *self, uint64_t bytes)
{
    return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for a sparse matrix",
                  (unsigned long long)bytes);
}

/* ---- Elements ---- */

static uint64_t element_bytes(sparse_part part)
{
    return part == SPARSE_STARTS ? sizeof(uint64_t) : sizeof(sparse_term);
}

static char *element_at(const sparse_matrix *matrix, sparse_part part, uint64_t i)
{
    const void *elements = part == SPARSE_STARTS ? (const void *)matrix->rows.starts : matrix->rows.terms;
    return (char *)(uintptr_t)elements + i * element_bytes(part);
}

sumac_status sparse_set(executor *self, sparse_matrix *matrix, sparse_part part, uint64_t first, uint64_t n,
                        const void *elements)
{
    const uint64_t bytes = n * element_bytes(part);
    char *to = element_at(matrix, part, first);
    if (self->engine == NULL) {
        memcpy(to, elements, (size_t)bytes);
        return SUMAC_OK;
    }
    return executor_done(self, self->backend->device->upload(self->engine, to, elements, bytes));
}

sumac_status sparse_get(executor *self, const sparse_matrix *matrix, sparse_part part, uint64_t first,
                        uint64_t n, void *elements)
{
    const uint64_t bytes = n * element_bytes(part);
    const char *from = element_at(matrix, part, first);
    if (self->engine == NULL) {
        memcpy(elements, from, (size_t)bytes);
        return SUMAC_OK;
    }
    return executor_done(self, self->backend->device->download(self->engine, elements, from, bytes));
}

/* ---- Matrices ---- */

static sumac_status copy_values(executor *self, const sumac_vector *values, sumac_vector **copy)
{
    const sumac_status status = vector_create(self, values->curve, SUMAC_VECTOR_SCALARS, values->count, copy);
    return status == SUMAC_OK ? vector_copy_across(self, *copy, 0, values, 0, values->count) : status;
}

/* Its memory, with room for one element that is not there: none is no memory to some backends. */
static sumac_status fill_in(executor *self, uint64_t terms, const sumac_vector *values, sparse_matrix *made)
{
    const uint64_t starts_bytes = (made->rows.rows + 1) * element_bytes(SPARSE_STARTS);
    const uint64_t terms_bytes = terms * element_bytes(SPARSE_TERMS);
    made->rows.starts = self->backend->allocate(self->engine, starts_bytes);
    made->rows.terms =
        self->backend->allocate(self->engine, terms_bytes > 0 ? terms_bytes : element_bytes(SPARSE_TERMS));
    made->bytes = starts_bytes + terms_bytes + values->count * values->bytes;
    made->terms = terms;
    if (made->rows.starts == NULL || made->rows.terms == NULL) {
        return no_memory(self, made->bytes);
    }
    const sumac_status status = copy_values(self, values, &made->values);
    made->rows.values = status == SUMAC_OK ? made->values->memory : NULL;
    return status;
}

sumac_status sparse_allocate(executor *self, uint64_t rows, uint64_t terms, const sumac_vector *values,
                             sparse_matrix **matrix)
{
    sparse_matrix *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return no_memory(self, sizeof *made);
    }
    made->backend = self->backend;
    made->rows.rows = rows;
    const sumac_status status = fill_in(self, terms, values, made);
    if (status != SUMAC_OK) {
        sparse_destroy(made);
        return status;
    }
    *matrix = made;
    return SUMAC_OK;
}

sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix)
{
    const uint64_t terms = rows->starts[rows->rows];
    sparse_matrix *made;
    sumac_status status = sparse_allocate(self, rows->rows, terms, values, &made);
    if (status != SUMAC_OK) {
        return status;
    }
    status = sparse_set(self, made, SPARSE_STARTS, 0, rows->rows + 1, rows->starts);
    status = status == SUMAC_OK ? sparse_set(self, made, SPARSE_TERMS, 0, terms, rows->terms) : status;
    if (status != SUMAC_OK) {
        sparse_destroy(made);
        return status;
    }
    *matrix = made;
    return SUMAC_OK;
}

static sumac_status copy_part_across(executor *self, sparse_matrix *to, const sparse_matrix *from,
                                     sparse_part part, uint64_t n)
{
    return executor_copy_across(self, element_at(to, part, 0), element_at(from, part, 0),
                                n * element_bytes(part));
}

sumac_status sparse_copy_across(executor *self, const sparse_matrix *from, sparse_matrix **copy)
{
    sparse_matrix *made;
    sumac_status status = sparse_allocate(self, from->rows.rows, from->terms, from->values, &made);
    if (status != SUMAC_OK) {
        return status;
    }
    status = copy_part_across(self, made, from, SPARSE_STARTS, from->rows.rows + 1);
    status = status == SUMAC_OK ? copy_part_across(self, made, from, SPARSE_TERMS, from->terms) : status;
    if (status != SUMAC_OK) {
        sparse_destroy(made);
        return status;
    }
    *copy = made;
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
        vector_destroy(matrix->values);
        free(matrix);
    }
}
