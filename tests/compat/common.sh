# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# The run.sh of these folders share the functions of this file. They are called with
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK
#
# where WORK is made if it is missing and keeps what is fetched. If a program, a header or the network is missing, a suite prints a
# sentence and ends with status 77.

# shellcheck disable=SC2034 # The scripts use what is set here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
libraries=$(cd "$1" && pwd)
data=$(cd "$2" && pwd)
mkdir -p "$3"
work=$(cd "$3" && pwd)

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

# Run a command that fetches, and write its output to LOG. If it fails, print the first line with an error.
fetch() { # log command...
    local log=$1
    shift
    "$@" >"$log" 2>&1 || skip "cannot fetch: $(grep -m 1 -i -E 'error|fatal|could not|dial' "$log" || tail -n 1 "$log")"
}

# Set `checkout` to the given copy of a public repository, or clone it.
fetch_checkout() { # name tag url copy
    checkout=$4
    if [ -z "$checkout" ]; then
        need git
        checkout=$work/$1
        if [ ! -e "$checkout.fetched" ]; then
            rm -rf "$checkout"
            fetch "$work/git.log" git clone --quiet --depth 1 --branch "$2" "$3" "$checkout"
            touch "$checkout.fetched"
        fi
    fi
    checkout=$(cd "$checkout" && pwd)
}

fetch_ckzg() {
    fetch_checkout c-kzg-4844 v2.1.8 https://github.com/ethereum/c-kzg-4844 "${CKZG_CHECKOUT-}"
}

fetch_eth_kzg() {
    fetch_checkout rust-eth-kzg v0.9.1 https://github.com/crate-crypto/rust-eth-kzg "${ETH_KZG_CHECKOUT-}"
}

# Let cargo fetch crates of one version into its registry.
fetch_crates() { # version name...
    rm -rf "$work/fetch"
    mkdir -p "$work/fetch/src"
    touch "$work/fetch/src/lib.rs"
    {
        printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
        printf '%s = "='"$1"'"\n' "${@:2}"
    } >"$work/fetch/Cargo.toml"
    (cd "$work/fetch" && fetch "$work/cargo.log" cargo fetch)
}

# Compile the tests of a crate, and set `tests` to the programs.
build_tests() { # cargo arguments...
    "$@" --no-run >"$work/build.log" 2>&1 || {
        tail -n 40 "$work/build.log" >&2
        exit 1
    }
    mapfile -t tests < <(sed -n 's/.*Executable unittests.*(\(.*\))/\1/p' "$work/build.log")
}

# Set `crate` to the folder of a fetched crate, two levels below WORK, because its tests of serde look for a link to src/ there.
fetch_crate() { # name version
    crate=$work/crates/$1
    [ ! -e "$crate/fetched" ] || return 0
    rm -rf "$crate"
    mkdir -p "$crate"
    fetch_crates "$2" "$1"
    cp -r "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$1-$2"/. "$crate"
    (cd "$crate" && fetch "$work/cargo.log" cargo fetch --locked)
    touch "$crate/fetched"
}

# Set `jdk` to the JDK that javac belongs to.
find_jdk() {
    jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    [ -e "$jdk/include/jni.h" ] || skip "the JDK has no jni.h"
}

# Compile a library of native methods, and link it to one of ours.
compile_jni() { # source headers library to
    mkdir -p "$(dirname "$4")"
    cc -O2 -shared -fPIC -I "$jdk/include" -I "$jdk/include/linux" -I "$2" "$1" -o "$4" -L "$libraries" "-l$3" "-Wl,-rpath,$libraries"
    expect_needs "$4" "lib$3"
}

run_maven() { # binding group artifact version goal...
    mvn -B -q -f "$here/../java/pom.xml" "-Dwork=$work" "-Dbinding=$1" "-Dgroup=$2" "-Dartifact=$3" "-Djar=$4" "${@:5}"
}

# Run a binding's suite with its jar, and with $work/resources before the jar in the class path.
run_java_suite() { # binding group artifact version
    fetch "$work/mvn.log" run_maven "$@" dependency:copy-dependencies
    rm -rf "$work/target/surefire-reports"
    run_maven "$@" test
    echo "$3: $(sed -n 's/^Tests run: \([0-9]*\), Failures: 0, Errors: 0, Skipped: 0.*/\1 tests/p' "$work"/target/surefire-reports/*.txt): OK"
}

# Set `headers` to the folder of node's headers.
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
