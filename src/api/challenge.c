/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the challenges of provers of one's own. */
#include <string.h>

#include "api/call.h"
#include "base/keccak.h"
#include "base/sha256.h"
#include "codec/reduce.h"
#include "sumac/experimental.h"

enum { DIGEST_BYTES = 32 };

sumac_status sumac_challenge(sumac_context *context, const sumac_group *group, const char *hash,
                             const void *transcript, size_t transcript_bytes, void *challenge,
                             size_t challenge_bytes)
{
    uint8_t digest[DIGEST_BYTES];
    BEGIN_CALL(context);
    TRY(require(context,
                group != NULL && hash != NULL && (transcript != NULL || transcript_bytes == 0) &&
                    challenge != NULL,
                "group, hash, transcript and challenge"));
    TRY(bytes_require(context, "challenge", challenge_bytes, 1, group->scalar_bytes));
    if (strcmp(hash, "keccak256") == 0) {
        keccak state;
        keccak_begin(&state);
        keccak_add(&state, transcript, transcript_bytes);
        keccak_end(&state, KECCAK256_PADDING, digest);
    } else if (strcmp(hash, "sha256") == 0) {
        sha256 state;
        sha256_begin(&state);
        sha256_add(&state, transcript, transcript_bytes);
        sha256_end(&state, digest);
    } else {
        return fail(context, SUMAC_BAD_ARGUMENT, "hash must be \"keccak256\" or \"sha256\"");
    }
    integer_reduce(group, digest, DIGEST_BYTES, challenge);
    return SUMAC_OK;
}
