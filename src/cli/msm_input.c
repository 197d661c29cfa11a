/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "msm_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "codec/file_kinds.h"
#include "files.h"
#include "progress.h"

#define UNKNOWN UINT64_MAX /* of a pipe: how many there are */

/* One call of msm_input_read(). */
typedef struct reading {
    msm_input *input;
    const session *opened;
    const options *given;
    const char *format;
    bool takes_part;       /* -n or --first */
    bool bases_are_read;   /* all of them */
    uint64_t base_count;   /* of the file */
    uint64_t scalar_count; /* of the file */
} reading;

/* Whether a path names a regular file that says how long it is, without opening it: a pipe would wait for its
 * writer.
 */
static bool is_sized(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Lengths ---- */

/* Whether the part is there, as far as is known. */
static int check_part(const reading *all, uint64_t entries)
{
    const options *given = all->given;
    const msm_input *input = all->input;
    const bool scalars_end = given->first > entries || input->n > entries - given->first;
    if (!scalars_end && given->first <= all->base_count && input->n <= all->base_count - given->first) {
        return STATUS_DONE;
    }
    return bad_input("--first %llu and -n %llu go beyond the %llu %s in '%s'",
                     (unsigned long long)given->first, (unsigned long long)input->n,
                     (unsigned long long)(scalars_end ? entries : all->base_count),
                     !scalars_end       ? "bases"
                     : given->batch > 1 ? "scalars of each MSM"
                                        : "scalars",
                     scalars_end ? given->scalars : given->bases);
}

/* Find n. Lengths have to fit exactly, so that a truncated file is never taken for a short one; only who says
 * -n or
 * --first may use a part. */
static int check_lengths(const reading *all)
{
    const options *given = all->given;
    const bool knows_scalars = all->scalar_count != UNKNOWN;
    const uint64_t entries = knows_scalars ? all->scalar_count / given->batch : UNKNOWN;
    if (knows_scalars && all->scalar_count % given->batch != 0) {
        return bad_input("'%s' has %llu scalars, which is no multiple of the batch of %llu", given->scalars,
                         (unsigned long long)all->scalar_count, (unsigned long long)given->batch);
    }
    if (all->takes_part) {
        const uint64_t fewer = smaller(entries, all->base_count);
        all->input->n = given->given[OPTION_N] ? given->n : fewer > given->first ? fewer - given->first : 0;
        return check_part(all, entries);
    }
    const uint64_t needed = given->separate_bases ? all->scalar_count : entries;
    all->input->n = entries;
    return all->base_count == needed
               ? STATUS_DONE
               : bad_input("'%s' has %llu scalars%s, but '%s' has %llu bases; -n takes a part of both",
                           given->scalars, (unsigned long long)needed,
                           given->batch > 1 && !given->separate_bases ? " for each MSM" : "", given->bases,
                           (unsigned long long)all->base_count);
}

/* ---- Bases ---- */

/* How many there are, where that is told without reading them. */
static int count_bases(reading *all)
{
    size_t count = 0;
    all->base_count = UNKNOWN;
    if (!is_sized(all->given->bases)) {
        return STATUS_DONE;
    }
    const sumac_status status = sumac_bases_file_count(all->opened->context, all->opened->curve,
                                                       all->given->bases, all->format, &count);
    if (status == SUMAC_OK) {
        all->base_count = count;
    }
    return status == SUMAC_OK || status == SUMAC_NOT_SUPPORTED ? STATUS_DONE
                                                               : session_failure(all->opened, status);
}

static int read_all_bases(reading *all)
{
    const int status =
        read_bases(all->opened, all->given, all->given->bases, all->format, &all->input->bases);
    all->bases_are_read = true;
    all->input->first = all->given->first;
    all->base_count = status == STATUS_DONE ? sumac_bases_count(all->input->bases) : 0;
    return status;
}

/* Bases [first, first + n) alone; all where the format has no parts. */
static int read_part_of_bases(reading *all)
{
    const options *given = all->given;
    const sumac_status status = read_bases_part(all->opened, given, given->bases, all->format, given->first,
                                                all->input->n, &all->input->bases);
    if (status == SUMAC_NOT_SUPPORTED) {
        return read_all_bases(all);
    }
    return status == SUMAC_OK ? STATUS_DONE : session_failure(all->opened, status);
}

/* ---- Scalars ---- */

static size_t scalar_bytes(const reading *all)
{
    return all->given->scalar_bytes != 0 ? (size_t)all->given->scalar_bytes : all->opened->info->scalar_bytes;
}

/* Of `size` bytes in all, the first of which are these. */
static int check_whole_scalars(const reading *all, uint64_t size, const unsigned char *first, size_t count)
{
    const sumac_curve_info *info = all->opened->info;
    const uint64_t bytes = scalar_bytes(all);
    char likely[FILE_LIKELY_BYTES];
    const file_head head = {first, count, size};
    const uint64_t last = size / bytes * bytes;
    if (bytes > info->scalar_bytes) {
        return bad_input("--scalar-bytes %llu is more than the %u of %s %s", (unsigned long long)bytes,
                         (unsigned)info->scalar_bytes, info->name, info->group);
    }
    return size % bytes == 0
               ? STATUS_DONE
               : bad_input(
                     "%s: %llu bytes are not a whole number of %llu-byte scalars of %s %s: the last one, at "
                     "byte %llu, is cut off%s",
                     all->given->scalars, (unsigned long long)size, (unsigned long long)bytes, info->name,
                     info->group, (unsigned long long)last, file_likely_text(&head, likely));
}

static int allocate_scalars(const reading *all)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(all->input->n, scalar_bytes(all) * all->given->batch, &bytes)) {
        bytes = UINT64_MAX;
    }
    int status = require_memory(all->given->scalars, bytes);
    if (status == STATUS_DONE) {
        all->input->scalars = allocate(bytes, "scalars");
        status = all->input->scalars != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT;
    }
    return status;
}

/* The next n of an open file. */
static int read_run(const reading *all, int descriptor, uint64_t msm)
{
    const size_t bytes = (size_t)all->input->n * scalar_bytes(all);
    size_t size = 0;
    const int status =
        read_input(descriptor, all->given->scalars, all->input->scalars + msm * bytes, bytes, &size);
    return status != STATUS_DONE || size == bytes
               ? status
               : bad_input("'%s' ends before %llu scalars are read", all->given->scalars,
                           (unsigned long long)all->input->n);
}

/* Of a file whose scalars are counted, those that are used. */
static int read_chosen_scalars(const reading *all, int descriptor, off_t start)
{
    const uint64_t entries = all->scalar_count / all->given->batch;
    int status = allocate_scalars(all);
    for (uint64_t msm = 0; msm < all->given->batch && status == STATUS_DONE && all->input->n > 0; msm++) {
        const uint64_t offset = (msm * entries + all->given->first) * scalar_bytes(all);
        status = lseek(descriptor, start + (off_t)offset, SEEK_SET) < 0
                     ? system_failure("read", all->given->scalars, errno)
                     : read_run(all, descriptor, msm);
    }
    return status;
}

/* Of a pipe the first ones are read and forgotten, and nothing is read behind the n that are wanted. */
static int read_first_scalars(const reading *all)
{
    unsigned char unused[4096];
    const char *path = all->given->scalars;
    uint64_t left = all->given->first * scalar_bytes(all);
    int descriptor;
    int status = allocate_scalars(all);
    if (status == STATUS_DONE) {
        status = open_input(path, &descriptor);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    while (left > 0 && status == STATUS_DONE) {
        const size_t wanted = (size_t)smaller(left, sizeof unused);
        size_t size = 0;
        status = read_input(descriptor, path, unused, wanted, &size);
        if (status == STATUS_DONE && size < wanted) {
            status = bad_input("'%s' ends before its first %llu scalars, which --first leaves out", path,
                               (unsigned long long)all->given->first);
        }
        left -= size;
    }
    if (status == STATUS_DONE) {
        status = read_run(all, descriptor, 0);
    }
    close(descriptor);
    return status;
}

/* How many scalars there are at most that fit the bases: without -n and --first as many. UNKNOWN with these.
 */
static uint64_t fitting_scalars(const reading *all)
{
    uint64_t count;
    const uint64_t each = all->given->separate_bases ? 1 : all->given->batch;
    return all->takes_part || __builtin_mul_overflow(all->base_count, each, &count) ? UNKNOWN : count;
}

/* All of a pipe, but no more than fit the bases, or than memory may hold: on the CPU --memory-limit says
 * that, too. */
static int read_all_scalars(reading *all)
{
    const options *given = all->given;
    const size_t bytes = scalar_bytes(all);
    const uint64_t fitting = fitting_scalars(all);
    const bool is_limited =
        given->memory_limit != 0 && sumac_context_device_name(all->opened->context, 0)[0] == '\0';
    uint64_t most = is_limited ? given->memory_limit : UINT64_MAX;
    most = fitting < UNKNOWN / bytes ? fitting * bytes : most;
    most = smaller(most, SIZE_MAX - 1);
    size_t size = 0;
    int status = read_beginning(given->scalars, (size_t)most, &all->input->scalars, &size);
    if (status == STATUS_DONE && size > most) {
        return fitting != UNKNOWN
                   ? bad_input("'%s' has more scalars than the %llu that go with the %llu bases in '%s'; -n "
                               "takes a "
                               "part of both",
                               given->scalars, (unsigned long long)fitting,
                               (unsigned long long)all->base_count, given->bases)
                   : bad_input(
                         "%s: it does not say its length and goes on after %llu bytes, the memory limit",
                         given->scalars, (unsigned long long)most);
    }
    if (status == STATUS_DONE) {
        status = check_whole_scalars(all, size, all->input->scalars, (size_t)smaller(size, FILE_HEAD_BYTES));
    }
    all->scalar_count = size / bytes;
    return status == STATUS_DONE ? check_lengths(all) : status;
}

/* Entries [first, first + n) of each MSM together, in the memory of all. */
static void choose_scalars(const reading *all)
{
    const uint64_t entries = all->scalar_count / all->given->batch;
    const size_t bytes = scalar_bytes(all), run = (size_t)all->input->n * bytes;
    for (uint64_t msm = 0; msm < all->given->batch && run < entries * bytes; msm++) {
        memmove(all->input->scalars + msm * run,
                all->input->scalars + (msm * entries + all->given->first) * bytes, run);
    }
}

/* ---- Both ---- */

/* The part is read alone where it is known before anything is read; how many bases and scalars a pipe has is
 * known when it was read. */
static int read_bases_first(reading *all)
{
    const bool knows_n =
        all->given->given[OPTION_N] || (all->scalar_count != UNKNOWN && all->base_count != UNKNOWN);
    if (!all->takes_part || !knows_n) {
        return read_all_bases(all);
    }
    const int status = check_lengths(all);
    return status == STATUS_DONE ? read_part_of_bases(all) : status;
}

static int read_both(reading *all, int descriptor, off_t start)
{
    const double begun = seconds_now();
    int status = all->takes_part ? count_bases(all) : STATUS_DONE;
    if (status == STATUS_DONE) {
        status = read_bases_first(all);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    all->input->read_milliseconds = 1e3 * (seconds_now() - begun);
    const double bases_read = seconds_now();
    progress_begin("reading %s", all->given->scalars);
    if (descriptor >= 0) {
        status = check_lengths(all);
        status = status == STATUS_DONE ? read_chosen_scalars(all, descriptor, start) : status;
    } else if (all->given->given[OPTION_N] && all->given->batch == 1) {
        status = check_lengths(all);
        status = status == STATUS_DONE ? read_first_scalars(all) : status;
    } else {
        status = read_all_scalars(all);
        if (status == STATUS_DONE) {
            choose_scalars(all);
        }
    }
    progress_end();
    session_span(all->opened, "read scalars", bases_read);
    return status;
}

/* Of a regular file the scalars are counted now, and read when all is known to fit. */
static int open_scalars(reading *all, int *descriptor, off_t *start)
{
    struct stat facts;
    all->scalar_count = UNKNOWN;
    if (!is_sized(all->given->scalars)) {
        return STATUS_DONE;
    }
    int status = open_input(all->given->scalars, descriptor);
    if (status != STATUS_DONE) {
        return status;
    }
    *start = lseek(*descriptor, 0, SEEK_CUR);
    if (*start < 0 || fstat(*descriptor, &facts) != 0) {
        return system_failure("read", all->given->scalars, errno);
    }
    const uint64_t size = facts.st_size > *start ? (uint64_t)(facts.st_size - *start) : 0;
    all->scalar_count = size / scalar_bytes(all);
    unsigned char first[FILE_HEAD_BYTES];
    const ssize_t count = pread(*descriptor, first, sizeof first, *start);
    return check_whole_scalars(all, size, first, count > 0 ? (size_t)count : 0);
}

int msm_input_read(msm_input *input, const session *opened, const options *given, const char *format)
{
    reading all = {.input = input,
                   .opened = opened,
                   .given = given,
                   .format = format,
                   .takes_part = given->given[OPTION_N] || given->given[OPTION_FIRST]};
    int descriptor = -1;
    off_t start = 0;
    *input = (msm_input){.bases = NULL};
    if (all.takes_part && given->separate_bases) {
        return bad_input("--first and -n do not go with --separate-bases");
    }
    int status = open_scalars(&all, &descriptor, &start);
    if (status == STATUS_DONE) {
        status = read_both(&all, descriptor, start);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return status;
}

void msm_input_free(msm_input *input)
{
    sumac_bases_destroy(input->bases);
    free(input->scalars);
}
