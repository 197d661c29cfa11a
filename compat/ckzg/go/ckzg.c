/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What c-kzg-4844's binding for Go includes as "ckzg.c": found in the folder of our header, it brings the declarations, and
 * libsumac_ckzg what they declare. docs/dropins.md has the flags. */
#include "ckzg.h"

#include <stdlib.h>
