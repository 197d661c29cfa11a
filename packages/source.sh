#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make the source distribution of the commit that is checked out, sumac-VERSION.tar.xz. It builds without git.
#
#   source.sh [OUT]                  make it in the folder OUT (dist)
#   source.sh --check [--full] OUT   check that a second run gives the same bytes, and that `make demo` (--full: also `make test`)
#                                    works in a minimal Debian without a network
set -euo pipefail
cd "$(dirname "$0")/.."
check=no full=no
[ "${1-}" != --check ] || { check=yes && shift; }
[ "${1-}" != --full ] || { full=yes && shift; }
mkdir -p "${1-dist}"
out=$(realpath "${1-dist}")
name=sumac-$(packages/metadata.py --get version)

archive() { # file
    git archive --format=tar --prefix="$name/" HEAD | xz -9 --threads=1 >"$1.part"
    mv "$1.part" "$1"
}

if [ $check = no ]; then
    archive "$out/$name.tar.xz"
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archive "$work/again"
cmp "$out/$name.tar.xz" "$work/again"
echo "source: a second run gives the same bytes"
tar -x -C "$work" -f "$out/$name.tar.xz"
cd "$work/$name"
case $full in
    no) target='demo' needed='build' ;;
    yes) target='test' needed='test' ;;
esac
packages=$(tools/install-deps.sh --list "$needed" | paste -sd ,)
"$OLDPWD/packages/bare.sh" --offline --with "$packages" --bind "$work" -- make "$target" >"$work/log" 2>&1 || { tail -n 50 "$work/log" >&2; exit 1; }
tail -n 3 "$work/log"
# The archive contains the name of the commit.
grep -q "$(git -C "$OLDPWD" rev-parse --short=12 HEAD)" build*/src/commit.h
echo "source: make $target: OK"
