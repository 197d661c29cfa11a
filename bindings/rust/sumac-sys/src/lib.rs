// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface of sumac, as its headers declare it: every function here is what the C documentation says, with its duties
//! for the caller. The crate `sumac` is made of it, and has no duties.
//!
//! The library is the system's, found by pkg-config, or that in the folder that the environment variable `SUMAC_LIB_DIR` names at
//! build time; with the feature `vendored` it is built from source (`SUMAC_CURVES` chooses curves) and linked statically.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_uint, c_void};

macro_rules! enumeration {
    ($name:ident: $($value:ident = $number:literal),*) => {
        pub type $name = c_uint;
        $(pub const $value: $name = $number;)*
    };
}

macro_rules! handles {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub struct $name {
            _opaque: [u8; 0],
            _neither_send_nor_sync: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
        }
    )*};
}

macro_rules! structs {
    ($($name:ident { $($field:ident: $type:ty),* })*) => {$(
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $field: $type,)*
        }
    )*};
}

include!(env!("SUMAC_INTERFACE"));
