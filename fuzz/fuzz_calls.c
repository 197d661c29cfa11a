/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fuzzer's bytes determine the cases of tests/random: bases and MSMs of any configuration, which are compared
 * with GMP, and plans. */
#include "fuzz.h"
#include "random/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draws d = draws_from_bytes(data, size);
    world *w = fuzz_world(0);
    if (draw_chance(&d, 90)) {
        case_calls(w, &d);
    } else {
        case_plans(w, &d);
    }
    return 0;
}
