/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read and write sections of prepared keys that have numbers: rows, scalars and sparse matrices. */
#ifndef SUMAC_IO_MATRIX_SECTION_H
#define SUMAC_IO_MATRIX_SECTION_H

#include "io/container.h"
#include "vector/sparse.h"

enum { WORD_BYTES = 8 /* bytes of a row's number, and of a matrix's start or term */ };

/* ---- Writing ---- */

/* Add a section of `count` numbers, and a section of a matrix. */
container_section *word_section_add(container *layout, uint32_t type, uint64_t count);
container_section *matrix_add(container *layout, uint32_t type, const sumac_group *group, uint64_t rows,
                              uint64_t terms, uint64_t values);

sumac_status words_save(output_file *file, const container_section *section, const uint64_t *words);
sumac_status matrix_save(output_file *file, const container_section *section, const sparse_matrix *matrix);

/* Write scalars in Montgomery form, in slices. */
sumac_status scalars_save(section_output *output, const sumac_vector *scalars);

/* ---- Reading ---- */

/* This is a section whose numbers are checked. If a number is out of range, it is refused only after the section's
 * checksum was compared, so that a damaged file is reported as damaged. */
typedef struct number_section {
    section_input input;
    int in_range;
} number_section;

sumac_status numbers_open(number_section *numbers, input_file *file, const container *layout, uint32_t type,
                          const char *name);
sumac_status numbers_close(number_section *numbers);

/* Read a section of numbers that are less than `limit`. The caller frees *words, also after a failure. */
sumac_status words_read(input_file *file, const container *layout, uint32_t type, const char *name,
                        uint64_t limit, uint64_t **words);

/* Read the vector's scalars, in slices. If one is not less than the group's order, its slice becomes 0, and
 * numbers_close() refuses the section. */
sumac_status scalars_read(number_section *numbers, sumac_vector *scalars);

/* Require that a matrix of so many rows can be in a section, before its size is computed; then the number of its values
 * and of its terms can be passed to matrix_add(). */
int matrix_fits(const container_section *section);
sumac_status matrix_read(input_file *file, const container *layout, uint32_t type, const char *name,
                         const sumac_group *group, uint64_t rows, uint32_t columns, sparse_matrix **matrix);

#endif
