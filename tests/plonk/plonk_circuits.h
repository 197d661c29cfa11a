/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header has circuits with proofs of other programs: of snarkjs 0.7.6 (tests/data/plonk.tar.xz and fflonk.tar.xz, made by
 * tests/compat/plonk), and of gnark 0.16.2 (tests/data/gnark-plonk.tar.xz, made by bindings/go/gnark/plonk_files_test.go).
 */
#ifndef SUMAC_TESTS_PLONK_CIRCUITS_H
#define SUMAC_TESTS_PLONK_CIRCUITS_H

#include "sumac/plonk.h"
#include "support/files.h"
#include "support/harness.h"

enum {
    PLONK_PATH_BYTES = 512,
    PLONK_BLINDING = 11,
    SNARKJS_CIRCUITS = 6,
    SNARKJS_FFLONK = 4,
    GNARK_CIRCUITS = 5,
    GNARK_SEVERAL = 4
};

/* The circuits of FFLONK are those of PLONK, of which the data have the constraints and witnesses. */
typedef struct plonk_row {
    const char *folder, *name, *curve, *protocol;
    const char *circuit,
        *powers; /* of snarkjs: whose constraints and witness it has, and its powers of tau; of gnark: null */
    uint32_t points; /* of a proof */
    uint32_t commitments;
} plonk_row;

extern const plonk_row snarkjs_circuits[SNARKJS_CIRCUITS], gnark_circuits[GNARK_CIRCUITS];

/* Return 1 if this build has the curve of a circuit. */
int plonk_is_built(const plonk_row *row);

/* Write the path of a file to `path`, and return it: of the circuit itself, of the one whose constraints and witness it has, and of the
 * powers of tau. */
const char *plonk_path(const plonk_row *row, const char *file, char path[PLONK_PATH_BYTES]);
const char *plonk_circuit_path(const plonk_row *row, const char *file, char path[PLONK_PATH_BYTES]);
const char *plonk_powers_path(const plonk_row *row, char path[PLONK_PATH_BYTES]);

/* Read a file of a circuit to memory that the caller frees. A zero follows the bytes. */
uint8_t *plonk_read(const plonk_row *row, const char *file, size_t *size);

/* Make the key of a circuit of snarkjs from its constraints and the powers of tau. */
sumac_status plonk_set_up(sumac_context *context, const plonk_row *row, const char *zkey);

/* A circuit with its key and a witness. `key_file` and `witness_file` have the bytes of the files. */
typedef struct plonk_circuit {
    const plonk_row *row;
    sumac_context *context;
    sumac_plonk_key *key;
    const sumac_plonk_verifying_key *verifying;
    sumac_plonk_info info;
    uint8_t *key_file, *witness_file;
    size_t key_size, witness_size;
    uint8_t *witness, *publics, *proof, *blinding;
} plonk_circuit;

/* Open a circuit in a context, which plonk_close() destroys. */
void plonk_open_in(plonk_circuit *c, const plonk_row *row, sumac_context *context, uint32_t compact);
void plonk_open(plonk_circuit *c, const plonk_row *row, uint32_t threads, uint32_t compact);
void plonk_close(plonk_circuit *c);

/* Make a proof with the random numbers of the other program. */
sumac_status plonk_prove(const plonk_circuit *c, const void *witness, uint8_t *proof);

sumac_status plonk_verify(const plonk_circuit *c, const sumac_plonk_verifying_key *verifying,
                          const uint8_t *publics, const uint8_t *proof, int *ok);

#endif
