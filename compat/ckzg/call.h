/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Access to a setup and to a context of sumac, which serves one call at a time, for a call of the drop-in. */
#ifndef SUMAC_CKZG_CALL_H
#define SUMAC_CKZG_CALL_H

#include "../kzg/loaded.h"
#include "ckzg.h"

/* Begin a call with settings that may be null or not loaded. */
loaded_call sumac_ckzg_begin(const KZGSettings *settings);

/* End a call: return the result of the call of sumac, or the reason why there was none. */
C_KZG_RET sumac_ckzg_end(const loaded_call *call, sumac_status status);

/* Return the one of c-kzg-4844's four results that corresponds to a status. */
C_KZG_RET sumac_ckzg_result(sumac_status status);

#endif
