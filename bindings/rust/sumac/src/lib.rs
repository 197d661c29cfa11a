// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Multi-scalar multiplication on elliptic curves, and what is made of it: vectors and NTTs, pairings, KZG for any curve and for
//! Ethereum's blobs, FK20, Groth16.
//!
//! ```
//! # fn main() -> sumac::Result<()> {
//! use sumac::{Bases, Context, Curve, MsmConfig};
//!
//! let mut context = Context::cpu(2)?;
//! let curve = Curve::find("bn254", "g1")?;
//! let bases = Bases::new(&mut context, curve, &curve.generator().repeat(2), &Default::default())?;
//! let mut scalars = vec![0; 2 * curve.scalar_bytes()];
//! (scalars[0], scalars[curve.scalar_bytes()]) = (3, 4);
//! let sum = bases.msm(&mut context, &scalars, &MsmConfig::default())?; // 7G, a raw point
//! # assert_eq!(sum, bases.msm(&mut context, &[7], &MsmConfig { scalar_bytes: 1, ..Default::default() })?);
//! # Ok(())
//! # }
//! ```
//!
//! **Calls** take a context first, as `&mut`: it serves one at a time. Threads have one each ([`Pool`]), and share bases, keys and
//! setups, which are `Send` and `Sync`. Time depends on the scalars: not for secrets that an attacker may time.
//!
//! **Bytes** are raw points and scalars as the C library's `sumac.h` lays them out; every length is checked.
//!
//! **Errors** are an [`Error`]: a [`Status`] and one sentence. A panic in a caller's function ends the call and goes on from it.
//! After `fork()` a child may use CPU contexts that were in no call; of a GPU's it has no use.
//!
//! Memory of a GPU, streams and events are in `sumac_sys`, where the caller answers for pointers.
#![deny(unsafe_op_in_unsafe_fn)]
#![allow(clippy::doc_lazy_continuation, clippy::too_long_first_doc_paragraph)]

mod bases;
mod context;
mod curve;
mod error;
mod groth16;
mod kzg;
#[rustfmt::skip]
mod options;
mod pairing;
mod plan;
mod srs;
mod vector;

pub use bases::*;
pub use context::{backend_check, Context, ContextConfig, Devices, Pinned, Pool, TraceEvent};
pub use curve::{formats, Curve, Format};
pub use error::{Error, Result};
pub use groth16::*;
pub use kzg::*;
pub use options::*;
pub use pairing::{pairing_check, PairingPoints};
pub use plan::Plan;
pub use srs::{srs_commit, srs_open, Fk20};
pub use vector::{msm_vectors, Slice, Vector};

/// In place of a number of bases: all that there are.
pub const ALL_BASES: u64 = sumac_sys::SUMAC_ALL_BASES;

/// The library's version, "major.minor.patch", and as a number.
pub fn version() -> (String, u32) {
    unsafe { (error::text(sumac_sys::sumac_version()), sumac_sys::sumac_version_number()) }
}

/// An object of the library that is freed with its owner.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($raw:ident, $destroy:ident)) => {
        $(#[$doc])*
        pub struct $name {
            pub(crate) raw: std::ptr::NonNull<sumac_sys::$raw>,
        }

        // Immutable, or changed through &mut alone.
        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                unsafe { sumac_sys::$destroy(self.raw.as_ptr()) }
            }
        }
    };
}
pub(crate) use handle;
