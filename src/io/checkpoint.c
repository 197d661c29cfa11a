/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "io/input.h"
#include "io/output.h"

/* As PNG's: the high bit and the line ends show a file that was copied as text. */
static const uint8_t checkpoint_magic[8] = {0x89, 'S', 'U', 'C', 'K', 'P', '\r', '\n'};

/* Where things lie: integers little-endian, texts followed by zeros, the sum raw, and behind it the checksum of all
 * bytes before. Checksums are XXH64 with seed 0. */
enum {
    CHECKPOINT_VERSION = 1,
    FLAG_OUTSIDE_SUBGROUP = 1,
    FLAG_CUT_SCALARS = 2,
    FLAG_MONTGOMERY = 4,
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_CURVE = 16, /* "bls12-381/g1" */
    AT_FORMAT = 56,
    AT_CHECK = 88,
    AT_SCALAR_BITS = 92,
    AT_BASES_BYTES = 96,
    AT_SCALARS_BYTES = 104,
    AT_FIRST = 112,
    AT_N = 120,
    AT_DONE = 128,
    AT_BASES_SUM = 136,
    AT_SCALARS_SUM = 144,
    AT_POINT = 152,
    CURVE_TEXT_BYTES = AT_FORMAT - AT_CURVE,
    FORMAT_TEXT_BYTES = AT_CHECK - AT_FORMAT,
    TRAILER_BYTES = 8,
    MOST_BYTES = AT_POINT + 4 * 8 * 12 + TRAILER_BYTES /* two coordinates in Fp2 of 12 limbs */
};

/* Everything up to AT_DONE. */
static void encode_subject(uint8_t bytes[MOST_BYTES], const checkpoint_subject *subject)
{
    const sumac_curve_info *info = &subject->curve->info;
    memset(bytes, 0, MOST_BYTES);
    memcpy(bytes, checkpoint_magic, sizeof checkpoint_magic);
    store_le32(bytes + AT_VERSION, CHECKPOINT_VERSION);
    store_le32(bytes + AT_FLAGS, (subject->outside_subgroup ? FLAG_OUTSIDE_SUBGROUP : 0) |
                                     (subject->cut_scalars ? FLAG_CUT_SCALARS : 0) |
                                     (subject->scalar_form == SUMAC_FORM_MONTGOMERY ? FLAG_MONTGOMERY : 0));
    (void)snprintf((char *)bytes + AT_CURVE, CURVE_TEXT_BYTES, "%s/%s", info->name, info->group);
    (void)snprintf((char *)bytes + AT_FORMAT, FORMAT_TEXT_BYTES, "%s", subject->format);
    store_le32(bytes + AT_CHECK, (uint32_t)subject->check);
    store_le32(bytes + AT_SCALAR_BITS, subject->scalar_bits);
    store_le64(bytes + AT_BASES_BYTES, subject->bases_bytes);
    store_le64(bytes + AT_SCALARS_BYTES, subject->scalars_bytes);
    store_le64(bytes + AT_FIRST, subject->first);
    store_le64(bytes + AT_N, subject->n);
}

static size_t checkpoint_bytes(const checkpoint_subject *subject)
{
    return AT_POINT + subject->curve->info.point_bytes + TRAILER_BYTES;
}

/* What of the subject another MSM's checkpoint is first seen by. */
static const struct {
    const char *name;
    size_t at, bytes;
} subject_fields[] = {
    {"curve", AT_CURVE, CURVE_TEXT_BYTES},
    {"format of the bases", AT_FORMAT, FORMAT_TEXT_BYTES},
    {"file of bases, by its length,", AT_BASES_BYTES, 8},
    {"file of scalars, by its length,", AT_SCALARS_BYTES, 8},
    {"first base", AT_FIRST, 8},
    {"number of bases", AT_N, 8},
    {"check of the bases", AT_CHECK, 4},
    {"scalar_bits", AT_SCALAR_BITS, 4},
    {"declaration of bases outside the subgroup or of the scalars' form", AT_FLAGS, 4},
};

static sumac_status check_subject(sumac_context *context, const char *path, const uint8_t *bytes,
                                  const checkpoint_subject *subject)
{
    uint8_t expected[MOST_BYTES];
    encode_subject(expected, subject);
    for (size_t i = 0; i < sizeof subject_fields / sizeof *subject_fields; i++) {
        const size_t at = subject_fields[i].at;
        if (memcmp(bytes + at, expected + at, subject_fields[i].bytes) != 0) {
            return fail(context, SUMAC_MISMATCH, "%s: a checkpoint of another MSM: the %s is another one",
                        path, subject_fields[i].name);
        }
    }
    return SUMAC_OK;
}

/* A checkpoint of this version, undamaged, of this MSM. */
static sumac_status check_bytes(sumac_context *context, const char *path, const uint8_t *bytes, size_t size,
                                const checkpoint_subject *subject)
{
    if (size < AT_POINT + TRAILER_BYTES || memcmp(bytes, checkpoint_magic, sizeof checkpoint_magic) != 0) {
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
    const sumac_status status = check_subject(context, path, bytes, subject);
    if (status == SUMAC_OK &&
        (size != checkpoint_bytes(subject) || load_le64(bytes + AT_DONE) > subject->n)) {
        return fail(context, SUMAC_BAD_FILE, "%s: the sizes in the checkpoint do not fit each other", path);
    }
    return status;
}

/* Its bytes, at most MOST_BYTES + 1; *found is 0 if there is no file. */
static sumac_status read_bytes(sumac_context *context, const char *path, uint8_t *bytes, size_t *size,
                               int *found)
{
    char target[PATH_BYTES], text[SYSTEM_ERROR_BYTES];
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
    input_file file;
    sumac_status status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = input_read(&file, bytes, MOST_BYTES + 1, size);
    }
    input_close(&file);
    return status;
}

sumac_status checkpoint_read(sumac_context *context, const char *path, const checkpoint_subject *subject,
                             checkpoint_state *state, uint8_t *point, int *found)
{
    uint8_t bytes[MOST_BYTES + 1];
    size_t size = 0;
    sumac_status status = read_bytes(context, path, bytes, &size, found);
    if (status != SUMAC_OK || !*found) {
        return status;
    }
    status = check_bytes(context, path, bytes, size, subject);
    if (status == SUMAC_OK) {
        *state = (checkpoint_state){.done = load_le64(bytes + AT_DONE),
                                    .bases_sum = load_le64(bytes + AT_BASES_SUM),
                                    .scalars_sum = load_le64(bytes + AT_SCALARS_SUM)};
        memcpy(point, bytes + AT_POINT, subject->curve->info.point_bytes);
    }
    return status;
}

sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint_subject *subject,
                              const checkpoint_state *state, const uint8_t *point)
{
    uint8_t bytes[MOST_BYTES];
    const size_t size = checkpoint_bytes(subject);
    encode_subject(bytes, subject);
    store_le64(bytes + AT_DONE, state->done);
    store_le64(bytes + AT_BASES_SUM, state->bases_sum);
    store_le64(bytes + AT_SCALARS_SUM, state->scalars_sum);
    memcpy(bytes + AT_POINT, point, subject->curve->info.point_bytes);
    store_le64(bytes + size - TRAILER_BYTES, checksum_of(bytes, size - TRAILER_BYTES));
    output_file file;
    sumac_status status = output_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = output_write(&file, bytes, size);
    }
    return output_close(&file, status);
}
