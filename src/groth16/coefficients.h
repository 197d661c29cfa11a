/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sparse matrices from coefficients in a file's order. Values are stored once each: most coefficients are 1 or -1. */
#ifndef SUMAC_GROTH16_COEFFICIENTS_H
#define SUMAC_GROTH16_COEFFICIENTS_H

#include "groth16/groups.h"
#include "vector/sparse.h"

/* A coefficient of a matrix; `value` is the index of its value, as in sparse_term. */
typedef struct coefficient {
    uint32_t row, column, value;
} coefficient;

typedef struct coefficient_list {
    coefficient *at;
    uint64_t count, capacity;
} coefficient_list;

enum { MOST_MATRICES = 3 };

/*
 * Matrices being read, which share their values. Values are found by a hash table with chains. Because a file's author
 * who knew the hash could put all n values into one chain, so that reading took n^2 steps, the hash's multipliers are
 * drawn at random for each file.
 */
typedef struct coefficients {
    sumac_context *context;
    const char *path;         /* the file's path, for messages */
    const sumac_group *group; /* the values are its scalars */
    size_t bytes;             /* of each value, a multiple of 8 */
    coefficient_list matrices[MOST_MATRICES];
    uint8_t *values;          /* different values in the file's form; the first two are 1 and -1 */
    uint32_t count, capacity; /* capacity is a power of two */
    /* The last value of each of `capacity` chains, followed by each value's predecessor in its chain. An entry is the
     * value's number + 1; 0 ends a chain. */
    uint32_t *chains;
    uint64_t multipliers[MOST_SCALAR_BYTES / 4]; /* one for each 32-bit word of a value */
    uint64_t probes;                             /* comparisons of values, which tests count */
} coefficients;

/* A file's values are canonical integers, or times R^2 as in a .zkey. */
typedef enum value_form { VALUE_CANONICAL, VALUE_ZKEY } value_form;

/* Call coefficients_free() also after a failure. SUMAC_READ_FAILED: the system provides no random numbers. */
sumac_status coefficients_begin(coefficients *all, sumac_context *context, const char *path,
                                const sumac_group *group, value_form form);
void coefficients_free(coefficients *all);

/* Add a coefficient to a matrix. The value must be less than r. Time is constant unless the tables grow; growing
 * reports progress. */
sumac_status coefficients_add(coefficients *all, uint32_t matrix, uint32_t row, uint32_t column,
                              const uint8_t *value);

/* Multiply a scalar by R twice, which gives a .zkey's form. */
sumac_status coefficients_zkey_form(executor *self, const sumac_group *group, uint8_t *scalar);

/* Copy the values to a vector that the caller destroys. */
sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values);

/* Make a matrix of `rows` rows from a list of coefficients, and free the list. */
sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows,
                                 const sumac_vector *values, sparse_matrix **result);

#endif
