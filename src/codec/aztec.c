/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines the format `aztec`. It is that of bn254_g1.dat and bn254_g2.dat of Aztec's reference string, which
 * barretenberg reads. An element of Fp has 32 bytes and is big-endian; over Fp2 c0 is first. If all bits are set, the
 * point is infinity. */
#include <string.h>

#include "codec/bytes.h"
#include "codec/file_kinds.h"
#include "codec/format.h"

static int holds_bn254(const sumac_group *info)
{
    return strcmp(info->curve, "bn254") == 0;
}

const point_format aztec_format = {
    .info =
        FORMAT_READ_WRITE("aztec", "BN254 as in Aztec's bn254_g1.dat and bn254_g2.dat: x then y, big-endian"),
    .holds = holds_bn254,
    .layout = LAYOUT_RECORDS,
    .encoding = {.big_endian = 1, .ones_are_infinity = 1},
};

/* The file begins with the generator, (1, 2), in 32 bytes each, big-endian. */
static int fits_aztec(const file_kind *kind, const file_head *head)
{
    (void)kind;
    return head->size % 64 == 0 && head->count >= 64 && all_zero(head->bytes, 31) && head->bytes[31] == 1 &&
           all_zero(head->bytes + 32, 31) && head->bytes[63] == 2;
}

const file_kind aztec_kind = FILE_KIND_BY(fits_aztec, "points of Aztec (bn254_g1.dat)", FILE_POINTS,
                                          "sumac reads them in the format aztec");
