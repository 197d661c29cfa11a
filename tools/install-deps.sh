#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Install the Debian packages that sumac needs and that are missing.
#
#   install-deps.sh [--check|--list] build|test|lint|aarch64|node|ci|debian|dist|cuda
#
#   build    for the library and the program (make, make demo)
#   test     also for the tests (make test)
#   lint     also for the static checks (make lint)
#   ci       also for .ci/run, including the oldest and the newest gcc and clang of the archive
#   debian   for the Debian packages
#   dist     for all packages (make dist), but for Go 1.24 and Rust, which Debian 12 has too old
#   aarch64  only the cross compiler and emulator of tools/aarch64.sh
#   node     only node, npm and node's headers for the test ckzg_node, which is skipped without them
#   cuda     only nvcc: NVIDIA's wheels from PyPI (tools/cuda-toolkit.txt) go to build-cuda-toolkit (100 MB, 270 MB unpacked),
#            unless PATH, CUDA_HOME or /usr/local/cuda has nvcc. A machine that only runs the engine does not need it.
#
# With --check nothing is installed. If packages are missing, they are named, and the exit status is 1. With --list the packages
# of Debian's archive are printed, whether they are installed or not. If nothing is missing, the script ends at once. A tool
# that was installed in another way counts as present.
set -euo pipefail

usage() {
    sed -n '/^# Install/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# Each line has a package, and a sign that it is installed: a command, a header in an include directory, or the package itself.
build_packages='
gcc             command:cc
libc6-dev       header:stdlib.h
make            command:make
cmake           command:cmake
libjansson-dev  header:jansson.h
'
test_packages="$build_packages
g++             command:c++
libcmocka-dev   header:cmocka.h
libgmp-dev      header:gmp.h
libssl-dev      header:openssl/evp.h
libyaml-dev     header:yaml.h
python3         command:python3
python3-cffi    any-module:cffi
python3-numpy   any-module:numpy
python3-pycparser       proof-module:pycparser
python3-pytest  any-module:pytest
python3-yaml    any-module:yaml
python3-matplotlib      some-module:matplotlib
binutils-aarch64-linux-gnu      command:aarch64-linux-gnu-objdump
libopenmpi-dev  command:mpicc
openmpi-bin     command:mpirun
"
lint_packages="$test_packages
clang-format    command:clang-format
clang-tidy      command:clang-tidy
cppcheck        command:cppcheck
doxygen         command:doxygen
shellcheck      command:shellcheck
"
debian_packages='
debhelper       command:dh
dh-python       command:dh_python3
lintian         command:lintian
chrpath         command:chrpath
ninja-build     command:ninja
dpkg-dev        command:dpkg-buildpackage
'
ci_packages="$lint_packages
clang           command:clang
libclang-rt-dev package
valgrind        command:valgrind
pkg-config      command:pkg-config
mpich           command:mpiexec.mpich
libmpich-dev    command:mpicc.mpich
abigail-tools   command:abidiff
musl-tools      command:musl-gcc
qemu-user-static        command:qemu-x86_64-static
$debian_packages"
aarch64_packages='
gcc-aarch64-linux-gnu   command:aarch64-linux-gnu-gcc
libc6-dev-arm64-cross   package
qemu-user-static        command:qemu-aarch64-static
'
cuda_packages='
g++             command:c++
python3         command:python3
python3-pip     module:pip
'
node_packages='
nodejs          command:node
npm             command:npm
libnode-dev     header:node/node_api.h
g++             command:c++
'
dist_packages="$build_packages
mmdebstrap      command:mmdebstrap
debian-archive-keyring  package
xz-utils        command:xz
python3-venv    module:ensurepip
python3-pip     module:pip
nodejs          command:node
npm             command:npm
pkg-config      command:pkg-config
qemu-user-static        command:qemu-aarch64-static
libc6-arm64-cross       package
$debian_packages"

has_header() {
    local directory
    for directory in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
        [ -e "$directory/$1" ] && return 0
    done
    return 1
}

# Print the oldest and the newest of the packages gcc-N or clang-N.
edges() { # gcc|clang
    apt-cache search --names-only "^$1-[0-9]+\$" | cut -d ' ' -f 1 | sort -V | sed -n '1p;$p' | uniq
}

# Print one line for each compiler, in the format of build_packages.
edge_compilers() {
    local compiler
    for compiler in $(edges gcc) $(edges clang); do
        echo "$compiler command:$compiler"
    done
}

is_present() { # package evidence
    case $2 in
        command:*) command -v "${2#command:}" >/dev/null ;;
        header:*) has_header "${2#header:}" ;;
        # If the python3 in PATH has all of these modules, bindings/python/tests/run.py uses it, and otherwise Debian's.
        any-module:*) python3 -c "import cffi, numpy, pytest, yaml" 2>/dev/null || /usr/bin/python3 -c "import ${2#any-module:}" 2>/dev/null ;;
        # If the python3 in PATH has both of these modules, tests/proofs/run.py uses it, and otherwise Debian's.
        proof-module:*) python3 -c "import pycparser, pytest" 2>/dev/null || /usr/bin/python3 -c "import ${2#proof-module:}" 2>/dev/null ;;
        # tools/sumac-plot.py uses Debian's Python if the one in PATH lacks the module.
        some-module:*) python3 -c "import ${2#some-module:}" 2>/dev/null || /usr/bin/python3 -c "import ${2#some-module:}" 2>/dev/null ;;
        module:*) python3 -c "import ${2#module:}" 2>/dev/null ;;
        package) command -v dpkg >/dev/null && dpkg -s "$1" 2>/dev/null | grep -q '^Status: .* installed' ;;
    esac
}

# nvcc is installed into this folder, where cmake/Cuda.cmake finds it.
root=$(cd "$(dirname "$0")/.." && pwd)
toolkit=$root/build-cuda-toolkit
wheels=$root/tools/cuda-toolkit.txt

# Find an installed nvcc, or the nvcc of the wheels if their versions are those that are pinned now.
has_nvcc() {
    (PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin:/usr/local/cuda/bin && command -v nvcc >/dev/null) ||
        cmp -s "$wheels" "$toolkit/wheels.txt"
}

refuse_nvcc() {
    echo "sumac's CUDA engine needs nvcc, which is missing${1}" >&2
    exit 1
}

# Unpack the wheels into a temporary folder and rename it last, so that an existing folder is complete.
install_nvcc() {
    local part=$toolkit.part
    echo "Installing nvcc in ${toolkit##*/}: the wheels of tools/${wheels##*/}"
    rm -rf "$part"
    PIP_ROOT_USER_ACTION=ignore python3 -m pip --disable-pip-version-check install --quiet --no-deps --no-compile \
        --only-binary :all: --require-hashes --requirement "$wheels" --target "$part" </dev/null ||
        { rm -rf "$part"; refuse_nvcc ": pip could not install the wheels of tools/${wheels##*/}"; }
    # nvcc and CMake look for the wheels' files under these names.
    ln -s lib "$part/nvidia/cu13/lib64"
    ln -s libcudart.so.13 "$part/nvidia/cu13/lib/libcudart.so"
    cp "$wheels" "$part/wheels.txt"
    rm -rf "$toolkit"
    mv "$part" "$toolkit"
}

check_only=no list_only=no
case ${1-} in
    --check) check_only=yes && shift ;;
    --list) list_only=yes && shift ;;
esac
case ${1-} in
    build) packages=$build_packages ;;
    test) packages=$test_packages ;;
    lint) packages=$lint_packages ;;
    aarch64) packages=$aarch64_packages ;;
    node) packages=$node_packages ;;
    ci) packages=$ci_packages ;;
    debian) packages=$build_packages$debian_packages ;;
    dist) packages=$dist_packages ;;
    cuda)
        [ $list_only = yes ] || ! has_nvcc || exit 0
        packages=$cuda_packages
        ;;
    *) usage ;;
esac

if [ $list_only = yes ]; then
    awk 'NF { print $1 }' <<<"$packages"
    exit
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo -n)
fi

if [ "$1" = ci ] && command -v apt-cache >/dev/null; then
    # The package lists of a fresh system are empty.
    if [ -z "$(edges gcc)" ] && [ "$check_only" = no ]; then
        "${as_root[@]}" apt-get update </dev/null >/dev/null 2>&1 || true
    fi
    packages+=$(edge_compilers)
fi

missing=()
while read -r package evidence; do
    if [ -n "$package" ] && ! is_present "$package" "$evidence"; then
        missing+=("$package")
    fi
done <<<"$packages"

refuse() {
    echo "sumac needs these Debian packages, which are missing: ${missing[*]}${1}" >&2
    exit 1
}

install_missing() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1
}

install_packages() {
    command -v apt-get >/dev/null || refuse "; there is no apt-get here, so please install them yourself"
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null || refuse "; you are not root and may not use sudo without a password, so please install them yourself"
    fi
    echo "Installing Debian packages: ${missing[*]}"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    # The lists of a fresh system are empty or old.
    if ! install_missing; then
        "${as_root[@]}" apt-get update </dev/null >"$log" 2>&1 || { cat "$log" >&2; refuse "; apt-get update failed"; }
        install_missing || { cat "$log" >&2; refuse "; apt-get install failed"; }
    fi
}

if [ "$check_only" = yes ]; then
    [ "$1" != cuda ] || refuse_nvcc " (tools/install-deps.sh cuda fetches it)"
    [ ${#missing[@]} -eq 0 ] || refuse " (tools/install-deps.sh $1 installs them)"
    exit 0
fi
[ ${#missing[@]} -eq 0 ] || install_packages
[ "$1" != cuda ] || install_nvcc
