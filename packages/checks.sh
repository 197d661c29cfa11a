# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# The checks of packages share these functions. go.sh, npm.sh, python.sh and rust.sh source this file, with the repository's folder
# in `root`.
#
#   GCC_BUILD   the folder of a build of the same source by gcc, whose library the times are compared with. It has libsumac and
#               libsumac_ckzg with BLS12-381. Without it, such a build is made in build-gcc of the repository and kept.
GCC_BUILD=${GCC_BUILD:+$(realpath "$GCC_BUILD")}

# Print the best variant of the processor, by what the kernel says of it. AMD's first Zen has a slow AVX2, and takes adx.
expected_variant() {
    python3 -B - <<'END'
text = open("/proc/cpuinfo").read()
fields = dict(line.split(":", 1) for line in text.split("\n\n")[0].replace("\t", "").splitlines() if ":" in line)
flags = set(fields.get("flags", "").split())
first_zen = fields.get("cpu family", "").strip() == "23" and int(fields["model"]) < 48
if not {"adx", "bmi2"} <= flags:
    print("portable")
elif {"avx512f", "avx512dq", "avx512vl", "avx512ifma", "avx512_vbmi2"} <= flags:
    print("avx512")
else:
    print("avx2" if {"avx2", "fma"} <= flags and not first_zen else "adx")
END
}

# Set GCC_BUILD if it is empty.
need_gcc_build() {
    [ -z "$GCC_BUILD" ] || return 0
    GCC_BUILD=${root:?}/build-gcc
    cmake -S "$root" -B "$GCC_BUILD" -DSUMAC_CURVES=bls12-381 -DSUMAC_NAMED_PLANS=OFF -DSUMAC_PROGRAM=OFF -DSUMAC_TESTS=OFF \
        -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF >/dev/null
    cmake --build "$GCC_BUILD" --parallel "$(nproc)" --target sumac_shared sumac_ckzg_shared >/dev/null
}

# Compare the times of a commitment by a package's library and by gcc's, of which the first may be 1.1 times the second at most. Each
# command prints the commitment, and the least processor time in microseconds of some runs. The commands take turns and run ten
# times, because other programs disturb single runs.
compare_times() { # name command-of-the-package command-of-gcc
    local answers
    answers=$(for _ in {1..10}; do
        "$2" && "$3" || exit
    done)
    [ "$(cut -d ' ' -f 1 <<<"$answers" | sort -u | wc -l)" -eq 1 ] || { echo "$1: the commitments differ" >&2 && return 1; }
    paste -d ' ' - - <<<"$answers" | awk -v name="$1" '
        { ours = NR == 1 || $2 < ours ? $2 : ours; gcc = NR == 1 || $4 < gcc ? $4 : gcc }
        END {
            printf "%s: a commitment takes %.2f ms, by the library of gcc %.2f: %.2f times as long\n", name, ours / 1000, gcc / 1000, ours / gcc
            exit ours > 1.1 * gcc
        }'
}
