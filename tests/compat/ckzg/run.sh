#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs run.js with c-kzg-4844's own binding for node, from npm's package. The binding uses libsumac_ckzg instead of
# its C sources. The binding is compiled unchanged, with its own headers and also with ours, and linked to our library. The
# package is fetched into WORK (package-lock.json has its version and hashes) and stays there.
#
# If there is a fourth argument, ROUNDS, the package's own C sources are compiled, too. Then differential.js makes so many
# rounds of random calls to both, and times.js times four calls.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need node npm c++ readelf
find_node_headers

cd "$work"
if ! cmp -s "$here/package-lock.json" package-lock.json || [ ! -e fetched ]; then
    rm -rf fetched node_modules
    cp "$here/package.json" "$here/package-lock.json" .
    fetch npm.log npm ci --ignore-scripts --no-audit --no-fund
    touch fetched
fi

package=$work/node_modules/c-kzg
compile=(c++ -std=c++17 -O1 -fPIC -DNAPI_CPP_EXCEPTIONS -D__BLST_PORTABLE__ -I "$headers"
    -I "$work/node_modules/node-addon-api" -I "$package/deps/blst/bindings")
"${compile[@]}" -I "$root/compat/ckzg" -fsyntax-only "$package/src/kzg.cxx"
echo "the binding compiles against our header: OK"

mkdir -p "$package/build/Release"
addon=$package/build/Release/kzg.node
"${compile[@]}" -I "$package/deps/c-kzg" -shared "$package/src/kzg.cxx" -o "$addon" \
    -L "$libraries" -lsumac_ckzg "-Wl,-rpath,$libraries"
expect_needs "$addon" libsumac_ckzg
node "$here/run.js" "$data/tests" "$work/node_modules" "$data/kzg/trusted_setup.txt"
[ -n "${4-}" ] || exit 0

blst=$package/deps/blst
peer=$work/peer.node
cc -O2 -fPIC -D__BLST_PORTABLE__ -I "$blst/bindings" -I "$package/deps/c-kzg" -c "$package/deps/c-kzg/ckzg.c" -o "$work/ckzg.o"
cc -O2 -fPIC -D__BLST_PORTABLE__ -c "$blst/src/server.c" -o "$work/server.o"
cc -fPIC -D__BLST_PORTABLE__ -c "$blst/build/assembly.S" -o "$work/assembly.o"
"${compile[@]}" -I "$package/deps/c-kzg" -shared "$package/src/kzg.cxx" "$work"/{ckzg,server,assembly}.o -o "$peer" \
    "-Wl,-Bsymbolic"
node "$here/differential.js" "$addon" "$peer" "$data/kzg/trusted_setup.txt" "$4"
for of in "$peer" "$addon"; do
    echo "$of:"
    node "$here/times.js" "$of" "$data/kzg/trusted_setup.txt"
done
