/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Coefficients in the order of a file become sparse matrices, whose values are few: most are 1 and -1. */
#ifndef SUMAC_GROTH16_COEFFICIENTS_H
#define SUMAC_GROTH16_COEFFICIENTS_H

#include "groth16/groups.h"
#include "vector/sparse.h"

/* One coefficient; `value` as in sparse_term. */
typedef struct coefficient {
    uint32_t row, column, value;
} coefficient;

typedef struct coefficient_list {
    coefficient *at;
    uint64_t count, capacity;
} coefficient_list;

enum { MOST_MATRICES = 3 };

/*
 * Matrices that share their values, while they are read. Values are found by a hash table with chains. If a file's author
 * knew the hash, he could put all values into one chain, and reading n values would take n^2 steps: the multipliers of the
 * hash are drawn for each file.
 */
typedef struct coefficients {
    sumac_context *context;
    const char *path;         /* the file that they are read from, for sentences */
    const sumac_curve *curve; /* whose scalars the values are */
    size_t bytes;             /* of a value, a multiple of 8 */
    coefficient_list matrices[MOST_MATRICES];
    uint8_t *values;          /* each once, as the file has them; the first two are 1 and -1 */
    uint32_t count, capacity; /* a power of two */
    /* The last value of each of `capacity` chains, and behind those, for each value, the one before it in its chain. A value
     * is stored as its number + 1; 0 ends a chain. */
    uint32_t *chains;
    uint64_t multipliers[MOST_SCALAR_BYTES / 4]; /* of the 32-bit words of a value */
    uint64_t probes;                             /* values that were compared: tests count them */
} coefficients;

/* Values are written as integers, or times R^2 as in a .zkey. */
typedef enum value_form { VALUE_CANONICAL, VALUE_ZKEY } value_form;

/* coefficients_free() is due after a failure, too. SUMAC_READ_FAILED: the system gives no random numbers. */
sumac_status coefficients_begin(coefficients *all, sumac_context *context, const char *path,
                                const sumac_curve *curve, value_form form);
void coefficients_free(coefficients *all);

/* Add a coefficient to a matrix. The value is less than r. This takes constant time except where the tables grow, which
 * reports progress. */
sumac_status coefficients_add(coefficients *all, uint32_t matrix, uint32_t row, uint32_t column,
                              const uint8_t *value);

/* Turn a scalar into a .zkey's form: times R, twice. */
sumac_status coefficients_zkey_form(executor *self, const sumac_curve *curve, uint8_t *scalar);

/* Copy the values to a vector that the caller destroys. */
sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values);

/* A matrix of so many rows. Its list is freed. */
sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows,
                                 const sumac_vector *values, sparse_matrix **result);

#endif
