/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header destroys handles at the end of their block:
 *
 *     CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, n, NULL);
 *     ORACLE_POINT(sum);
 *
 * The handle that was declared last is destroyed first. A test that fails or skips leaves by longjmp(), which destroys
 * nothing.
 */
#ifndef SUMAC_TESTS_CLEANUP_H
#define SUMAC_TESTS_CLEANUP_H

#include "base/try.h"
#include "sumac/experimental.h"
#include "sumac/groth16.h"
#include "sumac/kzg.h"
#include "sumac/pairing.h"
#include "sumac/plonk.h"
#include "sumac/pool.h"
#include "sumac/srs.h"
#include "sumac/sumac.h"
#include "sumac/vector.h"

/* Call sumac_free() for a pointer of any type. */
static inline void free_memory(void *variable)
{
    void *memory = NULL;
    memcpy(&memory, variable, sizeof memory);
    sumac_free(memory);
}

#define TEST_DESTROYS(name, type, destroy)                                                                   \
    static inline void name(type **handle)                                                                   \
    {                                                                                                        \
        destroy(*handle);                                                                                    \
    }

TEST_DESTROYS(destroy_bases, sumac_bases, sumac_bases_destroy)
TEST_DESTROYS(destroy_call, sumac_call, sumac_call_destroy)
TEST_DESTROYS(destroy_context, sumac_context, sumac_context_destroy)
TEST_DESTROYS(destroy_fk20, sumac_fk20, sumac_fk20_destroy)
TEST_DESTROYS(destroy_key, sumac_groth16_key, sumac_groth16_key_destroy)
TEST_DESTROYS(destroy_pairing_points, sumac_pairing_points, sumac_pairing_points_destroy)
TEST_DESTROYS(destroy_plonk_key, sumac_plonk_key, sumac_plonk_key_destroy)
TEST_DESTROYS(destroy_plonk_verifying_key, sumac_plonk_verifying_key, sumac_plonk_verifying_key_destroy)
TEST_DESTROYS(destroy_pool, sumac_pool, sumac_pool_destroy)
TEST_DESTROYS(destroy_setup, sumac_kzg_setup, sumac_kzg_destroy)
TEST_DESTROYS(destroy_vector, sumac_vector, sumac_vector_destroy)
TEST_DESTROYS(destroy_verifying_key, sumac_groth16_verifying_key, sumac_groth16_verifying_key_destroy)

#endif
