#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script tests libsumac_icicle_gnark, for which the library is built with -DSUMAC_ICICLE_GNARK=ON: gnark 0.16.2's own tests with
# the tag icicle, icicle-gnark 3.2.2's own tests, and tests of ours that compare with gnark-crypto. It is not part of `make test`,
# because it needs Go and its proxy, from which both come.
#
#   run.sh LIBRARY-FOLDER [gnark|icicle|ours]...
set -eu
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed 1d; exit 2; }
library=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
links=$library/sumac-icicle-gnark
export CGO_LDFLAGS="-L$links -Wl,-rpath,$links -Wl,-rpath-link,$library" LD_LIBRARY_PATH="$library"
cd "$folder"
cat >go.mod <<END
module icicle_gnark

go 1.25.7

require (
	github.com/consensys/gnark v0.16.2
	github.com/consensys/gnark-crypto v0.21.0
	github.com/ingonyama-zk/icicle-gnark/v3 v3.2.2
)
END
cp "$here/gnark_test.go" .
go mod tidy
[ $# -gt 0 ] || set -- gnark icicle ours
for suite in "$@"; do
    case $suite in
    gnark) cp -r "$(go list -m -f '{{.Dir}}' github.com/consensys/gnark)" gnark
        chmod -R u+w gnark
        (cd gnark && go test -tags icicle -count=1 -v ./backend/accelerated/icicle/... ./examples/accelerated_gpu/...) ;;
    icicle) cp -r "$(go list -m -f '{{.Dir}}' github.com/ingonyama-zk/icicle-gnark/v3)" icicle
        chmod -R u+w icicle
        (cd icicle/wrappers/golang && go test -p 1 -count=1 ./runtime/... ./core/... ./curves/...) ;;
    *) go test -tags icicle -count=1 -timeout 40m -v . ;;
    esac
done
