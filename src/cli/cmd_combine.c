/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "points_file.h"
#include "results.h"
#include "session.h"

static int size_is_wrong(const session *opened, const char *path, uint32_t batch, size_t size,
                         size_t expected)
{
    return bad_input("%s: %s: it has %zu bytes, and a partial result of %s %s with a batch of %u has %zu",
                     path, size < expected ? "truncated" : "too long", size, opened->info->name,
                     opened->info->group, (unsigned)batch, expected);
}

/* Why a file is no partial result of this curve and batch; 0 if it is one. What it is of matters more than
 * how long. */
static int refuse_partial(const session *opened, const char *path, uint32_t batch, size_t size,
                          size_t expected, sumac_status checked)
{
    const sumac_curve_info *info = opened->info;
    if (sumac_status_is_machine_fault(checked)) {
        return session_failure(opened, checked);
    }
    if (checked == SUMAC_MISMATCH) {
        return bad_input("%s: not a partial result of %s %s with a batch of %u", path, info->name,
                         info->group, (unsigned)batch);
    }
    if (checked != SUMAC_BAD_FILE && size != expected) {
        return size_is_wrong(opened, path, batch, size, expected);
    }
    return checked == SUMAC_OK ? STATUS_DONE : bad_input("%s: %s", path, sumac_status_text(checked));
}

/* The library looks at as many bytes as a partial result of the batch has; what the file lacks is zeros. */
static int fill_up(unsigned char **partial, size_t size, size_t expected)
{
    size_t wanted = size < expected ? expected : size;
    unsigned char *larger = realloc(*partial, wanted);
    if (larger == NULL) {
        return machine_fault("out of memory: %zu bytes for a partial result could not be had", wanted);
    }
    *partial = larger;
    if (size < expected) {
        memset(larger + size, 0, expected - size);
    }
    return STATUS_DONE;
}

/* Look at one partial result alone, so that the sentence on a bad one names its file. */
static int check_partial(const session *opened, const char *path, uint32_t batch,
                         const unsigned char *partial, size_t size, size_t expected)
{
    unsigned char *scratch = allocate((uint64_t)batch * opened->info->point_bytes, "results");
    if (scratch == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    const void *one = partial;
    sumac_status checked = sumac_partial_combine(opened->context, opened->curve, &one, 1, batch, scratch);
    free(scratch);
    return refuse_partial(opened, path, batch, size, expected, checked);
}

/* Memory follows the files: where one is not a fourth of what the batch needs, the batch is wrong. */
static int read_partial(const session *opened, const char *path, uint32_t batch, unsigned char **partial)
{
    enum { ALWAYS_HAD = 1 << 16 };
    size_t size, expected = sumac_partial_bytes(opened->curve, batch);
    /* Room for another curve's, so that it is called that and not only too long. */
    int status = read_small_file(path, 4 * expected, partial, &size);
    if (status == STATUS_DONE && size < expected / 4 && expected > ALWAYS_HAD) {
        status = size_is_wrong(opened, path, batch, size, expected);
    }
    if (status == STATUS_DONE) {
        status = fill_up(partial, size, expected);
    }
    return status == STATUS_DONE ? check_partial(opened, path, batch, *partial, size, expected) : status;
}

static int print_sum(const session *opened, const options *given, const unsigned char *results)
{
    uint32_t batch = (uint32_t)given->batch;
    if (!given->json) {
        print("curve      %s %s\n", opened->info->name, opened->info->group);
        print("partials   %d\n", given->operand_count);
        print_points(opened->info, results, batch);
        points_file_print(given);
        return STATUS_DONE;
    }
    json_t *object = json_pack("{s:s, s:s, s:i}", "curve", opened->info->name, "group", opened->info->group,
                               "partials", given->operand_count);
    if (object != NULL &&
        (!set_results(object, opened->info, results, batch) || !points_file_set(object, given))) {
        json_decref(object);
        object = NULL;
    }
    return print_json(object);
}

static int combine_files(const session *opened, const options *given, unsigned char **partials,
                         result_file *out)
{
    uint32_t batch = (uint32_t)given->batch;
    size_t count = (size_t)given->operand_count;
    int status = points_file_open(out, opened, given);
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        status = read_partial(opened, given->operands[i], batch, &partials[i]);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    unsigned char *results = allocate((uint64_t)batch * opened->info->point_bytes, "results");
    if (results == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_status combined = sumac_partial_combine(opened->context, opened->curve,
                                                  (const void *const *)partials, count, batch, results);
    status = combined == SUMAC_OK ? points_file_write(out, opened, given, results, batch)
                                  : session_failure(opened, combined);
    if (status == STATUS_DONE) {
        status = print_sum(opened, given, results);
    }
    free(results);
    return status;
}

static int run_combine(const options *given)
{
    session opened;
    result_file out = RESULT_FILE_CLOSED;
    size_t count = (size_t)given->operand_count;
    unsigned char **partials = NULL;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        partials = allocate(count * sizeof *partials, "partial results");
        status = partials != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT;
    }
    if (status == STATUS_DONE) {
        memset(partials, 0, count * sizeof *partials);
        status = combine_files(&opened, given, partials, &out);
        for (size_t i = 0; i < count; i++) {
            free(partials[i]);
        }
    }
    free(partials);
    result_file_discard(&out);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_CURVE, OPTION_GROUP, OPTION_BATCH, OPTION_OUT,
                                  OPTION_TO,    OPTION_JSON,  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_END};

const command command_combine = {
    .name = "combine",
    .summary = "Add up the partial results that several `sumac msm --partial` wrote",
    .takes = takes,
    .needs = needs,
    .operands = "FILE...",
    .operands_minimum = 1,
    .operands_maximum = 1 << 20,
    .operands_read = 1 << 20,
    .run = run_combine,
};
