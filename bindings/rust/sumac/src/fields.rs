// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This module has the macros of options.rs, and converts fields of the safe structs to the library's fields.
use crate::error::{Keep, Result};
use std::ffi::{c_char, c_void};

/// The conversion of a field of options to the library's type, and back.
pub(crate) trait Field<Raw>: Sized {
    fn put(&self, keep: &mut Keep) -> Result<Raw>;
    fn of(raw: Raw) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Field<$number> for $number {
            fn put(&self, _: &mut Keep) -> Result<$number> {
                Ok(*self)
            }
            fn of(raw: $number) -> Self {
                raw
            }
        }
    )*};
}
numbers!(u32 u64 usize f64);

impl Field<u32> for bool {
    fn put(&self, _: &mut Keep) -> Result<u32> {
        Ok(u32::from(*self))
    }
    fn of(raw: u32) -> Self {
        raw != 0
    }
}

/// Implements [`Field`] for pointers, whose default is `None`.
macro_rules! pointers {
    ($($given:ty => $raw:ty: |$value:ident, $keep:ident| $convert:expr;)*) => {$(
        impl<'a> Field<*const $raw> for Option<$given> {
            fn put(&self, $keep: &mut Keep) -> Result<*const $raw> {
                self.as_ref().map_or(Ok(std::ptr::null()), |$value| $convert)
            }
            fn of(_: *const $raw) -> Self {
                None
            }
        }
    )*};
}
pointers! {
    &'a str => c_char: |text, keep| keep.text(text);
    &'a [u8] => c_void: |bytes, _keep| Ok(bytes.as_ptr().cast());
    &'a [u32] => c_void: |list, _keep| Ok(list.as_ptr().cast());
    &'a [u64] => u64: |list, _keep| Ok(list.as_ptr());
}

/// Returns a struct of the library whose size is set. Zero is the default of all other fields.
pub(crate) fn sized<Raw>() -> Raw {
    // Structs of the library contain only integers and pointers, and begin with their size.
    unsafe {
        let mut raw: Raw = core::mem::zeroed();
        (&mut raw as *mut Raw).cast::<usize>().write(core::mem::size_of::<Raw>());
        raw
    }
}

/// Defines enums of the library. An unknown value becomes the first variant or, with `else`, a variant that has the number.
macro_rules! enums {
    ($($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident = $value:literal,)* } $(else $other:ident)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$word_doc])* $word,)*
            $(/** A value of a newer library. */ $other(u32),)?
        }

        impl $name {
            pub(crate) fn raw(self) -> u32 {
                match self {
                    $($name::$word => $value,)*
                    $($name::$other(value) => value,)?
                }
            }

            #[allow(dead_code, unreachable_code)]
            pub(crate) fn of(raw: u32) -> Self {
                let known = [$($name::$word),*];
                if let Some(value) = known.into_iter().find(|value| value.raw() == raw) {
                    return value;
                }
                $(return $name::$other(raw);)?
                known[0]
            }
        }

        impl Field<u32> for $name {
            fn put(&self, _: &mut Keep) -> Result<u32> {
                Ok(self.raw())
            }
            fn of(raw: u32) -> Self {
                $name::of(raw)
            }
        }
    )*};
}
pub(crate) use enums;

/// Defines structs of options. They have the library's fields and, after `and`, a field that is an argument of the library's
/// function.
macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? = $raw:ident {
        $($(#[$field_doc:meta])* $field:ident: $type:ty $(= $given:ty)?,)*
    } $(and { $(#[$more_doc:meta])* $more:ident: $more_type:ty })?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name $(<$life>)? {
            $($(#[$field_doc])* pub $field: $type,)*
            $($(#[$more_doc])* pub $more: Option<$more_type>,)?
        }

        impl<'call, $($life,)? R> crate::Call<'call, $name $(<$life>)?, R> {
            $(crate::fields::setter! { $(#[$field_doc])* $field: $type $(= $given)? })*
            $(crate::fields::setter! { $(#[$more_doc])* $more: Option<$more_type> = $more_type })?
        }

        impl $(<$life>)? Default for $name $(<$life>)? {
            fn default() -> Self {
                let raw = Self::raw_default();
                $name { $($field: Field::of(raw.$field),)* $($more: None,)? }
            }
        }

        impl $(<$life>)? $name $(<$life>)? {
            fn raw_default() -> sys::$raw {
                crate::fields::sized()
            }

            /// Makes the struct that the library expects. It may be used as long as `keep` lives.
            pub(crate) fn raw(&self, keep: &mut Keep) -> Result<sys::$raw> {
                let mut raw = Self::raw_default();
                $(raw.$field = self.$field.put(keep)?;)*
                Ok(raw)
            }
        }
    )*};
}
pub(crate) use structs;

/// Defines a function of a call that sets one option. If the option has the type `Option`, the function gets the value without
/// `Some`.
macro_rules! setter {
    ($(#[$doc:meta])* $field:ident: $type:ty) => {
        $(#[$doc])*
        pub fn $field(mut self, $field: $type) -> Self {
            self.config.$field = $field;
            self
        }
    };
    ($(#[$doc:meta])* $field:ident: $type:ty = $given:ty) => {
        $(#[$doc])*
        pub fn $field(mut self, $field: $given) -> Self {
            self.config.$field = Some($field);
            self
        }
    };
}
pub(crate) use setter;
