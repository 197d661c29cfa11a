/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions create bases as a part of a call. */
#ifndef SUMAC_API_BASES_H
#define SUMAC_API_BASES_H

#include "executor/bases.h"
#include "sumac/vector.h"

/* These functions do the work of sumac_bases_create() and sumac_bases_create_from_vector() for a call that has checked
 * its arguments: the configuration is complete, and points and vectors lie where it says. */
sumac_status bases_make(sumac_context *context, const sumac_group *group, const void *points, size_t n,
                        const sumac_bases_config *config, sumac_bases **bases);
sumac_status bases_make_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                    size_t n, const sumac_bases_config *config, sumac_bases **bases);

#endif
