#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make the Debian packages of the commit that is checked out, for the Debian that this machine runs.
#
#   debian.sh [OUT]         OUT: the folder for them (dist)
#   debian.sh --check OUT   lintian must not warn, and they must work in a minimal Debian
#
#   SUMAC_OPTIONS       more options of CMake
#   DEB_BUILD_OPTIONS   as for dpkg-buildpackage (nocheck: the library's own tests are not run)
set -euo pipefail
cd "$(dirname "$0")/.."
check=no
[ "${1-}" != --check ] || { check=yes && shift; }
mkdir -p "${1-dist}"
out=$(realpath "${1-dist}")

if [ $check = yes ]; then
    lintian --allow-root --fail-on error,warning "$out"/sumac_*.changes
    echo "debian: lintian: OK"
    packages/bare.sh --with cmake,gcc,libc6-dev,pkg-config --bind "$PWD" --bind "$out" -- debian/tests/all "$out"
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/sumac"
git archive HEAD | tar -x -C "$work/sumac"
(cd "$work/sumac" && DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck} parallel=$(nproc)" \
    dpkg-buildpackage --no-sign --build=binary --no-check-builddeps) >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
mv "$work"/*.{deb,changes,buildinfo} "$out"
