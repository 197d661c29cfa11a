/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/wtns.h"

#include <inttypes.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "codec/file_kinds.h"

sumac_status wtns_decode_header(const uint8_t *bytes, uint64_t size, wtns_header *header, sumac_message *why)
{
    TRY(binfile_prime_bytes(bytes, size, 8, &header->scalar_bytes, why));
    header->order = bytes + 4;
    header->wires = load_le32(bytes + 4 + header->scalar_bytes);
    return SUMAC_OK;
}

const file_kind wtns_kind = FILE_KIND(WTNS_MAGIC, "a witness of snarkjs (.wtns)", FILE_OTHER,
                                      "`sumac groth16 prove` and `sumac plonk prove` take it; the values in "
                                      "its section 2 are raw scalars, which as snarkjs "
                                      "writes the file begin at byte 76: tail -c +77 has them");
