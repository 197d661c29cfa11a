#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs Teku's unchanged tests of its two libraries for KZG, CKZG4844Test and RustKZGTest. The libraries that
# ckzg_java/run.sh and java_eth_kzg/run.sh made are placed before the jars in the class path.
#
#   run.sh WORK-OF-CKZG-JAVA WORK-OF-JAVA-ETH-KZG WORK
#
# The tests' dependencies come from Maven Central. Teku comes from its repository, of which TEKU_CHECKOUT may name a copy. The
# JDK must have version 21 or later.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need mvn
jdk=
for folder in "${JAVA_HOME-}" /usr/lib/jvm/*; do
    version=$("$folder/bin/javac" -version 2>/dev/null | sed 's/javac \([0-9]*\).*/\1/') || continue
    [ "${version:-0}" -lt 21 ] || jdk=$folder
done
[ -n "$jdk" ] || skip "there is no JDK from 21 on"
fetch_checkout teku 26.8.0 https://github.com/Consensys/teku "${TEKU_CHECKOUT-}"
fetch "$work/mvn.log" mvn -B -q -f "$here/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$work/jars"

# Only those parts of Teku that the tests need are compiled.
kzg=$checkout/infrastructure/kzg/src
sources=$(printf '%s:' "$checkout"/infrastructure/*/src/main/java "$kzg/testFixtures/java")
"$jdk/bin/javac" -nowarn -proc:none -d "$work/classes" -cp "$work/jars/*" -sourcepath "$sources" "$kzg"/test/java/tech/pegasys/teku/kzg/*.java
"$jdk/bin/java" -Xcheck:jni -cp "$libraries/resources:$data/resources:$work/classes:$kzg/testFixtures/resources:$kzg/test/resources:$work/jars/*" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --details=summary \
    -c tech.pegasys.teku.kzg.CKZG4844Test -c tech.pegasys.teku.kzg.RustKZGTest
echo "teku: OK"
