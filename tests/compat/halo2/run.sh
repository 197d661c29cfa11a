#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script compares the crate sumac-halo2 with the operators of halo2's crates. Then it runs the unchanged tests of the crates
# that compat/halo2/patch.py patches and of midnight-proofs, and examples that prove and verify a circuit. Their transforms and
# sums are counted, so that a crate that computes everything itself is noticed.
#
# The crates come from crates.io. A fourth argument names the crates whose tests are run, as `midnight-curves midnight-proofs`;
# `halo2curves-0.9.0`, `-0.8.0` and `-0.7.0` are earlier versions, `sumac-halo2` is the comparison, and `times` measures. By default
# all tests are run.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo cc python3

wanted=${4-sumac-halo2 halo2curves midnight-curves midnight-proofs halo2-axiom halo2curves-axiom halo2_proofs}
export SUMAC_LIB_DIR=$libraries LD_LIBRARY_PATH=$libraries CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0

wants() { # name
    [[ " $wanted " == *" $1 "* ]]
}

cc -O2 -shared -fPIC -I "$root/include" "$here/../count.c" -o "$work/count.so"
cd "$root/bindings/rust/sumac-halo2"
fetch "$work/cargo.log" cargo fetch --locked
if wants sumac-halo2; then
    # The tests take longer to compile than to run, so that they are optimized little.
    cargo test --release --quiet --locked --no-default-features --config profile.release.package.sumac-halo2.opt-level=1
    echo "sumac-halo2: OK"
fi
if wants times; then
    cargo bench --quiet --locked --no-default-features
fi

# Make a workspace in which all crates use the patched ones.
crates=(halo2curves=0.10.0 halo2curves-axiom=0.7.3 halo2-axiom=0.5.3 midnight-curves=0.3.1 halo2_proofs=0.3.5)
rm -rf "$work/crates"
mkdir "$work/crates"
cd "$work/crates"
"$root/compat/halo2/patch.py" . "${crates[@]}" >patch.toml
fetch_crates 0.8.3 midnight-proofs
rm -rf midnight-proofs-0.8.3
cp -r "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/midnight-proofs-0.8.3 .

# Benchmarks are not run, and what they depend on takes long to compile. Pictures are of a feature that is not tested.
leave_out() { # crate-folder...
    local crate
    for crate; do
        rm -f "$crate/Cargo.lock" "$crate/Cargo.toml.orig"
        sed -i '/^\[dev-dependencies.\(criterion\|image\)\]$/,/^$/d' "$crate/Cargo.toml"
    done
}

leave_out ./*-*/
{
    printf '[workspace]\nresolver = "2"\nmembers = ["*-*"]\n'
    cat patch.toml
    # These crates take longer to compile than their tests to run.
    printf '[profile.release.package.%s]\nopt-level = 1\n' halo2-axiom midnight-curves midnight-proofs halo2_proofs
} >Cargo.toml
fetch "$work/cargo.log" cargo fetch

# Run a program in the crate's folder, and print how many sums and transforms the library was asked for.
run() { # crate program
    (cd "$folder" && LD_PRELOAD=$work/count.so "$2") >"$work/test.log" 2>&1 || {
        tail -n 40 "$work/test.log" >&2
        exit 1
    }
    sums=$(sed -n 's/^calls of sumac_msm: //p' "$work/test.log")
    transforms=$(sed -n 's/^calls of sumac_vector_ntt: //p' "$work/test.log")
    passed=$(sed -n 's/^test result: ok\. \([0-9]* passed\).*/\1/p' "$work/test.log")
    echo "$1: $(basename "$2" | sed 's/-[0-9a-f]*$//') ${passed:+$passed, }$sums sums, $transforms transforms: OK"
    asked=$((asked + sums + transforms))
}

# Build the programs of tests of a crate in the workspace, and the example if there is one, and run them.
suite() { # crate features [example]
    wants "$1" || return 0
    folder=$(cd "$work/crates/$1"-[0-9]* && pwd)
    run_tests "$@"
}

run_tests() { # crate features [example]
    asked=0
    cargo test --release --package "$1" --features "$2" --lib --tests --no-run >"$work/build.log" 2>&1 || {
        tail -n 40 "$work/build.log" >&2
        exit 1
    }
    local test
    while read -r test; do
        run "$1" "$test"
    done < <(sed -n 's/.*Executable \(unittests src\|tests\)\/.*(\(.*\))/\2/p' "$work/build.log")
    [ -z "${3-}" ] || {
        cargo build --release --package "$1" --features "$2" --example "$3" >"$work/build.log" 2>&1
        run "$1" "$CARGO_TARGET_DIR/release/examples/$3"
    }
    [ "$asked" -gt 0 ] || {
        echo "$1: the library was not asked for anything" >&2
        exit 1
    }
}

suite halo2curves std
suite midnight-curves dev-curves
suite midnight-proofs '' vector-ops-unblinded
suite halo2-axiom '' shuffle
suite halo2curves-axiom ''
suite halo2_proofs ''

# A workspace has only one version of a crate. The earlier ones are tested by themselves.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1
# They name a version of the compiler, which need not be installed.
command -v rustup >/dev/null && export RUSTUP_TOOLCHAIN="${RUSTUP_TOOLCHAIN-$(rustup show active-toolchain | cut -d ' ' -f 1)}"
for version in 0.9.0 0.8.0 0.7.0; do
    wants halo2curves || wants "halo2curves-$version" || continue
    mkdir -p "$work/earlier"
    "$root/compat/halo2/patch.py" "$work/earlier" "halo2curves=$version" >/dev/null
    folder=$work/earlier/halo2curves-$version
    leave_out "$folder"
    printf '[workspace]\n' >>"$folder/Cargo.toml"
    cd "$folder"
    fetch "$work/cargo.log" cargo fetch
    # From 0.9 on the test of sums needs the feature std.
    run_tests halo2curves "$([ "$version" != 0.9.0 ] || echo std)"
done
