#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs gnark 0.16.2's own tests of Groth16 and PLONK with proofs of sumac. In a copy of gnark, each curve's Prove gets some
# lines, by which it calls the package hook; the tests themselves are not changed. With gnark's tag prover_checks they prove. One test of
# PLONK is left out, because it fails with gnark alone. Proofs for which a test has its own hashes are left to gnark. The script is not
# part of `make test`, because it needs Go and its proxy, from which gnark comes.
#
#   run.sh LIBRARY-FOLDER [PACKAGE]...
set -eu
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed 1d; exit 2; }
library=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cat >"$folder/sumac.pc" <<END
Name: sumac
Description: the library of a build
Version: 0.9.0
Cflags: -I$root/include
Libs: -L$library -lsumac -Wl,-rpath,$library
END
cd "$root/bindings/go/gnark"
go mod download github.com/consensys/gnark
cp -r "$(go list -m -f '{{.Dir}}' github.com/consensys/gnark)" "$folder/gnark"
chmod -R u+w "$folder/gnark"
cd "$folder/gnark"
mkdir sumac_hook
cp "$here/hook.go" sumac_hook
python3 - backend/groth16/*/prove.go backend/plonk/b*/prove.go <<'END'
import re, sys
for path in sys.argv[1:]:
    text = open(path).read()
    found = re.search(r"^func Prove\((r1cs|spr) .*\{\n", text, re.MULTILINE)
    head, system = found.group(0, 1)
    call = "\tif Attached != nil {\n\t\tif proof, err, done := Attached(%s, pk, fullWitness, opts); done {\n" % system
    call += "\t\t\tours, _ := proof.(*Proof)\n\t\t\treturn ours, err\n\t\t}\n\t}\n"
    text = text.replace(head, head + call)
    text += "\nvar Attached func(system, pk any, full witness.Witness, options []backend.ProverOption) (any, error, bool)\n"
    open(path, "w").write(text)
END
[ $# -gt 0 ] || set -- ./backend/groth16 ./backend/groth16/bn254 ./backend/groth16/bls12-381 ./backend/groth16/bls12-377 \
    ./backend/groth16/bw6-761 ./backend/plonk ./test ./std/multicommit ./std/lookup/logderivlookup ./internal/regression_tests/...
for package in "$@"; do
    for tested in ${package%/...}/ $(case $package in */...) find "${package%...}" -mindepth 1 -type d ;; esac); do
        name=$(sed -n 's/^package //p' "$tested"/*_test.go 2>/dev/null | sed 's/_test$//;q')
        [ -z "$name" ] || printf 'package %s_test\n\nimport _ "github.com/consensys/gnark/sumac_hook"\n' "$name" >"$tested/sumac_hook_test.go"
    done
done
go mod edit -require github.com/sumac-msm/sumac/bindings/go@v0.0.0 -replace "github.com/sumac-msm/sumac/bindings/go=$root/bindings/go" \
    -require github.com/sumac-msm/sumac/bindings/go/gnark@v0.0.0 -replace "github.com/sumac-msm/sumac/bindings/go/gnark=$root/bindings/go/gnark"
mkdir "$folder/counts"
status=0
PKG_CONFIG_PATH=$folder SUMAC_HOOK_COUNTS=$folder/counts CGO_LDFLAGS="-L$library -Wl,-rpath,$library" GOFLAGS='-mod=mod -tags=sumac_system,prover_checks' \
    go test -count=1 -timeout 60m -skip 'TestNoCommitVariable/bn254/plonk' "$@" || status=$?
cat "$folder"/counts/* | awk '{ ours += $1; theirs += $2 } END { print ours + 0, "proofs of sumac,", theirs + 0, "left to gnark" }'
exit "$status"
