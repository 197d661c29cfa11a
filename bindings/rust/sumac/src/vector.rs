// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, require_bytes, zeroed, Keep, Result};
use crate::options::{ElementLayout, MsmConfig, TransformConfig, VectorKind};
use crate::pass::{call, make, raw};
use std::ops::Range;
use sumac_sys as sys;

crate::handle! {
    /// Elements where a context computes: integers modulo r, or points. What writes takes it as `&mut`.
    Vector(sumac_vector, sumac_vector_destroy)
}

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

impl Vector {
    /// So many zeros, or points at infinity.
    pub fn new(context: &mut Context, curve: Curve, kind: VectorKind, count: usize) -> Result<Vector> {
        let raw = make!(context, sumac_vector_create, curve, kind, count)?;
        Ok(Vector { raw })
    }

    /// Make a vector of elements in the host's memory, as [`Vector::set`] takes them.
    pub fn of(context: &mut Context, curve: Curve, kind: VectorKind, elements: &[u8], layout: &ElementLayout) -> Result<Vector> {
        let size = if kind == VectorKind::Scalars { curve.scalar_bytes() } else { curve.point_bytes() };
        let count = count_records("elements", elements.len(), size)?;
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
        let n = count_records("elements", elements.len(), self.element_bytes())?;
        let layout = layout.raw(&mut Keep::default())?;
        call!(context, sumac_vector_set, self, elements, first, n, &layout)
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

    fn binary(&self, context: &mut Context, other: &Vector, each: usize, function: Binary) -> Result<Vector> {
        let result = Vector::new(context, self.curve(), self.kind(), self.len())?;
        context.call(|context| unsafe { function(context, self.ptr(), other.ptr(), each, result.raw.as_ptr()) })?;
        Ok(result)
    }

    fn binary_in_place(&mut self, context: &mut Context, other: &Vector, each: usize, function: Binary) -> Result<()> {
        context.call(|context| unsafe { function(context, self.ptr(), other.ptr(), each, self.raw.as_ptr()) })
    }

    /// self\[i\] + other\[(i / each) mod len(other)\]: so `other` is as long; or, shorter, begins again; or, with `each` the length
    /// of a row, has one element for each row. each 0 means 1.
    pub fn add(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector> {
        self.binary(context, other, each, sys::sumac_vector_add)
    }

    /// The difference, as [`Vector::add`] has the sum.
    pub fn subtract(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector> {
        self.binary(context, other, each, sys::sumac_vector_subtract)
    }

    /// The product of scalars, as [`Vector::add`] has the sum.
    pub fn multiply(&self, context: &mut Context, other: &Vector, each: usize) -> Result<Vector> {
        self.binary(context, other, each, sys::sumac_vector_multiply)
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
    pub fn sum(&self, context: &mut Context, length: usize) -> Result<Vector> {
        let rows = count_rows(self, length, "rows")?;
        let mut result = Vector::new(context, self.curve(), self.kind(), rows)?;
        call!(context, sumac_vector_sum, self, length, &mut result)?;
        Ok(result)
    }

    /// Matrices of rows*columns elements, each transposed.
    pub fn transpose(&self, context: &mut Context, rows: usize, columns: usize) -> Result<Vector> {
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
