/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Commitments to blobs: the consensus specification's vectors for blob_to_kzg_commitment, valid and invalid,
 * alone and as a batch, with Ethereum's setup; and setups that are wrong.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yaml.h>

#include "support/harness.h"
#include "sumac/kzg.h"

#define VECTORS SUMAC_TEST_DATA "/tests/blob_to_kzg_commitment/kzg-mainnet"
#define TRUSTED_SETUP SUMAC_TEST_DATA "/kzg/trusted_setup.txt"

enum { MOST_CASES = 64 };

typedef struct vector {
    char name[256];
    uint8_t *blob;
    size_t blob_bytes;
    uint8_t *commitment; /* null: the blob is invalid */
} vector;

/* Hexadecimal digits after "0x". */
static uint8_t *decode(const char *text, size_t length, size_t *size)
{
    assert_true(length >= 2 && length % 2 == 0 && memcmp(text, "0x", 2) == 0);
    *size = length / 2 - 1;
    uint8_t *bytes = test_alloc(*size);
    for (size_t i = 0; i < *size; i++) {
        const char digits[3] = {text[2 + 2 * i], text[3 + 2 * i], '\0'};
        char *end;
        bytes[i] = (uint8_t)strtoul(digits, &end, 16);
        assert_ptr_equal(end, digits + 2);
    }
    return bytes;
}

/* The value of a key of a YAML mapping; null if there is none. */
static yaml_node_t *value_of(yaml_document_t *document, yaml_node_t *mapping, const char *key)
{
    assert_true(mapping != NULL && mapping->type == YAML_MAPPING_NODE);
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *name = yaml_document_get_node(document, pair->key);
        if (strcmp((const char *)name->data.scalar.value, key) == 0) {
            return yaml_document_get_node(document, pair->value);
        }
    }
    return NULL;
}

static void read_vector(vector *v, const char *name)
{
    char path[1024];
    yaml_parser_t parser;
    yaml_document_t document;
    size_t size;
    snprintf(v->name, sizeof v->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s/data.yaml", VECTORS, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) {
        test_abort("cannot read %s", path);
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &document)) {
        test_abort("%s: %s", path, parser.problem);
    }
    yaml_node_t *root = yaml_document_get_root_node(&document);
    const yaml_node_t *blob = value_of(&document, value_of(&document, root, "input"), "blob");
    const yaml_node_t *output = value_of(&document, root, "output");
    assert_non_null(blob);
    assert_non_null(output);
    v->blob = decode((const char *)blob->data.scalar.value, blob->data.scalar.length, &v->blob_bytes);
    v->commitment = NULL;
    if (strcmp((const char *)output->data.scalar.value, "null") != 0) {
        v->commitment = decode((const char *)output->data.scalar.value, output->data.scalar.length, &size);
        assert_int_equal(size, SUMAC_KZG_COMMITMENT_BYTES);
        assert_int_equal(v->blob_bytes, SUMAC_KZG_BLOB_BYTES);
    }
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fclose(file);
}

static size_t read_vectors(vector vectors[MOST_CASES])
{
    size_t count = 0;
    DIR *directory = opendir(VECTORS);
    if (directory == NULL) {
        test_abort("there is no directory %s", VECTORS);
    }
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] != '.') {
            assert_true(count < MOST_CASES);
            read_vector(&vectors[count++], entry->d_name);
        }
    }
    closedir(directory);
    return count;
}

static void free_vectors(vector *vectors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(vectors[i].blob);
        free(vectors[i].commitment);
    }
}

static sumac_kzg_setup *read_setup(sumac_context *context)
{
    sumac_kzg_setup *setup = NULL;
    test_status(context, sumac_kzg_setup_read(context, TRUSTED_SETUP, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_OK,
                "setup");
    assert_non_null(setup);
    return setup;
}

static void test_vectors(void **state)
{
    (void)state;
    vector vectors[MOST_CASES];
    size_t valid = 0, invalid = 0;
    const size_t count = read_vectors(vectors);
    sumac_context *context = test_context(2, 0);
    sumac_kzg_setup *setup = read_setup(context);
    for (size_t i = 0; i < count; i++) {
        const vector *v = &vectors[i];
        uint8_t commitment[SUMAC_KZG_COMMITMENT_BYTES], untouched[SUMAC_KZG_COMMITMENT_BYTES];
        memset(commitment, 0xa5, sizeof commitment);
        memset(untouched, 0xa5, sizeof untouched);
        if (v->blob_bytes != SUMAC_KZG_BLOB_BYTES) {
            invalid++; /* a blob of another length can't be passed at all */
            continue;
        }
        const sumac_status status = sumac_kzg_commit(context, setup, v->blob, 1, commitment);
        test_status(context, status, v->commitment != NULL ? SUMAC_OK : SUMAC_BAD_ENCODING, v->name);
        if (memcmp(commitment, v->commitment != NULL ? v->commitment : untouched, sizeof commitment) != 0) {
            test_abort("%s: the commitment is wrong", v->name);
        }
        valid += v->commitment != NULL;
        invalid += v->commitment == NULL;
    }
    print_message("%zu valid and %zu invalid blobs\n", valid, invalid);
    assert_true(valid >= 5 && invalid >= 2);
    free_vectors(vectors, count);
    sumac_kzg_setup_destroy(setup);
    sumac_context_destroy(context);
}

/* More blobs than one batch holds, each valid blob again and again; then one element that is not less than r.
 */
static void test_batch(void **state)
{
    (void)state;
    enum { COMMITMENT = SUMAC_KZG_COMMITMENT_BYTES };
    const size_t blobs = options.quick ? 3 : 70;
    vector vectors[MOST_CASES];
    const size_t count = read_vectors(vectors);
    sumac_context *context = test_context(2, 0);
    sumac_kzg_setup *setup = read_setup(context);
    uint8_t *input = test_alloc(blobs * SUMAC_KZG_BLOB_BYTES);
    uint8_t *expected = test_alloc(blobs * COMMITMENT), *found = test_alloc(blobs * COMMITMENT);
    for (size_t i = 0, next = 0; i < blobs; next = (next + 1) % count) {
        if (vectors[next].commitment != NULL) {
            memcpy(input + i * SUMAC_KZG_BLOB_BYTES, vectors[next].blob, SUMAC_KZG_BLOB_BYTES);
            memcpy(expected + i++ * COMMITMENT, vectors[next].commitment, COMMITMENT);
        }
    }
    test_status(context, sumac_kzg_commit(context, setup, input, blobs, found), SUMAC_OK, "batch");
    assert_memory_equal(found, expected, blobs * COMMITMENT);

    const sumac_curve *curve;
    char place[64];
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    const uint8_t *order = (const uint8_t *)sumac_curve_describe(curve)->order;
    uint8_t *element = input + (blobs - 1) * SUMAC_KZG_BLOB_BYTES + 4095 * 32;
    for (size_t i = 0; i < 32; i++) {
        element[i] = order[31 - i];
    }
    memset(found, 0xa5, blobs * COMMITMENT);
    memset(expected, 0xa5, blobs * COMMITMENT);
    test_status(context, sumac_kzg_commit(context, setup, input, blobs, found), SUMAC_BAD_ENCODING,
                "an element of r");
    snprintf(place, sizeof place, "blob %zu: element 4095", blobs - 1);
    assert_non_null(strstr(sumac_context_message(context), place));
    assert_memory_equal(found, expected, blobs * COMMITMENT);
    element[31]--; /* r - 1 is one */
    test_status(context, sumac_kzg_commit(context, setup, input, blobs, found), SUMAC_OK,
                "an element of r - 1");
    free(input);
    free(expected);
    free(found);
    free_vectors(vectors, count);
    sumac_kzg_setup_destroy(setup);
    sumac_context_destroy(context);
}

static void test_arguments(void **state)
{
    (void)state;
    uint8_t commitment[SUMAC_KZG_COMMITMENT_BYTES];
    sumac_context *context = test_context(1, 0);
    sumac_kzg_setup *setup = read_setup(context), *none = NULL;
    test_status(context, sumac_kzg_commit(context, setup, NULL, 0, NULL), SUMAC_OK, "no blobs");
    test_status(context, sumac_kzg_commit(context, setup, NULL, 1, commitment), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_kzg_commit(context, NULL, commitment, 0, commitment), SUMAC_BAD_ARGUMENT,
                "null");
    assert_int_equal(sumac_kzg_commit(NULL, setup, NULL, 0, NULL), SUMAC_BAD_ARGUMENT);
    test_status(context, sumac_kzg_setup_read(context, NULL, SUMAC_CHECK_NONE, &none), SUMAC_BAD_ARGUMENT,
                "null");
    test_status(context, sumac_kzg_setup_read(context, TRUSTED_SETUP, SUMAC_CHECK_NONE, NULL),
                SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(sumac_kzg_setup_read(NULL, TRUSTED_SETUP, SUMAC_CHECK_NONE, &none), SUMAC_BAD_ARGUMENT);
    assert_null(none);
    sumac_kzg_setup_destroy(NULL);
    sumac_kzg_setup_destroy(setup);
    sumac_context_destroy(context);
}

/* Copies of the setup with one line changed: a line is found by its number, and its digits are replaced. */
static void test_wrong_setups(void **state)
{
    (void)state;
    static const struct {
        size_t line; /* from 1 */
        const char *digits;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {1, "4095", SUMAC_BAD_FILE, NULL},
        {2, "64", SUMAC_BAD_FILE, NULL},
        {3, "0413", SUMAC_BAD_ENCODING, "line 3 "},
        {4098, "9fff", SUMAC_BAD_ENCODING, "line 4098 "},
        {4099, "0", SUMAC_BAD_ENCODING, "line 4099 "}, /* the first point of G2 */
        {4163, "x", SUMAC_BAD_FILE, "line 4163 "},
        {8259, "x", SUMAC_BAD_FILE, "line 8259 "}, /* the last point in monomial form */
    };
    char path[] = "/tmp/sumac-setup-XXXXXX";
    sumac_context *context = test_context(2, 0);
    FILE *source = fopen(TRUSTED_SETUP, "rb");
    char *text = test_alloc(1 << 20);
    assert_non_null(source);
    const size_t size = fread(text, 1, 1 << 20, source);
    fclose(source);
    assert_true(size < 1 << 20);
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sumac_kzg_setup *setup = (sumac_kzg_setup *)&setup;
        char *line = text, saved[8];
        for (size_t j = 1; j < changes[i].line; j++) {
            line = memchr(line, '\n', size - (size_t)(line - text));
            line++;
        }
        const size_t length = strlen(changes[i].digits);
        memcpy(saved, line, length);
        memcpy(line, changes[i].digits, length);
        FILE *file = fopen(path, "wb");
        assert_int_equal(fwrite(text, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        memcpy(line, saved, length);
        const sumac_status status = sumac_kzg_setup_read(context, path, SUMAC_CHECK_CURVE, &setup);
        test_status(context, status, changes[i].expected, changes[i].digits);
        assert_null(setup);
        const char *message = sumac_context_message(context);
        if (strstr(message, path) == NULL ||
            (changes[i].part != NULL && strstr(message, changes[i].part) == NULL)) {
            test_abort("the message is \"%s\"", message);
        }
    }
    unlink(path);
    free(text);
    sumac_context_destroy(context);
}

/* A setup of the right form but for other sizes: no points in G1, or 64 in G2. */
static void test_small_setups(void **state)
{
    (void)state;
    sumac_context *context = test_context(1, 0);
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    for (size_t g1 = 0; g1 <= 4096; g1 += 4096) {
        sumac_kzg_setup *setup = NULL;
        FILE *file = fopen(path, "wb");
        fprintf(file, "%zu\n%d\n", g1, 64);
        for (size_t i = 0; i < 2 * g1 + 64; i++) {
            fputs("c0", file); /* infinity */
            for (size_t j = 1; j < (i >= g1 && i < g1 + 64 ? 96 : 48); j++) {
                fputs("00", file);
            }
            fputs("\n", file);
        }
        assert_int_equal(fclose(file), 0);
        test_status(context, sumac_kzg_setup_read(context, path, SUMAC_CHECK_SUBGROUP, &setup),
                    SUMAC_BAD_FILE, "sizes");
        assert_non_null(strstr(sumac_context_message(context), g1 == 0 ? "points of G1" : "points of G2"));
        assert_null(setup);
    }
    unlink(path);
    sumac_context_destroy(context);
}

int main(int argc, char **argv)
{
    const test_entry entries[] = {
        {"vectors", test_vectors, TEST_ONCE},           {"batch", test_batch, TEST_ONCE},
        {"arguments", test_arguments, TEST_ONCE},       {"wrong_setups", test_wrong_setups, TEST_ONCE},
        {"small_setups", test_small_setups, TEST_ONCE},
    };
    return test_main("kzg", entries, sizeof entries / sizeof *entries, argc, argv);
}
