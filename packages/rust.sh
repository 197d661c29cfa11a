#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make the crates sumac-sys, sumac, sumac-ark, sumac-halo2 and sumac-revm as they are published. The C sources are in sumac-sys.
#
#   rust.sh [OUT]         OUT: the folder for them (dist)
#   rust.sh --check OUT   build a new project on them alone in a minimal Debian with gcc, without a network. The examples of the READMEs
#                         run, the crate c-kzg takes its functions from sumac-sys, docs.rs's way of building compiles no C, and
#                         checks.sh says what the time of a commitment is compared with
#
# CURVES=bn254,bls12-381 makes --check compile these curves alone.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. "$root/packages/checks.sh"
check=no
[ "${1-}" != --check ] || { check=yes && shift; }
mkdir -p "${1-dist}"
out=$(realpath "${1-dist}")
version=$(packages/metadata.py --get version)
url=$(packages/metadata.py --get url)
crates=(sumac-sys sumac sumac-ark sumac-halo2 sumac-revm)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_crates() {
    git archive HEAD "${crates[@]/#/bindings/rust/}" bindings/rust/Cargo.toml | tar -x -C "$work" --strip-components=2
    cd "$work"
    # In the repository these crates are not members of the workspace, because they have many dependencies.
    sed -i '/^\[workspace\]$/d' sumac-{ark,halo2,revm}/Cargo.toml
    sed -i 's/^members = .*/members = ["sumac*"]/; /^exclude = /d' Cargo.toml
    python3 -B "$root/tools/gen_bindings.py" rust sumac-sys/generated
    python3 -B "$root/packages/flat.py" sumac-sys/csrc --ckzg --layout rust
    for crate in "${crates[@]}"; do
        cp "$root"/LICENSE-{APACHE,MIT} "$crate"
        # Replace links to files of the repository, and links to the READMEs of other crates.
        sed -i "s|](\.\./\.\./\.\./|]($url/blob/v$version/|g; s|](\.\./\([a-z-]*\)/README\.md|](https://crates.io/crates/\1|g" "$crate/README.md"
    done
    cargo package --quiet --workspace --no-verify --allow-dirty --exclude-lockfile
    for crate in "${crates[@]}"; do
        mv "target/package/$crate-$version.crate" "$out"
    done
}

# Make a project that uses the crates. They are members of its workspace, so that their tests can run.
make_project() {
    mkdir -p "$work/crates" "$work/src" "$work/.cargo"
    touch "$work/src/lib.rs"
    printf '[target.%s.ckzg]\nrustc-link-lib = []\n' "$(rustc -vV | sed -n 's/^host: //p')" >"$work/.cargo/config.toml"
    for crate in "${crates[@]}"; do
        tar -x -C "$work/crates" -f "$out/$crate-$version.crate"
    done
    {
        printf '[package]\nname = "check"\nversion = "0.0.0"\nedition = "2021"\n'
        printf '[[bin]]\nname = "check"\npath = "src/main.rs"\n[[bin]]\nname = "ckzg"\npath = "src/ckzg.rs"\nrequired-features = ["ckzg"]\n'
        printf '[features]\ndefault = ["ckzg"]\nckzg = ["dep:c-kzg", "dep:sumac-sys"]\n[dependencies]\n'
        printf 'c-kzg = { version = "=2.1.8", optional = true }\n'
        printf 'sumac-sys = { version = "%s", default-features = false, features = ["ckzg"], optional = true }\n' "$version"
        if [ -n "${CURVES-}" ]; then
            printf 'sumac = { version = "%s", default-features = false, features = ["vendored", "%s"] }\n' "$version" "${CURVES//,/\", \"}"
        else
            printf 'sumac = "%s"\n' "$version"
        fi
        printf '[workspace]\nresolver = "2"\nmembers = ["crates/*"]\n[patch.crates-io]\n'
        for crate in "${crates[@]}"; do
            printf '%s = { path = "crates/%s-%s" }\n' "$crate" "$crate" "$version"
        done
    } >"$work/Cargo.toml"
    cat >"$work/src/main.rs" <<'END'
use sumac::{Check, Context, KzgSetup};

extern "C" {
    /// The microseconds of processor time of the program.
    fn clock() -> std::ffi::c_long;
}

/// With the variant as second argument, print a commitment, and the microseconds of processor time that it takes.
fn main() -> sumac::Result<()> {
    let mut context = Context::cpu(1)?;
    let [_, file, variant] = std::env::args().collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(context.variant(), variant);
    let setup = KzgSetup::open(&mut context, file).check(Check::None).run()?;
    let mut blob = vec![[0u8; 131072]];
    (0..131072).filter(|i| i % 32 != 0).for_each(|i| blob[0][i] = (i * i / 256 + 7 * i) as u8);
    let mut best = std::ffi::c_long::MAX;
    let mut commitment = setup.commit(&mut context, &blob)?[0];
    for _ in 0..20 {
        let start = unsafe { clock() };
        commitment = setup.commit(&mut context, &blob)?[0];
        best = best.min(unsafe { clock() } - start);
    }
    let hex: String = commitment.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{hex} {best}");
    Ok(())
}
END
}

# Write a program that uses c-kzg's crate, and prints the commitment to the same blob.
make_ckzg() {
    cat >"$work/src/ckzg.rs" <<'END'
use sumac_sys as _;

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let settings = c_kzg::KzgSettings::load_trusted_setup_file(path.as_ref(), 0).unwrap();
    let bytes: Vec<u8> = (0..131072).map(|i: usize| if i % 32 == 0 { 0 } else { (i * i / 256 + 7 * i) as u8 }).collect();
    let commitment = settings.blob_to_kzg_commitment(&c_kzg::Blob::from_bytes(&bytes).unwrap()).unwrap();
    println!("{}", commitment.as_hex_string());
}
END
}

# Run a command in the project, in a minimal Debian with gcc and this system's Rust.
bare() {
    "$root/packages/bare.sh" --offline --with gcc,libc6-dev --bind "$work" --bind "$(rustc --print sysroot)" -- \
        env PATH="$(rustc --print sysroot)/bin:/usr/bin:/bin" CARGO_HOME="$work/home" CARGO_NET_OFFLINE=true "$@"
}

# Compare the time of a commitment with that of the same program over gcc's library.
check_time() {
    need_gcc_build
    SUMAC_LIB_DIR=$GCC_BUILD CARGO_HOME=$work/home cargo build --quiet --offline --release -p check --no-default-features --target-dir "$work/other"
    ours() { "$work/target/release/check" "$work/kzg/trusted_setup.txt" "$(expected_variant)"; }
    theirs() { LD_LIBRARY_PATH=$GCC_BUILD "$work/other/release/check" "$work/kzg/trusted_setup.txt" "$(expected_variant)"; }
    compare_times rust ours theirs
}

check_crates() {
    make_project
    make_ckzg
    tar -x -C "$work" -f "$root/data/kzg-demo.tar.xz"
    cd "$work"
    CARGO_HOME=$work/home cargo fetch --quiet
    TIMEFORMAT='rust: compiled in %0R s, with %0U s of processors'
    time bare cargo build --quiet --release -p check
    [ "$(bare target/release/ckzg kzg/trusted_setup.txt)" = "$(bare target/release/check kzg/trusted_setup.txt "$(expected_variant)" | cut -d ' ' -f 1)" ]
    # The library is not compiled again, as the features are the same.
    local chosen=()
    [ -z "${CURVES-}" ] || chosen=(--no-default-features --features "sumac-ark/v0_6 check/ckzg")
    bare cargo test --quiet --release --doc -p check -p sumac -p sumac-ark -p sumac-revm "${chosen[@]}"
    # docs.rs sets DOCS_RS.
    bare env DOCS_RS=1 RUSTDOCFLAGS=-Dwarnings cargo doc --quiet --no-deps "${crates[@]/#/-p}" --target-dir docs
    [ -z "$(find docs -name '*.o' -path '*sumac-sys*')" ] || { echo "rust: documentation compiles C" >&2; exit 1; }
    # A registry has no compiler that is as old as the crates allow. This lint knows in which version a function was added.
    DOCS_RS=1 CARGO_HOME=$work/home cargo clippy --quiet --offline -p sumac-sys -p sumac --target-dir docs -- -D clippy::incompatible_msrv
    check_time
}

if [ $check = yes ]; then
    check_crates
else
    make_crates
fi
