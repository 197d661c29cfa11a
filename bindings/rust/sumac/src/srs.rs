// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, c_path, Result};
use crate::options::{Order, VectorKind};
use crate::pairing::groups;
use crate::vector::{count_rows, Vector};
use std::path::Path;
use std::ptr::NonNull;
use sumac_sys as sys;

/// Commitments to polynomials of n coefficients each, one behind the other.
pub fn srs_commit(context: &mut Context, srs: &Bases, polynomials: &Vector, n: usize) -> Result<Vector> {
    let count = count_rows(polynomials, n, "polynomials")?;
    let commitments = Vector::new(context, srs.curve(), VectorKind::Points, count)?;
    context.call(|context| unsafe {
        sys::sumac_srs_commit(context, srs.raw.as_ptr(), polynomials.raw.as_ptr(), n, commitments.raw.as_ptr())
    })?;
    Ok(commitments)
}

/// Each polynomial's value at a place of its own, and the proof.
pub fn srs_open(context: &mut Context, srs: &Bases, polynomials: &Vector, n: usize, places: &Vector) -> Result<(Vector, Vector)> {
    let count = count_rows(polynomials, n, "polynomials")?;
    let values = Vector::new(context, polynomials.curve(), VectorKind::Scalars, count)?;
    let proofs = Vector::new(context, srs.curve(), VectorKind::Points, count)?;
    context.call(|context| unsafe {
        sys::sumac_srs_open(
            context,
            srs.raw.as_ptr(),
            polynomials.raw.as_ptr(),
            n,
            places.raw.as_ptr(),
            values.raw.as_ptr(),
            proofs.raw.as_ptr(),
        )
    })?;
    Ok((values, proofs))
}

/// Whether all openings hold: the SRS's generator, and the second group's and s times it, raw; then the claims.
#[allow(clippy::too_many_arguments)]
pub fn srs_verify(
    context: &mut Context,
    curve: Curve,
    g1_point: &[u8],
    g2_points: &[u8],
    commitments: &Vector,
    places: &Vector,
    values: &Vector,
    proofs: &Vector,
) -> Result<bool> {
    let (g1, g2) = groups(curve);
    if g1_point.len() != g1.point_bytes() || g2_points.len() != 2 * g2.point_bytes() {
        return bad_length("one point of the first group and two of the second are wanted".to_string());
    }
    context.ask(|context, ok| unsafe {
        sys::sumac_srs_verify(
            context,
            g1.raw(),
            g1_point.as_ptr().cast(),
            g2_points.as_ptr().cast(),
            commitments.raw.as_ptr(),
            places.raw.as_ptr(),
            values.raw.as_ptr(),
            proofs.raw.as_ptr(),
            ok,
        )
    })
}

/// What all openings of polynomials of n coefficients in cells of l take: an SRS, transformed, with multiples.
pub struct Fk20 {
    raw: NonNull<sys::sumac_fk20>,
    curve: Curve,
}

// Immutable.
unsafe impl Send for Fk20 {}
unsafe impl Sync for Fk20 {}

impl Drop for Fk20 {
    fn drop(&mut self) {
        unsafe { sys::sumac_fk20_destroy(self.raw.as_ptr()) }
    }
}

impl Fk20 {
    /// In at most so many bytes; 0: 64 MiB.
    pub fn new(context: &mut Context, srs: &Bases, n: usize, l: usize, table_bytes: u64) -> Result<Fk20> {
        let raw =
            context.make(|context, made| unsafe { sys::sumac_fk20_create(context, srs.raw.as_ptr(), n, l, table_bytes, made) })?;
        Ok(Fk20 { raw, curve: srs.curve() })
    }

    /// From a file of [`Fk20::save`], of this SRS. Its points are not checked: not for files that are not trusted.
    pub fn open(context: &mut Context, srs: &Bases, n: usize, l: usize, path: impl AsRef<Path>) -> Result<Fk20> {
        let path = c_path(path.as_ref())?;
        let raw =
            context.make(|context, made| unsafe { sys::sumac_fk20_open(context, srs.raw.as_ptr(), n, l, path.as_ptr(), made) })?;
        Ok(Fk20 { raw, curve: srs.curve() })
    }

    /// The same with other multiples: the transforms are not made again.
    pub fn copy(&self, context: &mut Context, table_bytes: u64) -> Result<Fk20> {
        let raw = context.make(|context, made| unsafe { sys::sumac_fk20_copy(context, self.raw.as_ptr(), table_bytes, made) })?;
        Ok(Fk20 { raw, curve: self.curve })
    }

    /// Coefficients of a polynomial.
    pub fn n(&self) -> usize {
        unsafe { sys::sumac_fk20_n(self.raw.as_ptr()) }
    }

    /// Elements of a cell.
    pub fn l(&self) -> usize {
        unsafe { sys::sumac_fk20_l(self.raw.as_ptr()) }
    }

    /// Bytes of the points and multiples on a device.
    pub fn table_bytes(&self) -> u64 {
        unsafe { sys::sumac_fk20_table_bytes(self.raw.as_ptr()) }
    }

    /// The proofs of all cells of polynomials on a domain of rate*n places: rate*n/l points for each.
    pub fn prove(&self, context: &mut Context, polynomials: &Vector, rate: usize, order: Order) -> Result<Vector> {
        let count = count_rows(polynomials, self.n(), "polynomials")?;
        let cells = count.saturating_mul(rate.saturating_mul(self.n()) / self.l());
        let proofs = Vector::new(context, self.curve, VectorKind::Points, cells)?;
        context.call(|context| unsafe {
            sys::sumac_fk20_prove(context, self.raw.as_ptr(), polynomials.raw.as_ptr(), rate, order.raw(), proofs.raw.as_ptr())
        })?;
        Ok(proofs)
    }

    /// To a file, with the multiples.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path.as_ref())?;
        context.call(|context| unsafe { sys::sumac_fk20_save(context, self.raw.as_ptr(), path.as_ptr()) })
    }
}
