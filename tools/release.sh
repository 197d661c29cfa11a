#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make the packages of the commit that is checked out, in a fresh clone, and check each package on a system where nothing else
# is installed.
#
#   release.sh [--no-check] [KIND...]   KIND: source, debian, python, go, rust, npm (all of them)
#
# They go to dist/, with SHA256SUMS, and SIZES.md: how large each is, and how long each kind took to make, in seconds of processors,
# which other programs on the machine change little. npm's packages take the libraries of the wheels, if those were made before.
# packages/KIND.sh makes and checks one kind.
#
#   ENGINE      a libsumac_cuda.so of a build of the same source, for the wheel sumac-msm-cuda13, which is left out without
#   GCC_BUILD   as packages/checks.sh says; without it, the kinds share one build of the clone
set -euo pipefail
cd "$(dirname "$0")/.."
check=yes
[ "${1-}" != --no-check ] || { check=no && shift; }
kinds=("$@")
if [ $# -eq 0 ]; then
    kinds=(source debian python go rust npm)
    rm -rf dist
fi
mkdir -p dist
dist=$PWD/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/sumac"
ENGINE=${ENGINE:+$(realpath "$ENGINE")}
GCC_BUILD=${GCC_BUILD:+$(realpath "$GCC_BUILD")}
cd "$work/sumac"
if ! git -C "$OLDPWD" diff --quiet HEAD; then
    echo "release: changes that are not committed are left out" >&2
fi

tag=$(git tag --points-at HEAD --list 'v*')
if [ -n "$tag" ] && [ "$tag" != "v$(packages/metadata.py --get version)" ]; then
    echo "release: the tag $tag is not the version of packages/metadata.toml" >&2
    exit 1
fi

make_kind() {
    "packages/$kind.sh" "$work/$kind"
    [ "$kind" != python ] || [ -z "$ENGINE" ] || packages/python.sh --engine "$ENGINE" "$work/$kind"
}

sizes=$dist/SIZES.md
printf '| file | kB | kind, processor time to make it |\n|---|---|---|\n' >"$sizes"
TIMEFORMAT='%0R %0U %0S'
for kind in "${kinds[@]}"; do
    mkdir "$work/$kind"
    { time make_kind 2>&3; } 3>&2 2>"$work/time"
    read -r elapsed user system <"$work/time"
    taken=$((user + system))
    echo "release: $kind: made in $elapsed s, of processors $taken s"
    [ $check = no ] || "packages/$kind.sh" --check "$work/$kind"
    for file in "$work/$kind"/*; do
        # shellcheck disable=SC2016 # these are Markdown's marks
        printf '| `%s` | %d | %s, %d s |\n' "${file##*/}" $((($(stat --format %s "$file") + 500) / 1000)) "$kind" $taken >>"$sizes"
    done
    mv -f "$work/$kind"/* "$dist"
done
cd "$dist"
rm -f SHA256SUMS
find . -type f ! -name SIZES.md -printf '%P\0' | sort -z | xargs -0 sha256sum >"$work/sums"
mv "$work/sums" SHA256SUMS
cat SIZES.md
