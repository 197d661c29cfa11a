#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build the Debian packages twice in two folders; the bytes must be the same, and lintian must not warn. If the user is root and
# the system's folders can be overlaid, also install them with apt, run debian/tests, and discard the changes. To save time the
# packages have one curve in one variant, and the build's tests are left out.
#
#   check-packages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

build_packages() { # place
    mkdir -p "$directory/$1/sumac"
    git ls-files -z | xargs -0 cp --parents -at "$directory/$1/sumac"
    (
        cd "$directory/$1/sumac"
        DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" SUMAC_OPTIONS="-DSUMAC_CURVES=bls12-381 -DSUMAC_ADX=OFF -DSUMAC_NAMED_PLANS=OFF" \
            dpkg-buildpackage --no-sign --build=binary --no-check-builddeps >"$directory/log" 2>&1
    ) || { tail -n 40 "$directory/log" >&2; exit 1; }
}
build_packages first
build_packages another/place
for package in "$directory"/first/*.deb; do
    cmp "$package" "$directory/another/place/${package##*/}" || { echo "packages: FAILED: two builds differ" >&2; exit 1; }
done
echo "packages: built twice, the same bytes"
lintian --allow-root --fail-on error,warning "$directory"/first/*.changes
echo "packages: lintian: OK"

# Install the packages in folders that overlay the system's.
install_and_test() {
    # shellcheck disable=SC2016 # the shell below expands these
    root=$root directory=$directory unshare --mount bash -euo pipefail -c '
        mount -t tmpfs none "$directory/over"
        for folder in usr etc var; do
            mkdir -p "$directory/over/$folder" "$directory/over/$folder.work"
            mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$directory/over/$folder,workdir=$directory/over/$folder.work" "/$folder"
        done
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$directory"/first/*.deb >"$directory/over/log" 2>&1 ||
            { cat "$directory/over/log"; exit 1; }
        cd "$root"
        for test in debian/tests/demo debian/tests/library debian/tests/python; do
            mkdir "$directory/over/${test##*/}"
            AUTOPKGTEST_TMP=$directory/over/${test##*/} $test >"$directory/over/log" 2>&1 || { cat "$directory/over/log"; exit 1; }
            echo "packages: installed: $test: OK"
        done'
}
mkdir "$directory/over"
# shellcheck disable=SC2016 # the inner shell expands these
if [ "$(id -u)" -ne 0 ] || ! unshare --mount bash -c 'mount -t tmpfs none "$1" && mkdir "$1/a" "$1/b" &&
        mount -t overlay overlay -o "lowerdir=/usr,upperdir=$1/a,workdir=$1/b" /usr' - "$directory/over" 2>/dev/null; then
    echo "packages: not installed: this user cannot lay folders over the system's"
else
    install_and_test
fi
