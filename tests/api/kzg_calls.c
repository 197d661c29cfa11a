/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/kzg_calls.h"

#include <unistd.h>

#include "sumac/experimental.h"

/* These macros cast from bytes to the public types, which have the length in their names. */
#define BLOBS_OF(bytes) ((sumac_blob *)(bytes))
#define BYTES_32(bytes) ((sumac_bytes32 *)(bytes))
#define BYTES_48(bytes) ((sumac_bytes48 *)(bytes))
#define CELLS_OF(bytes) ((sumac_cell *)(bytes))

static sumac_status open_setup(kzg_scene *s, const char *path, const sumac_kzg_config *config)
{
    CLEANUP(destroy_setup)
    sumac_kzg_setup *setup = s->setup; /* not null, because the call must set it even if it fails */
    const sumac_status status = sumac_kzg_open(s->context, path, config, &setup);
    assert_true((status == SUMAC_OK) == (setup != NULL));
    return status;
}

static sumac_status call_open_text(kzg_scene *s)
{
    return open_setup(s, TRUSTED_SETUP, KZG_CONFIG(.check = SUMAC_CHECK_NONE));
}

static sumac_status call_open_checked(kzg_scene *s)
{
    return open_setup(s, TRUSTED_SETUP, NULL);
}

static sumac_status call_save(kzg_scene *s)
{
    return sumac_kzg_save(s->context, s->setup, s->path);
}

static sumac_status call_open_saved(kzg_scene *s)
{
    return open_setup(s, s->path, KZG_CONFIG(.check = SUMAC_CHECK_NONE));
}

static sumac_status call_create(kzg_scene *s)
{
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    return sumac_kzg_create(s->context, (const sumac_bytes48 *)s->setup_bytes[2], SUMAC_KZG_FIELD_ELEMENTS,
                            (const sumac_bytes48 *)s->setup_bytes[0], SUMAC_KZG_FIELD_ELEMENTS,
                            (const sumac_bytes96 *)s->setup_bytes[1], SUMAC_KZG_G2_POINTS, NULL, &setup);
}

static sumac_status call_open_with_cells(kzg_scene *s)
{
    return open_setup(s, TRUSTED_SETUP,
                      KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = 2 << 20));
}

static sumac_status call_commit(kzg_scene *s)
{
    return sumac_kzg_commit(s->context, s->setup, BLOBS_OF(s->blobs), s->size, BYTES_48(s->commitments));
}

/* The evaluation point is 1, which is a root of unity, because the quotient is computed in another way at roots of
 * unity. */
static sumac_status call_prove(kzg_scene *s)
{
    memset(s->zs, 0, sizeof s->zs);
    s->zs[ELEMENT - 1] = 1;
    TRY(sumac_kzg_compute_proof(s->context, s->setup, BLOBS_OF(s->blobs), BYTES_32(s->zs), s->size,
                                BYTES_48(s->point_proofs), BYTES_32(s->ys)));
    return sumac_kzg_verify_proof(s->context, s->setup, BYTES_48(s->commitments), BYTES_32(s->zs),
                                  BYTES_32(s->ys), BYTES_48(s->point_proofs), s->size, &s->ok);
}

static sumac_status call_prove_blob(kzg_scene *s)
{
    return sumac_kzg_compute_blob_proof(s->context, s->setup, BLOBS_OF(s->blobs), BYTES_48(s->commitments),
                                        s->size, BYTES_48(s->proofs));
}

static sumac_status call_verify_blob(kzg_scene *s)
{
    TRY(sumac_kzg_blob_challenge(s->context, BLOBS_OF(s->blobs), BYTES_48(s->commitments), BYTES_32(s->zs)));
    return sumac_kzg_verify_blob_proof(s->context, s->setup, BLOBS_OF(s->blobs), BYTES_48(s->commitments),
                                       BYTES_48(s->proofs), 1, &s->ok);
}

static sumac_status call_verify_blobs(kzg_scene *s)
{
    return sumac_kzg_verify_blob_proof(s->context, s->setup, BLOBS_OF(s->blobs), BYTES_48(s->commitments),
                                       BYTES_48(s->proofs), s->size, &s->ok);
}

static sumac_status call_cells(kzg_scene *s)
{
    return sumac_kzg_cells(s->context, s->setup, BLOBS_OF(s->blobs), 1, CELLS_OF(s->cells), NULL);
}

static sumac_status call_cell_proofs(kzg_scene *s)
{
    return sumac_kzg_cells(s->context, s->setup, BLOBS_OF(s->blobs), 1, NULL, BYTES_48(s->cell_proofs));
}

static sumac_status call_cells_and_proofs(kzg_scene *s)
{
    return sumac_kzg_cells(s->context, s->setup, BLOBS_OF(s->blobs), 1, CELLS_OF(s->cells),
                           BYTES_48(s->cell_proofs));
}

static sumac_status call_verify_cells(kzg_scene *s)
{
    return sumac_kzg_verify_cells(s->context, s->setup, BYTES_48(s->cell_commitments), s->indices,
                                  CELLS_OF(s->cells), BYTES_48(s->cell_proofs), s->size, &s->ok);
}

static sumac_status call_cell_challenge(kzg_scene *s)
{
    return sumac_kzg_cell_challenge(s->context, BYTES_48(s->commitments), 1, s->commitment_indices,
                                    s->indices, CELLS_OF(s->cells), BYTES_48(s->cell_proofs), s->size,
                                    BYTES_32(s->zs));
}

static sumac_status call_recover(kzg_scene *s)
{
    return sumac_kzg_recover(s->context, s->setup, s->indices, CELLS / 2, CELLS_OF(s->cells), 1,
                             CELLS_OF(s->cells), NULL, NULL);
}

static sumac_status call_recover_proofs(kzg_scene *s)
{
    return sumac_kzg_recover(s->context, s->setup, s->indices, CELLS / 2, CELLS_OF(s->cells), 1,
                             CELLS_OF(s->cells), BYTES_48(s->cell_proofs), NULL);
}

const kzg_call kzg_calls[] = {
    {"kzg_open", call_open_text, 1, SLOW},
    {"kzg_open, checked", call_open_checked, 1, SLOWEST},
    {"kzg_create", call_create, 1, SLOWEST},
    {"kzg_save", call_save, 1, FAST},
    {"kzg_open of a saved setup", call_open_saved, 1, FAST},
    {"kzg_open with cells", call_open_with_cells, 1, SLOWEST},
    {"kzg_commit", call_commit, KZG_BLOBS, FAST},
    {"kzg_compute_proof and _verify_", call_prove, KZG_BLOBS, FAST},
    {"kzg_compute_blob_proof", call_prove_blob, KZG_BLOBS, FAST},
    {"kzg_blob_challenge and kzg_verify_blob_proof", call_verify_blob, 1, FAST},
    {"kzg_verify_blob_proof", call_verify_blobs, KZG_BLOBS, FAST},
    {"kzg_cells without proofs", call_cells, 1, FAST},
    {"kzg_cells without cells", call_cell_proofs, 1, SLOW},
    {"kzg_cells", call_cells_and_proofs, 1, SLOWEST},
    {"kzg_verify_cells", call_verify_cells, CELLS, FAST},
    {"kzg_cell_challenge", call_cell_challenge, CELLS, FAST},
    {"kzg_recover of cells", call_recover, 1, FAST},
    {"kzg_recover", call_recover_proofs, 1, SLOWEST},
};
const size_t kzg_call_count = sizeof kzg_calls / sizeof *kzg_calls;

/* Read the trusted setup's points as a program that has them in memory would pass them. */
static void read_setup_bytes(kzg_scene *s)
{
    static const size_t bytes[] = {(size_t)SUMAC_KZG_FIELD_ELEMENTS * POINT,
                                   (size_t)SUMAC_KZG_G2_POINTS * 2 * POINT,
                                   (size_t)SUMAC_KZG_FIELD_ELEMENTS * POINT};
    FILE *file = fopen(TRUSTED_SETUP, "r");
    unsigned g1, g2, byte;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%u %u", &g1, &g2), 2);
    for (int part = 0; part < 3; part++) {
        s->setup_bytes[part] = test_alloc(bytes[part]);
        for (size_t i = 0; i < bytes[part]; i++) {
            assert_int_equal(fscanf(file, "%2x", &byte), 1);
            s->setup_bytes[part][i] = (uint8_t)byte;
        }
    }
    (void)fclose(file);
}

kzg_scene *kzg_scene_open(void)
{
    const sumac_group *group; /* found only to check that both groups are in the build */
    if (sumac_group_find("bls12-381", "g1", &group) != SUMAC_OK ||
        sumac_group_find("bls12-381", "g2", &group) != SUMAC_OK) {
        return NULL;
    }
    kzg_scene *s = test_alloc(sizeof *s);
    memset(s, 0, sizeof *s);
    s->context = test_context(1, 0);
    read_setup_bytes(s);
    for (unsigned i = 0; i < KZG_BLOBS; i++) {
        make_blob(s->blobs + (size_t)i * BLOB, i);
    }
    snprintf(s->path, sizeof s->path, "/tmp/sumac-test-XXXXXX");
    const int descriptor = mkstemp(s->path);
    assert_true(descriptor >= 0);
    (void)close(descriptor);
    TEST_OK(s->context,
            sumac_kzg_open(s->context, TRUSTED_SETUP,
                           KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = 1), &s->setup));
    s->size = KZG_BLOBS;
    TEST_OK(s->context, call_save(s));
    TEST_OK(s->context, call_commit(s));
    TEST_OK(s->context, call_prove_blob(s));
    TEST_OK(s->context, call_cells_and_proofs(s));
    for (size_t i = 0; i < CELLS; i++) {
        memcpy(s->cell_commitments + i * POINT, s->commitments, POINT);
        s->indices[i] = i;
    }
    return s;
}

void kzg_scene_close(kzg_scene **scene)
{
    kzg_scene *s = *scene;
    if (s != NULL) {
        (void)unlink(s->path);
        sumac_kzg_destroy(s->setup);
        sumac_context_destroy(s->context);
        for (int part = 0; part < 3; part++) {
            free(s->setup_bytes[part]);
        }
        free(s);
    }
}
