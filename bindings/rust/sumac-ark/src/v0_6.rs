// SPDX-License-Identifier: Apache-2.0 OR MIT
//! For arkworks 0.6.
use ark_ec_0_6 as ark_ec;
use ark_ff_0_6 as ark_ff;

/// The coordinates of infinity are zero; that it is infinity may also be in a field, which is private.
fn infinity_offset<P: ark_ec::short_weierstrass::SWCurveConfig>() -> Option<usize> {
    None
}

include!("arkworks.rs");
