#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the unchanged tests of c-kzg-4844's Go module on libsumac_ckzg instead of its C sources. Two environment
# variables of cgo make the difference. The module comes from the Go proxy, with its vectors.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need go cc readelf

export GOFLAGS=-mod=mod GOTOOLCHAIN=local
cd "$work"
fetch go.log go mod download -json github.com/ethereum/c-kzg-4844/v2@v2.1.8
module=$(sed -n 's/.*"Dir": "\(.*\)".*/\1/p' go.log)
cd "$module/bindings/go"
fetch "$work/go.log" go mod download

export CGO_ENABLED=1 CGO_CFLAGS="-O2 -I$root/compat/ckzg/go -I$root/compat/ckzg"
CGO_LDFLAGS="-L$libraries -lsumac_ckzg -Wl,-rpath,$libraries" go test -c -o "$work/ours.test" .
expect_needs "$work/ours.test" libsumac_ckzg
"$work/ours.test" -test.v >"$work/ours.log" || {
    grep -A 10 -e '--- FAIL' "$work/ours.log" >&2
    exit 1
}
echo "c-kzg-4844/bindings/go: $(grep -c '^--- PASS' "$work/ours.log") tests and $(grep -c '^    --- PASS' "$work/ours.log") in them: OK"
