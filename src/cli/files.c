#define _XOPEN_SOURCE 700 /* realpath */

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Temporary files that a signal has to remove ---- */

enum { OPEN_OUTPUTS = 8 };

static char *volatile open_outputs[OPEN_OUTPUTS];

static void remember_output(char *temporary)
{
    for (int i = 0; i < OPEN_OUTPUTS; i++) {
        if (open_outputs[i] == NULL) {
            open_outputs[i] = temporary;
            return;
        }
    }
}

static void forget_output(const char *temporary)
{
    for (int i = 0; i < OPEN_OUTPUTS; i++) {
        if (open_outputs[i] == temporary) {
            open_outputs[i] = NULL;
        }
    }
}

/* Everything in here may be called from a signal handler. SA_RESETHAND has put the default action back. */
static void remove_and_end(int signal_number)
{
    for (int i = 0; i < OPEN_OUTPUTS; i++) {
        if (open_outputs[i] != NULL) {
            unlink(open_outputs[i]);
        }
    }
    raise(signal_number);
}

void remove_outputs_on_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action, before;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_handler = remove_and_end;
        action.sa_flags = (int)SA_RESETHAND;
        /* Under nohup, or in the background of a shell, a signal is ignored and has to stay so. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

/* ---- Output ---- */

static void result_file_free(result_file *file)
{
    if (file->temporary != NULL) {
        forget_output(file->temporary);
    }
    free(file->temporary);
    free(file->target);
    free(file->path);
    memset(file, 0, sizeof *file);
}

void result_file_discard(result_file *file)
{
    if (file->stream != NULL) {
        fclose(file->stream);
    }
    if (file->temporary != NULL) {
        unlink(file->temporary);
    }
    result_file_free(file);
}

static int open_failed(result_file *file, int error_number)
{
    int status = system_failure("write", file->path != NULL ? file->path : "a file", error_number);
    result_file_free(file);
    return status;
}

/* A new file beside the target, so that renaming it moves no data. */
static int create_temporary(result_file *file)
{
    const char *slash = strrchr(file->target, '/');
    int directory = slash != NULL ? (int)(slash - file->target) + 1 : 0;
    size_t capacity = (size_t)directory + 64;
    file->temporary = malloc(capacity);
    if (file->temporary == NULL) {
        return ENOMEM;
    }
    int descriptor = -1;
    for (unsigned attempt = 0; descriptor < 0 && attempt < 1000; attempt++) {
        snprintf(file->temporary, capacity, "%.*s.sumac-%ld-%u.part", directory, file->target, (long)getpid(),
                 attempt);
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) {
            break;
        }
    }
    int error_number = errno;
    if (descriptor >= 0) {
        remember_output(file->temporary);
        file->stream = fdopen(descriptor, "wb");
        if (file->stream != NULL) {
            return 0;
        }
        error_number = errno;
        close(descriptor);
        unlink(file->temporary);
        forget_output(file->temporary);
    }
    free(file->temporary);
    file->temporary = NULL;
    return error_number;
}

int result_file_open(result_file *file, const char *path)
{
    memset(file, 0, sizeof *file);
    file->path = strdup(path);
    struct stat found;
    bool exists = stat(path, &found) == 0;
    /* A symbolic link stays, and the file that it names is replaced. */
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (file->path == NULL || file->target == NULL) {
        return open_failed(file, errno);
    }
    if (exists && S_ISDIR(found.st_mode)) {
        return open_failed(file, EISDIR);
    }
    if (exists && access(path, W_OK) != 0) {
        return open_failed(file, errno);
    }
    if (!exists || S_ISREG(found.st_mode)) {
        int error_number = path[0] != '\0' ? create_temporary(file) : ENOENT;
        if (error_number != 0) {
            return open_failed(file, error_number);
        }
        if (exists && fchmod(fileno(file->stream), found.st_mode & 07777) != 0) {
            int status = system_failure("write", path, errno);
            result_file_discard(file);
            return status;
        }
        return STATUS_DONE;
    }
    /* A terminal, a pipe, /dev/null: nothing that a rename could replace. */
    file->stream = fopen(path, "wb");
    return file->stream != NULL ? STATUS_DONE : open_failed(file, errno);
}

void result_file_note_error(result_file *file)
{
    if (ferror(file->stream) && file->error_number == 0) {
        file->error_number = errno != 0 ? errno : EIO;
    }
}

void result_file_write(result_file *file, const void *bytes, size_t count)
{
    errno = 0;
    if (fwrite(bytes, 1, count, file->stream) != count) {
        result_file_note_error(file);
    }
}

/* Everything to the disk, which may tell that it is full only now. */
static void flush_and_close(result_file *file)
{
    result_file_note_error(file);
    errno = 0;
    bool flushed = file->error_number == 0 && fflush(file->stream) == 0;
    if (flushed && file->temporary != NULL) {
        flushed = fsync(fileno(file->stream)) == 0;
    }
    if (!flushed && file->error_number == 0) {
        file->error_number = errno;
    }
    if (fclose(file->stream) != 0 && file->error_number == 0) {
        file->error_number = errno;
    }
    file->stream = NULL;
}

int result_file_commit(result_file *file)
{
    flush_and_close(file);
    if (file->error_number == 0 && file->temporary != NULL && rename(file->temporary, file->target) != 0) {
        file->error_number = errno;
    }
    int status = STATUS_DONE;
    if (file->error_number != 0) {
        status = machine_fault("%s: cannot write: %s", file->path, strerror(file->error_number));
        if (file->temporary != NULL) {
            unlink(file->temporary);
        }
    }
    result_file_free(file);
    return status;
}

/* ---- Input ---- */

int read_small_file(const char *path, size_t limit, unsigned char **data, size_t *size)
{
    *data = NULL;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return system_failure("read", path, errno);
    }
    unsigned char *bytes = allocate(limit + 1, path);
    if (bytes == NULL) {
        fclose(stream);
        return STATUS_MACHINE_FAULT;
    }
    size_t count = fread(bytes, 1, limit + 1, stream);
    int error_number = ferror(stream) ? errno : 0;
    fclose(stream);
    int status = STATUS_DONE;
    if (error_number != 0) {
        status = system_failure("read", path, error_number);
    } else if (count > limit) {
        status = bad_input("%s: too long: it goes on after byte %zu", path, limit);
    }
    if (status != STATUS_DONE) {
        free(bytes);
        return status;
    }
    memset(bytes + count, 0, limit - count);
    *data = bytes;
    *size = count;
    return STATUS_DONE;
}
