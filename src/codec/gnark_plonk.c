/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/gnark_plonk.h"

#include <inttypes.h>
#include <string.h>

#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"

static const char magic[] = "sumactrc";

enum { WORD = 8, VERSION = 1 };

const file_kind gnark_plonk_kind =
    FILE_KIND("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", "a PLONK key of gnark", FILE_OTHER,
              "`sumac plonk` takes it, a proving key with the trace of its circuit");

/* Recognize what WriteTo() of a constraint system writes, of Groth16 or PLONK. Numbers of 8 bytes, little-endian, are at its beginning:
 * how many bytes follow the first four; gnark's version 0, m, p; the sizes of four parts, behind which there are coefficients. */
static int fits_gnark_system(const file_kind *kind, const file_head *head)
{
    enum { NUMBERS = 8, VERSION_AT = 1, PARTS_AT = 4, FIRST_MINOR = 10, MOST = 1 << 10 };
    uint64_t numbers[NUMBERS];
    (void)kind;
    if (head->count < sizeof numbers) {
        return 0;
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        numbers[i] = load_le64(head->bytes + i * WORD);
    }
    uint64_t left = head->size - PARTS_AT * (uint64_t)WORD;
    if (numbers[0] != left || numbers[VERSION_AT] != 0 || numbers[VERSION_AT + 1] < FIRST_MINOR ||
        numbers[VERSION_AT + 1] > MOST || numbers[VERSION_AT + 2] > MOST) {
        return 0;
    }
    left -= PARTS_AT * (uint64_t)WORD;
    for (size_t i = PARTS_AT; i < NUMBERS; i++) {
        if (numbers[i] > left) {
            return 0;
        }
        left -= numbers[i];
    }
    return 1;
}

const file_kind gnark_system_kind =
    FILE_KIND_BY(fits_gnark_system, "a constraint system of gnark", FILE_OTHER,
                 "its keys are made in Go, by gnark's groth16.Setup(), or for PLONK by PlonkSetup() of the "
                 "module bindings/go/gnark, which takes a .ptau");

/* ---- A walk through a file ---- */

typedef struct walk {
    cursor at;
    const sumac_group *g1, *g2;
    const point_format *encoding;
} walk;

static gnark_points take_points(walk *w, const char *name, const sumac_group *info, uint64_t count)
{
    const point_format *format = w->encoding->records(info);
    return (gnark_points){name, format, cursor_skip(&w->at, name, count, format_record_bytes(format, info)),
                          count};
}

static gnark_points take_slice(walk *w, const char *name, uint64_t expected)
{
    const uint64_t at = w->at.at, count = cursor_be32(&w->at, name);
    cursor_require(&w->at, count == expected, SUMAC_BAD_FILE,
                   "%s, at byte %" PRIu64 ", has %" PRIu64 " points, where the domain needs %" PRIu64, name,
                   at, count, expected);
    return take_points(w, name, w->g1, count);
}

/* ---- Verifying keys ---- */

size_t gnark_plonk_domain(const uint8_t *bytes, size_t count, int *begins)
{
    const size_t at = count >= WORD && all_zero(bytes, WORD) ? 2 * (size_t)WORD : 0;
    *begins = count >= at + WORD && gnark_domain_begins(bytes + at, count - at);
    return at;
}

/* Take the numbers before the points. The first byte of the points shows how they are encoded. */
static void take_head(walk *w, gnark_plonk_key *key)
{
    const size_t scalar = w->g1->scalar_bytes;
    uint8_t first;
    key->domain = cursor_be64(&w->at, "the marker");
    if (key->domain == 0) {
        const uint64_t version = cursor_be64(&w->at, "the version");
        cursor_require(&w->at, version == VERSION, SUMAC_NOT_SUPPORTED,
                       "a key of gnark of version %" PRIu64 ", and only version %d is known", version,
                       VERSION);
        key->domain = cursor_be64(&w->at, "the domain");
    }
    (void)cursor_skip(&w->at, "the domain", 1, scalar);
    key->root = cursor_skip(&w->at, "the root of unity", 1, scalar);
    key->publics = cursor_be64(&w->at, "the number of public inputs");
    key->shift = cursor_skip(&w->at, "the shift of cosets", 1, scalar);
    cursor_require(&w->at, key->domain >= GNARK_PLONK_LEAST_DOMAIN, SUMAC_NOT_SUPPORTED,
                   "a domain of %" PRIu64 ", and the least one that is supported is %d", key->domain,
                   GNARK_PLONK_LEAST_DOMAIN);
    cursor_require(&w->at, key->domain <= UINT32_C(1) << 30, SUMAC_NOT_SUPPORTED,
                   "a domain of %" PRIu64 ", which is more than 2^30", key->domain);
    cursor_require(&w->at, key->publics <= key->domain, SUMAC_BAD_FILE,
                   "%" PRIu64 " public inputs, and a domain of %" PRIu64, key->publics, key->domain);
    cursor_take(&w->at, "S[0]", &first, 1);
    w->at.at -= w->at.status == SUMAC_OK;
    w->encoding = gnark_encoding(w->g1, first);
}

/* Return how many bytes the lines of the pairing have: for each of two points two tables, whose lines have two coordinates of the
 * second group each. */
static uint64_t lines_bytes(const sumac_group *g1, const sumac_group *g2)
{
    static const struct {
        const char *curve;
        uint32_t lines;
    } loops[] = {{"bn254", 66}, {"bls12-381", 63}, {"bls12-377", 63}, {"bw6-761", 189}};
    size_t i = 0;
    while (strcmp(loops[i].curve, g1->curve) != 0 && i + 1 < sizeof loops / sizeof *loops) {
        i++;
    }
    return UINT64_C(2) * 2 * loops[i].lines * g2->point_bytes;
}

static void take_verifying(walk *w, gnark_plonk_key *key)
{
    take_head(w, key);
    key->points = take_points(w, "a commitment", w->g1, GNARK_PLONK_POINTS);
    const uint64_t at = w->at.at;
    key->commitments =
        cursor_limit(&w->at, at, cursor_be32(&w->at, "Qcp"), GNARK_PLONK_MOST_COMMITMENTS, "commitments");
    key->qcp = take_points(w, "Qcp", w->g1, key->commitments);
    key->generator = take_points(w, "Kzg.G1", w->g1, 1);
    key->generators2 = take_points(w, "Kzg.G2", w->g2, 2);
    (void)cursor_skip(&w->at, "Kzg.Lines", 1, lines_bytes(w->g1, w->g2));
    const uint64_t count_at = w->at.at;
    const uint32_t constraints = cursor_be32(&w->at, "CommitmentConstraintIndexes");
    cursor_require(&w->at, constraints == key->commitments, SUMAC_BAD_FILE,
                   "CommitmentConstraintIndexes, at byte %" PRIu64 ", has %" PRIu32
                   " numbers, and Qcp has %" PRIu32 " points",
                   count_at, constraints, key->commitments);
    key->constraints = cursor_skip(&w->at, "CommitmentConstraintIndexes", constraints, WORD);
}

sumac_status gnark_plonk_verifying_read(gnark_plonk_key *key, const byte_source *source,
                                        const sumac_group *g1, const sumac_group *g2, sumac_message *why)
{
    walk w = {.at = {.source = source, .why = why}, .g1 = g1, .g2 = g2};
    take_verifying(&w, key);
    return w.at.status;
}

/* ---- Proving keys ---- */

static uint64_t take_vector(walk *w, const gnark_plonk_key *key, size_t i)
{
    static const char *const names[] = {"Ql", "Qr", "Qm", "Qo", "Qk", "Qcp"};
    const char *name = names[i < GNARK_PLONK_SELECTORS ? i : GNARK_PLONK_SELECTORS];
    const uint64_t at = w->at.at, count = cursor_be32(&w->at, name);
    cursor_require(&w->at, count == key->domain, SUMAC_BAD_FILE,
                   "%s of the trace, at byte %" PRIu64 ", has %" PRIu64 " values, and the domain %" PRIu64,
                   name, at, count, key->domain);
    return cursor_skip(&w->at, name, count, w->g1->scalar_bytes);
}

static void take_trace(walk *w, gnark_plonk_key *key)
{
    uint8_t begins[sizeof magic - 1];
    const uint64_t at = w->at.at;
    cursor_require(&w->at, w->at.status != SUMAC_OK || at < w->at.source->size, SUMAC_BAD_FILE,
                   "it ends at byte %" PRIu64
                   ", with gnark's proving key: the trace of the circuit, which follows, "
                   "is missing",
                   at);
    cursor_take(&w->at, "the trace", begins, sizeof begins);
    cursor_require(&w->at, memcmp(begins, magic, sizeof begins) == 0, SUMAC_BAD_FILE,
                   "at byte %" PRIu64 ": no trace of a circuit, which begins with %s", at, magic);
    const uint64_t version = cursor_be64(&w->at, "the trace");
    cursor_require(&w->at, version == VERSION, SUMAC_NOT_SUPPORTED,
                   "at byte %" PRIu64 ": a trace of version %" PRIu64 ", and only version %d is known", at,
                   version, VERSION);
    key->gates = cursor_be64(&w->at, "the number of gates");
    cursor_require(&w->at, key->gates >= key->publics && key->gates <= key->domain && key->gates > 0,
                   SUMAC_BAD_FILE,
                   "the trace, at byte %" PRIu64 ", has %" PRIu64 " gates, with %" PRIu64
                   " public inputs and a domain of %" PRIu64,
                   at, key->gates, key->publics, key->domain);
    for (size_t i = 0; i < GNARK_PLONK_SELECTORS + (size_t)key->commitments; i++) {
        key->selectors[i] = take_vector(w, key, i);
    }
    key->permutation = cursor_skip(&w->at, "the permutation", 3 * key->domain, WORD);
}

sumac_status gnark_plonk_proving_read(gnark_plonk_key *key, const byte_source *source, const sumac_group *g1,
                                      const sumac_group *g2, sumac_message *why)
{
    walk w = {.at = {.source = source, .why = why}, .g1 = g1, .g2 = g2};
    take_verifying(&w, key);
    key->powers = take_slice(&w, "Kzg.G1", key->domain + GNARK_PLONK_MORE_POWERS);
    (void)take_slice(&w, "KzgLagrange.G1", key->domain);
    take_trace(&w, key);
    cursor_end(&w.at);
    return w.at.status;
}
