#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Vet the Go module and test it under the race detector, with a library that is not installed. Without Go this exits with 77.
#
#   run-tests.sh LIBRARY-FOLDER DATA-FOLDER [go test options]
set -eu
[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed 1d; exit 2; }
library=$1 data=$2
shift 2
command -v go >/dev/null || { echo "not tested: there is no go"; exit 77; }
cd "$(dirname "$0")"
version=$(GOTOOLCHAIN=local go version | sed 's/.*go1\.\([0-9]*\).*/\1/')
[ "$version" -ge 24 ] || { echo "not tested: go 1.$version is older than 1.24"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/sumac.pc" <<END
Name: sumac
Description: the library of a build
Version: 0.9.0
Cflags: -I$(cd ../.. && pwd)/include
Libs: -L$library -lsumac -Wl,-rpath,$library
END
PKG_CONFIG_PATH=$folder SUMAC_TEST_DATA=$data GOFLAGS='-mod=mod -tags=sumac_system' GOPROXY=off GOTOOLCHAIN=local
export PKG_CONFIG_PATH SUMAC_TEST_DATA GOFLAGS GOPROXY GOTOOLCHAIN
[ -z "$(gofmt -l .)" ] || { echo "gofmt would change: $(gofmt -l .)"; exit 1; }
go vet ./...
go test -race "$@" ./...
