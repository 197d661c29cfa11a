// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sums of points. The library reads points and scalars where they lie, in Montgomery form.
use crate::curves::{bytes_of, curve};
use crate::pools::take_context;
use crate::{Error, Result};
use group::prime::PrimeCurveAffine;
use std::mem::{size_of, MaybeUninit};
use sumac::{Bases, BasesConfig, Check, Curve, Form};

/// Computes the sum of scalars times bases, which are checked to lie on the curve. The sum is exact for all points of the curve.
/// Any thread may call this function at any time. At most two calls of 64 points or more compute at the same time, each with all
/// processors, unless [`use_pool`](crate::use_pool) says otherwise. For fewer points, the calling thread computes the sum itself.
pub fn msm<C: PrimeCurveAffine>(scalars: &[C::Scalar], bases: &[C]) -> Result<C::Curve> {
    let curve = curve::<C>()?;
    if scalars.len() != bases.len() {
        return Err(Error::Length(scalars.len().min(bases.len())));
    }
    unsafe { sum(curve, scalars, bases) }
}

/// # Safety
/// Points and scalars must be as long as the curve's, and have no padding.
pub(crate) unsafe fn sum<C: PrimeCurveAffine>(curve: Curve, scalars: &[C::Scalar], bases: &[C]) -> Result<C::Curve> {
    let mut context = take_context(scalars.len())?;
    // The points may lie outside the subgroup, because the types of points do not ensure that they do not.
    let config = BasesConfig { form: Form::Montgomery, check: Check::Curve, outside_subgroup: true, ..Default::default() };
    let bases = unsafe { Bases::from_records(&mut context, curve, bases.as_ptr().cast(), bases.len()) }.config(config).run()?;
    let mut result = MaybeUninit::<C>::zeroed();
    let bytes = unsafe { core::slice::from_raw_parts_mut(result.as_mut_ptr().cast::<u8>(), size_of::<C>()) };
    let call = bases.msm_into(&mut context, unsafe { bytes_of(scalars) }, bytes);
    call.scalar_form(Form::Montgomery).result_form(Form::Montgomery).run()?;
    // The library has written a point in the form of the type.
    Ok(unsafe { result.assume_init() }.to_curve())
}
