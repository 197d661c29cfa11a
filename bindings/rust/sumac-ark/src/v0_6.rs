// SPDX-License-Identifier: Apache-2.0 OR MIT
//! For arkworks 0.6.
use ark_ec_0_6 as ark_ec;
use ark_ff_0_6 as ark_ff;

/// There is no offset of a flag: the coordinates of infinity are zero, and a flag, if there is one, is a private field.
fn infinity_offset<P: ark_ec::short_weierstrass::SWCurveConfig>() -> Option<usize> {
    None
}

include!("arkworks.rs");
