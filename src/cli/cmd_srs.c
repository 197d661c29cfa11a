/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the commands `srs commit`, `srs open` and `srs verify`. They compute KZG commitments over any curve and
 * any file of an SRS G, s*G, s^2*G, ... */
#include "cli.h"

#include "kzg_input.h"
#include "sumac/srs.h"

static void close_vector(sumac_vector **vector)
{
    sumac_vector_destroy(*vector);
}

/* Read bases [0, n) of a file. */
static int read_srs(const session *opened, const options *given, const char *path, size_t n,
                    sumac_bases **srs)
{
    const sumac_status status = read_bases_part(opened, given, path, given->format, 0, n, srs);
    return status == SUMAC_NOT_SUPPORTED ? read_bases(opened, given, path, given->format, srs)
                                         : session_check(opened, status);
}

static int make_vector(const session *opened, sumac_vector_kind kind, const void *raw, size_t n,
                       scalar_order order, sumac_vector **vector)
{
    sumac_element_layout layout = {.size = sizeof layout};
    layout.byte_order = order == ORDER_BIG ? SUMAC_BIG_ENDIAN : layout.byte_order;
    const bool are_scalars = kind == SUMAC_VECTOR_SCALARS;
    const size_t bytes = n * (are_scalars ? opened->info->scalar_bytes : opened->info->point_bytes);
    CALL(opened, sumac_vector_create(opened->context, opened->group, kind, n, vector));
    return raw == NULL ? STATUS_DONE
                       : session_check(opened, sumac_vector_set(opened->context, *vector, raw, bytes, 0, n,
                                                                are_scalars ? &layout : NULL));
}

/* Make a vector of one scalar. The command line gives it in hexadecimal, big-endian. */
static int make_scalar(const session *opened, const char *name, const char *text, sumac_vector **vector)
{
    unsigned char bytes[64];
    MUST(decode_hex_option(name, text, bytes, opened->info->scalar_bytes));
    return make_vector(opened, SUMAC_VECTOR_SCALARS, bytes, 1, ORDER_BIG, vector);
}

/* Make a vector of one point. The command line gives it in hexadecimal, either raw or in Zcash's 48 bytes. */
static int make_point(const session *opened, const char *name, const char *text, sumac_vector **vector)
{
    enum { COMPRESSED_BYTES = 48 };
    unsigned char bytes[512], raw[512];
    const char *digits = text + (strncmp(text, "0x", 2) == 0 ? 2 : 0);
    const bool is_compressed = strlen(digits) == 2 * COMPRESSED_BYTES;
    MUST(decode_hex_option(name, text, bytes, is_compressed ? COMPRESSED_BYTES : opened->info->point_bytes));
    CALL(opened, sumac_points_decode(opened->context, opened->group, bytes, sizeof bytes, 1,
                                     is_compressed ? "zcash-compressed" : "raw", SUMAC_CHECK_SUBGROUP, raw,
                                     sizeof raw));
    return make_vector(opened, SUMAC_VECTOR_POINTS, raw, 1, ORDER_LITTLE, vector);
}

/* Read a polynomial. The file has its coefficients as raw scalars; the constant one is the first. */
static int read_polynomial(const session *opened, const options *given, const char *path,
                           sumac_vector **polynomial)
{
    const size_t bytes = opened->info->scalar_bytes;
    AUTO_FREE unsigned char *raw = NULL;
    size_t size;
    MUST(read_beginning(path, SIZE_MAX - 1, &raw, &size));
    if (size == 0 || size % bytes != 0) {
        return bad_input("%s: %zu bytes are not a polynomial of %zu-byte coefficients", path, size, bytes);
    }
    return make_vector(opened, SUMAC_VECTOR_SCALARS, raw, size / bytes, (scalar_order)given->scalar_order,
                       polynomial);
}

/* Add the only point of a vector to an object, as JSON or, with --to, as hexadecimal text in that format. */
static int add_point(const session *opened, const options *given, const sumac_vector *points,
                     const char *name, json_t **object)
{
    unsigned char raw[512], bytes[512];
    char text[HEX_SIZE(sizeof bytes)];
    size_t written;
    CALL(opened, sumac_vector_get(opened->context, points, 0, 1, NULL, raw, sizeof raw));
    CALL(opened, sumac_points_record_bytes(opened->context, opened->group, given->to, &written));
    CALL(opened, sumac_points_encode(opened->context, opened->group, raw, sizeof raw, 1, given->to, bytes,
                                     sizeof bytes));
    bytes_to_hex(text, bytes, written);
    json_put(object, name, json_string(text));
    return STATUS_DONE;
}

/* Print the members of one result, as lines or JSON. */
static int print_result(const options *given, json_t *object)
{
    if (given->json || object == NULL) {
        return print_json(object); /* this reports that memory was short */
    }
    const char *key, *before = "";
    json_t *value;
    json_object_foreach(object, key, value)
    {
        print("%s%s", before, json_string_value(value));
        before = " ";
    }
    print("\n");
    json_decref(object);
    return STATUS_DONE;
}

static int commit_or_open(const session *opened, const options *given, const char *path)
{
    CLEANUP(close_bases) sumac_bases *srs = NULL;
    CLEANUP(close_vector) sumac_vector *polynomial = NULL;
    CLEANUP(close_vector) sumac_vector *z = NULL;
    CLEANUP(close_vector) sumac_vector *y = NULL;
    CLEANUP(close_vector) sumac_vector *point = NULL;
    json_auto_t *object = json_object();
    MUST(read_polynomial(opened, given, path, &polynomial));
    const size_t n = sumac_vector_count(polynomial);
    MUST(read_srs(opened, given, given->bases, n, &srs));
    MUST(make_vector(opened, SUMAC_VECTOR_POINTS, NULL, 1, ORDER_LITTLE, &point));
    progress_begin(given->z == NULL ? "committing" : "opening");
    if (given->z == NULL) {
        CALL(opened, sumac_srs_commit(opened->context, srs, polynomial, n, point));
        MUST(add_point(opened, given, point, "commitment", &object));
    } else {
        unsigned char value[64];
        sumac_element_layout layout = {.size = sizeof layout};
        layout.byte_order = SUMAC_BIG_ENDIAN;
        MUST(make_scalar(opened, "-z", given->z, &z));
        MUST(make_vector(opened, SUMAC_VECTOR_SCALARS, NULL, 1, ORDER_LITTLE, &y));
        CALL(opened, sumac_srs_open(opened->context, srs, polynomial, n, z, y, point));
        CALL(opened, sumac_vector_get(opened->context, y, 0, 1, &layout, value, sizeof value));
        MUST(add_point(opened, given, point, "proof", &object));
        json_put(&object, "y", bytes_to_json(value, opened->info->scalar_bytes));
    }
    progress_end();
    json_t *result = object;
    object = NULL;
    return print_result(given, result);
}

static int run_srs(const session *opened, const options *given)
{
    MUST(check_format("format", given->format, false));
    MUST(check_format("to", given->to, true));
    for (int i = 0; i < given->operand_count; i++) {
        MUST(commit_or_open(opened, given, given->operands[i]));
    }
    return session_write_trace(opened);
}

/* Read the first `count` points of a group from an SRS file, as raw points. */
static int read_points(const session *opened, const options *given, const char *path, const char *group,
                       size_t count, unsigned char *raw)
{
    const unsigned char one[64] = {1};
    session of_group = *opened;
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    MUST(find_group(given->curve, group, &of_group.group));
    of_group.info = of_group.group;
    MUST(read_srs(&of_group, given, path, count, &bases));
    for (size_t i = 0; i < count; i++) {
        sumac_msm_config config = {.size = sizeof config};
        config.first = i;
        CALL(opened, sumac_msm(opened->context, bases, one, sizeof one, 1, &config,
                               raw + i * of_group.info->point_bytes, of_group.info->point_bytes));
    }
    return STATUS_DONE;
}

static int run_srs_verify(const session *opened, const options *given)
{
    unsigned char g1[512], g2[1024];
    CLEANUP(close_vector) sumac_vector *commitment = NULL;
    CLEANUP(close_vector) sumac_vector *proof = NULL;
    CLEANUP(close_vector) sumac_vector *z = NULL;
    CLEANUP(close_vector) sumac_vector *y = NULL;
    int holds = 0;
    MUST(check_format("format", given->format, false));
    MUST(make_point(opened, "--commitment", given->commitment, &commitment));
    MUST(make_point(opened, "--proof", given->proof, &proof));
    MUST(make_scalar(opened, "-z", given->z, &z));
    MUST(make_scalar(opened, "-y", given->y, &y));
    MUST(read_points(opened, given, given->bases, "g1", 1, g1));
    MUST(read_points(opened, given, given->g2_bases != NULL ? given->g2_bases : given->bases, "g2", 2, g2));
    CALL(opened, sumac_srs_verify(opened->context, opened->group, g1, sizeof g1, g2, sizeof g2, commitment, z,
                                  y, proof, &holds));
    MUST(session_write_trace(opened));
    return print_verdict(given, holds, "the proof holds", "proof invalid");
}

#define OPTIONS_OF_SRS OPTION_CURVE, OPTION_BASES, OPTION_FORMAT, OPTION_VALIDATE

static const option_preset presets[] = {{OPTION_VALIDATE, "curve"}, {OPTION_END, NULL}};

const command command_srs_commit = {
    .name = "srs commit",
    .summary = "Commit to polynomials with a structured reference string of any curve",
    .takes = OPTIONS(OPTIONS_OF_SRS, OPTION_SCALAR_ORDER, OPTION_TO, OPTIONS_OF_MACHINE, OPTION_JSON,
                     OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE, OPTION_BASES),
    .presets = presets,
    .takes_devices = true,
    .operands = {"POLYNOMIAL...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "srs commit --curve bn254 --bases powers.ptau --format ptau-tau polynomial.bin",
    .notes = "A POLYNOMIAL holds raw coefficients, the constant one first. --bases holds G, s*G, s^2*G, ...; "
             "a line is a commitment in hexadecimal.",
    .run_in = run_srs,
};

const command command_srs_open = {
    .name = "srs open",
    .summary = "Open polynomials at a point: the proof and the value there",
    .takes = OPTIONS(OPTIONS_OF_SRS, OPTION_Z, OPTION_SCALAR_ORDER, OPTION_TO, OPTIONS_OF_MACHINE,
                     OPTION_JSON, OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE, OPTION_BASES, OPTION_Z),
    .presets = presets,
    .takes_devices = true,
    .operands = {"POLYNOMIAL...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "srs open --curve bn254 --bases powers.ptau --format ptau-tau -z 0x..2a polynomial.bin",
    .notes = "A line is a proof and the value, big-endian, in hexadecimal.",
    .run_in = run_srs,
};

const command command_srs_verify = {
    .name = "srs verify",
    .summary = "Verify what `sumac srs open` wrote, with a pairing",
    .takes = OPTIONS(OPTIONS_OF_SRS, OPTION_G2_BASES, OPTION_COMMITMENT, OPTION_PROOF, OPTION_Z, OPTION_Y,
                     OPTIONS_OF_MACHINE, OPTION_JSON, OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE, OPTION_BASES, OPTION_COMMITMENT, OPTION_PROOF, OPTION_Z, OPTION_Y),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .example = "srs verify --curve bn254 --bases powers.ptau --format ptau-tau --commitment .. -z .. -y .. "
               "--proof ..",
    .notes = "--bases holds points of both groups, as a .ptau, a trusted setup or halo2's do, or --g2-bases "
             "holds G and s*G of the second. The exit status is 1 if the proof is invalid.",
    .run_in = run_srs_verify,
};
