// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod backend;
mod commitments;
mod curves;
mod handles;
mod inner_product;
mod ristretto;
mod sumcheck;
mod sums;
mod types;

pub use backend::sxt_init;
pub use commitments::*;
pub use handles::*;
pub use inner_product::*;
pub use ristretto::*;
pub use sumcheck::*;
pub use types::*;
