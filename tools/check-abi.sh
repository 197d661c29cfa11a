#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compare the binary interface of a libsumac.so with an earlier one. The interface consists of the functions, and of the public
# structs that they use. It is compared with that of the last release. As there is no release yet, it is compared with the
# interface that was accepted last (libsumac.abi.xz). The build must have debug information (-DCMAKE_C_FLAGS=-g).
#
#   check-abi.sh [--accept] BUILD-DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."
accept=no
if [ "${1-}" = --accept ]; then
    accept=yes
    shift
fi
library=${1:?"usage: check-abi.sh [--accept] BUILD-DIRECTORY"}/libsumac.so
file=tools/libsumac.abi.xz
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

[[ $(readelf --section-headers "$library") == *' .debug_info '* ]] || { echo "$library: no debug information" >&2; exit 1; }
# This struct is suppressed, because otherwise it would count as public by the name of its header.
cat >"$directory/opaque" <<'END'
[suppress_type]
  name_regexp = ^(sumac_bases|bases_shard)$
  drop = yes
END
# The functions of experimental.h and plonk.h may change, so they are not compared.
experimental=$(grep -oE 'sumac_[a-z0-9_]+\(' <(grep -hA2 '^SUMAC_API' include/sumac/experimental.h include/sumac/plonk.h) | tr -d '(' | paste -sd '|')
cat >>"$directory/opaque" <<END
[suppress_function]
  name_regexp = ^($experimental)\$
[suppress_function]
  symbol_name_regexp = ^($experimental)\$
END
abidw --headers-dir include/sumac --drop-private-types --suppressions "$directory/opaque" --exported-interfaces-only \
    --no-show-locs --no-elf-needed --no-write-default-sizes --no-corpus-path --no-comp-dir-path --type-id-style hash \
    --out-file "$directory/libsumac.abi" "$library"
if [ $accept = yes ]; then
    xz --extreme --stdout "$directory/libsumac.abi" >"$file"
    exit 0
fi
xz --decompress --stdout "$file" >"$directory/accepted.abi"
abidiff --suppressions "$directory/opaque" "$directory/accepted.abi" "$directory/libsumac.abi" || {
    echo "The binary interface has changed: if that is meant, say so in CHANGELOG.md, and run tools/check-abi.sh --accept" >&2
    exit 1
}
echo "binary interface: OK"
