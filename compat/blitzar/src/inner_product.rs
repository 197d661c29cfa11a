// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Proofs of inner products over ristretto255, as Blitzar's interface describes them (Bünz et al., "Bulletproofs", 2018, section 3).
//! With the challenge x of a round, of which L and R are what the prover sends,
//!
//! ```text
//! <a', G'> + <a', b'> Q = <a, G> + <a, b> Q + x^2 L + x^-2 R
//! ```
use crate::backend::{object, or_panic, refuse, slice, writable, Result};
use crate::ristretto::generators;
use crate::types::*;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::VartimeMultiscalarMul;
use merlin::Transcript;
use std::ffi::c_int;

/// Returns the number of rounds for n elements.
fn rounds(n: u64) -> Result<usize> {
    match n.checked_next_power_of_two() {
        _ if n == 0 => refuse("an inner product needs at least one element"),
        Some(padded) => Ok(padded.trailing_zeros() as usize),
        None => refuse(format!("{n} elements are more than any memory holds")),
    }
}

fn begin(transcript: &mut Transcript, n: u64) {
    transcript.append_message(b"domain-sep", b"inner product proof v1");
    transcript.append_message(b"n", &n.to_le_bytes());
}

fn challenge(transcript: &mut Transcript, l: &CompressedRistretto, r: &CompressedRistretto) -> Scalar {
    transcript.append_message(b"L", l.as_bytes());
    transcript.append_message(b"R", r.as_bytes());
    let mut bytes = [0; 32];
    transcript.challenge_bytes(b"x", &mut bytes);
    Scalar::from_bytes_mod_order(bytes)
}

fn product(a: &[Scalar], b: &[Scalar]) -> Scalar {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Halves a vector: low * of_low + high * of_high.
fn fold(vector: &mut Vec<Scalar>, of_low: Scalar, of_high: Scalar) {
    let half = vector.len() / 2;
    let (low, high) = vector.split_at_mut(half);
    low.iter_mut().zip(high).for_each(|(low, high)| *low = *low * of_low + *high * of_high);
    vector.truncate(half);
}

/// Proves the inner product of two vectors of scalars of curve25519. The generators are Blitzar's from `generators_offset` on, as many
/// as `n` rounded up to a power of two, and one more for the product. The scalars are curve25519-dalek's `Scalar`, and the transcript
/// is merlin 2's.
///
/// # Safety
/// There must be memory for the logarithm of `n`, rounded up, of points in `l_vector` and `r_vector`, and for a scalar. There must be
/// `n` scalars in each vector.
///
/// # Panics
/// If `n` is 0, if a pointer is null, or without memory.
#[allow(clippy::too_many_arguments)]
pub unsafe fn sxt_curve25519_prove_inner_product(
    l_vector: *mut sxt_ristretto255_compressed,
    r_vector: *mut sxt_ristretto255_compressed,
    ap_value: *mut sxt_curve25519_scalar,
    transcript: *mut sxt_transcript,
    n: u64,
    generators_offset: u64,
    a_vector: *const sxt_curve25519_scalar,
    b_vector: *const sxt_curve25519_scalar,
) {
    let prove = || {
        let rounds = rounds(n)?;
        writable("the points L", l_vector, rounds)?;
        writable("the points R", r_vector, rounds)?;
        writable("the results", ap_value, 1)?;
        writable("the transcripts", transcript, 1)?;
        let mut a: Vec<Scalar> = unsafe { slice("the scalars a", a_vector.cast(), n as usize) }?.to_vec();
        let mut b: Vec<Scalar> = unsafe { slice("the scalars b", b_vector.cast(), n as usize) }?.to_vec();
        let mut g = generators(generators_offset, (1 << rounds) + 1)?;
        let q = g.pop().expect("the generator for the product");
        a.resize(1 << rounds, Scalar::ZERO);
        b.resize(1 << rounds, Scalar::ZERO);
        let transcript = unsafe { &mut *transcript.cast::<Transcript>() };
        begin(transcript, n);
        for round in 0..rounds {
            let half = a.len() / 2;
            let ((a_low, a_high), (b_low, b_high), (g_low, g_high)) = (a.split_at(half), b.split_at(half), g.split_at(half));
            let commit = |a: &[Scalar], g: &[RistrettoPoint], product: Scalar| {
                let scalars = a.iter().chain(std::iter::once(&product));
                RistrettoPoint::vartime_multiscalar_mul(scalars, g.iter().chain(std::iter::once(&q))).compress()
            };
            let l = commit(a_low, g_high, product(a_low, b_high));
            let r = commit(a_high, g_low, product(a_high, b_low));
            let x = challenge(transcript, &l, &r);
            let inverse = x.invert();
            let folded = |(low, high)| RistrettoPoint::vartime_multiscalar_mul([inverse, x], [low, high]);
            g = g_low.iter().zip(g_high).map(folded).collect();
            fold(&mut a, x, inverse);
            fold(&mut b, inverse, x);
            unsafe {
                l_vector.cast::<CompressedRistretto>().add(round).write(l);
                r_vector.cast::<CompressedRistretto>().add(round).write(r);
            }
        }
        unsafe { ap_value.cast::<Scalar>().write(a[0]) };
        Ok(())
    };
    or_panic("sxt_curve25519_prove_inner_product", prove())
}

/// Verifies a proof of [`sxt_curve25519_prove_inner_product`]. Returns 1 if the proof is right, and otherwise 0.
///
/// # Safety
/// There must be `n` scalars, and as many points in `l_vector` and `r_vector` as the logarithm of `n`, rounded up.
///
/// # Panics
/// If `n` is 0, if a pointer is null, or without memory.
#[allow(clippy::too_many_arguments)]
pub unsafe fn sxt_curve25519_verify_inner_product(
    transcript: *mut sxt_transcript,
    n: u64,
    generators_offset: u64,
    b_vector: *const sxt_curve25519_scalar,
    product: *const sxt_curve25519_scalar,
    a_commit: *const sxt_ristretto255,
    l_vector: *const sxt_ristretto255_compressed,
    r_vector: *const sxt_ristretto255_compressed,
    ap_value: *const sxt_curve25519_scalar,
) -> c_int {
    let verify = || {
        let rounds = rounds(n)?;
        writable("the transcripts", transcript, 1)?;
        let b: &[Scalar] = unsafe { slice("the scalars b", b_vector.cast(), n as usize) }?;
        let l: &[CompressedRistretto] = unsafe { slice("the points L", l_vector.cast(), rounds) }?;
        let r: &[CompressedRistretto] = unsafe { slice("the points R", r_vector.cast(), rounds) }?;
        let last: &Scalar = unsafe { object("the last scalar", ap_value.cast()) }?;
        let product: &Scalar = unsafe { object("the product", product.cast()) }?;
        let commitment: &RistrettoPoint = unsafe { object("the commitment", a_commit.cast()) }?;
        let g = generators(generators_offset, (1 << rounds) + 1)?;
        let transcript = unsafe { &mut *transcript.cast::<Transcript>() };
        begin(transcript, n);
        // The last generator is the sum of weight i times generator i. The first challenge belongs to the highest bit of i.
        let mut weights = vec![Scalar::ONE];
        let mut sum = commitment + product * g[g.len() - 1];
        for (l, r) in l.iter().zip(r) {
            let x = challenge(transcript, l, r);
            let inverse = x.invert();
            let (Some(l), Some(r)) = (l.decompress(), r.decompress()) else { return Ok(0) };
            sum += x * x * l + inverse * inverse * r;
            weights = weights.iter().flat_map(|weight| [weight * inverse, weight * x]).collect();
        }
        // The points are those of weights * last, and of the product of what remains of both vectors.
        let mut scalars: Vec<Scalar> = weights.iter().map(|weight| weight * last).collect();
        scalars.push(self::product(&weights, b) * last);
        Ok(c_int::from(RistrettoPoint::vartime_multiscalar_mul(scalars, g) == sum))
    };
    or_panic("sxt_curve25519_verify_inner_product", verify())
}
