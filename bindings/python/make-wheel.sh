#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make a wheel with the library inside, which needs no compiler and no package of the system; or a wheel with the CUDA engine,
# which is installed beside the first one and needs only the driver.
#
#   make-wheel.sh [OUT]                 sumac; OUT: where the wheel goes (bindings/python/dist)
#   make-wheel.sh --engine FILE [OUT]   sumac-cuda, of the libsumac_cuda.so of a build of the same source (make CUDA=1)
#
#   CURVES   as for make; all
#   BUILD    the folder of the build (build-wheel); kept, so that the next wheel takes seconds
#
# The tag says which glibc a library needs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
engine=
if [ "${1-}" = --engine ]; then
    engine=$(realpath "$2")
    shift 2
fi
out=${1-$here/dist}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_library() {
    local build=${BUILD-$root/build-wheel}
    cmake -S "$root" -B "$build" -DSUMAC_TESTS=OFF -DSUMAC_CUDA=OFF \
        -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-s ${CURVES:+"-DSUMAC_CURVES=$CURVES"} >/dev/null
    cmake --build "$build" --parallel "${JOBS-$(nproc)}" --target sumac_shared
    library=$(find "$build" -maxdepth 1 -name 'libsumac.so.*' -type l)
}

# The package is built in a copy, so that nothing is left in the source.
lay_out_package() {
    cp -r "$here/sumac" "$here/pyproject.toml" "$here/README.md" "$work"
    rm -rf "$work/sumac/__pycache__" "$work/sumac/lib"
    python3 -B "$root/tools/gen_bindings.py" python "$work/sumac"
    mkdir "$work/sumac/lib"
    cp -L "$library" "$work/sumac/lib/"
}

lay_out_engine() {
    local version
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")
    mkdir -p "$work/sumac/lib"
    strip --strip-unneeded -o "$work/sumac/lib/${engine##*/}" "$engine"
    cat >"$work/pyproject.toml" <<END
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "sumac-msm-cuda13"
version = "$version"
description = "The engine of sumac for NVIDIA GPUs"
license = { text = "Apache-2.0 OR MIT" }
requires-python = ">=3.9"
dependencies = ["sumac==$version"]

[tool.setuptools]
packages = ["sumac.lib"]

[tool.setuptools.package-data]
"sumac.lib" = ["*.so"]
END
}

if [ -n "$engine" ]; then
    library=$engine
    system='libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|ld-linux[-a-z0-9]*'
    lay_out_engine
else
    make_library
    system='libc|libm|libdl|libpthread|ld-linux[-a-z0-9]*'
    lay_out_package
fi
cp "$root"/LICENSE-* "$work"

# A wheel may need only libraries that every system with glibc has; the newest symbol tells from which version on.
foreign=$(objdump -p "$library" | awk '/NEEDED/ {print $2}' | grep -vE "^($system)\.so" || true)
if [ -n "$foreign" ]; then
    echo "make-wheel.sh: $library needs $foreign, which a wheel can't rely on" >&2
    exit 1
fi
glibc=$(objdump -T "$library" | grep -oE 'GLIBC_[0-9]+\.[0-9]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1)
tag=manylinux_${glibc/./_}_$(uname -m)
python3 -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir "$work/out" \
    --config-settings "--build-option=--plat-name=$tag" "$work"
if command -v auditwheel >/dev/null; then
    auditwheel show "$work"/out/*.whl
fi
mv "$work"/out/*.whl "$out"
du -h "$out"/sumac${engine:+_cuda}-*"$tag".whl
