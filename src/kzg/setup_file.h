/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The file of a setup with what is derived from it: a container of points and tables. */
#ifndef SUMAC_KZG_SETUP_FILE_H
#define SUMAC_KZG_SETUP_FILE_H

#include "io/container.h"
#include "kzg/setup_types.h"

/* Fill a setup of setup_allocate(), whose curves are set. */
sumac_status setup_file_read(input_file *file, sumac_check check, sumac_kzg_setup *setup);

#endif
