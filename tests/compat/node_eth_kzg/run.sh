#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script compiles compat/node-eth-kzg with libsumac_eth_kzg, and runs test.js and node-eth-kzg's own unchanged suite. The
# dependencies come from npm. The suite and its vectors come from rust-eth-kzg's repository, of which ETH_KZG_CHECKOUT may name
# a copy. If neither the repository nor a copy can be had, the suite is left out. If the fourth argument is `times`,
# ckzg/times.js times our package and npm's.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need node npm cc readelf
find_node_headers

# The suite looks for the package in this folder, which is next to its tests.
package=$work/suite/bindings/node
addon=$package/build/Release/eth_kzg.node
mkdir -p "$(dirname "$addon")"
cp "$root"/compat/node-eth-kzg/{package.json,index.js,index.d.ts} "$package"
cc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -I "$headers" -I "$root/compat/eth_kzg" \
    "$root/compat/node-eth-kzg/addon.c" -o "$addon" -L "$libraries" -lsumac_eth_kzg "-Wl,-rpath,$libraries"
expect_needs "$addon" libsumac_eth_kzg

install() { # packages...
    (cd "$package" && fetch "$work/npm.log" npm install --no-save --ignore-scripts --no-audit --no-fund "$@")
}
install js-yaml@4.3.2
node --expose-gc "$here/test.js" "$package" "$data/tests"

without=$(fetch_eth_kzg) || {
    echo "node-eth-kzg's suite: $without"
    exit 0
}
fetch_eth_kzg
install js-yaml@4.3.2 jest@29.7.0 ts-jest@29.4.15 ts-node@10.9.2 typescript@5.9.3 glob@9.3.5 @types/jest@29.5.14 @types/node@20.19.43
cp -r "$checkout"/bindings/node/{__test__,jest.config.ts,tsconfig.json} "$package"
ln -sfn "$checkout/test_vectors" "$work/suite/test_vectors"
(cd "$package" && npx --no-install jest)
echo "node-eth-kzg: OK"
[ "${4-}" = times ] || exit 0

mkdir -p "$work/theirs"
(cd "$work/theirs" && fetch "$work/npm.log" npm install --no-save --no-audit --no-fund @crate-crypto/node-eth-kzg@0.10.0)
echo "theirs:"
node "$here/../ckzg/times.js" "$work/theirs/node_modules/@crate-crypto/node-eth-kzg" ""
echo "ours:"
node "$here/../ckzg/times.js" "$package" ""
