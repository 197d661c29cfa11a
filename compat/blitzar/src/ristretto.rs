// SPDX-License-Identifier: Apache-2.0 OR MIT
//! ristretto255, which sumac does not have. The crate curve25519-dalek computes the sums on the calling thread.
use crate::backend::{or_panic, refuse, reserve, slice, writable, Result};
use crate::handles::Generators;
use crate::sums::{Column, Shape};
use crate::types::sxt_ristretto255;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::VartimeMultiscalarMul;
use std::ffi::{c_int, c_void};

/// Returns Blitzar's generator with an index. RFC 9496's map makes it of the next eight numbers of the generator xorshift128+
/// (https://en.wikipedia.org/wiki/Xorshift) whose state is index + 1, index + 2.
fn generator(index: u64) -> RistrettoPoint {
    let (mut a, mut b) = (index.wrapping_add(1), index.wrapping_add(2));
    let mut uniform = [0; 64];
    for word in uniform.chunks_exact_mut(8) {
        let mut next = a ^ (a << 23);
        next ^= next >> 17;
        next ^= b ^ (b >> 26);
        (a, b) = (b, next);
        word.copy_from_slice(&a.wrapping_add(b).to_le_bytes());
    }
    RistrettoPoint::from_uniform_bytes(&uniform)
}

/// Returns Blitzar's generators from an index on.
pub(crate) fn generators(first: u64, n: usize) -> Result<Vec<RistrettoPoint>> {
    let mut generators = reserve(n)?;
    generators.extend((0..n as u64).map(|i| generator(first.wrapping_add(i))));
    Ok(generators)
}

/// Converts an integer, which counts modulo the group's order.
fn scalar(integer: &[u8], signed: bool) -> Scalar {
    let mut bytes = [0; 32];
    if signed && integer[integer.len() - 1] >> 7 == 1 {
        // In two's complement -k is !k + 1.
        bytes.iter_mut().zip(integer).for_each(|(byte, given)| *byte = !given);
        return -(Scalar::from_bytes_mod_order(bytes) + Scalar::ONE);
    }
    bytes[..integer.len()].copy_from_slice(integer);
    Scalar::from_bytes_mod_order(bytes)
}

/// Computes the sum of each column.
pub(crate) fn sums(generators: &[RistrettoPoint], shapes: &[Shape], column: Column<'_>) -> Result<Vec<RistrettoPoint>> {
    let sum = |(i, shape): (usize, &Shape)| {
        let integers = column(i)?;
        let scalars = integers.chunks_exact(shape.bytes as usize).map(|integer| scalar(integer, shape.signed));
        Ok(RistrettoPoint::vartime_multiscalar_mul(scalars, &generators[..shape.n]))
    };
    let is_empty = |shape: &Shape| shape.n == 0;
    shapes
        .iter()
        .enumerate()
        .map(|(i, shape)| if is_empty(shape) { Ok(RistrettoPoint::default()) } else { sum((i, shape)) })
        .collect()
}

/// What a file of generators begins with. The number of generators follows, in eight bytes, and their encodings.
const MAGIC: &[u8; 24] = b"sumac ristretto255 v1\n\0\0";

/// The generators of a handle.
struct Prepared(Vec<RistrettoPoint>);

/// Copies `n` points.
///
/// # Safety
/// The points must be readable.
pub(crate) unsafe fn prepare(points: *const c_void, n: usize) -> Result<Box<dyn Generators>> {
    let points: &[RistrettoPoint] = unsafe { slice("the generators", points.cast(), n) }?;
    Ok(Box::new(Prepared(points.to_vec())))
}

/// Reads a file of generators.
pub(crate) fn open(path: &str) -> Result<Box<dyn Generators>> {
    let bytes = std::fs::read(path).or_else(|error| refuse(format!("{path} cannot be read: {error}")))?;
    let points = bytes.strip_prefix(MAGIC).and_then(|rest| rest.split_first_chunk::<8>());
    let Some((count, points)) = points.filter(|(n, points)| u64::from_le_bytes(**n).checked_mul(32) == Some(points.len() as u64))
    else {
        return refuse(format!("{path} is no file of generators of ristretto255"));
    };
    let mut generators = reserve(u64::from_le_bytes(*count) as usize)?;
    for (i, encoding) in points.chunks_exact(32).enumerate() {
        match CompressedRistretto::from_slice(encoding).ok().and_then(|encoding| encoding.decompress()) {
            Some(point) => generators.push(point),
            None => return refuse(format!("{path} has no point of ristretto255 as its generator {i}")),
        }
    }
    Ok(Box::new(Prepared(generators)))
}

impl Generators for Prepared {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn save(&self, path: &str) -> Result<()> {
        let mut bytes = reserve(MAGIC.len() + 8 + 32 * self.0.len())?;
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(self.0.len() as u64).to_le_bytes());
        self.0.iter().for_each(|point| bytes.extend_from_slice(point.compress().as_bytes()));
        // The file gets its name when it is complete.
        let incomplete = format!("{path}.incomplete");
        std::fs::write(&incomplete, bytes)
            .and_then(|()| std::fs::rename(&incomplete, path))
            .or_else(|error| refuse(format!("{path} cannot be written: {error}")))
    }

    unsafe fn sums(&self, shapes: &[Shape], column: Column<'_>, results: *mut c_void) -> Result<()> {
        let points = sums(&self.0, shapes, column)?;
        unsafe { results.cast::<RistrettoPoint>().copy_from_nonoverlapping(points.as_ptr(), points.len()) };
        Ok(())
    }
}

/// Writes Blitzar's generators of ristretto255 from an index on, which are curve25519-dalek's `RistrettoPoint`. Returns 0.
///
/// # Safety
/// There must be memory for the generators.
///
/// # Panics
/// If the pointer is null and there are generators, or without memory.
pub unsafe fn sxt_ristretto255_get_generators(
    generators: *mut sxt_ristretto255,
    num_generators: u64,
    offset_generators: u64,
) -> c_int {
    let compute = || {
        let n = usize::try_from(num_generators).unwrap_or(usize::MAX);
        writable("the generators", generators, n)?;
        for i in 0..n {
            let point = generator(offset_generators.wrapping_add(i as u64));
            unsafe { generators.cast::<RistrettoPoint>().add(i).write(point) };
        }
        Ok(0)
    };
    or_panic("sxt_ristretto255_get_generators", compute())
}

/// Writes the sum of the first `n` generators of ristretto255. Returns 0.
///
/// # Safety
/// There must be memory for the point.
///
/// # Panics
/// If the pointer is null.
pub unsafe fn sxt_curve25519_get_one_commit(one_commit: *mut sxt_ristretto255, n: u64) -> c_int {
    let compute = || {
        writable("the commitments", one_commit, 1)?;
        unsafe { one_commit.cast::<RistrettoPoint>().write((0..n).map(generator).sum()) };
        Ok(0)
    };
    or_panic("sxt_curve25519_get_one_commit", compute())
}
