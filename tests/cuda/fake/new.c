/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine's allocations fail as the library's do: those by `new (std::nothrow)`, under the names that they have for a linker. The
 * fake runtime's own, by other kinds of `new`, do not. */
#include <stddef.h>

#include "support/failing.h"

void *__real__ZnwmRKSt9nothrow_t(size_t bytes, const void *nothrow);
void *__real__ZnamRKSt9nothrow_t(size_t bytes, const void *nothrow);
void *__wrap__ZnwmRKSt9nothrow_t(size_t bytes, const void *nothrow);
void *__wrap__ZnamRKSt9nothrow_t(size_t bytes, const void *nothrow);

void *__wrap__ZnwmRKSt9nothrow_t(size_t bytes, const void *nothrow)
{
    return failing_allocation(bytes) ? NULL : __real__ZnwmRKSt9nothrow_t(bytes, nothrow);
}

void *__wrap__ZnamRKSt9nothrow_t(size_t bytes, const void *nothrow)
{
    return failing_allocation(bytes) ? NULL : __real__ZnamRKSt9nothrow_t(bytes, nothrow);
}
