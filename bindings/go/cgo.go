// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

/*
#cgo sumac_system pkg-config: sumac
#cgo !sumac_system CFLAGS: -I${SRCDIR}/internal
#include "callbacks.h"
*/
import "C"

import (
	"runtime"
	"strings"
	"unsafe"
)

// Bytes returns the memory of a slice as bytes, without a copy. The slice has numbers, or arrays of numbers, such as field
// elements. The library reads little-endian words.
func Bytes[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64 |
	~[4]uint64 | ~[5]uint64 | ~[6]uint64 | ~[10]uint64 | ~[12]uint64 | ~[32]byte | ~[48]byte | ~[96]byte](elements []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(elements))), len(elements)*int(unsafe.Sizeof(one)))
}

// The variable nothing stands for an empty slice: C gets its address, because the address must not be null.
var nothing [8]byte

func start[T any](s []T) unsafe.Pointer {
	if len(s) == 0 {
		return unsafe.Pointer(&nothing)
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

// length returns the length in bytes of the memory that start() and startOrNull() return for the same slice.
func length(s []byte) C.size_t { return C.size_t(len(s)) }

// startOrNull does the same as start(), but returns null for an empty slice. It is for parameters that may be left out.
func startOrNull[T any](s []T) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

func flag(set bool) C.uint32_t {
	if set {
		return 1
	}
	return 0
}

// scratch has memory that lives as long as one call: C's copies of strings, and pinned Go memory that a struct of C points to.
type scratch struct {
	pinner  runtime.Pinner
	strings []*C.char
	err     error
}

func (s *scratch) free() {
	s.pinner.Unpin()
	for _, text := range s.strings {
		C.free(unsafe.Pointer(text))
	}
	s.strings = nil
}

func (s *scratch) text(text string) *C.char {
	if strings.IndexByte(text, 0) >= 0 {
		s.fail(refuse(ErrBadArgument, "a name or path has a 0 byte: %q", text))
		return nil
	}
	copied := C.CString(text)
	s.strings = append(s.strings, copied)
	return copied
}

// fail keeps the first error.
func (s *scratch) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// do makes a call with these arguments, unless one of them was refused. Then it frees the arguments.
func (s *scratch) do(c *Context, f func() C.sumac_status, uses ...use) error {
	defer s.free()
	if s.err != nil {
		return s.err
	}
	return c.do(f, uses...)
}

// count returns the number of elements in a slice of `has` bytes, if each has `bytes` bytes.
func (s *scratch) count(what string, has, bytes int) C.size_t {
	n, err := countElements(what, has, bytes)
	s.fail(err)
	return C.size_t(n)
}

func (s *scratch) exactly(what string, has, needs int) {
	s.fail(checkLength(what, has, needs))
}

// curve returns its argument. If an earlier argument was refused, this one may be nil. Then curve returns a placeholder with
// tiny elements, and the call fails in any case.
func (s *scratch) curve(curve *Curve) *Curve {
	if s.err != nil {
		return &Curve{PointBytes: 2, ScalarBytes: 1}
	}
	return curve
}

// ask makes a call whose answer is yes or no.
func (s *scratch) ask(c *Context, f func(answer *C.int) C.sumac_status, uses ...use) (bool, error) {
	var answer C.int
	err := s.do(c, func() C.sumac_status { return f(&answer) }, uses...)
	return err == nil && answer != 0, err
}

// deliver returns a call's result, or the zero value if the call failed.
func deliver[T any](result T, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// option converts text for a parameter of C. If the text is "", the parameter is null.
func (s *scratch) option(text string) *C.char {
	if text == "" {
		return nil
	}
	return s.text(text)
}

// pinned pins an array that a struct of C points to, and returns its address.
func pinned[T any](s *scratch, array []T) unsafe.Pointer {
	if len(array) == 0 {
		return nil
	}
	s.pinner.Pin(unsafe.SliceData(array))
	return unsafe.Pointer(unsafe.SliceData(array))
}

// zeroedResults allocates results whose number is limited only by an argument. It first allocates as much memory in C, and frees
// it, because calloc() fails if there is too little memory, but Go would end the program.
func zeroedResults(bytes int) ([]byte, error) {
	block := C.calloc(1, C.size_t(bytes))
	if block == nil && bytes != 0 {
		return nil, refuse(ErrOutOfMemory, "there is no memory of %d bytes for the results", bytes)
	}
	C.free(block)
	return make([]byte, bytes), nil
}

// size converts a size for C. In Go a size is an int, and may be negative, which is an error.
func (s *scratch) size(what string, n int) C.size_t {
	if n < 0 {
		s.fail(refuse(ErrBadArgument, "%s is %d", what, n))
		return 0
	}
	return C.size_t(n)
}
