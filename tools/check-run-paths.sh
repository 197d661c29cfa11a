#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Check that no program or library in these folders looks for other libraries in the current directory. No entry of a run path
# may be empty or relative, and no library may be named with a relative path.
#
#   check-run-paths.sh FOLDER...
set -euo pipefail

# Print the faulty run paths and library names of a file. If all are right, print nothing.
faults() { # file
    readelf --dynamic --wide "$1" 2>/dev/null | sed -n -E 's/.*\((RPATH|RUNPATH|NEEDED)\).*\[(.*)\]$/\1 \2/p' |
        while read -r tag value; do
            if [ "$tag" = NEEDED ]; then
                case $value in
                    /*) ;;
                    */*) echo "needs $value" ;;
                esac
                continue
            fi
            local rest=$value: entry
            while [ -n "$rest" ]; do
                entry=${rest%%:*}
                rest=${rest#*:}
                case $entry in
                    /* | "\$ORIGIN" | "\$ORIGIN/"*) ;;
                    *) echo "has \"$entry\" in its run path [$value]" ;;
                esac
            done
        done
}

count=0
failed=0
while IFS= read -r -d '' file; do
    if [ "$(head -c 4 "$file" | tail -c 3)" != ELF ]; then
        continue
    fi
    count=$((count + 1))
    found=$(faults "$file")
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | sort -u | sed "s|^|run paths: FAILED: $file |" >&2
        failed=1
    fi
done < <(find "$@" -type f \( -perm -u+x -o -name '*.so' -o -name '*.so.*' \) -print0)
if [ $count -eq 0 ]; then
    echo "run paths: FAILED: no program or library in $*" >&2
    exit 1
fi
[ $failed -eq 0 ] || exit 1
echo "run paths of $count files: OK"
