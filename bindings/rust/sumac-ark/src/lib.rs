// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

#[cfg(feature = "v0_5")]
pub mod v0_5;
#[cfg(feature = "v0_6")]
pub mod v0_6;

pub use sumac;
