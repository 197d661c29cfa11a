// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The macros of options.rs, and the conversions of fields of the safe structs to the library's.
use crate::error::{Keep, Result};
use std::ffi::{c_char, c_void};

/// A field of options: its conversion to the library's type, and its default.
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

/// Pointers: their default is none.
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
    &'a [u64] => u64: |list, _keep| Ok(list.as_ptr());
}

/// A struct of the library with its size set; zero is the default of all other fields.
pub(crate) fn sized<Raw>() -> Raw {
    // Structs of the library have only integers and pointers, and begin with their size.
    unsafe {
        let mut raw: Raw = core::mem::zeroed();
        (&mut raw as *mut Raw).cast::<usize>().write(core::mem::size_of::<Raw>());
        raw
    }
}

/// Enums of the library. An unknown value becomes the first variant or, with `else`, a variant that has the number.
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

/// Structs of options: the library's fields, and after `and` a field that is an argument of the library's function.
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

            /// Make the struct that the library takes, which may be used as long as `keep` lives.
            pub(crate) fn raw(&self, keep: &mut Keep) -> Result<sys::$raw> {
                let mut raw = Self::raw_default();
                $(raw.$field = self.$field.put(keep)?;)*
                Ok(raw)
            }
        }
    )*};
}
pub(crate) use structs;

/// A function of a call that chooses one option; what may be missing is given without `Some`.
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
