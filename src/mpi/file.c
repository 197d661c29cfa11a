/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "mpi/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/checksum.h"

enum { REASON_BYTES = 128 };

static const char *reason_text(int error, char text[REASON_BYTES])
{
    if (strerror_r(error, text, REASON_BYTES) != 0) {
        (void)snprintf(text, REASON_BYTES, "error %d", error);
    }
    return text;
}

sumac_status mpi_file_open(mpi_file *file, sumac_mpi_ranks *ranks, const char *path)
{
    char reason[REASON_BYTES];
    struct stat facts;
    /* A named pipe without a writer does not make it wait. */
    *file = (mpi_file){.ranks = ranks, .path = path};
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file->descriptor < 0 || fstat(file->descriptor, &facts) != 0) {
        return mpi_fail(ranks, SUMAC_CANNOT_OPEN, "%s: cannot open: %s", path, reason_text(errno, reason));
    }
    if (!S_ISREG(facts.st_mode)) {
        return mpi_fail(ranks, S_ISDIR(facts.st_mode) ? SUMAC_CANNOT_OPEN : SUMAC_NOT_SUPPORTED,
                        "%s: not a regular file, of which each rank could read a part", path);
    }
    file->size = (uint64_t)facts.st_size;
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

sumac_status mpi_facts_add_file(mpi_facts *facts, const char *name, const mpi_file *file)
{
    enum { PIECE_BYTES = 4096, PIECES = 64 };
    uint8_t piece[PIECE_BYTES];
    checksum sum;
    checksum_begin(&sum);
    const uint64_t size = file->size;
    const int spread = size > (uint64_t)PIECES * PIECE_BYTES;
    const uint64_t pieces = spread ? PIECES : (size + PIECE_BYTES - 1) / PIECE_BYTES;
    for (uint64_t i = 0; i < pieces; i++) {
        /* Spread, the first piece is the file's beginning and the last one its end. */
        const uint64_t step = (size - PIECE_BYTES) / (PIECES - 1);
        const uint64_t offset = !spread ? i * PIECE_BYTES : i == PIECES - 1 ? size - PIECE_BYTES : i * step;
        const size_t bytes = size - offset < PIECE_BYTES ? (size_t)(size - offset) : PIECE_BYTES;
        const sumac_status status = mpi_file_read(file, offset, piece, bytes);
        if (status != SUMAC_OK) {
            return status;
        }
        checksum_add(&sum, piece, bytes);
    }
    mpi_facts_add(facts, name, "%" PRIu64 " bytes with the checksum %016" PRIx64, size,
                  checksum_result(&sum));
    return SUMAC_OK;
}
