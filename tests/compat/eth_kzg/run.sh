#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# rust-eth-kzg's binding for Go and its test, as they are, with our header and libsumac_eth_kzg under the names of its own C
# library. (Its JNI source is Rust over Rust's types, without the C interface.)
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK [times]
#
# The binding comes from rust-eth-kzg's repository, of which ETH_KZG_CHECKOUT may name a copy; TEST-DATA is not used. With `times` its C
# library is built by cargo, and times.c runs over both. The exit status is 77, with a sentence, where go, a C compiler or the network is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/compat/common.sh
. "$here/../common.sh"
libraries=$(cd "$1" && pwd)
work=$(folder "$3")
header=$here/../../../compat/eth_kzg/eth_kzg.h
need go cc readelf rustc
fetch_eth_kzg "$work"

binding=$work/golang
built=$binding/build/$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$built"
cp "$checkout"/bindings/golang/* "$binding"
cp "$header" "$binding/build/c_eth_kzg.h"
echo "INPUT($libraries/libsumac_eth_kzg.so)" >"$built/libc_eth_kzg.a"
cd "$binding"
CGO_LDFLAGS="-Wl,-rpath,$libraries" GOFLAGS=-mod=mod go test -c -o "$work/go.test" .
expect_needs "$work/go.test" libsumac_eth_kzg
"$work/go.test" -test.v
echo "rust-eth-kzg/bindings/golang: OK"
[ "${4-}" = times ] || exit 0

need cargo
# Without the binding for Nim, which depends on what no registry has.
[ -e "$work/rust" ] || cp -r "$checkout" "$work/rust"
sed -i '/nim\/rust_code/d' "$work/rust/Cargo.toml"
(cd "$work/rust" && fetch "$work/cargo.log" cargo build --release -p c_eth_kzg)
compile=(cc -O2 -I "$(dirname "$header")" "$here/times.c")
"${compile[@]}" -o "$work/theirs" "$work/rust/target/release/libc_eth_kzg.a" -lm -lpthread -ldl
"${compile[@]}" -o "$work/ours" -L "$libraries" -lsumac_eth_kzg "-Wl,-rpath,$libraries"
for of in theirs ours; do
    echo "$of:"
    "$work/$of"
done
