# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# What the run.sh of this folder share. A suite that cannot be run here ends with 77 and a sentence.

# shellcheck disable=SC2034 # what functions set

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

# A public repository in `checkout`: the copy that is given, or a clone.
fetch_checkout() { # work name tag url copy
    checkout=$5
    if [ -z "$checkout" ]; then
        need git
        checkout=$1/$2
        if [ ! -e "$checkout.fetched" ]; then
            rm -rf "$checkout"
            fetch "$1/git.log" git clone --quiet --depth 1 --branch "$3" "$4" "$checkout"
            touch "$checkout.fetched"
        fi
    fi
    checkout=$(cd "$checkout" && pwd)
}

fetch_ckzg() { # work
    fetch_checkout "$1" c-kzg-4844 v2.1.8 https://github.com/ethereum/c-kzg-4844 "${CKZG_CHECKOUT-}"
}

fetch_eth_kzg() { # work
    fetch_checkout "$1" rust-eth-kzg v0.9.1 https://github.com/crate-crypto/rust-eth-kzg "${ETH_KZG_CHECKOUT-}"
}

# The headers of node in `headers`.
find_node_headers() {
    local folder
    headers=
    for folder in "$(node -p 'require("path").resolve(process.execPath, "../../include/node")')" /usr/include/node /usr/include/nodejs/src; do
        [ -n "$headers" ] || [ ! -e "$folder/node_api.h" ] || headers=$folder
    done
    [ -n "$headers" ] || skip "node's headers are not installed (tools/install-deps.sh node)"
}

expect_needs() { # file library
    readelf --dynamic "$1" | grep -q "NEEDED.*\[$2\.so" || {
        echo "$1 does not need $2.so" >&2
        exit 1
    }
}
