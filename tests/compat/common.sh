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

# A crate as a folder of its own, in `crate`, two folders below a link to its src/, where its tests of serde look for it.
fetch_crate() { # work name version
    crate=$1/crates/$2
    [ ! -e "$crate/fetched" ] || return 0
    rm -rf "$crate" "$1/fetch"
    mkdir -p "$crate" "$1/fetch/src"
    touch "$1/fetch/src/lib.rs"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' "$2" "$3" >"$1/fetch/Cargo.toml"
    (cd "$1/fetch" && fetch "$1/cargo.log" cargo fetch)
    cp -r "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$2-$3"/. "$crate"
    (cd "$crate" && fetch "$1/cargo.log" cargo fetch --locked)
    touch "$crate/fetched"
}

# The JDK that javac belongs to, in `jdk`.
find_jdk() {
    jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    [ -e "$jdk/include/jni.h" ] || skip "the JDK has no jni.h"
}

# A library of native methods over one of ours.
compile_jni() { # source headers libraries library to
    mkdir -p "$(dirname "$5")"
    cc -O2 -shared -fPIC -I "$jdk/include" -I "$jdk/include/linux" -I "$2" "$1" -o "$5" -L "$3" "-l$4" "-Wl,-rpath,$3"
    expect_needs "$5" "lib$4"
}

run_maven() { # work binding group artifact version goal...
    mvn -B -q -f "$(dirname "${BASH_SOURCE[0]}")/java/pom.xml" "-Dwork=$1" "-Dbinding=$2" "-Dgroup=$3" "-Dartifact=$4" "-Djar=$5" "${@:6}"
}

# The suite of a binding over the jar, with $work/resources before it in the class path.
run_java_suite() { # work binding group artifact version
    fetch "$1/mvn.log" run_maven "$@" dependency:copy-dependencies
    rm -rf "$1/target/surefire-reports"
    run_maven "$@" test
    echo "$4: $(sed -n 's/^Tests run: \([0-9]*\), Failures: 0, Errors: 0, Skipped: 0.*/\1 tests/p' "$1"/target/surefire-reports/*.txt): OK"
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
