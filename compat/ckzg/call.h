/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions give a call of the drop-in access to a setup and to a context of sumac, which serves one call at a
   time. */
#ifndef SUMAC_CKZG_CALL_H
#define SUMAC_CKZG_CALL_H

#include "../kzg/loaded.h"
#include "ckzg.h"

/* Begin a call with settings, which may be null or not loaded. */
loaded_call sumac_ckzg_begin(const KZGSettings *settings);

/* End a call. Return the result of sumac's call, or the reason why there was no call. */
C_KZG_RET sumac_ckzg_end(const loaded_call *call, sumac_status status);

/* Return that of c-kzg-4844's four results which corresponds to a status. */
C_KZG_RET sumac_ckzg_result(sumac_status status);

#endif
