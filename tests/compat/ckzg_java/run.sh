#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the unchanged tests of jc-kzg-4844 with Maven's jar. Its JNI source is compiled with our header, linked to
# libsumac_ckzg, and placed before the jar in the class path, under the name of the library in the jar. The jar and the tests'
# dependencies come from Maven Central. The JNI source and the tests come from c-kzg-4844's repository, of which CKZG_CHECKOUT
# may name a copy.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need java javac mvn cc readelf
find_jdk
fetch_ckzg

architecture=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/.*os\.arch = //p')
compile_jni "$checkout/bindings/java/ckzg_jni.c" "$root/compat/ckzg" sumac_ckzg \
    "$work/resources/ethereum/ckzg4844/lib/$architecture/libckzg4844jni.so"
run_java_suite "$checkout/bindings/java" io.consensys.protocols jc-kzg-4844 2.1.8
