/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the table of all options. A row has id, name, name of the value, section of --help, type, preset, help, and
 * the field of struct options. options.h includes this for the ids, and options.c for the table. */
ROW(OPTION_CURVE, "curve", "NAME", SECTION_INPUT, TYPE_TEXT, NULL, "curve, see `sumac info`", AT(curve))
ROW(OPTION_GROUP, "group", "GROUP", SECTION_INPUT, TYPE_CHOICES, "g1", "group: g1 or g2",
    LIST(group_index, groups), .choices = groups)
ROW(OPTION_BASES, "bases", "FILE", SECTION_INPUT, TYPE_INPUT, NULL, "file of the bases", AT(bases))
ROW(OPTION_G2_BASES, "g2-bases", "FILE", SECTION_INPUT, TYPE_INPUT, NULL,
    "file of the SRS's points of G2, if --bases has none", AT(g2_bases))
ROW(OPTION_FORMAT, "format", "NAME", SECTION_INPUT, TYPE_TEXT, NULL,
    "format of the bases, see `sumac info`; raw, or table if the file is one, by default", AT(format))
ROW(OPTION_SCALARS, "scalars", "FILE", SECTION_INPUT, TYPE_INPUT, NULL, "file of raw scalars, MSM after MSM",
    AT(scalars))
ROW(OPTION_FIRST, "first", "I", SECTION_INPUT, TYPE_NUMBER, "0",
    "skip the first I bases, and the first I scalars of each MSM", AT(first), IN_RANGE(0, LARGEST_N))
ROW(OPTION_FIRST_BASE, "first-base", "I", SECTION_INPUT, TYPE_NUMBER, NULL,
    "skip the first I bases; --first then skips scalars only", AT(first_base), IN_RANGE(0, LARGEST_N))
ROW(OPTION_N, "n", "N", SECTION_INPUT, TYPE_NUMBERS, NULL, "number of bases and scalars, as 1000 or 2^16",
    LIST(n, sizes), IN_RANGE(0, LARGEST_N))
ROW(OPTION_SCALAR_BITS, "scalar-bits", "B", SECTION_INPUT, TYPE_NUMBER, NULL,
    "scalars are less than 2^B; as many bits as the order has by default", AT(scalar_bits), IN_RANGE(1, 4096))
ROW(OPTION_SCALAR_BYTES, "scalar-bytes", "N", SECTION_INPUT, TYPE_NUMBER, NULL,
    "bytes of each scalar; as many as the order has by default", AT(scalar_bytes), IN_RANGE(1, 512))
ROW(OPTION_SCALAR_SIGNED, "scalar-signed", NULL, SECTION_INPUT, TYPE_FLAG, NULL,
    "scalars are signed, in two's complement", AT(scalar_signed))
ROW(OPTION_SCALAR_ORDER, "scalar-order", "ORDER", SECTION_INPUT, TYPE_CHOICE, "little",
    "order of a scalar's bytes: little or big endian", AT(scalar_order), .choices = scalar_orders)
ROW(OPTION_TRUNCATE, "truncate", NULL, SECTION_INPUT, TYPE_FLAG, NULL,
    "use the lowest --scalar-bits of each scalar, where larger ones are else refused", AT(truncate))
ROW(OPTION_BATCH, "batch", "B", SECTION_INPUT, TYPE_NUMBERS, "1", "number of MSMs in one call",
    LIST(batch, batch_list), IN_RANGE(1, UINT32_MAX))
ROW(OPTION_SEPARATE_BASES, "separate-bases", NULL, SECTION_INPUT, TYPE_FLAG, NULL,
    "each MSM of the batch has its own bases", AT(separate_bases))
ROW(OPTION_KIND, "kind", "KIND", SECTION_INPUT, TYPE_CHOICES, "uniform",
    "kind of scalars: uniform, small, equal, zeros, ones, sparse, top, mixed or bits", LIST(kind, kinds),
    .choices = kinds)
ROW(OPTION_WITNESS_KIND, "kind", "KIND", SECTION_INPUT, TYPE_CHOICE, "uniform",
    "kind of witness: uniform, or sparse (90% zeros and ones)", AT(kind), .choices = witness_kinds)
ROW(OPTION_SEED, "seed", "S", SECTION_INPUT, TYPE_NUMBER, "1", "seed of everything that is generated",
    AT(seed), IN_RANGE(0, INT64_MAX))
ROW(OPTION_VALIDATE, "validate", "LEVEL", SECTION_INPUT, TYPE_CHOICE, "none",
    "what each point is checked for: none, curve, subgroup or default", AT(check), .choices = checks)
ROW(OPTION_OUTSIDE_SUBGROUP, "outside-subgroup", NULL, SECTION_INPUT, TYPE_FLAG, NULL,
    "bases may lie outside the subgroup of prime order", AT(outside_subgroup))
ROW(OPTION_SETUP, "setup", "FILE", SECTION_INPUT, TYPE_INPUT, NULL,
    "trusted_setup.txt, or a file of `sumac kzg setup`; Ethereum's by default", AT(setup))
ROW(OPTION_COMMITMENT, "commitment", "HEX", SECTION_INPUT, TYPE_TEXT, NULL, "commitment to compare with",
    AT(commitment))
ROW(OPTION_PROOF, "proof", "HEX", SECTION_INPUT, TYPE_TEXT, NULL, "proof to verify", AT(proof))
ROW(OPTION_Z, "z", "HEX", SECTION_INPUT, TYPE_TEXT, NULL, "evaluation point, big-endian", AT(z))
ROW(OPTION_Y, "y", "HEX", SECTION_INPUT, TYPE_TEXT, NULL, "value at the evaluation point, big-endian", AT(y))
ROW(OPTION_CELLS, "cells", "LIST", SECTION_INPUT, TYPE_TEXT, NULL,
    "cells that the file holds, as 0..63,70; all by default", AT(cells))
ROW(OPTION_CIRCUIT, "circuit", "FILE", SECTION_INPUT, TYPE_INPUT, NULL,
    "circuit (.r1cs); names the first constraint that the witness does not satisfy", AT(circuit))
ROW(OPTION_VERIFYING_KEY, "verifying-key", "FILE", SECTION_INPUT, TYPE_INPUT, NULL,
    "gnark's verifying key, which its proving keys do not contain", AT(verifying_key))
ROW(OPTION_COMMITMENT_WIRES, "commitment-wires", "FILE", SECTION_INPUT, TYPE_INPUT, NULL,
    "wires of gnark's commitments, which its proving keys do not name: little-endian numbers of 4 bytes",
    AT(commitment_wires))
ROW(OPTION_NO_VERIFY, "no-verify", NULL, SECTION_OUTPUT, TYPE_FLAG, NULL,
    "write the proof without verifying it first", AT(no_verify))
ROW(OPTION_STREAM, "stream", NULL, SECTION_INPUT, TYPE_FLAG, NULL,
    "read the files in chunks; --memory-limit then bounds all memory of the call", AT(stream))
ROW(OPTION_CHECKPOINT, "checkpoint", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL,
    "stream, and keep the state here to resume from; removed at the end", AT(checkpoint))
ROW(OPTION_OUT_BASES, "out-bases", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL, "write the bases here",
    AT(out_bases))
ROW(OPTION_OUT_SCALARS, "out-scalars", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL,
    "write the scalars here, raw", AT(out_scalars))
ROW(OPTION_EXPECTED, "expected", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL,
    "write the result of the MSM here, as JSON", AT(expected))
ROW(OPTION_PARTIAL, "partial", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL,
    "write a partial result for `sumac combine` instead", AT(partial))
ROW(OPTION_OUT, "out", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL,
    "also write the result here, in format --to", AT(out))
ROW(OPTION_TO, "to", "NAME", SECTION_OUTPUT, TYPE_TEXT, "raw", "format to write points in, see `sumac info`",
    AT(to))
ROW(OPTION_PROOF_FORMAT, "proof-format", "FORMAT", SECTION_OUTPUT, TYPE_CHOICE, NULL,
    "format of proof and public inputs: json, gnark or gnark-raw; the key's by default", AT(proof_format),
    .choices = proof_formats)
ROW(OPTION_PROTOCOL, "protocol", "NAME", SECTION_OUTPUT, TYPE_CHOICE, "plonk",
    "protocol of the key: plonk, or fflonk, which is only for BN254", AT(protocol), .choices = protocols)
ROW(OPTION_JSON, "json", NULL, SECTION_OUTPUT, TYPE_FLAG, NULL, "print JSON", AT(json))
ROW(OPTION_JSON_FILE, "json", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL, "write the results here, as JSON",
    AT(json_file))
ROW(OPTION_TRACE, "trace", "FILE", SECTION_OUTPUT, TYPE_OUTPUT, NULL,
    "write Chrome trace events here, for Perfetto", AT(trace))
ROW(OPTION_BACKEND, "backend", "NAME", SECTION_MACHINE, TYPE_TEXT, "auto", "auto, cpu or cuda", AT(backend))
ROW(OPTION_DEVICES, "devices", "LIST", SECTION_MACHINE, TYPE_DEVICES, NULL,
    "GPUs by number, as 0 or 0,1, or all; the first one by default", AT(devices), IN_RANGE(0, 1023))
ROW(OPTION_THREADS, "threads", "N", SECTION_MACHINE, TYPE_NUMBERS, NULL,
    "CPU threads; as many as the process may run on by default", LIST(threads, threads_list),
    IN_RANGE(1, 4096))
ROW(OPTION_MEMORY_LIMIT, "memory-limit", "BYTES", SECTION_MACHINE, TYPE_BYTES, NULL,
    "most bytes of workspace, as 200M; K, M and G are powers of 1024", AT(memory_limit),
    IN_RANGE(1, UINT64_MAX))
ROW(OPTION_WEIGHTS, "weights", "LIST", SECTION_MACHINE, TYPE_TEXT, NULL,
    "relative speeds of the ranks, as 1,1,4 or 1..4, or measure; all equal by default", AT(weights))
ROW(OPTION_PRECOMPUTE, "precompute", "F", SECTION_PLAN, TYPE_NUMBERS, "1",
    "precomputed multiples per base; for a Groth16 key 0 is automatic", LIST(precompute, precompute_list),
    IN_RANGE(0, 1024))
ROW(OPTION_TABLES, "tables", "KIND", SECTION_PLAN, TYPE_CHOICE, "multiples",
    "precomputed per base: multiples, windows (all digits), or auto (the faster)", AT(tables),
    .choices = table_kinds)
ROW(OPTION_TABLE_LIMIT, "table-limit", "BYTES", SECTION_PLAN, TYPE_BYTES, NULL,
    "most bytes of --tables (64M)", AT(table_bytes), IN_RANGE(1, UINT64_MAX))
ROW(OPTION_PLAN, "plan", "NAME", SECTION_PLAN, TYPE_TEXT, NULL,
    "named plan, see docs/plans.md; the planner chooses by default", AT(plan))
ROW(OPTION_GROTH16, "groth16", NULL, SECTION_BENCH, TYPE_FLAG, NULL, "time Groth16 proofs instead of MSMs",
    AT(groth16))
ROW(OPTION_PLONK, "plonk", NULL, SECTION_BENCH, TYPE_FLAG, NULL, "time PLONK proofs instead of MSMs",
    AT(plonk))
ROW(OPTION_MEMORY, "memory", "LIST", SECTION_BENCH, TYPE_CHOICES, "pageable",
    "memory of the scalars: pageable, pinned or all", LIST(memory_kind, memory), .choices = memories)
ROW(OPTION_RUNS, "runs", "N", SECTION_BENCH, TYPE_NUMBER, "7",
    "timed runs of each row, after one that is not timed", AT(runs), IN_RANGE(1, 100000))
ROW(OPTION_COMMIT, "commit", "ID", SECTION_BENCH, TYPE_TEXT, NULL,
    "version that is measured, for --json; this program's by default", AT(commit))
ROW(TUNE_C, "c", "C", SECTION_TUNING, TYPE_NUMBER, NULL, "bits of a window, 1 to 24", AT(c), IN_RANGE(1, 24))
ROW(TUNE_VARIANT, "variant", "NAME", SECTION_TUNING, TYPE_TEXT, NULL,
    "variant of the CPU's code, see `sumac info`; the fastest by default", AT(variant))
ROW(TUNE_REDUCTION, "reduction", "KIND", SECTION_TUNING, TYPE_CHOICE, "auto", "auto, running-sum or halving",
    AT(reduction), .choices = reductions)
ROW(TUNE_CHUNKS, "chunks", "N", SECTION_TUNING, TYPE_NUMBER, NULL, "chunks of the input", AT(chunks),
    IN_RANGE(1, UINT32_MAX))
ROW(TUNE_COPY_SLICES, "copy-slices", "N", SECTION_TUNING, TYPE_NUMBER, NULL,
    "slices in which scalars are copied to a GPU", AT(copy_slices), IN_RANGE(1, 4))
ROW(TUNE_LARGE_BUCKETS, "large-buckets", "F", SECTION_TUNING, TYPE_NUMBER, NULL,
    "on a GPU all threads share buckets of more than F times the mean", AT(large_buckets),
    IN_RANGE(1, UINT32_MAX))
ROW(TUNE_TYPICAL_BATCH, "typical-batch", "B", SECTION_TUNING, TYPE_NUMBER, NULL,
    "precompute for calls of B MSMs (1)", AT(typical_batch), IN_RANGE(1, UINT32_MAX))
ROW(TUNE_TYPICAL_N, "typical-n", "N", SECTION_TUNING, TYPE_NUMBER, NULL,
    "precompute for MSMs of N of the bases (all)", AT(typical_n), IN_RANGE(1, LARGEST_N))
