// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles of generators that stay prepared for sums.
use crate::backend::{object, or_panic, refuse, slice, writable, Result};
use crate::sums::{Column, Matrix, Shape, MOST_INTEGER_BYTES};
use crate::{curves, ristretto, types::*};
use ark_bls12_381::g1::Config as Bls12_381;
use ark_bn254::g1::Config as Bn254;
use ark_grumpkin::GrumpkinConfig as Grumpkin;
use std::borrow::Cow;
use std::ffi::{c_char, c_uint, c_void, CStr};

/// The generators of a handle.
pub(crate) trait Generators: Send + Sync {
    /// Returns the number of generators.
    fn len(&self) -> usize;

    /// Writes the generators to a file.
    fn save(&self, path: &str) -> Result<()>;

    /// Writes the sum of each column.
    ///
    /// # Safety
    /// There must be memory for as many points of the curve.
    unsafe fn sums(&self, shapes: &[Shape], column: Column<'_>, results: *mut c_void) -> Result<()>;
}

/// The curve of a handle.
struct Row {
    id: u32,
    /// Prepares points of the curve.
    ///
    /// # Safety
    /// The points must be readable.
    prepare: unsafe fn(*const c_void, usize) -> Result<Box<dyn Generators>>,
    /// Reads a file that [`Generators::save`] wrote.
    open: fn(&str) -> Result<Box<dyn Generators>>,
}

static ROWS: [Row; 4] = [
    Row { id: SXT_CURVE_RISTRETTO255, prepare: ristretto::prepare, open: ristretto::open },
    Row { id: SXT_CURVE_BLS_381, prepare: curves::prepare::<Bls12_381>, open: curves::open::<Bls12_381> },
    Row { id: SXT_CURVE_BN_254, prepare: curves::prepare::<Bn254>, open: curves::open::<Bn254> },
    Row { id: SXT_CURVE_GRUMPKIN, prepare: curves::prepare::<Grumpkin>, open: curves::open::<Grumpkin> },
];

fn find(id: u32) -> Result<&'static Row> {
    ROWS.iter().find(|row| row.id == id).map_or_else(|| refuse(format!("there is no curve {id}")), Ok)
}

/// Generators that stay prepared for sums. Threads can share them.
#[allow(non_camel_case_types)]
pub struct sxt_multiexp_handle {
    generators: Box<dyn Generators>,
}

/// Makes a handle of `n` generators. They are projective points, as blitzar's `ElementP2`, or curve25519-dalek's `RistrettoPoint`.
/// Projective points are checked to lie on the curve and in the subgroup.
///
/// # Safety
/// The generators must be readable.
///
/// # Panics
/// If the curve is ristretto255 or unknown, if a generator is invalid, or if the library fails.
pub unsafe fn sxt_multiexp_handle_new(curve_id: c_uint, generators: *const c_void, n: c_uint) -> *mut sxt_multiexp_handle {
    let handle = || Ok(sxt_multiexp_handle { generators: unsafe { (find(curve_id)?.prepare)(generators, n as usize) }? });
    Box::into_raw(Box::new(or_panic("sxt_multiexp_handle_new", handle())))
}

unsafe fn path<'a>(filename: *const c_char) -> Result<&'a str> {
    if filename.is_null() {
        return refuse("the name of the file is a null pointer");
    }
    unsafe { CStr::from_ptr(filename) }.to_str().or_else(|_| refuse("the name of the file is not UTF-8"))
}

/// Makes a handle of a file that [`sxt_multiexp_handle_write_to_file`] wrote. Blitzar's own files are another format, and refused.
///
/// # Safety
/// `filename` must be null or a string of C.
///
/// # Panics
/// If the curve is ristretto255, unknown or not that of the file, if the file cannot be read, or if the library fails.
pub unsafe fn sxt_multiexp_handle_new_from_file(curve_id: c_uint, filename: *const c_char) -> *mut sxt_multiexp_handle {
    let handle = || Ok(sxt_multiexp_handle { generators: (find(curve_id)?.open)(unsafe { path(filename) }?)? });
    Box::into_raw(Box::new(or_panic("sxt_multiexp_handle_new_from_file", handle())))
}

/// Writes a handle to a file. It is one of sumac's tables or, for ristretto255, a list of compressed points.
///
/// # Safety
/// The handle must not have been freed, and `filename` must be null or a string of C.
///
/// # Panics
/// If the file cannot be written. Then there is no file, or the one that was there before.
pub unsafe fn sxt_multiexp_handle_write_to_file(handle: *const sxt_multiexp_handle, filename: *const c_char) {
    let write = || {
        let (handle, path) = unsafe { (object("the handle", handle)?, path(filename)?) };
        handle.generators.save(path)
    };
    or_panic("sxt_multiexp_handle_write_to_file", write())
}

/// Frees a handle; null is allowed. No call that uses it may be running.
///
/// # Safety
/// The handle must be null, or one that was not freed.
pub unsafe fn sxt_multiexp_handle_free(handle: *mut sxt_multiexp_handle) {
    if !handle.is_null() {
        drop(unsafe { Box::from_raw(handle) })
    }
}

/// Computes the sums of a handle's generators with a matrix of integers. Output j has integers of `bits[j]` bits for the first
/// `lengths[j]` generators.
///
/// # Safety
/// There must be memory for as many results as there are bits, and as many rows of integers as the largest length says.
unsafe fn fixed(
    results: *mut c_void,
    handle: *const sxt_multiexp_handle,
    bits: &[u32],
    lengths: impl Fn(usize) -> u32,
    integers: *const u8,
) -> Result<()> {
    let generators = &unsafe { object("the handle", handle) }?.generators;
    let mut shapes = Vec::with_capacity(bits.len());
    for (i, &bits) in bits.iter().enumerate() {
        let (bytes, n) = (bits.div_ceil(8), lengths(i) as usize);
        if bytes > MOST_INTEGER_BYTES {
            return refuse(format!("the integers of output {i} have {bits} bits, and may have {}", 8 * MOST_INTEGER_BYTES));
        }
        if n > generators.len() {
            return refuse(format!("output {i} has {n} integers, but the handle has {} generators", generators.len()));
        }
        // Integers without bits are 0.
        let n = if bits == 0 { 0 } else { n };
        shapes.push(Shape { bytes, bits: if bits == 8 * MOST_INTEGER_BYTES { 0 } else { bits }, signed: false, n });
    }
    writable("the results", results, bits.len())?;
    let n = (0..bits.len()).map(|i| lengths(i) as usize).max().unwrap_or(0);
    let matrix = unsafe { Matrix::new(integers, n, bits) }?;
    let column = |i: usize| Ok(Cow::Owned(matrix.column(i, &shapes[i], bits[i])?));
    unsafe { generators.sums(&shapes, &column, results) }
}

/// Computes `num_outputs` sums of the first `n` generators of a handle. The unsigned integers have `element_num_bytes` bytes each, at
/// most 32. Those of the first generator for all outputs come first, then those of the second one. Results are projective points, as
/// blitzar's `ElementP2`.
///
/// # Safety
/// The handle must not have been freed. There must be memory for the results, and `n * num_outputs * element_num_bytes` bytes of
/// integers.
///
/// # Panics
/// If integers are too long, if the handle has fewer generators than `n`, or if the library fails. Then nothing is written.
pub unsafe fn sxt_fixed_multiexponentiation(
    res: *mut c_void,
    handle: *const sxt_multiexp_handle,
    element_num_bytes: c_uint,
    num_outputs: c_uint,
    n: c_uint,
    scalars: *const u8,
) {
    let bits = vec![element_num_bytes.saturating_mul(8); num_outputs as usize];
    or_panic("sxt_fixed_multiexponentiation", unsafe { fixed(res, handle, &bits, |_| n, scalars) })
}

/// Computes sums as [`sxt_fixed_multiexponentiation`] does, with integers of `output_bit_table[j]` bits for output j, at most 256. The
/// integers for a generator follow each other bit by bit, the lowest bit first, and end with a whole byte.
///
/// # Safety
/// As for [`sxt_fixed_multiexponentiation`], with `n` times as many bytes of integers as hold the bits of the table, which has
/// `num_outputs` numbers.
///
/// # Panics
/// As [`sxt_fixed_multiexponentiation`].
pub unsafe fn sxt_fixed_packed_multiexponentiation(
    res: *mut c_void,
    handle: *const sxt_multiexp_handle,
    output_bit_table: *const c_uint,
    num_outputs: c_uint,
    n: c_uint,
    scalars: *const u8,
) {
    let bits = unsafe { slice("the numbers of bits", output_bit_table, num_outputs as usize) };
    or_panic("sxt_fixed_packed_multiexponentiation", bits.and_then(|bits| unsafe { fixed(res, handle, bits, |_| n, scalars) }))
}

/// Computes sums as [`sxt_fixed_packed_multiexponentiation`] does, where output j has integers for the first `output_lengths[j]`
/// generators. The matrix of integers has as many rows as the largest length says. What it has for an output beyond its length is
/// ignored. Lengths may have any order.
///
/// # Safety
/// As for [`sxt_fixed_packed_multiexponentiation`]; there must be `num_outputs` lengths.
///
/// # Panics
/// As [`sxt_fixed_multiexponentiation`].
pub unsafe fn sxt_fixed_vlen_multiexponentiation(
    res: *mut c_void,
    handle: *const sxt_multiexp_handle,
    output_bit_table: *const c_uint,
    output_lengths: *const c_uint,
    num_outputs: c_uint,
    scalars: *const u8,
) {
    let compute = || {
        let bits = unsafe { slice("the numbers of bits", output_bit_table, num_outputs as usize) }?;
        let lengths = unsafe { slice("the lengths", output_lengths, num_outputs as usize) }?;
        unsafe { fixed(res, handle, bits, |i| lengths[i], scalars) }
    };
    or_panic("sxt_fixed_vlen_multiexponentiation", compute())
}
