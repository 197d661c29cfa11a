#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# rust-eth-kzg's binding for Go and its test, as they are, with our header and libsumac_eth_kzg under the names of its own C
# library. (Its JNI source is Rust over Rust's types, without the C interface.)
# The binding comes from rust-eth-kzg's repository, of which ETH_KZG_CHECKOUT may name a copy.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need go cc readelf rustc
fetch_eth_kzg

binding=$work/golang
built=$binding/build/$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$built"
cp "$checkout"/bindings/golang/* "$binding"
cp "$root/compat/eth_kzg/eth_kzg.h" "$binding/build/c_eth_kzg.h"
echo "INPUT($libraries/libsumac_eth_kzg.so)" >"$built/libc_eth_kzg.a"
cd "$binding"
CGO_LDFLAGS="-Wl,-rpath,$libraries" GOFLAGS=-mod=mod go test -c -o "$work/go.test" .
expect_needs "$work/go.test" libsumac_eth_kzg
"$work/go.test" -test.v
echo "rust-eth-kzg/bindings/golang: OK"
