/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How a call of the drop-in gets at a setup and a context of sumac, which serves one call at a time. */
#ifndef SUMAC_CKZG_CALL_H
#define SUMAC_CKZG_CALL_H

#include "ckzg.h"
#include "sumac/kzg.h"
#include "sumac/pool.h"

typedef struct sumac_ckzg_handle sumac_ckzg_handle;

/* A call that runs. Without a context it has failed already, and sumac's calls refuse the null pointer. */
typedef struct sumac_ckzg_call {
    sumac_pool *pool; /* that the context is taken from; null: from none */
    const sumac_kzg_setup *setup;
    sumac_context *context;
    sumac_status status; /* why there is no context */
} sumac_ckzg_call;

/* A context on the calling thread alone; null on failure. */
sumac_status sumac_ckzg_context(sumac_context **context);

/* Begin a call with settings that may be null or hold nothing. */
sumac_ckzg_call sumac_ckzg_begin(const KZGSettings *settings);

/* End it: what the call of sumac came to, or why there was none. */
C_KZG_RET sumac_ckzg_end(sumac_ckzg_call *call, sumac_status status);

/* The one of four that stands for a status. */
C_KZG_RET sumac_ckzg_result(sumac_status status);

#endif
