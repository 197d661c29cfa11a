#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# rust-eth-kzg's tests of its jar for Java, as they are: compat/java-eth-kzg, compiled, lies before the jar in the class path, under
# the name of the library in the jar.
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK
#
# The jar and what the tests need come from Maven Central, the tests with their vectors from rust-eth-kzg's repository, of which
# ETH_KZG_CHECKOUT may name a copy; TEST-DATA is not used. The exit status is 77, with a sentence, where a JDK, mvn, a C compiler or the network
# is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/compat/common.sh
. "$here/../common.sh"
libraries=$(cd "$1" && pwd)
work=$(folder "$3")
need java javac mvn cc readelf
find_jdk

compile_jni "$here/../../../compat/java-eth-kzg/jni.c" "$here/../../../compat/eth_kzg" "$libraries" sumac_eth_kzg \
    "$work/resources/$(uname -m)-unknown-linux-gnu/libjava_eth_kzg.so"
fetch_eth_kzg "$work"
run_java_suite "$work" "$checkout/bindings/java/java_code" io.github.crate-crypto java-eth-kzg 0.10.0
