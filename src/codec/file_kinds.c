/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/file_kinds.h"

#include <stdio.h>
#include <string.h>

static uint64_t load(const uint8_t *bytes, size_t count, int big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        value = value << 8 | bytes[big_endian ? i : count - 1 - i];
    }
    return value;
}

static int all_zero(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            return 0;
        }
    }
    return 1;
}

/* Two decimal numbers, a line each, and hexadecimal behind them. */
static int fits_ceremony(const file_kind *kind, const file_head *head)
{
    size_t at = 0;
    (void)kind;
    for (int line = 0; line < 2; line++) {
        const size_t begin = at;
        while (at < head->count && head->bytes[at] >= '0' && head->bytes[at] <= '9') {
            at++;
        }
        const size_t digits = at - begin;
        at += at < head->count && head->bytes[at] == '\r';
        if (digits == 0 || digits > 8 || at >= head->count || head->bytes[at++] != '\n') {
            return 0;
        }
    }
    for (size_t i = 0; i < 96; i++) {
        if (at + i >= head->count || memchr("0123456789abcdefABCDEF", head->bytes[at + i], 22) == NULL) {
            return 0;
        }
    }
    return 1;
}

/* What the files of all versions begin with, partial results apart. */
static int fits_other_version(const file_kind *kind, const file_head *head)
{
    (void)kind;
    return head->count >= 8 &&
           (memcmp(head->bytes, "sumacPR1", 8) == 0 ||
            (memcmp(head->bytes, "\x89S", 2) == 0 && memcmp(head->bytes + 6, "\r\n", 2) == 0));
}

/* Compressed and uncompressed points, and scalars, of the curves that people have: 255 and 256 bits of p
 * leave no room for flags, which take a byte more. */
static const uint64_t record_bytes[] = {32, 33, 40, 48, 64, 65, 80, 96, 128, 160, 192, 384};

uint64_t file_kind_count(const file_kind *kind, const file_head *head)
{
    return head->count < kind->prefix_bytes ? 0 : load(head->bytes, kind->prefix_bytes, kind->big_endian);
}

/* So many records and nothing else. */
static int fits_count(const file_kind *kind, const file_head *head)
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

/* k; 2^k points of G1, again as many, two of G2: uncompressed, or half of that. */
static int fits_halo2(const file_kind *kind, const file_head *head)
{
    static const uint64_t g1_bytes[] = {32, 64, 48, 96};
    (void)kind;
    const uint64_t k = head->count < 4 ? 0 : load(head->bytes, 4, 0);
    for (size_t i = 0; k > 0 && k < 40 && i < sizeof g1_bytes / sizeof *g1_bytes; i++) {
        if (head->size == 4 + ((UINT64_C(2) << k) + 4) * g1_bytes[i]) {
            return 1;
        }
    }
    return 0;
}

/* The generator first: (1, 2), in 32 bytes each, big-endian. */
static int fits_aztec(const file_kind *kind, const file_head *head)
{
    (void)kind;
    return head->size % 64 == 0 && head->count >= 64 && all_zero(head->bytes, 31) && head->bytes[31] == 1 &&
           all_zero(head->bytes + 32, 31) && head->bytes[63] == 2;
}

/* A domain first, or behind a dump's marker: its size, a power of two in 8 bytes, then 1/size, a root, 1/root, and a small
 * generator of the multiplicative group, in 32 or 48 bytes each, all big-endian. */
static int fits_gnark_key(const file_kind *kind, const file_head *head)
{
    const size_t at = kind->prefix_bytes;
    if (at != 0 && (head->count < at || load(head->bytes, at, 0) != 0xdeadbeef)) {
        return 0;
    }
    for (size_t bytes = 32; bytes <= 48; bytes += 16) {
        const size_t generator = at + 8 + 3 * bytes;
        if (head->count < generator + bytes) {
            return 0;
        }
        const uint64_t domain = load(head->bytes + at, 8, 1);
        if (domain > 1 && domain <= UINT64_C(1) << 40 && (domain & (domain - 1)) == 0 &&
            all_zero(head->bytes + generator, bytes - 1) && head->bytes[generator + bytes - 1] > 1) {
            return 1;
        }
    }
    return 0;
}

/* Points of gnark's curves, of G1 and of G2, compressed and raw. */
static const struct {
    uint64_t g1, g2;
} gnark_points[] = {{32, 64}, {64, 128}, {48, 96}, {96, 192}, {96, 96}, {192, 192}};

enum { GNARK_POINTS = sizeof gnark_points / sizeof *gnark_points };

/* Three points of each group, a count, as many of G1, and two numbers that are 0. */
static int fits_gnark_verifying_key(const file_kind *kind, const file_head *head)
{
    (void)kind;
    for (size_t i = 0; i < GNARK_POINTS; i++) {
        const uint64_t at = 3 * (gnark_points[i].g1 + gnark_points[i].g2);
        if (head->count >= at + 4 &&
            head->size == at + 12 + load(head->bytes + at, 4, 1) * gnark_points[i].g1) {
            return 1;
        }
    }
    return 0;
}

/* Points of G1, G2, G1, a number that is 0, and infinity. */
static int fits_gnark_proof(const file_kind *kind, const file_head *head)
{
    (void)kind;
    for (size_t i = 0; i < GNARK_POINTS; i++) {
        const uint64_t at = 2 * gnark_points[i].g1 + gnark_points[i].g2;
        if (head->size == at + 4 + gnark_points[i].g1 && head->count == head->size &&
            all_zero(head->bytes + at, 4) && all_zero(head->bytes + at + 5, (size_t)gnark_points[i].g1 - 1)) {
            return 1;
        }
    }
    return 0;
}

/* Four vectors, each a count of 4 bytes and elements of 32 or 48, of which the first one is 1; the last three are as long
 * as each other. */
static int fits_gnark_solution(const file_kind *kind, const file_head *head)
{
    (void)kind;
    for (uint64_t bytes = 32; bytes <= 48; bytes += 16) {
        const uint64_t wires = head->count < 4 + bytes ? 0 : load(head->bytes, 4, 1) * bytes;
        if (wires > 0 && head->size >= 16 + wires && (head->size - 16 - wires) % (3 * bytes) == 0 &&
            all_zero(head->bytes + 4, (size_t)bytes - 1) && head->bytes[3 + bytes] == 1) {
            return 1;
        }
    }
    return 0;
}

/* How many inputs are public and how many secret, a count, which is the sum, and so many elements. */
static int fits_gnark_witness(const file_kind *kind, const file_head *head)
{
    (void)kind;
    const uint64_t count = head->count < 12 ? 0 : load(head->bytes + 8, 4, 1);
    return count > 0 && load(head->bytes, 4, 1) + load(head->bytes + 4, 4, 1) == count &&
           (head->size == 12 + 32 * count || head->size == 12 + 48 * count);
}

/* A kind with first bytes of its own. */
#define MAGIC(text, is, whose, what_to_do)                                                                   \
    {                                                                                                        \
        .name = (is), .advice = (what_to_do), .family = (whose), .magic = (text),                            \
        .magic_bytes = sizeof(text) - 1                                                                      \
    }

/* A kind of file of this library, by its container's magic and version, and the kind's number. */
#define OURS(number, is, whose, what_to_do)                                                                  \
    MAGIC("\x89SUMAC\r\n\2\0\0\0" number "\0\0\0", is, whose, what_to_do)

static const char gnark_key_advice[] = "`sumac groth16 prove` takes it with its verifying key and a solved "
                                       "witness, and `sumac groth16 info` tells more";

/* Those that tell most first. */
static const file_kind kinds[] = {
    OURS("\1", "a table", FILE_TABLE, NULL),
    OURS("\2", "a partial result", FILE_PARTIAL, NULL),
    OURS("\3", "a checkpoint", FILE_CHECKPOINT, NULL),
    OURS("\4", "a saved setup", FILE_SETUP, NULL),
    OURS("\5", "saved FK20 tables", FILE_FK20, NULL),
    OURS("\6", "a prepared proving key", FILE_OTHER,
         "`sumac groth16 prove` takes it, and `sumac groth16 info` tells more"),
    {.name = "a file of another version of sumac",
     .advice = "this version has to write it again",
     .family = FILE_OTHER,
     .fits = fits_other_version},
    {.name = "a trusted setup, as text", .family = FILE_SETUP, .fits = fits_ceremony},
    MAGIC("zkey", "a proving key of snarkjs (.zkey)", FILE_OTHER,
          "`sumac groth16 prove` takes it, and `sumac groth16 info` tells more"),
    MAGIC("wtns", "a witness of snarkjs (.wtns)", FILE_OTHER,
          "`sumac groth16 prove` takes it; the values in its section 2 are raw scalars, which as snarkjs "
          "writes the file begin at byte 76: tail -c +77 has them"),
    MAGIC("ptau", "powers of tau of snarkjs (.ptau)", FILE_POINTS,
          "sumac reads each of its sections: the formats ptau-tau, ptau-beta and others of that beginning"),
    MAGIC("r1cs", "constraints of circom (.r1cs)", FILE_OTHER,
          "`sumac groth16 setup` takes it; it holds no points or scalars of an MSM"),
    {.name = "a dump of a proving key of gnark",
     .advice = gnark_key_advice,
     .family = FILE_OTHER,
     .prefix_bytes = 8,
     .fits = fits_gnark_key},
    MAGIC("\xef\xbe\xad\xde\0\0\0\0", "a dump of gnark-crypto", FILE_POINTS,
          "sumac reads it in the format gnark-dump"),
    {.name = "points of Aztec (bn254_g1.dat)",
     .advice = "sumac reads them in the format aztec",
     .family = FILE_POINTS,
     .fits = fits_aztec},
    {.name = "parameters of halo2 (ParamsKZG)",
     .advice = "sumac reads them in the formats halo2-monomial and halo2-lagrange",
     .family = FILE_POINTS,
     .fits = fits_halo2},
    {.name = "a slice of gnark-crypto",
     .advice = "sumac reads it in the formats gnark-compressed and gnark-raw",
     .family = FILE_POINTS,
     .prefix_bytes = 4,
     .big_endian = 1,
     .fits = fits_count},
    {.name = "a vector of arkworks",
     .advice = "sumac reads it in the formats arkworks-compressed and arkworks-uncompressed",
     .family = FILE_POINTS,
     .prefix_bytes = 8,
     .fits = fits_count},
    {.name = "a proving key of gnark",
     .advice = gnark_key_advice,
     .family = FILE_OTHER,
     .fits = fits_gnark_key},
    {.name = "a verifying key of gnark",
     .advice = "`sumac groth16 verify` takes it, and `sumac groth16 prove --verifying-key`",
     .family = FILE_OTHER,
     .fits = fits_gnark_verifying_key},
    {.name = "a proof of gnark",
     .advice = "`sumac groth16 verify` takes it",
     .family = FILE_OTHER,
     .fits = fits_gnark_proof},
    {.name = "a solved witness of gnark (R1CSSolution)",
     .advice = "`sumac groth16 prove` takes it with gnark's key",
     .family = FILE_OTHER,
     .fits = fits_gnark_solution},
    {.name = "a witness of gnark",
     .advice =
         "`sumac groth16 verify` takes one of public inputs alone; to prove, gnark has to solve it first",
     .family = FILE_OTHER,
     .fits = fits_gnark_witness},
};

const file_kind *file_kind_find(const file_head *head)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const file_kind *kind = &kinds[i];
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
