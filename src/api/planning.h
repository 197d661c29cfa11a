/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From a call's configuration to its plan. */
#ifndef SUMAC_API_PLANNING_H
#define SUMAC_API_PLANNING_H

#include "api/handles.h"

/* Values that mean nothing, or that the context's backend can't honour, are refused. */
sumac_status planning_check_config(sumac_context *context, const sumac_curve *curve,
                                   const sumac_msm_config *config);

/* The caller's configuration, checked, with its sizes against the bases: all for which neither scalars nor
 * results are needed. */
sumac_status planning_take_config(sumac_context *context, const sumac_bases *bases, size_t n,
                                  const sumac_msm_config *config, sumac_msm_config *own);

/* That of a call whose configuration has offsets: MSMs of at most n scalars. `own` has the offsets, too. */
sumac_status planning_take_lengths(sumac_context *context, const sumac_bases *bases, size_t n,
                                   sumac_msm_config *own);

/* MSMs of one call that follow one another and go together. */
typedef struct msm_run {
    uint32_t first;
    uint32_t count;
    uint64_t n; /* scalars of the longest of them */
    int alike;  /* all have so many */
} msm_run;

/* The run that begins with MSM `first` of a configuration with offsets. */
msm_run planning_next_run(const sumac_bases *bases, const sumac_msm_config *config, uint32_t first);

/* Whether a checked call can be shared out over the context's devices. */
sumac_status planning_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config);

/* The most bytes of workspace that a call may use: what the context was told, and what its device has for a
 * workspace, with the one that there is. 0: no limit, as for the host's memory. */
uint64_t planning_limit(const sumac_context *context);

/* What the plan depends on, for bases that exist or (shape) that are only thought of. */
plan_request planning_request(const sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, uint64_t limit);

/* How the call's scalars lie in memory, and within which power of two they are: 0, any. */
scalar_layout planning_layout(const sumac_curve *curve, const sumac_msm_config *config);
uint32_t planning_scalar_bits(const sumac_curve *curve, const sumac_msm_config *config);

/* The bits that the scalars of a call have to be checked for; 0: none. */
uint32_t planning_checked_bits(const sumac_curve *curve, const sumac_msm_config *config);

/* How many sets of bases the call's MSMs use. */
uint64_t planning_base_sets(const sumac_msm_config *config);

/* The name of the context's plan as a constant; null where there is none. */
const char *planning_lasting_name(const sumac_context *context, const char *name);

/* Whether two requests are for the same plan. */
int planning_is_same(const plan_request *a, const plan_request *b);

/* The plan of a call, within planning_limit() and, on the host, within what the machine has left; or a
 * sentence why there is none. */
sumac_status planning_make_here(sumac_context *context, const sumac_bases *shape, size_t n,
                                const sumac_msm_config *config, msm_plan *plan);

/* The plan within a limit, or a sentence why there is none. */
sumac_status planning_make(sumac_context *context, const sumac_bases *shape, size_t n,
                           const sumac_msm_config *config, uint64_t limit, msm_plan *plan);

#endif
