// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod curves;
pub mod hook;
mod msm;
mod ntt;
mod pools;

pub use curves::{curve, scalar_field};
pub use msm::msm;
pub use ntt::ntt;
pub use pools::use_pool;
pub use sumac;

use sumac::Curve;

/// The reason why nothing was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// There are not as many scalars as bases. The value is the smaller number.
    Length(usize),
    /// This build of the library has no such curve or field, or the type has another layout in memory.
    Curve,
    /// The number of values is not a power of two of at least 2, or the root of unity does not have this order.
    Root,
    /// The library's error.
    Sumac(sumac::Error),
}

/// The result of calls.
pub type Result<T> = core::result::Result<T, Error>;

impl core::fmt::Display for Error {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Error::Length(least) => write!(formatter, "there are not as many scalars as bases: {least} of one of them"),
            Error::Curve => write!(formatter, "this build of the library does not have the curve; it has {:?}", Curve::all()),
            Error::Root => {
                write!(formatter, "the order of the root of unity is not the number of values, a power of two from 2 on")
            }
            Error::Sumac(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Sumac(error) => error.source(),
            _ => None,
        }
    }
}

impl From<sumac::Error> for Error {
    fn from(error: sumac::Error) -> Self {
        Error::Sumac(error)
    }
}
