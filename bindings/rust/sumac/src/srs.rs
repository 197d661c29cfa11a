// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{c_path, c_string, require_bytes, zeroed, Result};
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

/// Returns a challenge by Fiat and Shamir (experimental), as a raw scalar: the hash of a transcript, as a big-endian integer modulo
/// the order of the curve's groups. The hash is "keccak256", which is Ethereum's, or "sha256".
pub fn challenge(context: &mut Context, curve: Curve, hash: &str, transcript: &[u8]) -> Result<Vec<u8>> {
    let (hash, mut challenge) = (c_string(hash)?, zeroed(curve.scalar_bytes())?);
    let bytes = challenge.len();
    call!(context, sumac_challenge, curve, &hash, transcript, transcript.len(), &mut challenge[..], bytes)?;
    Ok(challenge)
}

/// Which polynomials are opened at which points by [`shplonk_quotient`], [`shplonk_open`] and [`shplonk_verify`] (experimental).
#[derive(Clone, Copy)]
pub struct Openings<'a> {
    /// Different scalars.
    pub points: &'a Vector<'a>,
    /// A row of bytes for each polynomial: 1 if it is opened at that point, otherwise 0. An empty slice opens all at all points.
    pub opened: &'a [u8],
    /// One scalar for each polynomial.
    pub factors: &'a Vector<'a>,
}

impl Openings<'_> {
    fn flags(&self) -> (*const u8, usize) {
        (if self.opened.is_empty() { std::ptr::null() } else { self.opened.as_ptr() }, self.opened.len())
    }
}

/// Opens polynomials of n coefficients each at several points (experimental). This is the first of three calls, which the header
/// `sumac/experimental.h` describes. Returns the quotient's coefficients, for [`shplonk_open`], and its commitment, the first point
/// of the proof.
pub fn shplonk_quotient(
    context: &mut Context,
    srs: &Bases,
    polynomials: &Vector,
    n: usize,
    openings: Openings,
) -> Result<(Vector<'static>, Vector<'static>)> {
    let mut quotient = Vector::new(context, srs.curve(), VectorKind::Scalars, n)?;
    let mut commitment = Vector::new(context, srs.curve(), VectorKind::Points, 1)?;
    let (Openings { points, factors, .. }, (flags, bytes)) = (openings, openings.flags());
    let flags = flags.cast::<std::ffi::c_void>();
    call!(context, sumac_shplonk_quotient, srs, polynomials, n, points, flags, bytes, factors, &mut quotient, &mut commitment)?;
    Ok((quotient, commitment))
}

/// Returns the second point of the proof that [`shplonk_quotient`] began (experimental). `evaluation_point` has one scalar.
pub fn shplonk_open(
    context: &mut Context,
    srs: &Bases,
    polynomials: &Vector,
    openings: Openings,
    quotient: &Vector,
    evaluation_point: &Vector,
) -> Result<Vector<'static>> {
    let mut proof = Vector::new(context, srs.curve(), VectorKind::Points, 1)?;
    let (Openings { points, factors, .. }, (flags, bytes), n) = (openings, openings.flags(), quotient.len());
    let flags = flags.cast::<std::ffi::c_void>();
    call!(context, sumac_shplonk_open, srs, polynomials, n, points, flags, bytes, factors, quotient, evaluation_point, &mut proof)?;
    Ok(proof)
}

/// Verifies a proof of [`shplonk_quotient`] and [`shplonk_open`] (experimental). Returns true if each committed polynomial has its
/// values at the points at which it is opened. `values` has a row of scalars for each polynomial, and `proof` two points. The points
/// of the SRS are as for [`srs_verify`].
#[allow(clippy::too_many_arguments)]
pub fn shplonk_verify(
    context: &mut Context,
    curve: Curve,
    g1_point: &[u8],
    g2_points: &[u8],
    commitments: &Vector,
    openings: Openings,
    values: &Vector,
    evaluation_point: &Vector,
    proof: &Vector,
) -> Result<bool> {
    let (g1, g2) = groups(curve);
    require_bytes("the SRS's generator", g1_point.len(), g1.point_bytes())?;
    require_bytes("points of the second group", g2_points.len(), 2 * g2.point_bytes())?;
    let (Openings { points, factors, .. }, (flags, bytes)) = (openings, openings.flags());
    ask!(
        context,
        sumac_shplonk_verify,
        g1,
        g1_point,
        g1_point.len(),
        g2_points,
        g2_points.len(),
        commitments,
        points,
        flags.cast::<std::ffi::c_void>(),
        bytes,
        values,
        factors,
        evaluation_point,
        proof
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
