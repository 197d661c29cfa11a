# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors: one class for each status, and above them Error. Each is also Python's own class for such a thing, if there is one."""
from __future__ import annotations

from ._interface import Status


class Error(Exception):
    """A call that failed. `str(error)` is the library's sentence, and `error.status` what kind of failure it is."""

    status: Status = Status.INTERNAL


class BadArgument(Error, ValueError):
    """A value out of range, a combination that means nothing, or an object that is closed."""

    status = Status.BAD_ARGUMENT


class UnknownCurve(Error, LookupError):
    """No such curve or group in the library."""

    status = Status.UNKNOWN_CURVE


class UnknownFormat(Error, LookupError):
    """No such format of points."""

    status = Status.UNKNOWN_FORMAT


class UnknownBackend(Error, LookupError):
    """No such backend."""

    status = Status.UNKNOWN_BACKEND


class UnknownPlan(Error, LookupError):
    """No such named plan."""

    status = Status.UNKNOWN_PLAN


class NotSupported(Error, NotImplementedError):
    """Legal, but this backend can't honour it."""

    status = Status.NOT_SUPPORTED


class BadLength(Error, ValueError):
    """A buffer or file of the wrong length."""

    status = Status.BAD_LENGTH


class BadEncoding(Error, ValueError):
    """Bytes that do not encode a point or scalar."""

    status = Status.BAD_ENCODING


class NotOnCurve(BadEncoding):
    """A point off the curve."""

    status = Status.NOT_ON_CURVE


class NotInSubgroup(BadEncoding):
    """A point outside the subgroup of order r."""

    status = Status.NOT_IN_SUBGROUP


class ScalarTooLarge(Error, ValueError):
    """A scalar of more bits than the call declared."""

    status = Status.SCALAR_TOO_LARGE


class BadFile(Error, ValueError):
    """A file that is not what it should be."""

    status = Status.BAD_FILE


class BadChecksum(BadFile):
    """A file whose checksum does not match its bytes."""

    status = Status.BAD_CHECKSUM


class Mismatch(Error, ValueError):
    """A file or partial result of another curve, group or batch; cells that do not fit each other."""

    status = Status.MISMATCH
    #: Of KzgSetup.recover_cells_and_proofs(): the first blob whose cells do not fit each other, and the index of a wrong one,
    #: None if that can't be told.
    blob: int | None = None
    cell: int | None = None


class CannotOpen(Error, OSError):
    """A path that does not exist, is a directory, or may not be read or written."""

    status = Status.CANNOT_OPEN


class ReadFailed(Error, OSError):
    """The operating system failed a read."""

    status = Status.READ_FAILED


class WriteFailed(Error, OSError):
    """A write failed; the disk is full."""

    status = Status.WRITE_FAILED


class OutOfMemory(Error, MemoryError):
    """An allocation failed."""

    status = Status.OUT_OF_MEMORY


class MemoryLimit(Error, MemoryError):
    """No plan fits in the memory limit."""

    status = Status.MEMORY_LIMIT


class BackendUnavailable(Error, RuntimeError):
    """The backend's library, driver or device is missing."""

    status = Status.BACKEND_UNAVAILABLE


class DeviceFailed(Error, RuntimeError):
    """The device failed or was lost."""

    status = Status.DEVICE_FAILED


class Internal(Error, RuntimeError):
    """An invariant of the library did not hold; please report it."""

    status = Status.INTERNAL


class Cancelled(Error):
    """The progress function ended the call."""

    status = Status.CANCELLED


class Busy(Error):
    """All contexts of a pool are taken."""

    status = Status.BUSY


class NotSatisfied(Error, ValueError):
    """A witness that does not satisfy the constraints of the circuit."""

    status = Status.NOT_SATISFIED


def _classes() -> dict[int, type[Error]]:
    return {c.__dict__["status"]: c for c in globals().values() if isinstance(c, type) and issubclass(c, Error) and c is not Error}


_BY_STATUS = _classes()


def error_of(status: int, sentence: str) -> Error:
    """The exception for a status. One of a newer library is an Error with that number."""
    if status in _BY_STATUS:
        return _BY_STATUS[status](sentence)
    error = Error(sentence)
    error.status = status  # type: ignore[assignment]
    return error
