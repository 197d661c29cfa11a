/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "curve.h"

int sumac_icicle_begin(sumac_icicle_call *call, const sumac_icicle_group *g)
{
    int status = sumac_icicle_active(&call->device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_status_of(sumac_group_find(g->curve, g->name, &call->group));
    }
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_status_of(sumac_pool_take(call->device->pool, &call->context, NULL));
    }
    return status;
}

/* A context whose GPU has failed is not given to another call. */
void sumac_icicle_end(sumac_icicle_call *call)
{
    if (call->device->gpu != NULL && sumac_context_check(call->context) != SUMAC_OK) {
        sumac_pool_discard(call->device->pool, call->context);
    } else {
        sumac_pool_give(call->device->pool, call->context);
    }
}
