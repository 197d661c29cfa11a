/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is part of test_formats.c: while a device imports a table's points, the next ones are read. With the
 * backend cpu, support/device.h imitates the device.
 */
#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/memory_left.h"
#include "codec/bytes.h"
#include "support/container.h"
#include "support/device.h"
#include "test_formats_support.h"

/* ---- Tables of several blocks ---- */

enum { HEADER = HEADER_ENTRIES + ENTRY_BYTES, FEW = 64, BLOCK = 8 << 20, MORE = 5 };

typedef struct large_table {
    uint8_t *bytes;
    size_t size, count, block, point; /* bytes of the file, bases, bases in a block, bytes of a point */
    const char *path;
} large_table;

/* Change the header of a table to that of `count` points. */
static void store_count(large_table *table, size_t count)
{
    store_le64(table->bytes + HEADER_ENTRIES + ENTRY_COUNT, count);
    store_le64(table->bytes + HEADER_ENTRIES + ENTRY_SIZE, count * table->point);
    file_correct_header(table->bytes, HEADER);
}

/* Make a table of two blocks and some points, by repeating a saved table of a few points. */
static large_table make_large(sumac_context *context, const sumac_group *group, const uint8_t *points)
{
    large_table table = {.point = group->point_bytes, .path = in_directory("large")};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    size_t size;
    TEST_OK(context, exact_create(context, group, points, FEW, NULL, &bases));
    TEST_OK(context, sumac_bases_save(context, bases, table.path, NULL));
    AUTO_FREE uint8_t *few = test_read_file(table.path, &size);
    table.block = BLOCK / table.point;
    table.count = 2 * table.block + MORE;
    table.size = file_section_end(HEADER, table.count * table.point);
    table.bytes = test_alloc(table.size);
    memset(table.bytes, 0, table.size);
    memcpy(table.bytes, few, HEADER);
    store_count(&table, table.count);
    for (size_t i = 0; i < table.count; i++) {
        memcpy(table.bytes + HEADER + i * table.point, few + HEADER + i % FEW * table.point, table.point);
    }
    file_correct(table.bytes, table.size);
    test_write_file(table.path, table.bytes, table.size);
    return table;
}

/* Change bytes of the file, require the message about them, and restore the file. */
static void refuse_change(sumac_context *context, const sumac_group *group, large_table *table, size_t point,
                          size_t damaged, sumac_status status)
{
    char part[64];
    sumac_bases *bases;
    sumac_bases_config config = {.size = sizeof config};
    const size_t at = HEADER + point * table->point;
    config.check = SUMAC_CHECK_CURVE;
    table->bytes[at] ^= 1;
    file_correct(table->bytes, table->size);
    table->bytes[HEADER + damaged * table->point] ^= damaged == point ? 0 : 1;
    test_write_file(table->path, table->bytes, table->size);
    snprintf(part, sizeof part,
             status == SUMAC_NOT_ON_CURVE ? "the point at byte %zu is not" : "bytes 128 to", at);
    expect(context, sumac_bases_open(context, group, table->path, "table", 0, SUMAC_ALL, &config, &bases),
           status, table->path, part);
    table->bytes[at] ^= 1;
    table->bytes[HEADER + damaged * table->point] ^= damaged == point ? 0 : 1;
    file_correct(table->bytes, table->size);
}

static void open_large(sumac_context *context, const sumac_group *group, const large_table *table,
                       const uint8_t *points, sumac_check check)
{
    CLEANUP(destroy_bases) sumac_bases *bases = expect_good(context, group, table->path, "table", check);
    AUTO_FREE uint8_t *got = test_alloc(table->count * table->point);
    assert_int_equal(sumac_bases_count(bases), table->count);
    assert_int_equal(exact_get(context, bases, 0, table->count, got), SUMAC_OK);
    for (size_t i = 0; i < table->count; i++) {
        assert_memory_equal(got + i * table->point, points + i % FEW * table->point, table->point);
    }
}

void test_device_tables(void **state)
{
    test_group *t = *state;
    AUTO_FREE uint8_t *points = some_points(t, FEW);
    memcpy(points, points + (FEW - 1) * (size_t)t->info->point_bytes, t->info->point_bytes);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        sumac_context *context = test_context(threads, 0);
        large_table table = make_large(context, t->group, points);
        test_device device;
        device_install(&device, context, t->group);
        open_large(context, t->group, &table, points, SUMAC_CHECK_NONE);
        assert_true(device.sent == 0 || device.sent == table.count);
        const size_t last = table.count - 1, of_first = table.block - 1;
        refuse_change(context, t->group, &table, 0, 0, SUMAC_NOT_ON_CURVE);
        if (!options.quick) {
            refuse_change(context, t->group, &table, of_first, of_first, SUMAC_NOT_ON_CURVE);
            refuse_change(context, t->group, &table, table.block, table.block, SUMAC_NOT_ON_CURVE);
        }
        refuse_change(context, t->group, &table, last, last, SUMAC_NOT_ON_CURVE);
        refuse_change(context, t->group, &table, of_first, last, SUMAC_BAD_CHECKSUM);
        device_remove(&device, context);
        sumac_context_destroy(context);
        free(table.bytes);
        empty_directory();
    }
}

/* ---- Multiples, parts, and failures ---- */

static int cancel(void *user, double done)
{
    (void)user;
    return done > 0;
}

/* This is the memory that a device lacks. */
typedef enum shortage { NOTHING, PINNED_MEMORY, ROOM_FOR_THE_TABLE } shortage;

static void run_short_of(test_device *device, shortage of, uint64_t table_bytes)
{
    device->no_pinned = of == PINNED_MEMORY;
    device->allocatable = of == ROOM_FOR_THE_TABLE ? table_bytes : UINT64_MAX; /* no memory for records */
}

/* Open bases [first, first + n) of the file on the host and on the device. Both must give the same bases. */
static void open_both_ways(test_group *t, const char *path, size_t first, size_t n,
                           const sumac_bases_config *config, shortage of)
{
    CLEANUP(destroy_context) sumac_context *host = test_context(2, 0), *context = test_context(2, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL, *expected = NULL;
    test_device device;
    TEST_OK(host, sumac_bases_open(host, t->group, path, "table", first, n, config, &expected));
    device_install(&device, context, t->group);
    run_short_of(&device, of, info_of(expected).bytes);
    TEST_OK(context, sumac_bases_open(context, t->group, path, "table", first, n, config, &bases));
    assert_same_bases(context, bases, expected);
    if (context->executors.at->engine == &device) {
        assert_int_equal(device.sent, of == NOTHING ? n * bases_factor(bases) : 0);
        assert_int_equal(bases->shards[0].table.host_resident, of == ROOM_FOR_THE_TABLE);
    }
    device_remove(&device, context);
}

void test_device_multiples(void **state)
{
    test_group *t = *state;
    enum { N = 300, FACTOR = 3 };
    const char *path = in_directory("table");
    sumac_context_config asked = test_context_config(2);
    sumac_context *context = test_context(2, 0), *cancelled;
    sumac_bases *bases;
    test_device device;
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = FACTOR;
    TEST_OK(context, sumac_known_bases_create(context, t->group, N, 7, &config, &bases));
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    sumac_bases_destroy(bases);
    config.check = SUMAC_CHECK_SUBGROUP;
    open_both_ways(t, path, 0, N, &config, NOTHING);
    open_both_ways(t, path, 0, N, &config, PINNED_MEMORY);
    open_both_ways(t, path, 20, N - 30, &config, NOTHING);

    device_install(&device, context, t->group);
    device.fails_upload = 1;
    if (context->executors.at->engine == &device) {
        test_sentence(context,
                      sumac_bases_open(context, t->group, path, "table", 0, SUMAC_ALL, &config, &bases),
                      SUMAC_DEVICE_FAILED, "the device of a test has failed");
    }
    device_remove(&device, context);
    sumac_context_destroy(context);

    asked.progress = cancel;
    assert_int_equal(sumac_context_create(&asked, &cancelled, NULL), SUMAC_OK);
    device_install(&device, cancelled, t->group);
    test_sentence(cancelled,
                  sumac_bases_open(cancelled, t->group, path, "table", 0, SUMAC_ALL, &config, &bases),
                  SUMAC_CANCELLED, "was cancelled");
    device_remove(&device, cancelled);
    sumac_context_destroy(cancelled);
    empty_directory();
}

/* If bases stay on the host because the device has no memory, they are page-locked on demand, unless the host can lock no
 * more pages. Bases on the device are never page-locked. */
void test_device_page_locked(void **state)
{
    test_group *t = *state;
    AUTO_FREE uint8_t *points = some_points(t, FEW), *got = test_alloc(FEW * (size_t)t->info->point_bytes);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    test_device device;
    device_install(&device, context, t->group);
    for (uint32_t turn = 0; turn < 8; turn++) {
        const int asked = turn & 1, is_full = turn >> 1 & 1, locks_none = turn >> 2 & 1;
        sumac_bases_config config = {.size = sizeof config};
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        config.page_locked = (uint32_t)asked;
        device.allocatable = is_full ? 0 : UINT64_MAX;
        device.no_pinned = locks_none;
        TEST_OK(context, exact_create(context, t->group, points, FEW, &config, &bases));
        if (context->executors.at->engine == &device) {
            assert_int_equal(bases->shards[0].table.host_resident, is_full);
            assert_int_equal(bases->shards[0].page_locked, asked && is_full && !locks_none);
            assert_int_equal(device.pinned, bases->shards[0].page_locked);
        }
        TEST_OK(context, exact_get(context, bases, 0, FEW, got));
        assert_memory_equal(got, points, FEW * (size_t)t->info->point_bytes);
        device.pinned = 0;
    }
    device_remove(&device, context);
}

/* A table that exceeds the host's memory can be read if its points go straight to a device. */
void test_device_memory(void **state)
{
    test_group *t = *state;
    const uint64_t count = (uint64_t)1 << 31, bytes = count * t->info->point_bytes;
    const char *path = in_directory("huge");
    AUTO_FREE uint8_t *points = some_points(t, FEW);
    const sumac_bases_config config = {.size = sizeof config};
    sumac_context_config asked = test_context_config(2);
    sumac_context *host = test_context(2, 0), *context;
    test_device device;
    asked.progress = cancel;
    assert_int_equal(sumac_context_create(&asked, &context, NULL), SUMAC_OK);
    large_table table = make_large(host, t->group, points);
    open_both_ways(t, table.path, 0, table.count, &config, ROOM_FOR_THE_TABLE);
    store_count(&table, count);
    test_write_file(path, table.bytes, HEADER);
    device_install(&device, context, t->group);
    const int can_tell = context->executors.at->engine == &device && memory_left("") < bytes &&
                         truncate(path, (off_t)file_section_end(HEADER, bytes)) == 0;
    for (shortage of = NOTHING; can_tell && of <= ROOM_FOR_THE_TABLE; of++) {
        sumac_bases *bases;
        run_short_of(&device, of, BLOCK);
        test_sentence(context, sumac_bases_open(context, t->group, path, "table", 0, SUMAC_ALL, NULL, &bases),
                      of == NOTHING ? SUMAC_CANCELLED : SUMAC_OUT_OF_MEMORY,
                      of == NOTHING ? "was cancelled" : "are left");
    }
    device_remove(&device, context);
    sumac_context_destroy(context);
    sumac_context_destroy(host);
    free(table.bytes);
    empty_directory();
    if (!can_tell) {
        skip();
    }
}
