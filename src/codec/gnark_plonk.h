/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file finds the positions of what PLONK keys of gnark 0.16 have (backend/plonk/CURVE/marshal.go). Numbers are big-endian.
 * Points are those of codec/gnark.c, and a vector is a count (4 bytes) and scalars.
 *   verifying key  0 and 1 (8 bytes each; older keys do not have them); n (8 bytes); 1/n; the root of unity; the number of public
 *                  inputs (8 bytes); the shift k of cosets; the points S[0], S[1], S[2], Ql, Qr, Qm, Qo, Qk; the slice Qcp, with
 *                  a point for each commitment of the circuit; G, H and tau*H; the lines of the pairing, which are not read; for
 *                  each commitment its constraint: a count (4 bytes) and numbers (8 bytes each)
 *   proving key    the verifying key; the slice of n + 3 points tau^i G; the slice of n points L_i(tau) G, which is not read
 *   trace          this library's, because gnark computes it from the constraints (plonk.NewTrace) and has no format for it. It
 *                  follows the proving key: "sumactrc"; 1 (8 bytes); the number of gates (8 bytes), which are the public inputs and
 *                  the constraints; vectors of the n values of Ql, Qr, Qm, Qo, Qk, and of Qcp for each commitment; the permutation
 *                  of the 3n wires, 8 bytes each
 */
#ifndef SUMAC_CODEC_GNARK_PLONK_H
#define SUMAC_CODEC_GNARK_PLONK_H

#include "codec/gnark_key.h"

enum {
    GNARK_PLONK_HEAD_BYTES = 3 * 8 + 48, /* enough bytes to find the curve */
    GNARK_PLONK_POINTS = 8,
    GNARK_PLONK_SELECTORS = 5,
    GNARK_PLONK_MORE_POWERS = 3,
    GNARK_PLONK_MOST_COMMITMENTS = 16,
    GNARK_PLONK_LEAST_DOMAIN = 8
};

typedef struct gnark_plonk_key {
    uint64_t domain, publics, gates;
    uint64_t root, shift;                     /* offsets of scalars */
    gnark_points points;                      /* GNARK_PLONK_POINTS, in the file's order */
    gnark_points qcp, generator, generators2; /* two generators2, of which the second is tau*H */
    uint32_t commitments;
    uint64_t constraints; /* the offset of each commitment's constraint, 8 bytes each */
    gnark_points powers;
    uint64_t selectors[GNARK_PLONK_SELECTORS + GNARK_PLONK_MOST_COMMITMENTS]; /* offsets of scalars */
    uint64_t permutation;
} gnark_plonk_key;

/* Return where the domain is, if these bytes can be the beginning of a key of gnark, or 0 if they can't. */
size_t gnark_plonk_domain(const uint8_t *bytes, size_t count, int *begins);

/* Find the parts of a key over a curve; a verifying key may be followed by more. */
sumac_status gnark_plonk_verifying_read(gnark_plonk_key *key, const byte_source *source,
                                        const sumac_group *g1, const sumac_group *g2, sumac_message *why);
sumac_status gnark_plonk_proving_read(gnark_plonk_key *key, const byte_source *source, const sumac_group *g1,
                                      const sumac_group *g2, sumac_message *why);

#endif
