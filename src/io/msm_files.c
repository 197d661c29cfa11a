/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes MSMs of files that are read in chunks. It implements functions of sumac/experimental.h. */
#define _XOPEN_SOURCE 700

#include "sumac/experimental.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "api/msm.h"
#include "base/clock.h"
#include "base/integers.h"
#include "base/memory_left.h"
#include "base/sizes.h"
#include "base/try.h"
#include "codec/table.h"
#include "io/checkpoint.h"
#include "io/memory.h"
#include "io/path.h"
#include "io/stream_chunk.h"
#include "io/stream_inputs.h"
#include "io/stream_reader.h"

/* Only for progress: importing a chunk's bases is assumed to take this fraction of the time of the chunk. */
#define LOAD_SHARE 0.1

/* This is the state of a call. */
typedef struct files_msm {
    sumac_context *context;
    const sumac_group *group;
    sumac_files_config config;
    sumac_msm_config msm; /* the configuration of each chunk's MSM */
    sumac_bases_config chunk_config;
    sumac_form result_form;
    stream_inputs inputs;
    uint64_t limit; /* the most bytes of host memory */
    chunk_sizes sizes;
    uint64_t n;
    uint64_t done; /* the number of bases and scalars done */
    uint64_t resumed;
    checksum sums[INPUTS]; /* checksums of the records that are done, if has_sums() */
    records_reader reader;
    int is_reading;
    chunk_memory memory;
    uint8_t *points;        /* raw points: the sum so far, and the sum of the chunk */
    void *addends;          /* both sums in the form of the curve's code */
    double checkpoint_time; /* the time of the last checkpoint */
    int checkpoint_is_new;  /* this call created the checkpoint, and no chunk is in it yet */
    double load_seconds, msm_seconds;
} files_msm;

static int has_sums(const files_msm *run)
{
    return run->config.checkpoint != NULL || run->inputs.is_table;
}

/* The work on the next n bases has several steps. Map the progress of the next step to the part [from, to] of this
 * work. */
static void set_progress(const files_msm *run, uint64_t n, double from, double to)
{
    context_progress_part(run->context, ((double)run->done + from * (double)n) / (double)run->n,
                          (to - from) * (double)n / (double)run->n);
}

/* ---- Memory ---- */

/* If the workspace of an MSM lies in host memory, return how many bytes it may have. Otherwise return 0, which means
 * the context's limit. */
static uint64_t workspace_limit(const files_msm *run)
{
    return context_executor(run->context)->engine == NULL ? larger(1, run->sizes.workspace) : 0;
}

static sumac_status choose_sizes(files_msm *run)
{
    const uint64_t small = (uint64_t)1 << 20; /* memory for small allocations */
    const chunk_request request = {.group = run->group,
                                   .bases = &run->chunk_config,
                                   .msm = &run->msm,
                                   .n = run->n - run->done,
                                   .chunk = run->config.chunk,
                                   .limit = run->limit,
                                   .fixed = chunk_fixed_bytes(&run->inputs) + small};
    TRY(chunk_choose_sizes(run->context, &request, &run->sizes));
    if (workspace_limit(run) != 0) { /* a workspace that was kept from earlier calls counts, too */
        executors_trim_workspaces(context_executors(run->context), workspace_limit(run));
    }
    return SUMAC_OK;
}

static sumac_status allocate_points(files_msm *run)
{
    const size_t bytes = context_code(run->context, run->group)->affine_bytes;
    run->points = calloc(2, run->group->point_bytes);
    run->addends = host_points(2 * bytes);
    return run->points == NULL || run->addends == NULL
               ? fail(run->context, SUMAC_OUT_OF_MEMORY, "cannot allocate %zu bytes for two points",
                      2 * (bytes + run->group->point_bytes))
               : SUMAC_OK;
}

/* ---- A chunk ---- */

/* Read and import the next n bases, and copy their scalars. */
static sumac_status load_chunk(files_msm *run, uint64_t n)
{
    CLEANUP(point_importer_end) point_importer importer = {0};
    TRY(chunk_begin_bases(&run->memory, n, &run->chunk_config, &importer));
    for (uint64_t scalars = 0; scalars < n || importer.done < n;) {
        const record_block *block = reader_wait(&run->reader);
        const size_t record_bytes = run->inputs.files[block->which].record_bytes;
        if (block->missing > 0) {
            return inputs_refuse_block(&run->inputs, block);
        }
        if (block->which == INPUT_SCALARS) {
            TRY(chunk_copy_scalars(&run->memory, scalars * record_bytes, block->bytes,
                                   block->records * record_bytes));
            scalars += block->records;
        } else {
            importer.records = block->bytes;
            TRY(point_importer_import(&importer, block->records, block->offset, record_bytes));
        }
        run->sums[block->which] = block->sum;
        reader_release(&run->reader);
    }
    return bases_complete(run->context, run->memory.bases, 0);
}

/* Import the two points of run->points into run->addends. */
static sumac_status import_addends(files_msm *run, sumac_check check)
{
    const point_layout layout = {SUMAC_FORM_CANONICAL, run->group->point_bytes, SUMAC_INFINITY_ZERO, 0};
    size_t bad = 0;
    return context_code(run->context, run->group)
        ->convert->import_points(run->addends, run->points, 2, &layout, check, &bad);
}

/* Add the sum of the chunk to the sum so far. Then set the sum of the chunk to infinity. */
static sumac_status add_sum(files_msm *run)
{
    const group_code *code = context_code(run->context, run->group);
    const size_t bytes = run->group->point_bytes;
    if (import_addends(run, SUMAC_CHECK_NONE) != SUMAC_OK) { /* the library computed both points */
        return fail(run->context, SUMAC_INTERNAL, "%s", sumac_status_text(SUMAC_INTERNAL));
    }
    code->points->sum(run->addends, run->addends, 2);
    code->convert->export_points(run->points, run->addends, 1, SUMAC_FORM_CANONICAL);
    memset(run->points + bytes, 0, bytes);
    return SUMAC_OK;
}

static sumac_status multiply_chunk(files_msm *run, uint64_t n)
{
    const sumac_status status =
        msm_within(run->context, run->memory.bases, run->memory.scalars, (size_t)n, &run->msm,
                   workspace_limit(run), run->points + run->group->point_bytes);
    if (status == SUMAC_SCALAR_TOO_LARGE) { /* the message must give the scalar's number in the file */
        uint64_t bad;
        TRY(chunk_find_large_scalar(&run->memory, n, run->msm.scalar_form, run->msm.scalar_bits, &bad));
        return fail(run->context, status, "%s: scalar %" PRIu64 " has more than the declared %u bits",
                    run->inputs.files[INPUT_SCALARS].file.path, run->config.first + run->done + bad,
                    run->msm.scalar_bits);
    }
    TRY(status);
    return add_sum(run);
}

static sumac_status run_chunk(files_msm *run, uint64_t n)
{
    const double start = clock_seconds();
    set_progress(run, n, 0, LOAD_SHARE);
    TRY(load_chunk(run, n));
    const double loaded = clock_seconds();
    run->load_seconds += loaded - start;
    set_progress(run, n, LOAD_SHARE, 1);
    TRY(multiply_chunk(run, n));
    run->msm_seconds += clock_seconds() - loaded;
    run->done += n;
    return inputs_check_unchanged(&run->inputs);
}

/* ---- Checkpoints ---- */

static checkpoint checkpoint_of(const files_msm *run)
{
    return (checkpoint){.group = run->group,
                        .format = run->inputs.format->info.name,
                        .check = run->config.check,
                        .outside_subgroup = run->chunk_config.outside_subgroup != 0,
                        .msm = &run->msm,
                        .bases_bytes = run->inputs.files[INPUT_BASES].file.size,
                        .scalars_bytes = run->inputs.files[INPUT_SCALARS].file.size,
                        .first = run->config.first,
                        .n = run->n,
                        .done = run->done,
                        .bases_sum = checksum_result(&run->sums[INPUT_BASES]),
                        .scalars_sum = checksum_result(&run->sums[INPUT_SCALARS])};
}

static sumac_status write_checkpoint(files_msm *run)
{
    const checkpoint written = checkpoint_of(run);
    const sumac_status status = checkpoint_write(run->context, run->config.checkpoint, &written, run->points);
    run->checkpoint_time = clock_seconds();
    run->checkpoint_is_new &= run->done == 0 || status != SUMAC_OK;
    return status;
}

/* The checkpoint has a checksum of the records that were summed up. Require that these records of the file are still
 * the same. The rest of the file may differ. */
static sumac_status check_done(files_msm *run, int which, uint64_t expected, uint8_t *block)
{
    TRY(inputs_add_to_checksum(&run->inputs, which, run->config.first, run->done, block, &run->sums[which]));
    return checksum_result(&run->sums[which]) == expected
               ? SUMAC_OK
               : fail(run->context, SUMAC_MISMATCH,
                      "%s: a checkpoint of another MSM: the %s that are done are not those in %s",
                      run->config.checkpoint, which == INPUT_BASES ? "bases" : "scalars",
                      run->inputs.files[which].file.path);
}

/* Find where the work begins. If there is no checkpoint yet, write the first one now, so that a path that can't be
 * written is reported before the work begins. */
static sumac_status open_checkpoint(files_msm *run)
{
    const char *path = run->config.checkpoint;
    checkpoint last = checkpoint_of(run);
    int found = 0;
    sumac_status status = SUMAC_OK;
    if (path == NULL) {
        return SUMAC_OK;
    }
    TRY(checkpoint_read(run->context, path, &last, run->points, &found));
    if (!found) {
        run->checkpoint_is_new = 1;
        return write_checkpoint(run);
    }
    TAKE_MEMORY(uint8_t, block, run->context, path, reader_block_bytes(run->inputs.files));
    run->done = run->resumed = last.done;
    status = import_addends(run, SUMAC_CHECK_CURVE);
    if (status != SUMAC_OK) {
        return fail(run->context, status, "%s: the sum in it: %s", path, sumac_status_text(status));
    }
    TRY(check_done(run, INPUT_SCALARS, last.scalars_sum, block));
    return check_done(run, INPUT_BASES, last.bases_sum, block);
}

/* ---- The call ---- */

static sumac_status run_chunks(files_msm *run)
{
    const uint64_t first = run->config.first;
    if (run->done < run->n) {
        reader_start(&run->reader, run->inputs.files, &run->inputs.shape, run->memory.blocks,
                     first + run->done, first + run->n, run->sizes.chunk, has_sums(run) ? run->sums : NULL);
        run->is_reading = 1;
    }
    while (run->done < run->n) {
        TRY(run_chunk(run, smaller(run->sizes.chunk, run->n - run->done)));
        /* The final checkpoint is written later, after everything is known to be right. */
        if (run->config.checkpoint != NULL && run->done < run->n &&
            1e3 * (clock_seconds() - run->checkpoint_time) >
                (double)(run->config.checkpoint_milliseconds - 1)) {
            TRY(write_checkpoint(run));
        }
    }
    return SUMAC_OK;
}

static sumac_status run_all(files_msm *run, const char *bases_path, const char *scalars_path)
{
    const uint64_t contexts_limit = run->context->config.memory_limit;
    run->limit = run->config.memory_limit != 0 ? run->config.memory_limit
                 : contexts_limit != 0         ? contexts_limit
                                               : memory_left("") / 2;
    const reader_shape shape = chunk_reader_shape(run->context, run->limit);
    TRY(inputs_open(&run->inputs, bases_path, scalars_path, &run->config, &shape, &run->n));
    run->chunk_config.outside_subgroup |= (uint32_t)((run->inputs.table.flags & TABLE_OUTSIDE_SUBGROUP) != 0);
    TRY(allocate_points(run));
    TRY(open_checkpoint(run));
    TRY(choose_sizes(run));
    TRY(chunk_allocate(&run->memory, &run->inputs, run->sizes.chunk));
    run->msm.scalars_location = run->memory.scalars_on_device ? SUMAC_LOCATION_DEVICE : SUMAC_LOCATION_HOST;
    TRY(run_chunks(run));
    if (run->inputs.is_table) {
        TRY(inputs_check_table(&run->inputs, checksum_result(&run->sums[INPUT_BASES])));
    }
    TRY(inputs_check_unchanged(&run->inputs));
    if (run->config.checkpoint != NULL && write_checkpoint(run) != SUMAC_OK) {
        /* If this checkpoint can't be written, that is ignored: the result is complete, and a later call can compute it
         * from the previous checkpoint, too. */
        context_message(run->context)->text[0] = '\0';
    }
    return SUMAC_OK;
}

/* Refuse options that do not work with files. */
static sumac_status check_config(const files_msm *run)
{
    const sumac_files_config *config = &run->config;
    const sumac_msm_config *msm = &run->msm;
    const char *fault = (unsigned)config->check > SUMAC_CHECK_NONE ? "check is no sumac_check"
                        : config->check == SUMAC_CHECK_SUBGROUP && config->outside_subgroup
                            ? "check is subgroup, but the points are declared to lie outside of it"
                        : msm->first != 0
                            ? "`first` must be set in the configuration of the files, not in that of the MSM"
                            : NULL;
    if (fault != NULL) {
        return fail(run->context, SUMAC_BAD_ARGUMENT, "the configuration can't be used: %s", fault);
    }
    if (msm->batch > 1 || msm->scalars_location != SUMAC_LOCATION_HOST ||
        msm->result_location != SUMAC_LOCATION_HOST) {
        return fail(run->context, SUMAC_NOT_SUPPORTED,
                    "a call with files computes one MSM, whose result lies on the host: batch and a device "
                    "are not allowed");
    }
    if (msm->scalar_signed || (msm->scalar_bytes != 0 && msm->scalar_bytes != run->group->scalar_bytes)) {
        return fail(run->context, SUMAC_NOT_SUPPORTED,
                    "a file's scalars are whole: scalar_bytes and scalar_signed are for scalars in memory");
    }
    return msm_config_check(run->context, run->group, msm);
}

/* Copy and check the caller's structs. */
static sumac_status set_configs(files_msm *run, const sumac_files_config *config, const sumac_msm_config *msm,
                                const sumac_files_report *report)
{
    sumac_message *message = context_message(run->context);
    TRY(public_take(&public_files_config, config, &run->config, message));
    if (run->config.checkpoint_milliseconds == 0) {
        run->config.checkpoint_milliseconds = 2000;
    }
    TRY(msm_config_take(msm, &run->msm, message));
    if (report != NULL) {
        TRY(public_check(&public_files_report, report, message));
    }
    TRY(check_config(run));
    run->result_form = run->msm.result_form;
    run->msm.result_form = SUMAC_FORM_CANONICAL;
    run->chunk_config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    run->chunk_config.check = run->config.check;
    run->chunk_config.outside_subgroup = run->config.outside_subgroup != 0;
    return SUMAC_OK;
}

/* Export the sum. It is the first of the two addends; if there are no bases, it is infinity. */
static void write_result(const files_msm *run, sumac_files_report *report, void *result)
{
    const group_code *code = context_code(run->context, run->group);
    if (run->n == 0) {
        memset(result, 0, run->group->point_bytes);
    } else {
        code->convert->export_points(result, run->addends, 1, run->result_form);
    }
    const sumac_files_report facts = {.size = sizeof facts,
                                      .n = run->n,
                                      .resumed = run->resumed,
                                      .chunk = run->sizes.chunk,
                                      .memory_bytes = run->sizes.total,
                                      .load_seconds = run->load_seconds,
                                      .msm_seconds = run->msm_seconds};
    if (report != NULL) {
        public_copy(&facts, report);
    }
}

static void free_run(files_msm **pointer)
{
    files_msm *run = *pointer;
    if (run == NULL) {
        return;
    }
    if (run->is_reading) {
        reader_stop(&run->reader);
    }
    chunk_free(&run->memory);
    inputs_close(&run->inputs);
    free(run->addends);
    free(run->points);
    free(run);
}

sumac_status sumac_msm_files(sumac_context *context, const sumac_group *group, const char *bases_path,
                             const char *scalars_path, const sumac_files_config *config,
                             const sumac_msm_config *msm_config, void *result, size_t result_bytes,
                             sumac_files_report *report)
{
    BEGIN_CALL(context);
    if (group == NULL || bases_path == NULL || scalars_path == NULL || result == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, paths and result must not be null");
    }
    TRY(bytes_require(context, "result", result_bytes, 1, group->point_bytes));
    CLEANUP(free_run) files_msm *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "cannot allocate %zu bytes for a stream", sizeof *run);
    }
    run->context = context;
    run->group = group;
    inputs_init(&run->inputs, context, group);
    for (int i = 0; i < INPUTS; i++) {
        checksum_begin(&run->sums[i]);
    }
    TRY(set_configs(run, config, msm_config, report));
    const sumac_status status = run_all(run, bases_path, scalars_path);
    context_progress_part(context, 0, 1);
    if (status == SUMAC_OK) {
        write_result(run, report, result);
    } else if (run->checkpoint_is_new) { /* if a call fails, it leaves no checkpoint that has no work in it */
        (void)path_remove(run->config.checkpoint);
    }
    return status;
}
