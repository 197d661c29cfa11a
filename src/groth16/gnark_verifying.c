/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/gnark_verifying.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "io/memory.h"

/* beta2 is a point of one group alone, with a probability of 1 - 2^-125 at least. */
static sumac_status try_beta2(input_file *file, const groups *of, const point_format *encoding, int *fits)
{
    uint8_t raw[MOST_POINT_BYTES];
    const gnark_points beta2 = gnark_verifying_key_beta2(of->info1, of->info2, encoding);
    *fits = 0;
    if (beta2.offset + beta2.format->record_bytes(of->info2) > file->size) {
        return SUMAC_OK;
    }
    const sumac_status status = gnark_points_read(file, of->g2, &beta2, SUMAC_CHECK_SUBGROUP, raw);
    *fits = status == SUMAC_OK && !all_zero(raw, of->info2->point_bytes);
    return is_bad_point(status) ? SUMAC_OK : status;
}

/* Key i of all curves' in both encodings; 0 if this build does not have the curve. */
static int key_at(size_t i, groups *found, const point_format **encoding)
{
    *encoding = i % 2 == 0 ? &gnark_compressed_format : &gnark_raw_format;
    return groups_at(i / 2, found);
}

sumac_status gnark_verifying_find(input_file *file, groups *found, const point_format **encoding)
{
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < 2 * groups_count() && status == SUMAC_OK; i++) {
        int fits = 0;
        if (key_at(i, found, encoding)) {
            status = try_beta2(file, found, *encoding, &fits);
        }
        if (fits) {
            return SUMAC_OK;
        }
    }
    *encoding = NULL;
    return status;
}

sumac_status gnark_verifying_refuse(input_file *file)
{
    char curves[100] = "";
    uint64_t beta2 = 0;
    const byte_source source = input_source(file);
    for (size_t i = 0; i < 2 * groups_count(); i++) {
        groups of;
        const point_format *encoding;
        gnark_verifying_key key;
        sumac_message why;
        if (key_at(i, &of, &encoding) &&
            gnark_verifying_key_read(&key, &source, of.info1, of.info2, encoding, &why) == SUMAC_OK) {
            const size_t length = strlen(curves);
            (void)snprintf(curves + length, sizeof curves - length, "%s%s", length > 0 ? " or " : "",
                           of.info1->name);
            beta2 = key.beta2.offset;
        }
    }
    return curves[0] == '\0' ? SUMAC_OK
                             : fail(file->context, SUMAC_BAD_FILE,
                                    "%s: by its length a verifying key of gnark over %s, but its third "
                                    "point, G2.Beta, at byte "
                                    "%" PRIu64 ", is infinity, or none of the second group",
                                    file->path, curves, beta2);
}

/* Those that stand alone, one behind the other. */
static sumac_status read_single(input_file *file, const groups *of, const gnark_verifying_key *key,
                                verifying_points *points, uint8_t raw[6][MOST_POINT_BYTES])
{
    const struct {
        const gnark_points *from;
        const sumac_curve *curve;
        const uint8_t **to; /* null: not needed to verify */
    } singles[] = {{&key->alpha1, of->g1, &points->alpha1},
                   {&key->beta1, of->g1, NULL},
                   {&key->beta2, of->g2, &points->beta2},
                   {&key->gamma2, of->g2, &points->gamma2},
                   {&key->delta1, of->g1, NULL},
                   {&key->delta2, of->g2, &points->delta2}};
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < sizeof singles / sizeof *singles && status == SUMAC_OK; i++) {
        status = gnark_points_read(file, singles[i].curve, singles[i].from, SUMAC_CHECK_SUBGROUP, raw[i]);
        if (singles[i].to != NULL) {
            *singles[i].to = raw[i];
        }
    }
    return status;
}

static sumac_status read_points(input_file *file, const groups *of, const gnark_verifying_key *key,
                                uint8_t *ic, sumac_groth16_verifying_key **verifying)
{
    uint8_t raw[6][MOST_POINT_BYTES];
    verifying_points points = {
        .ic = ic, .publics = key->k.count - 1, .what = file->path, .ic_what = file->path};
    sumac_status status = read_single(file, of, key, &points, raw);
    status = status == SUMAC_OK ? gnark_points_read(file, of->g1, &key->k, SUMAC_CHECK_SUBGROUP, ic) : status;
    return status == SUMAC_OK ? verifying_create(file->context, of, &points, SUMAC_CHECK_NONE, verifying)
                              : status;
}

sumac_status gnark_verifying_read(input_file *file, const groups *of, const point_format *encoding,
                                  sumac_groth16_verifying_key **verifying)
{
    gnark_verifying_key key;
    sumac_message why = {""};
    const byte_source source = input_source(file);
    sumac_status status = input_refuse(
        file, gnark_verifying_key_read(&key, &source, of->info1, of->info2, encoding, &why), &why);
    if (status != SUMAC_OK) {
        return status;
    }
    const uint64_t bytes = key.k.count * of->info1->point_bytes;
    uint8_t *ic = memory_allocate(file->context, file->path, bytes, &status);
    status = status == SUMAC_OK ? read_points(file, of, &key, ic, verifying) : status;
    free(ic);
    return status;
}
