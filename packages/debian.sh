#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make the Debian packages of the commit that is checked out, in a minimal Debian 12.
#
#   debian.sh [OUT]          make them in the folder OUT (dist)
#   debian.sh --here OUT     make them on this machine, which must have the packages that debian/control names
#   debian.sh --check OUT    check that lintian does not warn, and that they work in a minimal Debian
#
#   SUMAC_OPTIONS       more options of CMake
#   DEB_BUILD_OPTIONS   as for dpkg-buildpackage (nocheck: the library's own tests are not run)
set -euo pipefail
cd "$(dirname "$0")/.."
mode=bare
case ${1-} in
    --here | --check) mode=${1#--} && shift ;;
esac
mkdir -p "${1-dist}"
out=$(realpath "${1-dist}")
tools=$(tools/install-deps.sh --list debian | paste -sd ,)

if [ "$mode" = check ]; then
    # shellcheck disable=SC2016 # the inner shell expands these
    packages/bare.sh --offline --with "$tools" --bind "$out" -- sh -c 'lintian --allow-root --fail-on error,warning "$1"/sumac_*.changes' - "$out"
    echo "debian: lintian: OK"
    packages/bare.sh --with cmake,gcc,libc6-dev,pkg-config --bind "$PWD" --bind "$out" -- debian/tests/all "$out"
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/sumac"
git archive HEAD | tar -x -C "$work/sumac"
run=()
[ "$mode" = here ] || run=(packages/bare.sh --offline --with "$tools" --bind "$work" --)
# shellcheck disable=SC2016 # the inner shell expands this
"${run[@]}" env DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck} parallel=$(nproc)" SUMAC_OPTIONS="${SUMAC_OPTIONS-}" \
    sh -c 'cd "$0" && dpkg-buildpackage --no-sign --build=binary --no-check-builddeps' "$work/sumac" >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; exit 1; }
mv "$work"/*.{deb,changes,buildinfo} "$out"
