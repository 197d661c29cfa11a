// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This module is for arkworks 0.5.
use ark_ec_0_5 as ark_ec;
use ark_ff_0_5 as ark_ff;

/// Returns the offset of a point's infinity flag. If the flag is set, the point is infinity, whatever its coordinates are.
fn infinity_offset<P: ark_ec::short_weierstrass::SWCurveConfig>() -> Option<usize> {
    Some(std::mem::offset_of!(ark_ec::short_weierstrass::Affine<P>, infinity))
}

include!("arkworks.rs");
