// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, Result};
use crate::options::Check;
use crate::pass::{ask, make};

/// Returns both groups of a curve. If the library has no second group, this returns the given group twice, which the library then
/// refuses.
pub(crate) fn groups(curve: Curve) -> (Curve, Curve) {
    let find = |group| Curve::find(&curve.name(), group).unwrap_or(curve);
    (find("g1"), find("g2"))
}

/// Checks that e(P_0, Q_0) * e(P_1, Q_1) * .. = 1, for raw points of the curve's two groups. If the check is less than
/// [`Check::Subgroup`] and a point lies outside its subgroup, the answer has no meaning.
pub fn pairing_check(context: &mut Context, curve: Curve, g1_points: &[u8], g2_points: &[u8], check: Check) -> Result<bool> {
    let (g1, g2) = groups(curve);
    let n = count_records("points of the first group", g1_points.len(), g1.point_bytes())?;
    let others = count_records("points of the second group", g2_points.len(), g2.point_bytes())?;
    if others != n {
        return bad_length(format!("there are {n} points of the first group, and {others} of the second"));
    }
    ask!(context, sumac_pairing_check, g1, g1_points, g1_points.len(), g2_points, g2_points.len(), n, check)
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
        let (g1, g2) = groups(self.curve);
        let n = count_records("points of the first group", g1_points.len(), g1.point_bytes())?;
        let others = count_records("points of the second group", g2_points.len(), g2.point_bytes())?;
        if others + self.count != n {
            return bad_length(format!("there are {n} points of the first group, and {} of the second", others + self.count));
        }
        ask!(context, sumac_pairing_check_prepared, self, g1_points, g1_points.len(), g2_points, g2_points.len(), n, check)
    }
}
