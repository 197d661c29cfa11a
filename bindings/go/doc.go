// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package sumac computes multi-scalar multiplications on elliptic curves, and what is built on them: vectors and NTTs, KZG for
// any curve and for Ethereum's blobs, FK20, pairings and Groth16. The package is a layer over the C library of the same name,
// and covers all of it except MPI. The library's headers in include/sumac describe each call in more detail.
//
// # Contexts and other objects
//
// A [Context] is a backend with its threads and memory. Each call is made with a Context, which is the receiver or the first
// argument. Every object that has a Close method is freed when it is closed, or when the garbage collector finds that nothing
// refers to it. Objects may be closed in any order. If an object is closed while a call uses it, it is freed after the call. If
// an object is closed, nil or a zero value, a call with it returns [ErrBadArgument].
//
// # Options
//
// Calls that have options take them as their last arguments: NewContext(Threads(2), Tuning("variant=adx")). If several options
// have the same type, the last one counts.
//
// # Cancelling
//
// [Context.With] connects a Context with a context.Context. Calls of the returned Context end when the context.Context is done.
// Their [*Error] then is [ErrCancelled] and, for [errors.Is], also context.Canceled or context.DeadlineExceeded.
//
// # Goroutines
//
// A Context runs one call at a time, from any goroutine. A second call meanwhile returns [ErrBusy] and does no harm. Give each
// goroutine its own Context, or take Contexts from a [Pool]. [Bases], [FK20], [KZGSetup], [PairingPoints], [Groth16Key] and
// [Groth16VerifyingKey] are immutable, and any number of calls may use them at once. A [Vector] may be read by any number of
// calls at once, or written by one. A call that would break this rule is refused. A [Call] belongs to its Context. [Plan] and
// [Curve] are plain data. A long call occupies its thread of the operating system, but does not block Go's scheduler.
//
// # Memory
//
// Calls read and write byte slices in place, without a copy, and the library keeps no reference to them. [Bytes] returns a
// slice of numbers, or of arrays of numbers, as bytes. Unless an option says otherwise, points and scalars are raw:
// little-endian and canonical, a point is x followed by y, and infinity is all zeros. If a slice does not have the length that
// a call needs, the call returns [ErrBadLength] before the library reads the slice.
//
// # Errors
//
// Every error of this package is an [*Error]. Its text is a sentence of the library, and its [Status] says which kind of error
// it is:
//
//	if errors.Is(err, sumac.ErrNotOnCurve) ...
//
// # Time
//
// The time of a call depends on the scalars. Do not use the package on secrets if an attacker can measure times.
package sumac
