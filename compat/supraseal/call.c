/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "call.h"

#include <stdarg.h>
#include <stdio.h>

sumac_status sumac_supraseal_refuse(supraseal_call *call, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(call->why.text, sizeof call->why.text, format, arguments);
    va_end(arguments);
    return status;
}
