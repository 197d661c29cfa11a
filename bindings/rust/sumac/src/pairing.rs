// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, zeroed, Result};
use crate::options::Check;
use crate::pass::{ask, call, make};

/// Returns both groups of a curve. If the library has no second group, this returns the given group twice, which the library then
/// refuses.
pub(crate) fn groups(curve: Curve) -> (Curve, Curve) {
    let find = |group| Curve::find(&curve.name(), group).unwrap_or(curve);
    (find("g1"), find("g2"))
}

/// Returns both groups, and the number of pairs that the points and those prepared make.
fn pairs(curve: Curve, g1_points: &[u8], g2_points: &[u8], prepared: usize) -> Result<(Curve, Curve, usize)> {
    let (g1, g2) = groups(curve);
    let n = count_records("points of the first group", g1_points.len(), g1.point_bytes())?;
    let others = count_records("points of the second group", g2_points.len(), g2.point_bytes())? + prepared;
    if others != n {
        return bad_length(format!("there are {n} points of the first group, and {others} of the second"));
    }
    Ok((g1, g2, n))
}

/// Checks that e(P_0, Q_0) * e(P_1, Q_1) * .. = 1, for raw points of the curve's two groups. If the check is less than
/// [`Check::Subgroup`] and a point lies outside its subgroup, the answer has no meaning.
pub fn pairing_check(context: &mut Context, curve: Curve, g1_points: &[u8], g2_points: &[u8], check: Check) -> Result<bool> {
    let (g1, _, n) = pairs(curve, g1_points, g2_points, 0)?;
    ask!(context, sumac_pairing_check, g1, g1_points, g1_points.len(), g2_points, g2_points.len(), n, check)
}

/// Returns the bytes of e(P_0, Q_0) * e(P_1, Q_1) * .., of which [`pairing_check`] says only whether it is one. The value has twelve
/// integers of [`Curve::field_bytes`], and six for bw6-761. The function `sumac_pairing_value()` of the header
/// `sumac/experimental.h` says which they are. If there are no points, the value is one.
pub fn pairing_value(context: &mut Context, curve: Curve, g1_points: &[u8], g2_points: &[u8], check: Check) -> Result<Vec<u8>> {
    let (g1, g2, n) = pairs(curve, g1_points, g2_points, 0)?;
    let bytes = if g1.point_bytes() == g2.point_bytes() { 6 } else { 12 } * g1.field_bytes();
    let mut value = zeroed(bytes)?;
    call!(
        context,
        sumac_pairing_value,
        g1,
        g1_points,
        g1_points.len(),
        g2_points,
        g2_points.len(),
        n,
        check,
        &mut value[..],
        bytes
    )?;
    Ok(value)
}

crate::handle! {
    /// Points of the second group, prepared for use in many pairing checks.
    PairingPoints(sumac_pairing_points, sumac_pairing_points_destroy) { curve: Curve, count: usize }
}

impl PairingPoints {
    /// Prepares raw points.
    pub fn new(context: &mut Context, curve: Curve, g2_points: &[u8], check: Check) -> Result<PairingPoints> {
        let (_, g2) = groups(curve);
        let count = count_records("points of the second group", g2_points.len(), g2.point_bytes())?;
        let raw = make!(context, sumac_pairing_points_create, g2, g2_points, g2_points.len(), count, check)?;
        Ok(PairingPoints { raw, curve, count })
    }

    /// Computes [`pairing_check`] with the prepared points in the first pairs. `g2_points` are those of the other pairs.
    pub fn check(&self, context: &mut Context, g1_points: &[u8], g2_points: &[u8], check: Check) -> Result<bool> {
        let (_, _, n) = pairs(self.curve, g1_points, g2_points, self.count)?;
        ask!(context, sumac_pairing_check_prepared, self, g1_points, g1_points.len(), g2_points, g2_points.len(), n, check)
    }
}
