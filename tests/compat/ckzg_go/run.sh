#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The tests of c-kzg-4844's module for Go, as they are, with libsumac_ckzg in place of its C sources: two of cgo's variables
# switch, and nothing of the module is changed.
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK [times]
#
# The module comes from the Go proxy, with its vectors; TEST-DATA is not used. With `times` times.go runs over both. The exit status is 77, with a
# sentence, where go, a C compiler or the network is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/compat/common.sh
. "$here/../common.sh"
libraries=$(cd "$1" && pwd)
work=$(folder "$3")
need go cc readelf

export GOFLAGS=-mod=mod GOTOOLCHAIN=local
cd "$work"
fetch go.log go mod download -json github.com/ethereum/c-kzg-4844/v2@v2.1.8
module=$(sed -n 's/.*"Dir": "\(.*\)".*/\1/p' go.log)
cd "$module/bindings/go"
fetch "$work/go.log" go mod download

export CGO_ENABLED=1
with_ours() {
    CGO_CFLAGS="-O2 -I$here/../../../compat/ckzg/go -I$here/../../../compat/ckzg" \
        CGO_LDFLAGS="-L$libraries -lsumac_ckzg -Wl,-rpath,$libraries" "$@"
}
with_ours go test -c -o "$work/ours.test" .
expect_needs "$work/ours.test" libsumac_ckzg
"$work/ours.test" -test.v >"$work/ours.log" || {
    grep -A 10 -e '--- FAIL' "$work/ours.log" >&2
    exit 1
}
echo "c-kzg-4844/bindings/go: $(grep -c '^--- PASS' "$work/ours.log") tests and $(grep -c '^    --- PASS' "$work/ours.log") in them: OK"
[ "${4-}" = times ] || exit 0

mkdir -p "$work/times"
cd "$work/times"
cp "$here/times.go" main.go
printf 'module times\n\ngo 1.22\n\nrequire github.com/ethereum/c-kzg-4844/v2 v2.1.8\n' >go.mod
cp "$module/go.sum" .
go mod tidy 2>"$work/go.log"
CGO_CFLAGS=-O2 go build -o theirs .
with_ours go build -o ours .
for of in theirs ours; do
    echo "$of:"
    "./$of" "$module/src/trusted_setup.txt"
done
