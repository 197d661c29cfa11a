// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What patched crates call first: `compat/halo2/patch.py` makes them. If a function says that it computed nothing, the crate
//! computes with its own code. This is the case for points off the curve, which the crate accepts as they are, for curves that the
//! library does not have, for arguments with which the crate panics, and if a call fails.
use ff::Field;
use group::prime::PrimeCurveAffine;
use std::any::TypeId;

/// With fewer products than this, the crates' own code computes: a sum of one point is a product. For two points the library takes
/// 0.85 of blst's time and 0.3 of halo2curves' (benches/times.rs on an AMD EPYC with AVX2, two threads, 2026-11-29).
const FEWEST_PRODUCTS: usize = 2;

/// With fewer values than this, the crates' own code is faster: two values take it less than a microsecond, and the library 6. For
/// four values both take 7 (measured as above).
const FEWEST_VALUES: usize = 4;

/// Returns the sum of scalars times bases, or None if it was not computed.
pub fn msm<C: PrimeCurveAffine>(scalars: &[C::Scalar], bases: &[C]) -> Option<C::Curve> {
    if bases.len() < FEWEST_PRODUCTS {
        return None;
    }
    crate::msm(scalars, bases).ok()
}

/// Transforms values as [`ntt`](crate::ntt) does, or returns false if they are unchanged. This is also the case if they are not
/// scalars of omega's type, but points.
pub fn fft<F: Field, G: 'static>(values: &mut [G], omega: &F) -> bool {
    if values.len() < FEWEST_VALUES || TypeId::of::<G>() != TypeId::of::<F>() {
        return false;
    }
    // G is the same type as F.
    let values = unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<F>(), values.len()) };
    crate::ntt(values, *omega).is_ok()
}
