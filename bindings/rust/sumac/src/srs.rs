// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{c_path, require_bytes, Result};
use crate::options::{Order, VectorKind};
use crate::pairing::groups;
use crate::pass::{ask, call, make, raw};
use crate::vector::{count_rows, Vector};
use std::path::Path;

/// Commits to concatenated polynomials of n coefficients each.
pub fn srs_commit(context: &mut Context, srs: &Bases, polynomials: &Vector, n: usize) -> Result<Vector<'static>> {
    let count = count_rows(polynomials, n, "polynomials")?;
    let mut commitments = Vector::new(context, srs.curve(), VectorKind::Points, count)?;
    call!(context, sumac_srs_commit, srs, polynomials, n, &mut commitments)?;
    Ok(commitments)
}

/// Opens each polynomial at its evaluation point. Returns the values and the proofs.
pub fn srs_open(
    context: &mut Context,
    srs: &Bases,
    polynomials: &Vector,
    n: usize,
    evaluation_points: &Vector,
) -> Result<(Vector<'static>, Vector<'static>)> {
    let count = count_rows(polynomials, n, "polynomials")?;
    let mut values = Vector::new(context, polynomials.curve(), VectorKind::Scalars, count)?;
    let mut proofs = Vector::new(context, srs.curve(), VectorKind::Points, count)?;
    call!(context, sumac_srs_open, srs, polynomials, n, evaluation_points, &mut values, &mut proofs)?;
    Ok((values, proofs))
}

/// Verifies openings. Returns true if the proofs show that each committed polynomial has its value at its evaluation point. The
/// points of the SRS are raw and must come from a trusted source: `g1_point` is the generator of the SRS, and `g2_points` are the
/// second group's generator and s times this generator.
#[allow(clippy::too_many_arguments)]
pub fn srs_verify(
    context: &mut Context,
    curve: Curve,
    g1_point: &[u8],
    g2_points: &[u8],
    commitments: &Vector,
    evaluation_points: &Vector,
    values: &Vector,
    proofs: &Vector,
) -> Result<bool> {
    let (g1, g2) = groups(curve);
    require_bytes("the SRS's generator", g1_point.len(), g1.point_bytes())?;
    require_bytes("points of the second group", g2_points.len(), 2 * g2.point_bytes())?;
    ask!(
        context,
        sumac_srs_verify,
        g1,
        g1_point,
        g1_point.len(),
        g2_points,
        g2_points.len(),
        commitments,
        evaluation_points,
        values,
        proofs
    )
}

crate::handle! {
    /// The tables for computing all openings of polynomials of n coefficients, in cells of cell_elements values. They are a
    /// transformed SRS with multiples.
    Fk20(sumac_fk20, sumac_fk20_destroy) { curve: Curve }
}

impl Fk20 {
    /// Makes the tables, which have at most `table_bytes` bytes. If `table_bytes` is 0, the limit is 64 MiB.
    pub fn new(context: &mut Context, srs: &Bases, n: usize, cell_elements: usize, table_bytes: u64) -> Result<Fk20> {
        let raw = make!(context, sumac_fk20_create, srs, n, cell_elements, table_bytes)?;
        Ok(Fk20 { raw, curve: srs.curve() })
    }

    /// Opens a file that [`Fk20::save`] wrote for this SRS. Its points are not checked, so the file must be trusted.
    pub fn open(context: &mut Context, srs: &Bases, n: usize, cell_elements: usize, path: impl AsRef<Path>) -> Result<Fk20> {
        let path = c_path(path)?;
        let raw = make!(context, sumac_fk20_open, srs, n, cell_elements, &path)?;
        Ok(Fk20 { raw, curve: srs.curve() })
    }

    fn info(&self) -> sumac_sys::sumac_fk20_info {
        let mut info = crate::fields::sized();
        let status = raw!(sumac_fk20_describe, self, &mut info);
        assert_eq!(status, sumac_sys::SUMAC_OK, "tables that are there are described");
        info
    }

    /// Returns the number of coefficients of a polynomial.
    pub fn n(&self) -> usize {
        self.info().n
    }

    /// Returns the number of elements of a cell.
    pub fn cell_elements(&self) -> usize {
        self.info().cell_elements
    }

    /// Returns the size in bytes of the points and multiples on a device.
    pub fn table_bytes(&self) -> u64 {
        self.info().table_bytes
    }

    /// Computes the proofs of all cells of polynomials on a domain of rate*n evaluation points. The result has rate*n/cell_elements
    /// points for each polynomial.
    pub fn prove(&self, context: &mut Context, polynomials: &Vector, rate: usize, order: Order) -> Result<Vector<'static>> {
        let count = count_rows(polynomials, self.n(), "polynomials")?;
        let cells = count.saturating_mul(rate.saturating_mul(self.n()) / self.cell_elements());
        let mut proofs = Vector::new(context, self.curve, VectorKind::Points, cells)?;
        call!(context, sumac_fk20_prove, self, polynomials, rate, order, &mut proofs)?;
        Ok(proofs)
    }

    /// Saves the tables to a file, with the multiples.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        call!(context, sumac_fk20_save, self, &path)
    }
}
