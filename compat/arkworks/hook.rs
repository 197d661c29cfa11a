// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a patched ark-ec asks first for the sum of a curve in short Weierstrass form.

/// One product is not worth a call.
const FEWEST: usize = 2;

/// None where arkworks has to compute it: of one point, of points off the curve or integers beyond r, which it takes as they are,
/// of a curve that the library does not have, and where a call fails.
pub(crate) fn sum<P: SWCurveConfig>(bases: &[Affine<P>], scalars: &[BigInt<P>]) -> Option<Projective<P>> {
    let n = bases.len().min(scalars.len());
    let scalars = &scalars[..n];
    if n < FEWEST || scalars.iter().any(|scalar| *scalar >= P::ScalarField::MODULUS) {
        return None;
    }
    msm_bigint(&bases[..n], scalars).ok()
}
