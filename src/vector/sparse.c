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

static void close_matrix(sparse_matrix **matrix)
{
    sparse_destroy(*matrix);
}

sumac_status sparse_allocate(executor *self, uint64_t rows, uint64_t terms, const sumac_vector *values,
                             sparse_matrix **matrix)
{
    const uint64_t starts_bytes = (rows + 1) * element_bytes(SPARSE_STARTS);
    const uint64_t terms_bytes = terms * element_bytes(SPARSE_TERMS);
    CLEANUP(close_matrix) sparse_matrix *created = calloc(1, sizeof *created);
    if (created == NULL) {
        return no_memory(self, sizeof *created);
    }
    created->backend = self->backend;
    created->bytes = starts_bytes + terms_bytes + values->count * values->bytes;
    created->terms = terms;
    created->rows.rows = rows;
    created->rows.starts = self->backend->allocate(self->engine, starts_bytes);
    /* Some backends can't allocate 0 bytes, so a matrix without terms gets memory for one term. */
    created->rows.terms =
        self->backend->allocate(self->engine, terms_bytes > 0 ? terms_bytes : element_bytes(SPARSE_TERMS));
    if (created->rows.starts == NULL || created->rows.terms == NULL) {
        return no_memory(self, created->bytes);
    }
    TRY(vector_create(self, values->group, SUMAC_VECTOR_SCALARS, values->count, &created->values));
    TRY(vector_copy_across(self, created->values, 0, values, 0, values->count));
    created->rows.values = created->values->memory;
    *matrix = created;
    created = NULL;
    return SUMAC_OK;
}

sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix)
{
    const uint64_t terms = rows->starts[rows->rows];
    CLEANUP(close_matrix) sparse_matrix *created = NULL;
    TRY(sparse_allocate(self, rows->rows, terms, values, &created));
    TRY(sparse_set(self, created, SPARSE_STARTS, 0, rows->rows + 1, rows->starts));
    TRY(sparse_set(self, created, SPARSE_TERMS, 0, terms, rows->terms));
    *matrix = created;
    created = NULL;
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
    CLEANUP(close_matrix) sparse_matrix *created = NULL;
    TRY(sparse_allocate(self, from->rows.rows, from->terms, from->values, &created));
    TRY(copy_part_across(self, created, from, SPARSE_STARTS, from->rows.rows + 1));
    TRY(copy_part_across(self, created, from, SPARSE_TERMS, from->terms));
    *copy = created;
    created = NULL;
    return SUMAC_OK;
}
