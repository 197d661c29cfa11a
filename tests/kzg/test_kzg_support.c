/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "test_kzg_support.h"

#include <dirent.h>

enum {
    QUICK_STEP = 5,        /* of the vectors, one in so many */
    QUICK_TABLES = 2 << 20 /* bytes of tables; what the planner takes by itself is made in a second */
};

/* One without and one prepared for cells, made when a test first wants them. */
static kzg_fixture fixtures[2];

kzg_fixture fixture_open(int prepared)
{
    kzg_fixture *fixture = &fixtures[prepared != 0];
    if (fixture->setup == NULL) {
        fixture->context = test_context(2, 0);
        TEST_OK(fixture->context,
                sumac_kzg_setup_open(fixture->context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &fixture->setup));
        assert_non_null(fixture->setup);
        if (prepared) {
            TEST_OK(fixture->context, sumac_kzg_setup_make_tables(fixture->context, fixture->setup,
                                                                  options.quick ? QUICK_TABLES : 0));
        }
    }
    return *fixture;
}

void fixtures_close(void)
{
    for (size_t i = 0; i < 2; i++) {
        sumac_kzg_setup_destroy(fixtures[i].setup);
        sumac_context_destroy(fixtures[i].context);
    }
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

static void open_case(kzg_case *c, const char *function, const char *name)
{
    char path[1024];
    yaml_parser_t parser;
    snprintf(path, sizeof path, "%s/tests/%s/kzg-mainnet/%s/data.yaml", SUMAC_TEST_DATA, function, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) {
        test_abort("cannot read %s", path);
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &c->document)) {
        test_abort("%s: %s", path, parser.problem);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    yaml_node_t *root = yaml_document_get_root_node(&c->document);
    c->name = name;
    c->input = value_of(&c->document, root, "input");
    c->output = value_of(&c->document, root, "output");
    assert_non_null(c->input);
    assert_non_null(c->output);
    if (c->output->type == YAML_SCALAR_NODE &&
        strcmp((const char *)c->output->data.scalar.value, "null") == 0) {
        c->output = NULL;
    }
}

void run_cases(const char *function, const kzg_fixture *fixture,
               void (*run)(const kzg_fixture *fixture, kzg_case *c), size_t valid, size_t invalid)
{
    char path[1024];
    size_t found_valid = 0, found_invalid = 0, next = 0;
    snprintf(path, sizeof path, "%s/tests/%s/kzg-mainnet", SUMAC_TEST_DATA, function);
    DIR *directory = opendir(path);
    if (directory == NULL) {
        test_abort("there is no directory %s", path);
    }
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] != '.' && (!options.quick || next++ % QUICK_STEP == 0)) {
            kzg_case c;
            open_case(&c, function, entry->d_name);
            found_valid += c.output != NULL;
            found_invalid += c.output == NULL;
            run(fixture, &c);
            yaml_document_delete(&c.document);
        }
    }
    closedir(directory);
    if (!options.quick) {
        assert_int_equal(found_valid, valid);
        assert_int_equal(found_invalid, invalid);
    }
}

yaml_node_t *input_of(kzg_case *c, const char *key)
{
    yaml_node_t *value = value_of(&c->document, c->input, key);
    assert_non_null(value);
    return value;
}

yaml_node_t *item_of(kzg_case *c, yaml_node_t *list, size_t index)
{
    assert_int_equal(list->type, YAML_SEQUENCE_NODE);
    assert_true(list->data.sequence.items.start + index < list->data.sequence.items.top);
    return yaml_document_get_node(&c->document, list->data.sequence.items.start[index]);
}

static size_t length_of(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

/* Hexadecimal digits after "0x"; 0 if they are not so many bytes. */
static int decode(const yaml_node_t *node, uint8_t *bytes, size_t size)
{
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

uint8_t *bytes_of(kzg_case *c, yaml_node_t *node, size_t size, size_t *count)
{
    const int is_list = node->type == YAML_SEQUENCE_NODE;
    const size_t n = is_list ? length_of(node) : 1;
    uint8_t *bytes = test_alloc(n * size);
    if (count != NULL) {
        *count = n;
    }
    for (size_t i = 0; i < n; i++) {
        if (!decode(is_list ? item_of(c, node, i) : node, bytes + i * size, size)) {
            free(bytes);
            return NULL;
        }
    }
    return bytes;
}

uint64_t *numbers_of(kzg_case *c, yaml_node_t *list, size_t *count)
{
    *count = length_of(list);
    uint64_t *numbers = test_alloc(*count * sizeof *numbers);
    for (size_t i = 0; i < *count; i++) {
        const char *text = (const char *)item_of(c, list, i)->data.scalar.value;
        char *end;
        numbers[i] = strtoull(text, &end, 10);
        assert_true(end != text && *end == '\0');
    }
    return numbers;
}

void expect_refused(const kzg_fixture *fixture, sumac_status status, const char *label)
{
    if (status != SUMAC_BAD_ENCODING && status != SUMAC_NOT_ON_CURVE && status != SUMAC_NOT_IN_SUBGROUP &&
        status != SUMAC_BAD_ARGUMENT) {
        test_abort("%s: the status is %d", label, (int)status);
    }
    test_status(fixture->context, status, status, label);
}

void make_blob(uint8_t *blob, unsigned i)
{
    uint32_t state = 2463534242u + i;
    for (size_t j = 0; j < BLOB; j++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        blob[j] = j % ELEMENT == 0 ? (uint8_t)(state & 0x3f) : (uint8_t)state;
    }
}
