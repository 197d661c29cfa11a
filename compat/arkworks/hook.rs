// SPDX-License-Identifier: Apache-2.0 OR MIT
// A patched ark-ec calls this code first, to compute the sum on a curve in short Weierstrass form.

/// With fewer products than this, a call of the library is not worthwhile.
const FEWEST: usize = 2;

/// Returns the sum, or None if arkworks has to compute it. This is the case for sums of one point, and if a call fails. It is also
/// the case for points off the curve and for integers beyond r, which arkworks accepts as they are, and for curves that the library
/// does not have.
pub(crate) fn sum<P: SWCurveConfig>(bases: &[Affine<P>], scalars: &[BigInt<P>]) -> Option<Projective<P>> {
    let n = bases.len().min(scalars.len());
    let scalars = &scalars[..n];
    if n < FEWEST || scalars.iter().any(|scalar| *scalar >= P::ScalarField::MODULUS) {
        return None;
    }
    msm_bigint(&bases[..n], scalars).ok()
}
