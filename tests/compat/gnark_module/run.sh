#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script tests bindings/go/gnarkcrypto, and bindings/go/gnark: gnark compiles circuits, makes keys and solves witnesses, sumac
# proves, and both verify. It also times both provers on 2^LOG2 constraints. It is not part of `make test`, because it needs Go and
# its proxy, from which gnark comes.
#
#   [LOG2=15] run.sh LIBRARY-FOLDER
set -eu
[ $# -eq 1 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed 1d; exit 2; }
library=$(cd "$1" && pwd)
cd "$(dirname "$0")/../../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/sumac.pc" <<END
Name: sumac
Description: the library of a build
Version: 0.9.0
Cflags: -I$PWD/include
Libs: -L$library -lsumac -Wl,-rpath,$library
END
export PKG_CONFIG_PATH="$folder" GOFLAGS=-tags=sumac_system CGO_LDFLAGS="-L$library -Wl,-rpath,$library"
(cd bindings/go/gnarkcrypto && go test -race -count=1 -v ./...)
cd bindings/go/gnark
SUMAC_GNARK_LOG2=${LOG2:-15} go test -count=1 -timeout 60m -v ./...
