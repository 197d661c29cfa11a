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
    /// Elements in the memory where a context computes: integers modulo r, or points. Calls that write a vector take `&mut`. The
    /// lifetime is that of the memory that the vector borrows, or `'static` if the vector owns its memory.
    Vector<'a>(sumac_vector, sumac_vector_destroy) { on_device: bool, memory: PhantomData<&'a mut [u64]> }
}

/// Elements of another vector, which can only be read.
pub struct View<'a>(Vector<'a>);

impl<'a> Deref for View<'a> {
    type Target = Vector<'a>;

    fn deref(&self) -> &Vector<'a> {
        &self.0
    }
}

/// Integers that can become scalars. Arrays of bytes are little-endian.
///
/// # Safety
/// Every byte of a value must be initialized.
pub unsafe trait Integer: Copy {
    /// True if the integers are signed, in two's complement.
    const IS_SIGNED: bool;

    /// Returns the bytes of the integers.
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

/// A part of a vector: `runs` runs of `length` elements. Run k begins at element first + k*stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The first element.
    pub first: usize,
    /// The number of runs.
    pub runs: usize,
    /// The number of elements of a run.
    pub length: usize,
    /// The number of elements from the beginning of a run to the beginning of the next one.
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

/// Returns the size in bytes of an element that is written.
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

    /// Makes a vector of `count` elements, which are zeros or points at infinity.
    pub fn new(context: &mut Context, curve: Curve, kind: VectorKind, count: usize) -> Result<Vector<'static>> {
        let raw = make!(context, sumac_vector_create, curve, kind, count)?;
        Ok(Vector::over(context, raw))
    }

    /// Makes a vector of scalars in memory of the host, without a copy or a check. The scalars must be in Montgomery form,
    /// little-endian and less than r, as arkworks stores them. The context must compute on the CPU.
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

    /// Makes a vector of scalars in memory of the context's GPU, in the form that [`Vector::wrap_host`] describes.
    ///
    /// # Safety
    /// The memory must be the GPU's, have `bytes` bytes, and outlive `'a`. While a call uses it, nothing else may use it.
    pub unsafe fn wrap_device(context: &mut Context, curve: Curve, memory: *mut c_void, bytes: usize) -> Result<Vector<'a>> {
        if context.location() != Location::Device {
            return Err(Error::new(ErrorKind::BadArgument, "the memory is a GPU's, and the context computes on the CPU"));
        }
        let count = count_records("memory", bytes, curve.scalar_bytes())?;
        let raw = make!(context, sumac_vector_wrap, curve, memory, count)?;
        Ok(Vector::over(context, raw))
    }

    /// Returns some of the elements as a vector, without a copy.
    pub fn view(&self, context: &mut Context, range: Range<usize>) -> Result<View<'_>> {
        self.part(context, range).map(View)
    }

    /// Returns some of the elements as a vector that can be changed, without a copy.
    pub fn view_mut(&mut self, context: &mut Context, range: Range<usize>) -> Result<Vector<'_>> {
        self.part(context, range)
    }

    /// Returns the elements before `middle` and the other elements as two vectors, which the same call can use.
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

    /// Returns the address of the scalars, which are in the form that [`Vector::wrap_host`] describes. For points and for an empty
    /// vector it is null.
    pub fn as_ptr(&self) -> *mut c_void {
        raw!(sumac_vector_memory, self.raw)
    }

    /// Returns the number of words of scalars on the host. For points, and on a GPU, it is 0.
    fn words(&self) -> usize {
        if self.on_device || self.as_ptr().is_null() {
            0
        } else {
            self.len() * self.element_bytes() / 8
        }
    }

    /// Returns the memory of scalars on the host, in the form that [`Vector::wrap_host`] describes. For points, and on a GPU, it is
    /// empty.
    pub fn memory(&self) -> &[u64] {
        match self.words() {
            0 => &[],
            words => unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), words) },
        }
    }

    /// Returns the same as [`Vector::memory`], for writing. All scalars must be less than r.
    pub fn memory_mut(&mut self) -> &mut [u64] {
        match self.words() {
            0 => &mut [],
            words => unsafe { std::slice::from_raw_parts_mut(self.as_ptr().cast(), words) },
        }
    }

    /// Makes a vector of elements in the host's memory, in the form that [`Vector::set`] reads.
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

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        raw!(sumac_vector_count, self)
    }

    /// Says whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the curve and group.
    pub fn curve(&self) -> Curve {
        unsafe { Curve::of(sys::sumac_vector_group(self.ptr())) }.expect("a vector has a curve")
    }

    /// Returns the kind of the elements: scalars or points.
    pub fn kind(&self) -> VectorKind {
        VectorKind::of(raw!(sumac_vector_kind_of, self))
    }

    /// Returns the size in bytes of one element in the host's memory.
    pub fn element_bytes(&self) -> usize {
        if self.kind() == VectorKind::Scalars {
            self.curve().scalar_bytes()
        } else {
            self.curve().point_bytes()
        }
    }

    /// Returns a pointer to one raw scalar of the vector's curve, or null.
    fn scalar(&self, what: &str, scalar: Option<&[u8]>) -> Result<*const std::ffi::c_void> {
        match scalar {
            None => Ok(std::ptr::null()),
            Some(scalar) => {
                require_bytes(what, scalar.len(), self.curve().scalar_bytes())?;
                Ok(scalar.as_ptr().cast())
            }
        }
    }

    /// Copies elements from the host's memory to the vector, from index `first`.
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

    /// Writes integers as scalars, from index `first`. A negative integer i becomes r + i.
    pub fn set_integers<T: Integer>(&mut self, context: &mut Context, first: usize, integers: &[T]) -> Result<()> {
        let call = self.set(context, first, T::bytes_of(integers));
        call.scalar_bytes(std::mem::size_of::<T>() as u32).scalar_signed(T::IS_SIGNED).run()
    }

    /// Copies elements to the host's memory. Points are converted to affine coordinates.
    pub fn get<'c>(&'c self, context: &'c mut Context, range: Range<usize>) -> Call<'c, ElementLayout, Result<Vec<u8>>> {
        Call::new(context, move |context, layout: &ElementLayout| {
            if range.start > range.end || range.end > self.len() {
                return bad_length(format!("there are {} elements, but the range is {range:?}", self.len()));
            }
            let layout = layout.raw(&mut Keep::default())?;
            let bytes = range.len() * self.element_bytes();
            let mut elements = zeroed(bytes)?;
            call!(context, sumac_vector_get, self, range.start, range.len(), &layout, &mut elements[..], bytes)?;
            Ok(elements)
        })
    }

    /// Returns all elements in raw, canonical form.
    pub fn to_vec(&self, context: &mut Context) -> Result<Vec<u8>> {
        self.get(context, 0..self.len()).run()
    }

    /// Copies a slice of another vector to a slice of this one.
    pub fn copy_from(&mut self, context: &mut Context, other: &Vector, from: impl Into<Slice>, to: impl Into<Slice>) -> Result<()> {
        let (from, to) = (from.into().raw(), to.into().raw());
        call!(context, sumac_vector_copy, other, &from, self, &to)
    }

    /// Copies row rows\[i\] of another vector to row i of this one. Each row has `length` elements.
    pub fn gather(&mut self, context: &mut Context, other: &Vector, length: usize, rows: &[u64]) -> Result<()> {
        call!(context, sumac_vector_gather, other, length, rows, rows.len(), self)
    }

    /// Sets all elements to one raw scalar, which must be less than r.
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

    /// Computes self\[i\] + other\[(i / each) mod len(other)\]. If `other` is shorter, it is repeated. If `each` is the length of a
    /// row, `other` has one element for each row. `each` is at least 1.
    pub fn add(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_add)
    }

    /// Computes the difference, with the indices of [`Vector::add`].
    pub fn subtract(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_subtract)
    }

    /// Computes the product of scalars, with the indices of [`Vector::add`].
    pub fn multiply(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector<'static>> {
        self.binary(context, other, each, sys::sumac_vector_multiply)
    }

    /// Computes self\[i\] * other\[(i / each) mod len(other)\] + addend\[i\]. The addend is as long as this vector.
    pub fn multiply_add(&self, context: &mut Context, other: &Vector, each: usize, addend: &Vector) -> Result<Vector<'static>> {
        let mut result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        call!(context, sumac_vector_multiply_add, self, other, each, addend, &mut result)?;
        Ok(result)
    }

    /// Computes [`Vector::multiply_add`] in place.
    pub fn multiply_add_assign(&mut self, context: &mut Context, other: &Vector, each: usize, addend: &Vector) -> Result<()> {
        call!(context, sumac_vector_multiply_add, self.raw, other, each, addend, self.raw)
    }

    /// Computes [`Vector::add`] in place.
    pub fn add_assign(&mut self, context: &mut Context, other: &Vector, each: usize) -> Result<()> {
        self.binary_in_place(context, other, each, sys::sumac_vector_add)
    }

    /// Computes [`Vector::subtract`] in place.
    pub fn subtract_assign(&mut self, context: &mut Context, other: &Vector, each: usize) -> Result<()> {
        self.binary_in_place(context, other, each, sys::sumac_vector_subtract)
    }

    /// Computes [`Vector::multiply`] in place.
    pub fn multiply_assign(&mut self, context: &mut Context, other: &Vector, each: usize) -> Result<()> {
        self.binary_in_place(context, other, each, sys::sumac_vector_multiply)
    }

    /// Inverts each scalar in place, and leaves 0 unchanged.
    pub fn invert(&mut self, context: &mut Context) -> Result<()> {
        call!(context, sumac_vector_invert, self)
    }

    /// Multiplies element i by factor * ratio^(i mod length), in place. If factor or ratio is `None`, its value is 1.
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

    /// Computes the sum of each row of `length` elements.
    pub fn sum(&self, context: &mut Context, length: usize) -> Result<Vector<'static>> {
        let rows = count_rows(self, length, "rows")?;
        let mut result = Vector::new(context, self.curve(), self.kind(), rows)?;
        call!(context, sumac_vector_sum, self, length, &mut result)?;
        Ok(result)
    }

    /// Replaces each element by the sum or product of the elements of its row up to and including itself. Each row has `length`
    /// scalars. If `exclusive` is true, the element itself is left out, and the first element of a row becomes 0, or 1 for
    /// products.
    pub fn scan(&mut self, context: &mut Context, length: usize, operation: Scan, exclusive: bool) -> Result<()> {
        call!(context, sumac_vector_scan, self, length, operation, u32::from(exclusive))
    }

    /// Transposes matrices of rows*columns elements each.
    pub fn transpose(&self, context: &mut Context, rows: usize, columns: usize) -> Result<Vector<'static>> {
        let mut result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        call!(context, sumac_vector_transpose, self, rows, columns, &mut result)?;
        Ok(result)
    }

    /// Exchanges elements i and rev(i) of each row of `length` elements. The length is a power of two.
    pub fn bit_reverse(&mut self, context: &mut Context, length: usize) -> Result<()> {
        call!(context, sumac_vector_bit_reverse, self, length)
    }

    fn transform(&self, config: &TransformConfig<'_>) -> Result<sys::sumac_transform_config> {
        self.scalar("the shift's bytes", config.shift)?;
        self.scalar("the root's bytes", config.root)?;
        let mut raw = config.raw(&mut Keep::default())?;
        raw.shift_bytes = self.curve().scalar_bytes();
        raw.root_bytes = self.curve().scalar_bytes();
        Ok(raw)
    }

    /// Computes the number-theoretic transform of each row in place: coefficients become values. Points must lie in the subgroup.
    pub fn ntt<'c>(&'c mut self, context: &'c mut Context) -> Call<'c, TransformConfig<'c>, Result<()>> {
        Call::new(context, move |context, config| {
            let config = self.transform(config)?;
            call!(context, sumac_vector_ntt, self, &config)
        })
    }

    /// Divides the value at each x of a coset by x^n - 1, in place. The options are those of the transform that computed the
    /// values.
    pub fn divide_by_vanishing<'c>(&'c mut self, context: &'c mut Context, n: usize) -> Call<'c, TransformConfig<'c>, Result<()>> {
        Call::new(context, move |context, config| {
            let config = self.transform(config)?;
            call!(context, sumac_vector_divide_by_vanishing, self, n, &config)
        })
    }
}

/// Returns the number of rows of `length` elements in a vector.
pub(crate) fn count_rows(vector: &Vector, length: usize, what: &str) -> Result<usize> {
    if length == 0 || vector.len() % length != 0 {
        return bad_length(format!("the vector has {} elements, which is not a whole number of {what} of {length}", vector.len()));
    }
    Ok(vector.len() / length)
}

/// Computes [`Bases::msm`] with the scalars [first, first + batch*n) of a vector. The results are written to a vector of points,
/// from index `result_first`.
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
