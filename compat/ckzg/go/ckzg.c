/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The Go binding of c-kzg-4844 includes a file "ckzg.c". With the flags in docs/dropins.md it finds this one, which
 * only declares the functions. libsumac_ckzg defines them. */
#include "ckzg.h"

#include <stdlib.h>
