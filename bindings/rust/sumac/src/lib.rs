// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod bases;
mod call;
mod context;
mod curve;
mod error;
mod fields;
mod groth16;
mod kzg;
mod options {
    include!(env!("SUMAC_OPTIONS"));
}
mod pairing;
mod pass;
mod plan;
mod plonk;
mod srs;
mod typed;
mod vector;

pub use bases::*;
pub use call::Call;
pub use context::{Canceller, Context, ContextConfig, Devices, Pinned, Pool, Progress, Trace, TraceEvent};
pub use curve::{formats, Curve, Format};
pub use error::{Error, Result};
pub use groth16::*;
pub use kzg::*;
pub use options::*;
pub use pairing::{pairing_check, pairing_value, PairingPoints};
pub use plan::Plan;
pub use plonk::*;
pub use srs::{challenge, shplonk_open, shplonk_quotient, shplonk_verify, srs_commit, srs_open, srs_verify, Fk20, Openings};
pub use typed::{Affine, Group, Msm};
pub use vector::{msm_vectors, Integer, Slice, Vector, View};

/// Returns the library's version as "major.minor.patch", and as a number.
pub fn version() -> (String, u32) {
    unsafe { (error::text(sumac_sys::sumac_version()), sumac_sys::sumac_version_number()) }
}

/// Defines an object of the library, which may have further fields. It is freed with its owner.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident$(<$life:lifetime>)?($raw:ident, $destroy:ident) $({ $($field:ident: $type:ty),* })?) => {
        $(#[$doc])*
        pub struct $name$(<$life>)? {
            pub(crate) raw: std::ptr::NonNull<sumac_sys::$raw>,
            $($($field: $type,)*)?
        }

        // The object is immutable, or is changed only through &mut.
        unsafe impl$(<$life>)? Send for $name$(<$life>)? {}
        unsafe impl$(<$life>)? Sync for $name$(<$life>)? {}

        impl$(<$life>)? Drop for $name$(<$life>)? {
            fn drop(&mut self) {
                unsafe { sumac_sys::$destroy(self.raw.as_ptr()) }
            }
        }

        impl$(<$life>)? std::fmt::Debug for $name$(<$life>)? {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl$(<$life>)? crate::pass::Pass<*const sumac_sys::$raw> for &$name$(<$life>)? {
            fn pass(self) -> *const sumac_sys::$raw {
                self.raw.as_ptr()
            }
        }

        impl$(<$life>)? crate::pass::Pass<*mut sumac_sys::$raw> for &mut $name$(<$life>)? {
            fn pass(self) -> *mut sumac_sys::$raw {
                self.raw.as_ptr()
            }
        }
    };
}
pub(crate) use handle;
pub(crate) use typed::groups;
