#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs a build's tests, prints why some were skipped, and ends with ctest's summary and status.
#
#   run-tests.sh BUILD-DIRECTORY [CTEST-OPTION...]
set -uo pipefail
build=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
ctest --test-dir "$build" --output-on-failure "$@" | tee "$output"
status=${PIPESTATUS[0]}

# The last line of a skipped test's output says why it was skipped. ctest lists these tests at its end, and keeps their output.
skipped=$(awk '
    NR == FNR { if (/\(Skipped\)$/) skipped[$3]; next }
    /^[0-9]+\/[0-9]+ Testing: / { name = $3; reason = "" }
    /^<end of output>/ && name in skipped { print "  " name ": " reason }
    /[a-z]/ { reason = $0 }' "$output" "$build/Testing/Temporary/LastTest.log")
if [ -n "$skipped" ]; then
    printf '\nSkipped, and why:\n%s\n\n' "$skipped"
    sed -n '/tests passed, /,$p' "$output"
fi
exit "$status"
