/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/refuse.h"

#include <stdarg.h>
#include <stdio.h>

sumac_status refuse(refusal *why, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return status;
}
