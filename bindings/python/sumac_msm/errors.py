# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has one error class for each status. They derive from Error and, if Python has a class for such an error, also
from that class."""
from __future__ import annotations

from ._interface import Status

_BY_STATUS: dict[int, type[Error]] = {}


class Error(Exception):
    """The error of a failed call. `str(error)` is the library's sentence, and `error.status` is the kind of failure."""

    status: Status = Status.INTERNAL

    def __init_subclass__(cls, status: Status | None = None) -> None:
        if status is not None:
            cls.status, cls.__module__ = status, __name__
            _BY_STATUS[status] = cls


def error_of(status: int, sentence: str) -> Error:
    """Return the exception for a status. If the status is unknown because the library is newer, the exception is an Error with
    that number."""
    if status in _BY_STATUS:
        return _BY_STATUS[status](sentence)
    error = Error(sentence)
    error.status = status  # type: ignore[assignment]
    return error


from ._errors import *  # noqa: E402, F403: these classes are made from the headers and derive from Error
