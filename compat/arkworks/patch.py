#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Make a copy of arkworks' crate ark-ec that computes its sums with sumac, for [patch.crates-io]. A program that uses arkworks
then uses sumac without a change of its code.

    patch.py VERSION FOLDER     VERSION is 0.5.0 or 0.6.0; the copy is made in FOLDER/ark-ec-VERSION

Cargo fetches the crate from crates.io. The table for the program's Cargo.toml is printed. The copy needs this repository's
bindings/rust, and finds the library as they do.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINDINGS = HERE.parents[1] / "bindings/rust"

# For each version, this is the function of ark-ec that computes the sum on SW curves if sumac does not.
ORIGINAL = {"0.5.0": "msm_bigint_wnaf", "0.6.0": "msm_signed"}


def fetch(version):
    """Return the folder of the crate in Cargo's cache."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/src")
        pathlib.Path(folder, "src/lib.rs").touch()
        pathlib.Path(folder, "Cargo.toml").write_text(
            f'[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nark-ec = "={version}"\n')
        subprocess.run(["cargo", "fetch", "--quiet"], cwd=folder, check=True)
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    found = sorted(home.glob(f"registry/src/*/ark-ec-{version}"))
    if not found:
        sys.exit(f"cargo has fetched ark-ec {version}, but it is not in {home}/registry/src")
    return found[-1]


def replace(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path}: {old!r} is not there exactly once: this is not the crate that the edit is for")
    path.write_text(text.replace(old, new))


def patch(crate, version):
    original = ORIGINAL[version]
    with open(crate / "Cargo.toml", "a") as manifest:
        manifest.write(f'\n[dependencies.sumac]\npath = "{BINDINGS}/sumac"\n')
    # The hook reads points in place, which needs unsafe code.
    replace(crate / "src/lib.rs", "#![forbid(unsafe_code)]", "#![deny(unsafe_code)]")
    with open(crate / "src/lib.rs", "a") as root:
        root.write('\n#[cfg(not(feature = "std"))]\nextern crate std;\n#[allow(unsafe_code, unreachable_pub, dead_code)]\nmod sumac_hook;\n')
    replace(crate / "src/scalar_mul/variable_base/mod.rs", f"\nfn {original}<", f"\npub(crate) fn {original}<")
    implementation = "impl<P: SWCurveConfig> VariableBaseMSM for Projective<P> {\n"
    replace(crate / "src/models/short_weierstrass/group.rs", implementation, implementation + f"""\
    fn msm_bigint(bases: &[Self::MulBase], bigints: &[<Self::ScalarField as ark_ff::PrimeField>::BigInt]) -> Self {{
        crate::sumac_hook::sum(bases, bigints)
            .unwrap_or_else(|| crate::scalar_mul::variable_base::{original}(bases, bigints))
    }}

""")
    edge = (BINDINGS / f"sumac-ark/src/v{version[:3].replace('.', '_')}.rs").read_text()
    names = "_".join(version.split(".")[:2])
    for old, new in (f"use ark_ec_{names} as ark_ec;", "use crate as ark_ec;"), (f"use ark_ff_{names} as ark_ff;", "use ark_ff;"):
        if edge.count(old) != 1:
            sys.exit(f"{old} is not in the crate sumac-ark")
        edge = edge.replace(old, new)
    folder = crate / "src/sumac_hook"
    folder.mkdir()
    (folder / "mod.rs").write_text(edge + 'include!("hook.rs");\n')
    shutil.copy(BINDINGS / "sumac-ark/src/arkworks.rs", folder)
    shutil.copy(HERE / "hook.rs", folder)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ORIGINAL:
        sys.exit(__doc__)
    version = sys.argv[1]
    crate = pathlib.Path(sys.argv[2]).resolve() / f"ark-ec-{version}"
    shutil.rmtree(crate, ignore_errors=True)
    shutil.copytree(fetch(version), crate)
    patch(crate, version)
    print(f'[patch.crates-io]\nark-ec = {{ path = "{crate}" }}')


main()
