/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

static int wrong_size(const session *opened, const char *path, uint32_t batch, size_t size, size_t expected)
{
    return bad_input("%s: %s: it has %zu bytes, and a partial result of %s %s with a batch of %u has %zu",
                     path, size < expected ? "truncated" : "too long", size, opened->info->curve,
                     opened->info->name, (unsigned)batch, expected);
}

/* Check one partial result by itself, so that the message about a bad one has the name of its file. If both the curve
 * and the length are wrong, the curve is reported. */
static int check_partial(const session *opened, const char *path, uint32_t batch,
                         const unsigned char *partial, size_t size, size_t expected)
{
    AUTO_FREE unsigned char *scratch = NULL;
    ALLOCATE(scratch, (uint64_t)batch * opened->info->point_bytes, "results");
    const void *one = partial;
    const sumac_status checked =
        sumac_partial_combine(opened->context, opened->group, &one, expected, 1, batch, scratch,
                              (size_t)batch * opened->info->point_bytes);
    if (sumac_status_is_machine_fault(checked)) {
        return session_check(opened, checked);
    }
    if (checked == SUMAC_MISMATCH) {
        return bad_input("%s: not a partial result of %s %s with a batch of %u", path, opened->info->curve,
                         opened->info->name, (unsigned)batch);
    }
    if (checked != SUMAC_BAD_FILE && size != expected) {
        return wrong_size(opened, path, batch, size, expected);
    }
    return checked == SUMAC_OK ? STATUS_DONE : bad_input("%s: %s", path, sumac_status_text(checked));
}

/* Read one file. Memory is allocated for the size of the file, not for that of the batch. If the file has less than a
 * fourth of the bytes that the batch needs, the batch is refused. */
static int read_partial(const session *opened, const char *path, uint32_t batch, unsigned char **partial)
{
    enum { ALWAYS_LEFT = 1 << 16 };
    size_t size, expected = sumac_partial_bytes(opened->group, batch);
    /* A partial result of another curve may be longer. It must be read, so that it can be reported as one of another
     * curve. */
    MUST(read_small_file(path, 4 * expected, partial, &size));
    if (size < expected / 4 && expected > ALWAYS_LEFT) {
        return wrong_size(opened, path, batch, size, expected);
    }
    /* The library reads as many bytes as the batch has. If the file has fewer, the missing bytes are zeros. */
    if (size < expected) {
        unsigned char *larger = realloc(*partial, expected);
        if (larger == NULL) {
            return cannot_allocate(expected, "a partial result");
        }
        *partial = larger;
        memset(larger + size, 0, expected - size);
    }
    return check_partial(opened, path, batch, *partial, size, expected);
}

static int print_sum(const session *opened, const options *given, const unsigned char *results)
{
    const uint32_t batch = (uint32_t)given->batch;
    if (!given->json) {
        print("curve      %s %s\n", opened->info->curve, opened->info->name);
        print("partials   %d\n", given->operand_count);
        print_points(opened->info, results, batch);
        points_file_print(given);
        return STATUS_DONE;
    }
    json_t *object = json_pack("{s:s, s:s, s:i}", "curve", opened->info->curve, "group", opened->info->name,
                               "partials", given->operand_count);
    put_results(&object, opened->info, results, batch);
    points_file_put(&object, given);
    return print_json(object);
}

/* This list has the contents of the files. */
typedef struct partial_list {
    unsigned char **bytes;
    size_t count;
} partial_list;

static void free_partials(partial_list *partials)
{
    for (size_t i = 0; i < partials->count; i++) {
        free(partials->bytes[i]);
    }
    free(partials->bytes);
}

static int run_combine(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file out = RESULT_FILE_CLOSED;
    CLEANUP(free_partials) partial_list partials = {.bytes = NULL};
    AUTO_FREE unsigned char *results = NULL;
    const uint32_t batch = (uint32_t)given->batch;
    const size_t count = (size_t)given->operand_count;
    MUST(points_file_open(&out, opened, given));
    ALLOCATE(partials.bytes, count * sizeof *partials.bytes, "partial results");
    for (size_t i = 0; i < count; i++) {
        partials.bytes[partials.count++] = NULL;
        MUST(read_partial(opened, given->operands[i], batch, &partials.bytes[i]));
    }
    ALLOCATE(results, (uint64_t)batch * opened->info->point_bytes, "results");
    CALL(opened, sumac_partial_combine(opened->context, opened->group, (const void *const *)partials.bytes,
                                       sumac_partial_bytes(opened->group, batch), count, batch, results,
                                       (size_t)batch * opened->info->point_bytes));
    MUST(points_file_write(&out, opened, given, results, batch));
    return print_sum(opened, given, results);
}

const command command_combine = {
    .name = "combine",
    .summary = "Add up the partial results that several `sumac msm --partial` wrote",
    .takes = OPTIONS(OPTION_CURVE, OPTION_GROUP, OPTION_BATCH, OPTION_OUT, OPTION_TO, OPTION_JSON),
    .needs = OPTIONS(OPTION_CURVE),
    .operands = {"FILE...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "combine --curve bn254 a.part b.part",
    .run_in = run_combine,
};
