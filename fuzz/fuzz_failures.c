/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the cases of tests/random while allocations and threads fail. If a call fails, it must succeed when it is
 * repeated without failures. */
#include "fuzz.h"
#include "random/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draws d = draws_from_bytes(data, size);
    case_any(fuzz_world(1), &d);
    return 0;
}
