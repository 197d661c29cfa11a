#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Run a command as root in a minimal Debian 12 that has nothing of this system. Afterwards all its changes there are discarded.
#
#   bare.sh [--with PACKAGE,PACKAGE] [--bind FOLDER]... [--offline] [--] COMMAND...
#
#   --with      Debian packages that are installed before the command runs
#   --bind      a folder that has the same name in the minimal system; changes in it are kept
#   --offline   the command has no network
#
# If the minimal system has the current folder, the command begins there, and otherwise in /root. Its environment is fresh,
# except that the settings of the network (name servers, certificates, proxies) are those of this system. mmdebstrap makes the
# minimal system once. It and each set of packages are kept in the folder SUMAC_BARE (~/.cache/sumac-bare). Only root may mount
# the folders that this needs.
set -euo pipefail

usage() {
    sed -n '/^# Run/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

packages='' bound=() offline=no
while [ $# -gt 0 ]; do
    case $1 in
        --with) packages=$(tr , '\n' <<<"${2:?}" | sort -u | paste -sd ' ') && shift 2 ;;
        --bind) bound+=("$(realpath "$2")") && shift 2 ;;
        --offline) offline=yes && shift ;;
        --) shift && break ;;
        -*) usage ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || usage
[ "$(id -u)" -eq 0 ] || { echo "bare.sh: only root may mount folders" >&2; exit 1; }
cache=${SUMAC_BARE:-${XDG_CACHE_HOME:-$HOME/.cache}/sumac-bare}
mkdir -p "$cache"

# Enter the layers, of which the lowest comes first. Files that the command writes go to the last one.
enter() { # offline? lower layers joined by ":", the upper layer, command...
    local net=() network=() name
    [ "$1" = no ] || net=(--net)
    for name in {http,https,no}_proxy; do
        [ -z "${!name-}" ] || network+=("$name=${!name}")
    done
    for name in SSL_CERT_FILE GIT_SSL_CAINFO CURL_CA_BUNDLE PIP_CERT CARGO_HTTP_CAINFO NODE_EXTRA_CA_CERTS; do
        [ -z "${!name-}" ] || network+=("$name=/etc/ssl/outer.crt")
    done
    # shellcheck disable=SC2016 # the inner shell expands these
    unshare --mount --pid --fork --kill-child "${net[@]}" bash -euc '
        lower=$1 upper=$2 place=$3 bound=$4
        shift 4
        mkdir -p "$upper.work" "$upper.root"
        mount -t tmpfs none "$upper.root" # the mounts below it end with this shell
        mkdir "$upper.root/root"
        root=$upper.root/root
        mount -t overlay overlay -o "lowerdir=$lower,upperdir=$upper,workdir=$upper.work" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        while read -r folder; do
            [ -n "$folder" ] || continue
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
        done <<<"$bound"
        cp --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
        certificates=/etc/ssl/certs/ca-certificates.crt
        if [ -e $certificates ]; then # this is installed twice, because the package ca-certificates replaces the first file
            install -D --mode 644 $certificates "$root$certificates"
            install -D --mode 644 $certificates "$root/etc/ssl/outer.crt"
        fi
        echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # dpkg need not wait for the disk: all can be made again
        [ -d "$root$place" ] || place=/root
        exec chroot "$root" /usr/bin/env -i --chdir="$place" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' - "$2" "$3" "$PWD" "$(printf '%s\n' "${bound[@]}")" "${network[@]}" "${@:4}"
}

remove() { # upper layer
    rm -rf "$1" "$1.work" "$1.root"
}

# A layer gets its name when it is complete. Another process that needs it waits.
make_layers() {
    exec 9>"$cache/lock"
    flock 9
    if [ ! -d "$cache/debian-12" ]; then
        command -v mmdebstrap >/dev/null || { echo "bare.sh: there is no mmdebstrap (tools/install-deps.sh dist installs it)" >&2; exit 1; }
        rm -rf "$cache/part"
        mmdebstrap --quiet --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
            bookworm "$cache/part" http://deb.debian.org/debian </dev/null >&2
        mv "$cache/part" "$cache/debian-12"
    fi
    layers=$cache/debian-12
    if [ -n "$packages" ]; then
        local layer bound=()
        layer=$cache/with-$(sha256sum <<<"$packages" | cut -c1-16)
        if [ ! -d "$layer" ]; then
            remove "$cache/part"
            mkdir "$cache/part"
            # shellcheck disable=SC2016,SC2086 # an inner shell expands the first, and the packages are words
            enter no "$layers" "$cache/part" sh -c 'apt-get update && apt-get install -y --no-install-recommends "$@" && apt-get clean' \
                - $packages >"$cache/log" 2>&1 </dev/null || { tail -n 20 "$cache/log" >&2; exit 1; }
            remove "$cache/part.work"
            rm -rf "$cache/part.root"
            mv "$cache/part" "$layer"
        fi
        layers=$layer:$layers
    fi
    exec 9>&-
}

make_layers
upper=$(mktemp -d "$cache/run.XXXXXX")
chmod 755 "$upper" # this is the folder / of the command
trap 'remove "$upper"' EXIT
enter "$offline" "$layers" "$upper" "$@"
