#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This runs the tests of rust-eth-kzg's Go binding, unchanged, on libsumac_eth_kzg. For this our header and library get the
# names of rust-eth-kzg's C library. ETH_KZG_CHECKOUT may name a local copy of rust-eth-kzg's repository. The JNI binding can't
# be tested like this, because it calls Rust functions and not the C interface.
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
