/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "mpi/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/try.h"
#include "codec/checksum.h"

enum { REASON_BYTES = 128 };

static const char *reason_text(int error, char text[REASON_BYTES])
{
    if (strerror_r(error, text, REASON_BYTES) != 0) {
        (void)snprintf(text, REASON_BYTES, "error %d", error);
    }
    return text;
}

/*
 * Return a number that is equal for two ranks if they have opened the same file. They have if they see the same file
 * system, inode and length, the same time of the last change of the content (mtime), and the same time of the last
 * change of the metadata (ctime). Only the system sets ctime, so a copy of the file has another one. Device numbers are
 * not compared, because two machines may number a shared file system differently. If the times are whole seconds, a
 * copy could have the same times; then the files of any two ranks count as different.
 */
static uint64_t identity_of(const struct stat *facts, const struct statvfs *system, int rank)
{
    const uint64_t parts[] = {
        (uint64_t)system->f_fsid,         (uint64_t)facts->st_ino,
        (uint64_t)facts->st_size,         (uint64_t)facts->st_mtim.tv_sec,
        (uint64_t)facts->st_mtim.tv_nsec, (uint64_t)facts->st_ctim.tv_sec,
        (uint64_t)facts->st_ctim.tv_nsec, facts->st_ctim.tv_nsec == 0 ? (uint64_t)rank : 0};
    return checksum_of(parts, sizeof parts);
}

sumac_status mpi_file_open(mpi_file *file, sumac_mpi_ranks *ranks, const char *path)
{
    char reason[REASON_BYTES];
    struct stat facts;
    struct statvfs system;
    /* O_NONBLOCK is set because opening a named pipe without a writer would block otherwise. */
    *file = (mpi_file){.ranks = ranks, .path = path};
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file->descriptor < 0 || fstat(file->descriptor, &facts) != 0 ||
        fstatvfs(file->descriptor, &system) != 0) {
        return mpi_fail(ranks, SUMAC_CANNOT_OPEN, "%s: cannot open: %s", path, reason_text(errno, reason));
    }
    if (!S_ISREG(facts.st_mode)) {
        return mpi_fail(ranks, S_ISDIR(facts.st_mode) ? SUMAC_CANNOT_OPEN : SUMAC_NOT_SUPPORTED,
                        "%s: not a regular file, of which each rank could read a part", path);
    }
    file->size = (uint64_t)facts.st_size;
    file->identity = identity_of(&facts, &system, ranks->rank);
    return SUMAC_OK;
}

void mpi_file_close(mpi_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    file->descriptor = -1;
}

sumac_status mpi_file_read(const mpi_file *file, uint64_t offset, void *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t got =
            pread(file->descriptor, (uint8_t *)bytes + done, count - done, (off_t)(offset + done));
        if (got == 0) {
            return mpi_fail(file->ranks, SUMAC_BAD_FILE, "%s: truncated: it ends at byte %" PRIu64,
                            file->path, offset + done);
        }
        if (got < 0 && errno != EINTR) {
            char reason[REASON_BYTES];
            return mpi_fail(file->ranks, SUMAC_READ_FAILED, "%s: reading at byte %" PRIu64 " failed: %s",
                            file->path, offset + done, reason_text(errno, reason));
        }
        done += got < 0 ? 0 : (size_t)got;
    }
    return SUMAC_OK;
}

sumac_status mpi_file_unchanged(const mpi_file *file)
{
    CLEANUP(mpi_file_close) mpi_file now = {.descriptor = -1};
    TRY(mpi_file_open(&now, file->ranks, file->path));
    if (now.identity != file->identity) {
        return mpi_fail(file->ranks, SUMAC_BAD_FILE, "%s: it changed while it was read", file->path);
    }
    return SUMAC_OK;
}

void mpi_facts_add_length(mpi_facts *facts, const char *name, const mpi_file *file)
{
    mpi_facts_add(facts, name, "%" PRIu64 " bytes", file->size);
}

/* ---- Comparing the files of all ranks ---- */

enum { PIECE_BYTES = 1 << 18 };

/* Count the ranks before `end` that have this copy. */
static uint64_t ranks_with_copy(const sumac_mpi_ranks *ranks, uint64_t identity, int end)
{
    uint64_t count = 0;
    for (int rank = 0; rank < end; rank++) {
        count += ranks->all[rank].file == identity;
    }
    return count;
}

/* Add up the checksums of this rank's pieces. The ranks that share a copy read about the same number of pieces each.
 * Each checksum is combined with the number of its piece, so that the sum over these ranks does not depend on which
 * rank reads which piece. */
static sumac_status add_pieces(const mpi_file *file, uint64_t *sum)
{
    const sumac_mpi_ranks *ranks = file->ranks;
    const uint64_t before = ranks_with_copy(ranks, file->identity, ranks->rank);
    const uint64_t count = ranks_with_copy(ranks, file->identity, ranks->count);
    const uint64_t pieces = file->size / PIECE_BYTES + (file->size % PIECE_BYTES != 0);
    AUTO_FREE uint8_t *piece = malloc(PIECE_BYTES);
    if (piece == NULL) {
        return mpi_fail(file->ranks, SUMAC_OUT_OF_MEMORY, "%s: there is no memory of %d bytes to compare it",
                        file->path, (int)PIECE_BYTES);
    }
    for (uint64_t i = pieces * before / count; i < pieces * (before + 1) / count; i++) {
        const uint64_t offset = i * PIECE_BYTES, left = file->size - offset;
        const size_t bytes = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
        checksum state;
        TRY(mpi_file_read(file, offset, piece, bytes));
        checksum_begin(&state);
        checksum_add(&state, piece, bytes);
        checksum_add(&state, &i, sizeof i);
        *sum += checksum_result(&state);
    }
    return SUMAC_OK;
}

/* Add up the checksums of all ranks that have this copy. */
static uint64_t checksum_of_copy(const sumac_mpi_ranks *ranks, uint64_t identity)
{
    uint64_t sum = 0;
    for (int rank = 0; rank < ranks->count; rank++) {
        sum += ranks->all[rank].file == identity ? ranks->all[rank].pieces_sum : 0;
    }
    return sum;
}

sumac_status mpi_file_agree(const mpi_file *file, const char *name)
{
    sumac_mpi_ranks *ranks = file->ranks;
    ranks->facts.file = file->identity;
    ranks->facts.pieces_sum = 0;
    TRY(mpi_exchange_facts(ranks));
    if (ranks_with_copy(ranks, ranks->all[0].file, ranks->count) == (uint64_t)ranks->count) {
        return SUMAC_OK;
    }
    TRY(mpi_agree(ranks, add_pieces(file, &ranks->facts.pieces_sum)));
    TRY(mpi_exchange_facts(ranks));
    const uint64_t sum = checksum_of_copy(ranks, file->identity);
    const uint64_t first_sum = checksum_of_copy(ranks, ranks->all[0].file);
    return mpi_agree(ranks, sum == first_sum
                                ? SUMAC_OK
                                : mpi_fail(ranks, SUMAC_MISMATCH,
                                           "another %s than rank 0's: %s has as many bytes with the checksum "
                                           "%016" PRIx64 ", not %016" PRIx64,
                                           name, file->path, sum, first_sum));
}
