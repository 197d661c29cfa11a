/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file sumac.h
 *  @brief Multi-scalar multiplication: compute k_0*P_0 + ... + k_(n-1)*P_(n-1) from bases P_0 .. P_(n-1) and scalars
 *  k_0 .. k_(n-1).
 *
 *  This header includes all headers that a multi-scalar multiplication needs, and states the rules that hold for every
 *  header:
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
 *  The other headers are optional: pool.h (contexts that threads share), vector.h (vectors of scalars and points, and
 *  their transforms), pairing.h (pairings), map.h (points from field elements), srs.h (polynomial commitments), kzg.h
 *  (Ethereum's blobs), groth16.h (proofs) and mpi.h (several machines). experimental.h has whatever may change in any
 *  version: tuning, plans, known answers, MSMs of files larger than memory.
 *
 *  docs/glossary.md explains the field's words. A *base* is an affine point, and a *scalar* is an integer. A *window* is c
 *  bits of a scalar. A *bucket* is the sum of the bases that have the same digit in a window.
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
 *  **Order of arguments.** The context comes first, then other objects, then inputs, options and outputs. A vector that a
 *  call changes in place comes before all other objects. ..._create() makes an object from memory, and ..._open() from a
 *  file. ..._save() saves the object, ..._describe() describes it, and ..._destroy() frees it. ..._read() returns memory that
 *  sumac_free() frees. Most functions take any number of inputs; one call for many is faster than many calls.
 *
 *  **Lengths.** A buffer whose size is known only at run time is followed by its length in bytes. A buffer may be longer than
 *  the call needs. If it is shorter, the call is refused with SUMAC_BAD_LENGTH, and nothing is read or written. A count or an
 *  index of 0 means 0; it never stands for another number.
 *
 *  **Null.** A pointer must not be null unless its description says that it may be. A buffer may be null if the call needs no
 *  bytes of it. ..._destroy() and sumac_free() accept null. An output that is a new object is null after a failure.
 *
 *  **Lifetimes.** The library copies what it needs from its arguments. An object must outlive another one only if a
 *  description says so. A pointer that a function returns belongs to the object that it was asked of. It is valid as long as
 *  that object, unless the description says that the caller frees it. Bases, keys, setups, FK20's tables and prepared points
 *  are immutable.
 *
 *  **Variable time.** Every multi-scalar multiplication here takes time that depends on the scalars. Do not use it on secrets
 *  if an attacker may measure the time.
 *
 *  **Errors.** Every call that can fail returns a sumac_status. The library never aborts, exits, prints or reads the
 *  environment. A call that fails changes no argument and leaves no output partly written. After a failure
 *  sumac_context_message() returns a message for people. A call without a context writes its message to a sumac_message.
 *  Any call with a context may return the following statuses, which the lists of @return do not repeat:
 *
 *  | status          | when                                                                                    |
 *  |-----------------|-----------------------------------------------------------------------------------------|
 *  | SUMAC_BUSY      | the context is in another thread's call, or the caller is a callback of the context     |
 *  | SUMAC_CANCELLED | sumac_context_cancel() or the progress function ended the call                          |
 *
 *  **Threads.** A context serves one call at a time, from any thread. While a call is running in a context, another thread's
 *  call with it, or with an object that belongs to it, such as a prepared call, is refused with SUMAC_BUSY. A call that a
 *  callback makes with its context is refused, too. A refused call changes nothing. sumac_context_message() returns each
 *  thread the message of that thread's call. sumac_context_destroy() cannot refuse: no call may be running.
 *  sumac_context_cancel(), sumac_context_message() and sumac_context_describe() may be called at any time. Calls with
 *  different contexts do not affect each other.
 *
 *  Any number of contexts and threads may use the same bases at once, if the contexts belong to the backend of the bases and,
 *  on a GPU, to their device. Groups are constants.
 *
 *  A context with more than one thread starts the others when work first needs them. If the system refuses some of them, the
 *  context works with fewer. sumac_context_destroy() joins them. When all contexts are gone, the library may be unloaded.
 *  Signals are left to the program's own threads. In an optimized build a call takes at most 64 KiB of its thread's stack, in
 *  addition to what a GPU's driver takes. After fork() the child may use and destroy bases, and CPU contexts that were in no
 *  call at that time. They do not use the parent's threads.
 *
 *  **Devices.** Bases that a GPU's context creates lie in that GPU's memory. If it lacks memory for them, they stay on the
 *  host, and every GPU can use them. A call with a context of another GPU or backend is refused with SUMAC_BAD_ARGUMENT before
 *  anything is done. sumac_bases_save() and sumac_bases_open() take bases from one to the other. Any context can read bases
 *  of the CPU with sumac_bases_get() and sumac_bases_save().
 *
 *  A context of several devices (sumac_context_config.devices) divides its MSMs, blobs and polynomials among them:
 *  docs/multi-gpu.md. The first device does all other work. Bases that such a context creates lie on all of its devices, and
 *  are used with contexts that have the same devices in the same order. Vectors lie on the first device, and so do scalars
 *  and results on a device. Such a context takes no stream. A program that itself decides which device does what creates a
 *  context for each device.
 *
 *  **Cancelling.** sumac_context_cancel() ends a call from any thread. The context's progress function, to which every long
 *  call reports, ends a call from within. The call then returns SUMAC_CANCELLED and writes no result.
 *
 *  **Exactness.** Results are exact. They are the same bits on every backend, with every plan, and with any number of threads
 *  and devices.
 *
 *  **Sizes, and zero.** Every struct that a caller passes begins with its size in bytes, so that programs and libraries
 *  of different versions understand each other: `sumac_msm_config config = {.size = sizeof config};`. Zero is the default of
 *  every other field, for ever, and each field's description says what it means. A flag is 0 or 1, and a field `reserved` is
 *  0; otherwise the call is refused with SUMAC_BAD_ARGUMENT. Structs only grow, at their end, and have no padding.
 *
 *  A struct is refused with SUMAC_BAD_ARGUMENT if its size is 0, more than 4096, or less than the first version's. If a struct
 *  of an older header lacks fields, these count as zero, and are not written. A struct of a newer header is accepted if all
 *  bytes that the library does not know are zero; otherwise it is refused with SUMAC_NOT_SUPPORTED. A struct that the library
 *  passes has the library's size: a younger field exists only if the size reaches beyond it. A field that holds a value of an
 *  enum is a uint32_t, and its name ends with the enum's: `scalar_form` is a sumac_form.
 *
 *  **Raw layout.** A coordinate has 8*ceil(bits(p)/64) bytes, little-endian. It is canonical (less than p) unless Montgomery
 *  form is asked for. Over Fp2 it is c0, then c1, of so many bytes each. A point is x, then y. The point at infinity is all
 *  zero bytes. A scalar has 8*ceil(bits(r)/64) bytes, little-endian. Any value of it is legal and means its residue modulo r.
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
