/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "machine.h"

enum { FACTS_BYTES = 1 << 16 };

/* Find the first line that begins with the key, and copy the value that follows "key...: ", without the end of the
 * line. The lines of the first processor fit in the buffer, and nothing is allocated. So a line is not found only if
 * the system does not have it. */
static bool find_line(const char *path, const char *key, char *value, size_t size)
{
    char facts[FACTS_BYTES];
    size_t length = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    ssize_t count;
    while (length < sizeof facts - 1 &&
           (count = read(descriptor, facts + length, sizeof facts - 1 - length)) > 0) {
        length += (size_t)count;
    }
    close(descriptor);
    facts[length] = '\0';
    for (char *line = facts; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t line_length = strcspn(line, "\n");
        const char *colon = memchr(line, ':', line_length);
        if (strncmp(line, key, strlen(key)) == 0 && colon != NULL) {
            colon += 1 + strspn(colon + 1, " \t");
            snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
            return true;
        }
    }
    return false;
}

void machine_cpu_model(char *text, size_t size)
{
    if (!find_line("/proc/cpuinfo", "model name", text, size)) {
        snprintf(text, size, "unknown");
    }
}

bool machine_has_feature(const char *feature)
{
    char flags[8192];
    if (!find_line("/proc/cpuinfo", "flags", flags, sizeof flags)) {
        return false;
    }
    for (char *word = strtok(flags, " "); word != NULL; word = strtok(NULL, " ")) {
        if (strcmp(word, feature) == 0) {
            return true;
        }
    }
    return false;
}

long machine_cores(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

uint64_t machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}

double machine_user_seconds(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

void machine_reset_peak_memory(void)
{
    int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)!write(descriptor, "5", 1); /* resets the peak VmHWM: proc(5) */
        close(descriptor);
    }
}

uint64_t machine_peak_memory(void)
{
    char kibibytes[64];
    if (!find_line("/proc/self/status", "VmHWM", kibibytes, sizeof kibibytes)) {
        return 0;
    }
    return 1024 * (uint64_t)strtoull(kibibytes, NULL, 10);
}
