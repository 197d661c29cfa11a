/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions write sections of known multiples of a group's generator. */
#ifndef SUMAC_TOY_POINTS_H
#define SUMAC_TOY_POINTS_H

#include "toy_file.h"

/* The file that is written, and the context that computes its points. */
typedef struct toy_output {
    sumac_context *context;
    FILE *file;
    sumac_message *why;
} toy_output;

/* This is the generator of a group, with a table, and with memory for some of its multiples. */
typedef struct toy_generator {
    const toy_output *to;
    sumac_bases *bases;
    sumac_vector *points;
    size_t point_bytes;
    uint8_t *bytes; /* encoded points */
} toy_generator;

/* Create the table of the generator, from which about `typical` multiples will be computed. The caller calls
 * toy_close_generator(), also after a failure. */
sumac_status toy_open_generator(const toy_output *to, const sumac_group *group, uint64_t typical,
                                toy_generator *g);
void toy_close_generator(toy_generator *g);

/* Multiply the generator by n numbers of a vector, from number `first` on, and write the products in Montgomery form. */
sumac_status toy_put_points(const toy_generator *g, const sumac_vector *numbers, size_t first, size_t n);
sumac_status toy_put_section_of_points(const toy_generator *g, uint32_t type, const sumac_vector *numbers,
                                       size_t first, size_t n);

#endif
