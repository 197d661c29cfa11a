/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A process that has more rights than the user who started it must not trust paths that the user could choose. */
#ifndef SUMAC_BASE_PRIVILEGES_H
#define SUMAC_BASE_PRIVILEGES_H

#ifdef __APPLE__
#include <unistd.h>
#else
#include <sys/auxv.h>
#endif

static inline int has_raised_privileges(void)
{
#ifdef __APPLE__
    return issetugid();
#else
    return getauxval(AT_SECURE) != 0;
#endif
}

#endif
