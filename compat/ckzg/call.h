/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How a call of the drop-in gets at a setup and a context of sumac, which serves one call at a time. */
#ifndef SUMAC_CKZG_CALL_H
#define SUMAC_CKZG_CALL_H

#include "../kzg/loaded.h"
#include "ckzg.h"

/* Begin a call with settings that may be null or hold nothing. */
loaded_call sumac_ckzg_begin(const KZGSettings *settings);

/* End it: what the call of sumac came to, or why there was none. */
C_KZG_RET sumac_ckzg_end(const loaded_call *call, sumac_status status);

/* The one of four that stands for a status. */
C_KZG_RET sumac_ckzg_result(sumac_status status);

#endif
