#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Make copies of crates of halo2 that compute their sums and transforms with sumac, for [patch.crates-io]. A program that uses
halo2 then uses sumac without a change of its code.

    patch.py FOLDER CRATE=VERSION...     the copies are made in FOLDER/CRATE-VERSION

Known are halo2curves 0.7.0, 0.8.0, 0.9.0 and 0.10.0, halo2curves-axiom 0.7.3 and halo2-axiom 0.5.3, which belong together,
midnight-curves 0.2.1 and 0.3.1, and Zcash's halo2_proofs 0.3.5. Cargo fetches the crates from crates.io. The table for the
program's Cargo.toml is printed. The copies need this repository's bindings/rust, and find the library as they do.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINDINGS = HERE.parents[1] / "bindings/rust"

# For each edit: the file, lines that are there once, and the lines that are put behind them.
SUM = """\
    if let Some(sum) = sumac_halo2::hook::msm(coeffs, bases) {
        return sum;
    }
"""
TRANSFORM = """\
    if a.len() as u64 == 1 << log_n && sumac_halo2::hook::fft(a, &omega) {
        return;
    }
"""
FFT = "pub fn best_fft<Scalar: Field, G: FftGroup<Scalar>>(a: &mut [G], omega: Scalar, log_n: u32) {\n"
CURVES = [
    ("src/msm.rs", "pub fn msm_best<C: CurveAffine>(coeffs: &[C::Scalar], bases: &[C]) -> C::Curve {\n", SUM),
    ("src/fft.rs", FFT, TRANSFORM)]
# blst makes the points affine. Its type of points differs from the crate's only in its name.
MIDNIGHT = CURVES + [(f"src/bls12_381/g{i}.rs", f"        let points = p{i}_affines::from(points);\n", f"""\
        let affine = points.as_slice();
        let affine = unsafe {{ std::slice::from_raw_parts(affine.as_ptr() as *const G{i}Affine, affine.len()) }};
        if let Some(sum) = sumac_halo2::hook::msm(scalars, affine) {{
            return sum;
        }}
""") for i in (1, 2)]
AXIOM_FFT = """\
pub fn fft<Scalar: Field, G: FftGroup<Scalar>>(
    data_in: &mut [G],
    omega: Scalar,
    log_n: u32,
    _data: &FFTData<Scalar>,
    _inverse: bool,
) {
"""

EDITS = {
    "halo2curves": {"0.7.0": CURVES, "0.8.0": CURVES, "0.9.0": CURVES, "0.10.0": CURVES},
    "halo2curves-axiom": {"0.7.3": CURVES},
    "halo2-axiom": {"0.5.3": [("src/fft/parallel.rs", AXIOM_FFT, TRANSFORM.replace("a.len", "data_in.len").replace("(a,", "(data_in,"))]},
    "midnight-curves": {"0.2.1": MIDNIGHT, "0.3.1": MIDNIGHT},
    "halo2_proofs": {"0.3.5": [
        ("src/arithmetic.rs", CURVES[0][1].replace("msm_best", "best_multiexp"), SUM),
        ("src/arithmetic.rs", FFT, TRANSFORM)]},
}


def fetch(name, version):
    """Return the folder of the crate in Cargo's cache."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/src")
        pathlib.Path(folder, "src/lib.rs").touch()
        pathlib.Path(folder, "Cargo.toml").write_text(
            f'[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{name} = "={version}"\n')
        subprocess.run(["cargo", "fetch", "--quiet"], cwd=folder, check=True)
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    found = sorted(home.glob(f"registry/src/*/{name}-{version}"))
    if not found:
        sys.exit(f"cargo has fetched {name} {version}, but it is not in {home}/registry/src")
    return found[-1]


def patch(crate, edits):
    with open(crate / "Cargo.toml", "a") as manifest:
        manifest.write(f'\n[dependencies.sumac-halo2]\npath = "{BINDINGS}/sumac-halo2"\ndefault-features = false\n')
    for name, lines, more in edits:
        path = crate / name
        text = path.read_text()
        if text.count(lines) != 1:
            sys.exit(f"{path}: {lines!r} is not there exactly once: this is not the crate that the edit is for")
        path.write_text(text.replace(lines, lines + more))


def main():
    crates = [argument.split("=") for argument in sys.argv[2:]]
    if not crates or any(len(crate) != 2 or crate[1] not in EDITS.get(crate[0], {}) for crate in crates):
        sys.exit(__doc__)
    print("[patch.crates-io]")
    names = set()
    for name, version in crates:
        crate = pathlib.Path(sys.argv[1]).resolve() / f"{name}-{version}"
        shutil.rmtree(crate, ignore_errors=True)
        shutil.copytree(fetch(name, version), crate)
        patch(crate, EDITS[name][version])
        # Each patch has a name of its own, because a program may need several versions of a crate.
        key = name if name not in names else f"{name}-{version.replace('.', '-')}"
        names.add(name)
        print(f'{key} = {{ package = "{name}", path = "{crate}" }}')


main()
