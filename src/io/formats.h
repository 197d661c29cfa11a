/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of bases, by the name of their format. */
#ifndef SUMAC_IO_FORMATS_H
#define SUMAC_IO_FORMATS_H

#include "io/input.h"

/* sumac_bases_read() of a file that the caller has opened, which may stay open to be read again. */
sumac_status bases_read_input(input_file *file, const sumac_curve *curve, const char *format,
                              const sumac_bases_config *config, sumac_bases **bases);

#endif
