// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Number-theoretic transforms of scalars, which the library transforms where they lie.
use crate::curves::{bytes_of, element, scalar_field, words_of};
use crate::pools::take_context;
use crate::{Error, Result};
use ff::Field;
use sumac::{Curve, Form, Location, Vector, VectorKind};

/// Transforms n values a_0 .. a_(n-1) in place: they become sum_j a_j * omega^(i*j). As halo2's `best_fft`, the transform does not
/// divide by n if omega is the inverse of a root.
/// @return [`Error::Root`] if n is not a power of two of at least 2, or omega's order is not n. After an error the values are
/// unchanged.
pub fn ntt<F: Field>(values: &mut [F], omega: F) -> Result<()> {
    let n = values.len();
    if n < 2 || !n.is_power_of_two() {
        return Err(Error::Root);
    }
    let curve = scalar_field::<F>()?;
    let root = element(&curve.root_of_unity(n.trailing_zeros())?);
    // Let omega = root^e. Then value i of the caller's transform is value e*i mod n of the library's.
    let e = logarithm(root, omega, n).ok_or(Error::Root)?;
    match e {
        1 => unsafe { transform(curve, values) },
        _ if e == n - 1 => {
            unsafe { transform(curve, values)? };
            values[1..].reverse();
            Ok(())
        }
        _ => {
            let mut transformed = values.to_vec();
            unsafe { transform(curve, &mut transformed)? };
            for (i, value) in values.iter_mut().enumerate() {
                *value = transformed[e.wrapping_mul(i) & (n - 1)];
            }
            Ok(())
        }
    }
}

/// Returns the odd e < n with root^e = omega, or None if there is none. The root's order is n, a power of two from 2 on.
fn logarithm<F: Field>(root: F, omega: F, n: usize) -> Option<usize> {
    if omega == root {
        return Some(1);
    }
    if omega * root == F::ONE {
        return Some(n - 1);
    }
    // This is Pohlig and Hellman's algorithm. Each step finds one bit of e, from the lowest on: if omega has the order m, its
    // power m/2 is -1.
    let inverse = root.invert().into_option()?;
    let (mut rest, mut power, mut e) = (omega, inverse, 0);
    for bit in 0..n.trailing_zeros() {
        // rest = root^(e' * 2^bit), where e' has the bits of e that are not known yet.
        let half = (bit + 1..n.trailing_zeros()).fold(rest, |square, _| square.square());
        if half != F::ONE {
            e |= 1 << bit;
            rest *= power;
        }
        power = power.square();
    }
    (rest == F::ONE && e % 2 == 1).then_some(e)
}

/// Computes the library's own transform.
///
/// # Safety
/// Values must be as long as the curve's scalars, and have no padding.
pub(crate) unsafe fn transform<F: Field>(curve: Curve, values: &mut [F]) -> Result<()> {
    let mut context = take_context(values.len())?;
    if context.location() == Location::Host {
        let mut vector = Vector::wrap_host(&mut context, curve, unsafe { words_of(values) })?;
        return Ok(vector.ntt(&mut context).run()?);
    }
    let mut vector =
        Vector::of(&mut context, curve, VectorKind::Scalars, unsafe { bytes_of(values) }).form(Form::Montgomery).run()?;
    vector.ntt(&mut context).run()?;
    let transformed = vector.get(&mut context, 0..values.len()).form(Form::Montgomery).run()?;
    let memory = unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), transformed.len()) };
    memory.copy_from_slice(&transformed);
    Ok(())
}
