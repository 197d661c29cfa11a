/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file makes allocations of the CUDA engine fail on demand. The engine allocates by `new (std::nothrow)`, whose
 * mangled names the linker wraps. The fake runtime allocates by other kinds of `new`, so that its allocations never
 * fail. */
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
