#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script compares the crate sumac-ark with arkworks' own sums. Then it runs hook.rs and the unchanged tests of ark-ec,
# ark-groth16 and two curves with the ark-ec that compat/arkworks/patch.py makes. Tests of the curves' fields are left out,
# because they do not call ark-ec.
#
# The crates come from crates.io. If the fourth argument is `times`, the script runs benches/times.rs of sumac-ark.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo cc python3

export SUMAC_LIB_DIR=$libraries LD_LIBRARY_PATH=$libraries CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0
# Lints only warn, because the crates deny warnings, and newer compilers have more of them.
export RUSTFLAGS='--cap-lints warn'
cd "$root/bindings/rust/sumac-ark"
fetch "$work/cargo.log" cargo fetch --locked
# sumac-ark's tests take longer to compile than to run, so that they are optimized little.
cargo test --release --quiet --locked --features v0_5 --config profile.release.package.sumac-ark.opt-level=1
echo "sumac-ark: OK"

# Copy a published crate to a folder, which becomes a member of the workspace around it.
member() { # name version
    cp -r "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$1-$2" "$1"
    rm -f "$1/Cargo.lock" "$1/Cargo.toml.orig"
    # Benchmarks are not published, and their dependencies take long to compile.
    sed -i '/^\[dev-dependencies.ark-algebra-bench-templates\]$/,/^$/d' "$1/Cargo.toml"
}

# Make a workspace of one version's crates, which all use the patched ark-ec, and of the tests in hook.rs.
make_workspace() { # version
    [ ! -e "$work/$1/fetched" ] || return 0
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1/hook/src"
    fetch_crates "$1" ark-bls12-381 ark-bn254 ark-groth16
    cd "$work/$1"
    "$root/compat/arkworks/patch.py" "$1" . >patch.toml
    # The published crate's manifest leaves out these dependencies of its tests.
    printf '\n[dev-dependencies.ark-test-curves]\nversion = "=%s"\nfeatures = ["bls12_381_curve"]\n' "$1" >>"ark-ec-$1/Cargo.toml"
    grep -q '^\[dev-dependencies.sha2\]' "ark-ec-$1/Cargo.toml" ||
        printf '\n[dev-dependencies.sha2]\nversion = "0.10"\ndefault-features = false\n' >>"ark-ec-$1/Cargo.toml"
    member ark-bls12-381 "$1"
    member ark-bn254 "$1"
    member ark-groth16 "$1"
    ln -s "$here/hook.rs" hook/src/lib.rs
    {
        printf '[package]\nname = "hook"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
        printf '%s = "='"$1"'"\n' ark-bls12-381 ark-bn254 ark-ec ark-ff
        printf 'ark-std = "%s"\n' "${1%.*}"
    } >hook/Cargo.toml
    {
        printf '[workspace]\nresolver = "2"\nmembers = ["ark-*", "hook"]\n'
        cat patch.toml
        # Other crates use the members, too, so that none is compiled twice.
        printf '%s = { path = "%s" }\n' ark-bls12-381{,} ark-bn254{,} ark-groth16{,}
        # These tests take longer to compile than to run.
        printf '[profile.release.package.%s]\nopt-level = 1\n' ark-groth16 hook
    } >Cargo.toml
    fetch "$work/cargo.log" cargo fetch
    touch fetched
}

# Run a program of tests, and set `calls` to the number of sums that the library was asked for.
run_tests() { # program [options]
    LD_PRELOAD=$work/count.so "$@" >"$work/test.log" 2>&1 || {
        tail -n 40 "$work/test.log" >&2
        exit 1
    }
    calls=$(sed -n 's/^calls of sumac_msm: //p' "$work/test.log")
}

expect_calls() { # number what
    [ "$calls" -eq "$1" ] || {
        echo "$2: the library was asked for $calls sums, and not for $1" >&2
        exit 1
    }
}

cc -O2 -shared -fPIC -I "$root/include" "$here/../count.c" -o "$work/count.so"
for version in 0.6.0 0.5.0; do
    make_workspace "$version"
    cd "$work/$version"
    build_tests cargo test --release --lib --features ark-ec/parallel
    for test in "${tests[@]}"; do
        name=${test##*/} name=${name%-*}
        cd "$work/$version/${name//_/-}"* # the tests look for their vectors in this folder
        if [ "$name" = hook ]; then
            run_tests "$test" taken
            expect_calls 38 "sums that are the library's"
            run_tests "$test" left
            expect_calls 0 "sums that are arkworks' own"
        else
            run_tests "$test" --skip fields::tests
        fi
        echo "$name $version: $(sed -n 's/^test result: ok\. \([0-9]* passed\).*/\1/p' "$work/test.log"), $calls sums: OK"
    done
done
[ "${4-}" != times ] || cargo bench --quiet --locked --manifest-path "$root/bindings/rust/sumac-ark/Cargo.toml"
