#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How long a call takes from Python beside the same call from C: 2^10 resident bases of BN254, one thread.

The C side is the same function called by a C program that this script compiles: the two take turns. What counts is the
processor's time, and of many calls the fastest, as other programs on the machine slow both.

  bench.py INCLUDE LIBRARY-FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <sumac/sumac.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int count, char **arguments)
{
    enum { N = 1 << 10 };
    const int calls = atoi(arguments[count - 1]);
    const sumac_curve *curve;
    sumac_context *context;
    sumac_bases *bases;
    static unsigned char scalars[N * 32], result[64];
    sumac_context_config config = sumac_context_config_default();
    config.backend = "cpu";
    config.threads = 1;
    if (sumac_curve_find("bn254", "g1", &curve) || sumac_context_create(&config, &context, NULL) ||
        sumac_known_bases_create(context, curve, N, 1, NULL, &bases) ||
        sumac_known_logarithms(context, curve, N, 2, scalars))
        return 1;
    for (int i = -3; i < calls; i++) {
        const double start = now();
        if (sumac_msm(context, bases, scalars, N, NULL, result))
            return 1;
        if (i >= 0)
            printf("%.9f\n", now() - start);
    }
    return 0;
}
"""
CALLS, ROUNDS = 100, 7


def measure_python(sumac, bases, scalars):
    times = []
    for i in range(-3, CALLS):
        start = time.process_time()
        bases.msm(scalars)
        if i >= 0:
            times.append(time.process_time() - start)
    return times


def main(include, folder):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import sumac

    context = sumac.Context(backend="cpu", threads=1)
    bases, scalars = sumac.Bases.known(context, "bn254", 2**10, 1), sumac.known_logarithms(context, "bn254", 2**10, 2)
    with tempfile.TemporaryDirectory() as directory:
        source, program = os.path.join(directory, "bench.c"), os.path.join(directory, "bench")
        pathlib.Path(source).write_text(PROGRAM)
        subprocess.run(["cc", "-O2", "-I", include, source, "-o", program, f"-L{folder}", "-lsumac", f"-Wl,-rpath,{folder}"], check=True)
        c, python = [], []
        for _ in range(ROUNDS):
            done = subprocess.run([program, str(CALLS)], stdout=subprocess.PIPE, check=True, text=True)
            c += map(float, done.stdout.split())
            python += measure_python(sumac, bases, scalars)
    print(f"C {1e6 * min(c):.1f} us, Python {1e6 * min(python):.1f} us: {min(python) / min(c):.3f} times")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
