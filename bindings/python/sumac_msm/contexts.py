# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has contexts, each with a backend, devices, threads and memory. It also has pools of contexts that threads
share."""
from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

from ._buffers import DEFAULT_STREAM, array_over
from ._interface import ALL_DEVICES, ContextOptions, Location, Status
from ._library import (Handle, Options, Owned, check_message, ffi, in_this_process, instance_of, integer_of, integers_of, lib,
                       name_of, pointers, size_of, sized, text)
from .curves import as_curve
from .errors import BadArgument, error_of

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack


class TraceEvent(NamedTuple):
    """A span of work. Its times are seconds of a monotonic clock."""

    name: str
    thread: int
    pass_: int
    start: float
    end: float


class _Callbacks:
    """The functions of a caller in the form in which the library calls them, and their exceptions. An exception ends the call,
    which then raises it. There is always a progress function, so that Ctrl-C ends a call: Python checks for signals only while
    Python code runs."""

    def __init__(self, trace: Any, progress: Any):
        for function, what in ((trace, "trace"), (progress, "progress")):
            if function is not None and not callable(function):
                raise TypeError(f"{what} is of type {type(function).__name__}, and must be callable")
        self._trace_function, self._progress_function = trace, progress
        # `_raised` maps the thread of a call to the exception of the progress function. Any thread may call the trace function,
        # so its exceptions are in a list.
        self._raised: Dict[int, BaseException] = {}
        self._raised_by_trace: List[BaseException] = []
        self.progress = ffi.callback("int(void *, double)", self._progress, error=1, onerror=self._progress_failed)
        self.trace = ffi.callback("void(void *, const sumac_trace_event *)", self._trace, onerror=self._trace_failed) \
            if trace is not None else ffi.NULL

    def _progress(self, _user: Any, done: float) -> int:
        if self._raised_by_trace:
            return 1
        return 1 if self._progress_function is not None and self._progress_function(done) else 0

    def _progress_failed(self, _type: Any, exception: BaseException, _traceback: Any) -> None:
        self._raised[threading.get_ident()] = exception

    def _trace(self, _user: Any, event: Any) -> None:
        self._trace_function(TraceEvent(text(event.name), event.thread, getattr(event, "pass"), event.start, event.end))

    def _trace_failed(self, _type: Any, exception: BaseException, _traceback: Any) -> None:
        self._raised_by_trace.append(exception)

    def take(self) -> Optional[BaseException]:
        """Remove and return the exception that this thread's call has to raise."""
        exception = self._raised.pop(threading.get_ident(), None) if self._raised else None
        if exception is None and self._raised_by_trace:
            exception = self._raised_by_trace[0]
            self._raised_by_trace.clear()
        return exception


def _options(given: Any) -> Tuple[Options, _Callbacks]:
    """Make a sumac_context_config of a caller's options. The memory to which it points lives as long as the returned
    objects."""
    given = dict(given)
    callbacks = _Callbacks(given.pop("trace", None), given.pop("progress", None))
    devices, weights = given.pop("devices", None), given.pop("device_weights", None)
    options = Options("sumac_context_config", given, always=True)
    options.set("progress", callbacks.progress)
    if callbacks.trace != ffi.NULL:
        options.set("trace", callbacks.trace)
    is_all = isinstance(devices, str) and devices == "all"
    if is_all:
        options.pointer.device_count = ALL_DEVICES
    elif devices is not None:
        numbers = integers_of("int32_t", devices, "devices")
        options.set("devices", ffi.new("int32_t[]", numbers))
        options.pointer.device_count = len(numbers)
    if weights is not None:
        given_weights = integers_of("uint32_t", weights, "weights of devices")
        # The library reads a weight for each device, and the number of all devices is not known here.
        if devices is None or is_all or len(given_weights) != len(numbers):
            raise BadArgument(f"there are {len(given_weights)} weights of devices, and must be one for each that is listed")
        options.set("device_weights", ffi.new("uint32_t[]", given_weights))
    return options, callbacks


def _describe(pointer: Any) -> Any:
    """Return a sumac_context_info, whose pointers are valid as long as the context."""
    info = sized("sumac_context_info")
    status = lib.sumac_context_describe(pointer, info)
    if status:
        raise error_of(status, text(lib.sumac_status_text(status)))
    return info


class Context(Handle):
    """The state of a caller: a backend ("auto", "cpu" or "cuda"), its threads and its workspace. A context serves one call at a
    time, so each thread needs its own context. During another thread's call, and in a callback, a second call raises Busy.

    `progress(done)` is called as work proceeds, with 0 <= done <= 1. If it returns a true value, the call raises Cancelled. If
    it raises an exception, the call raises that exception. `trace(event)` gets a TraceEvent after each span of work, from any
    thread. `devices` is a list of numbers, or "all". The other options are fields of sumac_context_config.
    """

    _what = "context"

    def __init__(self, **options: Unpack[ContextOptions]):
        self._open(*_options(options))

    def _open(self, options: Options, callbacks: _Callbacks) -> None:
        made, message = ffi.new("sumac_context **"), ffi.new("sumac_message *")
        check_message(lib.sumac_context_create(options.pointer, made, message), message)
        self._adopt(made[0], callbacks, lib.sumac_context_destroy, (options,))

    def _adopt(self, pointer: Any, callbacks: _Callbacks, destroy: Any, needs: Tuple[Any, ...]) -> None:
        self._callbacks = callbacks
        self._on_device = _describe(pointer).location == Location.DEVICE
        self._stream = DEFAULT_STREAM  # the number of the stream that calls follow
        self._owned = Owned(pointer, destroy, (callbacks, *needs), self._on_device)

    def _call(self, function: Any, *arguments: Any) -> None:
        """Make a call with this context, and raise its error, if any. Objects of the library among the arguments live until the
        call has ended, even if other threads close them."""
        self._run(function, self._take(), arguments)

    def _run(self, function: Any, owned: Owned, arguments: Tuple[Any, ...], with_context: bool = True) -> None:
        self._queue(*(argument for argument in arguments if type(argument) is Owned))
        owned.calls.append(None)
        try:
            status = function(*([owned.pointer] if with_context else ()), *pointers(arguments))
            raised = self._callbacks.take()
            if raised is not None and status in (Status.OK, Status.CANCELLED):
                raise raised
            if status:
                sentence = text(lib.sumac_context_message(owned.pointer)) or text(lib.sumac_status_text(status))
                raise error_of(status, sentence)
        finally:
            owned.calls.pop()

    def _queue(self, *things: Any) -> None:
        """Keep the objects that a call uses until wait(). Only a context with a stream queues calls. For any other context this
        does nothing."""
        if self._stream != DEFAULT_STREAM:
            self._take().hold(*things)

    def _make(self, kind: str, function: Any, *arguments: Any) -> Any:
        """Make a call whose last argument receives a new object, and return that object."""
        made = ffi.new(f"{kind} **")
        self._call(function, *arguments, made)
        return made[0]

    def _read_json(self, function: Any, *arguments: Any, **how: bool) -> Dict[str, Any]:
        """Make a call whose last argument receives a JSON text, and parse the text."""
        made = ffi.new("char **")
        self._run(function, self._take(), (*arguments, made), **how)
        parsed: Dict[str, Any] = json.loads(text(ffi.gc(made[0], lib.sumac_free)))
        return parsed

    def _own(self, pointer: Any, destroy: Any, *needs: Any) -> Owned:
        """Return the owner of an object that this context created."""
        return Owned(pointer, destroy, needs, self._on_device)

    # ---- Properties ----

    @property
    def backend(self) -> str:
        """Return the name of the backend in use: "cpu" or "cuda"."""
        return text(_describe(self._take().pointer).backend)

    @property
    def variant(self) -> str:
        """Return the name of the backend's variant, for example "portable", "adx", "avx2" or "avx512"."""
        return text(_describe(self._take().pointer).variant)

    @property
    def location(self) -> Location:
        """Return the memory where the context computes and its vectors lie: the host's or a device's."""
        return Location(_describe(self._take().pointer).location)

    @property
    def threads(self) -> int:
        """Return the largest number of CPU threads that a call uses."""
        return int(_describe(self._take().pointer).threads)

    @property
    def devices(self) -> List[str]:
        """Return descriptions, for people, of the devices among which calls are divided. The CPU's description is ""."""
        owned = self._take()
        info = _describe(owned.pointer)
        return [text(info.device_names[i]) for i in range(info.device_count)]

    def plans(self, curve: Any) -> Dict[str, Any]:
        """Describe the named plans, and the kinds of each stage: {"plans": {name: text}, "kinds": {stage: {kind: text}}}. The
        option tuning="plan=NAME" selects a plan. The first one is "auto"."""
        return self._read_json(lib.sumac_context_plans, as_curve(curve)._pointer)

    # ---- Calls ----

    def set_stream(self, stream: Optional[int]) -> None:
        """Make calls work on a stream of the GPU, which is given by its number (cupy: stream.ptr, torch: stream.cuda_stream).
        None means the stream that the context created. With a stream, calls of vectors, and MSMs with results on the GPU, are
        queued and return at once. The objects that they use are kept until wait(). The stream must exist until the context gets
        another one or is closed."""
        number = 0 if stream is None else integer_of("uint64_t", stream, "the stream")
        self._call(lib.sumac_context_set_stream, ffi.cast("void *", number))
        self._stream = number or DEFAULT_STREAM

    def wait(self) -> None:
        """Wait for queued calls. If the GPU found errors in them, raise the first one."""
        owned = self._take()
        try:
            self._call(lib.sumac_context_wait)
        finally:
            owned.let_go()

    def cancel(self) -> None:
        """Cancel the running call of another thread, which raises Cancelled as soon as its threads and devices have stopped. If no
        call is running, nothing happens, and a later call is not cancelled."""
        lib.sumac_context_cancel(self._take().pointer)

    def check(self) -> None:
        """Check whether the context can be used after a failure. If not, this raises DeviceFailed, and the context must be
        closed."""
        self._call(lib.sumac_context_check)

    def measure_weights(self, curve: Any, n: int) -> List[int]:
        """Measure the relative speeds of the devices, for the option device_weights of another context. All devices compute
        MSMs of n bases at the same time."""
        weights = ffi.new("uint32_t[]", len(self.devices))
        self._call(lib.sumac_context_measure_weights, as_curve(curve)._pointer, size_of(n, "n"), weights, len(weights))
        return list(weights)

    def pinned(self, size: int) -> numpy.ndarray:
        """Allocate page-locked memory of the host, which the GPU copies without an intermediate buffer. Return an array of
        bytes. The memory lives as long as the array or a view of it."""
        memory, size = ffi.new("void **"), int(size_of(size, "size"))
        self._call(lib.sumac_pinned_allocate, size, memory)
        block = ffi.gc(memory[0], in_this_process(lib.sumac_pinned_free))
        return array_over(ffi.buffer(block, size) if size else b"", (size,))

    def __repr__(self) -> str:
        if self._owned is None:
            return "<sumac.Context, closed>"
        return f"<sumac.Context {self.backend} {self.variant}, {self.threads} threads>"


class Pool(Handle):
    """Contexts that the threads of a server share. A context is taken for a call. close() or the end of a `with` gives it back.

        with pool.take() as context:
            bases.msm(scalars, context=context)
    """

    _what = "pool"

    def __init__(self, most: int, **options: Unpack[ContextOptions]):
        filled, self._callbacks = _options(options)
        made, message = ffi.new("sumac_pool **"), ffi.new("sumac_message *")
        check_message(lib.sumac_pool_create(filled.pointer, size_of(most, "most"), made, message), message)
        self._owned = Owned(made[0], lib.sumac_pool_destroy, (filled, self._callbacks))
        with self.take() as first:
            self._owned.on_device = first._on_device

    def take(self, wait: bool = True) -> PooledContext:
        """Take a context, which belongs to the caller until it is closed. If all contexts are taken, this waits for one or,
        with wait=False, raises Busy."""
        return PooledContext(self, wait)


class PooledContext(Context):
    """A context of a pool: close() gives it back."""

    def __init__(self, pool: Pool, wait: bool = True):
        owned = instance_of(Pool, pool, "the pool")._take()
        function = lib.sumac_pool_take if wait else lib.sumac_pool_try
        made, message = ffi.new("sumac_context **"), ffi.new("sumac_message *")
        check_message(function(owned.pointer, made, message), message)
        # The pool lives until its last context has been given back.
        self._pool = owned
        self._adopt(made[0], pool._callbacks, lambda context: lib.sumac_pool_give(owned.pointer, context), (owned,))

    def discard(self) -> None:
        """Destroy the context, for example because check() failed. The pool makes a new one in its place."""
        owned, pool = self._take(), self._pool
        if owned.calls:
            raise BadArgument("the context is in a call")
        owned.replace_destroy(lambda context: lib.sumac_pool_discard(pool.pointer, context))
        self.close()


class Made(Handle):
    """An object that a context created. Calls use it with that context or with another one."""

    _context: Context

    def _adopt(self, context: Context, pointer: Any, destroy: Any, *needs: Any) -> None:
        self._context, self._owned = context, context._own(pointer, destroy, *needs)

    def _do(self, context: Optional[Context], function: Any, *arguments: Any) -> Any:
        """Make a call whose first argument is this object."""
        context_of(context, self._context)._call(function, self._take(), *arguments)
        return self

    def _ask(self, context: Optional[Context], function: Any, *arguments: Any) -> bool:
        """Make a call whose first argument is this object, and whose answer is yes or no."""
        answer = ffi.new("int *")
        self._do(context, function, *arguments, answer)
        return bool(answer[0])


_default = threading.local()


def default_context() -> Context:
    """Return this thread's context for calls that name no context. A forked process makes another one."""
    context: Optional[Context] = getattr(_default, "context", None)
    if context is None or context._owned is None or context._owned.is_lost():
        context = _default.context = Context()
    return context


def context_of(given: Optional[Context], own: Context) -> Context:
    """Return the context of a call: the given one or, by default, the one that created the object."""
    return own if given is None else as_context(given)


def as_context(given: Any) -> Context:
    """Return a caller's argument if it is a context. Otherwise raise a TypeError."""
    return instance_of(Context, given, "the context")
