/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/wtns_input.h"

#include <inttypes.h>

#include "api/call.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/wtns.h"
#include "io/binfile_input.h"
#include "io/groups.h"

/* Check that the header has the field and the number of wires of the key. */
static sumac_status check_header(binfile_input *input, const sumac_group *group, uint32_t wires)
{
    uint8_t bytes[WTNS_MOST_HEADER_BYTES];
    const binfile_section *section;
    wtns_header header;
    TRY(binfile_input_header(input, WTNS_HEADER, bytes, sizeof bytes, &section));
    TRY(input_refuse(input->file, wtns_decode_header(bytes, section->size, &header, &input->file->why)));
    if (!is_integer(group->order, group->scalar_bytes, header.order, header.scalar_bytes)) {
        return fail(input->file->context, SUMAC_MISMATCH,
                    "%s: section 1 (header), at byte %" PRIu64
                    ": a witness modulo another prime than the order of the "
                    "key's curve, %s",
                    input->file->path, section->offset, group->curve);
    }
    return header.wires == wires ? SUMAC_OK
                                 : fail(input->file->context, SUMAC_BAD_LENGTH,
                                        "%s: section 1 (header), at byte %" PRIu64 ": a witness of %" PRIu32
                                        " wires, and the key has %" PRIu32,
                                        input->file->path, section->offset, header.wires, wires);
}

sumac_status wtns_input_read(input_file *file, const sumac_group *group, uint32_t wires, uint8_t **witness)
{
    binfile_input input;
    const binfile_section *section;
    TRY(binfile_input_begin(&input, file, WTNS_MAGIC, WTNS_KIND, WTNS_VERSION));
    TRY(check_header(&input, group, wires));
    TRY(binfile_input_expect(&input, WTNS_VALUES, "values", (uint64_t)wires * group->scalar_bytes, &section));
    TRY(binfile_input_take(&input, section, witness));
    const size_t wrong = scalars_first_too_large(group, *witness, wires);
    return wrong == wires ? SUMAC_OK
                          : fail(file->context, SUMAC_BAD_ENCODING,
                                 "%s: section 2 (values), at byte %" PRIu64 ": wire %zu is not less than r",
                                 file->path, section->offset + wrong * group->scalar_bytes, wrong);
}
