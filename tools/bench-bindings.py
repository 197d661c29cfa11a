#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compare the time of a call from a language with the time of the same call from C. The call has 2^10 resident bases of BN254,
and uses one thread.

  bench-bindings.py python|rust|go|node LIBRARY-FOLDER

The programs have the same few lines in each language, and print the microseconds of a number of calls. The two programs take
turns, and the fastest of many runs counts, because other programs on the machine slow both down.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINDINGS = ROOT / "bindings"
CALLS, ROUNDS = 100, 7
GO_MODULE = "github.com/sumac-msm/sumac/bindings/go"
PROGRAMS = {
    "c": ("main.c", """
#include <stdio.h>
#include <sumac/experimental.h>
#include <sumac/sumac.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec; }
int main(void)
{
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    static unsigned char scalars[1024 * 32], result[64];
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.threads = 1;
    if (sumac_group_find("bn254", "g1", &group) || sumac_context_create(&config, &context, NULL) ||
        sumac_known_bases_create(context, group, 1024, 1, NULL, &bases) ||
        sumac_known_logarithms(context, group, 1024, 2, scalars, sizeof scalars))
        return 1;
    for (int i = 0; i < CALLS; i++) {
        const double start = now();
        if (sumac_msm(context, bases, scalars, sizeof scalars, 1024, NULL, result, sizeof result))
            return 1;
        printf("%.3f\\n", now() - start);
    }
}
"""),
    "python": ("main.py", """
import time
import sumac_msm as sumac
context = sumac.Context(backend="cpu", threads=1)
bases, scalars = sumac.Bases.known(context, "bn254", 1024, 1), sumac.known_logarithms(context, "bn254", 1024, 2)
for _ in range(CALLS):
    start = time.perf_counter()
    bases.msm(scalars)
    print(1e6 * (time.perf_counter() - start))
"""),
    "node": ("main.js", """
const sumac = require('sumac-msm');
const context = new sumac.Context({ backend: 'cpu', threads: 1 });
const [bases, scalars] = [context.createKnownBasesSync('bn254', 1024, 1), context.knownLogarithmsSync('bn254', 1024, 2)];
for (let i = 0; i < CALLS; i++) {
    const start = process.hrtime.bigint();
    bases.msmSync(scalars);
    console.log(Number(process.hrtime.bigint() - start) / 1e3);
}
"""),
    "rust": ("main.rs", """
use sumac::{known_logarithms, Bases, Context, Curve};
fn main() -> sumac::Result<()> {
    let (mut context, curve) = (Context::cpu(1)?, Curve::find("bn254", "g1")?);
    let bases = Bases::known(&mut context, curve, 1024, 1).run()?;
    let scalars = known_logarithms(&mut context, curve, 1024, 2)?;
    for _ in 0..CALLS {
        let start = std::time::Instant::now();
        bases.msm(&mut context, &scalars).run()?;
        println!("{}", start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(())
}
"""),
    "go": ("main.go", """
package main

import ("fmt"; sumac "github.com/sumac-msm/sumac/bindings/go"; "time")

func must[T any](value T, err error) T { if err != nil { panic(err) }; return value }

func main() {
	context := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(1)))
	curve := must(sumac.FindCurve("bn254", "g1"))
	bases, scalars := must(context.NewKnownBases(curve, 1024, 1)), must(context.KnownLogarithms(curve, 1024, 2))
	for range CALLS {
		start := time.Now()
		must(bases.MSM(context, scalars))
		fmt.Println(float64(time.Since(start).Nanoseconds()) / 1e3)
	}
}
"""),
}


def run(command, **options):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def build(language, library, folder):
    """Make a language's program in a folder, and return the command that runs it."""
    name, text = PROGRAMS[language]
    folder = folder / language
    folder.mkdir()
    source = folder / name
    source.write_text(text.replace("CALLS", str(CALLS)))
    if language == "c":
        run(["cc", "-O2", "-I", ROOT / "include", source, "-o", folder / "c", f"-L{library}", "-lsumac"])
        return [folder / "c"]
    if language == "python":
        os.environ["PYTHONPATH"] = str(BINDINGS / "python")
        run([sys.executable, "-B", ROOT / "tools/gen_bindings.py", "python", BINDINGS / "python/sumac_msm"])
        return [sys.executable, "-B", source]
    if language == "node":
        package = folder / "node_modules/sumac-msm"
        shutil.copytree(BINDINGS / "node", package)
        run([sys.executable, "-B", ROOT / "tools/gen_bindings.py", "node", package])
        run(["make", "-s", "-C", package, f"SUMAC_CFLAGS=-I{ROOT / 'include'}", f"SUMAC_LIBS=-L{library} -lsumac"])
        return ["node", source]
    if language == "rust":
        (folder / "Cargo.toml").write_text('[package]\nname = "main"\nversion = "0.0.0"\nedition = "2021"\n[[bin]]\nname = "main"\npath = "main.rs"\n'
                                           f'[dependencies]\nsumac = {{ path = "{BINDINGS / "rust/sumac"}", default-features = false }}\n[workspace]\n')
        run(["cargo", "build", "--release", "--offline", "--quiet"], cwd=folder,
            env={**os.environ, "SUMAC_LIB_DIR": str(library), "CARGO_TARGET_DIR": str(folder / "target")})
        return [folder / "target/release/main"]
    (folder / "go.mod").write_text(f"module main\ngo 1.24\nrequire {GO_MODULE} v0.0.0\nreplace {GO_MODULE} => {BINDINGS / 'go'}\n")
    (folder / "sumac.pc").write_text(f"Name: sumac\nDescription: a build\nVersion: 0.9.0\nCflags: -I{ROOT}/include\nLibs: -L{library} -lsumac\n")
    run(["go", "build", "-o", folder / "go", "."], cwd=folder,
        env={**os.environ, "PKG_CONFIG_PATH": str(folder), "GOFLAGS": "-mod=mod -tags=sumac_system", "GOPROXY": "off", "GOTOOLCHAIN": "local"})
    return [folder / "go"]


def main(language, library):
    library = pathlib.Path(library).resolve()
    os.environ["LD_LIBRARY_PATH"] = str(library)
    with tempfile.TemporaryDirectory() as folder:
        commands = [build(one, library, pathlib.Path(folder)) for one in ("c", language)]
        fastest = [float("inf")] * 2
        for _ in range(ROUNDS):
            for i, command in enumerate(commands):
                fastest[i] = min(fastest[i], *map(float, run(command).split()))
    print(f"C {fastest[0]:.1f} us, {language} {fastest[1]:.1f} us: {fastest[1] / fastest[0]:.3f} times")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    main(*sys.argv[1:])
