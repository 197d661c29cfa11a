/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file sumac.h
 *  @brief Multi-scalar multiplication: given bases P_0..P_(n-1) and scalars k_0..k_(n-1), k_0*P_0 + ... +
 * k_(n-1)*P_(n-1).
 *
 *  This header includes all headers that a multi-scalar multiplication needs, and has the rules that hold for every
 * header:
 *
 *  | header    | contents                                                                |
 *  |-----------|-------------------------------------------------------------------------|
 *  | status.h  | the version, and status codes                                           |
 *  | group.h   | the registry of groups, that is, of curves over Fp and Fp2              |
 *  | context.h | the state of a caller: backend, threads, memory, message                |
 *  | bases.h   | bases, from memory and from files, with multiples or tables             |
 *  | formats.h | formats of points and scalars, in files and in memory                   |
 *  | msm.h     | the multi-scalar multiplication, prepared calls of it, partial results  |
 *
 *  Optional headers: pool.h (contexts that threads share), vector.h (scalars and points, their transforms), pairing.h, map.h (to curves), srs.h (polynomial commitments),
 * kzg.h (Ethereum's blobs), groth16.h (proofs), mpi.h (several machines).
 * experimental.h has what may change in any version: tuning, plans, known answers, MSMs of files larger than memory.
 *
 *  Words are the field's own (docs/glossary.md explains them): a *base* is an affine point, a *scalar* an
 * integer, a *window* c bits of a scalar, a *bucket* the sum of the bases that share a digit in a window.
 *
 *  **Words of arguments and fields**, the same in every header:
 *
 *  | word         | meaning                                                                            |
 *  |--------------|------------------------------------------------------------------------------------|
 *  | `count`      | how many things                                                                    |
 *  | `n`          | how many bases an MSM has, or how many coefficients a polynomial has               |
 *  | `first`      | the index of the first thing                                                       |
 *  | `bytes`      | a length in bytes: `points` is followed by `points_bytes`                          |
 *  | `length`     | elements of a row of a vector                                                      |
 *  | `group`      | a sumac_group                                                                      |
 *  | `points`     | raw affine points                                                                  |
 *  | `scalars`    | raw scalars                                                                        |
 *  | `path`       | the path of a file; one that is written is an output                               |
 *  | `format`     | the name of a format                                                               |
 *  | `check`      | how far points are checked, a sumac_check                                          |
 *  | `table_bytes`| the most bytes of precomputed tables                                               |
 *  | `config`     | a struct of options, which may be null for the defaults                            |
 *  | `message`    | where a call without a context writes its message; may be null                     |
 *  | `ok`         | a verdict: 1 or 0                                                                  |
 *  | `user`       | a pointer that is passed to the caller's function                                  |
 *
 *  **Order of arguments.** The context comes first, then other objects (first the vector that a call changes in place), then
 *  inputs, options, and outputs. An object is created by ..._create() from memory or by ..._open() from a file, saved by
 *  ..._save(), described by ..._describe() and freed by ..._destroy(). ..._read() returns memory that sumac_free() frees. Every
 *  function takes any number of inputs, and is faster for many.
 *
 *  **Lengths.** A buffer whose size is known only at run time is followed by its length in bytes. It may be longer than the
 *  call needs. If it is shorter, the call is refused with SUMAC_BAD_LENGTH, and nothing is read or written. A count or an index
 *  of 0 means 0; it never stands for another number.
 *
 *  **Null.** A pointer must not be null unless its description says that it may be. A buffer may be null if its call needs no
 *  bytes of it. ..._destroy() and sumac_free() accept null. An output that is a new object is null after a failure.
 *
 *  **Lifetimes.** The library copies what it needs from its arguments; only objects that a description names must outlive
 *  others. A pointer that a function returns belongs to the object that it was asked of, and is valid as long as that object,
 *  unless the description says that the caller frees it. Bases, keys, setups, FK20's tables and prepared points are immutable.
 *
 *  **Variable time.** Every multi-scalar multiplication here takes time that depends on the scalars. Do not
 * use it on secrets that an attacker may time.
 *
 *  **Errors.** Every call that can fail returns a sumac_status. The library never aborts, exits, prints or
 * reads the environment. After a failure sumac_context_message() returns a message for people; calls without a context
 * write it to a sumac_message. Then no argument is changed, and no output is partly written. Lists of @return do not
 * repeat the statuses that any call with a context may return:
 *
 *  | status          | when                                                                                    |
 *  |-----------------|-----------------------------------------------------------------------------------------|
 *  | SUMAC_BUSY      | the context is in another thread's call, or the caller is a callback of the context     |
 *  | SUMAC_CANCELLED | sumac_context_cancel() or the progress function ended the call                          |
 *
 *  **Threads.** A context serves one call at a time, from any thread. If another thread's call is running in a context,
 * a call with it, or with an object that belongs to it, such as a prepared call, is refused as SUMAC_BUSY and changes
 * nothing; so is a call that a callback makes with its context. sumac_context_message() then reports that to the refused
 * thread, and the other call's message to the other thread. sumac_context_destroy() cannot refuse: no call may be
 * running. sumac_context_cancel(), sumac_context_message() and sumac_context_describe() may be called at any time. Two
 * contexts never touch each other.
 * Bases are immutable after creation and may be used from many contexts and threads at once: all contexts of
 * their backend, on a GPU those of the same device. Groups are constants. A context with more than one thread
 * starts the others when work first needs them, continues with fewer if the system refuses some, and joins
 * them in sumac_context_destroy(); when all contexts are gone the library may be unloaded. Signals are left
 * to the program's own threads. A call takes at most 64 KiB of its thread's stack in an
 * optimized build, besides what a GPU's driver takes. After fork() the child may use and destroy CPU contexts
 * that were in no call then, and bases: its threads are its own.
 *
 *  **Devices.** Bases made by a context of a GPU lie in that GPU's memory (but for those that it had no room
 * for, which stay on the host and serve every GPU). A call with a context of another GPU or backend is
 * refused as SUMAC_BAD_ARGUMENT before anything is done; sumac_bases_save() and sumac_bases_open() take bases from
 * one to the other. Bases of the CPU can be read (sumac_bases_get(), sumac_bases_save()) with any context.
 *
 *  A context of several devices (sumac_context_config.devices) shares its MSMs, blobs and polynomials out:
 * docs/multi-gpu.md. Bases that it makes lie on all of them and are used with contexts of as many devices, the same
 * ones in the same order; vectors, and scalars and results on a device, lie on the first. It takes no stream.
 * Other work is done by the first device. A program that places work itself creates a context for each device.
 *
 *  **Cancelling.** sumac_context_cancel() ends a call from any thread, and the context's progress function, to which
 * every long call reports, ends it from within: the call then returns SUMAC_CANCELLED and writes no
 * result.
 *
 *  **Exactness.** Results are exact and the same bits on every backend, plan and number of threads and
 * devices.
 *
 *  **Sizes, and zero.** Every struct that a caller passes begins with its size in bytes, so that programs and libraries
 *  of different versions understand each other: `sumac_msm_config config = {.size = sizeof config};`. Zero is the default of
 *  every other field, for ever, and is written as such in each field's description. A flag is 0 or 1, and a field
 *  `reserved` is 0; otherwise the call is refused with SUMAC_BAD_ARGUMENT. Structs only grow, at their end, and have no
 *  padding. A struct with size 0, more than 4096, or less than the first version's is refused: SUMAC_BAD_ARGUMENT. Fields
 *  that an older header lacks are zero, and are not written. A struct of a newer header is accepted if all bytes that the
 *  library does not know are zero; otherwise it is refused: SUMAC_NOT_SUPPORTED. In structs that the library passes, the
 *  size is the library's: a younger field exists only if the size reaches beyond it. A field that holds a value of an enum
 *  is a uint32_t, and its name ends with the enum's: `scalar_form` is a sumac_form.
 *
 *  **Raw layout.** A coordinate is little-endian, 8*ceil(bits(p)/64) bytes, canonical (less than p) unless
 * Montgomery form is asked for; over Fp2 it is c0 then c1. A point is x then y; the point at infinity is all
 * zero bytes. A scalar is 8*ceil(bits(r)/64) bytes, little-endian; any value is legal and means its residue
 * modulo r.
 */
#ifndef SUMAC_SUMAC_H
#define SUMAC_SUMAC_H

#include "sumac/status.h"
#include "sumac/group.h"
#include "sumac/context.h"
#include "sumac/bases.h"
#include "sumac/formats.h"
#include "sumac/msm.h"

#endif
