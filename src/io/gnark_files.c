/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/gnark_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "io/importer.h"
#include "io/memory.h"

sumac_status gnark_read_points(input_file *file, const sumac_group *group, const gnark_points *points,
                               sumac_check check, uint8_t *raw)
{
    enum { SLICE = 1 << 16 /* points whose records are read at a time */ };
    const size_t each = format_record_bytes(points->format, group);
    sumac_status status;
    TAKE_MEMORY(uint8_t, records, file->context, file->path, smaller(points->count, SLICE) * each);
    for (uint64_t first = 0; first < points->count; first += SLICE) {
        const size_t n = smaller(points->count - first, SLICE);
        TRY(input_seek(file, points->offset + first * each));
        TRY(input_read_exactly(file, records, n * each));
        status = encoded_points_decode(file->context, group, points->format, "point", (size_t)first, records,
                                       n, check, raw + first * group->point_bytes);
        if (point_is_refused(status)) {
            return refuse_in(&context_executor(file->context)->message, status,
                             "%s: %s, from byte %" PRIu64 " on", file->path, points->name, points->offset);
        }
        TRY(status);
    }
    return SUMAC_OK;
}

int gnark_find_groups(const uint8_t *domain, groups *found)
{
    for (size_t i = 0; i < groups_count(); i++) {
        if (groups_at(i, found) && gnark_domain_is_of(domain, found->g1)) {
            return 1;
        }
    }
    return 0;
}

/* ---- Public inputs ---- */

enum { PUBLICS_HEAD = 12 };

sumac_status gnark_encode_publics(sumac_context *context, const sumac_group *g1, uint64_t publics_count,
                                  const uint8_t *publics, void **bytes, size_t *count)
{
    const size_t each = g1->scalar_bytes;
    const size_t size = PUBLICS_HEAD + (size_t)publics_count * each;
    uint8_t *encoded = memory_zeros(context, "public inputs", size);
    TRY(memory_got(encoded));
    store_le32(encoded, __builtin_bswap32((uint32_t)publics_count));
    store_le32(encoded + 8, __builtin_bswap32((uint32_t)publics_count));
    for (size_t i = 0; i < publics_count; i++) {
        reverse_bytes(encoded + PUBLICS_HEAD + i * each, publics + i * each, each);
    }
    *bytes = encoded;
    *count = size;
    return SUMAC_OK;
}

static sumac_status check_head(sumac_context *context, const sumac_group *g1, uint64_t publics_count,
                               const uint8_t *bytes, size_t count, const char *name)
{
    const size_t each = g1->scalar_bytes;
    if (count < PUBLICS_HEAD || (count - PUBLICS_HEAD) / each != load_be(bytes + 8, 4) ||
        (count - PUBLICS_HEAD) % each != 0) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: %zu bytes, which are not 12 and %zu for each element of a witness of gnark over %s",
                    name, count, each, g1->curve);
    }
    if (load_be(bytes + 4, 4) != 0) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: at byte 4: a witness with %u secret inputs, where only public ones are expected",
                    name, (unsigned)load_be(bytes + 4, 4));
    }
    return load_be(bytes, 4) == publics_count && load_be(bytes + 8, 4) == publics_count
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "%s: %u public inputs, where the key has %llu", name,
                      (unsigned)load_be(bytes, 4), (unsigned long long)publics_count);
}

sumac_status gnark_decode_publics(sumac_context *context, const sumac_group *g1, uint64_t publics_count,
                                  const uint8_t *bytes, size_t count, const char *name, uint8_t *publics)
{
    TRY(check_head(context, g1, publics_count, bytes, count, name));
    const size_t each = g1->scalar_bytes;
    TAKE_MEMORY(uint8_t, scalars, context, name, count);
    for (size_t i = 0; i < publics_count; i++) {
        const size_t at = i * g1->scalar_bytes;
        reverse_bytes(scalars + at, bytes + PUBLICS_HEAD + at, g1->scalar_bytes);
        if (!integer_is_less(scalars + at, (const uint8_t *)g1->order, g1->scalar_bytes)) {
            return fail(context, SUMAC_BAD_ENCODING, "%s: public input %zu, at byte %zu, is not less than r",
                        name, i, PUBLICS_HEAD + at);
        }
    }
    if (publics_count > 0) {
        memcpy(publics, scalars, (size_t)publics_count * each);
    }
    return SUMAC_OK;
}
