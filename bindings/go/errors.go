// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"fmt"
)

// Status is the outcome of a call. It is itself an error, which can be passed to [errors.Is].
type Status int

const (
	ErrBadArgument        Status = C.SUMAC_BAD_ARGUMENT        // a value is invalid, or an object is closed
	ErrUnknownCurve       Status = C.SUMAC_UNKNOWN_CURVE       // the library has no such curve or group
	ErrUnknownFormat      Status = C.SUMAC_UNKNOWN_FORMAT      // the library has no such format of points
	ErrUnknownBackend     Status = C.SUMAC_UNKNOWN_BACKEND     // the library has no such backend
	ErrUnknownPlan        Status = C.SUMAC_UNKNOWN_PLAN        // the library has no plan of this name
	ErrNotSupported       Status = C.SUMAC_NOT_SUPPORTED       // the call is legal, but this backend does not support it
	ErrBadLength          Status = C.SUMAC_BAD_LENGTH          // a slice or file has the wrong length
	ErrBadEncoding        Status = C.SUMAC_BAD_ENCODING        // bytes do not encode a point or scalar
	ErrNotOnCurve         Status = C.SUMAC_NOT_ON_CURVE        // a point is not on the curve
	ErrNotInSubgroup      Status = C.SUMAC_NOT_IN_SUBGROUP     // a point is outside the subgroup of order r
	ErrScalarTooLarge     Status = C.SUMAC_SCALAR_TOO_LARGE    // a scalar has more bits than the call declared
	ErrBadFile            Status = C.SUMAC_BAD_FILE            // a file has the wrong format or contents
	ErrBadChecksum        Status = C.SUMAC_BAD_CHECKSUM        // a file's checksum does not match its bytes
	ErrMismatch           Status = C.SUMAC_MISMATCH            // data belong to another curve, group or batch, or cells conflict
	ErrCannotOpen         Status = C.SUMAC_CANNOT_OPEN         // a path does not exist, or may not be read or written
	ErrReadFailed         Status = C.SUMAC_READ_FAILED         // the system could not read a file
	ErrWriteFailed        Status = C.SUMAC_WRITE_FAILED        // the system could not write a file, as when the disk is full
	ErrOutOfMemory        Status = C.SUMAC_OUT_OF_MEMORY       // an allocation failed
	ErrMemoryLimit        Status = C.SUMAC_MEMORY_LIMIT        // no plan fits in the memory limit
	ErrBackendUnavailable Status = C.SUMAC_BACKEND_UNAVAILABLE // the backend's library, driver or device is missing
	ErrDeviceFailed       Status = C.SUMAC_DEVICE_FAILED       // the device failed or was lost
	ErrInternal           Status = C.SUMAC_INTERNAL            // an invariant did not hold; please report it
	ErrCancelled          Status = C.SUMAC_CANCELLED           // the call was ended from outside
	ErrBusy               Status = C.SUMAC_BUSY                // the context runs a call, or all contexts of a pool are taken
	ErrNotSatisfied       Status = C.SUMAC_NOT_SATISFIED       // a witness does not satisfy the constraints
)

// Error returns a constant sentence for the status.
func (s Status) Error() string { return C.GoString(C.sumac_status_text(C.sumac_status(s))) }

// MachineFault says whether the likely cause is the machine (memory, disk or device), rather than the input.
func (s Status) MachineFault() bool {
	return C.sumac_status_is_machine_fault(C.sumac_status(s)) != 0
}

// Error describes a call that failed. The call wrote no result.
type Error struct {
	Status  Status
	Message string // one sentence for people

	causes []error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is says whether target is the error's status.
func (e *Error) Is(target error) bool { return target == e.Status }

// Unwrap returns the errors that cancelled the call. They are the error of a context.Context, the error that a progress
// function returned, or a [*PanicError].
func (e *Error) Unwrap() []error { return e.causes }

// PanicError is a panic or a call of runtime.Goexit in a callback of the caller. It ended the call.
type PanicError struct {
	Value any // nil: the callback called runtime.Goexit
	Stack []byte
}

// Error returns a sentence with the value of the panic.
func (p *PanicError) Error() string {
	return fmt.Sprintf("a callback of the caller panicked: %v", p.Value)
}

func refuse(status Status, format string, arguments ...any) error {
	return &Error{Status: status, Message: fmt.Sprintf(format, arguments...)}
}

// failure converts the status of a call without a context to an error.
func failure(status C.sumac_status, reason *C.sumac_message) error {
	if status == C.SUMAC_OK {
		return nil
	}
	if message := C.GoString(&reason.text[0]); message != "" {
		return &Error{Status: Status(status), Message: message}
	}
	return &Error{Status: Status(status), Message: Status(status).Error()}
}

func checkLength(what string, has, needs int) error {
	if has != needs {
		return refuse(ErrBadLength, "%s: there are %d bytes, but %d are needed", what, has, needs)
	}
	return nil
}

// product returns n*bytes, the size of n elements. If an int can't hold the product, it returns -1.
func product(n, bytes int) int {
	if bytes != 0 && n > int(^uint(0)>>1)/bytes {
		return -1
	}
	return n * bytes
}

// countElements returns the number of elements in `has` bytes, if each has `bytes` bytes.
func countElements(what string, has, bytes int) (int, error) {
	if has%bytes != 0 {
		return 0, refuse(ErrBadLength, "%s: %d bytes are not a multiple of %d", what, has, bytes)
	}
	return has / bytes, nil
}
