// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Commitments to sequences of integers, with generators that each call hands over.
use crate::backend::{or_panic, refuse, slice, with_context, writable, Result};
use crate::curves::{bases, is_beyond_order, point, Weierstrass};
use crate::ristretto;
use crate::sums::{sums, Shape, MOST_INTEGER_BYTES};
use crate::types::*;
use ark_ec::short_weierstrass::Affine;
use ark_serialize::CanonicalSerialize;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use std::borrow::Cow;

/// The sequences of a call, after checks.
struct Sequences<'a> {
    shapes: Vec<Shape>,
    columns: Vec<&'a [u8]>,
    /// The length of the longest sequence.
    longest: usize,
}

impl Sequences<'_> {
    /// # Safety
    /// Descriptors and their integers must be readable.
    unsafe fn new(count: u32, descriptors: *const sxt_sequence_descriptor) -> Result<Self> {
        let descriptors = unsafe { slice("the descriptors", descriptors, count as usize) }?;
        let mut sequences = Sequences { shapes: Vec::new(), columns: Vec::new(), longest: 0 };
        for (i, descriptor) in descriptors.iter().enumerate() {
            let bytes = u32::from(descriptor.element_nbytes);
            if bytes == 0 || bytes > MOST_INTEGER_BYTES {
                return refuse(format!("the integers of sequence {i} have {bytes} bytes, and must have 1 to {MOST_INTEGER_BYTES}"));
            }
            let n = usize::try_from(descriptor.n).unwrap_or(usize::MAX);
            let size = n.saturating_mul(bytes as usize);
            sequences.columns.push(unsafe { slice("the integers", descriptor.data, size) }?);
            sequences.shapes.push(Shape { bytes, bits: 0, signed: descriptor.is_signed != 0, n });
            sequences.longest = sequences.longest.max(n);
        }
        Ok(sequences)
    }

    /// Returns the integers of a sequence.
    fn column(&self, i: usize) -> Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(self.columns[i]))
    }
}

/// Computes the sum of each sequence of integers times the first generators. The commitments are not written.
///
/// # Safety
/// Descriptors and their integers must be readable, and as many generators as the longest sequence has integers.
unsafe fn commit<C: Weierstrass, T>(
    commitments: *mut T,
    count: u32,
    descriptors: *const sxt_sequence_descriptor,
    generators: *const Affine<C>,
) -> Result<Vec<Affine<C>>> {
    let sequences = unsafe { Sequences::new(count, descriptors) }?;
    writable("the commitments", commitments, sequences.shapes.len())?;
    if sequences.longest == 0 {
        return Ok(vec![Affine::identity(); sequences.shapes.len()]);
    }
    if generators.is_null() {
        return refuse("the generators are a null pointer");
    }
    let is_large = |(shape, column): (&Shape, &&[u8])| {
        column.chunks_exact(shape.bytes as usize).any(|integer| is_beyond_order::<C>(integer, shape.signed))
    };
    let in_subgroup = !C::cofactor_is_one() && sequences.shapes.iter().zip(&sequences.columns).any(is_large);
    let points = with_context(|context| {
        let bases = unsafe { bases(context, generators, sequences.longest, in_subgroup) }?;
        sums(context, &bases, &sequences.shapes, &|i| sequences.column(i))
    })?;
    Ok(points.chunks_exact(points.len() / sequences.shapes.len()).map(point).collect())
}

/// Commits to sequences of integers on BLS12-381's G1: commitment i is the sum of sequence i times the first generators, compressed.
/// An unsigned integer of 32 bytes may have any value. An empty sequence gives infinity. Generators are checked to lie on the curve.
/// They may lie outside the subgroup, unless an integer is at least the subgroup's order.
///
/// # Safety
/// There must be memory for a commitment for each sequence. Descriptors and their integers must be readable, and as many generators as
/// the longest sequence has integers. Generators are arkworks' `Affine`.
///
/// # Panics
/// With one sentence, if an input is invalid or the library fails. Then nothing is written.
pub unsafe fn sxt_bls12_381_g1_compute_pedersen_commitments_with_generators(
    commitments: *mut sxt_bls12_381_g1_compressed,
    num_sequences: u32,
    descriptors: *const sxt_sequence_descriptor,
    generators: *const sxt_bls12_381_g1,
) {
    let points = unsafe { commit::<ark_bls12_381::g1::Config, _>(commitments, num_sequences, descriptors, generators.cast()) };
    let points = or_panic("sxt_bls12_381_g1_compute_pedersen_commitments_with_generators", points);
    for (i, point) in points.iter().enumerate() {
        let mut compressed = sxt_bls12_381_g1_compressed { g1_bytes: [0; 48] };
        point.serialize_compressed(&mut compressed.g1_bytes[..]).expect("a compressed point has 48 bytes");
        unsafe { commitments.add(i).write(compressed) };
    }
}

/// Commits to sequences of integers on BN254's G1: commitment i is the sum of sequence i times the first generators, an affine point in
/// Montgomery form. All else is as for [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`].
///
/// # Safety
/// As for [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`].
pub unsafe fn sxt_bn254_g1_uncompressed_compute_pedersen_commitments_with_generators(
    commitments: *mut sxt_bn254_g1,
    num_sequences: u32,
    descriptors: *const sxt_sequence_descriptor,
    generators: *const sxt_bn254_g1,
) {
    let points = unsafe { commit::<ark_bn254::g1::Config, _>(commitments, num_sequences, descriptors, generators.cast()) };
    let points = or_panic("sxt_bn254_g1_uncompressed_compute_pedersen_commitments_with_generators", points);
    unsafe { commitments.cast::<ark_bn254::G1Affine>().copy_from_nonoverlapping(points.as_ptr(), points.len()) }
}

/// Commits to sequences of integers on Grumpkin, as [`sxt_bn254_g1_uncompressed_compute_pedersen_commitments_with_generators`] does.
///
/// # Safety
/// As for [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`].
pub unsafe fn sxt_grumpkin_uncompressed_compute_pedersen_commitments_with_generators(
    commitments: *mut sxt_grumpkin,
    num_sequences: u32,
    descriptors: *const sxt_sequence_descriptor,
    generators: *const sxt_grumpkin,
) {
    let points = unsafe { commit::<ark_grumpkin::GrumpkinConfig, _>(commitments, num_sequences, descriptors, generators.cast()) };
    let points = or_panic("sxt_grumpkin_uncompressed_compute_pedersen_commitments_with_generators", points);
    unsafe { commitments.cast::<ark_grumpkin::Affine>().copy_from_nonoverlapping(points.as_ptr(), points.len()) }
}

/// Commits to sequences of integers on ristretto255, with Blitzar's own generators from `offset_generators` on. They are computed
/// in each call.
///
/// # Safety
/// As for [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`].
///
/// # Panics
/// As [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`].
pub unsafe fn sxt_curve25519_compute_pedersen_commitments(
    commitments: *mut sxt_ristretto255_compressed,
    num_sequences: u32,
    descriptors: *const sxt_sequence_descriptor,
    offset_generators: u64,
) {
    let compute = || {
        let sequences = unsafe { Sequences::new(num_sequences, descriptors) }?;
        let generators = ristretto::generators(offset_generators, sequences.longest)?;
        unsafe { commit_on_ristretto(commitments, &sequences, &generators) }
    };
    or_panic("sxt_curve25519_compute_pedersen_commitments", compute())
}

/// Commits to sequences of integers on ristretto255, with the caller's generators.
///
/// # Safety
/// As for [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`]. Generators are curve25519-dalek's `RistrettoPoint`.
///
/// # Panics
/// As [`sxt_bls12_381_g1_compute_pedersen_commitments_with_generators`].
pub unsafe fn sxt_curve25519_compute_pedersen_commitments_with_generators(
    commitments: *mut sxt_ristretto255_compressed,
    num_sequences: u32,
    descriptors: *const sxt_sequence_descriptor,
    generators: *const sxt_ristretto255,
) {
    let compute = || {
        let sequences = unsafe { Sequences::new(num_sequences, descriptors) }?;
        let generators: &[RistrettoPoint] = unsafe { slice("the generators", generators.cast(), sequences.longest) }?;
        unsafe { commit_on_ristretto(commitments, &sequences, generators) }
    };
    or_panic("sxt_curve25519_compute_pedersen_commitments_with_generators", compute())
}

/// # Safety
/// There must be memory for a commitment for each sequence.
unsafe fn commit_on_ristretto(
    commitments: *mut sxt_ristretto255_compressed,
    sequences: &Sequences<'_>,
    generators: &[RistrettoPoint],
) -> Result<()> {
    writable("the commitments", commitments, sequences.shapes.len())?;
    let points = ristretto::sums(generators, &sequences.shapes, &|i| sequences.column(i))?;
    for (i, point) in points.iter().enumerate() {
        unsafe { commitments.cast::<CompressedRistretto>().add(i).write(point.compress()) };
    }
    Ok(())
}
