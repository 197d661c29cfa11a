// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"fmt"
)

// Status is the outcome of a call. It is an error itself, for [errors.Is].
type Status int

const (
	ErrBadArgument        Status = C.SUMAC_BAD_ARGUMENT        // a value out of range, a combination that means nothing, an object that is closed
	ErrUnknownCurve       Status = C.SUMAC_UNKNOWN_CURVE       // no such curve or group
	ErrUnknownFormat      Status = C.SUMAC_UNKNOWN_FORMAT      // no such format of points
	ErrUnknownBackend     Status = C.SUMAC_UNKNOWN_BACKEND     // no such backend
	ErrUnknownPlan        Status = C.SUMAC_UNKNOWN_PLAN        // no such named plan
	ErrNotSupported       Status = C.SUMAC_NOT_SUPPORTED       // legal, but this backend can't honour it
	ErrBadLength          Status = C.SUMAC_BAD_LENGTH          // a slice or file of the wrong length
	ErrBadEncoding        Status = C.SUMAC_BAD_ENCODING        // bytes that do not encode a point or scalar
	ErrNotOnCurve         Status = C.SUMAC_NOT_ON_CURVE        // a point off the curve
	ErrNotInSubgroup      Status = C.SUMAC_NOT_IN_SUBGROUP     // a point outside the subgroup of order r
	ErrScalarTooLarge     Status = C.SUMAC_SCALAR_TOO_LARGE    // a scalar of more bits than the call declared
	ErrBadFile            Status = C.SUMAC_BAD_FILE            // a file that is not what it should be
	ErrBadChecksum        Status = C.SUMAC_BAD_CHECKSUM        // a file whose checksum does not match its bytes
	ErrMismatch           Status = C.SUMAC_MISMATCH            // a file or partial result of another curve, group or batch
	ErrCannotOpen         Status = C.SUMAC_CANNOT_OPEN         // a path that does not exist, or may not be read or written
	ErrReadFailed         Status = C.SUMAC_READ_FAILED         // the system failed a read
	ErrWriteFailed        Status = C.SUMAC_WRITE_FAILED        // a write failed, the disk is full
	ErrOutOfMemory        Status = C.SUMAC_OUT_OF_MEMORY       // an allocation failed
	ErrMemoryLimit        Status = C.SUMAC_MEMORY_LIMIT        // no plan fits in the memory limit
	ErrBackendUnavailable Status = C.SUMAC_BACKEND_UNAVAILABLE // the backend's library, driver or device is missing
	ErrDeviceFailed       Status = C.SUMAC_DEVICE_FAILED       // the device failed or was lost
	ErrInternal           Status = C.SUMAC_INTERNAL            // an invariant did not hold; please report it
	ErrCancelled          Status = C.SUMAC_CANCELLED           // the call was ended from outside
	ErrBusy               Status = C.SUMAC_BUSY                // the context is in another call, or all contexts of a pool are taken
	ErrNotSatisfied       Status = C.SUMAC_NOT_SATISFIED       // a witness that does not satisfy the constraints
)

// Error is a constant sentence for the status.
func (s Status) Error() string { return C.GoString(C.sumac_status_text(C.sumac_status(s))) }

// MachineFault says whether the machine is the likely cause (memory, disk, device) and not the input.
func (s Status) MachineFault() bool {
	return C.sumac_status_is_machine_fault(C.sumac_status(s)) != 0
}

// Error is a call that failed. It wrote no result.
type Error struct {
	Status  Status
	Message string // one sentence for people

	causes []error
}

// Error is the sentence.
func (e *Error) Error() string { return e.Message }

// Is says whether target is the error's status.
func (e *Error) Is(target error) bool { return target == e.Status }

// Unwrap returns the errors that cancelled the call: that of a context.Context, that which a progress function returned, or a
// [*PanicError].
func (e *Error) Unwrap() []error { return e.causes }

// PanicError is a panic, or runtime.Goexit, in a callback of the caller's. It ended the call.
type PanicError struct {
	Value any // nil: runtime.Goexit
	Stack []byte
}

// Error says what the function panicked with.
func (p *PanicError) Error() string {
	return fmt.Sprintf("a function of the caller's panicked: %v", p.Value)
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
		return refuse(ErrBadLength, "%s: there are %d bytes, and it takes %d", what, has, needs)
	}
	return nil
}

// product returns n*bytes, the size of n elements, also where an int can't hold that.
func product(n, bytes int) int {
	if bytes != 0 && n > int(^uint(0)>>1)/bytes {
		return -1
	}
	return n * bytes
}

// countElements returns how many elements of `bytes` bytes each are in `has` bytes.
func countElements(what string, has, bytes int) (int, error) {
	if has%bytes != 0 {
		return 0, refuse(ErrBadLength, "%s: %d bytes are not a multiple of %d", what, has, bytes)
	}
	return has / bytes, nil
}
