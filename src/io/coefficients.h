/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions make sparse matrices from coefficients that come in a file's order. Each different value is stored
 * once, because most coefficients are 1 or -1. */
#ifndef SUMAC_IO_COEFFICIENTS_H
#define SUMAC_IO_COEFFICIENTS_H

#include "io/groups.h"
#include "vector/sparse.h"

/* This is a coefficient of a matrix; `value` is the index of its value, as in sparse_term. */
typedef struct coefficient {
    uint32_t row, column, value;
} coefficient;

typedef struct coefficient_list {
    coefficient *at;
    uint64_t count, capacity;
} coefficient_list;

enum { MOST_MATRICES = 3 };

/*
 * These are matrices that are being read. They share one list of values, and a hash table with chains finds a value in
 * it. If the author of a file knew the hash, he could put all n values into one chain, and reading would take n^2
 * steps. Therefore the hash's multipliers are drawn at random for each file.
 */
typedef struct coefficients {
    sumac_context *context;
    const char *path;         /* the file's path, for messages */
    const sumac_group *group; /* the values are its scalars */
    size_t bytes;             /* bytes of each value, a multiple of 8 */
    coefficient_list matrices[MOST_MATRICES];
    uint8_t *values;          /* different values in the file's form; the first two are 1 and -1 */
    uint32_t count, capacity; /* capacity is a power of two */
    /* The array has two parts: the last value of each of the `capacity` chains, and then, for each value, its
     * predecessor in its chain. An entry is a value's number + 1, or 0 at the end of a chain. */
    uint32_t *chains;
    uint64_t multipliers[MOST_SCALAR_BYTES / 4]; /* one for each 32-bit word of a value */
    uint64_t probes;                             /* the number of comparisons of values, which tests check */
} coefficients;

/* A file stores its values as canonical integers, or as these integers times R, which is Montgomery form, or in Groth16's .zkey
 * times R^2. Each form's number is the exponent of R. */
typedef enum value_form { VALUE_CANONICAL, VALUE_MONTGOMERY, VALUE_ZKEY } value_form;

/* Begin with no coefficients, and with the values 1 and -1. The caller must call coefficients_free(), also after a
 * failure. The function returns SUMAC_READ_FAILED if the system provides no random numbers. */
sumac_status coefficients_begin(coefficients *all, sumac_context *context, const char *path,
                                const sumac_group *group, value_form form);
void coefficients_free(coefficients *all);

/* Add a coefficient to a matrix. The value must be less than r. A call takes constant time unless the tables must grow;
 * while they grow, it reports progress. */
sumac_status coefficients_add(coefficients *all, uint32_t matrix, uint32_t row, uint32_t column,
                              const uint8_t *value);

/* Convert a canonical scalar to a form. */
sumac_status coefficients_to_form(executor *self, const sumac_group *group, value_form form, uint8_t *scalar);

/* Copy the values to a vector that the caller destroys. */
sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values);

/* Make a matrix of `rows` rows from a list of coefficients, and free the list. */
sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows,
                                 const sumac_vector *values, sparse_matrix **result);

#endif
