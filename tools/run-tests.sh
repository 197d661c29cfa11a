#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Run the tests of a build, print why some were skipped, and end with the summary and status of ctest.
#
#   run-tests.sh BUILD-DIRECTORY [CTEST-OPTION...]
set -uo pipefail
build=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
ctest --test-dir "$build" --output-on-failure "$@" | tee "$output"
status=${PIPESTATUS[0]}

# The last line of a skipped test's output says why it was skipped. ctest lists these tests at the end of its output, and keeps
# their output in a log.
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
