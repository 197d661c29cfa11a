/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs of files, chunk by chunk: sumac/files.h. */
#define _XOPEN_SOURCE 700

#include "sumac/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "api/msm.h"
#include "base/sizes.h"
#include "base/clock.h"
#include "base/integers.h"
#include "base/memory_left.h"
#include "executor/msm.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/msm_files_checkpoint.h"
#include "io/msm_files_chunks.h"
#include "io/msm_files_inputs.h"
#include "io/msm_files_memory.h"
#include "io/msm_files_reader.h"
#include "io/whole_file.h"

/* The share of a chunk's work that importing its bases is: for progress only. */
#define LOAD_SHARE 0.1

/* The whole call. */
typedef struct files_msm {
    sumac_context *context;
    const sumac_curve *curve;
    sumac_files_config config;
    sumac_msm_config msm; /* of each chunk */
    sumac_bases_config chunk_config;
    sumac_form result_form;
    msm_inputs files;
    uint64_t limit; /* bytes of the host's memory */
    chunk_sizes sizes;
    uint64_t n;
    uint64_t done; /* of n */
    uint64_t resumed;
    checksum sums[INPUTS]; /* of the records that are done, where has_sums() */
    records_reader reader;
    int reads; /* the reader has begun */
    chunk_memory memory;
    uint8_t *points;        /* raw: the sum so far, and the chunk's */
    void *addends;          /* the same two as the curve's code takes them */
    double checkpoint_time; /* of the last checkpoint */
    int checkpoint_is_new;  /* this call made it, and no chunk is in it yet */
    double load_seconds, msm_seconds;
} files_msm;

static int has_sums(const files_msm *run)
{
    return run->config.checkpoint != NULL || run->files.is_table;
}

/* ---- Progress ---- */

/* A step that does the part [from, to] of the next n bases' work. */
static void begin_step(const files_msm *run, uint64_t n, double from, double to)
{
    context_progress_part(run->context, ((double)run->done + from * (double)n) / (double)run->n,
                          (to - from) * (double)n / (double)run->n);
}

/* ---- Memory ---- */

static uint64_t choose_limit(const files_msm *run)
{
    const uint64_t contexts = run->context->config.memory_limit;
    return run->config.memory_limit != 0 ? run->config.memory_limit
           : contexts != 0               ? contexts
                                         : memory_left("") / 2;
}

/* Most bytes for an MSM's workspace, where that is the host's memory; else 0: the context's own limit. */
static uint64_t workspace_limit(const files_msm *run)
{
    return context_executor(run->context)->engine == NULL ? larger(1, run->sizes.workspace) : 0;
}

static sumac_status choose_sizes(files_msm *run)
{
    const uint64_t fixed = chunk_fixed_bytes(run->files.inputs, &run->files.shape) +
                           ((uint64_t)1 << 20); /* and a mebibyte for all that is small */
    const chunk_sizes_request request = {.curve = run->curve,
                                         .bases = &run->chunk_config,
                                         .msm = &run->msm,
                                         .n = run->n - run->done,
                                         .chunk = run->config.chunk,
                                         .limit = run->limit,
                                         .fixed = fixed};
    const sumac_status status = chunk_sizes_choose(run->context, &request, &run->sizes);
    if (status == SUMAC_OK && workspace_limit(run) != 0) { /* one of calls before counts, too */
        executors_trim_workspaces(context_executors(run->context), workspace_limit(run));
    }
    return status;
}

static sumac_status allocate(files_msm *run)
{
    run->memory.bases_path = run->files.inputs[INPUT_BASES].file.path;
    run->memory.scalars_path = run->files.inputs[INPUT_SCALARS].file.path;
    const sumac_status status =
        chunk_memory_begin(&run->memory, run->files.inputs, &run->files.shape, run->sizes.chunk);
    run->msm.scalars_location = chunk_scalars_location(&run->memory);
    return status;
}

static sumac_status allocate_points(files_msm *run)
{
    const size_t bytes = context_code(run->context, run->curve)->affine_bytes;
    run->points = calloc(2, run->curve->info.point_bytes);
    run->addends = host_points(2 * bytes);
    return run->points == NULL || run->addends == NULL
               ? fail(run->context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for two points",
                      2 * (bytes + run->curve->info.point_bytes))
               : SUMAC_OK;
}

/* ---- A chunk ---- */

/* Take the bytes of the next n bases and scalars, with an importer whose buffers are the reader's. */
static sumac_status take_chunk(files_msm *run, uint64_t n, point_importer *importer)
{
    uint64_t scalars = 0;
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && (scalars < n || importer->done < n)) {
        const record_block *block = reader_take(&run->reader);
        const record_file *input = &run->files.inputs[block->which];
        if (block->missing > 0) {
            return inputs_fail_block(&run->files, block);
        }
        if (block->which == INPUT_SCALARS) {
            status = chunk_take_scalars(&run->memory, scalars * input->record_bytes, block->bytes,
                                        block->records * input->record_bytes);
            scalars += block->records;
        } else {
            importer->records = block->bytes;
            importer->raw = importer->format->is_raw ? block->bytes : importer->raw;
            status = point_importer_take(importer, block->records, block->offset, input->record_bytes);
        }
        run->sums[block->which] = block->sum;
        reader_give(&run->reader);
    }
    return status;
}

static sumac_status load_chunk(files_msm *run, uint64_t n)
{
    sumac_status status = chunk_bases(&run->memory, n, &run->chunk_config);
    if (status != SUMAC_OK) {
        return status;
    }
    point_importer importer = {.context = run->context,
                               .bases = run->memory.bases,
                               .path = run->files.inputs[INPUT_BASES].file.path,
                               .unit = "byte",
                               .format = run->files.records,
                               .check = run->config.check,
                               .capacity = run->files.inputs[INPUT_BASES].block_records,
                               .total = n,
                               .staging = run->memory.bases_are_sent ? run->memory.staging : NULL};
    status = point_importer_begin(&importer);
    uint8_t *const records = importer.records, *const raw = importer.raw;
    if (status == SUMAC_OK) {
        status = take_chunk(run, n, &importer);
    }
    importer.records = records;
    importer.raw = raw;
    point_importer_end(&importer);
    return status == SUMAC_OK ? bases_complete(run->context, run->memory.bases) : status;
}

/* The two points of run->points to run->addends. */
static sumac_status import_addends(files_msm *run, sumac_check check)
{
    const curve_code *code = context_code(run->context, run->curve);
    const point_layout layout = {SUMAC_FORM_CANONICAL, run->curve->info.point_bytes, SUMAC_INFINITY_ZERO, 0};
    size_t bad = 0;
    return code->convert->import_points(run->addends, run->points, 2, &layout, check, &bad);
}

/* The chunk's sum to the sum so far; it leaves infinity in the chunk's place. */
static sumac_status add_sum(files_msm *run)
{
    const curve_code *code = context_code(run->context, run->curve);
    const size_t bytes = run->curve->info.point_bytes;
    const sumac_status status = import_addends(run, SUMAC_CHECK_NONE);
    if (status != SUMAC_OK) { /* both are the library's own */
        return fail(run->context, SUMAC_INTERNAL, "%s", sumac_status_text(SUMAC_INTERNAL));
    }
    code->points->sum(run->addends, run->addends, 2);
    code->convert->export_points(run->points, run->addends, 1, SUMAC_FORM_CANONICAL);
    memset(run->points + bytes, 0, bytes);
    return SUMAC_OK;
}

/* The sentence names a scalar by its place in the file. */
static sumac_status fail_large_scalar(const files_msm *run, uint64_t n)
{
    uint64_t bad;
    const sumac_status status =
        chunk_first_large_scalar(&run->memory, n, run->msm.scalar_form, run->msm.scalar_bits, &bad);
    if (status != SUMAC_OK) {
        return status;
    }
    return fail(run->context, SUMAC_SCALAR_TOO_LARGE,
                "%s: scalar %" PRIu64 " has more than the declared %u bits",
                run->files.inputs[INPUT_SCALARS].file.path, run->config.first + run->done + bad,
                run->msm.scalar_bits);
}

static sumac_status run_chunk(files_msm *run, uint64_t n)
{
    const double start = clock_seconds();
    begin_step(run, n, 0, LOAD_SHARE);
    sumac_status status = load_chunk(run, n);
    const double loaded = clock_seconds();
    run->load_seconds += loaded - start;
    begin_step(run, n, LOAD_SHARE, 1);
    if (status == SUMAC_OK) {
        status = msm_within(run->context, run->memory.bases, chunk_scalars(&run->memory), (size_t)n,
                            &run->msm, workspace_limit(run), run->points + run->curve->info.point_bytes);
        status = status == SUMAC_SCALAR_TOO_LARGE ? fail_large_scalar(run, n) : status;
    }
    if (status == SUMAC_OK) {
        status = add_sum(run);
    }
    run->msm_seconds += clock_seconds() - loaded;
    return status;
}

/* ---- Checkpoints ---- */

static checkpoint_subject subject_of(const files_msm *run)
{
    return (checkpoint_subject){.curve = run->curve,
                                .format = run->files.format->info.name,
                                .check = run->config.check,
                                .outside_subgroup = run->chunk_config.outside_subgroup != 0,
                                .scalar_form = run->msm.scalar_form,
                                .scalar_bits = run->msm.scalar_bits,
                                .cut_scalars = run->msm.cut_scalars != 0,
                                .bases_bytes = run->files.inputs[INPUT_BASES].file.size,
                                .scalars_bytes = run->files.inputs[INPUT_SCALARS].file.size,
                                .first = run->config.first,
                                .n = run->n};
}

static sumac_status write_checkpoint(files_msm *run)
{
    const checkpoint_subject subject = subject_of(run);
    const checkpoint_state state = {.done = run->done,
                                    .bases_sum = checksum_result(&run->sums[INPUT_BASES]),
                                    .scalars_sum = checksum_result(&run->sums[INPUT_SCALARS])};
    const sumac_status status =
        checkpoint_write(run->context, run->config.checkpoint, &subject, &state, run->points);
    run->checkpoint_time = clock_seconds();
    run->checkpoint_is_new &= run->done == 0 || status != SUMAC_OK;
    return status;
}

/* After a chunk. That of the result is written when all is known to be right. */
static sumac_status keep_checkpoint(files_msm *run)
{
    if (run->config.checkpoint == NULL || run->done == run->n ||
        clock_seconds() - run->checkpoint_time < run->config.checkpoint_seconds) {
        return SUMAC_OK;
    }
    return write_checkpoint(run);
}

static sumac_status check_done(files_msm *run, int which, uint64_t expected, uint8_t *block)
{
    const sumac_status status =
        inputs_sum(&run->files, which, run->config.first, run->done, block, &run->sums[which]);
    if (status == SUMAC_OK && checksum_result(&run->sums[which]) != expected) {
        return fail(run->context, SUMAC_MISMATCH,
                    "%s: a checkpoint of another MSM: the %s that are done are not those in %s",
                    run->config.checkpoint, which == INPUT_BASES ? "bases" : "scalars",
                    run->files.inputs[which].file.path);
    }
    return status;
}

/* Go on from what a checkpoint says. The files' bytes up to there must be those that were summed up: nothing
 * else of the files matters. */
static sumac_status take_checkpoint(files_msm *run, const checkpoint_state *state)
{
    sumac_status status;
    uint8_t *block =
        memory_allocate(run->context, run->config.checkpoint, block_bytes_of(run->files.inputs), &status);
    if (status != SUMAC_OK) {
        return status;
    }
    run->done = run->resumed = state->done;
    status = import_addends(run, SUMAC_CHECK_CURVE);
    if (status != SUMAC_OK) {
        status = fail(run->context, status, "%s: the sum in it: %s", run->config.checkpoint,
                      sumac_status_text(status));
    }
    if (status == SUMAC_OK) {
        status = check_done(run, INPUT_SCALARS, state->scalars_sum, block);
    }
    if (status == SUMAC_OK) {
        status = check_done(run, INPUT_BASES, state->bases_sum, block);
    }
    free(block);
    return status;
}

/* Find where the work begins. A checkpoint that can't be written is found out now. */
static sumac_status begin_checkpoint(files_msm *run)
{
    const checkpoint_subject subject = subject_of(run);
    checkpoint_state state;
    int found = 0;
    if (run->config.checkpoint == NULL) {
        return SUMAC_OK;
    }
    const sumac_status status =
        checkpoint_read(run->context, run->config.checkpoint, &subject, &state, run->points, &found);
    if (status != SUMAC_OK) {
        return status;
    }
    if (found) {
        return take_checkpoint(run, &state);
    }
    run->checkpoint_is_new = 1;
    return write_checkpoint(run);
}

/* A call that failed leaves no checkpoint of its own without work in it. */
static void drop_empty_checkpoint(const files_msm *run)
{
    if (run->checkpoint_is_new) {
        (void)path_remove(run->config.checkpoint);
    }
}

/* ---- The call ---- */

static sumac_status run_chunks(files_msm *run)
{
    const uint64_t first = run->config.first;
    if (run->done < run->n) {
        reader_begin(&run->reader, run->files.inputs, &run->files.shape, run->memory.blocks,
                     first + run->done, first + run->n, run->sizes.chunk, has_sums(run) ? run->sums : NULL);
        run->reads = 1;
    }
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && run->done < run->n) {
        const uint64_t n = smaller(run->sizes.chunk, run->n - run->done);
        status = run_chunk(run, n);
        if (status == SUMAC_OK) {
            run->done += n;
            status = inputs_check(&run->files);
        }
        if (status == SUMAC_OK) {
            status = keep_checkpoint(run);
        }
    }
    return status;
}

static sumac_status run_all(files_msm *run, const char *bases_path, const char *scalars_path)
{
    run->limit = choose_limit(run);
    const reader_shape shape = chunk_reader_shape(run->context, run->limit);
    sumac_status status = inputs_open(&run->files, bases_path, scalars_path, &run->config, &shape, &run->n);
    run->chunk_config.outside_subgroup |= (uint32_t)(run->files.outside_subgroup != 0);
    if (status == SUMAC_OK) {
        status = allocate_points(run);
    }
    if (status == SUMAC_OK) {
        status = begin_checkpoint(run);
    }
    if (status == SUMAC_OK) {
        status = choose_sizes(run);
    }
    if (status == SUMAC_OK) {
        status = allocate(run);
    }
    if (status == SUMAC_OK) {
        status = run_chunks(run);
    }
    if (status == SUMAC_OK && run->files.is_table) {
        status = inputs_check_table(&run->files, checksum_result(&run->sums[INPUT_BASES]));
    }
    if (status == SUMAC_OK) {
        status = inputs_check(&run->files);
    }
    if (status == SUMAC_OK && run->config.checkpoint != NULL && write_checkpoint(run) != SUMAC_OK) {
        context_executor(run->context)->message.text[0] =
            '\0'; /* the result is there; the checkpoint before leads to it, too */
    }
    return status;
}

static void clean_up(files_msm *run)
{
    if (run->reads) {
        reader_end(&run->reader);
    }
    inputs_close(&run->files);
    chunk_memory_end(&run->memory);
    host_points_free(run->addends);
    free(run->points);
}

static sumac_status check_config(const files_msm *run)
{
    const sumac_files_config *config = &run->config;
    const sumac_msm_config *msm = &run->msm;
    const char *fault = (unsigned)config->check > SUMAC_CHECK_NONE
                            ? "check is none of curve, subgroup and none"
                        : config->check == SUMAC_CHECK_SUBGROUP && config->outside_subgroup
                            ? "check is subgroup, but the points are declared to lie outside of it"
                        : !(config->checkpoint_seconds >= 0) ? "checkpoint_seconds is negative"
                        : msm->first != 0 ? "it is the stream's first that counts, not the MSM's"
                                          : NULL;
    if (fault != NULL) {
        return fail(run->context, SUMAC_BAD_ARGUMENT, "the configuration can't be used: %s", fault);
    }
    if (msm->batch > 1 || msm->stream != NULL || msm->event != NULL ||
        msm->scalars_location != SUMAC_LOCATION_HOST || msm->result_location != SUMAC_LOCATION_HOST) {
        return fail(run->context, SUMAC_NOT_SUPPORTED,
                    "an MSM of files is one, and its result is the host's: no batch, no device, no stream");
    }
    if (msm->scalar_signed ||
        (msm->scalar_bytes != 0 && msm->scalar_bytes != run->curve->info.scalar_bytes)) {
        return fail(run->context, SUMAC_NOT_SUPPORTED,
                    "a file's scalars are whole: scalar_bytes and scalar_signed are for scalars in memory");
    }
    return msm_config_check(run->context, run->curve, msm);
}

/* The caller's structs, checked. */
static sumac_status take_configs(files_msm *run, const sumac_files_config *config,
                                 const sumac_msm_config *msm, const sumac_files_report *report)
{
    sumac_message *message = &context_executor(run->context)->message;
    sumac_status status = public_take(&public_files_config, config, &run->config, message);
    if (status == SUMAC_OK) {
        status = public_take(&public_msm_config, msm, &run->msm, message);
    }
    if (status == SUMAC_OK && report != NULL) {
        status = public_check(&public_files_report, report, message);
    }
    if (status == SUMAC_OK) {
        status = check_config(run);
    }
    run->result_form = run->msm.result_form;
    run->msm.result_form = SUMAC_FORM_CANONICAL;
    run->chunk_config = sumac_bases_config_default();
    run->chunk_config.check = run->config.check;
    run->chunk_config.outside_subgroup = run->config.outside_subgroup != 0;
    return status;
}

static void give_result(const files_msm *run, sumac_files_report *report, void *result)
{
    const curve_code *code = context_code(run->context, run->curve);
    /* The sum is in the first place, also of a checkpoint in which all is done; or there are no bases. */
    if (run->n == 0) {
        memset(result, 0, run->curve->info.point_bytes);
    } else {
        code->convert->export_points(result, run->addends, 1, run->result_form);
    }
    const sumac_files_report made = {.size = sizeof made,
                                     .n = run->n,
                                     .resumed = run->resumed,
                                     .chunk = run->sizes.chunk,
                                     .memory_bytes = run->sizes.total,
                                     .load_seconds = run->load_seconds,
                                     .msm_seconds = run->msm_seconds};
    if (report != NULL) {
        public_copy(&made, report);
    }
}

sumac_status sumac_msm_files(sumac_context *context, const sumac_curve *curve, const char *bases_path,
                             const char *scalars_path, const sumac_files_config *config,
                             const sumac_msm_config *msm_config, void *result, sumac_files_report *report)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || bases_path == NULL || scalars_path == NULL || result == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, paths and result must not be null");
    }
    files_msm *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a stream",
                    sizeof *run);
    }
    run->context = context;
    run->curve = curve;
    run->memory.context = context;
    run->memory.curve = curve;
    inputs_begin(&run->files, context, curve);
    for (int i = 0; i < INPUTS; i++) {
        checksum_begin(&run->sums[i]);
    }
    sumac_status status = take_configs(run, config, msm_config, report);
    if (status == SUMAC_OK) {
        status = run_all(run, bases_path, scalars_path);
        context_progress_part(context, 0, 1);
    }
    if (status == SUMAC_OK) {
        give_result(run, report, result);
    } else {
        drop_empty_checkpoint(run);
    }
    clean_up(run);
    free(run);
    return status;
}
