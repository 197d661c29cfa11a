/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/gnark_key.h"

#include <inttypes.h>
#include <string.h>

#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"
#include "curves/group_code.h"

/* ---- Points ---- */

static int has_three_flags(const sumac_group *info)
{
    return 8 * info->field_bytes - info->field_bits >= 3;
}

const point_format *gnark_encoding(const sumac_group *info, uint8_t first_byte)
{
    return (first_byte & (has_three_flags(info) ? 0x80 : 0xc0)) != 0 ? &gnark_compressed_format
                                                                     : &gnark_raw_format;
}

void gnark_encode_raw(const sumac_group *info, const uint8_t *point, uint8_t *encoded)
{
    const size_t half = info->point_bytes / 2;
    reverse_bytes(encoded, point, half);
    reverse_bytes(encoded + half, point + half, half);
    if (has_three_flags(info) && all_zero(point, info->point_bytes)) {
        encoded[0] = 0x40;
    }
}

/* ---- A walk through a file ---- */

typedef struct walk {
    cursor at;
    const sumac_group *g1, *g2;
    const point_format *encoding; /* the encoding of points that are not in a slice */
    int is_dump;
} walk;

static gnark_points take_points(walk *w, const char *name, const sumac_group *info,
                                const point_format *encoding, uint64_t count)
{
    const point_format *format = encoding->records(info);
    return (gnark_points){name, format, cursor_skip(&w->at, name, count, format_record_bytes(format, info)),
                          count};
}

static gnark_points take_point(walk *w, const char *name, const sumac_group *info)
{
    return take_points(w, name, info, w->encoding, 1);
}

/* Take a count, and the points that follow it. */
static gnark_points take_slice(walk *w, const char *name, const sumac_group *info)
{
    return w->is_dump ? take_points(w, name, info, &gnark_dump_format, cursor_le64(&w->at, name))
                      : take_points(w, name, info, w->encoding, cursor_be32(&w->at, name));
}

/* Take the number of commitments, which are fewer than the wires or points that they need. After a failure it is 0. */
static uint32_t take_commitments(walk *w, uint64_t things, const char *names)
{
    const uint64_t at = w->at.at;
    const uint32_t count = cursor_be32(&w->at, "the number of commitments");
    cursor_require(&w->at, count < things, SUMAC_BAD_FILE,
                   "at byte %" PRIu64 ": %" PRIu32 " commitments, and only %" PRIu64 " %s", at, count, things,
                   names);
    return cursor_limit(&w->at, at, count, GNARK_MOST_COMMITMENTS, "commitments");
}

/* ---- Verifying keys ---- */

gnark_points gnark_verifying_key_beta2(const sumac_group *g1, const sumac_group *g2,
                                       const point_format *encoding)
{
    return (gnark_points){"G2.Beta", encoding->records(g2),
                          2 * format_record_bytes(encoding->records(g1), g1), 1};
}

sumac_status gnark_verifying_key_read(gnark_verifying_key *key, const byte_source *source,
                                      const sumac_group *g1, const sumac_group *g2,
                                      const point_format *encoding, sumac_message *why)
{
    walk w = {.at = {.source = source, .why = why}, .g1 = g1, .g2 = g2, .encoding = encoding};
    key->alpha1 = take_point(&w, "G1.Alpha", g1);
    key->beta1 = take_point(&w, "G1.Beta", g1);
    key->beta2 = take_point(&w, "G2.Beta", g2);
    key->gamma2 = take_point(&w, "G2.Gamma", g2);
    key->delta1 = take_point(&w, "G1.Delta", g1);
    key->delta2 = take_point(&w, "G2.Delta", g2);
    key->k = take_slice(&w, "G1.K", g1);
    cursor_require(&w.at, key->k.count != 0, SUMAC_BAD_FILE, "at byte %" PRIu64 ": G1.K has no point",
                   key->k.offset - 4);
    key->commitments = take_commitments(&w, key->k.count, "points of G1.K");
    for (uint32_t i = 0; i < key->commitments; i++) {
        key->commitment[i].hashed_count = cursor_be32(&w.at, "PublicAndCommitmentCommitted");
        key->commitment[i].hashed =
            cursor_skip(&w.at, "PublicAndCommitmentCommitted", key->commitment[i].hashed_count, 8);
    }
    const uint64_t at = w.at.at;
    const uint32_t keys = cursor_be32(&w.at, "the number of commitments");
    cursor_require(&w.at, keys == key->commitments, SUMAC_BAD_FILE,
                   "at byte %" PRIu64 ": %" PRIu32 " commitment keys, and there are %" PRIu32 " commitments",
                   at, keys, key->commitments);
    for (uint32_t i = 0; i < key->commitments; i++) {
        key->commitment[i].g = take_point(&w, "CommitmentKeys.G", g2);
        key->commitment[i].sigma = take_point(&w, "CommitmentKeys.GSigmaNeg", g2);
    }
    cursor_end(&w.at);
    return w.at.status;
}

/* ---- Domains ---- */

size_t gnark_domain_offset(const uint8_t *bytes, size_t count)
{
    return count >= GNARK_MARKER_BYTES && load_le64(bytes) == 0xdeadbeef ? GNARK_MARKER_BYTES : 0;
}

static uint64_t domain_size(const uint8_t *domain)
{
    return load_be(domain, GNARK_CARDINALITY_BYTES);
}

int gnark_domain_begins(const uint8_t *bytes, size_t count)
{
    return count >= GNARK_CARDINALITY_BYTES && all_zero(bytes, 3) && domain_size(bytes) != 0;
}

/* Return 1 if the domain's scalars number i and i + 1 are inverse to each other modulo r. */
static int are_inverse(const uint8_t *domain, uint32_t i, const sumac_group *info)
{
    const scalar_field *field = &registered(info)->scalars;
    const size_t bytes = info->scalar_bytes;
    uint64_t factor[2][SCALAR_MAX_LIMBS];
    for (uint32_t k = 0; k < 2; k++) {
        uint8_t reversed[8 * SCALAR_MAX_LIMBS];
        reverse_bytes(reversed, domain + GNARK_CARDINALITY_BYTES + (i + k) * bytes, bytes);
        scalar_load(factor[k], reversed, field->limbs);
        scalar_reduce(factor[k], field);
    }
    scalar_montgomery_multiply(factor[0], factor[1], field);
    scalar_to_montgomery(factor[0], field);
    for (uint32_t limb = 1; limb < field->limbs; limb++) {
        factor[0][0] |= factor[0][limb] != 0 ? 2 : 0;
    }
    return factor[0][0] == 1;
}

/* Compare the file's 1/n with r - (r - 1)/n, which is 1/n modulo r because n divides r - 1. r is odd. If n is 1, its
 * inverse is 1 for every curve, and instead the shift and its inverse show the curve. */
int gnark_domain_is_of(const uint8_t *domain, const sumac_group *info)
{
    enum { MOST_LIMBS = 6, SHIFT = 3 };
    const uint64_t n = domain_size(domain);
    const uint32_t limbs = info->scalar_bytes / 8, shift = n == 0 ? 0 : (uint32_t)__builtin_ctzll(n);
    uint8_t expected[8 * MOST_LIMBS], reversed[8 * MOST_LIMBS];
    uint64_t borrow = 0;
    if (n == 0 || (n & (n - 1)) != 0 || limbs > MOST_LIMBS) {
        return 0;
    }
    for (uint32_t i = 0; i < limbs; i++) {
        const uint64_t low = i == 0 ? info->order[0] - 1 : info->order[i];
        const uint64_t high = i + 1 < limbs ? info->order[i + 1] : 0;
        const uint64_t part = shift == 0 ? low : low >> shift | high << (64 - shift);
        store_le64(expected + 8 * i, info->order[i] - part - borrow);
        borrow = info->order[i] < part || (info->order[i] == part && borrow != 0);
    }
    reverse_bytes(reversed, domain + GNARK_CARDINALITY_BYTES, info->scalar_bytes);
    return memcmp(reversed, expected, info->scalar_bytes) == 0 && (n > 1 || are_inverse(domain, SHIFT, info));
}

const uint8_t *gnark_domain_generator(const uint8_t *domain, const sumac_group *info)
{
    return domain + GNARK_CARDINALITY_BYTES + info->scalar_bytes;
}

/* ---- Proving keys ---- */

static void expect_count(walk *w, const gnark_points *points, uint64_t count)
{
    cursor_require(&w->at, points->count == count, SUMAC_BAD_FILE,
                   "%s, at byte %" PRIu64 ", has %" PRIu64
                   " points, and by the numbers of the domain and the wires %" PRIu64,
                   points->name, points->offset, points->count, count);
}

static void take_slices(walk *w, gnark_proving_key *key)
{
    key->a = take_slice(w, "G1.A", w->g1);
    key->b1 = take_slice(w, "G1.B", w->g1);
    key->z = take_slice(w, "G1.Z", w->g1);
    key->k = take_slice(w, "G1.K", w->g1);
}

static void take_points_2(walk *w, gnark_proving_key *key)
{
    key->beta2 = take_point(w, "G2.Beta", w->g2);
    key->delta2 = take_point(w, "G2.Delta", w->g2);
}

/* Take the number of wires. Some wires have no point in A or in B. Take how many these are, in A and in B, and then a
 * byte for each wire. Then take the number of commitments. */
static void take_wires(walk *w, gnark_proving_key *key, uint64_t infinities[2])
{
    key->wires = cursor_be64(&w->at, "the number of wires");
    infinities[0] = cursor_be64(&w->at, "NbInfinityA");
    infinities[1] = cursor_be64(&w->at, "NbInfinityB");
    key->infinity_a = cursor_skip(&w->at, "InfinityA", key->wires, 1);
    key->infinity_b = cursor_skip(&w->at, "InfinityB", key->wires, 1);
    key->commitments = take_commitments(w, key->wires, "wires");
}

static void take_bases_of_commitments(walk *w, gnark_proving_key *key)
{
    key->committed = 0;
    for (uint32_t i = 0; i < key->commitments; i++) {
        gnark_proving_commitment *commitment = &key->commitment[i];
        commitment->basis = take_slice(w, "CommitmentKeys.Basis", w->g1);
        commitment->sigma = take_slice(w, "CommitmentKeys.BasisExpSigma", w->g1);
        cursor_require(&w->at,
                       commitment->basis.count > 0 && commitment->basis.count == commitment->sigma.count,
                       SUMAC_BAD_FILE,
                       "commitment %" PRIu32 ": CommitmentKeys.Basis has %" PRIu64 " points, at byte %" PRIu64
                       ", and BasisExpSigma %" PRIu64,
                       i, commitment->basis.count, commitment->basis.offset, commitment->sigma.count);
        key->committed += commitment->basis.count;
    }
}

static void check_counts(walk *w, gnark_proving_key *key, const uint64_t infinities[2])
{
    const uint64_t hidden = key->k.count + key->committed + key->commitments;
    cursor_require(&w->at, infinities[0] <= key->wires && infinities[1] <= key->wires && hidden < key->wires,
                   SUMAC_BAD_FILE,
                   "%" PRIu64 " wires, at byte %" PRIu64
                   ": they are fewer than those at infinity, or than G1.K's and the committed ones",
                   key->wires, key->infinity_a - 24);
    expect_count(w, &key->a, key->wires - infinities[0]);
    expect_count(w, &key->b1, key->wires - infinities[1]);
    expect_count(w, &key->z, key->domain - 1);
    expect_count(w, &key->b2, key->b1.count);
    key->publics = key->wires - hidden - 1;
}

sumac_status gnark_proving_key_read(gnark_proving_key *key, const byte_source *source, const sumac_group *g1,
                                    const sumac_group *g2, sumac_message *why)
{
    uint8_t marker[GNARK_MARKER_BYTES], first;
    uint64_t infinities[2];
    walk w = {.at = {.source = source, .why = why}, .g1 = g1, .g2 = g2};
    cursor_take(&w.at, "the domain", marker, sizeof marker);
    w.at.at = gnark_domain_offset(marker, sizeof marker);
    w.is_dump = w.at.at != 0;
    key->domain = cursor_be64(&w.at, "the domain");
    (void)cursor_skip(&w.at, "the domain", 5 * (uint64_t)g1->scalar_bytes + 1, 1);
    cursor_take(&w.at, "G1.Alpha", &first, 1);
    w.at.at -= w.at.status == SUMAC_OK;
    w.encoding = gnark_encoding(g1, first);
    key->alpha1 = take_point(&w, "G1.Alpha", g1);
    key->beta1 = take_point(&w, "G1.Beta", g1);
    key->delta1 = take_point(&w, "G1.Delta", g1);
    if (w.is_dump) {
        take_points_2(&w, key);
        take_wires(&w, key, infinities);
        take_slices(&w, key);
        key->b2 = take_slice(&w, "G2.B", g2);
    } else {
        take_slices(&w, key);
        take_points_2(&w, key);
        key->b2 = take_slice(&w, "G2.B", g2);
        take_wires(&w, key, infinities);
    }
    take_bases_of_commitments(&w, key);
    check_counts(&w, key, infinities);
    cursor_end(&w.at);
    return w.at.status;
}

/* ---- Kinds of files ---- */

/* Recognize a proving key, which begins with its domain, or a dump of one, which begins with a marker and the domain.
 * The domain has its size, a power of two in 8 bytes. Then it has 1/size, a root, 1/root and a small generator of the
 * multiplicative group, of 32 or 48 bytes each. All numbers are big-endian. */
static int fits_gnark_key(const file_kind *kind, const file_head *head)
{
    const size_t at = kind->prefix_bytes;
    if (gnark_domain_offset(head->bytes, head->count) != at) {
        return 0;
    }
    for (size_t bytes = 32; bytes <= 48; bytes += 16) {
        const size_t generator = at + 8 + 3 * bytes;
        if (head->count < generator + bytes) {
            return 0;
        }
        const uint64_t domain = load_be(head->bytes + at, 8);
        if (domain > 1 && domain <= UINT64_C(1) << 40 && (domain & (domain - 1)) == 0 &&
            all_zero(head->bytes + generator, bytes - 1) && head->bytes[generator + bytes - 1] > 1) {
            return 1;
        }
    }
    return 0;
}

/* The points of gnark's curves have these sizes, in G1 and in G2, compressed and raw. */
static const struct {
    uint64_t g1, g2;
} point_sizes[] = {{32, 64}, {64, 128}, {48, 96}, {96, 192}, {96, 96}, {192, 192}};

enum { POINT_SIZES = sizeof point_sizes / sizeof *point_sizes };

/* Find the end of a verifying key whose lists of hashed numbers begin at `at`, as far as the head has them; 0 if there are
 * no such lists. */
static uint64_t verifying_key_end(const file_head *head, uint64_t at, uint64_t g2)
{
    const uint64_t commitments = head->count < at + 4 ? UINT64_MAX : load_be(head->bytes + at, 4);
    at += 4;
    for (uint64_t k = 0; k < commitments && at + 4 <= head->count; k++) {
        at += 4 + 8 * load_be(head->bytes + at, 4);
    }
    return commitments <= GNARK_MOST_COMMITMENTS && at + 4 <= head->count &&
                   load_be(head->bytes + at, 4) == commitments
               ? at + 4 + 2 * commitments * g2
               : 0;
}

/* Recognize a verifying key. It has three points of each group, a count, that many points of G1, the number of commitments,
 * a list of numbers for each, that number again, and two points of G2 for each. If there are commitments, the head must
 * have their lists. */
static int fits_gnark_verifying_key(const file_kind *kind, const file_head *head)
{
    (void)kind;
    for (size_t i = 0; i < POINT_SIZES; i++) {
        const uint64_t g1 = point_sizes[i].g1, at = 3 * (g1 + point_sizes[i].g2);
        const uint64_t behind = head->count < at + 4 ? 0 : at + 4 + load_be(head->bytes + at, 4) * g1;
        if (behind != 0 &&
            (head->size == behind + 8 || head->size == verifying_key_end(head, behind, point_sizes[i].g2))) {
            return 1;
        }
    }
    return 0;
}

/* Recognize a proof. It has points of G1, G2 and G1, the number of commitments, their points, and one more, which is
 * infinity if there are none. */
static int fits_gnark_proof(const file_kind *kind, const file_head *head)
{
    (void)kind;
    for (size_t i = 0; i < POINT_SIZES; i++) {
        const uint64_t at = 2 * point_sizes[i].g1 + point_sizes[i].g2;
        const uint64_t commitments = head->count < at + 4 ? UINT32_MAX : load_be(head->bytes + at, 4);
        if (commitments <= GNARK_MOST_COMMITMENTS && head->count == head->size &&
            head->size == at + 4 + (commitments + 1) * point_sizes[i].g1 &&
            (commitments > 0 || all_zero(head->bytes + at + 5, (size_t)point_sizes[i].g1 - 1))) {
            return 1;
        }
    }
    return 0;
}

/* Recognize a solution. It has four vectors, the last three of which have equal lengths. A vector has a count of 4
 * bytes and elements of 32 or 48 bytes. The first element is 1. */
static int fits_gnark_solution(const file_kind *kind, const file_head *head)
{
    (void)kind;
    for (uint64_t bytes = 32; bytes <= 48; bytes += 16) {
        const uint64_t wires = head->count < 4 + bytes ? 0 : load_be(head->bytes, 4) * bytes;
        if (wires > 0 && head->size >= 16 + wires && (head->size - 16 - wires) % (3 * bytes) == 0 &&
            all_zero(head->bytes + 4, (size_t)bytes - 1) && head->bytes[3 + bytes] == 1) {
            return 1;
        }
    }
    return 0;
}

/* Recognize a witness. It has the number of its public inputs, that of its secret inputs, the sum of both, and that
 * many elements. */
static int fits_gnark_witness(const file_kind *kind, const file_head *head)
{
    (void)kind;
    const uint64_t count = head->count < 12 ? 0 : load_be(head->bytes + 8, 4);
    return count > 0 && load_be(head->bytes, 4) + load_be(head->bytes + 4, 4) == count &&
           (head->size == 12 + 32 * count || head->size == 12 + 48 * count);
}

static const char gnark_key_advice[] = "`sumac groth16 prove` takes it with its verifying key and a solved "
                                       "witness, and `sumac groth16 info` tells more";

const file_kind gnark_key_dump_kind = {.name = "a dump of a proving key of gnark",
                                       .advice = gnark_key_advice,
                                       .family = FILE_OTHER,
                                       .prefix_bytes = GNARK_MARKER_BYTES,
                                       .fits = fits_gnark_key};

const file_kind gnark_key_kind =
    FILE_KIND_BY(fits_gnark_key, "a proving key of gnark", FILE_OTHER, gnark_key_advice);

const file_kind gnark_verifying_key_kind =
    FILE_KIND_BY(fits_gnark_verifying_key, "a verifying key of gnark", FILE_OTHER,
                 "`sumac groth16 verify` takes it, and `sumac groth16 prove --verifying-key`");

const file_kind gnark_proof_kind =
    FILE_KIND_BY(fits_gnark_proof, "a proof of gnark", FILE_OTHER, "`sumac groth16 verify` takes it");

const file_kind gnark_solution_kind =
    FILE_KIND_BY(fits_gnark_solution, "a solved witness of gnark (R1CSSolution)", FILE_OTHER,
                 "`sumac groth16 prove` takes it with gnark's key");

const file_kind gnark_witness_kind = FILE_KIND_BY(
    fits_gnark_witness, "a witness of gnark", FILE_OTHER,
    "`sumac groth16 verify` takes one of public inputs alone; to prove, gnark has to solve it first");
