#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Run the static checks: format, shell scripts, licence lines, layers, generated files, clang-tidy, cppcheck, documentation
# comments. Every check runs. If one of them fails, the exit status is 1.
#
#   lint.sh                check
#   lint.sh --fix-format   format all C and CUDA sources and headers in place
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' | grep -vE '/generated/|(x86_64|aarch64)/add\.h' | sort)
if [ "${1-}" = --fix-format ]; then
    exec clang-format -i "${sources[@]}"
fi

failed=()
check() { # name command...
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "lint: $name: OK"
    else
        echo "lint: $name: FAILED"
        printf '%s\n' "$output" | tail -n 60
        failed+=("$name")
    fi
}

# One curve is enough, because all curves have the same source. A unity build would hide the sources from clang-tidy.
build='build-lint'
configure() {
    cmake -S . -B $build --fresh -DSUMAC_CURVES=bls12_381_g1 -DSUMAC_ICICLE_GNARK=ON -DSUMAC_UNITY=OFF -DCMAKE_BUILD_TYPE=Debug
}

# Check each source as the build compiles it, once for each variant. If the build leaves a source out, the check fails, because
# it would have to guess the flags of the source. The analyser gives up on a function after a tenth of its default number of
# steps. The last nine tenths took nine tenths of all checks' time.
tidy() {
    local library source
    mapfile -t library < <(printf '%s\n' "${sources[@]}" | grep -E '^(src|compat)/.*\.c$' | grep -vE '^compat/(ckzg/go|java-eth-kzg|node-eth-kzg)/')
    for source in "${library[@]}"; do
        if ! grep -qF "/$source\"" $build/compile_commands.json; then
            echo "$source is not part of the build that is checked"
            return 1
        fi
    done
    printf '%s\n' "${library[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p $build \
        --extra-arg={-Xclang,-analyzer-config,-Xclang,max-nodes=20000} 2>/dev/null
}

# These warnings are off. gcc and clang define the arithmetic shift of negative numbers, and taking an address without reading
# through it does not use the object. Also, cppcheck does not know the cleanup attribute, nor a macro's argument in parentheses
# that another macro unpacks.
cppcheck_library() {
    cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,performance,portability \
        --suppress=missingIncludeSystem --suppress=shiftTooManyBitsSigned --suppress=legacyUninitvar \
        --suppress='uninitvar:src/lanes/*' --suppress=memleak --suppress=syntaxError:src/base/sizes.c -Iinclude -Isrc \
        -DSUMAC_CURVE_HEADER='"curves/generated/bls12_381_g1.h"' -DFEATURE_BLS12_381 -D__x86_64__ -D__GNUC__ -j "$(nproc)" src compat
}

documentation() {
    mkdir -p $build
    (cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $build") | doxygen -
}

# The committed files must equal the output of tools/generate_x86_64.py and generate_aarch64.py.
assembly() {
    local directory status=0 architecture file
    directory=$(mktemp -d)
    for architecture in x86_64 aarch64; do
        mkdir "$directory/$architecture"
        python3 -B "tools/generate_$architecture.py" "$directory/$architecture" || status=1
        for file in "$directory/$architecture"/*; do
            cmp "$file" "src/math/$architecture/$(basename "$file")" || status=1
        done
    done
    rm -rf "$directory"
    return $status
}

mapfile -t scripts < <(git ls-files --cached --others --exclude-standard | xargs grep -lE '^#!.*(bash|/sh)' 2>/dev/null)

check "clang-format" clang-format --dry-run -Werror "${sources[@]}"
check "shellcheck" shellcheck -x "${scripts[@]}"
if command -v actionlint >/dev/null; then
    check "workflows" actionlint
fi
check "licence lines" python3 -B tools/spdx.py --check
check "versions and metadata" python3 -B packages/metadata.py --check
check "floors" python3 -B tools/floors.py
# If the library has been built, calls between modules are checked for cycles.
if ls build/src/CMakeFiles/sumac_common.dir/*/*.o >/dev/null 2>&1; then
    check "circles of calls" python3 -B tools/floors.py --calls build
fi
check "generated constants" python3 -B tools/gen_curves.py --check
check "generated assembly" assembly
check "generated bindings" python3 -B tools/gen_bindings.py --check
if command -v cargo-fmt >/dev/null; then
    check "rustfmt" cargo fmt --all --manifest-path bindings/rust/Cargo.toml --check
    check "rustfmt, sumac-revm" cargo fmt --manifest-path bindings/rust/sumac-revm/Cargo.toml --check
    check "rustfmt, compat/snarkvm" cargo fmt --manifest-path compat/snarkvm/Cargo.toml --check -- \
        --config-path bindings/rust/rustfmt.toml
    check "rustfmt, sumac-halo2" cargo fmt --manifest-path bindings/rust/sumac-halo2/Cargo.toml --check
    check "rustfmt, compat/blitzar" rustfmt --check --edition 2021 --config-path bindings/rust/rustfmt.toml \
        compat/blitzar/{src/lib,tests/interface,tests/memory}.rs
    # cargo does not find files that are included by include!.
    check "rustfmt of other files" rustfmt --check --edition 2021 --config-path bindings/rust/rustfmt.toml \
        bindings/rust/sumac-ark/{src/lib,src/arkworks,tests/sums,tests/cases/sums,benches/times}.rs {,tests/}compat/arkworks/hook.rs \
        compat/supraseal/{build,src/lib}.rs tests/compat/supraseal/check.rs
fi
check "names in the budget of kernels" python3 -B tools/check-kernels.py --names
check "doxygen" documentation
check "configure" configure
check "flat layout" python3 -B packages/flat.py --check $build
check "clang-tidy" tidy
check "cppcheck" cppcheck_library

if [ ${#failed[@]} -gt 0 ]; then
    echo "lint: failed: ${failed[*]}" >&2
    exit 1
fi
