/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From coefficients in the order of a file to sparse matrices, whose values are few: most are 1 and -1. */
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
 * Matrices that share their values, while they are read. Values are found by a hash table with chains. A file's author
 * could put all values into one chain, and reading n values would take n^2 steps, if he knew the hash: its multipliers are
 * drawn for each file.
 */
typedef struct coefficients {
    sumac_context *context;
    const char *path;         /* the file that they are read from, for sentences */
    const sumac_curve *curve; /* whose scalars the values are */
    size_t bytes;             /* of a value, a multiple of 8 */
    coefficient_list matrices[MOST_MATRICES];
    uint8_t *values;          /* each once, as the file has them; the first two are 1 and -1 */
    uint32_t count, capacity; /* a power of two */
    /* A value's number here is its number + 1; 0 is the end of a chain. Of `capacity` chains the last value, and behind
     * them of each value the one before it in its chain. */
    uint32_t *chains;
    uint64_t multipliers[MOST_SCALAR_BYTES / 4]; /* of the 32-bit words of a value */
    uint64_t probes;                             /* values that were compared: tests count them */
} coefficients;

/* How values are written: as integers, or times R^2 as in a .zkey. */
typedef enum value_form { VALUE_CANONICAL, VALUE_ZKEY } value_form;

/* coefficients_free() also after a failure; SUMAC_READ_FAILED where the system gives no random numbers. */
sumac_status coefficients_begin(coefficients *all, sumac_context *context, const char *path,
                                const sumac_curve *curve, value_form form);
void coefficients_free(coefficients *all);

/* Another one of a matrix. The value is less than r. Takes constant time but where the tables grow, which asks now and then
 * whether to go on. */
sumac_status coefficients_add(coefficients *all, uint32_t matrix, uint32_t row, uint32_t column,
                              const uint8_t *value);

/* A scalar as a .zkey has it: times R, twice. */
sumac_status coefficients_zkey_form(sumac_context *context, const sumac_curve *curve, uint8_t *scalar);

/* The values as a vector that the caller destroys. */
sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values);

/* A matrix of so many rows; with `transposed` the columns are its rows. Its list is freed. */
sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows, int transposed,
                                 const sumac_vector *values, sparse_matrix **made);

#endif
