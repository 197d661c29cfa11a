#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make a wheel with the library inside, which needs no compiler and no package of the system where it is installed.
#
#   make-wheel.sh [OUT]       OUT: where the wheel goes (bindings/python/dist)
#
#   CURVES   as for make; all
#   BUILD    the folder of the build (build-wheel); kept, so that the next wheel takes seconds
#
# libcrypto is linked into the library, as no system promises its version. The tag says which glibc the library needs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1-$here/dist}
build=${BUILD-$root/build-wheel}
mkdir -p "$out"
out=$(cd "$out" && pwd)

cmake -S "$root" -B "$build" -DSUMAC_TESTS=OFF -DSUMAC_CUDA=OFF -DOPENSSL_USE_STATIC_LIBS=ON \
    -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--exclude-libs,ALL,-s ${CURVES:+"-DSUMAC_CURVES=$CURVES"} >/dev/null
cmake --build "$build" --parallel "${JOBS-$(nproc)}" --target sumac_shared

# What a wheel may need is a part of every glibc; the newest symbol says from which version on.
library=$(find "$build" -maxdepth 1 -name 'libsumac.so.*' -type l)
foreign=$(objdump -p "$library" | awk '/NEEDED/ {print $2}' | grep -vE '^(libc|libm|libdl|libpthread|ld-linux[-a-z0-9]*)\.so' || true)
if [ -n "$foreign" ]; then
    echo "make-wheel.sh: the library needs $foreign, which a wheel can't rely on" >&2
    exit 1
fi
glibc=$(objdump -T "$library" | grep -oE 'GLIBC_[0-9]+\.[0-9]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1)
tag=manylinux_${glibc/./_}_$(uname -m)

# A copy, so that nothing is left in the source.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/sumac" "$here/pyproject.toml" "$here/README.md" "$work"
rm -rf "$work/sumac/__pycache__"
mkdir "$work/sumac/lib"
cp -L "$library" "$work/sumac/lib/"
cp "$root"/LICENSE-* "$work"
python3 -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir "$work/out" \
    --config-settings "--build-option=--plat-name=$tag" "$work"
if command -v auditwheel >/dev/null; then
    auditwheel show "$work"/out/*.whl
fi
mv "$work"/out/*.whl "$out"
ls "$out"/*"$tag".whl
