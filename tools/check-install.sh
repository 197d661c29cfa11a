#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Install a build into a temporary directory, and use it as others would: by pkg-config with the shared and the static library,
# by CMake's find_package, and from C++. Each way builds and runs examples/msm.c.
#
# Each library must export exactly the functions that its headers declare. libsumac.so and libsumac_mpi.so must have their
# release as the version of the symbols. The library must need only the C library. It must not need a function that reads the
# environment, or that registers work for later. No run path may begin in the current directory.
#
# If the user is root, the README's commands from the installation to a running program are run with a private /etc and
# /usr/local. At the end `make uninstall` must remove everything except other people's files.
#
#   check-install.sh [BUILD-DIRECTORY]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
build=$(cd "${1:-build}" && pwd)
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
prefix=$directory/usr/local

# Run the README's lines as they are written, except for sudo, with the default prefix. /etc is a private copy, and /usr/local
# is empty. The loader's cache is updated before and after.
from_the_readme() {
    local lines
    # shellcheck disable=SC2016 # the shell below expands these
    lines=$(awk -v RS= '/cc examples\/msm.c/' README.md | sed 's/^ *//; s/^sudo make install$/cmake --install "$build" --prefix \/usr\/local/')
    [ "$(wc -l <<<"$lines")" -eq 3 ] || { echo "README: FAILED: there are not three lines to examples/msm.c: $lines" >&2; exit 1; }
    cp -a /etc "$directory/etc"
    mkdir "$directory/clone"
    ln -s "$root/examples" "$directory/clone/examples"
    # shellcheck disable=SC2016
    root=$root directory=$directory build=$build lines=$lines unshare --mount bash -euo pipefail -c '
        mount --bind "$directory/etc" /etc
        mount -t tmpfs none /usr/local
        ldconfig
        cd "$directory/clone"
        eval "$lines" >output
        grep "^3G + 4G has x = " output
        sumac --version
        ldconfig -p | grep -q /usr/local/lib/libsumac.so
        cmake -DBUILD="$build" -P "$root/cmake/Uninstall.cmake"
        left=$(ldconfig -p | grep sumac; find /usr/local ! -type d)
        [ -z "$left" ] || { echo "still there: $left"; exit 1; }' || { echo "README: FAILED" >&2; exit 1; }
}
if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>"$directory/log"; then
    echo "README: skipped: this user cannot have a /usr/local of its own"
else
    from_the_readme
    echo "README: OK"
fi

DESTDIR=$directory cmake --install "$build" --prefix /usr/local >"$directory/log"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name sumac.pc)")
export LD_LIBRARY_PATH=${PKG_CONFIG_PATH%/pkgconfig}

expect_sum() { # title command...
    local title=$1 output
    shift
    output=$("$@")
    case $output in
        "3G + 4G has x = "*) echo "$title: OK" ;;
        *)
            echo "$title: FAILED: $output" >&2
            exit 1
            ;;
    esac
}

# The sonames, the file's name, pkg-config and the CMake package must have the version in the header.
header=$(printf '#include <sumac/status.h>\nSUMAC_VERSION_NUMBER SUMAC_VERSION_STRING\n' | cc -E -P -I"$prefix/include" - | tail -n 1)
number=$((${header%% \"*}))
version=$(tr -d '" ' <<<"${header#* \"}")
major=$((number / 10000)) minor=$((number / 100 % 100))
soname=libsumac.so.$major
[ "$major" -gt 0 ] || soname=$soname.$minor
for told in "$version" "$(pkg-config --modversion sumac)" "$("$prefix/bin/sumac" --version | sed -n '1s/^sumac \([0-9.]*\).*/\1/p')" \
    "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' "$LD_LIBRARY_PATH/cmake/sumac/sumac-config-version.cmake")"; do
    [ "$told" = "$major.$minor.$((number % 100))" ] || { echo "version: FAILED: $told is not $number" >&2; exit 1; }
done
if [ ! -e "$LD_LIBRARY_PATH/libsumac.so.$version" ] || ! readelf --dynamic "$LD_LIBRARY_PATH/libsumac.so" | grep -q "SONAME.*\[$soname\]"; then
    echo "version: FAILED: libsumac.so is not $soname, libsumac.so.$version" >&2
    exit 1
fi
echo "version: OK: $version, $soname"

cd "$directory"
"$prefix/bin/sumac" --version
# shellcheck disable=SC2046 # flags are words
cc "$root/examples/msm.c" -o shared $(pkg-config --cflags --libs sumac)
expect_sum "pkg-config, shared library" ./shared
# shellcheck disable=SC2046
cc "$root/examples/msm.c" -o static $(pkg-config --static --cflags --libs sumac | sed 's/-lsumac/-l:libsumac.a/')
expect_sum "pkg-config, static library" env -u LD_LIBRARY_PATH ./static

mkdir package
cat >package/CMakeLists.txt <<'LISTS'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(sumac 0.9 REQUIRED)
foreach(library sumac sumac_static)
    add_executable(with_${library} ${SOURCE})
    target_link_libraries(with_${library} PRIVATE sumac::${library})
endforeach()
LISTS
cmake -S package -B package/build -DSOURCE="$root/examples/msm.c" -DCMAKE_PREFIX_PATH="$prefix" >>log
cmake --build package/build >>log
expect_sum "CMake package, shared library" package/build/with_sumac
expect_sum "CMake package, static library" env -u LD_LIBRARY_PATH package/build/with_sumac_static

# Another project can contain the sources. One small curve is enough to test this, because only the CMake code matters.
mkdir subproject
cat >subproject/CMakeLists.txt <<'LISTS'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
include(FetchContent)
FetchContent_Declare(sumac SOURCE_DIR ${ROOT})
FetchContent_MakeAvailable(sumac)
foreach(library sumac sumac_static)
    add_executable(with_${library} ${ROOT}/examples/msm.c)
    target_link_libraries(with_${library} PRIVATE sumac::${library})
endforeach()
get_property(tests DIRECTORY ${ROOT} PROPERTY TESTS)
if(tests OR TARGET sumac_program)
    message(FATAL_ERROR "the project that takes sumac in gets its tests or its program, too")
endif()
LISTS
cmake -S subproject -B subproject/build -DROOT="$root" -DSUMAC_CURVES=bls12_381_g1 -DSUMAC_ADX=OFF -DSUMAC_NAMED_PLANS=OFF \
    -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF >>log
cmake --build subproject/build --parallel "$(nproc)" >>log
expect_sum "FetchContent, shared library" subproject/build/with_sumac
expect_sum "FetchContent, static library" env -u LD_LIBRARY_PATH subproject/build/with_sumac_static

printf '#include <sumac/sumac.h>\n#include <sumac/kzg.h>\nint main() { return sumac_group_count() == 0; }\n' >user.cc
# shellcheck disable=SC2046
c++ -std=c++11 -Wall -Wextra -pedantic -Werror user.cc -o user $(pkg-config --cflags --libs sumac)
./user
echo "C++: OK"

# mpi.h needs MPI's compiler, and is tested below.
for path in "$prefix"/include/sumac/*.h; do
    header=sumac/${path##*/}
    [ "$header" != sumac/mpi.h ] || continue
    echo "#include <$header>" >alone.c
    cp alone.c alone.cc
    # shellcheck disable=SC2046
    cc -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only alone.c $(pkg-config --cflags sumac)
    # shellcheck disable=SC2046
    c++ -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only alone.cc $(pkg-config --cflags sumac)
done
echo "each header alone: OK"

# Test a library that is installed beside libsumac with a program that must exit with 0. The program is linked with the shared
# and the static library, compiled as C++, and built by CMake.
use_beside() { # library program C-compiler C++-compiler-and-options...
    local library=$1 program=$2 c=$3
    shift 3
    # shellcheck disable=SC2046
    "$c" "$program.c" -o "$program-shared" $(pkg-config --cflags --libs "$library")
    "./$program-shared"
    # shellcheck disable=SC2046
    "$c" "$program.c" -o "$program-static" $(pkg-config --static --cflags --libs "$library" | sed -E "s/-l(sumac|$library)( |\$)/-l:lib\1.a /g")
    env -u LD_LIBRARY_PATH "./$program-static"
    cp "$program.c" "$program.cc"
    # shellcheck disable=SC2046
    "$@" -std=c++11 -Wall -Wextra -Werror "$program.cc" -o "$program-plus" $(pkg-config --cflags --libs "$library")
    "./$program-plus"
    mkdir "$program-package"
    cat >"$program-package/CMakeLists.txt" <<LISTS
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(sumac 0.9 REQUIRED)
foreach(library $library ${library}_static)
    add_executable(with_\${library} \${SOURCE})
    target_link_libraries(with_\${library} PRIVATE sumac::\${library})
endforeach()
LISTS
    cmake -S "$program-package" -B "$program-package/build" -DSOURCE="$directory/$program.c" -DCMAKE_PREFIX_PATH="$prefix" >>log
    cmake --build "$program-package/build" >>log
    "$program-package/build/with_$library"
    env -u LD_LIBRARY_PATH "$program-package/build/with_${library}_static"
    echo "lib$library: OK"
}

cat >ckzg.c <<'SOURCE'
#include <ckzg.h>
int main(void)
{
    KZGSettings settings;
    free_trusted_setup(NULL);
    return load_trusted_setup(&settings, NULL, 0, NULL, 0, NULL, 0, 0) != C_KZG_BADARGS;
}
SOURCE
use_beside sumac_ckzg ckzg cc c++ -pedantic

echo '#include <ckzg.c>' | cc -fsyntax-only -I"$prefix/include/sumac-ckzg" -x c -

cat >eth_kzg.c <<'SOURCE'
#include <eth_kzg.h>
int main(void)
{
    const CResult result = eth_kzg_blob_to_kzg_commitment(0, 0, 0);
    eth_kzg_free_error_message(result.error_msg);
    return result.status != Err;
}
SOURCE
use_beside sumac_eth_kzg eth_kzg cc c++ -pedantic

cat >rapidsnark.c <<'SOURCE'
#include <prover.h>
#include <verifier.h>
int main(void)
{
    void *prover;
    char error[100];
    groth16_prover_destroy(0);
    return groth16_prover_create(&prover, "", 0, error, sizeof error) != PROVER_ERROR ||
           groth16_verify("", "", "", error, sizeof error) != VERIFIER_ERROR;
}
SOURCE
use_beside sumac_rapidsnark rapidsnark cc c++ -pedantic
# Link a program with the library names of rapidsnark, and run a program that was linked with its library. Both need only this
# folder.
links=$LD_LIBRARY_PATH/sumac-rapidsnark
mkdir before
echo 'int groth16_prover_create, groth16_prover_destroy, groth16_verify;' |
    cc -x c - -shared -fPIC -Wl,-soname,librapidsnark.so -o before/librapidsnark.so
cc rapidsnark.c -I"$prefix/include/sumac-rapidsnark" -Lbefore -lrapidsnark -o rapidsnark-before
cc rapidsnark.c -I"$prefix/include/sumac-rapidsnark" -L"$links" -lrapidsnark "-Wl,-rpath-link,$LD_LIBRARY_PATH" -o rapidsnark-by-name
for program in rapidsnark-before rapidsnark-by-name; do
    LD_LIBRARY_PATH=$links "./$program"
done
for program in prover verifier; do
    usage=$(env -u LD_LIBRARY_PATH "$prefix/libexec/sumac-rapidsnark/$program" 2>&1 || true)
    grep -q "^Usage: $program <" <<<"$usage" || { echo "$program: FAILED: $usage" >&2; exit 1; }
done
echo "librapidsnark, prover, verifier: OK"

if [ -e "$LD_LIBRARY_PATH/libsumac_mpi.so" ]; then
    cat >mpi.c <<'SOURCE'
#include <stdio.h>
#include <string.h>
#include <sumac/mpi.h>
int main(void)
{
    sumac_message message;
    sumac_mpi_ranks *ranks;
    return sumac_mpi_create(MPI_COMM_WORLD, NULL, &ranks, &message) != SUMAC_BAD_ARGUMENT || strstr(message.text, "MPI_Init") == NULL;
}
SOURCE
    # These options leave out the C++ interface that MPI once had.
    use_beside sumac_mpi mpi mpicc mpicxx -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX
    "$prefix/bin/sumac-mpi" --version
elif [ -e "$prefix/include/sumac/mpi.h" ]; then
    echo "libsumac_mpi: FAILED: there is its header without the library" >&2
    exit 1
fi

# Limit the size of the library, and of everything that is installed except the CUDA engine, whose size is in docs/cuda.md.
library_size=$(stat -L -c %s "$LD_LIBRARY_PATH/libsumac.so")
all_size=$(find "$prefix" -type f ! -name 'libsumac_cuda*' -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
if [ "$library_size" -gt 14000000 ] || [ "$all_size" -gt 45000000 ]; then
    echo "size: FAILED: libsumac.so has $library_size bytes of at most 14000000, all files $all_size of 45000000" >&2
    exit 1
fi
echo "size: OK: libsumac.so has $library_size bytes, all files $all_size"

for licence in LICENSE-APACHE LICENSE-MIT; do
    cmp "$root/$licence" "$prefix/share/doc/sumac/$licence"
done
echo "licences: OK"

for file in man/man1/sumac.1 man/man1/sumac-msm.1 man/man1/sumac-kzg.1 man/man1/sumac-plot.1 bash-completion/completions/sumac \
    zsh/site-functions/_sumac fish/vendor_completions.d/sumac.fish; do
    if [ ! -s "$prefix/share/$file" ]; then
        echo "documents: FAILED: there is no share/$file" >&2
        exit 1
    fi
done
"$prefix/bin/sumac-plot" --help >/dev/null
echo "documents: OK"

# The commitment to the polynomial that is 1 everywhere is the generator. No setup is named, so the installed one is used.
# shellcheck disable=SC2046
printf '%064d' $(yes 1 | head -n 4096) >ones
commitment=$("$prefix/bin/sumac" kzg commit ones)
if [ "$commitment" != 0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb ]; then
    echo "trusted setup: FAILED: the commitment is $commitment" >&2
    exit 1
fi
echo "trusted setup: OK"

"$root/tools/check-run-paths.sh" "$prefix"

# Check that a library exports exactly the functions that the headers declare. If a version is given, the shared library must
# have it.
same_names() { # headers macro library [version]
    local declared library wanted exported
    # shellcheck disable=SC2086 # paths
    declared=$(grep -hv '^#' $1 | tr '\n' ' ' | grep -oE "$2 [^;]*;" | sed -n 's/^[^(]* \**\([a-z_0-9]\{1,\}\)(.*/\1/p' | sort)
    for library in "--dynamic $LD_LIBRARY_PATH/$3.so" "--extern-only $LD_LIBRARY_PATH/$3.a"; do
        # shellcheck disable=SC2086 # an option and a path
        exported=$(nm --defined-only $library | awk 'NF == 3 && $2 != "A" { print $3 }' | sort) # symbols of type A are versions
        wanted=$declared
        if [ "${library%% *}" = --dynamic ] && [ $# -eq 4 ]; then
            wanted=$(awk -v version="@@$4" '{ print $0 version }' <<<"$declared")
        fi
        if [ -z "$declared" ] || [ "$exported" != "$wanted" ]; then
            echo "names: FAILED: not what $1 declares: $library: $(diff <(echo "$exported") <(echo "$wanted"))" >&2
            exit 1
        fi
    done
}
release=$(readelf --dynamic "$LD_LIBRARY_PATH/libsumac.so" | sed -n 's/.*(SONAME).*\[libsumac\.so\.\(.*\)\]$/\1/p')
same_names "$(find "$root/include/sumac" -name '*.h' ! -name mpi.h | tr '\n' ' ')" SUMAC_API libsumac "SUMAC_$release"
same_names "$root/compat/ckzg/ckzg.h" SUMAC_CKZG_API libsumac_ckzg
same_names "$root/compat/eth_kzg/eth_kzg.h" SUMAC_ETH_KZG_API libsumac_eth_kzg
same_names "$root/compat/rapidsnark/prover.h $root/compat/rapidsnark/verifier.h" SUMAC_RAPIDSNARK_API libsumac_rapidsnark
if [ -e "$LD_LIBRARY_PATH/libsumac_mpi.so" ]; then
    same_names "$root/include/sumac/mpi.h" SUMAC_API libsumac_mpi "SUMAC_MPI_$release"
fi
echo "names: OK"

needed=$(readelf --dynamic "$LD_LIBRARY_PATH/libsumac.so" | awk '/NEEDED/ { print $NF }' | grep -vE '^\[(lib(c|m|pthread|dl)\.so|ld-linux)' || true)
# If the compiler's support library were used for CPUID, __cpu_model would be among the names in the archive.
wanted=$( (nm --dynamic --undefined-only "$LD_LIBRARY_PATH/libsumac.so" && nm --undefined-only "$LD_LIBRARY_PATH/libsumac.a") |
    grep -oE '\b((secure_)?getenv|atexit|__cxa_thread_atexit\w*|__register_atfork|pthread_atfork|getrandom|getentropy|__cpu_\w+)\b' || true)
if [ -n "$needed$wanted" ]; then
    echo "needs: FAILED: $needed $wanted" >&2
    exit 1
fi
echo "needs: OK"

# At the end all installed files must be removed, and all other files must still exist.
echo "somebody else's" >"$prefix/include/sumac/other.h"
make --no-print-directory -C "$root" uninstall BUILD="$build" DESTDIR="$directory" >>log
left=$(find "$prefix" ! -type d -o -name '*sumac*')
if [ "$left" != "$prefix/include/sumac
$prefix/include/sumac/other.h" ]; then
    echo "make uninstall: FAILED: there is: $left" >&2
    exit 1
fi
echo "make uninstall: OK"
