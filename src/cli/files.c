/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>

#include "base/memory_left.h"

/* ---- Temporary files that are removed on signals ---- */

enum { OPEN_OUTPUTS = 8 };

/* These are the open outputs. The signal handler may read them at any time. */
static struct {
    temporary_name name;
    bool is_used;
} outputs[OPEN_OUTPUTS];

static void give_name_back(const temporary_name *name)
{
    for (int i = 0; i < OPEN_OUTPUTS; i++) {
        if (&outputs[i].name == name) {
            outputs[i].is_used = false;
        }
    }
}

/* Remove the temporary files and end the process. Only functions that are safe in signal handlers are called. */
static void remove_and_end(int signal_number)
{
    if (signal_number == SIGINT && progress_defers_interrupt()) {
        return;
    }
    (void)signal(signal_number, SIG_DFL);
    for (int i = 0; i < OPEN_OUTPUTS; i++) {
        temporary_name_remove(&outputs[i].name);
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
        action.sa_flags = SA_RESTART;
        /* Under nohup, or in the background of a shell, a signal is ignored. Then it must stay ignored. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

/* ---- Output ---- */

static void result_file_close(result_file *file)
{
    give_name_back(file->file.name);
    file->path = NULL;
    file->stream = NULL;
}

void result_file_discard(result_file *file)
{
    if (file->path == NULL) {
        return;
    }
    if (file->stream != NULL) {
        fclose(file->stream);
    }
    whole_file_discard(&file->file);
    result_file_close(file);
}

int result_file_open(result_file *file, const char *path)
{
    *file = RESULT_FILE_CLOSED;
    int index = 0;
    while (index < OPEN_OUTPUTS && outputs[index].is_used) {
        index++;
    }
    if (index == OPEN_OUTPUTS) {
        return machine_fault("%s: cannot write: too many files at once", path);
    }
    temporary_name *name = &outputs[index].name;
    outputs[index].is_used = true;
    int error_number = whole_file_open(&file->file, path, name);
    if (error_number != 0) {
        give_name_back(name);
        return system_failure("write", path, error_number);
    }
    file->path = path;
    return STATUS_DONE;
}

int result_file_begin(result_file *file)
{
    int error_number = whole_file_begin(&file->file);
    if (error_number == 0) {
        /* The stream gets a second descriptor. So it can be closed before the commit, and if closing fails, the file is
         * not committed. */
        int descriptor = fcntl(file->file.descriptor, F_DUPFD_CLOEXEC, 0);
        file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
        error_number = file->stream == NULL ? errno : 0;
        if (file->stream == NULL && descriptor >= 0) {
            close(descriptor);
        }
    }
    if (error_number == 0) {
        snprintf(file->library_path, sizeof file->library_path, "/dev/fd/%d", file->file.descriptor);
        return STATUS_DONE;
    }
    int status = system_failure("write", file->path, error_number);
    result_file_discard(file);
    return status;
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

/* Write the bytes in the stream's buffer to the file, and close the stream. */
static void close_stream(result_file *file)
{
    if (file->stream == NULL) {
        return;
    }
    result_file_note_error(file);
    errno = 0;
    if (fclose(file->stream) != 0 && file->error_number == 0) {
        file->error_number = errno != 0 ? errno : EIO;
    }
    file->stream = NULL;
}

static int complete(result_file *file)
{
    const char *path = file->path;
    int error_number = whole_file_commit(&file->file);
    result_file_close(file);
    return error_number == 0 ? STATUS_DONE
                             : machine_fault("%s: cannot write: %s", path, strerror(error_number));
}

int result_file_finish(result_file *file)
{
    if (file->path == NULL) {
        return STATUS_DONE;
    }
    close_stream(file);
    if (file->error_number != 0) {
        int status = machine_fault("%s: cannot write: %s", file->path, strerror(file->error_number));
        result_file_discard(file);
        return status;
    }
    return file->file.kind == WHOLE_FILE_THROUGH ? complete(file) : STATUS_DONE;
}

int result_file_commit(result_file *file)
{
    return result_files_commit(&file, 1);
}

int result_files_commit(result_file *const files[], size_t count)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        status = result_file_finish(files[i]);
    }
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        status = files[i]->path != NULL ? complete(files[i]) : STATUS_DONE;
    }
    return status;
}

int library_failure_at(const sumac_context *context, sumac_status status, const char *library_path,
                       const char *path)
{
    const char *sentence = sumac_context_message(context);
    size_t length = strlen(library_path);
    if (strncmp(sentence, library_path, length) != 0) {
        return library_failure(context, status);
    }
    return report_failure(exit_status_of(status), "%s%s", path, sentence + length);
}

int result_file_check(const result_file *file, const sumac_context *context, sumac_status status)
{
    return status == SUMAC_OK ? STATUS_DONE
                              : library_failure_at(context, status, file->library_path, file->path);
}

int result_file_put(result_file *file, const void *bytes, size_t count)
{
    MUST(result_file_begin(file));
    result_file_write(file, bytes, count);
    return result_file_finish(file);
}

/* ---- Input ---- */

int open_input(const char *path, int *descriptor)
{
    *descriptor = path_open_input(path);
    return *descriptor < 0 ? system_failure("read", path, errno) : STATUS_DONE;
}

int read_input(int descriptor, const char *path, unsigned char *bytes, size_t capacity, size_t *size)
{
    while (*size < capacity) {
        ssize_t count = read(descriptor, bytes + *size, capacity - *size);
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            return system_failure("read", path, errno);
        }
        *size += count < 0 ? 0 : (size_t)count;
    }
    return STATUS_DONE;
}

int require_memory(const char *path, uint64_t bytes)
{
    const uint64_t missing = memory_missing(bytes);
    return missing == 0 ? STATUS_DONE
                        : machine_fault("%s: it needs %llu bytes of memory, and %llu are left", path,
                                        (unsigned long long)bytes, (unsigned long long)(bytes - missing));
}

/* Read at most limit + 1 bytes of a file. The memory grows with the number of bytes that were read. */
static int read_growing(int descriptor, const char *path, size_t limit, unsigned char **data, size_t *size)
{
    size_t capacity = 0;
    do {
        capacity = capacity == 0 ? (size_t)1 << 16 : 2 * capacity;
        capacity = capacity > limit ? limit + 1 : capacity;
        MUST(require_memory(path, capacity));
        unsigned char *larger = realloc(*data, capacity);
        if (larger == NULL) {
            return cannot_allocate(capacity, path);
        }
        *data = larger;
        MUST(read_input(descriptor, path, *data, capacity, size));
    } while (*size == capacity && capacity <= limit);
    return STATUS_DONE;
}

int read_beginning(const char *path, size_t limit, unsigned char **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    int descriptor;
    MUST(open_input(path, &descriptor));
    const int status = read_growing(descriptor, path, limit, data, size);
    close(descriptor);
    if (status != STATUS_DONE) {
        free(*data);
        *data = NULL;
    }
    return status;
}

int read_small_file(const char *path, size_t limit, unsigned char **data, size_t *size)
{
    MUST(read_beginning(path, limit, data, size));
    if (*size <= limit) {
        return STATUS_DONE;
    }
    free(*data);
    *data = NULL;
    return bad_input("%s: too long: it goes on after byte %zu", path, limit);
}
