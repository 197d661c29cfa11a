# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has the shared library, the handles of its objects, the options of calls, and the errors with which calls end."""
from __future__ import annotations

import operator
import os
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type, TypeVar, Union

from . import _interface
from ._declarations import ffi as ffi
from .errors import BadArgument, error_of

# Before 1.0 each minor version has a different interface.
_SUFFIX = f"0.{_interface.VERSION_MINOR}" if _interface.VERSION_MAJOR == 0 else str(_interface.VERSION_MAJOR)
_NAME = f"libsumac.so.{_SUFFIX}"


def _open() -> Any:
    """Open the library of the wheel. If the wheel has none, open the system's library."""
    packaged = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", _NAME)
    path = packaged if os.path.exists(packaged) else _NAME
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"sumac's library is not found: {error}; install sumac, or the wheel that has it inside, or set "
                          "LD_LIBRARY_PATH=PREFIX/lib if it is installed in a PREFIX of its own") from None
    try:
        found = ffi.string(library.sumac_version()).decode()
    except AttributeError:
        raise ImportError(f"{path} is not sumac's library") from None
    if found.split(".")[:2 if _interface.VERSION_MAJOR == 0 else 1] != _SUFFIX.split("."):
        raise ImportError(f"{path} has version {found}, and this package is for {_SUFFIX}")
    return library


lib = _open()
version: str = ffi.string(lib.sumac_version()).decode()


class _Fork:
    """The number of forks between this process and the process that loaded the package."""

    generation = 0


def _forked() -> None:
    _Fork.generation += 1


os.register_at_fork(after_in_child=_forked)


def in_this_process(free: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Return a function that frees its argument, but does nothing in a process that is forked later."""
    generation = _Fork.generation

    def free_here(pointer: Any) -> None:
        if _Fork.generation == generation:
            free(pointer)

    return free_here


class Owned:
    """One object of the library. It is destroyed when nothing needs it any more. Its Python object, a running call of any
    thread, and another object may need it. For example, a prepared call needs its context.

    Python frees the objects of a reference cycle in any order, so the objects that need this one are counted.

    A process that is forked later can't use objects of a GPU's context, nor a context that was in a call at the fork. It does
    not destroy them.
    """

    __slots__ = ("pointer", "calls", "on_device", "_needs", "_keep", "_others", "_held", "_destroy", "_generation")

    def __init__(self, pointer: Any, destroy: Callable[[Any], Any], needs: Tuple[Any, ...] = (), on_device: bool = False):
        self.pointer = pointer
        # A context's `calls` has one entry for each of its running calls.
        self.calls: List[None] = []
        self.on_device = on_device
        self._needs = [need for need in needs if type(need) is Owned]
        self._keep = needs
        # `_others` has one entry for each object that needs this one. It is a list instead of a count, because append() and
        # pop() of a list are atomic.
        self._others: List[None] = []
        # A context's queued calls may use these objects until the context has waited for the calls. The keys are their id().
        self._held: Dict[int, Any] = {}
        self._destroy = destroy
        self._generation = _Fork.generation
        for need in self._needs:
            need._others.append(None)

    def is_lost(self) -> bool:
        return self._generation != _Fork.generation and bool(self.on_device or self.calls)

    def replace_destroy(self, destroy: Callable[[Any], Any]) -> None:
        """Set another function that destroys the object."""
        self._destroy = destroy

    def hold(self, *things: Any) -> None:
        """Keep these things, too, because a call that uses them is queued."""
        for thing in things:
            if id(thing) not in self._held:
                self._held[id(thing)] = thing
                if type(thing) is Owned:
                    thing._others.append(None)

    def let_go(self) -> None:
        """Release all kept things, because queued calls have been waited for."""
        before, self._held = self._held, {}
        for thing in before.values():
            if type(thing) is Owned:
                thing._release()

    def _release(self) -> None:
        try:
            self._others.pop()
        except IndexError:
            if not self.is_lost():
                self._destroy(self.pointer)  # it waits for queued calls
            self.let_go()
            for need in self._needs:
                need._release()

    def __del__(self) -> None:
        self._release()


H = TypeVar("H", bound="Handle")


class Handle:
    """An object of the library. It is closed by close(), at the end of a `with`, or when nothing refers to it any more. If an
    object is closed while another thread's call uses it, it is freed when that call ends."""

    _what = "object"
    _owned: Optional[Owned] = None

    def _take(self) -> Owned:
        """Return the object of the library for a call. The caller must keep it until the call has ended."""
        owned = self._owned
        if owned is None:
            raise BadArgument(f"the {self._what} is closed")
        if owned.is_lost():
            raise BadArgument(f"the {self._what} is of no use here: this process was forked, and a GPU's context, or one that "
                              "was in a call then, does not live on in it; create another one")
        return owned

    def close(self) -> None:
        """Free the object. A second call does nothing."""
        self._owned = None

    @property
    def closed(self) -> bool:
        """Say whether close() was called."""
        return self._owned is None

    def __enter__(self: H) -> H:
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(f"a {self._what} can't be pickled, because it exists only in this process")


def pointers(arguments: Iterable[Any]) -> List[Any]:
    return [a.pointer if type(a) is Owned else a for a in arguments]


def text(string: Any) -> str:
    """Convert a C string."""
    return ffi.string(string).decode("utf-8", "replace")


def text_or_none(string: Any) -> Optional[str]:
    return None if string == ffi.NULL else text(string)


def check_message(status: int, message: Any) -> None:
    """Raise the error of a call without a context. The error's sentence is in `message`."""
    if status:
        raise error_of(status, text(message.text) or text(lib.sumac_status_text(status)))


K = TypeVar("K")


def instance_of(kind: Type[K], value: Any, what: str) -> K:
    """Return the caller's object if it is of this class. Otherwise raise a TypeError."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is of type {type(value).__name__}, and must be a {kind.__name__}")
    return value


def mapping_of(value: Any, what: str) -> Dict[str, Any]:
    """Return a copy of the caller's options. None means no options."""
    return {} if value is None else dict(instance_of(dict, value, what))


def encoded(string: str, what: str) -> bytes:
    """Encode text for the library."""
    try:
        return string.encode()
    except UnicodeEncodeError:
        raise BadArgument(f"{what} has a character that UTF-8 does not encode") from None


def path_of(path: Union[str, bytes, "os.PathLike[str]"]) -> bytes:
    """Encode a path for the library."""
    try:
        encoded = os.fsencode(path)
    except TypeError:
        raise TypeError(f"a path is of type {type(path).__name__}, and must be a string, bytes or an os.PathLike") from None
    except UnicodeEncodeError:
        raise BadArgument("a path has a character that the file system's encoding does not have") from None
    if b"\0" in encoded:
        raise BadArgument("a path has no zero byte")
    return encoded


def name_of(name: Optional[str], what: str) -> Any:
    """Encode a name for the library. None becomes null."""
    if name is None:
        return ffi.NULL
    if not isinstance(name, str):
        raise TypeError(f"{what} is of type {type(name).__name__}, and must be a string")
    if "\0" in name:
        raise BadArgument(f"{what} has a zero byte")
    return ffi.new("char[]", encoded(name, what))


def enum_of(kind: Any, value: Any, what: str) -> int:
    """Return an enum's number. The caller gives a value of the enum, the name of a value, or a number."""
    if isinstance(value, str):
        try:
            return int(kind[value.upper().replace("-", "_")])
        except KeyError:
            names = ", ".join(f'"{name.lower()}"' for name in kind.__members__)
            raise BadArgument(f'{what} is "{value}", and may be {names}') from None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{what} is of type {type(value).__name__}, and must be a {kind.__name__} or its name")
    return integer_of("uint32_t", value, what)


_RANGES: Dict[str, Tuple[int, int]] = {
    "uint32_t": (0, 2**32 - 1), "int32_t": (-2**31, 2**31 - 1), "uint64_t": (0, 2**64 - 1), "size_t": (0, 2**64 - 1)}


def integer_of(kind: str, value: Any, what: str) -> int:
    """Return an integer that the library's type can hold. numpy's integers are accepted."""
    if kind == "double":
        if not isinstance(value, (int, float)):
            raise TypeError(f"{what} is of type {type(value).__name__}, and must be a number")
        try:
            return float(value)  # type: ignore[return-value]
        except OverflowError:
            raise BadArgument(f"{what} is larger than any floating-point number") from None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is of type {type(value).__name__}, and must be an integer") from None
    low, high = _RANGES[kind]
    if not low <= number <= high:
        raise BadArgument(f"{what} is {number}, and may be {low} to {high}")
    return number


def size_of(value: Any, what: str) -> int:
    return integer_of("size_t", value, what)


def integers_of(kind: str, values: Any, what: str) -> List[int]:
    """Return a list of integers that the library's type can hold."""
    try:
        given = list(values)
    except (TypeError, OverflowError, MemoryError):  # a range may be longer than any list can be
        raise TypeError(f"{what} are of type {type(values).__name__}, and must be a list of integers") from None
    return [integer_of(kind, value, f"one of {what}") for value in given]


def sized(struct: str) -> Any:
    """Make a struct whose size is set. The default of all other fields is zero."""
    return ffi.new(struct + " *", {"size": ffi.sizeof(struct)})


class Options:
    """A struct with the caller's options, and the memory to which it points. If the caller gave no options, `pointer` is
    null."""

    def __init__(self, struct: str, given: Dict[str, Any], always: bool = False):
        self.keep: List[Any] = []
        self.pointer = ffi.NULL
        if not given and not always:
            return
        self.pointer = sized(struct)
        kinds = _interface.OPTIONS[struct]
        for name, value in given.items():
            if name not in kinds:
                raise TypeError(f"there is no option '{name}'; there are {', '.join(kinds)}")
            if value is None:
                continue
            kind: Any = kinds[name]
            if kind == "pointer":
                self._point(name, value)
            elif kind == "text":
                self.set(name, name_of(value, name))
            elif isinstance(kind, str):
                setattr(self.pointer, name, integer_of(kind, value, name))
            else:
                # The number is passed on. If it is not a value of the enum, the library refuses it.
                setattr(self.pointer, name, enum_of(kind, value, name))

    def set(self, name: str, value: Any) -> None:
        """Set a field that points to memory, and keep the memory as long as the options."""
        self.keep.append(value)
        setattr(self.pointer, name, value)

    def _point(self, name: str, value: Any) -> None:
        if isinstance(value, ffi.CData):
            self.set(name, value)
        else:
            raise TypeError(f"{name} is of type {type(value).__name__}")
