# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bases, and the multi-scalar multiplication over them."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._buffers import Memory, array_over, integer_bytes, memory_of, numbers_of, product, records_of, result_array, writable
from ._interface import BasesOptions, Check, FilesOptions, Location, MsmOptions, Tables
from ._library import Handle, Options, Owned, enum_of, ffi, integer_of, lib, name_of, path_of, size_of
from .contexts import Context, context_of
from .curves import Curve, as_curve, curve_of
from .errors import BadArgument, BadLength
from .plans import Plan

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack

Path = Union[str, bytes, "os.PathLike[str]"]
# On a GPU's default stream, as DLPack and __cuda_array_interface__ number it: what the library follows unasked.
_DEFAULT_STREAM = 1


class Bases(Handle):
    """Points on a backend, checked and ready for use, with precomputed multiples if asked for. Immutable; used from many
    contexts and threads at once."""

    _what = "bases"

    def __init__(self, context: Context, curve: Union[Curve, str], points: Any, n: Optional[int] = None,
                 **options: Unpack[BasesOptions]):
        """Of raw points in memory: bytes, an array, or on the context's GPU what has __cuda_array_interface__ or DLPack. The
        options are fields of sumac_bases_config.

        Raises BadEncoding, NotOnCurve or NotInSubgroup, whose sentence names the first bad point."""
        curve = as_curve(curve)
        filled = Options("sumac_bases_config", dict(options), always=True)
        memory = memory_of(points, "points")
        _place(context, filled, "location", memory, "points")
        stride = filled.pointer.stride or curve.point_bytes
        n = memory.bytes // stride if n is None else size_of(n, "n")
        if memory.bytes != n * stride:
            raise BadLength(f"points take {memory.bytes} bytes, and {n} of {curve.name} {curve.group} take {n * stride}")
        _synchronize(context, memory)
        self._adopt(context, context._make("sumac_bases", lib.sumac_bases_create, curve._pointer, memory.pointer, n,
                                           filled.pointer))

    def _adopt(self, context: Context, pointer: Any) -> None:
        self._context = context
        self._owned = context._own(pointer, lib.sumac_bases_destroy)

    @classmethod
    def _of(cls, context: Context, function: Any, *arguments: Any) -> Bases:
        bases = cls.__new__(cls)
        bases._adopt(context, context._make("sumac_bases", function, *arguments))
        return bases

    @classmethod
    def open(cls, context: Context, curve: Union[Curve, str], path: Path, format: Optional[str] = None, *, first: int = 0,
             n: Optional[int] = None, **options: Unpack[BasesOptions]) -> Bases:
        """From a file of a format that formats() lists; None: a table of save() if the file begins like one, else raw. With
        `first` or `n`, only so many of them."""
        filled = Options("sumac_bases_config", dict(options))
        curve, encoded, name = as_curve(curve), path_of(path), name_of(format, "the format")
        if n is None and not first:
            return cls._of(context, lib.sumac_bases_open, curve._pointer, encoded, name, filled.pointer)
        if n is None:
            n = max(bases_file_count(context, curve, path, format) - first, 0)
        return cls._of(context, lib.sumac_bases_open_part, curve._pointer, encoded, size_of(first, "first"), size_of(n, "n"),
                       name, filled.pointer)

    @classmethod
    def open_table(cls, context: Context, path: Path, curve: Union[Curve, str, None] = None) -> Bases:
        """From a file of save(), with the multiples in it. Without a curve, the file's own."""
        pointer = ffi.NULL if curve is None else as_curve(curve)._pointer
        return cls._of(context, lib.sumac_bases_open_table, pointer, path_of(path))

    @classmethod
    def known(cls, context: Context, curve: Union[Curve, str], n: int, seed: int = 0,
              **options: Unpack[BasesOptions]) -> Bases:
        """n bases of known discrete logarithms, those of known_logarithms(): for tests and benchmarks."""
        filled = Options("sumac_bases_config", dict(options))
        return cls._of(context, lib.sumac_known_bases_create, as_curve(curve)._pointer, size_of(n, "n"),
                       integer_of("uint64_t", seed, "seed"), filled.pointer)

    # ---- What they are ----

    def __len__(self) -> int:
        return int(lib.sumac_bases_count(self._take().pointer))

    @property
    def curve(self) -> Curve:
        return curve_of(lib.sumac_bases_curve(self._take().pointer))  # type: ignore[return-value]

    @property
    def precompute_factor(self) -> int:
        """How many multiples of each base are kept; with window tables, of how many windows."""
        return int(lib.sumac_bases_precompute_factor(self._take().pointer))

    @property
    def tables(self) -> Tables:
        """What is kept for each base."""
        return Tables(lib.sumac_bases_tables(self._take().pointer))

    @property
    def nbytes(self) -> int:
        """The bytes that they occupy."""
        return int(lib.sumac_bases_bytes(self._take().pointer))

    def points(self, first: int = 0, n: Optional[int] = None, *, out: Any = None,
               context: Optional[Context] = None) -> Any:
        """n bases from `first` on as raw canonical points: an array of n rows, or `out`."""
        owned, curve = self._take(), self.curve
        first = size_of(first, "first")
        n = max(len(self) - first, 0) if n is None else size_of(n, "n")
        array, pointer = _result(out, (n, curve.point_bytes))
        context_of(context, self._context)._call(lib.sumac_bases_get, owned, first, n, pointer)
        return array

    def save(self, path: Path, format: Optional[str] = None, *, context: Optional[Context] = None) -> None:
        """To a file: a table with the multiples, or without them in a format that formats() lists."""
        owned, context = self._take(), context_of(context, self._context)
        if format is None:
            context._call(lib.sumac_bases_save, owned, path_of(path))
        else:
            context._call(lib.sumac_bases_save_as, owned, name_of(format, "the format"), path_of(path))

    # ---- The multi-scalar multiplication ----

    def msm(self, scalars: Any, n: Optional[int] = None, *, out: Any = None, context: Optional[Context] = None,
            **options: Unpack[MsmOptions]) -> Any:
        """k_0*P_0 + k_1*P_1 + ..: a raw affine point, or with the option `batch` or `offsets` an array of them.

        `scalars` are raw ones in bytes or a buffer of bytes or of 64-bit words, packed or one a row; or smaller integers,
        signed or not, one an element; or on the context's GPU what has __cuda_array_interface__ or DLPack; or a list of
        Python's integers. Nothing but a list is copied. The options are fields of sumac_msm_config; `out` is memory for the
        result, of the host or the GPU. With the option `stream` the call is asynchronous: Context.wait() ends it.

        Time depends on the scalars: not for secrets that an attacker may time."""
        context = context_of(context, self._context)
        owned, given = self._take(), _Scalars(self.curve, scalars, n, options, context)
        array, result = given.result(out)
        _synchronize(context, given.memory, given.filled.pointer.stream)
        context._call(lib.sumac_msm, owned, given.memory.pointer, given.n, given.filled.pointer, result)
        if given.filled.pointer.stream:
            context._take().hold(owned, given, array)
        return array

    def msm_partial(self, scalars: Any, n: Optional[int] = None, *, context: Optional[Context] = None,
                    **options: Unpack[MsmOptions]) -> bytes:
        """As msm(), but for another process to add to its own with partial_combine()."""
        context = context_of(context, self._context)
        owned, given = self._take(), _Scalars(self.curve, scalars, n, options, context)
        array, result = result_array((lib.sumac_partial_bytes(self.curve._pointer, given.batch),))
        _synchronize(context, given.memory)
        context._call(lib.sumac_msm_partial, owned, given.memory.pointer, given.n, given.filled.pointer, result)
        return bytes(array)

    def prepare(self, n: Optional[int] = None, *, context: Optional[Context] = None,
                **options: Unpack[MsmOptions]) -> PreparedMsm:
        """msm() of n scalars, checked and planned once, to be run again and again."""
        return PreparedMsm(context_of(context, self._context), self, n, options)

    def plan(self, n: Optional[int] = None, *, context: Optional[Context] = None, **options: Unpack[MsmOptions]) -> Plan:
        """The plan that msm() would use."""
        context, owned = context_of(context, self._context), self._take()
        filled = _msm_options(self.curve, options)
        n = len(self) if n is None else size_of(n, "n")
        return Plan(Owned(context._make("sumac_plan", lib.sumac_msm_plan, owned, n, filled.pointer), lib.sumac_plan_destroy))

    def __repr__(self) -> str:
        if self._owned is None:
            return "<sumac.Bases, closed>"
        return f"<sumac.Bases {len(self)} of {self.curve.name} {self.curve.group}>"


def _place(context: Context, filled: Options, field: str, memory: Memory, what: str) -> None:
    """Say that memory lies on the context's GPU, if it does."""
    if memory.on_device:
        if not context._on_device:
            raise BadArgument(f"{what} lie on a GPU, and the context computes on the CPU")
        setattr(filled.pointer, field, Location.DEVICE)


def _synchronize(context: Context, memory: Memory, stream: Any = None) -> None:
    """Elements that another stream of the GPU makes, by what their __cuda_array_interface__ says, must be there; a call on
    that very stream follows it by itself."""
    if memory.stream is None or memory.stream == _DEFAULT_STREAM:
        return
    if stream and int(ffi.cast("uintptr_t", stream)) == memory.stream:
        return
    raise BadArgument(f"elements are made on the GPU's stream {memory.stream}: synchronize it first, or name it as the "
                      "option stream")


def _msm_options(curve: Curve, options: Any, always: bool = False) -> Options:
    given = dict(options)
    offsets = given.pop("offsets", None)
    filled = Options("sumac_msm_config", given, always or offsets is not None)
    if offsets is not None:
        pointer, count = numbers_of(offsets, "offsets")
        batch = filled.pointer.batch or count - 1
        if count != batch + 1:
            raise BadLength(f"there are {count} offsets, and must be one more than the {batch} MSMs")
        # No MSM at all is no batch: 0 would mean one.
        if count < 2:
            raise BadLength("there are fewer than two offsets")
        filled.pointer.batch = batch
        filled.keep.append(offsets)
        filled.set("offsets", pointer)
    return filled


class _Scalars:
    """A caller's scalars, as sumac_msm() takes them."""

    def __init__(self, curve: Curve, scalars: Any, n: Optional[int], options: Any, context: Context):
        self.curve = curve
        self.filled = filled = _msm_options(curve, options, always=True)
        self.context = context
        if isinstance(scalars, (list, tuple)):
            scalars = integer_bytes(scalars, filled.pointer.scalar_bytes or curve.scalar_bytes, "scalars")
        self.memory = memory = memory_of(scalars, "scalars")
        _place(context, filled, "scalars_location", memory, "scalars")
        if not filled.pointer.scalar_bytes:
            self._set_size(memory)
        size = filled.pointer.scalar_bytes or curve.scalar_bytes
        self.batch = filled.pointer.batch or 1
        if memory.bytes % size:
            raise BadLength(f"scalars take {memory.bytes} bytes, which is no multiple of {size}")
        count = memory.bytes // size
        offsets = filled.pointer.offsets
        if offsets:
            if offsets[self.batch] > count:
                raise BadLength(f"there are {count} scalars, and offsets go to {offsets[self.batch]}")
            longest = max(offsets[j + 1] - offsets[j] for j in range(self.batch))
            self.n = max(longest, 0) if n is None else size_of(n, "n")
            return
        self.n = count // self.batch if n is None else size_of(n, "n")
        if self.n * self.batch != count:
            raise BadLength(f"there are {count} scalars, and {self.batch} MSMs of {self.n} have {self.n * self.batch}")

    def _set_size(self, memory: Memory) -> None:
        """What the elements of an array say of scalars: integers are one each, but bytes, and the words of a row."""
        if memory.itemsize == 1 and memory.kind == "u":
            if len(memory.shape) > 1 and memory.shape[-1] != self.curve.scalar_bytes:
                self.filled.pointer.scalar_bytes = integer_of("uint32_t", memory.shape[-1], "the bytes of a row of scalars")
        elif memory.itemsize == 8 and memory.kind == "u" and len(memory.shape) > 1:
            if 8 * memory.shape[-1] != self.curve.scalar_bytes:
                self.filled.pointer.scalar_bytes = integer_of("uint32_t", 8 * memory.shape[-1], "the bytes of a row of scalars")
        else:
            self.filled.pointer.scalar_bytes = memory.itemsize
            self.filled.pointer.scalar_signed = memory.kind == "i"

    def result(self, out: Any) -> Tuple[Any, Any]:
        """The array for the results, and where it lies."""
        one = not self.filled.pointer.batch
        size = self.curve.point_bytes
        if out is None:
            return result_array((size,) if one else (self.batch, size))
        memory = writable(out, self.batch * size, "out")
        _place(self.context, self.filled, "result_location", memory, "out")
        return out, memory.pointer


def _result(out: Any, shape: Tuple[int, ...]) -> Tuple[Any, Any]:
    if out is None:
        return result_array(shape)
    memory = writable(out, product(shape), "out")
    if memory.on_device:
        raise BadArgument("out lies on a GPU, and this call writes to the host's memory")
    return out, memory.pointer


class PreparedMsm(Handle):
    """A call that is prepared. It belongs to its context: run() is a call with that one."""

    _what = "prepared call"

    def __init__(self, context: Context, bases: Bases, n: Optional[int], options: Any):
        owned = bases._take()
        self._curve = bases.curve
        self._filled = _msm_options(self._curve, options, always=True)
        self._n = len(bases) if n is None else size_of(n, "n")
        self._batch = self._filled.pointer.batch or 1
        self._context = context
        pointer = context._make("sumac_call", lib.sumac_msm_prepare, owned, self._n, self._filled.pointer)
        self._owned = context._own(pointer, lib.sumac_call_destroy, context._take(), owned)

    def run(self, scalars: Any, *, out: Any = None) -> Any:
        """msm() with what was prepared: raw scalars, or of as many bytes as the option scalar_bytes says."""
        owned, options = self._take(), self._filled.pointer
        size = options.scalar_bytes or self._curve.scalar_bytes
        if isinstance(scalars, (list, tuple)):
            scalars = integer_bytes(scalars, size, "scalars")
        memory = memory_of(scalars, "scalars")
        expected = size * self._n * self._batch
        if memory.bytes != expected:
            raise BadLength(f"scalars take {memory.bytes} bytes, and must take {expected}")
        if memory.on_device != (options.scalars_location == Location.DEVICE):
            raise BadArgument("the call was prepared for scalars in the host's memory")
        array, pointer = _result(out, (self._batch, self._curve.point_bytes) if options.batch else (self._curve.point_bytes,))
        self._context._run(lib.sumac_call_run, self._context._take(), (owned, memory.pointer, pointer), with_context=False)
        if options.stream:
            self._context._take().hold(owned, memory, array)
        return array

    def plan(self) -> Plan:
        """Its plan."""
        owned, made = self._take(), ffi.new("sumac_plan **")
        self._context._run(lib.sumac_call_plan, self._context._take(), (owned, made), with_context=False)
        return Plan(Owned(made[0], lib.sumac_plan_destroy))


def plan(context: Context, curve: Union[Curve, str], n: int, bases: Optional[BasesOptions] = None,
         msm: Optional[MsmOptions] = None) -> Plan:
    """The plan that msm() of n scalars would use, without bases."""
    curve = as_curve(curve)
    bases_options = Options("sumac_bases_config", dict(bases or {}))
    msm_options = _msm_options(curve, dict(msm or {}))
    return Plan(Owned(context._make("sumac_plan", lib.sumac_plan_create, curve._pointer, size_of(n, "n"), bases_options.pointer,
                                    msm_options.pointer), lib.sumac_plan_destroy))


def partial_combine(context: Context, curve: Union[Curve, str], partials: Sequence[Any], batch: int = 1) -> numpy.ndarray:
    """The sum of partial results of Bases.msm_partial(), a raw point for each MSM of the batch."""
    curve = as_curve(curve)
    batch = integer_of("uint32_t", batch, "batch")
    size = lib.sumac_partial_bytes(curve._pointer, batch)
    memories = [records_of(partial, size, "a partial result", count=1)[0] for partial in partials]
    list_of_them = ffi.new("const void *[]", [memory.pointer for memory in memories])
    array, pointer = result_array((batch, curve.point_bytes))
    context._call(lib.sumac_partial_combine, curve._pointer, list_of_them, len(memories), batch, pointer)
    return array


# ---- Files, and bytes of other formats ----

def bases_file_count(context: Context, curve: Union[Curve, str], path: Path, format: Optional[str] = None) -> int:
    """How many bases there are in a file."""
    n = ffi.new("size_t *")
    context._call(lib.sumac_bases_file_count, as_curve(curve)._pointer, path_of(path), name_of(format, "the format"), n)
    return int(n[0])


def take_memory(memory: Any, *shape: int) -> numpy.ndarray:
    """What the library allocated for the caller, as an array that frees it."""
    count = product(shape)
    owned = ffi.gc(memory, lib.sumac_free)
    return array_over(ffi.buffer(owned, count) if count else b"", shape)


def scalars_read(context: Context, curve: Union[Curve, str], path: Path) -> numpy.ndarray:
    """The raw scalars in a file: an array of a row for each."""
    curve = as_curve(curve)
    scalars, n = ffi.new("void **"), ffi.new("size_t *")
    context._call(lib.sumac_scalars_read, curve._pointer, path_of(path), scalars, n)
    return take_memory(scalars[0], n[0], curve.scalar_bytes)


def points_decode(context: Context, curve: Union[Curve, str], records: Any, format: Optional[str] = None,
                  check: Union[Check, str] = Check.CURVE) -> numpy.ndarray:
    """Points of a format, packed ("zcash-compressed", "eip2537", ..) as raw ones. `check`: as of bases; "none", "curve", "subgroup"."""
    curve = as_curve(curve)
    memory, n = records_of(records, _record_bytes(context, curve, format), "records")
    array, pointer = result_array((n, curve.point_bytes))
    context._call(lib.sumac_points_decode, curve._pointer, memory.pointer, n, name_of(format, "the format"),
                  enum_of(Check, check, "check"), pointer)
    return array


def points_encode(context: Context, curve: Union[Curve, str], points: Any, format: Optional[str] = None) -> numpy.ndarray:
    """Raw points as records of a format, a row for each."""
    curve = as_curve(curve)
    memory, n = records_of(points, curve.point_bytes, "points")
    array, pointer = result_array((n, _record_bytes(context, curve, format)))
    context._call(lib.sumac_points_encode, curve._pointer, memory.pointer, n, name_of(format, "the format"), pointer)
    return array


def map_to_group(context: Context, curve: Union[Curve, str], elements: Any) -> numpy.ndarray:
    """Points of the subgroup, a row for each of the coordinates, by RFC 9380's map with its cofactor cleared: EIP-2537's maps.
    Elements and points are raw."""
    curve = as_curve(curve)
    memory, n = records_of(elements, curve.point_bytes // 2, "elements")
    array, pointer = result_array((n, curve.point_bytes))
    context._call(lib.sumac_map_to_group, curve._pointer, memory.pointer, n, pointer)
    return array


def _record_bytes(context: Context, curve: Curve, format: Optional[str]) -> int:
    size = ffi.new("size_t *")
    context._call(lib.sumac_points_record_bytes, curve._pointer, name_of(format, "the format"), size)
    return int(size[0])


class FilesReport(NamedTuple):
    """How msm_files() went about it."""

    n: int
    resumed: int
    chunk: int
    memory_bytes: int
    load_seconds: float
    msm_seconds: float


def msm_files(context: Context, curve: Union[Curve, str], bases_path: Path, scalars_path: Path, *,
              msm: Optional[MsmOptions] = None, **options: Unpack[FilesOptions]) -> Tuple[numpy.ndarray, FilesReport]:
    """One MSM of the bases in a file and the scalars in another, which may be larger than memory. The options are fields of
    sumac_files_config."""
    curve = as_curve(curve)
    filled = Options("sumac_files_config", dict(options))
    msm_options = _msm_options(curve, dict(msm or {}))
    report = ffi.new("sumac_files_report *")
    lib.sumac_files_report_init(report, ffi.sizeof("sumac_files_report"))
    array, pointer = result_array((curve.point_bytes,))
    context._call(lib.sumac_msm_files, curve._pointer, path_of(bases_path), path_of(scalars_path), filled.pointer,
                  msm_options.pointer, pointer, report)
    return array, FilesReport(report.n, report.resumed, report.chunk, report.memory_bytes, report.load_seconds,
                              report.msm_seconds)


# ---- Known answers ----

def known_logarithms(context: Context, curve: Union[Curve, str], n: int, seed: int = 0) -> numpy.ndarray:
    """The discrete logarithms of Bases.known(): raw scalars, a row for each."""
    curve = as_curve(curve)
    array, pointer = result_array((size_of(n, "n"), curve.scalar_bytes))
    context._call(lib.sumac_known_logarithms, curve._pointer, n, integer_of("uint64_t", seed, "seed"), pointer)
    return array


def known_answer(context: Context, curve: Union[Curve, str], scalars: Any, logarithms: Any) -> numpy.ndarray:
    """The answer to an MSM over bases of these logarithms, by one scalar multiplication."""
    curve = as_curve(curve)
    given, n = records_of(scalars, curve.scalar_bytes, "scalars")
    known, _ = records_of(logarithms, curve.scalar_bytes, "logarithms", count=n)
    array, pointer = result_array((curve.point_bytes,))
    context._call(lib.sumac_known_answer, curve._pointer, given.pointer, known.pointer, n, pointer)
    return array


__all__: List[str] = [
    "Bases", "FilesReport", "PreparedMsm", "bases_file_count", "known_answer", "known_logarithms", "map_to_group", "msm_files",
    "partial_combine", "plan", "points_decode", "points_encode", "scalars_read"]
