/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file finds the positions of the points in Groth16 keys of gnark 0.11 to 0.16 (backend/groth16/CURVE/marshal.go).
 * Numbers are big-endian. Points are those of codec/gnark.c. In a dumped proving key, slices are dumps and come last.
 *   proving key    domain; alpha1, beta1, delta1; slices A, B, Z, K of G1; beta2, delta2; slice B of G2; wires
 *   its dump       0xdeadbeef; domain; alpha1, beta1, delta1, beta2, delta2; wires; the slices
 *   domain         n (8 bytes); 1/n, the root of unity, 1/root, g, 1/g; a byte
 *   wires          their number, and the numbers of infinities in A and in B (8 bytes each); for each wire a byte for A,
 *                  then one for B; the number of commitments (4 bytes)
 *   verifying key  alpha1, beta1, beta2, gamma2, delta1, delta2; slice K; the number of commitments, and for each one its
 *                  hashed values: a count (4 bytes) and numbers (8 bytes each); again the number of commitments
 * For each commitment a proving key ends with the slices Basis and BasisExpSigma of G1, and a verifying key with the points
 * G and GSigmaNeg of G2. Z_i is (tau^n - 1)/delta * tau^rev(i) * G; the last one is missing.
 */
#ifndef SUMAC_CODEC_GNARK_KEY_H
#define SUMAC_CODEC_GNARK_KEY_H

#include "codec/byte_source.h"
#include "codec/format.h"

/* Return the encoding of a point that begins with this byte: gnark_compressed_format or gnark_raw_format. */
const point_format *gnark_encoding(const sumac_group *info, uint8_t first_byte);

/* Encode a raw point of a first group as gnark's Marshal() does, in as many bytes. */
void gnark_encode_raw(const sumac_group *info, const uint8_t *point, uint8_t *encoded);

/* These are contiguous points of a file. */
typedef struct gnark_points {
    const char *name;           /* the name of the points in gnark */
    const point_format *format; /* the format of the records */
    uint64_t offset, count;
} gnark_points;

/* Return the position of beta2 in a verifying key of a curve and encoding. Such a file does not have the name of its
 * curve, so the caller tries this point with each curve and encoding. */
gnark_points gnark_verifying_key_beta2(const sumac_group *g1, const sumac_group *g2,
                                       const point_format *encoding);

/* Keys with more commitments are refused; gnark's gadgets have one or two in a circuit. */
enum { GNARK_MOST_COMMITMENTS = 64 };

/* This is one commitment of a verifying key. Its value is hashed from the commitment's point and other values: number j
 * is public input j or, if there are only n inputs, the value of commitment j - n - 1. The file has the numbers at offset
 * `hashed`, big-endian, of 8 bytes each. */
typedef struct gnark_verifying_commitment {
    uint64_t hashed, hashed_count;
    gnark_points g, sigma; /* G and -sigma*G */
} gnark_verifying_commitment;

typedef struct gnark_verifying_key {
    gnark_points alpha1, beta1, beta2, gamma2, delta1, delta2, k;
    uint32_t commitments;
    gnark_verifying_commitment commitment[GNARK_MOST_COMMITMENTS];
} gnark_verifying_key;

/* Find the points of a verifying key, which must have nothing else. K must have more points than there are commitments. */
sumac_status gnark_verifying_key_read(gnark_verifying_key *key, const byte_source *source,
                                      const sumac_group *g1, const sumac_group *g2,
                                      const point_format *encoding, sumac_message *why);

enum {
    GNARK_MARKER_BYTES = 8,
    GNARK_CARDINALITY_BYTES = 8,
    GNARK_DOMAIN_BYTES = GNARK_CARDINALITY_BYTES + 5 * 48 + 1
};

/* The bytes are the first ones of a proving key. Return the offset of its domain: 0 or, in a dump, the size of the
 * marker. */
size_t gnark_domain_offset(const uint8_t *bytes, size_t count);

/* Return 1 if the bytes can be the beginning of a domain: its size is not 0, and has at most 40 bits. */
int gnark_domain_begins(const uint8_t *bytes, size_t count);

/* Return 1 if the domain belongs to a curve. A domain begins with its size n, which is a power of two. Then it has 1/n
 * modulo the order of the curve's scalars, by which the curve is recognized, the root of unity of order n and its
 * inverse, and the shift of cosets and its inverse, by which the curve is recognized if n is 1. */
int gnark_domain_is_of(const uint8_t *domain, const sumac_group *info);
const uint8_t *gnark_domain_generator(const uint8_t *domain, const sumac_group *info);

/* This is one commitment of a proving key: the bases of its wires, and the same bases times sigma. */
typedef struct gnark_proving_commitment {
    gnark_points basis, sigma;
} gnark_proving_commitment;

typedef struct gnark_proving_key {
    uint64_t domain, wires, publics; /* publics do not count the constant one */
    gnark_points alpha1, beta1, delta1, a, b1, z, k, beta2, delta2, b2;
    uint32_t commitments;
    gnark_proving_commitment commitment[GNARK_MOST_COMMITMENTS];
    uint64_t committed; /* points of all bases together */
    /* From each of these offsets on, the file has a byte for each wire. The byte is 1 if the wire's element of A, or of
     * B, is infinity and has no point. */
    uint64_t infinity_a, infinity_b;
} gnark_proving_key;

/* Find the points of a proving key, whose domain belongs to the curve. The slices must have the lengths that the domain
 * and the wires require. */
sumac_status gnark_proving_key_read(gnark_proving_key *key, const byte_source *source, const sumac_group *g1,
                                    const sumac_group *g2, sumac_message *why);

#endif
