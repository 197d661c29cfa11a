// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface of sumac, as its headers declare it: every function here is what the C documentation says, with its duties
//! for the caller. The crate `sumac` is made of it, and has no duties.
//!
//! The library is the system's, found by pkg-config, or that in the folder that the environment variable `SUMAC_LIB_DIR` names at
//! build time; with the feature `vendored` it is built from source (`SUMAC_CURVES` chooses curves) and linked statically.
#![no_std]
#![allow(non_camel_case_types)]
// Notes of the C documentation are lists that go on in the next line.
#![allow(clippy::doc_lazy_continuation, clippy::too_long_first_doc_paragraph)]

include!("interface.rs");
