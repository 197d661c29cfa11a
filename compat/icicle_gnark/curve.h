/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions of icicle_gnark.h for any curve. icicle_gnark.h describes them, and curves.c names them. */
#ifndef SUMAC_ICICLE_CURVE_H
#define SUMAC_ICICLE_CURVE_H

#include "device.h"
#include "field.h"
#include "sumac/group.h"

/* A group by its names in libsumac. */
typedef struct sumac_icicle_group {
    const char *curve, *name;
    unsigned minus_square; /* of the field Fp2; see field.h */
    size_t number;         /* of the curve, less than SUMAC_ICICLE_CURVES */
} sumac_icicle_group;

enum { SUMAC_ICICLE_CURVES = 4 };

typedef enum { SUMAC_ICICLE_PLUS, SUMAC_ICICLE_MINUS, SUMAC_ICICLE_TIMES } sumac_icicle_operation;

/* ---- scalars.c ---- */
void sumac_icicle_generate_scalars(const sumac_icicle_group *g, void *scalars, int size);
void sumac_icicle_scalar(const sumac_icicle_group *g, sumac_icicle_operation operation, const void *a,
                         const void *b, void *result);
void sumac_icicle_scalar_inverse(const sumac_icicle_group *g, const void *a, void *result);
int sumac_icicle_convert_scalars(const sumac_icicle_group *g, const void *in, size_t n, bool is_into,
                                 const VecOpsConfig *config, void *out);
int sumac_icicle_vectors(const sumac_icicle_group *g, sumac_icicle_operation operation, const void *a,
                         const void *b, int n, const VecOpsConfig *config, void *result);

/* ---- ntt.c ---- */
int sumac_icicle_ntt(const sumac_icicle_group *g, const void *input, int size, int direction,
                     const void *config, void *output);
int sumac_icicle_init_domain(const sumac_icicle_group *g, const void *primitive_root);
int sumac_icicle_release_domain(const sumac_icicle_group *g);
int sumac_icicle_root_of_unity(const sumac_icicle_group *g, uint64_t max_size, void *root);

/* ---- points.c ---- */
int sumac_icicle_msm(const sumac_icicle_group *g, const void *scalars, const void *points, int count,
                     const MSMConfig *config, void *out);
int sumac_icicle_precompute(const sumac_icicle_group *g, const void *input, int size, const MSMConfig *config,
                            void *output);
bool sumac_icicle_same_point(const sumac_icicle_group *g, const void *a, const void *b);
void sumac_icicle_add_points(const sumac_icicle_group *g, bool subtract, const void *a, const void *b,
                             void *result);
void sumac_icicle_to_affine(const sumac_icicle_group *g, const void *projective, void *affine);
void sumac_icicle_from_affine(const sumac_icicle_group *g, const void *affine, void *projective);
void sumac_icicle_generate_points(const sumac_icicle_group *g, unsigned coordinates, void *points, int size);
int sumac_icicle_convert_points(const sumac_icicle_group *g, unsigned coordinates, const void *in, size_t n,
                                bool is_into, const VecOpsConfig *config, void *out);

/* ---- call.c ---- */

/* A call on the active device, with a context of its own. */
typedef struct sumac_icicle_call {
    const sumac_icicle_device *device;
    sumac_context *context;
    const sumac_group *group;
} sumac_icicle_call;

/* Begin and end a call. If it can't begin, there is nothing to end. */
int sumac_icicle_begin(sumac_icicle_call *call, const sumac_icicle_group *g);
void sumac_icicle_end(sumac_icicle_call *call);

#endif
