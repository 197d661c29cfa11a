// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This module converts arguments of the safe functions to arguments of the library's functions.
use crate::curve::Curve;
use crate::options::{Check, Order, Scan, VectorKind};
use std::ffi::{c_char, CString};
use std::ptr::NonNull;
use sumac_sys as sys;

/// An argument of a call. The compiler infers `To` from the declaration of the library's function.
pub(crate) trait Pass<To> {
    fn pass(self) -> To;
}

/// Calls a function of the library with these arguments, whose lengths the caller has checked.
macro_rules! raw {
    ($function:ident $(, $argument:expr)*) => {
        unsafe { sumac_sys::$function($(crate::pass::Pass::pass($argument)),*) }
    };
}
/// Makes a call with a context. The result is Ok(()) or an error.
macro_rules! call {
    ($context:expr, $function:ident $(, $argument:expr)*) => {
        $context.call(|context| crate::pass::raw!($function, context $(, $argument)*))
    };
}
/// Makes a call whose answer is yes or no.
macro_rules! ask {
    ($context:expr, $function:ident $(, $argument:expr)*) => {
        $context.ask(|context, answer| crate::pass::raw!($function, context $(, $argument)*, answer))
    };
}
/// Makes a call whose result is a new object.
macro_rules! make {
    ($context:expr, $function:ident $(, $argument:expr)*) => {
        $context.make(|context, made| crate::pass::raw!($function, context $(, $argument)*, made))
    };
}
pub(crate) use {ask, call, make, raw};

impl<T> Pass<*const T> for NonNull<T> {
    fn pass(self) -> *const T {
        self.as_ptr()
    }
}

impl<T> Pass<*mut T> for NonNull<T> {
    fn pass(self) -> *mut T {
        self.as_ptr()
    }
}

impl<T> Pass<*const T> for *const T {
    fn pass(self) -> *const T {
        self
    }
}

impl<T> Pass<*mut T> for *mut T {
    fn pass(self) -> *mut T {
        self
    }
}

/// Passes a struct that the library reads.
impl<T> Pass<*const T> for &T {
    fn pass(self) -> *const T {
        self
    }
}

/// Passes a number, struct or pointer that the library writes.
impl<T> Pass<*mut T> for &mut T {
    fn pass(self) -> *mut T {
        self
    }
}

impl<T, To> Pass<*const To> for &[T] {
    fn pass(self) -> *const To {
        self.as_ptr().cast()
    }
}

impl<T, To> Pass<*mut To> for &mut [T] {
    fn pass(self) -> *mut To {
        self.as_mut_ptr().cast()
    }
}

impl Pass<*const c_char> for &CString {
    fn pass(self) -> *const c_char {
        self.as_ptr()
    }
}

impl Pass<*const c_char> for &Option<CString> {
    fn pass(self) -> *const c_char {
        self.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
    }
}

impl Pass<*const sys::sumac_group> for Curve {
    fn pass(self) -> *const sys::sumac_group {
        self.raw()
    }
}

macro_rules! values {
    ($($type:ty),*; $($name:ident),*) => {
        $(impl Pass<$type> for $type {
            fn pass(self) -> $type {
                self
            }
        })*
        $(impl Pass<u32> for $name {
            fn pass(self) -> u32 {
                self.raw()
            }
        })*
    };
}
values!(u32, u64, usize, f64, i32; Check, Order, Scan, VectorKind);
