#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the unchanged tests of rapidsnark's bindings for Go and Rust. They use libsumac_rapidsnark instead of the
# library that comes with them.
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK [CHECKOUTS]
#
# The bindings are fetched into WORK at the commits below and stay there, unless CHECKOUTS has the folders go-rapidsnark and
# rust-rapidsnark. Their dependencies come from the Go proxy, crates.io and, for Rust's witnesses, GitHub. If neither binding can
# be tested, the suite is skipped.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
checkouts=${4:+$(cd "$4" && pwd)}
links=$libraries/sumac-rapidsnark
export LD_LIBRARY_PATH=$links
ran=0

# Set `checkout` to a binding's folder, and fetch it if necessary.
fetch_commit() { # name url commit
    checkout=${checkouts:-$work}/$1
    [ -z "$checkouts" ] || return 0
    if [ ! -e "$work/$1.fetched" ]; then
        rm -rf "$checkout"
        if ! git clone --quiet "$2" "$checkout" 2>"$work/$1.log" || ! git -C "$checkout" checkout --quiet "$3" 2>>"$work/$1.log"; then
            echo "$1: skipped: $(head -n 1 "$work/$1.log")"
            return 1
        fi
        touch "$work/$1.fetched"
    fi
}

has() { # name command...
    local name=$1 command
    shift
    for command; do
        command -v "$command" >/dev/null || { echo "$name: skipped: there is no $command"; return 1; }
    done
}

# go-rapidsnark's copy of the header is used, because it has unsigned long, and rapidsnark's header now has unsigned long long.
if has go-rapidsnark git go && fetch_commit go-rapidsnark https://github.com/iden3/go-rapidsnark 15cc9f587b90dc7d78c0fd8a1ffe24e021fd182a; then
    (
        cd "$checkout/tests"
        export CGO_CFLAGS=-DUSE_VENDORED_RAPIDSNARK CGO_LDFLAGS="-L$links"
        go test -tags dynamic -c -o "$work/go-rapidsnark.test" .
        expect_needs "$work/go-rapidsnark.test" libsumac_rapidsnark
        "$work/go-rapidsnark.test" -test.v
    )
    echo "go-rapidsnark: OK"
    ran=1
fi

# rust-rapidsnark also links archives of field arithmetic and libgmp, which are empty here.
if has rust-rapidsnark git cargo ar && fetch_commit rust-rapidsnark https://github.com/zkmopro/rust-rapidsnark fcf92e7454600109e4eab4a0c907e8d59649fd9c; then
    export RAPIDSNARK_LIB_DIR=$work/rust-libraries
    rm -rf "$RAPIDSNARK_LIB_DIR"
    mkdir "$RAPIDSNARK_LIB_DIR"
    ln -s "$links"/librapidsnark.* "$RAPIDSNARK_LIB_DIR"
    for name in fr fq gmp; do
        ar rc "$RAPIDSNARK_LIB_DIR/lib$name.a"
    done
    (
        cd "$checkout/tests"
        export CARGO_TARGET_DIR=$work/rust-target
        build_tests cargo test --release
        expect_needs "${tests[0]}" libsumac_rapidsnark
        "${tests[0]}"
    )
    echo "rust-rapidsnark: OK"
    ran=1
fi
[ $ran -eq 1 ] || exit 77
