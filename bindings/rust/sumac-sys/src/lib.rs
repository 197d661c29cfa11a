// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
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
