/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the functions of supraseal.h. */
#include "supraseal.h"

#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "prove.h"

/* Return the outcome of a call. If it failed, the sentence is `why` or, if that is empty, the status's. */
static supraseal_error outcome(sumac_status status, const char *why)
{
    supraseal_error error = {(int32_t)status, NULL};
    if (status != SUMAC_OK) {
        const char *sentence = why[0] != '\0' ? why : sumac_status_text(status);
        const size_t bytes = strlen(sentence) + 1;
        error.message = malloc(bytes);
        if (error.message != NULL) {
            memcpy(error.message, sentence, bytes);
        }
    }
    return error;
}

supraseal_error create_SRS(supraseal_srs *srs, const char *path, bool cache)
{
    sumac_message why = {""};
    if (srs == NULL || path == NULL) {
        return outcome(SUMAC_BAD_ARGUMENT, "the handle or the path is null");
    }
    return outcome(cache ? sumac_supraseal_cached(path, &srs->parameters, &why)
                         : sumac_supraseal_load(path, &srs->parameters, &why),
                   why.text);
}

void evict_SRS(const supraseal_srs *srs)
{
    if (srs != NULL && srs->parameters != NULL) {
        sumac_supraseal_evict(srs->parameters->path);
    }
}

void drop_SRS(supraseal_srs *srs)
{
    if (srs != NULL) {
        sumac_supraseal_release(srs->parameters);
        srs->parameters = NULL;
    }
}

supraseal_srs clone_SRS(const supraseal_srs *srs)
{
    if (srs == NULL || srs->parameters == NULL) {
        return (supraseal_srs){NULL};
    }
    sumac_supraseal_keep(srs->parameters);
    return *srs;
}

/* If the parameters' pool has no context left, wait for one. */
static supraseal_error prove(const supraseal_parameters *parameters, const supraseal_assignment *assignments,
                             size_t count, const void *r, const void *s, void *proofs)
{
    supraseal_call call = {.why = {""}};
    sumac_status status = sumac_pool_take(parameters->pool, &call.context, &call.why);
    if (status != SUMAC_OK) {
        return outcome(status, call.why.text);
    }
    status = sumac_supraseal_prove(&call, parameters, assignments, count, r, s, proofs);
    if (call.why.text[0] == '\0') {
        (void)sumac_supraseal_refuse(&call, status, "%s", sumac_context_message(call.context));
    }
    if (status == SUMAC_DEVICE_FAILED && sumac_context_check(call.context) != SUMAC_OK) {
        sumac_pool_discard(parameters->pool, call.context);
    } else {
        sumac_pool_give(parameters->pool, call.context);
    }
    return outcome(status, call.why.text);
}

supraseal_error generate_groth16_proofs_c(const supraseal_assignment *assignments, size_t num_circuits,
                                          const void *r_s, const void *s_s, void *proofs,
                                          const supraseal_srs *srs)
{
    if (srs == NULL || srs->parameters == NULL) {
        return outcome(SUMAC_BAD_ARGUMENT, "there are no parameters: the handle is null");
    }
    if (num_circuits == 0) {
        return outcome(SUMAC_OK, "");
    }
    if (assignments == NULL || r_s == NULL || s_s == NULL || proofs == NULL) {
        return outcome(SUMAC_BAD_ARGUMENT, "assignments, r_s, s_s and proofs must not be null");
    }
    return prove(srs->parameters, assignments, num_circuits, r_s, s_s, proofs);
}
