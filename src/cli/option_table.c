/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options.h"

#include <stddef.h>

/* One macro a type; `field` is of struct options. */
#define FLAG(name, field, help)                                                                              \
    {                                                                                                        \
        name, NULL, help, TYPE_FLAG, offsetof(options, field), 0, 0, NULL                                    \
    }
#define TEXT(name, value, field, help)                                                                       \
    {                                                                                                        \
        name, value, help, TYPE_TEXT, offsetof(options, field), 0, 0, NULL                                   \
    }
#define INPUT(name, field, help)                                                                             \
    {                                                                                                        \
        name, "FILE", help, TYPE_INPUT, offsetof(options, field), 0, 0, NULL                                 \
    }
#define OUTPUT(name, field, help)                                                                            \
    {                                                                                                        \
        name, "FILE", help, TYPE_OUTPUT, offsetof(options, field), 0, 0, NULL                                \
    }
#define NUMBER(name, value, field, low, high, help)                                                          \
    {                                                                                                        \
        name, value, help, TYPE_NUMBER, offsetof(options, field), low, high, NULL                            \
    }
#define NUMBERS(name, value, field, low, high, help)                                                         \
    {                                                                                                        \
        name, value, help, TYPE_NUMBERS, offsetof(options, field), low, high, NULL                           \
    }
#define BYTES(name, value, field, low, high, help)                                                           \
    {                                                                                                        \
        name, value, help, TYPE_BYTES, offsetof(options, field), low, high, NULL                             \
    }
#define CHOICE(name, value, field, words, help)                                                              \
    {                                                                                                        \
        name, value, help, TYPE_CHOICE, offsetof(options, field), 0, 0, words                                \
    }
#define CHOICES(name, value, field, words, help)                                                             \
    {                                                                                                        \
        name, value, help, TYPE_CHOICES, offsetof(options, field), 0, 0, words                               \
    }

#define DEVICES(name, field, help)                                                                           \
    {                                                                                                        \
        name, "LIST", help, TYPE_DEVICES, offsetof(options, field), 0, 1023, NULL                            \
    }

static const char *const checks[] = {"curve", "subgroup", "none", NULL};
static const char *const tables[] = {"multiples", "digits", "auto", NULL};
static const char *const reductions[] = {"auto", "running-sum", "halving", NULL};
static const char *const kinds[] = {"uniform", "small", "equal", "zeros", "ones",
                                    "sparse",  "top",   "mixed", "bits",  NULL};
static const char *const witness_kinds[] = {"uniform", "sparse", NULL};
static const char *const memories[] = {"pageable", "pinned", NULL};
static const char *const groups[] = {"g1", "g2", NULL};

static const char *const proof_formats[] = {"json", "gnark", "gnark-raw", NULL};

#define LARGEST_N ((uint64_t)1 << 40)

const option_spec option_table[OPTION_COUNT] = {
    [OPTION_CURVE] = TEXT("curve", "NAME", curve, "the curve; `sumac info` lists them"),
    [OPTION_GROUP] = TEXT("group", "GROUP", group, "g1 or g2 (g1)"),
    [OPTION_BASES] = INPUT("bases", bases, "the bases"),
    [OPTION_FORMAT] =
        TEXT("format", "NAME", format,
             "format of the bases' file; `sumac info` lists them (raw, or a table if it is one)"),
    [OPTION_TABLE_INPUT] =
        FLAG("table", table_input, "the same as --format table: made by `sumac convert --table`"),
    [OPTION_SCALARS] = INPUT("scalars", scalars, "raw scalars, MSM after MSM"),
    [OPTION_FIRST] =
        NUMBER("first", "I", first, 0, LARGEST_N, "leave out the first I bases and scalars of each MSM (0)"),
    [OPTION_N] = NUMBER("n", "N", n, 0, LARGEST_N, "how many bases and scalars, as 1000 or 2^16"),
    [OPTION_BACKEND] = TEXT("backend", "NAME", backend, "auto, cpu or cuda (auto)"),
    [OPTION_VARIANT] = TEXT("variant", "NAME", variant,
                            "the CPU's code, as `sumac info` lists it (the fastest that runs here)"),
    [OPTION_DEVICE] = NUMBER("device", "I", device, 0, 1023, "which GPU (0, the first)"),
    [OPTION_DEVICES] = DEVICES("devices", devices, "GPUs that each call is divided among, as 0,1, or all"),
    [OPTION_THREADS] =
        NUMBER("threads", "N", threads, 1, 4096, "CPU threads (as many as the process may run on)"),
    [OPTION_PLAN] = TEXT("plan", "NAME", plan, "a named plan (the planner's choice)"),
    [OPTION_PRECOMPUTE] = NUMBER("precompute", "F", precompute, 0, 1024,
                                 "keep F multiples of each base (1); of a Groth16 key 0: as many as pay"),
    [OPTION_TABLES] =
        CHOICE("tables", "KIND", tables, tables,
               "of each base: multiples, all digits' points, or auto, what is fastest (multiples)"),
    [OPTION_TABLE_LIMIT] =
        BYTES("table-limit", "BYTES", table_limit, 1, UINT64_MAX,
              "most bytes of bases with --tables, as 200M (64M); of a setup's tables (none)"),
    [OPTION_C] = NUMBER("c", "C", c, 1, 24, "bits of a window, 1 to 24 (the planner's choice)"),
    [OPTION_REDUCTION] =
        CHOICE("reduction", "KIND", reduction, reductions, "auto, running-sum or halving (auto)"),
    [OPTION_CHUNKS] =
        NUMBER("chunks", "N", chunks, 1, UINT32_MAX, "slices of the input (the planner's choice)"),
    [OPTION_COPY_SLICES] = NUMBER("copy-slices", "N", copy_slices, 1, 4,
                                  "slices in which scalars are copied to a GPU (the planner's choice)"),
    [OPTION_LARGE_BUCKET_FACTOR] =
        NUMBER("large-bucket-factor", "F", large_bucket_factor, 1, UINT32_MAX,
               "on a GPU all threads share buckets over F times the mean (the engine's choice)"),
    [OPTION_SCALAR_BITS] =
        NUMBER("scalar-bits", "B", scalar_bits, 1, 4096, "all scalars are less than 2^B (the order's bits)"),
    [OPTION_SCALAR_BYTES] = NUMBER("scalar-bytes", "N", scalar_bytes, 1, 512,
                                   "each scalar has N bytes, little-endian (as many as the order)"),
    [OPTION_SCALAR_SIGNED] =
        FLAG("scalar-signed", scalar_signed, "scalars are signed: two's complement of so many bytes"),
    [OPTION_CUT_SCALARS] =
        FLAG("cut-scalars", cut_scalars, "with --scalar-bits: larger scalars are cut off, not refused"),
    [OPTION_BATCH] = NUMBER("batch", "B", batch, 1, UINT32_MAX, "so many MSMs at once (1)"),
    [OPTION_SEPARATE_BASES] =
        FLAG("separate-bases", separate_bases, "each MSM of the batch has bases of its own"),
    [OPTION_TYPICAL_BATCH] = NUMBER("typical-batch", "B", typical_batch, 1, UINT32_MAX,
                                    "the multiples are for calls of so many MSMs at once (1)"),
    [OPTION_TYPICAL_N] = NUMBER("typical-n", "N", typical_n, 1, LARGEST_N,
                                "the multiples are for MSMs of so many of the bases (all)"),
    [OPTION_MEMORY_LIMIT] = BYTES("memory-limit", "BYTES", memory_limit, 1, UINT64_MAX,
                                  "most bytes of workspace, as 200M; K, M and G are powers of 1024"),
    [OPTION_CHECK] = CHOICE(
        "check", "HOW", check, checks,
        "none, curve or subgroup: what is checked of each point (msm, convert: curve; groth16, kzg setup: "
        "subgroup; else none)"),
    [OPTION_OUTSIDE_SUBGROUP] =
        FLAG("outside-subgroup", outside_subgroup, "bases may lie outside the subgroup of prime order"),
    [OPTION_PARTIAL] = OUTPUT("partial", partial, "write a partial result for `sumac combine` instead"),
    [OPTION_OUT] = OUTPUT("out", out, "write the result here, too, as points in the format --to"),
    [OPTION_JSON] = FLAG("json", json, "print JSON"),
    [OPTION_TRACE] = OUTPUT("trace", trace, "write Chrome trace events, which Perfetto opens"),
    [OPTION_SEED] = NUMBER("seed", "S", seed, 0, INT64_MAX, "another seed gives other bases and scalars (1)"),
    [OPTION_KIND] =
        CHOICE("kind", "KIND", kind, kinds,
               "of scalars: uniform, small, equal, zeros, ones, sparse, top, mixed or bits (uniform)"),
    [OPTION_OUT_BASES] = OUTPUT("out-bases", out_bases, "write the bases here"),
    [OPTION_OUT_SCALARS] = OUTPUT("out-scalars", out_scalars, "write the scalars here, raw"),
    [OPTION_OUT_FORMAT] =
        TEXT("format", "NAME", format, "format to write the bases in; `sumac info` lists them (raw)"),
    [OPTION_EXPECTED] = OUTPUT("expected", expected, "write the MSM's answer here, as JSON"),
    [OPTION_FROM] =
        TEXT("from", "NAME", from, "format of IN; `sumac info` lists them (raw, or a table if it is one)"),
    [OPTION_TO] = TEXT("to", "NAME", to, "format to write points in; `sumac info` lists them (raw)"),
    [OPTION_TABLE_OUTPUT] = OUTPUT("table", table, "write a table with --precompute multiples here"),
    [OPTION_SETUP] =
        INPUT("setup", setup,
              "a trusted_setup.txt, or what `sumac kzg setup` saved (Ethereum's, beside the program)"),
    [OPTION_EXPECT] =
        TEXT("expect", "HEX", expect, "compare with this commitment; status 1 if it is another"),
    [OPTION_COMMITMENT] = TEXT("commitment", "HEX", commitment, "the blob's commitment"),
    [OPTION_PROOF] = TEXT("proof", "HEX", proof, "the proof"),
    [OPTION_Z] = TEXT("z", "HEX", z, "the place: 32 bytes, big-endian"),
    [OPTION_Y] = TEXT("y", "HEX", y, "the value there"),
    [OPTION_CELLS] = TEXT("cells", "LIST", cells, "which cells the file holds, as 0..63,70 (all)"),
    [OPTION_CURVES] = TEXT("curves", "LIST", curve, "names of curves, or all (all)"),
    [OPTION_GROUPS] = CHOICES("group", "GROUP", groups, groups, "g1, g2 or all (g1)"),
    [OPTION_SIZES] =
        NUMBERS("sizes", "LIST", sizes, 0, LARGEST_N, "sizes, as 1000,2^16 or 2^10..2^16 (2^10,2^13,2^16)"),
    [OPTION_KINDS] = CHOICES("kinds", "LIST", kinds, kinds, "of scalars, as in generate, or all (uniform)"),
    [OPTION_MEMORY] = CHOICES("memory", "LIST", memory, memories,
                              "where the scalars lie: pageable or pinned, or all (pageable)"),
    [OPTION_THREADS_LIST] = NUMBERS("threads", "LIST", threads_list, 1, 4096,
                                    "CPU threads, as 1,2,4 (as many as the process may run on)"),
    [OPTION_PRECOMPUTE_LIST] =
        NUMBERS("precompute", "LIST", precompute_list, 0, 1024, "multiples of each base, as 1,4 (1)"),
    [OPTION_BATCH_LIST] = NUMBERS("batch", "LIST", batch_list, 1, UINT32_MAX, "MSMs at once, as 1,64 (1)"),
    [OPTION_RUNS] =
        NUMBER("runs", "N", runs, 1, 100000, "timed runs of each row, after one that is not timed (7)"),
    [OPTION_COMMIT] = TEXT("commit", "ID", commit, "the version measured, for the result file"),
    [OPTION_JSON_FILE] = OUTPUT("json", json_file, "write a result file"),
    [OPTION_WEIGHTS] = {"weights", "LIST",
                        "the ranks' speeds beside each other, as 1,1,4 or 1..4 (all are alike)", TYPE_COUNTED,
                        offsetof(options, weights), 0, UINT32_MAX, NULL},
    [OPTION_MEASURE_WEIGHTS] =
        FLAG("measure-weights", measure_weights, "find the ranks' speeds by a short run first"),
    [OPTION_RANK_DEVICE] =
        TEXT("device", "I", rank_device,
             "which GPU; local: each rank of a machine the next one, round and round (0, the first)"),
    [OPTION_PLANS] = TEXT("plans", "LIST", plans, "named plans, as auto,baseline, or all (all)"),
    [OPTION_STREAM] = FLAG(
        "stream", stream, "read the files chunk by chunk; --memory-limit is for all memory of the call then"),
    [OPTION_RESUME] = OUTPUT("resume", resume,
                             "as --stream, going on from this checkpoint; removed when the result is there"),
    [OPTION_CIRCUIT] =
        INPUT("circuit", circuit,
              "the circuit (.r1cs): check first that the witness satisfies its constraints, and name one "
              "that does not hold"),
    [OPTION_WITNESS_KIND] = CHOICE("kind", "KIND", kind, witness_kinds,
                                   "of witness: uniform, or sparse, which is 90% zeros and ones (uniform)"),
    [OPTION_GROTH16] = FLAG("groth16", groth16, "time Groth16 proofs instead of MSMs"),
    [OPTION_VERIFYING_KEY] = INPUT("verifying-key", verifying_key,
                                   "what proofs of gnark's keys are verified with, which come without"),
    [OPTION_UNVERIFIED] =
        FLAG("unverified", unverified, "write proofs as they are computed, without verifying them"),
    [OPTION_PROOF_FORMAT] = CHOICE("proof-format", "FORMAT", proof_format, proof_formats,
                                   "of proof and public inputs: json, gnark or gnark-raw (the key's)"),
};

const char *option_choice(option_id id, uint64_t index)
{
    return option_table[id].choices[index];
}
