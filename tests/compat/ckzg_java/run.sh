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
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
[ -e "$jdk/include/jni.h" ] || skip "the JDK has no jni.h"
fetch_ckzg "$work"

run_maven() {
    mvn -B -q -f "$here/pom.xml" "-Dwork=$work" "-Dcheckout=$checkout" "$@"
}
fetch "$work/mvn.log" run_maven dependency:copy-dependencies

architecture=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/.*os\.arch = //p')
library=$work/resources/ethereum/ckzg4844/lib/$architecture/libckzg4844jni.so
mkdir -p "$(dirname "$library")"
cc -O2 -shared -fPIC -I "$jdk/include" -I "$jdk/include/linux" -I "$here/../../../compat/ckzg" "$checkout/bindings/java/ckzg_jni.c" \
    -o "$library" -L "$libraries" -lsumac_ckzg "-Wl,-rpath,$libraries"
expect_needs "$library" libsumac_ckzg
rm -rf "$work/target/surefire-reports"
run_maven test
echo "jc-kzg-4844: $(sed -n 's/^Tests run: \([0-9]*\), Failures: 0, Errors: 0, Skipped: 0.*/\1 tests/p' "$work"/target/surefire-reports/*.txt): OK"
[ "${4-}" = times ] || exit 0

jar=$work/target/dependency/jc-kzg-4844-2.1.8.jar
for of in theirs ours; do
    echo "$of:"
    [ $of = theirs ] || jar=$work/resources:$jar
    java -cp "$jar" "$here/Times.java" "$checkout/src/trusted_setup.txt"
done
