/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verifying keys, from points and from files: the part of a .zkey or a prepared key that verifies, verification_key.json, or
 * gnark's. */
#include "groth16/verifying_key.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/sizes.h"
#include "base/try.h"
#include "groth16/key_format.h"
#include "groth16/proof_json.h"
#include "io/memory.h"

/* ---- From points ---- */

static void close_verifying(sumac_groth16_verifying_key **key)
{
    sumac_groth16_verifying_key_destroy(*key);
}

static void close_bases(sumac_bases **bases)
{
    sumac_bases_destroy(*bases);
}

sumac_status file_bases_create(sumac_context *context, const sumac_curve *curve, const void *points, size_t n,
                               const sumac_bases_config *config, const char *what, sumac_bases **bases)
{
    const sumac_status status = sumac_bases_create(context, curve, points, n, config, bases);
    return is_bad_point(status) ? refuse_in(&context_executor(context)->message, status, "%s", what) : status;
}

/* Check a few points of a file, and make them raw and canonical. */
static sumac_status take_points(sumac_context *context, const sumac_curve *curve, const uint8_t *points,
                                size_t n, const sumac_bases_config *config, const char *what, uint8_t *raw)
{
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    TRY(file_bases_create(context, curve, points, n, config, what, &bases));
    return sumac_bases_get(context, bases, 0, n, raw);
}

/* Multiply points of the second group, which take_points() has checked, by r - 1. */
static sumac_status negate(sumac_context *context, const groups *of, const uint8_t *points, uint8_t *negated)
{
    uint8_t scalars[VERIFYING_G2 * MOST_SCALAR_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config unchecked = sumac_bases_config_default();
    sumac_msm_config config = sumac_msm_config_default();
    unchecked.check = SUMAC_CHECK_NONE;
    config.batch = VERIFYING_G2;
    config.separate_bases = 1;
    for (size_t i = 0; i < VERIFYING_G2; i++) {
        uint8_t *scalar = scalars + i * of->info2->scalar_bytes;
        memcpy(scalar, of->info2->order, of->info2->scalar_bytes);
        scalar[0]--; /* r is odd */
    }
    TRY(sumac_bases_create(context, of->g2, points, VERIFYING_G2, &unchecked, &bases));
    return sumac_msm(context, bases, scalars, 1, &config, negated);
}

sumac_status verifying_create_without(sumac_context *context, const groups *of, uint64_t publics,
                                      sumac_groth16_verifying_key **verifying)
{
    sumac_groth16_verifying_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a key", sizeof *key);
    }
    key->groups = *of;
    key->publics = publics;
    *verifying = key;
    return SUMAC_OK;
}

sumac_status verifying_create(sumac_context *context, const groups *of, const verifying_points *points,
                              sumac_check check, sumac_groth16_verifying_key **verifying)
{
    CLEANUP(close_verifying) sumac_groth16_verifying_key *key = NULL;
    TRY(verifying_create_without(context, of, points->publics, &key));
    const size_t bytes = of->info2->point_bytes;
    uint8_t *g2 = key->g2_points, minus[VERIFYING_G2 * MOST_POINT_BYTES];
    sumac_bases_config config = sumac_bases_config_default();
    config.form = points->form;
    config.check = check;
    config.replicated = 1;
    memcpy(g2, points->beta2, bytes);
    memcpy(g2 + bytes, points->gamma2, bytes);
    memcpy(g2 + 2 * bytes, points->delta2, bytes);
    TRY(take_points(context, of->g1, points->alpha1, 1, &config, points->what, key->alpha1));
    TRY(take_points(context, of->g2, g2, VERIFYING_G2, &config, points->what, g2));
    TRY(negate(context, of, g2, minus));
    const sumac_status status = sumac_pairing_points_create(context, of->g2, minus, VERIFYING_G2,
                                                            SUMAC_CHECK_NONE, &key->minus_points);
    TRY(status == SUMAC_NOT_SUPPORTED ? SUMAC_OK : status); /* no pairing: nothing is verified */
    TRY(file_bases_create(context, of->g1, points->ic, points->publics + 1, &config, points->ic_what,
                          &key->ic));
    *verifying = key;
    key = NULL;
    return SUMAC_OK;
}

void sumac_groth16_verifying_key_destroy(sumac_groth16_verifying_key *verifying)
{
    if (verifying != NULL) {
        sumac_bases_destroy(verifying->ic);
        sumac_pairing_points_destroy(verifying->minus_points);
        free(verifying);
    }
}

sumac_status verifying_check_usable(sumac_context *context, const sumac_groth16_verifying_key *verifying)
{
    if (verifying->ic == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "proofs of this key are not verified: it was opened without its verifying key");
    }
    return verifying->minus_points != NULL
               ? bases_check_usable(context, verifying->ic)
               : fail(context, SUMAC_NOT_SUPPORTED,
                      "proofs over %s are not verified: there is no pairing of it here",
                      verifying->groups.info1->name);
}

sumac_status sumac_groth16_verifying_key_describe(const sumac_groth16_verifying_key *verifying,
                                                  sumac_groth16_info *info)
{
    sumac_message message;
    if (verifying == NULL || info == NULL || public_check(&public_groth16_info, info, &message) != SUMAC_OK) {
        return SUMAC_BAD_ARGUMENT;
    }
    const groups *of = &verifying->groups;
    const sumac_groth16_info described = {
        .size = sizeof described,
        .g1 = of->g1,
        .g2 = of->g2,
        .publics = verifying->publics,
        .publics_bytes = verifying->publics * of->info1->scalar_bytes,
        .proof_bytes = of->proof_bytes,
        .has_verifying_key = verifying->ic != NULL,
    };
    public_copy(&described, info);
    return SUMAC_OK;
}

/* ---- From files ---- */

/* Read a key of any format, which its first bytes tell, or the curve of its points. */
static sumac_status read_any(input_file *file, sumac_groth16_verifying_key **verifying)
{
    uint8_t begins[KEY_BEGINS_BYTES] = {0};
    size_t got = 0;
    int is_gnark = 0;
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    TRY(input_read(file, begins, sizeof begins, &got));
    if (zkey_key_format.fits(begins, got)) {
        return zkey_read_verifying_key(file, verifying);
    }
    if (prepared_key_format.fits(begins, got)) {
        return prepared_read_verifying(file, verifying);
    }
    TRY(gnark_read_verifying_key(file, &is_gnark, verifying));
    if (is_gnark) {
        return SUMAC_OK;
    }
    if (got > 0 && memchr("{ \t\r\n", begins[0], 5) == NULL) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: it is no JSON and no .zkey, and no verifying key of gnark: its third point, "
                    "G2.Beta, is of no curve that this build knows",
                    file->path);
    }
    sumac_status status;
    AUTO_FREE char *text = memory_allocate(file->context, file->path, file->size, &status);
    TRY(status);
    TRY(input_seek(file, 0));
    TRY(input_read_exactly(file, text, (size_t)file->size));
    return json_read_verifying(file->context, text, (size_t)file->size, file->path, verifying);
}

static sumac_status begin(sumac_context *context, int input_is_there, sumac_groth16_verifying_key **verifying)
{
    if (verifying != NULL) {
        *verifying = NULL;
    }
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    return input_is_there && verifying != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "what is read and verifying must not be null");
}

sumac_status sumac_groth16_verifying_key_open(sumac_context *context, const char *path,
                                              sumac_groth16_verifying_key **verifying)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin(held, path != NULL, verifying));
    CLEANUP(input_close) input_file file = {.descriptor = -1};
    TRY(input_open(&file, context, path));
    return read_any(&file, verifying);
}

sumac_status sumac_groth16_verifying_key_create(sumac_context *context, const void *bytes, size_t count,
                                                sumac_groth16_verifying_key **verifying)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin(held, bytes != NULL, verifying));
    input_file file;
    input_open_bytes(&file, context, bytes, count, "the verifying key");
    return read_any(&file, verifying);
}
