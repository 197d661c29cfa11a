/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/gnark_solution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "io/memory.h"

/* A vector's count, from `least` to `most`. */
static sumac_status read_count(input_file *file, const char *name, uint32_t least, uint32_t most,
                               uint32_t *count)
{
    uint8_t bytes[4], reversed[4];
    const uint64_t at = file->offset;
    const sumac_status status = input_read_exactly(file, bytes, sizeof bytes);
    if (status != SUMAC_OK) {
        return status;
    }
    reverse_bytes(reversed, bytes, sizeof bytes);
    *count = load_le32(reversed);
    return *count >= least && *count <= most
               ? SUMAC_OK
               : fail(file->context, SUMAC_BAD_LENGTH,
                      "%s: %s, at byte %" PRIu64 ", has %" PRIu32 " elements, and by the key %s%" PRIu32,
                      file->path, name, at, *count, least == most ? "" : "at most ", most);
}

/* Its elements, raw. */
static sumac_status read_elements(input_file *file, const char *name, const sumac_curve_info *info,
                                  uint32_t count, uint8_t *elements)
{
    const size_t bytes = info->scalar_bytes;
    const uint64_t at = file->offset;
    const sumac_status status = input_read_exactly(file, elements, count * bytes);
    for (uint32_t i = 0; i < count && status == SUMAC_OK; i++) {
        uint8_t element[MOST_SCALAR_BYTES];
        reverse_bytes(element, elements + i * bytes, bytes);
        memcpy(elements + i * bytes, element, bytes);
        if (!integer_is_less(element, (const uint8_t *)info->order, bytes)) {
            return fail(file->context, SUMAC_BAD_ENCODING,
                        "%s: %s, at byte %" PRIu64 ": element %" PRIu32 " is not less than r", file->path,
                        name, at + i * bytes, i);
        }
    }
    return status;
}

/* C is A o B: it is not looked at. */
static sumac_status read_vectors(input_file *file, const sumac_groth16_key *key, uint8_t *witness)
{
    const sumac_curve_info *info = key->verifying->groups.info1;
    uint8_t *a = witness + (size_t)key->wires * info->scalar_bytes;
    uint8_t *b = a + (size_t)key->domain * info->scalar_bytes;
    uint32_t count, rows = 0;
    uint64_t got;
    sumac_status status = read_count(file, "W", key->wires, key->wires, &count);
    status = status == SUMAC_OK ? read_elements(file, "W", info, count, witness) : status;
    status = status == SUMAC_OK ? read_count(file, "A", 0, key->domain, &rows) : status;
    status = status == SUMAC_OK ? read_elements(file, "A", info, rows, a) : status;
    status = status == SUMAC_OK ? read_count(file, "B", rows, rows, &count) : status;
    status = status == SUMAC_OK ? read_elements(file, "B", info, rows, b) : status;
    status = status == SUMAC_OK ? read_count(file, "C", rows, rows, &count) : status;
    status = status == SUMAC_OK ? input_skip(file, (uint64_t)rows * info->scalar_bytes, &got) : status;
    if (status == SUMAC_OK && got < (uint64_t)rows * info->scalar_bytes) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: truncated: it ends within C, at byte %" PRIu64,
                    file->path, file->offset);
    }
    return status == SUMAC_OK ? input_expect_end(file) : status;
}

sumac_status gnark_solution_read(input_file *file, const sumac_groth16_key *key, uint8_t **witness)
{
    const size_t scalars = key_witness_scalars(key), bytes = key->verifying->groups.info1->scalar_bytes;
    sumac_status status;
    *witness = memory_zeros(file->context, file->path, scalars * bytes, &status);
    return status == SUMAC_OK ? read_vectors(file, key, *witness) : status;
}
