// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, require_bytes, zeroed, Error, Keep, Result};
use crate::options::{ElementLayout, Location, MsmConfig, Scan, Status, TransformConfig, VectorKind};
use crate::pass::{call, make, raw};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use sumac_sys as sys;

crate::handle! {
    /// Elements where a context computes: integers modulo r, or points. What writes takes it as `&mut`. The lifetime is that of
    /// memory which it borrows, `'static` if it has its own.
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

/// Integers that become scalars.
///
/// # Safety
/// Every byte of a value is initialized, and there are 1, 2, 4 or 8.
pub unsafe trait Integer: Copy {
    const IS_SIGNED: bool;
}
macro_rules! integers {
    ($($type:ty),*) => { $(unsafe impl Integer for $type { const IS_SIGNED: bool = <$type>::MIN != 0; })* };
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Part of a vector: `runs` times `length` elements, run k from first + k*stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    pub first: usize,
    pub runs: usize,
    pub length: usize,
    pub stride: usize,
}

impl From<Range<usize>> for Slice {
    fn from(range: Range<usize>) -> Slice {
        Slice { first: range.start, runs: 1, length: range.len(), stride: range.len() }
    }
}

impl Slice {
    fn raw(&self) -> sys::sumac_slice {
        let mut raw: sys::sumac_slice = unsafe { std::mem::zeroed() };
        unsafe { sys::sumac_slice_init(&mut raw, std::mem::size_of_val(&raw)) };
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

    /// So many zeros, or points at infinity.
    pub fn new(context: &mut Context, curve: Curve, kind: VectorKind, count: usize) -> Result<Vector<'static>> {
        let raw = make!(context, sumac_vector_create, curve, kind, count)?;
        Ok(Vector::over(context, raw))
    }

    /// Scalars in memory of the host, which is not copied: in Montgomery form, little-endian and less than r, as arkworks holds
    /// them, which is not checked. The context computes on the CPU.
    ///
    /// ```compile_fail,E0505
    /// fn too_late(context: &mut sumac::Context, curve: sumac::Curve, mut memory: Vec<u64>) {
    ///     let vector = sumac::Vector::wrap_host(context, curve, &mut memory).unwrap();
    ///     drop(memory);
    ///     drop(vector);
    /// }
    /// ```
    pub fn wrap_host(context: &mut Context, curve: Curve, memory: &'a mut [u64]) -> Result<Vector<'a>> {
        let raw = make!(context, sumac_vector_wrap, curve, &mut *memory, std::mem::size_of_val(memory))?;
        Ok(Vector::over(context, raw))
    }

    /// Scalars in memory of the context's GPU, as [`Vector::wrap_host`] has them on the host.
    ///
    /// # Safety
    /// The memory is the GPU's, of so many bytes. It outlives `'a`, and nothing else uses it while a call does.
    pub unsafe fn wrap_device(context: &mut Context, curve: Curve, memory: *mut c_void, bytes: usize) -> Result<Vector<'a>> {
        if context.location() != Location::Device {
            return Err(Error::new(Status::BadArgument, "the memory is a GPU's, and the context computes on the CPU"));
        }
        let raw = make!(context, sumac_vector_wrap, curve, memory, bytes)?;
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

    /// Where the scalars lie, in the form that [`Vector::wrap_host`] describes; null for points, and for a vector of none.
    pub fn as_ptr(&self) -> *mut c_void {
        raw!(sumac_vector_memory, self.raw)
    }

    /// Words of scalars that lie on the host; none of points or a GPU's.
    fn words(&self) -> usize {
        if self.on_device || self.as_ptr().is_null() {
            0
        } else {
            self.len() * self.element_bytes() / 8
        }
    }

    /// The scalars where they lie on the host, as [`Vector::wrap_host`] takes them; nothing of points, and of a GPU's.
    pub fn memory(&self) -> &[u64] {
        match self.words() {
            0 => &[],
            words => unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), words) },
        }
    }

    /// [`Vector::memory`] to be changed: to scalars that are less than r.
    pub fn memory_mut(&mut self) -> &mut [u64] {
        match self.words() {
            0 => &mut [],
            words => unsafe { std::slice::from_raw_parts_mut(self.as_ptr().cast(), words) },
        }
    }

    /// Make a vector of elements in the host's memory, as [`Vector::set`] takes them.
    pub fn of(
        context: &mut Context,
        curve: Curve,
        kind: VectorKind,
        elements: &[u8],
        layout: &ElementLayout,
    ) -> Result<Vector<'static>> {
        let size = if kind == VectorKind::Scalars { curve.scalar_bytes() } else { curve.point_bytes() };
        let count = count_records("elements", elements.len(), size_of_element(layout, size))?;
        let mut vector = Vector::new(context, curve, kind, count)?;
        vector.set(context, 0, elements, layout)?;
        Ok(vector)
    }

    fn ptr(&self) -> *const sys::sumac_vector {
        self.raw.as_ptr()
    }

    pub fn len(&self) -> usize {
        raw!(sumac_vector_count, self)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn curve(&self) -> Curve {
        unsafe { Curve::of(sys::sumac_vector_curve(self.ptr())) }.expect("a vector has a curve")
    }

    /// Scalars or points.
    pub fn kind(&self) -> VectorKind {
        VectorKind::of(raw!(sumac_vector_kind_of, self))
    }

    /// Bytes of one element in the host's memory.
    pub fn element_bytes(&self) -> usize {
        if self.kind() == VectorKind::Scalars {
            self.curve().scalar_bytes()
        } else {
            self.curve().point_bytes()
        }
    }

    /// One raw scalar of the vector's curve, or null.
    fn scalar(&self, what: &str, scalar: Option<&[u8]>) -> Result<*const std::ffi::c_void> {
        match scalar {
            None => Ok(std::ptr::null()),
            Some(scalar) => {
                require_bytes(what, scalar.len(), self.curve().scalar_bytes())?;
                Ok(scalar.as_ptr().cast())
            }
        }
    }

    /// Elements from `first` on, of the host's memory.
    pub fn set(&mut self, context: &mut Context, first: usize, elements: &[u8], layout: &ElementLayout) -> Result<()> {
        let n = count_records("elements", elements.len(), size_of_element(layout, self.element_bytes()))?;
        let layout = layout.raw(&mut Keep::default())?;
        call!(context, sumac_vector_set, self, elements, first, n, &layout)
    }

    /// Scalars from `first` on, of integers; a negative one is r less its amount.
    pub fn set_integers<T: Integer>(&mut self, context: &mut Context, first: usize, integers: &[T]) -> Result<()> {
        let bytes = unsafe { std::slice::from_raw_parts(integers.as_ptr().cast(), std::mem::size_of_val(integers)) };
        let scalar_bytes = std::mem::size_of::<T>() as u32;
        let layout = ElementLayout { scalar_bytes, scalar_signed: T::IS_SIGNED, ..Default::default() };
        self.set(context, first, bytes, &layout)
    }

    /// Elements to the host's memory; points are affine.
    pub fn get(&self, context: &mut Context, range: Range<usize>, layout: &ElementLayout) -> Result<Vec<u8>> {
        if range.start > range.end || range.end > self.len() {
            return bad_length(format!("there are {} elements, and {range:?} are wanted", self.len()));
        }
        let layout = layout.raw(&mut Keep::default())?;
        let mut elements = zeroed(range.len() * self.element_bytes())?;
        call!(context, sumac_vector_get, self, range.start, range.len(), &layout, &mut elements[..])?;
        Ok(elements)
    }

    /// All elements, raw and canonical.
    pub fn to_vec(&self, context: &mut Context) -> Result<Vec<u8>> {
        self.get(context, 0..self.len(), &ElementLayout::default())
    }

    /// A slice of another vector into a slice of this one.
    pub fn copy_from(&mut self, context: &mut Context, other: &Vector, from: impl Into<Slice>, to: impl Into<Slice>) -> Result<()> {
        let (from, to) = (from.into().raw(), to.into().raw());
        call!(context, sumac_vector_copy, other, &from, self, &to)
    }

    /// Row i becomes row rows\[i\] of another vector, rows of `length` elements.
    pub fn gather(&mut self, context: &mut Context, other: &Vector, length: usize, rows: &[u64]) -> Result<()> {
        call!(context, sumac_vector_gather, other, length, rows, rows.len(), self)
    }

    /// Set all elements to one raw scalar, less than r.
    pub fn fill(&mut self, context: &mut Context, scalar: &[u8]) -> Result<()> {
        let scalar = self.scalar("the scalar's bytes", Some(scalar))?;
        call!(context, sumac_vector_fill, self, scalar)
    }

    fn binary(&self, context: &mut Context, other: &Vector, each: usize, function: Binary) -> Result<Vector<'static>> {
        let result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        context.call(|context| unsafe { function(context, self.ptr(), other.ptr(), each, result.raw.as_ptr()) })?;
        Ok(result)
    }

    fn binary_in_place(&mut self, context: &mut Context, other: &Vector, each: usize, function: Binary) -> Result<()> {
        context.call(|context| unsafe { function(context, self.ptr(), other.ptr(), each, self.raw.as_ptr()) })
    }

    /// self\[i\] + other\[(i / each) mod len(other)\]: so `other` is as long; or, shorter, begins again; or, with `each` the length
    /// of a row, has one element for each row. each 0 means 1.
    pub fn add(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_add)
    }

    /// The difference, as [`Vector::add`] has the sum.
    pub fn subtract(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_subtract)
    }

    /// The product of scalars, as [`Vector::add`] has the sum.
    pub fn multiply(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_multiply)
    }

    /// self\[i\] * other\[(i / each) mod len(other)\] + addend\[i\]; the addend is as long.
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

    /// 1/x of each scalar, in place; 0 stays 0.
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
        call!(context, sumac_vector_scale_powers, self, factor, ratio, length)
    }

    /// The sum of each row of `length` elements.
    pub fn sum(&self, context: &mut Context, length: usize) -> Result<Vector<'static>> {
        let rows = count_rows(self, length, "rows")?;
        let mut result = Vector::new(context, self.curve(), self.kind(), rows)?;
        call!(context, sumac_vector_sum, self, length, &mut result)?;
        Ok(result)
    }

    /// Running sums or products of each row of `length` scalars, in place. Exclusive, an element is not part of its own, and the
    /// first of a row becomes 0, or 1 for products.
    pub fn scan(&mut self, context: &mut Context, length: usize, operation: Scan, exclusive: bool) -> Result<()> {
        call!(context, sumac_vector_scan, self, length, operation, u32::from(exclusive))
    }

    /// Matrices of rows*columns elements, each transposed.
    pub fn transpose(&self, context: &mut Context, rows: usize, columns: usize) -> Result<Vector<'static>> {
        let mut result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        call!(context, sumac_vector_transpose, self, rows, columns, &mut result)?;
        Ok(result)
    }

    /// In each row of `length` elements, a power of two, i and its reversal change places.
    pub fn bit_reverse(&mut self, context: &mut Context, length: usize) -> Result<()> {
        call!(context, sumac_vector_bit_reverse, self, length)
    }

    /// The number-theoretic transform of each row, in place: coefficients become values.
    pub fn ntt(&mut self, context: &mut Context, config: &TransformConfig<'_>) -> Result<()> {
        self.scalar("the shift's bytes", config.shift)?;
        let config = config.raw(&mut Keep::default())?;
        call!(context, sumac_vector_ntt, self, &config)
    }

    /// The transform of points, which must lie in the subgroup.
    pub fn point_transform(&mut self, context: &mut Context, config: &TransformConfig<'_>) -> Result<()> {
        self.scalar("the shift's bytes", config.shift)?;
        let config = config.raw(&mut Keep::default())?;
        call!(context, sumac_vector_point_transform, self, &config)
    }

    /// Divide the value at each x of a coset by x^n - 1, in place; the config is that of the transform which made the values.
    pub fn divide_by_vanishing(&mut self, context: &mut Context, n: usize, config: &TransformConfig<'_>) -> Result<()> {
        self.scalar("the shift's bytes", config.shift)?;
        let config = config.raw(&mut Keep::default())?;
        call!(context, sumac_vector_divide_by_vanishing, self, n, &config)
    }
}

/// How many rows of a length a vector has.
pub(crate) fn count_rows(vector: &Vector, length: usize, what: &str) -> Result<usize> {
    if length == 0 || vector.len() % length != 0 {
        return bad_length(format!("the vector has {} elements, which are no {what} of {length}", vector.len()));
    }
    Ok(vector.len() / length)
}

/// [`Bases::msm`] of scalars [first, first + batch*n) of a vector, with results in a vector of points from `result_first` on.
#[allow(clippy::too_many_arguments)]
pub fn msm_vectors(
    context: &mut Context,
    bases: &Bases,
    scalars: &Vector,
    first: usize,
    n: usize,
    config: &MsmConfig<'_>,
    results: &mut Vector,
    result_first: usize,
) -> Result<()> {
    let mut keep = Keep::default();
    let config = config.raw(&mut keep)?;
    call!(context, sumac_msm_vectors, bases, scalars, first, n, &config, results, result_first)
}
