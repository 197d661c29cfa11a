/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors of scalars on the CPU: the table of what can be done with them. */
#include "cpu/vector_scalars.h"

const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors) = {
    .bytes = sizeof(fp),
    .two_adicity = FR_TWO_ADICITY,
    .root = SUMAC_SCALARS_SYMBOL(root),
    .roots = SUMAC_SCALARS_SYMBOL(roots),
    .factors = SUMAC_SCALARS_SYMBOL(factors),
    .import_scalars = SUMAC_SCALARS_SYMBOL(import_scalars),
    .export_scalars = SUMAC_SCALARS_SYMBOL(export_scalars),
    .add = SUMAC_SCALARS_SYMBOL(add),
    .subtract = SUMAC_SCALARS_SYMBOL(subtract),
    .multiply = SUMAC_SCALARS_SYMBOL(multiply),
    .invert = SUMAC_SCALARS_SYMBOL(invert),
    .scale_powers = SUMAC_SCALARS_SYMBOL(scale_powers),
    .sum = SUMAC_SCALARS_SYMBOL(sum),
    .multiply_sparse = SUMAC_SCALARS_SYMBOL(multiply_sparse),
    .transform = SUMAC_SCALARS_SYMBOL(transform),
};
