// SPDX-License-Identifier: Apache-2.0 OR MIT
//! For arkworks 0.5.
use ark_ec_0_5 as ark_ec;
use ark_ff_0_5 as ark_ff;

/// The offset of a point's flag of infinity, which counts for any coordinates.
fn infinity_offset<P: ark_ec::short_weierstrass::SWCurveConfig>() -> Option<usize> {
    Some(std::mem::offset_of!(ark_ec::short_weierstrass::Affine<P>, infinity))
}

include!("arkworks.rs");
