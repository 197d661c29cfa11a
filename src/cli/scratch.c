/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the scratch files of `sumac bench`. */
#include "scratch.h"

#include "cli.h"

const char *scratch_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}

int scratch_open(scratch_file *file)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/sumac-bench-XXXXXX", scratch_directory());
    errno = ENAMETOOLONG;
    const int descriptor = (size_t)length < sizeof path ? mkstemp(path) : -1;
    if (descriptor < 0 || unlink(path) != 0 || (file->stream = fdopen(descriptor, "w+b")) == NULL) {
        const int status = system_failure("write", scratch_directory(), errno);
        if (descriptor >= 0) {
            close(descriptor);
        }
        return status;
    }
    snprintf(file->path, sizeof file->path, "/dev/fd/%d", descriptor);
    return STATUS_DONE;
}

void scratch_close(scratch_file *file)
{
    if (file->stream != NULL) {
        fclose(file->stream);
    }
    file->stream = NULL;
}

const char *scratch_rewound(const scratch_file *file)
{
    (void)lseek(fileno(file->stream), 0, SEEK_SET);
    return file->path;
}
