// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::call::Call;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, require_bytes, zeroed, Error, Keep, Result};
use crate::options::{ElementLayout, ErrorKind, Location, MsmConfig, Scan, TransformConfig, VectorKind};
use crate::pass::{call, make, raw};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use sumac_sys as sys;

crate::handle! {
    /// Elements where a context computes: integers modulo r, or points. Calls that write it take `&mut`. The lifetime is that of the
    /// memory that it borrows, or `'static` if it owns its memory.
    Vector<'a>(sumac_vector, sumac_vector_destroy) { on_device: bool, memory: PhantomData<&'a mut [u64]> }
}

/// Elements of another vector, which are only read.
pub struct View<'a>(Vector<'a>);

impl<'a> Deref for View<'a> {
    type Target = Vector<'a>;

    fn deref(&self) -> &Vector<'a> {
        &self.0
    }
}

/// Integers that become scalars; arrays of bytes are little-endian.
///
/// # Safety
/// Every byte of a value must be initialized.
pub unsafe trait Integer: Copy {
    /// True if they are two's complement.
    const IS_SIGNED: bool;

    /// The bytes of the integers.
    fn bytes_of(integers: &[Self]) -> &[u8] {
        unsafe { std::slice::from_raw_parts(integers.as_ptr().cast(), std::mem::size_of_val(integers)) }
    }
}

unsafe impl<const N: usize> Integer for [u8; N] {
    const IS_SIGNED: bool = false;
}

macro_rules! integers {
    ($($type:ty),*) => { $(unsafe impl Integer for $type { const IS_SIGNED: bool = <$type>::MIN != 0; })* };
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Part of a vector: `runs` times `length` elements, run k from first + k*stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The first element.
    pub first: usize,
    /// The number of runs.
    pub runs: usize,
    /// The elements of a run.
    pub length: usize,
    /// The elements from the beginning of a run to that of the next one.
    pub stride: usize,
}

impl From<Range<usize>> for Slice {
    fn from(range: Range<usize>) -> Slice {
        Slice { first: range.start, runs: 1, length: range.len(), stride: range.len() }
    }
}

impl Slice {
    fn raw(&self) -> sys::sumac_slice {
        let mut raw: sys::sumac_slice = crate::fields::sized();
        (raw.first, raw.runs, raw.length, raw.stride) = (self.first, self.runs, self.length, self.stride);
        raw
    }
}

type Binary = unsafe extern "C" fn(
    *mut sys::sumac_context,
    *const sys::sumac_vector,
    *const sys::sumac_vector,
    usize,
    *mut sys::sumac_vector,
) -> sys::sumac_status;

/// The bytes of an element that is written.
fn size_of_element(layout: &ElementLayout, own: usize) -> usize {
    if layout.scalar_bytes == 0 {
        own
    } else {
        layout.scalar_bytes as usize
    }
}

impl<'a> Vector<'a> {
    fn over(context: &Context, raw: std::ptr::NonNull<sys::sumac_vector>) -> Vector<'a> {
        Vector { raw, on_device: context.location() == Location::Device, memory: PhantomData }
    }

    /// Make a vector of `count` zeros, or points at infinity.
    pub fn new(context: &mut Context, curve: Curve, kind: VectorKind, count: usize) -> Result<Vector<'static>> {
        let raw = make!(context, sumac_vector_create, curve, kind, count)?;
        Ok(Vector::over(context, raw))
    }

    /// Make a vector of scalars in memory of the host, without a copy or a check: in Montgomery form, little-endian and less than r,
    /// as arkworks holds them. The context must compute on the CPU.
    ///
    /// ```compile_fail,E0505
    /// fn too_late(context: &mut sumac::Context, curve: sumac::Curve, mut memory: Vec<u64>) {
    ///     let vector = sumac::Vector::wrap_host(context, curve, &mut memory).unwrap();
    ///     drop(memory);
    ///     drop(vector);
    /// }
    /// ```
    pub fn wrap_host(context: &mut Context, curve: Curve, memory: &'a mut [u64]) -> Result<Vector<'a>> {
        let count = count_records("memory", std::mem::size_of_val(memory), curve.scalar_bytes())?;
        let raw = make!(context, sumac_vector_wrap, curve, &mut *memory, count)?;
        Ok(Vector::over(context, raw))
    }

    /// Make a vector of scalars in memory of the context's GPU, in the form of [`Vector::wrap_host`].
    ///
    /// # Safety
    /// The memory must be the GPU's, of `bytes` bytes, and outlive `'a`; nothing else may use it while a call does.
    pub unsafe fn wrap_device(context: &mut Context, curve: Curve, memory: *mut c_void, bytes: usize) -> Result<Vector<'a>> {
        if context.location() != Location::Device {
            return Err(Error::new(ErrorKind::BadArgument, "the memory is a GPU's, and the context computes on the CPU"));
        }
        let count = count_records("memory", bytes, curve.scalar_bytes())?;
        let raw = make!(context, sumac_vector_wrap, curve, memory, count)?;
        Ok(Vector::over(context, raw))
    }

    /// Some of the elements as a vector, without a copy.
    pub fn view(&self, context: &mut Context, range: Range<usize>) -> Result<View<'_>> {
        self.part(context, range).map(View)
    }

    /// Some of the elements as a vector that can be changed, without a copy.
    pub fn view_mut(&mut self, context: &mut Context, range: Range<usize>) -> Result<Vector<'_>> {
        self.part(context, range)
    }

    /// The elements before `middle`, and the others, as two vectors that one call can use.
    pub fn split_at_mut(&mut self, context: &mut Context, middle: usize) -> Result<(Vector<'_>, Vector<'_>)> {
        Ok((self.part(context, 0..middle)?, self.part(context, middle..self.len())?))
    }

    fn part(&self, context: &mut Context, range: Range<usize>) -> Result<Vector<'_>> {
        let Some(count) = range.end.checked_sub(range.start) else {
            return bad_length(format!("the range {range:?} ends before it begins"));
        };
        let raw = make!(context, sumac_vector_view, self.raw, range.start, count)?;
        Ok(Vector { raw, on_device: self.on_device, memory: PhantomData })
    }

    /// The address of the scalars, in the form of [`Vector::wrap_host`]; null for points, and for an empty vector.
    pub fn as_ptr(&self) -> *mut c_void {
        raw!(sumac_vector_memory, self.raw)
    }

    /// The number of words of scalars on the host; 0 for points, and on a GPU.
    fn words(&self) -> usize {
        if self.on_device || self.as_ptr().is_null() {
            0
        } else {
            self.len() * self.element_bytes() / 8
        }
    }

    /// The memory of scalars on the host, in the form of [`Vector::wrap_host`]; empty for points, and on a GPU.
    pub fn memory(&self) -> &[u64] {
        match self.words() {
            0 => &[],
            words => unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), words) },
        }
    }

    /// [`Vector::memory`] for writing; scalars must be less than r.
    pub fn memory_mut(&mut self) -> &mut [u64] {
        match self.words() {
            0 => &mut [],
            words => unsafe { std::slice::from_raw_parts_mut(self.as_ptr().cast(), words) },
        }
    }

    /// Make a vector of elements in the host's memory, in the form that [`Vector::set`] takes.
    pub fn of<'c>(
        context: &'c mut Context,
        curve: Curve,
        kind: VectorKind,
        elements: &'c [u8],
    ) -> Call<'c, ElementLayout, Result<Vector<'static>>> {
        Call::new(context, move |context, layout| {
            let size = if kind == VectorKind::Scalars { curve.scalar_bytes() } else { curve.point_bytes() };
            let count = count_records("elements", elements.len(), size_of_element(layout, size))?;
            let mut vector = Vector::new(context, curve, kind, count)?;
            vector.set(context, 0, elements).config(*layout).run()?;
            Ok(vector)
        })
    }

    fn ptr(&self) -> *const sys::sumac_vector {
        self.raw.as_ptr()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        raw!(sumac_vector_count, self)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The curve and group.
    pub fn curve(&self) -> Curve {
        unsafe { Curve::of(sys::sumac_vector_group(self.ptr())) }.expect("a vector has a curve")
    }

    /// The kind of the elements: scalars or points.
    pub fn kind(&self) -> VectorKind {
        VectorKind::of(raw!(sumac_vector_kind_of, self))
    }

    /// The bytes of one element in the host's memory.
    pub fn element_bytes(&self) -> usize {
        if self.kind() == VectorKind::Scalars {
            self.curve().scalar_bytes()
        } else {
            self.curve().point_bytes()
        }
    }

    /// Return a pointer to one raw scalar of the vector's curve, or null.
    fn scalar(&self, what: &str, scalar: Option<&[u8]>) -> Result<*const std::ffi::c_void> {
        match scalar {
            None => Ok(std::ptr::null()),
            Some(scalar) => {
                require_bytes(what, scalar.len(), self.curve().scalar_bytes())?;
                Ok(scalar.as_ptr().cast())
            }
        }
    }

    /// Write elements from `first` on from the host's memory.
    pub fn set<'c>(
        &'c mut self,
        context: &'c mut Context,
        first: usize,
        elements: &'c [u8],
    ) -> Call<'c, ElementLayout, Result<()>> {
        Call::new(context, move |context, layout: &ElementLayout| {
            let n = count_records("elements", elements.len(), size_of_element(layout, self.element_bytes()))?;
            let layout = layout.raw(&mut Keep::default())?;
            call!(context, sumac_vector_set, self, elements, elements.len(), first, n, &layout)
        })
    }

    /// Write integers as scalars from `first` on; a negative integer i becomes r + i.
    pub fn set_integers<T: Integer>(&mut self, context: &mut Context, first: usize, integers: &[T]) -> Result<()> {
        let call = self.set(context, first, T::bytes_of(integers));
        call.scalar_bytes(std::mem::size_of::<T>() as u32).scalar_signed(T::IS_SIGNED).run()
    }

    /// Read elements to the host's memory; points are affine.
    pub fn get<'c>(&'c self, context: &'c mut Context, range: Range<usize>) -> Call<'c, ElementLayout, Result<Vec<u8>>> {
        Call::new(context, move |context, layout: &ElementLayout| {
            if range.start > range.end || range.end > self.len() {
                return bad_length(format!("there are {} elements, and {range:?} are wanted", self.len()));
            }
            let layout = layout.raw(&mut Keep::default())?;
            let bytes = range.len() * self.element_bytes();
            let mut elements = zeroed(bytes)?;
            call!(context, sumac_vector_get, self, range.start, range.len(), &layout, &mut elements[..], bytes)?;
            Ok(elements)
        })
    }

    /// All elements, raw and canonical.
    pub fn to_vec(&self, context: &mut Context) -> Result<Vec<u8>> {
        self.get(context, 0..self.len()).run()
    }

    /// Copy a slice of another vector to a slice of this one.
    pub fn copy_from(&mut self, context: &mut Context, other: &Vector, from: impl Into<Slice>, to: impl Into<Slice>) -> Result<()> {
        let (from, to) = (from.into().raw(), to.into().raw());
        call!(context, sumac_vector_copy, other, &from, self, &to)
    }

    /// Copy row rows\[i\] of another vector to row i of this one, rows of `length` elements.
    pub fn gather(&mut self, context: &mut Context, other: &Vector, length: usize, rows: &[u64]) -> Result<()> {
        call!(context, sumac_vector_gather, other, length, rows, rows.len(), self)
    }

    /// Set all elements to one raw scalar, less than r.
    pub fn fill(&mut self, context: &mut Context, scalar: &[u8]) -> Result<()> {
        let scalar = self.scalar("the scalar's bytes", Some(scalar))?;
        let bytes = self.curve().scalar_bytes();
        call!(context, sumac_vector_fill, self, scalar, bytes)
    }

    fn binary(&self, context: &mut Context, other: &Vector, each: usize, function: Binary) -> Result<Vector<'static>> {
        let result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        context.call(|context| unsafe { function(context, self.ptr(), other.ptr(), each, result.raw.as_ptr()) })?;
        Ok(result)
    }

    fn binary_in_place(&mut self, context: &mut Context, other: &Vector, each: usize, function: Binary) -> Result<()> {
        context.call(|context| unsafe { function(context, self.ptr(), other.ptr(), each, self.raw.as_ptr()) })
    }

    /// Compute self\[i\] + other\[(i / each) mod len(other)\]. A shorter `other` is repeated; if `each` is the length of a row, it has
    /// one element for each row. `each` is at least 1.
    pub fn add(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_add)
    }

    /// Compute the difference, with the indices of [`Vector::add`].
    pub fn subtract(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_subtract)
    }

    /// Compute the product of scalars, with the indices of [`Vector::add`].
    pub fn multiply(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_multiply)
    }

    /// Compute self\[i\] * other\[(i / each) mod len(other)\] + addend\[i\]; the addend is as long as this vector.
    pub fn multiply_add(&self, context: &mut Context, other: &Vector, each: usize, addend: &Vector) -> Result<Vector<'static>> {
        let mut result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        call!(context, sumac_vector_multiply_add, self, other, each, addend, &mut result)?;
        Ok(result)
    }

    /// [`Vector::multiply_add`] in place.
    pub fn multiply_add_assign(&mut self, context: &mut Context, other: &Vector, each: usize, addend: &Vector) -> Result<()> {
        call!(context, sumac_vector_multiply_add, self.raw, other, each, addend, self.raw)
    }

    /// [`Vector::add`] in place.
    pub fn add_assign(&mut self, context: &mut Context, other: &Vector, each: usize) -> Result<()> {
        self.binary_in_place(context, other, each, sys::sumac_vector_add)
    }

    /// [`Vector::subtract`] in place.
    pub fn subtract_assign(&mut self, context: &mut Context, other: &Vector, each: usize) -> Result<()> {
        self.binary_in_place(context, other, each, sys::sumac_vector_subtract)
    }

    /// [`Vector::multiply`] in place.
    pub fn multiply_assign(&mut self, context: &mut Context, other: &Vector, each: usize) -> Result<()> {
        self.binary_in_place(context, other, each, sys::sumac_vector_multiply)
    }

    /// Invert each scalar, in place; 0 stays 0.
    pub fn invert(&mut self, context: &mut Context) -> Result<()> {
        call!(context, sumac_vector_invert, self)
    }

    /// Multiply element i by factor * ratio^(i mod length), in place. None is 1.
    pub fn scale_powers(
        &mut self,
        context: &mut Context,
        factor: Option<&[u8]>,
        ratio: Option<&[u8]>,
        length: usize,
    ) -> Result<()> {
        let (factor, ratio) = (self.scalar("the factor's bytes", factor)?, self.scalar("the ratio's bytes", ratio)?);
        let bytes = self.curve().scalar_bytes();
        call!(context, sumac_vector_scale_powers, self, factor, bytes, ratio, bytes, length)
    }

    /// The sum of each row of `length` elements.
    pub fn sum(&self, context: &mut Context, length: usize) -> Result<Vector<'static>> {
        let rows = count_rows(self, length, "rows")?;
        let mut result = Vector::new(context, self.curve(), self.kind(), rows)?;
        call!(context, sumac_vector_sum, self, length, &mut result)?;
        Ok(result)
    }

    /// Compute running sums or products of each row of `length` scalars, in place. If `exclusive`, an element does not count in its
    /// own, and the first of a row becomes 0, or 1 for products.
    pub fn scan(&mut self, context: &mut Context, length: usize, operation: Scan, exclusive: bool) -> Result<()> {
        call!(context, sumac_vector_scan, self, length, operation, u32::from(exclusive))
    }

    /// Transpose matrices of rows*columns elements each.
    pub fn transpose(&self, context: &mut Context, rows: usize, columns: usize) -> Result<Vector<'static>> {
        let mut result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        call!(context, sumac_vector_transpose, self, rows, columns, &mut result)?;
        Ok(result)
    }

    /// Exchange elements i and rev(i) of each row of `length` elements, a power of two.
    pub fn bit_reverse(&mut self, context: &mut Context, length: usize) -> Result<()> {
        call!(context, sumac_vector_bit_reverse, self, length)
    }

    fn transform(&self, config: &TransformConfig<'_>) -> Result<sys::sumac_transform_config> {
        self.scalar("the shift's bytes", config.shift)?;
        let mut raw = config.raw(&mut Keep::default())?;
        raw.shift_bytes = self.curve().scalar_bytes();
        Ok(raw)
    }

    /// Transform each row (NTT), in place: coefficients become values. Points must lie in the subgroup.
    pub fn ntt<'c>(&'c mut self, context: &'c mut Context) -> Call<'c, TransformConfig<'c>, Result<()>> {
        Call::new(context, move |context, config| {
            let config = self.transform(config)?;
            call!(context, sumac_vector_ntt, self, &config)
        })
    }

    /// Divide the value at each x of a coset by x^n - 1, in place; the options are those of the transform that computed the values.
    pub fn divide_by_vanishing<'c>(&'c mut self, context: &'c mut Context, n: usize) -> Call<'c, TransformConfig<'c>, Result<()>> {
        Call::new(context, move |context, config| {
            let config = self.transform(config)?;
            call!(context, sumac_vector_divide_by_vanishing, self, n, &config)
        })
    }
}

/// The number of rows of `length` elements in a vector.
pub(crate) fn count_rows(vector: &Vector, length: usize, what: &str) -> Result<usize> {
    if length == 0 || vector.len() % length != 0 {
        return bad_length(format!("the vector has {} elements, which are no {what} of {length}", vector.len()));
    }
    Ok(vector.len() / length)
}

/// [`Bases::msm`] of scalars [first, first + batch*n) of a vector, with results in a vector of points from `result_first` on.
pub fn msm_vectors<'a>(
    context: &'a mut Context,
    bases: &'a Bases,
    scalars: &'a Vector<'_>,
    first: usize,
    n: usize,
    results: &'a mut Vector<'_>,
    result_first: usize,
) -> Call<'a, MsmConfig<'a>, Result<()>> {
    Call::new(context, move |context, config: &MsmConfig<'_>| {
        let mut keep = Keep::default();
        let config = config.raw(&mut keep)?;
        call!(context, sumac_msm_vectors, bases, scalars, first, n, &config, results, result_first)
    })
}
