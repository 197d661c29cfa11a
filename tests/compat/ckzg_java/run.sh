#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The tests of jc-kzg-4844 with the jar of Maven, as they are: its JNI source, compiled with our header and linked to
# libsumac_ckzg, lies before the jar in the class path, under the name of the library in the jar.
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK [times]
#
# The jar and what the tests need come from Maven Central, the JNI source and the tests from c-kzg-4844's repository, of which
# CKZG_CHECKOUT may name a copy; TEST-DATA is not used. With `times` Times.java runs over both. The exit status is 77, with a sentence,
# where a JDK, mvn, a C compiler or the network is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/compat/common.sh
. "$here/../common.sh"
libraries=$(cd "$1" && pwd)
work=$(folder "$3")
need java javac mvn cc readelf
find_jdk
fetch_ckzg "$work"

architecture=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/.*os\.arch = //p')
compile_jni "$checkout/bindings/java/ckzg_jni.c" "$here/../../../compat/ckzg" "$libraries" sumac_ckzg \
    "$work/resources/ethereum/ckzg4844/lib/$architecture/libckzg4844jni.so"
run_java_suite "$work" "$checkout/bindings/java" io.consensys.protocols jc-kzg-4844 2.1.8
[ "${4-}" = times ] || exit 0

jar=$work/target/dependency/jc-kzg-4844-2.1.8.jar
for of in theirs ours; do
    echo "$of:"
    [ $of = theirs ] || jar=$work/resources:$jar
    java -cp "$jar" "$here/Times.java" "$checkout/src/trusted_setup.txt"
done
