# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors: one class for each status, and above them Error. Each is also Python's own class for such a thing, if there is one."""
from __future__ import annotations

from ._interface import Status

_BY_STATUS: dict[int, type[Error]] = {}


class Error(Exception):
    """A call that failed. `str(error)` is the library's sentence, and `error.status` what kind of failure it is."""

    status: Status = Status.INTERNAL

    def __init_subclass__(cls, status: Status | None = None) -> None:
        if status is not None:
            cls.status = status
            _BY_STATUS[status] = cls


class BadArgument(Error, ValueError, status=Status.BAD_ARGUMENT):
    """A value out of range, a combination that means nothing, or an object that is closed."""


class UnknownCurve(Error, LookupError, status=Status.UNKNOWN_CURVE):
    """No such curve or group in the library."""


class UnknownFormat(Error, LookupError, status=Status.UNKNOWN_FORMAT):
    """No such format of points."""


class UnknownBackend(Error, LookupError, status=Status.UNKNOWN_BACKEND):
    """No such backend."""


class UnknownPlan(Error, LookupError, status=Status.UNKNOWN_PLAN):
    """No such named plan."""


class NotSupported(Error, NotImplementedError, status=Status.NOT_SUPPORTED):
    """Legal, but this backend can't honour it."""


class BadLength(Error, ValueError, status=Status.BAD_LENGTH):
    """A buffer or file of the wrong length."""


class BadEncoding(Error, ValueError, status=Status.BAD_ENCODING):
    """Bytes that do not encode a point or scalar."""


class NotOnCurve(BadEncoding, status=Status.NOT_ON_CURVE):
    """A point off the curve."""


class NotInSubgroup(BadEncoding, status=Status.NOT_IN_SUBGROUP):
    """A point outside the subgroup of order r."""


class ScalarTooLarge(Error, ValueError, status=Status.SCALAR_TOO_LARGE):
    """A scalar of more bits than the call declared."""


class BadFile(Error, ValueError, status=Status.BAD_FILE):
    """A file that is not what it should be."""


class BadChecksum(BadFile, status=Status.BAD_CHECKSUM):
    """A file whose checksum does not match its bytes."""


class Mismatch(Error, ValueError, status=Status.MISMATCH):
    """A file or partial result of another curve, group or batch; cells that do not fit each other."""

    #: KzgSetup.recover_cells_and_proofs() sets these: the first blob whose cells do not fit each other, and the index of a
    #: wrong one, None if it is not known.
    blob: int | None = None
    cell: int | None = None


class CannotOpen(Error, OSError, status=Status.CANNOT_OPEN):
    """A path that does not exist, is a directory, or may not be read or written."""


class ReadFailed(Error, OSError, status=Status.READ_FAILED):
    """The operating system failed a read."""


class WriteFailed(Error, OSError, status=Status.WRITE_FAILED):
    """A write failed; the disk is full."""


class OutOfMemory(Error, MemoryError, status=Status.OUT_OF_MEMORY):
    """An allocation failed."""


class MemoryLimit(Error, MemoryError, status=Status.MEMORY_LIMIT):
    """No plan fits in the memory limit."""


class BackendUnavailable(Error, RuntimeError, status=Status.BACKEND_UNAVAILABLE):
    """The backend's library, driver or device is missing."""


class DeviceFailed(Error, RuntimeError, status=Status.DEVICE_FAILED):
    """The device failed or was lost."""


class Internal(Error, RuntimeError, status=Status.INTERNAL):
    """An invariant of the library did not hold; please report it."""


class Cancelled(Error, status=Status.CANCELLED):
    """The progress function ended the call."""


class Busy(Error, status=Status.BUSY):
    """All contexts of a pool are taken."""


class NotSatisfied(Error, ValueError, status=Status.NOT_SATISFIED):
    """A witness that does not satisfy the constraints of the circuit."""


def error_of(status: int, sentence: str) -> Error:
    """The exception for a status. One of a newer library is an Error with that number."""
    if status in _BY_STATUS:
        return _BY_STATUS[status](sentence)
    error = Error(sentence)
    error.status = status  # type: ignore[assignment]
    return error
