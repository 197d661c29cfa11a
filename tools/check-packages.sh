#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build the Debian packages twice in two folders. The bytes must be the same, and lintian must not warn. If the user is root and
# the system's folders can be overlaid, also install the packages with apt, run debian/tests, and discard the changes. To save
# time, the packages have one curve in one variant, with -Og, and the build's tests are left out. `make dist` makes complete packages.
#   check-packages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

export SUMAC_OPTIONS="-DSUMAC_CURVES=bls12-381 -DSUMAC_ADX=OFF -DSUMAC_NAMED_PLANS=OFF -DCMAKE_C_FLAGS_RELEASE=-Og"
packages/debian.sh --here "$directory/first"
packages/debian.sh --here "$directory/second"
for package in "$directory"/first/*.deb; do
    cmp "$package" "$directory/second/${package##*/}" || { echo "packages: FAILED: two builds differ" >&2; exit 1; }
done
echo "packages: built twice, the same bytes"
lintian --allow-root --fail-on error,warning "$directory"/first/*.changes
echo "packages: lintian: OK"

# Install the packages in folders that overlay the system's folders.
install_and_test() {
    # shellcheck disable=SC2016 # the shell below expands these
    directory=$directory unshare --mount bash -euo pipefail -c '
        mount -t tmpfs none "$directory/over"
        for folder in usr etc var; do
            mkdir -p "$directory/over/$folder" "$directory/over/$folder.work"
            mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$directory/over/$folder,workdir=$directory/over/$folder.work" "/$folder"
        done
        TMPDIR=$directory/over debian/tests/all "$directory/first"'
}
mkdir "$directory/over"
# shellcheck disable=SC2016 # the inner shell expands these
if [ "$(id -u)" -ne 0 ] || ! unshare --mount bash -c 'mount -t tmpfs none "$1" && mkdir "$1/a" "$1/b" &&
        mount -t overlay overlay -o "lowerdir=/usr,upperdir=$1/a,workdir=$1/b" /usr' - "$directory/over" 2>/dev/null; then
    echo "packages: not installed: this user cannot lay folders over the system's"
else
    install_and_test
fi
