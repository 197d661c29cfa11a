/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "codec/partial.h"
#include "io/input.h"
#include "io/output.h"

/* The high bit and the line ends, as in PNG's magic, show a file that was copied as text. */
static const uint8_t checkpoint_magic[8] = {0x89, 'S', 'U', 'C', 'K', 'P', '\r', '\n'};

enum {
    CHECKPOINT_VERSION = 2,
    FLAG_OUTSIDE_SUBGROUP = 1,
    FLAG_CUT_SCALARS = 2,
    FLAG_MONTGOMERY = 4,
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_FORMAT = 16,
    AT_CHECK = 48,
    AT_SCALAR_BITS = 52,
    AT_BASES_BYTES = 56,
    AT_SCALARS_BYTES = 64,
    AT_FIRST = 72,
    AT_N = 80,
    AT_DONE = 88,
    AT_BASES_SUM = 96,
    AT_SCALARS_SUM = 104,
    AT_PARTIAL = 112,
    AT_POINT = AT_PARTIAL + PARTIAL_HEADER_BYTES,
    FORMAT_BYTES = AT_CHECK - AT_FORMAT,
    TRAILER_BYTES = 8,
    MOST_BYTES = AT_POINT + 4 * 8 * 12 + TRAILER_BYTES /* two coordinates in Fp2 of 12 limbs */
};

/* Encode everything up to AT_DONE. */
static void encode_subject(uint8_t bytes[MOST_BYTES], const checkpoint_subject *subject)
{
    memset(bytes, 0, MOST_BYTES);
    memcpy(bytes, checkpoint_magic, sizeof checkpoint_magic);
    store_le32(bytes + AT_VERSION, CHECKPOINT_VERSION);
    store_le32(bytes + AT_FLAGS, (subject->outside_subgroup ? FLAG_OUTSIDE_SUBGROUP : 0) |
                                     (subject->cut_scalars ? FLAG_CUT_SCALARS : 0) |
                                     (subject->scalar_form == SUMAC_FORM_MONTGOMERY ? FLAG_MONTGOMERY : 0));
    (void)snprintf((char *)bytes + AT_FORMAT, FORMAT_BYTES, "%s", subject->format);
    store_le32(bytes + AT_CHECK, (uint32_t)subject->check);
    store_le32(bytes + AT_SCALAR_BITS, subject->scalar_bits);
    store_le64(bytes + AT_BASES_BYTES, subject->bases_bytes);
    store_le64(bytes + AT_SCALARS_BYTES, subject->scalars_bytes);
    store_le64(bytes + AT_FIRST, subject->first);
    store_le64(bytes + AT_N, subject->n);
}

static size_t checkpoint_bytes(const checkpoint_subject *subject)
{
    return AT_PARTIAL + partial_bytes(&subject->curve->info, 1) + TRAILER_BYTES;
}

/* Refuse a checkpoint of another MSM, and say by what it is another one. */
static sumac_status check_subject(sumac_context *context, const char *path, const uint8_t *bytes,
                                  const checkpoint_subject *subject)
{
    static const struct {
        const char *name;
        size_t at, bytes;
    } fields[] = {
        {"format of the bases", AT_FORMAT, FORMAT_BYTES},
        {"file of bases, by its length,", AT_BASES_BYTES, 8},
        {"file of scalars, by its length,", AT_SCALARS_BYTES, 8},
        {"first base", AT_FIRST, 8},
        {"number of bases", AT_N, 8},
        {"check of the bases", AT_CHECK, 4},
        {"scalar_bits", AT_SCALAR_BITS, 4},
        {"declaration of bases outside the subgroup or of the scalars' form", AT_FLAGS, 4},
    };
    uint8_t expected[MOST_BYTES];
    const char *other =
        partial_check(bytes + AT_PARTIAL, &subject->curve->info, 1) == SUMAC_MISMATCH ? "curve" : NULL;
    encode_subject(expected, subject);
    for (size_t i = 0; other == NULL && i < sizeof fields / sizeof *fields; i++) {
        if (memcmp(bytes + fields[i].at, expected + fields[i].at, fields[i].bytes) != 0) {
            other = fields[i].name;
        }
    }
    return other == NULL ? SUMAC_OK
                         : fail(context, SUMAC_MISMATCH,
                                "%s: a checkpoint of another MSM: the %s is another one", path, other);
}

/* Check that the bytes are a checkpoint of this version, undamaged, of this MSM. */
static sumac_status check_bytes(sumac_context *context, const char *path, const uint8_t *bytes, size_t size,
                                const checkpoint_subject *subject)
{
    if (size < AT_PARTIAL + TRAILER_BYTES || memcmp(bytes, checkpoint_magic, sizeof checkpoint_magic) != 0) {
        return fail(context, SUMAC_BAD_FILE, "%s: not a checkpoint of a streamed MSM", path);
    }
    const uint32_t version = load_le32(bytes + AT_VERSION);
    if (version != CHECKPOINT_VERSION) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: a checkpoint of version %" PRIu32 "; this library goes on from version %d", path,
                    version, (int)CHECKPOINT_VERSION);
    }
    if (load_le64(bytes + size - TRAILER_BYTES) != checksum_of(bytes, size - TRAILER_BYTES)) {
        return fail(context, SUMAC_BAD_CHECKSUM, "%s: a damaged checkpoint: its checksum does not match",
                    path);
    }
    TRY(check_subject(context, path, bytes, subject));
    if (size != checkpoint_bytes(subject) || load_le64(bytes + AT_DONE) > subject->n ||
        partial_check(bytes + AT_PARTIAL, &subject->curve->info, 1) != SUMAC_OK) {
        return fail(context, SUMAC_BAD_FILE, "%s: the sizes in the checkpoint do not fit each other", path);
    }
    return SUMAC_OK;
}

sumac_status checkpoint_read(sumac_context *context, const char *path, const checkpoint_subject *subject,
                             checkpoint_counters *counters, uint8_t *point, int *found)
{
    uint8_t bytes[MOST_BYTES + 1] = {0};
    char target[PATH_BYTES], text[SYSTEM_ERROR_BYTES];
    size_t size = 0;
    const int error = path_regular(path, target, found);
    if (error != 0) {
        return error == EINVAL ? fail(context, SUMAC_NOT_SUPPORTED,
                                      "%s: a checkpoint is a regular file with a name of its own: no "
                                      "descriptor, device or pipe",
                                      path)
                               : fail(context, SUMAC_CANNOT_OPEN, "%s: cannot open: %s", path,
                                      system_error_text(error, text));
    }
    if (!*found) {
        return SUMAC_OK;
    }
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open(&file, context, path));
    TRY(input_read(&file, bytes, sizeof bytes, &size));
    TRY(check_bytes(context, path, bytes, size, subject));
    *counters = (checkpoint_counters){.done = load_le64(bytes + AT_DONE),
                                      .bases_sum = load_le64(bytes + AT_BASES_SUM),
                                      .scalars_sum = load_le64(bytes + AT_SCALARS_SUM)};
    memcpy(point, bytes + AT_POINT, subject->curve->info.point_bytes);
    return SUMAC_OK;
}

sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint_subject *subject,
                              const checkpoint_counters *counters, const uint8_t *point)
{
    uint8_t bytes[MOST_BYTES];
    const size_t size = checkpoint_bytes(subject);
    encode_subject(bytes, subject);
    store_le64(bytes + AT_DONE, counters->done);
    store_le64(bytes + AT_BASES_SUM, counters->bases_sum);
    store_le64(bytes + AT_SCALARS_SUM, counters->scalars_sum);
    memcpy(bytes + AT_POINT, point, subject->curve->info.point_bytes);
    partial_seal(bytes + AT_PARTIAL, &subject->curve->info, 1);
    store_le64(bytes + size - TRAILER_BYTES, checksum_of(bytes, size - TRAILER_BYTES));
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(output_write(&file, bytes, size));
    return output_commit(&file);
}
