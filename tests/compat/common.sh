# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# What the run.sh of this folder share. A suite that cannot be run here ends with 77 and a sentence.

skip() {
    echo "skipped: $1"
    exit 77
}

need() { # command...
    local command
    for command; do
        command -v "$command" >/dev/null || skip "there is no $command"
    done
}

# A folder that is made if it is not there, as an absolute path.
folder() {
    mkdir -p "$1"
    cd "$1" && pwd
}

# Run a command that fetches; what it prints goes to LOG, of which a failure shows the first line with an error.
fetch() { # log command...
    local log=$1
    shift
    "$@" >"$log" 2>&1 || skip "cannot fetch: $(grep -m 1 -i -E 'error|fatal|could not|dial' "$log" || tail -n 1 "$log")"
}

# The sources of c-kzg-4844 in `checkout`: a folder that is given, or a clone at the version that the drop-in stands for.
fetch_ckzg() { # work checkout
    checkout=$2
    if [ -z "$checkout" ]; then
        need git
        checkout=$1/c-kzg-4844
        [ -e "$checkout.fetched" ] || rm -rf "$checkout"
        [ -e "$checkout" ] || fetch "$1/git.log" git clone --quiet --depth 1 --branch v2.1.8 https://github.com/ethereum/c-kzg-4844 "$checkout"
        touch "$checkout.fetched"
    fi
    checkout=$(cd "$checkout" && pwd)
}

expect_needs() { # file library
    readelf --dynamic "$1" | grep -q "NEEDED.*\[$2\.so" || {
        echo "$1 does not need $2.so" >&2
        exit 1
    }
}
