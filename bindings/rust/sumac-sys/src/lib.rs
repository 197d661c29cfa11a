// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface of sumac, as its headers declare it: the C documentation describes every function, and the caller's duties.
//! The crate `sumac` is a safe layer over it.
//!
//! The library is found by pkg-config or, if the environment variable `SUMAC_LIB_DIR` is set at build time, in the folder that it
//! names; with the feature `vendored` it is built from source (`SUMAC_CURVES` chooses curves) and linked statically.
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
