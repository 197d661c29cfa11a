#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the package with a library that is not installed, in the folder WORK. Runs its tests and the example of its README.
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK
#
# If node, its headers or a C compiler is missing, or the library lacks curves that the tests use, this prints a sentence, and
# the exit status is 77.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
libraries=$(cd "$1" && pwd)
data=$(cd "$2" && pwd)
package=$3/node_modules/sumac-msm

# shellcheck source=tests/compat/common.sh
. "$root/tests/compat/common.sh"
need node cc make python3
[ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] || skip "node $(node --version) is older than 20"
find_node_headers

rm -rf "$package"
mkdir -p "$package"
cp -r "$here"/../{package.json,index.js,index.d.ts,native.js,Makefile,find-library.sh,src} "$package"
python3 -B "$root/tools/gen_bindings.py" node "$package"
make -s -C "$package" CFLAGS="-O2 -Wall -Wextra -Wconversion -Werror" NODE_HEADERS="${headers:?}" SUMAC_CFLAGS="-I$(cd "$root/include" && pwd)" \
    SUMAC_LIBS="-L$libraries -lsumac -Wl,-rpath,$libraries"
NODE_PATH=$(cd "$3/node_modules" && pwd)
export NODE_PATH SUMAC_TEST_DATA="$data"

# shellcheck disable=SC2016 # JavaScript's own
node -e 'const { curves } = require("sumac-msm"); const there = curves().map((c) => `${c.name} ${c.group}`);
    process.exit(["bn254 g1", "bn254 g2", "bls12-381 g1", "bls12-381 g2"].every((c) => there.includes(c)) ? 0 : 1)' ||
    skip "the library has not both groups of bn254 and bls12-381"
for tests in "$here"/*.test.js; do
    node --expose-gc --test-reporter=spec "$tests"
done
python3 -B "$root/tools/fuzz_calls.py" node "$data" "$3/fuzz" "${SUMAC_FUZZ_CALLS-1500}" "${SUMAC_FUZZ_SEED-1}"
node --expose-gc "$here/fuzz.js" "$3/fuzz"
