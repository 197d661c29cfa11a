#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs rust-eth-kzg's unchanged tests of its Java jar. compat/java-eth-kzg is compiled and placed before the jar in
# the class path, under the name of the library in the jar. The jar and the tests' dependencies come from Maven Central. The
# tests and their vectors come from rust-eth-kzg's repository, of which ETH_KZG_CHECKOUT may name a copy.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need java javac mvn cc readelf
find_jdk

compile_jni "$root/compat/java-eth-kzg/jni.c" "$root/compat/eth_kzg" sumac_eth_kzg \
    "$work/resources/$(uname -m)-unknown-linux-gnu/libjava_eth_kzg.so"
fetch_eth_kzg
run_java_suite "$checkout/bindings/java/java_code" io.github.crate-crypto java-eth-kzg 0.10.0
