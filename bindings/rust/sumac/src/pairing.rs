// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, Result};
use crate::options::Check;
use std::ptr::NonNull;
use sumac_sys as sys;

/// Both groups of a curve. Where the library has no second one, the given one stands for it: it refuses that.
pub(crate) fn groups(curve: Curve) -> (Curve, Curve) {
    let find = |group| Curve::find(&curve.name(), group).unwrap_or(curve);
    (find("g1"), find("g2"))
}

/// Whether e(P_0, Q_0) * e(P_1, Q_1) * .. = 1, of raw points of the curve's two groups. With less than [`Check::Subgroup`] the
/// answer for points outside it means nothing.
pub fn pairing_check(context: &mut Context, curve: Curve, g1_points: &[u8], g2_points: &[u8], check: Check) -> Result<bool> {
    let (g1, g2) = groups(curve);
    let n = count_records("points of the first group", g1_points.len(), g1.point_bytes())?;
    let others = count_records("points of the second group", g2_points.len(), g2.point_bytes())?;
    if others != n {
        return bad_length(format!("there are {n} points of the first group, and {others} of the second"));
    }
    context.ask(|context, is_one| unsafe {
        sys::sumac_pairing_check(context, g1.raw(), g1_points.as_ptr().cast(), g2_points.as_ptr().cast(), n, check.raw(), is_one)
    })
}

/// Points of the second group, prepared for pairing checks that have them again and again.
pub struct PairingPoints {
    raw: NonNull<sys::sumac_pairing_points>,
    curve: Curve,
    count: usize,
}

// Immutable.
unsafe impl Send for PairingPoints {}
unsafe impl Sync for PairingPoints {}

impl Drop for PairingPoints {
    fn drop(&mut self) {
        unsafe { sys::sumac_pairing_points_destroy(self.raw.as_ptr()) }
    }
}

impl PairingPoints {
    pub fn new(context: &mut Context, curve: Curve, g2_points: &[u8], check: Check) -> Result<PairingPoints> {
        let (_, g2) = groups(curve);
        let count = count_records("points of the second group", g2_points.len(), g2.point_bytes())?;
        let raw = context.make(|context, made| unsafe {
            sys::sumac_pairing_points_create(context, g2.raw(), g2_points.as_ptr().cast(), count, check.raw(), made)
        })?;
        Ok(PairingPoints { raw, curve, count })
    }

    /// [`pairing_check`] of pairs whose first points of the second group are these; `g2_points` are the others.
    pub fn check(&self, context: &mut Context, g1_points: &[u8], g2_points: &[u8], check: Check) -> Result<bool> {
        let (g1, g2) = groups(self.curve);
        let n = count_records("points of the first group", g1_points.len(), g1.point_bytes())?;
        let others = count_records("points of the second group", g2_points.len(), g2.point_bytes())?;
        if others + self.count != n {
            return bad_length(format!("there are {n} points of the first group, and {} of the second", others + self.count));
        }
        context.ask(|context, is_one| unsafe {
            sys::sumac_pairing_check_prepared(
                context,
                self.raw.as_ptr(),
                g1_points.as_ptr().cast(),
                g2_points.as_ptr().cast(),
                n,
                check.raw(),
                is_one,
            )
        })
    }
}
