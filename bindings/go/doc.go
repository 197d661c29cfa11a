// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package sumac is multi-scalar multiplication on elliptic curves, and what is made of it: vectors and NTTs, KZG for any
// curve and for Ethereum's blobs, FK20, pairings, Groth16. It is a layer over the C library of the same name, and has all of
// it but MPI: the library's headers in include/sumac say more on each call than is said here.
//
// # Contexts and other objects
//
// A [Context] is a backend with its threads and memory. Calls are made with one, which is the first argument where it is not
// the receiver. Everything that has a Close method is freed by it, or by the garbage collector when nothing refers to it, in
// any order; what is closed while a call uses it is freed after the call. A call with an object that is closed, nil or a zero
// value is refused with [ErrBadArgument].
//
// # Options
//
// Calls that have options take them last, as values: NewContext(Threads(2), Tuning("variant=adx")). A later one of the same type
// counts in place of an earlier one.
//
// # Cancelling
//
// [Context.With] gives a context of this library one of package context: calls made with what it returns end when that is
// done, with an [*Error] that is [ErrCancelled] and, for [errors.Is], context.Canceled or context.DeadlineExceeded too.
//
// # Goroutines
//
// A Context serves one call at a time, from any goroutine; a second one is refused with [ErrBusy] and does no harm. Give
// each goroutine its own, or take them from a [Pool]. [Bases], [FK20], [PairingPoints], [Groth16Key] and
// [Groth16VerifyingKey] are immutable and shared by any number of calls at once. A [Vector] is read by any number of calls at
// once or written by one, and so is a [KZGSetup], which only [KZGSetup.MakeTables] writes: a call that would break this is
// refused. A [Call] belongs to its Context. [Plan] and [Curve] are plain data. A long call keeps its thread of the operating
// system, not the scheduler.
//
// # Memory
//
// Byte slices are read and written where they lie, without a copy; the library keeps none. [Bytes] shows slices of numbers,
// or of arrays of them, as bytes. Points and scalars are in raw layout: little-endian, canonical, x then y, and infinity all
// zeros, unless an option says otherwise. A slice of another length than the call needs is refused with [ErrBadLength] before
// the library sees it.
//
// # Errors
//
// Every error of this package is an [*Error], whose text is the library's sentence, and whose [Status] says what kind it is:
//
//	if errors.Is(err, sumac.ErrNotOnCurve) ...
//
// # Time
//
// Time depends on the scalars: do not use it on secrets that an attacker may time.
package sumac
