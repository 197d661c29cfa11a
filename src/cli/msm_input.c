/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "msm_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "codec/file_kinds.h"
#include "progress.h"

#define UNKNOWN UINT64_MAX /* the number of bases or scalars in a pipe */

/* One call of msm_input_read(). */
typedef struct reading {
    msm_input *input;
    const session *opened;
    const options *given;
    bool takes_part;       /* -n, --first or --first-base */
    uint64_t first_base;   /* of the file, the first that is used */
    uint64_t base_count;   /* of the file */
    uint64_t scalar_count; /* of the file */
    size_t scalar_bytes;
    int descriptor; /* of a regular file of scalars, which begin at `start`; -1 for a pipe */
    off_t start;
} reading;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Tell whether a path names a regular file that says how long it is. The file is not opened, as a pipe would wait for its
 * writer. */
static bool is_sized(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
}

/* ---- Lengths ---- */

static int check_part(const char *option, uint64_t first, uint64_t n, uint64_t count, const char *what,
                      const char *path)
{
    return first <= count && n <= count - first
               ? STATUS_DONE
               : bad_input("%s %llu and -n %llu go beyond the %llu %s in '%s'", option,
                           (unsigned long long)first, (unsigned long long)n, (unsigned long long)count, what,
                           path);
}

/* Find n. Lengths have to fit exactly, so that a truncated file is never taken for a short one; only -n, --first and
 * --first-base may use a part. */
static int check_lengths(const reading *all)
{
    const options *given = all->given;
    msm_input *input = all->input;
    const bool knows_scalars = all->scalar_count != UNKNOWN;
    const uint64_t entries = knows_scalars ? all->scalar_count / given->batch : UNKNOWN;
    if (knows_scalars && all->scalar_count % given->batch != 0) {
        return bad_input("'%s' has %llu scalars, which is no multiple of the batch of %llu", given->scalars,
                         (unsigned long long)all->scalar_count, (unsigned long long)given->batch);
    }
    if (all->takes_part) {
        const uint64_t scalars = entries - smaller(entries, given->first);
        const uint64_t bases = all->base_count - smaller(all->base_count, all->first_base);
        input->n = given->given[OPTION_N] ? given->n : smaller(scalars, bases);
        MUST(check_part("--first", given->first, input->n, entries,
                        given->batch > 1 ? "scalars of each MSM" : "scalars", given->scalars));
        return check_part(given->given[OPTION_FIRST_BASE] ? "--first-base" : "--first", all->first_base,
                          input->n, all->base_count, "bases", given->bases);
    }
    const uint64_t needed = given->separate_bases ? all->scalar_count : entries;
    input->n = entries;
    return all->base_count == needed
               ? STATUS_DONE
               : bad_input("'%s' has %llu scalars%s, but '%s' has %llu bases; -n takes a part of both",
                           given->scalars, (unsigned long long)needed,
                           given->batch > 1 && !given->separate_bases ? " for each MSM" : "", given->bases,
                           (unsigned long long)all->base_count);
}

/* ---- Bases ---- */

/* Read the part alone if it is known before anything is read, and the format has parts; else all bases. */
static int read_bases_first(reading *all)
{
    const session *opened = all->opened;
    const options *given = all->given;
    msm_input *input = all->input;
    size_t count = 0;
    all->base_count = UNKNOWN;
    if (all->takes_part && is_sized(given->bases)) {
        const sumac_status counted =
            sumac_bases_file_count(opened->context, opened->curve, given->bases, given->format, &count);
        all->base_count = counted == SUMAC_OK ? count : UNKNOWN;
        MUST(counted == SUMAC_NOT_SUPPORTED ? STATUS_DONE : session_check(opened, counted));
    }
    if (all->takes_part &&
        (given->given[OPTION_N] || (all->scalar_count != UNKNOWN && all->base_count != UNKNOWN))) {
        MUST(check_lengths(all));
        const sumac_status status = read_bases_part(opened, given, given->bases, given->format,
                                                    all->first_base, input->n, &input->bases);
        if (status != SUMAC_NOT_SUPPORTED) {
            return session_check(opened, status);
        }
    }
    MUST(read_bases(opened, given, given->bases, given->format, &input->bases));
    input->first = all->first_base;
    all->base_count = sumac_bases_count(input->bases);
    return STATUS_DONE;
}

/* ---- Scalars ---- */

/* Refuse a file of `size` bytes that are not whole scalars; its first bytes say what else it may be. */
static int check_whole_scalars(const reading *all, uint64_t size, const unsigned char *first, size_t count)
{
    const sumac_curve_info *info = all->opened->info;
    const unsigned long long bytes = all->scalar_bytes;
    char likely[FILE_LIKELY_BYTES];
    const file_head head = {first, count, size};
    return size % bytes == 0
               ? STATUS_DONE
               : bad_input(
                     "%s: %llu bytes are not a whole number of %llu-byte scalars of %s %s: the last one, at "
                     "byte %llu, is cut off%s",
                     all->given->scalars, (unsigned long long)size, bytes, info->name, info->group,
                     (unsigned long long)size / bytes * bytes, file_likely_text(&head, likely));
}

/* Open a regular file of scalars and count them; they are read when all is known to fit. */
static int open_scalars(reading *all)
{
    struct stat facts;
    const options *given = all->given;
    const sumac_curve_info *info = all->opened->info;
    all->scalar_bytes = given->scalar_bytes != 0 ? (size_t)given->scalar_bytes : info->scalar_bytes;
    all->scalar_count = UNKNOWN;
    if (all->scalar_bytes > info->scalar_bytes) {
        return bad_input("--scalar-bytes %zu is more than the %u of %s %s", all->scalar_bytes,
                         (unsigned)info->scalar_bytes, info->name, info->group);
    }
    if (!is_sized(given->scalars)) {
        return STATUS_DONE;
    }
    MUST(open_input(given->scalars, &all->descriptor));
    all->start = lseek(all->descriptor, 0, SEEK_CUR);
    if (all->start < 0 || fstat(all->descriptor, &facts) != 0) {
        return system_failure("read", given->scalars, errno);
    }
    const uint64_t size = facts.st_size > all->start ? (uint64_t)(facts.st_size - all->start) : 0;
    all->scalar_count = size / all->scalar_bytes;
    unsigned char first[FILE_HEAD_BYTES];
    const ssize_t count = pread(all->descriptor, first, sizeof first, all->start);
    return check_whole_scalars(all, size, first, count > 0 ? (size_t)count : 0);
}

static int allocate_scalars(const reading *all)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(all->input->n, all->scalar_bytes * all->given->batch, &bytes)) {
        bytes = UINT64_MAX;
    }
    MUST(require_memory(all->given->scalars, bytes));
    all->input->scalars = allocate(bytes, "scalars");
    return all->input->scalars != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT;
}

/* Read the next n scalars, those of one MSM. */
static int read_run(const reading *all, int descriptor, uint64_t msm)
{
    const size_t bytes = (size_t)all->input->n * all->scalar_bytes;
    size_t size = 0;
    MUST(read_input(descriptor, all->given->scalars, all->input->scalars + msm * bytes, bytes, &size));
    return size == bytes ? STATUS_DONE
                         : bad_input("'%s' ends before %llu scalars are read", all->given->scalars,
                                     (unsigned long long)all->input->n);
}

/* Read the scalars that are used from a regular file. */
static int read_chosen_scalars(const reading *all)
{
    const uint64_t entries = all->scalar_count / all->given->batch;
    MUST(check_lengths(all));
    MUST(allocate_scalars(all));
    for (uint64_t msm = 0; msm < all->given->batch && all->input->n > 0; msm++) {
        const uint64_t offset = (msm * entries + all->given->first) * all->scalar_bytes;
        if (lseek(all->descriptor, all->start + (off_t)offset, SEEK_SET) < 0) {
            return system_failure("read", all->given->scalars, errno);
        }
        MUST(read_run(all, all->descriptor, msm));
    }
    return STATUS_DONE;
}

/* Read n scalars of a pipe: the first ones are dropped, and nothing behind the n is read. */
static int read_first_scalars(const reading *all, int descriptor)
{
    unsigned char unused[4096];
    MUST(check_lengths(all));
    MUST(allocate_scalars(all));
    for (uint64_t left = all->given->first * all->scalar_bytes; left > 0;) {
        const size_t wanted = (size_t)smaller(left, sizeof unused);
        size_t size = 0;
        MUST(read_input(descriptor, all->given->scalars, unused, wanted, &size));
        if (size < wanted) {
            return bad_input("'%s' ends before its first %llu scalars, which --first leaves out",
                             all->given->scalars, (unsigned long long)all->given->first);
        }
        left -= size;
    }
    return read_run(all, descriptor, 0);
}

/* Read all of a pipe, but no more than fit the bases, or than memory may hold, which on the CPU --memory-limit says,
 * too; then move the entries that are used together. */
static int read_all_scalars(reading *all)
{
    const options *given = all->given;
    msm_input *input = all->input;
    const size_t bytes = all->scalar_bytes;
    uint64_t fitting = UNKNOWN, most = UINT64_MAX;
    if (given->memory_limit != 0 && sumac_context_device_name(all->opened->context, 0)[0] == '\0') {
        most = given->memory_limit;
    }
    if (!all->takes_part &&
        !__builtin_mul_overflow(all->base_count, given->separate_bases ? 1 : given->batch, &fitting) &&
        fitting < UNKNOWN / bytes) {
        most = fitting * bytes;
    }
    most = smaller(most, SIZE_MAX - 1);
    size_t size = 0;
    MUST(read_beginning(given->scalars, (size_t)most, &input->scalars, &size));
    if (size > most && fitting != UNKNOWN) {
        return bad_input("'%s' has more scalars than the %llu that go with the %llu bases in '%s'; -n takes "
                         "a part of both",
                         given->scalars, (unsigned long long)fitting, (unsigned long long)all->base_count,
                         given->bases);
    }
    if (size > most) {
        return bad_input("%s: it does not say its length and goes on after %llu bytes, the memory limit",
                         given->scalars, (unsigned long long)most);
    }
    MUST(check_whole_scalars(all, size, input->scalars, (size_t)smaller(size, FILE_HEAD_BYTES)));
    all->scalar_count = size / bytes;
    MUST(check_lengths(all));
    const uint64_t entries = all->scalar_count / given->batch;
    const size_t run = (size_t)input->n * bytes;
    for (uint64_t msm = 0; msm < given->batch && run < entries * bytes; msm++) {
        memmove(input->scalars + msm * run, input->scalars + (msm * entries + given->first) * bytes, run);
    }
    return STATUS_DONE;
}

static int read_scalars(reading *all)
{
    const double start = clock_seconds();
    int status;
    progress_begin("reading %s", all->given->scalars);
    if (all->descriptor >= 0) {
        status = read_chosen_scalars(all);
    } else if (all->given->given[OPTION_N] && all->given->batch == 1) {
        int descriptor;
        MUST(open_input(all->given->scalars, &descriptor));
        status = read_first_scalars(all, descriptor);
        close(descriptor);
    } else {
        status = read_all_scalars(all);
    }
    progress_end();
    session_span(all->opened, "read scalars", start);
    return status;
}

static void reverse_scalars(const reading *all)
{
    const size_t bytes = all->scalar_bytes;
    unsigned char *scalar = all->input->scalars;
    for (uint64_t i = 0; i < all->input->n * all->given->batch; i++, scalar += bytes) {
        for (size_t low = 0; low < bytes / 2; low++) {
            const unsigned char kept = scalar[low];
            scalar[low] = scalar[bytes - 1 - low];
            scalar[bytes - 1 - low] = kept;
        }
    }
}

static int read_both(reading *all)
{
    const options *given = all->given;
    if (all->takes_part && given->separate_bases) {
        return bad_input("--first, --first-base and -n do not go with --separate-bases");
    }
    MUST(open_scalars(all));
    const double start = clock_seconds();
    MUST(read_bases_first(all));
    all->input->read_milliseconds = 1e3 * (clock_seconds() - start);
    MUST(read_scalars(all));
    if (given->scalar_order == ORDER_BIG) {
        reverse_scalars(all);
    }
    return STATUS_DONE;
}

int msm_input_read(msm_input *input, const session *opened, const options *given)
{
    const bool *is_given = given->given;
    reading all = {.input = input,
                   .opened = opened,
                   .given = given,
                   .takes_part = is_given[OPTION_N] || is_given[OPTION_FIRST] || is_given[OPTION_FIRST_BASE],
                   .first_base = is_given[OPTION_FIRST_BASE] ? given->first_base : given->first,
                   .descriptor = -1};
    *input = (msm_input){.bases = NULL};
    const int status = read_both(&all);
    if (all.descriptor >= 0) {
        close(all.descriptor);
    }
    return status;
}

void msm_input_free(msm_input *input)
{
    sumac_bases_destroy(input->bases);
    free(input->scalars);
}
