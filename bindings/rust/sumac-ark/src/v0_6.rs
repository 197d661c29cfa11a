// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This module is for arkworks 0.6.
use ark_ec_0_6 as ark_ec;
use ark_ff_0_6 as ark_ff;

/// Returns no offset of a flag, because the coordinates of infinity are zero. If there is a flag, it is a private field.
fn infinity_offset<P: ark_ec::short_weierstrass::SWCurveConfig>() -> Option<usize> {
    None
}

include!("arkworks.rs");
