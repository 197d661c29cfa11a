/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* c-kzg-4844's Go binding includes a file "ckzg.c". With the flags in docs/dropins.md it finds this one, which only declares
 * the functions; libsumac_ckzg defines them. */
#include "ckzg.h"

#include <stdlib.h>
