// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package plain makes calls as a program in C makes them, to compare with.
package plain

/*
#cgo !sumac_static pkg-config: sumac
#cgo sumac_static CFLAGS: -I${SRCDIR}/../../static/include
#cgo sumac_static LDFLAGS: ${SRCDIR}/../../static/libsumac.a -lm -ldl -lpthread
#include <stdlib.h>
#include <sumac/sumac.h>
#include <time.h>

typedef struct caller {
    sumac_context *context;
    sumac_bases *bases;
    void *scalars;
    size_t n;
} caller;

static int prepare(caller *c, size_t n)
{
    const sumac_curve *curve;
    sumac_context_config config = sumac_context_config_default();
    config.backend = "cpu";
    config.threads = 1;
    c->n = n;
    c->scalars = malloc(32 * n);
    return c->scalars != NULL && sumac_curve_find("bn254", "g1", &curve) == SUMAC_OK &&
           sumac_context_create(&config, &c->context, NULL) == SUMAC_OK &&
           sumac_known_bases_create(c->context, curve, n, 1, NULL, &c->bases) == SUMAC_OK &&
           sumac_known_logarithms(c->context, curve, n, 2, c->scalars) == SUMAC_OK;
}

// Seconds of one call.
static double run(caller *c)
{
    unsigned char result[64];
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (sumac_msm(c->context, c->bases, c->scalars, c->n, NULL, result) != SUMAC_OK) {
        return -1;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}
*/
import "C"

// Caller has n bases of bn254, and as many scalars.
type Caller struct{ c *C.caller }

// New makes one with a context of one thread; false if it can't.
func New(n int) (Caller, bool) {
	c := (*C.caller)(C.calloc(1, C.sizeof_caller))
	return Caller{c}, C.prepare(c, C.size_t(n)) != 0
}

// Run makes one call, and says how many seconds it took.
func (c Caller) Run() float64 { return float64(C.run(c.c)) }
