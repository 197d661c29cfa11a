/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Groth16 keys of gnark 0.11 to 0.16 (backend/groth16/CURVE/marshal.go): where their points lie. Numbers are big-endian.
 * Points are those of codec/gnark.c; of a proving key that is dumped the slices are dumps, and stand behind all else.
 *   proving key    domain; alpha1, beta1, delta1; slices A, B, Z, K of G1; beta2, delta2; slice B of G2; wires
 *   its dump       0xdeadbeef; domain; alpha1, beta1, delta1, beta2, delta2; wires; the slices
 *   domain         n (8 bytes); 1/n, the root of unity, 1/root, g, 1/g; a byte
 *   wires          how many, how many at infinity in A and in B (8 bytes each); for each a byte for A, then for B; 0
 *                  (4 bytes), the number of commitments: others are refused
 *   verifying key  alpha1, beta1, beta2, gamma2, delta1, delta2; slice K; 0, 0 (4 bytes each), of commitments
 * Z_i is (tau^n - 1)/delta * tau^rev(i) * G, without the last one.
 */
#ifndef SUMAC_CODEC_GNARK_KEY_H
#define SUMAC_CODEC_GNARK_KEY_H

#include "codec/byte_source.h"
#include "codec/format.h"

/* The encoding of a point by its first byte: gnark_compressed_format or gnark_raw_format. */
const point_format *gnark_encoding(const sumac_curve_info *info, uint8_t first_byte);

/* Points that follow each other in a file. */
typedef struct gnark_points {
    const char *name;           /* as gnark calls them */
    const point_format *format; /* of their records */
    uint64_t offset, count;
} gnark_points;

/* The position of beta2 in a verifying key of a curve in an encoding. Nothing in such a file names its curve: the caller tries
 * this point with each. */
gnark_points gnark_verifying_key_beta2(const sumac_curve_info *g1, const sumac_curve_info *g2,
                                       const point_format *encoding);

typedef struct gnark_verifying_key {
    gnark_points alpha1, beta1, beta2, gamma2, delta1, delta2, k;
} gnark_verifying_key;

/* Find the points of a file, which must have nothing else; K has at least one. */
sumac_status gnark_verifying_key_read(gnark_verifying_key *key, const byte_source *source,
                                      const sumac_curve_info *g1, const sumac_curve_info *g2,
                                      const point_format *encoding, sumac_message *why);

enum {
    GNARK_MARKER_BYTES = 8,
    GNARK_CARDINALITY_BYTES = 8,
    GNARK_DOMAIN_BYTES = GNARK_CARDINALITY_BYTES + 5 * 48 + 1
};

/* The offset of a proving key's domain by the file's first bytes: 0, or that behind a dump's marker. */
size_t gnark_domain_offset(const uint8_t *bytes, size_t count);

/* Returns 1 if bytes may begin a domain: its size is not 0 and has at most 40 bits. */
int gnark_domain_begins(const uint8_t *bytes, size_t count);

/* A domain begins with its size n, a power of two; 1/n modulo the order of the curve's scalars, by which the curve is
 * recognised; and the root of unity of order n. */
int gnark_domain_is_of(const uint8_t *domain, const sumac_curve_info *info);
const uint8_t *gnark_domain_generator(const uint8_t *domain, const sumac_curve_info *info);

typedef struct gnark_proving_key {
    uint64_t domain, wires, publics; /* without the constant one */
    gnark_points alpha1, beta1, delta1, a, b1, z, k, beta2, delta2, b2;
    /* A byte a wire: 1 where A or B is infinity, which has no point above. */
    uint64_t infinity_a, infinity_b;
} gnark_proving_key;

/* Find the points of a file whose domain is of the curve. Slices must be as long as the domain and the wires say. */
sumac_status gnark_proving_key_read(gnark_proving_key *key, const byte_source *source,
                                    const sumac_curve_info *g1, const sumac_curve_info *g2,
                                    sumac_message *why);

#endif
