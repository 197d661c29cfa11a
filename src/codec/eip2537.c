/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `eip2537`: each element of Fp is 64 bytes, big-endian, of which the first 16 are zero; over Fp2
 * c0 then c1; infinity is all zero bytes.
 */
#include "io/eip2537_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases.h"
#include "api/call.h"
#include "codec/bytes.h"
#include "codec/format.h"
#include "io/memory.h"

enum { ELEMENT_BYTES = 64, SCALAR_BYTES = 32 };

static size_t point_bytes(const sumac_curve_info *info)
{
    return (size_t)2 * info->degree * ELEMENT_BYTES;
}

static int decode_point(uint8_t *raw, const uint8_t *record, const sumac_curve_info *info)
{
    const size_t padding = ELEMENT_BYTES - info->field_bytes;
    for (size_t i = 0; i < 2 * info->degree; i++) {
        if (!all_zero(record + i * ELEMENT_BYTES, padding)) {
            return 0;
        }
        reverse_bytes(raw + i * info->field_bytes, record + i * ELEMENT_BYTES + padding, info->field_bytes);
    }
    return 1;
}

static sumac_status decode_points(uint8_t *raw, const uint8_t *records, size_t n,
                                  const sumac_curve_info *info, const convert_ops *convert, sumac_check check,
                                  size_t *bad, const char **problem)
{
    (void)convert;
    (void)check;
    for (size_t i = 0; i < n; i++) {
        if (!decode_point(raw + i * info->point_bytes, records + i * point_bytes(info), info)) {
            *bad = i;
            *problem = "has a coordinate whose first 16 bytes are not zero";
            return SUMAC_BAD_ENCODING;
        }
    }
    return SUMAC_OK;
}

static void encode_point(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                         const convert_ops *convert)
{
    const size_t padding = ELEMENT_BYTES - info->field_bytes;
    (void)convert;
    for (size_t i = 0; i < 2 * info->degree; i++) {
        memset(record + i * ELEMENT_BYTES, 0, padding);
        reverse_bytes(record + i * ELEMENT_BYTES + padding, raw + i * info->field_bytes, info->field_bytes);
    }
}

const point_encoding eip2537_point = {point_bytes, decode_points, encode_point, 0, 0};

static sumac_status eip2537_read(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                                 sumac_bases **bases)
{
    return records_read(file, curve, &eip2537_point, config, bases);
}

static sumac_status eip2537_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    return records_write(context, bases, path, &eip2537_point);
}

const file_format eip2537_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "eip2537",
             .description = "BLS12-381 as Ethereum's precompiles take it: 64-byte big-endian coordinates",
             .can_read = 1,
             .can_write = 1},
    .holds = holds_bls12_381,
    .read = eip2537_read,
    .write = eip2537_write,
    .is_records = 1,
    .encoding = &eip2537_point,
};

size_t eip2537_pair_bytes(const sumac_curve_info *info)
{
    return point_bytes(info) + SCALAR_BYTES;
}

/* Import the points of n pairs, and copy their scalars. */
static sumac_status decode_pairs(point_importer *importer, const uint8_t *input, size_t n, uint8_t *scalars)
{
    const size_t record_bytes = importer->record_bytes;
    const size_t pair_bytes = record_bytes + SCALAR_BYTES;
    while (importer->done < n) {
        const size_t first = (size_t)importer->done;
        const size_t count = n - first < importer->capacity ? n - first : importer->capacity;
        for (size_t i = 0; i < count; i++) {
            const uint8_t *pair = input + (first + i) * pair_bytes;
            memcpy(importer->records + i * record_bytes, pair, record_bytes);
            reverse_bytes(scalars + (first + i) * SCALAR_BYTES, pair + record_bytes, SCALAR_BYTES);
        }
        const sumac_status status =
            point_importer_take(importer, count, (uint64_t)first * pair_bytes, pair_bytes);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return bases_complete(importer->context, importer->bases);
}

sumac_status eip2537_decode_msm(sumac_context *context, const sumac_curve *curve, const uint8_t *input,
                                size_t length, sumac_bases **bases, void **scalars, size_t *n)
{
    const char *const name = "MSM input";
    const size_t pair_bytes = eip2537_pair_bytes(&curve->info);
    const sumac_bases_config config = sumac_bases_config_default();
    *bases = NULL;
    *scalars = NULL;
    *n = length / pair_bytes;
    if (length == 0 || length % pair_bytes != 0) {
        return fail(context, SUMAC_BAD_LENGTH, "%s: %zu bytes are not one or more pairs of %zu bytes", name,
                    length, pair_bytes);
    }
    sumac_status status = bases_for_points(context, curve, name, *n, &config, bases);
    if (status == SUMAC_OK) {
        *scalars = malloc(*n * SCALAR_BYTES);
        status = *scalars == NULL ? memory_failed(context, name, (uint64_t)*n * SCALAR_BYTES) : SUMAC_OK;
    }
    if (status == SUMAC_OK) {
        point_importer importer = {.context = context,
                                   .bases = *bases,
                                   .path = name,
                                   .unit = "byte",
                                   .encoding = &eip2537_point,
                                   .check = SUMAC_CHECK_SUBGROUP,
                                   .total = *n};
        status = point_importer_begin(&importer);
        if (status == SUMAC_OK) {
            status = decode_pairs(&importer, input, *n, *scalars);
        }
        point_importer_end(&importer);
    }
    if (status != SUMAC_OK) {
        sumac_bases_destroy(*bases);
        sumac_free(*scalars);
        *bases = NULL;
        *scalars = NULL;
    }
    return status;
}
