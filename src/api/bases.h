/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Making bases. */
#ifndef SUMAC_API_BASES_H
#define SUMAC_API_BASES_H

#include "codec/point_layout.h"
#include "executor/bases.h"
#include "sumac/vector.h"

/* sumac_bases_create() and sumac_bases_create_from_vector() within a call that has checked its arguments: the
 * configuration is complete, the points and vectors lie where it says. */
sumac_status bases_make(sumac_context *context, const sumac_curve *curve, const void *points, size_t n,
                        const sumac_bases_config *config, sumac_bases **bases);
sumac_status bases_make_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                    size_t n, const sumac_bases_config *config, sumac_bases **bases);

/* Import records [first, first + n) into allocated bases; the message names point `first + bad`. For readers
 * that stream: no second copy of the file is ever held. */
sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check);

/* While more is imported: what a device can begin with when the first `imported` points are there. */
sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported);

/* The same when the first `imported` of one shard are there. */
sumac_status bases_advance_shard(sumac_context *context, sumac_bases *bases, uint32_t k, uint64_t imported);

/* After the last import: upload to a device; compute the multiples. */
sumac_status bases_complete(sumac_context *context, sumac_bases *bases);

/* Give up bases that are being made. */
void bases_abandon(sumac_context *context, sumac_bases *bases);

/* The points of a table, its multiples among them, as records that the device imports: whether it takes so many, and the
 * next n of them, by way of `staging`, which is memory of the device for them. *bad is n; but where a record is refused the index of the
 * first one. On any thread, one at a time, for which executor_enter() was called. */
int bases_are_sent(const sumac_context *context, const sumac_bases *bases, uint64_t points);
sumac_status bases_send(sumac_context *context, sumac_bases *bases, void *staging, const void *records,
                        size_t n, const point_layout *layout, sumac_check check, size_t *bad);

/* The same where the multiples have been imported, too. */
sumac_status bases_complete_table(sumac_context *context, sumac_bases *bases);

#endif
