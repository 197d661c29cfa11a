/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file callbacks.h
 *  @brief This header includes the library's headers, and declares the C code between its callbacks and Go. */
#ifndef SUMAC_GO_CALLBACKS_H
#define SUMAC_GO_CALLBACKS_H

#include <stdlib.h>
#include <sumac/experimental.h>
#include <sumac/groth16.h>
#include <sumac/plonk.h>
#include <sumac/map.h>
#include <sumac/pairing.h>
#include <sumac/pool.h>
#include <sumac/srs.h>
#include <sumac/sumac.h>
#include <sumac/vector.h>

/** Return the number of the calling thread. */
uintptr_t sumac_go_thread(void);

/** The functions that the contexts of one configuration share. */
typedef struct sumac_go_user sumac_go_user;

/** Create the functions of a configuration. @param progress, trace a cgo.Handle of each function; 0: there is
    no such function */
sumac_go_user *sumac_go_user_new(uintptr_t progress, uintptr_t trace);
void sumac_go_user_set_failed(sumac_go_user *user, int failed);
void sumac_go_user_install(sumac_go_user *user, sumac_context_config *config);

/** These calls take a device's addresses as numbers, because Go does not treat them as pointers. */
sumac_status sumac_go_msm(sumac_context *context, const sumac_bases *bases, uintptr_t scalars, size_t n,
                          const sumac_msm_config *config, uintptr_t results);
sumac_status sumac_go_call_run(sumac_call *call, uintptr_t scalars, uintptr_t results);
sumac_status sumac_go_bases_create(sumac_context *context, const sumac_group *group, uintptr_t points,
                                   size_t n, const sumac_bases_config *config, sumac_bases **bases);
sumac_status sumac_go_context_set_stream(sumac_context *context, uintptr_t stream);

#endif
