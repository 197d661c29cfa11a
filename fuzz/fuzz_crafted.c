/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the cases of tests/random with tables and partial results that are invented, or changed field by field,
 * with correct checksums. The file's size limits the memory that the library may allocate for a table. */
#include "fuzz.h"
#include "random/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draws d = draws_from_bytes(data, size);
    world *w = fuzz_world(0);
    if (draw_chance(&d, 70)) {
        case_table(w, &d);
    } else {
        case_partials(w, &d);
    }
    return 0;
}
