/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

bool ranks_are_many(void)
{
    return false;
}

bool ranks_is_first(void)
{
    return true;
}

int ranks_open(const command *used, options *given, session *opened)
{
    (void)used;
    return session_open(opened, given);
}

void ranks_close(void)
{
}

int ranks_agree(int status)
{
    return status;
}

int ranks_agree_on_text(const char *what, const char *text)
{
    (void)what;
    (void)text;
    return STATUS_DONE;
}

int ranks_agree_on_file(const char *what, const char *path)
{
    return ranks_agree_on_text(what, path);
}

int ranks_measure(size_t count, int (*compute)(void *user), void *user)
{
    (void)count;
    (void)compute;
    (void)user;
    return STATUS_DONE;
}

size_t ranks_share(size_t n)
{
    return n > 0 ? n : 1;
}

int ranks_read_records(const char *path, size_t record_bytes, void **records, size_t *count, size_t *first,
                       size_t *all)
{
    (void)record_bytes;
    *records = NULL;
    *count = *first = *all = 0;
    return bad_input("%s: only ranks read a part", path);
}

int ranks_gather(const void *part, size_t bytes, rank_receiver receive, void *user)
{
    return library_check(NULL, receive(user, part, bytes));
}
