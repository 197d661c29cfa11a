/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/file_kinds.h"

#include <stdio.h>

#include "codec/bytes.h"

/* The more certainly its first bytes identify a kind, the earlier it is in this list. */
static const file_kind *const kinds[] = {
    &table_kind,
    &partial_kind,
    &checkpoint_kind,
    &setup_kind,
    &fk20_kind,
    &prepared_key_kind,
    &prepared_plonk_kind,
    &other_version_kind,
    &trusted_setup_kind,
    &zkey_kind,
    &wtns_kind,
    &ptau_kind,
    &r1cs_kind,
    &gnark_plonk_kind,
    &gnark_system_kind,
    &gnark_key_dump_kind,
    &gnark_dump_kind,
    &aztec_kind,
    &halo2_kind,
    &gnark_slice_kind,
    &arkworks_kind,
    &gnark_key_kind,
    &gnark_verifying_key_kind,
    &gnark_proof_kind,
    &gnark_solution_kind,
    &gnark_witness_kind,
};

/* Compressed and uncompressed points and scalars of common curves have these sizes. If p has 255 or 256 bits, the flags
 * need another byte. */
static const uint64_t record_bytes[] = {32, 33, 40, 48, 64, 65, 80, 96, 128, 160, 192, 384};

uint64_t file_kind_count(const file_kind *kind, const file_head *head)
{
    return head->count < kind->prefix_bytes ? 0
           : kind->big_endian               ? load_be(head->bytes, kind->prefix_bytes)
                                            : load_le(head->bytes, kind->prefix_bytes);
}

int file_fits_count(const file_kind *kind, const file_head *head)
{
    const uint64_t count = file_kind_count(kind, head);
    for (size_t i = 0; count > 0 && i < sizeof record_bytes / sizeof *record_bytes; i++) {
        const uint64_t bytes = head->size - kind->prefix_bytes;
        if (bytes / count == record_bytes[i] && bytes % count == 0) {
            return 1;
        }
    }
    return 0;
}

const file_kind *file_kind_find(const file_head *head)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const file_kind *kind = kinds[i];
        const int fits = kind->magic != NULL ? head->count >= kind->magic_bytes &&
                                                   memcmp(head->bytes, kind->magic, kind->magic_bytes) == 0
                                             : kind->fits(kind, head);
        if (fits) {
            return kind;
        }
    }
    return NULL;
}

const char *file_likely_text(const file_head *head, char text[FILE_LIKELY_BYTES])
{
    const file_kind *kind = file_kind_find(head);
    text[0] = '\0';
    if (kind != NULL) {
        (void)snprintf(text, FILE_LIKELY_BYTES, "; it looks like %s%s%s", kind->name,
                       kind->advice != NULL ? ": " : "", kind->advice != NULL ? kind->advice : "");
    }
    return text;
}
