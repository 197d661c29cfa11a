# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has bases, and the multi-scalar multiplication over them."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._buffers import Memory, array_over, integer_bytes, memory_of, numbers_of, product, records_of, result_array, writable
from ._interface import ALL, BasesOptions, Check, FilesOptions, Location, MsmOptions, Tables
from ._library import (Handle, Options, Owned, enum_of, ffi, instance_of, integer_of, lib, mapping_of, name_of,
                       path_of, size_of, sized)
from .contexts import Context, Made, as_context, context_of, default_context
from .curves import Curve, Point, as_curve, curve_of
from .errors import BadArgument, BadLength

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack

Path = Union[str, bytes, "os.PathLike[str]"]


class MsmNeeds(NamedTuple):
    """The time and memory that Bases.estimate() predicts for a call."""

    milliseconds: float
    workspace_bytes: int
    pinned_bytes: int


class Bases(Made):
    """Points on a backend, which are checked and ready for use, with precomputed multiples if the options ask for them. Bases
    are immutable. Many contexts and threads can use them at once."""

    _what = "bases"

    def __init__(self, context: Context, curve: Union[Curve, str], points: Any, n: Optional[int] = None,
                 **options: Unpack[BasesOptions]):
        """Make bases of points.

        `points` are raw points in memory: bytes, an array, or, on the context's GPU, an object with __cuda_array_interface__ or
        DLPack. They can also be a list, in which a point is a pair of coordinates and infinity is None. The options are fields
        of sumac_bases_config.

        Raises BadEncoding, NotOnCurve or NotInSubgroup, whose sentence names the first bad point."""
        context, curve = as_context(context), as_curve(curve)
        filled = Options("sumac_bases_config", dict(options), always=True)
        memory = memory_of(curve._packed(points), "points", context._stream)
        _place(context, filled, "location", memory, "points")
        stride = filled.pointer.stride or curve.point_bytes
        what = f"a point of {curve.name} {curve.group}" if stride == curve.point_bytes else "the stride"
        if memory.bytes % stride:
            raise BadLength(f"points take {memory.bytes} bytes, which is no multiple of the {stride} of {what}")
        n = memory.bytes // stride if n is None else size_of(n, "n")
        if memory.bytes != n * stride:
            raise BadLength(f"points take {memory.bytes} bytes, and {n} points at the {stride} of {what} take {n * stride}")
        _synchronize(context, memory)
        self._adopt(context, context._make("sumac_bases", lib.sumac_bases_create, curve._pointer, memory.pointer, memory.bytes,
                                           n, filled.pointer), lib.sumac_bases_destroy)

    @classmethod
    def _of(cls, context: Context, function: Any, *arguments: Any) -> Bases:
        context, bases = as_context(context), cls.__new__(cls)
        bases._adopt(context, context._make("sumac_bases", function, *arguments), lib.sumac_bases_destroy)
        return bases

    @classmethod
    def open(cls, context: Context, curve: Union[Curve, str, None], path: Path, format: Optional[str] = None, *, first: int = 0,
             n: Optional[int] = None, **options: Unpack[BasesOptions]) -> Bases:
        """Open bases from a file of a format that formats() lists. If the format is None, a file that begins like a table of
        save() is read as one, and any other file is raw. `first` and `n` select a part of the bases. If no curve is given, the
        file must be a table, because only a table contains the name of its curve. A trusted table is opened faster with
        check="none"."""
        filled, group = Options("sumac_bases_config", dict(options)), ffi.NULL if curve is None else as_curve(curve)._pointer
        return cls._of(context, lib.sumac_bases_open, group, path_of(path), name_of(format, "the format"), size_of(first, "first"),
                       ALL if n is None else size_of(n, "n"), filled.pointer)

    @classmethod
    def known(cls, context: Context, curve: Union[Curve, str], n: int, seed: int = 0,
              **options: Unpack[BasesOptions]) -> Bases:
        """Make n bases whose discrete logarithms are those of known_logarithms(), for tests and benchmarks."""
        filled = Options("sumac_bases_config", dict(options))
        return cls._of(context, lib.sumac_known_bases_create, as_curve(curve)._pointer, size_of(n, "n"),
                       integer_of("uint64_t", seed, "seed"), filled.pointer)

    # ---- Properties ----

    def __len__(self) -> int:
        return int(lib.sumac_bases_count(self._take().pointer))

    def _info(self) -> Any:
        info = sized("sumac_bases_info")
        status = lib.sumac_bases_describe(self._take().pointer, info)
        assert status == 0, status
        return info

    @property
    def curve(self) -> Curve:
        return curve_of(self._info().group)  # type: ignore[return-value]

    @property
    def precompute_factor(self) -> int:
        """Return the number of multiples that are kept of each base or, with window tables, the number of windows."""
        return int(self._info().precompute_factor)

    @property
    def tables(self) -> Tables:
        """Say which tables are kept for each base."""
        return Tables(self._info().tables)

    @property
    def nbytes(self) -> int:
        """Return the number of bytes of memory that the bases occupy."""
        return int(self._info().bytes)

    def points(self, first: int = 0, n: Optional[int] = None, *, out: Any = None,
               context: Optional[Context] = None) -> Any:
        """Return n bases, from index `first`, as raw canonical points. The result is an array of n rows, or `out`."""
        owned, curve = self._take(), self.curve
        first = size_of(first, "first")
        n = max(len(self) - first, 0) if n is None else size_of(n, "n")
        array, pointer = _result(out, (n, curve.point_bytes))
        context_of(context, self._context)._call(lib.sumac_bases_get, owned, first, n, pointer, n * curve.point_bytes)
        return array

    def save(self, path: Path, format: Optional[str] = None, *, context: Optional[Context] = None) -> None:
        """Save the bases to a file. Without a format, the file is a table with the multiples. With a format that formats()
        lists, the file has no multiples."""
        self._do(context, lib.sumac_bases_save, path_of(path), name_of(format, "the format"))

    # ---- The multi-scalar multiplication ----

    def msm(self, scalars: Any, n: Optional[int] = None, *, out: Any = None, context: Optional[Context] = None,
            **options: Unpack[MsmOptions]) -> Any:
        """Compute k_0*P_0 + k_1*P_1 + .. and return a raw affine point. With the option `batch` or `offsets`, return an array
        of points.

        `scalars` have one of these forms. Only a list is copied.

        - Raw scalars are bytes, or a buffer of bytes, which are packed or have one scalar in each row. They can also be rows of
          64-bit words.
        - Smaller integers, signed or not, are an array with one scalar in each element.
        - Scalars on the context's GPU are an object with __cuda_array_interface__ or DLPack.
        - Python's integers are a list.

        An array of uint64 without rows may have words or scalars. The option scalar_bytes says which.

        Without `n`, every base from index `first` needs a scalar. If there are fewer scalars, the call is refused. The options
        are fields of sumac_msm_config. `out` is memory for the result, on the host or the GPU. If it lies on the GPU and the
        context has a stream (Context.set_stream()), the call is queued.

        The time depends on the scalars. Do not use this for secrets if an attacker can measure times.

        >>> curve = sumac.curve("bn254")
        >>> bases = sumac.Bases(sumac.Context(threads=1), curve, [(1, 2), (1, 2)])
        >>> sumac.Point(curve, bases.msm([1, curve.order - 1]))
        Point(bn254 g1, infinity)
        """
        context = context_of(context, self._context)
        owned, given = self._take(), _Scalars(self, scalars, n, options, context)
        array, result = given.result(out)
        _synchronize(context, given.memory)
        context._queue(given, array)
        context._call(lib.sumac_msm, owned, given.memory.pointer, given.memory.bytes, given.n, given.filled.pointer, result,
                      given.sizes.results_bytes)
        return array

    def msm_partial(self, scalars: Any, n: Optional[int] = None, *, context: Optional[Context] = None,
                    **options: Unpack[MsmOptions]) -> bytes:
        """Compute msm() as a partial result. partial_combine() adds partial results, which may come from other processes."""
        context = context_of(context, self._context)
        owned, given = self._take(), _Scalars(self, scalars, n, options, context)
        partial_bytes = int(lib.sumac_partial_bytes(given.curve._pointer, given.sizes.batch))
        array, result = result_array((partial_bytes,))
        _synchronize(context, given.memory)
        context._call(lib.sumac_msm_partial, owned, given.memory.pointer, given.memory.bytes, given.n, given.filled.pointer, result,
                      partial_bytes)
        return bytes(array)

    def prepare(self, n: Optional[int] = None, *, context: Optional[Context] = None,
                **options: Unpack[MsmOptions]) -> PreparedMsm:
        """Prepare msm() of n scalars. It is checked and planned once, and can be run many times."""
        return PreparedMsm(context_of(context, self._context), self, n, options)

    def estimate(self, n: Optional[int] = None, *, context: Optional[Context] = None,
                 **options: Unpack[MsmOptions]) -> MsmNeeds:
        """Predict the time and the memory of msm() of n scalars."""
        owned, filled, needs = self._take(), _MsmOptions(options), sized("sumac_msm_needs")
        n = len(self) if n is None else size_of(n, "n")
        context_of(context, self._context)._call(lib.sumac_msm_estimate, owned, n, filled.pointer, needs)
        return MsmNeeds(needs.milliseconds, needs.workspace_bytes, needs.pinned_bytes)

    def plan(self, n: Optional[int] = None, *, context: Optional[Context] = None, **options: Unpack[MsmOptions]) -> Dict[str, Any]:
        """Return the plan that msm() would use: name, milliseconds, numbers, kinds and bytes. sumac/experimental.h explains
        them."""
        context, owned = context_of(context, self._context), self._take()
        filled = _MsmOptions(options)
        n = len(self) if n is None else size_of(n, "n")
        return context._read_json(lib.sumac_msm_plan, owned, n, filled.pointer)

    def __repr__(self) -> str:
        if self._owned is None:
            return "<sumac.Bases, closed>"
        return f"<sumac.Bases {len(self)} of {self.curve.name} {self.curve.group}>"


def msm(curve: Union[Curve, str], points: Any, scalars: Any, *, context: Optional[Context] = None) -> Point:
    """Compute k_0*P_0 + k_1*P_1 + .. once. If points are used again, keep them as Bases. The points have the forms that Bases()
    accepts, and the scalars have the forms that Bases.msm() accepts. The default context is one that the thread keeps.

    >>> sumac.msm("bn254", [(1, 2), (1, 2)], [3, 4]) == sumac.msm("bn254", [(1, 2)], [7])
    True
    """
    with Bases(default_context() if context is None else context, curve, points) as bases:
        return Point(bases.curve, bases.msm(scalars))


def _place(context: Context, filled: Options, field: str, memory: Memory, what: str) -> None:
    """Record in the options that memory lies on the context's GPU, if it does."""
    if memory.on_device:
        if not context._on_device:
            raise BadArgument(f"{what} lie on a GPU, and the context computes on the CPU")
        setattr(filled.pointer, field, Location.DEVICE)


def _synchronize(context: Context, memory: Memory) -> None:
    """Check that calls follow the GPU's stream that produces the elements, if __cuda_array_interface__ names one."""
    if memory.stream is not None and memory.stream != context._stream:
        raise BadArgument(f"elements are made on the GPU's stream {memory.stream}: synchronize it first, or give it to "
                          "Context.set_stream()")


class _MsmOptions(Options):
    """The options of an MSM. If the caller asked for a batch, `is_batch` is true, and the result has a row for each MSM."""

    def __init__(self, options: Any):
        given = dict(options)
        offsets = given.pop("offsets", None)
        super().__init__("sumac_msm_config", given, always=True)
        self.is_batch = given.get("batch") is not None or offsets is not None
        if offsets is not None:
            pointer, count = numbers_of(offsets, "offsets")
            if count < 2:
                raise BadLength(f"there are {count} offsets, and one MSM has 2")
            self.keep.append(offsets)
            self.set("offsets", pointer)
            self.pointer.offset_count = count


class _Sizes(NamedTuple):
    """The sizes that a call needs: the bytes of scalars and results, and the number of bases."""

    batch: int
    scalars: int
    scalars_bytes: int
    results_bytes: int
    bases: int


def _measure(curve: Curve, n: int, filled: _MsmOptions) -> _Sizes:
    """Return the sizes of a call. The library compares them with the sizes that it computes itself."""
    options = filled.pointer
    count = int(options.offset_count)
    batch = int(options.batch) or max(count - 1, 1)
    scalars = int(options.offsets[count - 1]) if count else batch * n
    if count and count != batch + 1:
        raise BadLength(f"there are {count} offsets, and a batch of {batch} needs one more")
    bases = options.first + max(1, min(options.base_sets, batch)) * n
    return _Sizes(batch, scalars, scalars * (options.scalar_bytes or curve.scalar_bytes), batch * curve.point_bytes, bases)


def _divided(there: int, each: int, what: str) -> int:
    """Return the n of a call. `there` is the number of scalars or of their bytes, and `each` is that number for n = 1."""
    if there % each:
        raise BadLength(f"{what} are {there}, which is no multiple of {each}")
    return there // each


def _require_all(bases: Bases, sizes: _Sizes) -> None:
    """Refuse scalars for fewer than all bases in a call without n, because the caller probably wants a sum over all bases."""
    there = len(bases)
    if sizes.bases != there:
        advice = "; give n if only the first of them are meant" if sizes.bases < there else ""
        raise BadLength(f"there are {there} bases, and the scalars are for {sizes.bases}{advice}")


def _result_shape(filled: _MsmOptions, sizes: _Sizes) -> Tuple[int, ...]:
    return (sizes.batch, sizes.results_bytes // sizes.batch) if filled.is_batch else (sizes.results_bytes,)


class _Scalars:
    """A caller's scalars in the form that sumac_msm() expects."""

    def __init__(self, bases: Bases, scalars: Any, n: Optional[int], options: Any, context: Context):
        self.curve = curve = bases.curve
        self.filled = filled = _MsmOptions(options)
        self.context = context
        if isinstance(scalars, (list, tuple)):
            scalars = integer_bytes(scalars, filled.pointer.scalar_bytes or curve.scalar_bytes, "scalars")
        self.memory = memory = memory_of(scalars, "scalars", context._stream)
        _place(context, filled, "scalars_location", memory, "scalars")
        if not filled.pointer.scalar_bytes:
            self._set_size(memory)
        is_all = n is None and not filled.pointer.offset_count
        if is_all:
            self.n = _divided(memory.bytes, _measure(curve, 1, filled).scalars_bytes, "the bytes of scalars")
        else:
            self.n = len(bases) if n is None else size_of(n, "n")
        self.sizes = sizes = _measure(curve, self.n, filled)
        if memory.bytes != sizes.scalars_bytes:
            raise BadLength(f"scalars take {memory.bytes} bytes, and must take {sizes.scalars_bytes}")
        if is_all:
            _require_all(bases, sizes)

    def _set_size(self, memory: Memory) -> None:
        """Find the size of scalars from an array's elements. Each integer is a scalar, but bytes or words of a row form one."""
        words = self.curve.scalar_bytes
        if memory.kind == "i" or memory.itemsize not in (1, 8):
            self.filled.pointer.scalar_bytes = memory.itemsize
            self.filled.pointer.scalar_signed = memory.kind == "i"
        elif len(memory.shape) > 1:
            row = memory.itemsize * memory.shape[-1]
            if row != words:
                self.filled.pointer.scalar_bytes = integer_of("uint32_t", row, "the bytes of a row of scalars")
        elif memory.itemsize == 8:
            raise BadArgument("scalars are uint64 without rows, which may be small scalars or words of large ones: say "
                              f"scalar_bytes=8 for one an element, or scalar_bytes={words} for {words // 8} elements a scalar")

    def result(self, out: Any) -> Tuple[Any, Any]:
        """Return the array for the results, and its memory."""
        if out is None:
            return result_array(_result_shape(self.filled, self.sizes))
        memory = writable(out, self.sizes.results_bytes, "out", self.context._stream)
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
    """A prepared MSM. It belongs to its context, and run() is a call with that context."""

    _what = "prepared call"

    def __init__(self, context: Context, bases: Bases, n: Optional[int], options: Any):
        self._context = context = as_context(context)
        owned = instance_of(Bases, bases, "what a call is prepared of")._take()
        self._filled = _MsmOptions(mapping_of(options, "options"))
        n = len(bases) if n is None else size_of(n, "n")
        self._sizes = _measure(bases.curve, n, self._filled)
        pointer = context._make("sumac_call", lib.sumac_msm_prepare, owned, n, self._filled.pointer)
        self._owned = context._own(pointer, lib.sumac_call_destroy, context._take(), owned)

    def run(self, scalars: Any, *, out: Any = None) -> Any:
        """Run the prepared msm(). The scalars are raw, or have the size that the option scalar_bytes has set."""
        owned, options, sizes = self._take(), self._filled.pointer, self._sizes
        if isinstance(scalars, (list, tuple)):
            scalars = integer_bytes(scalars, sizes.scalars_bytes // (sizes.scalars or 1), "scalars")
        memory = memory_of(scalars, "scalars", self._context._stream)
        if memory.bytes != sizes.scalars_bytes:
            raise BadLength(f"scalars take {memory.bytes} bytes, and must take {sizes.scalars_bytes}")
        if memory.on_device != (options.scalars_location == Location.DEVICE):
            raise BadArgument("the call was prepared for scalars in the host's memory")
        array, pointer = _result(out, _result_shape(self._filled, sizes))
        self._context._queue(memory, array)
        self._context._run(lib.sumac_call_run, self._context._take(), (owned, memory.pointer, memory.bytes, pointer, sizes.results_bytes), with_context=False)
        return array

    def plan(self) -> Dict[str, Any]:
        """Return the plan of the call in the form of Bases.plan()."""
        return self._context._read_json(lib.sumac_call_plan, self._take(), with_context=False)


def plan(context: Context, curve: Union[Curve, str], n: int, bases: Optional[BasesOptions] = None,
         msm: Optional[MsmOptions] = None) -> Dict[str, Any]:
    """Return the plan that msm() of n scalars would use, in the form of Bases.plan(). No bases are needed."""
    context, curve = as_context(context), as_curve(curve)
    bases_options = Options("sumac_bases_config", mapping_of(bases, "bases"))
    msm_options = _MsmOptions(mapping_of(msm, "msm"))
    return context._read_json(lib.sumac_plan_create, curve._pointer, size_of(n, "n"), bases_options.pointer, msm_options.pointer)


def partial_combine(context: Context, curve: Union[Curve, str], partials: Sequence[Any], batch: int = 1) -> numpy.ndarray:
    """Add partial results of Bases.msm_partial(). Return a raw point for each MSM of the batch."""
    context, curve = as_context(context), as_curve(curve)
    batch = integer_of("uint32_t", batch, "batch")
    bytes_of_each = int(lib.sumac_partial_bytes(curve._pointer, batch))
    if not isinstance(partials, (list, tuple)):
        raise TypeError(f"partial results are of type {type(partials).__name__}, and must be a list of them")
    if not bytes_of_each:
        raise BadArgument("batch is 0, and must be at least 1")
    memories = [records_of(partial, bytes_of_each, "the bytes of a partial result", count=1)[0] for partial in partials]
    list_of_them = ffi.new("const void *[]", [memory.pointer for memory in memories])
    array, pointer = result_array((batch, curve.point_bytes))
    context._call(lib.sumac_partial_combine, curve._pointer, list_of_them, bytes_of_each, len(memories), batch, pointer,
                  batch * curve.point_bytes)
    return array


# ---- Files, and bytes in other formats ----

def bases_file_count(context: Context, curve: Union[Curve, str], path: Path, format: Optional[str] = None) -> int:
    """Return the number of bases in a file."""
    n = ffi.new("size_t *")
    as_context(context)._call(lib.sumac_bases_file_count, as_curve(curve)._pointer, path_of(path), name_of(format, "the format"), n)
    return int(n[0])


def take_memory(memory: Any, *shape: int) -> numpy.ndarray:
    """Return memory that the library allocated for the caller, as an array that frees it."""
    count = product(shape)
    owned = ffi.gc(memory, lib.sumac_free)
    return array_over(ffi.buffer(owned, count) if count else b"", shape)


def scalars_read(context: Context, curve: Union[Curve, str], path: Path) -> numpy.ndarray:
    """Read a file of raw scalars. Return an array with a row for each scalar."""
    context, curve = as_context(context), as_curve(curve)
    scalars, size = ffi.new("void **"), ffi.new("size_t *")
    context._call(lib.sumac_scalars_read, curve._pointer, path_of(path), scalars, size)
    return take_memory(scalars[0], size[0] // curve.scalar_bytes, curve.scalar_bytes)


def points_decode(context: Context, curve: Union[Curve, str], records: Any, format: Optional[str] = None,
                  check: Union[Check, str] = Check.CURVE) -> numpy.ndarray:
    """Decode packed points of a format, such as "zcash-compressed" or "eip2537", to raw points. `check` has the same values as
    for bases: "none", "curve" or "subgroup"."""
    context, curve = as_context(context), as_curve(curve)
    memory, n = records_of(records, _record_bytes(context, curve, format), "records")
    array, pointer = result_array((n, curve.point_bytes))
    context._call(lib.sumac_points_decode, curve._pointer, memory.pointer, memory.bytes, n, name_of(format, "the format"),
                  enum_of(Check, check, "check"), pointer, n * curve.point_bytes)
    return array


def points_encode(context: Context, curve: Union[Curve, str], points: Any, format: Optional[str] = None) -> numpy.ndarray:
    """Encode points as records of a format. Return an array with a row for each point."""
    context, curve = as_context(context), as_curve(curve)
    memory, n = records_of(curve._packed(points), curve.point_bytes, "points")
    size = _record_bytes(context, curve, format)
    array, pointer = result_array((n, size))
    context._call(lib.sumac_points_encode, curve._pointer, memory.pointer, memory.bytes, n, name_of(format, "the format"), pointer,
                  n * size)
    return array


def map_to_group(context: Context, curve: Union[Curve, str], elements: Any) -> numpy.ndarray:
    """Map each coordinate to a point of the subgroup. Return an array with a row for each point. This applies RFC 9380's map
    and clears the cofactor, as EIP-2537's maps do. Elements and points are raw."""
    context, curve = as_context(context), as_curve(curve)
    memory, n = records_of(elements, curve.point_bytes // 2, "elements")
    array, pointer = result_array((n, curve.point_bytes))
    context._call(lib.sumac_map_to_group, curve._pointer, memory.pointer, memory.bytes, n, pointer, n * curve.point_bytes)
    return array


def _record_bytes(context: Context, curve: Curve, format: Optional[str]) -> int:
    size = ffi.new("size_t *")
    context._call(lib.sumac_points_record_bytes, curve._pointer, name_of(format, "the format"), size)
    return int(size[0])


class FilesReport(NamedTuple):
    """A report on how msm_files() divided its work."""

    n: int
    resumed: int
    chunk: int
    memory_bytes: int
    load_seconds: float
    msm_seconds: float


def msm_files(context: Context, curve: Union[Curve, str], bases_path: Path, scalars_path: Path, *,
              msm: Optional[MsmOptions] = None, **options: Unpack[FilesOptions]) -> Tuple[numpy.ndarray, FilesReport]:
    """Compute one MSM of the bases in a file and the scalars in another. The files may be larger than memory. The options are
    fields of sumac_files_config."""
    context, curve = as_context(context), as_curve(curve)
    filled = Options("sumac_files_config", dict(options))
    msm_options = _MsmOptions(mapping_of(msm, "msm"))
    report = sized("sumac_files_report")
    array, pointer = result_array((curve.point_bytes,))
    context._call(lib.sumac_msm_files, curve._pointer, path_of(bases_path), path_of(scalars_path), filled.pointer,
                  msm_options.pointer, pointer, curve.point_bytes, report)
    return array, FilesReport(report.n, report.resumed, report.chunk, report.memory_bytes, report.load_seconds,
                              report.msm_seconds)


# ---- Known answers ----

def known_logarithms(context: Context, curve: Union[Curve, str], n: int, seed: int = 0) -> numpy.ndarray:
    """Return the discrete logarithms of the bases of Bases.known() as raw scalars, in an array with a row for each."""
    context, curve, n = as_context(context), as_curve(curve), size_of(n, "n")
    array, pointer = result_array((n, curve.scalar_bytes))
    context._call(lib.sumac_known_logarithms, curve._pointer, n, integer_of("uint64_t", seed, "seed"), pointer, array.nbytes)
    return array


def known_answer(context: Context, curve: Union[Curve, str], scalars: Any, logarithms: Any) -> numpy.ndarray:
    """Return the result of an MSM over bases with these logarithms, which one scalar multiplication computes."""
    context, curve = as_context(context), as_curve(curve)
    given, n = records_of(scalars, curve.scalar_bytes, "scalars")
    known, _ = records_of(logarithms, curve.scalar_bytes, "logarithms", count=n)
    array, pointer = result_array((curve.point_bytes,))
    context._call(lib.sumac_known_answer, curve._pointer, given.pointer, given.bytes, known.pointer, known.bytes, n, pointer,
                  array.nbytes)
    return array


__all__: List[str] = [
    "Bases", "FilesReport", "PreparedMsm", "bases_file_count", "known_answer", "known_logarithms", "map_to_group", "msm_files",
    "partial_combine", "plan", "points_decode", "points_encode", "scalars_read"]
