// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This module recognizes the library's curve for a type of points or scalars. halo2's crates define these types again in each
//! crate and version, but all of them implement the traits of `group` and `ff`. So a type is recognized by what its values are in
//! memory and by what its operators compute.
use crate::{msm, ntt, Error, Result};
use ff::Field;
use group::prime::PrimeCurveAffine;
use group::{Curve as _, Group};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::mem::{align_of, size_of, size_of_val};
use std::sync::{PoisonError, RwLock};
use sumac::{Curve, ErrorKind};

/// Returns what `find` returned for a type, and calls it at the type's first use. An error is not kept.
fn once(id: TypeId, find: impl FnOnce() -> Result<Option<Curve>>) -> Result<Curve> {
    static SEEN: RwLock<BTreeMap<TypeId, Option<Curve>>> = RwLock::new(BTreeMap::new());
    let seen = SEEN.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
    let found = match seen {
        Some(found) => found,
        None => {
            let found = find()?;
            SEEN.write().unwrap_or_else(PoisonError::into_inner).insert(id, found);
            found
        }
    };
    found.ok_or(Error::Curve)
}

/// Says whether values of a type are `bytes` bytes that can be used as words.
fn are_words<T>(bytes: usize) -> bool {
    size_of::<T>() == bytes && align_of::<T>() == align_of::<u64>()
}

/// Returns the memory of values.
///
/// # Safety
/// The type must be as long as the library's type, of which its values are a representation. Then it has no padding: the moduli
/// have more than 8*(n - 1) bits for n bytes.
pub(crate) unsafe fn bytes_of<T>(values: &[T]) -> &[u8] {
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Returns the memory of values as words.
///
/// # Safety
/// As for [`bytes_of`]. The values must be aligned like words. Whoever writes the words must write values of the type.
pub(crate) unsafe fn words_of<T>(values: &mut [T]) -> &mut [u64] {
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values) / size_of::<u64>()) }
}

/// Says whether a type's elements are integers modulo the curve's r, which it may multiply by a constant: 1 and -1 are two words
/// whose sum is r.
fn is_field<F: Field>(curve: &Curve) -> bool {
    if !are_words::<F>(curve.scalar_bytes()) {
        return false;
    }
    let mut elements = [F::ONE, -F::ONE];
    let (one, minus_one) = unsafe { words_of(&mut elements) }.split_at(curve.order().len());
    let mut carry = 0;
    one.iter().zip(minus_one).zip(curve.order()).all(|((a, b), word)| {
        let sum = u128::from(*a) + u128::from(*b) + carry;
        carry = sum >> 64;
        sum as u64 == *word
    }) && carry == 0
}

/// Returns the element for a raw scalar.
pub(crate) fn element<F: Field>(scalar: &[u8]) -> F {
    let bits = scalar.iter().rev().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1));
    bits.fold(F::ZERO, |sum, bit| if bit == 1 { sum.double() + F::ONE } else { sum.double() })
}

/// Tests a curve for a type of points by a sum, which the type's operators compute, too.
fn is_curve<C: PrimeCurveAffine>(curve: &Curve) -> Result<bool> {
    if !are_words::<C>(curve.point_bytes()) || !is_field::<C::Scalar>(curve) {
        return Ok(false);
    }
    let third = (C::Scalar::ONE.double() + C::Scalar::ONE).invert().unwrap_or(C::Scalar::ONE);
    let scalars = [C::Scalar::ONE, -C::Scalar::ONE, C::Scalar::ZERO, third, -third.double(), third.square(), third];
    let mut point = C::Curve::generator() * third;
    let mut points = scalars.map(|_| {
        point = point.double() + C::Curve::generator();
        point.to_affine()
    });
    points[6] = C::identity();
    let expected: C::Curve = points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
    // Sums that are infinity, one point and the sum of all points have to be right.
    for (n, expected) in [(0, C::Curve::identity()), (1, points[0].to_curve()), (scalars.len(), expected)] {
        match unsafe { msm::sum(*curve, &scalars[..n], &points[..n]) } {
            Ok(sum) if sum == expected => (),
            Err(Error::Sumac(error)) if ![ErrorKind::NotOnCurve, ErrorKind::BadEncoding].contains(&error.kind()) => {
                return Err(Error::Sumac(error))
            }
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Tests a curve's field for a type of scalars by a transform, which the type's operators compute, too.
fn has_transforms<F: Field>(curve: &Curve) -> Result<bool> {
    let Ok(root) = curve.root_of_unity(1) else { return Ok(false) };
    if !is_field::<F>(curve) || element::<F>(&root) != -F::ONE {
        return Ok(false);
    }
    let third = (F::ONE.double() + F::ONE).invert().unwrap_or(F::ONE);
    let mut values = [third, -third.square()];
    let expected = [values[0] + values[1], values[0] - values[1]];
    unsafe { ntt::transform(*curve, &mut values)? };
    Ok(values == expected)
}

fn find(mut test: impl FnMut(&Curve) -> Result<bool>) -> Result<Option<Curve>> {
    for curve in Curve::all() {
        if test(&curve)? {
            return Ok(Some(curve));
        }
    }
    Ok(None)
}

/// Returns the library's curve for a type of affine points, such as `halo2curves::bn256::G1Affine`.
pub fn curve<C: PrimeCurveAffine>() -> Result<Curve> {
    once(TypeId::of::<C>(), || find(is_curve::<C>))
}

/// Returns a curve of the library whose scalars are the elements of a field, such as `halo2curves::bn256::Fr`.
pub fn scalar_field<F: Field>() -> Result<Curve> {
    once(TypeId::of::<F>(), || find(has_transforms::<F>))
}
