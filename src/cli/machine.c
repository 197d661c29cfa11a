#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The value after "key...: " of the first line that begins with the key; without its line's end. */
static bool find_line(const char *path, const char *key, char *value, size_t size)
{
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return false;
    }
    bool found = false;
    char line[8192];
    while (!found && fgets(line, sizeof line, stream) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || colon == NULL) {
            continue;
        }
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        found = true;
    }
    fclose(stream);
    return found;
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
    FILE *stream = fopen("/proc/self/clear_refs", "w");
    if (stream == NULL) {
        return;
    }
    fputs("5", stream); /* proc(5): resets the peak, VmHWM */
    fclose(stream);
}

uint64_t machine_peak_memory(void)
{
    char kibibytes[64];
    if (!find_line("/proc/self/status", "VmHWM", kibibytes, sizeof kibibytes)) {
        return 0;
    }
    return 1024 * (uint64_t)strtoull(kibibytes, NULL, 10);
}
