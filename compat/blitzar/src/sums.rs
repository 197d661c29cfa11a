// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sums of columns of integers times points.
use crate::backend::{reserve, slice, Result};
use std::borrow::Cow;
use sumac::{Bases, Context, MsmConfig};

/// The most bytes of columns that are copied, so that one call computes several sums. Larger columns are handed over as they are, because
/// a copy into new memory takes 0.5 to 0.9 ms a MiB, and a call of its own 0.3 ms on a GPU and nothing on a CPU: 2^20 products of 8 bytes
/// in one call or apart are even (sums of 2 columns on an AMD EPYC with AVX2, one thread, 2026-11-30).
const MOST_BYTES: usize = 1 << 22;

/// The most bytes of an integer.
pub(crate) const MOST_INTEGER_BYTES: u32 = 32;

/// The integers of a column. The order sorts columns so that those that one call can compute follow each other, by length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shape {
    /// The bytes of each integer.
    pub(crate) bytes: u32,
    /// Each integer is less than 2^bits; 0: it has any value.
    pub(crate) bits: u32,
    /// Whether the integers are signed.
    pub(crate) signed: bool,
    /// The number of integers, which belong to the first bases.
    pub(crate) n: usize,
}

impl Shape {
    fn size(&self) -> usize {
        self.n * self.bytes as usize
    }

    fn fits(&self, other: &Shape) -> bool {
        Shape { n: 0, ..*self } == Shape { n: 0, ..*other }
    }
}

/// The function that returns the integers of the column with a number.
pub(crate) type Column<'a> = &'a dyn Fn(usize) -> Result<Cow<'a, [u8]>>;

/// Returns the numbers of the columns, in groups that one call computes. Columns without integers are in no group.
fn group(shapes: &[Shape]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..shapes.len()).filter(|&i| shapes[i].n > 0).collect();
    order.sort_by_key(|&i| shapes[i]);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut bytes = 0;
    for i in order {
        match groups.last_mut() {
            Some(group) if shapes[group[0]].fits(&shapes[i]) && bytes + shapes[i].size() <= MOST_BYTES => group.push(i),
            _ => {
                groups.push(vec![i]);
                bytes = 0;
            }
        }
        bytes += shapes[i].size();
    }
    groups
}

/// Computes the sum of each column, a raw point.
pub(crate) fn sums(context: &mut Context, bases: &Bases, shapes: &[Shape], column: Column<'_>) -> Result<Vec<u8>> {
    let point_bytes = bases.curve().point_bytes();
    let mut points = vec![0; shapes.len() * point_bytes];
    for group in group(shapes) {
        let shape = shapes[group[0]];
        let mut offsets = vec![0];
        let integers = if let [one] = group[..] {
            offsets.push(shape.n as u64);
            column(one)?
        } else {
            let mut all = reserve(group.iter().map(|&i| shapes[i].size()).sum())?;
            for &i in &group {
                all.extend_from_slice(&column(i)?);
                offsets.push((all.len() / shape.bytes as usize) as u64);
            }
            Cow::Owned(all)
        };
        let config = MsmConfig {
            scalar_bytes: shape.bytes,
            scalar_bits: shape.bits,
            scalar_signed: shape.signed,
            offsets: Some(&offsets),
            ..Default::default()
        };
        let found = bases.msm(context, &integers).config(config).run()?;
        for (&i, point) in group.iter().zip(found.chunks_exact(point_bytes)) {
            points[i * point_bytes..(i + 1) * point_bytes].copy_from_slice(point);
        }
    }
    Ok(points)
}

/// A matrix of packed integers. Row i has an integer for each output, which belongs to base i. The integers of a row follow each other
/// bit by bit, the lowest bit first, and the row ends with a whole byte.
pub(crate) struct Matrix<'a> {
    rows: &'a [u8],
    row_bytes: usize,
    first_bits: Vec<usize>,
}

impl<'a> Matrix<'a> {
    /// Describes the matrix at an address.
    ///
    /// # Safety
    /// There must be `n` rows of as many bits as the table says.
    pub(crate) unsafe fn new(rows: *const u8, n: usize, bits: &[u32]) -> Result<Self> {
        let mut next = 0usize;
        let first_bits = bits
            .iter()
            .map(|&bits| {
                let first = next;
                next += bits as usize;
                first
            })
            .collect();
        let row_bytes = next.div_ceil(8);
        let rows = unsafe { slice("the integers", rows, row_bytes.saturating_mul(n)) }?;
        Ok(Matrix { rows, row_bytes, first_bits })
    }

    /// Returns the integers of an output, which are `shape.n` integers of `bits` bits.
    pub(crate) fn column(&self, output: usize, shape: &Shape, bits: u32) -> Result<Vec<u8>> {
        let (first, shift) = (self.first_bits[output] / 8, self.first_bits[output] % 8);
        let bytes = shape.bytes as usize;
        let mask = u8::MAX >> (8 * shape.bytes - bits);
        let mut column = reserve(shape.size())?;
        for row in self.rows.chunks_exact(self.row_bytes).take(shape.n) {
            if shift == 0 {
                column.extend_from_slice(&row[first..first + bytes]);
            } else {
                // The last bits of an integer lie in the byte behind it only if the row has such a byte.
                let byte = |at| u16::from(row.get(at).copied().unwrap_or(0));
                column.extend((first..first + bytes).map(|at| ((byte(at + 1) << 8 | byte(at)) >> shift) as u8));
            }
            if let Some(last) = column.last_mut() {
                *last &= mask;
            }
        }
        Ok(column)
    }
}
