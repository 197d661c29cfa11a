/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg_output.h"

#include "results.h"
#include "sumac/kzg.h"

int print_commitments(const options *given, const unsigned char *commitments, size_t count)
{
    json_t *list = given->json ? json_array() : NULL;
    for (size_t i = 0; i < count; i++) {
        char text[HEX_SIZE(SUMAC_KZG_COMMITMENT_BYTES)];
        bytes_to_hex(text, commitments + i * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
        if (!given->json) {
            print("%s\n", text);
        } else if (json_array_append_new(list, json_string(text)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return given->json ? print_json(json_pack("{s:o}", "commitments", list)) : STATUS_DONE;
}
