/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* If this library is loaded with LD_PRELOAD, it writes a byte to the file SUMAC_TEST_RAISED for each signal that the
 * program raises. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int file = -1;

__attribute__((constructor)) static void open_file(void)
{
    const char *path = getenv("SUMAC_TEST_RAISED");
    file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

int raise(int number)
{
    (void)!write(file, "!", 1);
    return (int)syscall(SYS_tgkill, getpid(), gettid(), number);
}
