/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "call.h"

#include <stdio.h>
#include <string.h>

void sumac_rapidsnark_say(const sumac_rapidsnark_sentence *sentence, const char *text)
{
    if (sentence->text != NULL && sentence->bytes > 0) {
        const size_t length = strlen(text);
        const size_t count = length < sentence->bytes ? length : (size_t)sentence->bytes - 1;
        memcpy(sentence->text, text, count);
        sentence->text[count] = 0;
    }
}

sumac_context *sumac_rapidsnark_context(const sumac_rapidsnark_sentence *sentence)
{
    sumac_context *context;
    sumac_message reason;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.threads = 1;
    if (sumac_context_create(&config, &context, &reason) != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, reason.text);
    }
    return context;
}

int sumac_rapidsnark_is_bn254(const sumac_groth16_verifying_key *key, sumac_groth16_info *info,
                              const sumac_rapidsnark_sentence *sentence)
{
    char text[SUMAC_MESSAGE_BYTES];
    const char *name =
        sumac_groth16_verifying_key_describe(key, info) == SUMAC_OK ? info->g1->curve : "no curve";
    if (strcmp(name, "bn254") == 0) {
        return 1;
    }
    (void)snprintf(text, sizeof text, "a key over %s, where rapidsnark's are over bn254", name);
    sumac_rapidsnark_say(sentence, text);
    return 0;
}
