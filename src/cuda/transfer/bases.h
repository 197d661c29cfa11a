/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bases on their way into a table: copied, or imported from records with every check, and their multiples made. */
#ifndef SUMAC_CUDA_TRANSFER_BASES_H
#define SUMAC_CUDA_TRANSFER_BASES_H

#include "cuda/device/curve.h"
#include "cuda/device/engine.h"

/* What is known of records that are imported: the first bad one's index, and below it what is wrong; or that
 * all are good. */
enum { FIRST_BAD_STATUS_BITS = 8 };
constexpr unsigned long long NONE_BAD = ~0ULL;

/* After waiting: the status of what *first_bad of the engine has found, SUMAC_OK where that is nothing. *bad
 * is the index of a record that is refused, and else stays. */
sumac_status cuda_first_bad(const cuda_engine *engine, uint64_t *bad);

/* A slice of records in the device's memory, imported: as device_ops.fill_table. Waits. */
sumac_status cuda_import_slice(cuda_engine *engine, const struct cuda_curve *code, const table_slice *slice,
                               uint64_t *bad);

/* As device_ops.fill_table. */
sumac_status cuda_fill_table(void *engine, const sumac_curve *curve, const table_slice *slice, uint64_t *bad);

#endif
