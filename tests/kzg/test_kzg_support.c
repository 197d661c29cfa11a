/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "test_kzg_support.h"

#include <dirent.h>

enum {
    UNTOUCHED = 0xa5,      /* bytes that a call must not change */
    QUICK_STEP = 5,        /* quick tests run one of so many vectors */
    QUICK_TABLES = 2 << 20 /* bytes of tables in quick tests; the planner's tables take a second */
};

/* One fixture has no tables, and one is prepared for cells. They are made when a test first needs them. */
static kzg_fixture fixtures[2];

static void close_fixtures(void)
{
    for (size_t i = 0; i < 2; i++) {
        sumac_kzg_destroy(fixtures[i].setup);
        sumac_context_destroy(fixtures[i].context);
    }
}

kzg_fixture fixture_open(int prepared)
{
    static int is_registered;
    kzg_fixture *fixture = &fixtures[prepared != 0];
    if (fixture->setup == NULL) {
        fixture->context = test_context(2, 0);
        TEST_OK(fixture->context, sumac_kzg_open(fixture->context, TRUSTED_SETUP,
                                                 KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = prepared != 0,
                                                            .table_bytes = options.quick ? QUICK_TABLES : 0),
                                                 &fixture->setup));
        assert_non_null(fixture->setup);
        is_registered = is_registered || atexit(close_fixtures) == 0;
    }
    return *fixture;
}

setup_points *read_setup_points(void)
{
    setup_points *points = test_alloc(sizeof *points);
    FILE *file = fopen(TRUSTED_SETUP, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d %*d"), 0);
    for (size_t i = 0; i < sizeof *points; i++) {
        assert_int_equal(fscanf(file, "%2hhx", (uint8_t *)points + i), 1);
    }
    fclose(file);
    return points;
}

/* Return the value of a key in a YAML mapping, or null. */
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

static size_t length_of(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

static yaml_node_t *item_of(yaml_document_t *document, const yaml_node_t *list, size_t index)
{
    return yaml_document_get_node(document, list->data.sequence.items.start[index]);
}

/* Decode hexadecimal digits after "0x", or a list of such texts of equal lengths. Return 0 if the length is another
 * one. */
static int decode(yaml_document_t *document, const yaml_node_t *node, uint8_t *bytes, size_t size)
{
    if (node->type == YAML_SEQUENCE_NODE) {
        const size_t count = length_of(node), each = count == 0 ? 0 : size / count;
        int fits = each * count == size;
        for (size_t i = 0; i < count && fits; i++) {
            fits = decode(document, item_of(document, node, i), bytes + i * each, each);
        }
        return fits;
    }
    const char *text = (const char *)node->data.scalar.value;
    const size_t length = node->data.scalar.length;
    assert_true(length >= 2 && length % 2 == 0 && memcmp(text, "0x", 2) == 0);
    if (length / 2 - 1 != size) {
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        const char digits[3] = {text[2 + 2 * i], text[3 + 2 * i], '\0'};
        char *end;
        bytes[i] = (uint8_t)strtoul(digits, &end, 16);
        assert_ptr_equal(end, digits + 2);
    }
    return 1;
}

/* Read an item of `size` bytes, or a list of such items. If `size` is 0, they are numbers. Return null if an item has
 * another size. */
static void *read_input(yaml_document_t *document, const yaml_node_t *node, size_t size, size_t *count)
{
    const int is_list = node->type == YAML_SEQUENCE_NODE;
    *count = is_list ? length_of(node) : 1;
    uint8_t *bytes = test_alloc(*count * (size == 0 ? sizeof(uint64_t) : size));
    for (size_t i = 0; i < *count; i++) {
        const yaml_node_t *item = is_list ? item_of(document, node, i) : node;
        if (size == 0) {
            char *end;
            ((uint64_t *)(void *)bytes)[i] = strtoull((const char *)item->data.scalar.value, &end, 10);
            assert_int_equal(*end, '\0');
        } else if (!decode(document, item, bytes + i * size, size)) {
            free(bytes);
            return NULL;
        }
    }
    return bytes;
}

/* These are the specification's functions, with the numbers of their vectors. */
typedef struct spec_function {
    const char *name;
    size_t valid, invalid;
    const char *inputs;           /* the keys of the inputs */
    size_t outputs[SPEC_OUTPUTS]; /* the bytes of the outputs; if all are 0, the result is true or false */
} spec_function;

static const spec_function functions[] = {
    {"blob_to_kzg_commitment", 5, 2, "blob", {POINT}},
    {"compute_kzg_proof", 26, 7, "blob z", {POINT, ELEMENT}},
    {"compute_blob_kzg_proof", 4, 3, "blob commitment", {POINT}},
    {"verify_kzg_proof", 67, 11, "commitment z y proof", {0}},
    {"verify_blob_kzg_proof", 7, 7, "blob commitment proof", {0}},
    {"verify_blob_kzg_proof_batch", 5, 11, "blobs commitments proofs", {0}},
    {"compute_challenge", 3, 0, "blob commitment", {ELEMENT}},
    {"compute_cells", 5, 2, "blob", {CELLS * CELL_BYTES}},
    {"compute_cells_and_kzg_proofs", 6, 2, "blob", {CELLS * CELL_BYTES, CELLS *POINT}},
    {"recover_cells_and_kzg_proofs", 4, 11, "cell_indices cells", {CELLS * CELL_BYTES, CELLS *POINT}},
    {"verify_cell_kzg_proof_batch", 8, 12, "commitments cell_indices cells proofs", {0}},
    {"compute_verify_cell_kzg_proof_batch_challenge",
     7,
     0,
     "commitments commitment_indices cell_indices cosets_evals proofs",
     {ELEMENT}},
};

/* Return the size of an item by its key. A number has size 0. */
static size_t bytes_by_key(const char *key)
{
    static const struct {
        const char *begins;
        size_t bytes;
    } keys[] = {{"blob", BLOB},      {"commitment_indices", 0}, {"commitment", POINT},       {"proof", POINT},
                {"cell_indices", 0}, {"cells", CELL_BYTES},     {"cosets_evals", CELL_BYTES}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strncmp(key, keys[i].begins, strlen(keys[i].begins)) == 0) {
            return keys[i].bytes;
        }
    }
    return ELEMENT;
}

static void check_outputs(const spec_function *f, yaml_document_t *document, const yaml_node_t *output,
                          spec_values *v, const char *name)
{
    for (size_t i = 0; i < SPEC_OUTPUTS && f->outputs[i] > 0; i++) {
        AUTO_FREE uint8_t *expected = test_alloc(f->outputs[i]);
        memset(expected, UNTOUCHED, f->outputs[i]);
        if (output != NULL) {
            const yaml_node_t *one = f->outputs[1] > 0 ? item_of(document, output, i) : output;
            assert_true(decode(document, one, expected, f->outputs[i]));
        }
        if (memcmp(v->out[i], expected, f->outputs[i]) != 0) {
            test_abort("%s: output %zu is another", name, i);
        }
    }
    if (f->outputs[0] == 0) {
        const char *answer = output == NULL ? "null" : (const char *)output->data.scalar.value;
        if (v->ok != (output == NULL ? -1 : strcmp(answer, "true") == 0)) {
            test_abort("%s: the answer is %d and not %s", name, v->ok, answer);
        }
    }
}

/* Run a vector, and return 1 if its input is valid. */
static int run_vector(const spec_function *f, int (*run)(spec_values *v), yaml_document_t *document,
                      const char *name)
{
    yaml_node_t *root = yaml_document_get_root_node(document), *input = value_of(document, root, "input");
    const yaml_node_t *output = value_of(document, root, "output");
    spec_values v = {.ok = -1};
    int can_be_passed = 1;
    assert_non_null(output);
    if (output->type == YAML_SCALAR_NODE && strcmp((const char *)output->data.scalar.value, "null") == 0) {
        output = NULL;
    }
    char keys[128], *rest = strcpy(keys, f->inputs), *key;
    for (size_t i = 0; (key = strtok_r(NULL, " ", &rest)) != NULL; i++) {
        const yaml_node_t *node = value_of(document, input, key);
        assert_non_null(node);
        v.in[i] = read_input(document, node, bytes_by_key(key), &v.counts[i]);
        can_be_passed &= v.in[i] != NULL && (v.counts[i] == v.counts[0] || f->invalid == 0);
    }
    for (size_t i = 0; i < SPEC_OUTPUTS; i++) {
        v.out[i] = test_alloc(f->outputs[i]);
        memset(v.out[i], UNTOUCHED, f->outputs[i]);
    }
    if ((can_be_passed && run(&v)) != (output != NULL)) {
        test_abort("%s: %s, and it should be the other way", name,
                   output == NULL ? "there is a result" : "the input is refused");
    }
    check_outputs(f, document, output, &v, name);
    for (size_t i = 0; i < SPEC_INPUTS; i++) {
        free(v.in[i]);
    }
    free(v.out[0]);
    free(v.out[1]);
    return output != NULL;
}

static int run_file(const spec_function *f, int (*run)(spec_values *v), const char *name)
{
    char path[1024];
    yaml_parser_t parser;
    yaml_document_t document;
    snprintf(path, sizeof path, "%s/tests/%s/kzg-mainnet/%s/data.yaml", SUMAC_TEST_DATA, f->name, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) {
        test_abort("cannot read %s", path);
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &document)) {
        test_abort("%s: %s", path, parser.problem);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    const int is_valid = run_vector(f, run, &document, name);
    yaml_document_delete(&document);
    return is_valid;
}

void run_spec_calls(const spec_call *calls, size_t count)
{
    for (const spec_call *call = calls; call < calls + count; call++) {
        char path[1024];
        size_t found[2] = {0, 0}, next = 0;
        const spec_function *f = functions;
        while (strcmp(f->name, call->function) != 0) {
            f++;
        }
        snprintf(path, sizeof path, "%s/tests/%s/kzg-mainnet", SUMAC_TEST_DATA, f->name);
        DIR *directory = opendir(path);
        if (directory == NULL) {
            test_abort("there is no directory %s", path);
        }
        for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
            if (entry->d_name[0] != '.' && (!options.quick || next++ % QUICK_STEP == 0)) {
                found[run_file(f, call->run, entry->d_name)]++;
            }
        }
        closedir(directory);
        assert_true(options.quick || (found[1] == f->valid && found[0] == f->invalid));
    }
}

void expect_refused(const kzg_fixture *fixture, sumac_status status, const char *label)
{
    if (status != SUMAC_BAD_ENCODING && status != SUMAC_NOT_ON_CURVE && status != SUMAC_NOT_IN_SUBGROUP &&
        status != SUMAC_BAD_ARGUMENT) {
        test_abort("%s: the status is %d", label, (int)status);
    }
    test_status(fixture->context, status, status, label);
}

void make_blob(void *blob, unsigned i)
{
    uint8_t *bytes = blob;
    uint32_t state = 2463534242u + i;
    for (size_t j = 0; j < BLOB; j++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes[j] = j % ELEMENT == 0 ? (uint8_t)(state & 0x3f) : (uint8_t)state;
    }
}
