/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/partial.h"

#include "base/try.h"
#include "codec/checksum.h"

static container describe(const sumac_group *info, uint32_t batch)
{
    container file = {.kind = CONTAINER_PARTIAL};
    memcpy(file.curve, info->curve, strnlen(info->curve, CONTAINER_CURVE_BYTES));
    container_add(&file, SECTION_RESULTS, info->name, (uint64_t)batch * info->point_bytes)->count = batch;
    return file;
}

/* Encode the bytes that follow the points. Return how many these are. */
static size_t make_trailer(uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES], const uint8_t *partial,
                           const container *file)
{
    const container_section *points = &file->sections[0];
    return container_encode_trailer(trailer, points,
                                    checksum_of(partial + points->offset, (size_t)points->size));
}

size_t partial_bytes(const sumac_group *info, uint32_t batch)
{
    const container file = describe(info, batch);
    const uint64_t bytes = container_file_bytes(&file);
    return batch == 0 || bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

void partial_seal(uint8_t *partial, const sumac_group *info, uint32_t batch)
{
    uint8_t header[CONTAINER_MOST_HEADER_BYTES], trailer[CONTAINER_MOST_TRAILER_BYTES];
    const container file = describe(info, batch);
    const container_section *points = &file.sections[0];
    const size_t header_bytes = container_encode(header, &file);
    memcpy(partial, header, header_bytes);
    const size_t bytes = make_trailer(trailer, partial, &file);
    memcpy(partial + points->offset + points->size, trailer, bytes);
}

sumac_status partial_check(const uint8_t *partial, const sumac_group *info, uint32_t batch,
                           sumac_message *why)
{
    uint8_t header[CONTAINER_MOST_HEADER_BYTES], trailer[CONTAINER_MOST_TRAILER_BYTES];
    container found;
    const container expected = describe(info, batch);
    const container_section *points = &expected.sections[0];
    TRY(container_decode_head(&found, partial, CONTAINER_PARTIAL, why));
    if (found.count != expected.count) {
        return container_refuse_sizes(why);
    }
    TRY(container_decode(&found, partial, why));
    const size_t header_bytes = container_encode(header, &expected);
    if (memcmp(partial, header, header_bytes) != 0) {
        return refuse(why, SUMAC_MISMATCH, "not of %s/%s with a batch of %u", info->curve, info->name, batch);
    }
    const size_t bytes = make_trailer(trailer, partial, &expected);
    return memcmp(partial + points->offset + points->size, trailer, bytes) == 0
               ? SUMAC_OK
               : container_refuse_section(points, "the points", why);
}
