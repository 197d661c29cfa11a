// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The original crate's functions take any types, and trust that they are snarkVM's for BLS12-377. This module checks that they are.
use crate::Error;
use snarkvm_curves::bls12_377::{Fq, Fr, G1Affine, G1Projective};
use snarkvm_utilities::biginteger::BigInteger256;
use std::any::TypeId;
use std::marker::PhantomData;
use std::mem;

/// Types that consist of little-endian words of 64 bits and nothing else.
pub(crate) trait Words {}
impl Words for Fq {}
impl Words for Fr {}
impl Words for BigInteger256 {}

// sumac reads and writes these types where they lie, and expects x, followed by y, at the beginning of a point. Rust may order the
// fields of a struct as it likes. If a compiler orders them otherwise, this does not compile.
const _: () = assert!(cfg!(target_endian = "little"));
const _: () = assert!(mem::size_of::<Fq>() == 48 && mem::size_of::<Fr>() == 32 && mem::size_of::<BigInteger256>() == 32);
const _: () = assert!(mem::offset_of!(G1Affine, x) == 0 && mem::offset_of!(G1Affine, y) == mem::size_of::<Fq>());

/// Returns the identity of a type. Lifetimes do not count in it, because a function with the bound `'static` could not be called
/// everywhere that the original's functions are.
fn identity<T>() -> TypeId {
    trait Identity {
        fn identity(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T> Identity for PhantomData<T> {
        fn identity(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let of: &dyn Identity = &PhantomData::<T>;
    // The function reads nothing through the reference.
    unsafe { mem::transmute::<&dyn Identity, &(dyn Identity + 'static)>(of) }.identity()
}

/// Checks that T is the expected type, which has no lifetimes.
fn expect<T, Expected: 'static>() -> Result<(), Error> {
    if identity::<T>() == TypeId::of::<Expected>() {
        return Ok(());
    }
    let (found, expected) = (std::any::type_name::<T>(), std::any::type_name::<Expected>());
    Err(Error::not_supported(format!("the type is {found}, and must be {expected}")))
}

fn cast<T, Expected: 'static>(given: &[T]) -> Result<&[Expected], Error> {
    expect::<T, Expected>()?;
    Ok(unsafe { std::slice::from_raw_parts(given.as_ptr().cast(), given.len()) })
}

pub(crate) fn points<T>(given: &[T]) -> Result<&[G1Affine], Error> {
    cast(given)
}

pub(crate) fn integers<T>(given: &[T]) -> Result<&[BigInteger256], Error> {
    cast(given)
}

pub(crate) fn rows<T>(given: &[Vec<T>]) -> Result<Vec<&[Fr]>, Error> {
    given.iter().map(|row| cast(row)).collect()
}

pub(crate) fn scalars_mut<T>(given: &mut [T]) -> Result<&mut [Fr], Error> {
    expect::<T, Fr>()?;
    Ok(unsafe { std::slice::from_raw_parts_mut(given.as_mut_ptr().cast(), given.len()) })
}

/// Returns the sum that `compute` returns, if its type is the one that the caller expects.
pub(crate) fn projective<T>(compute: impl FnOnce() -> Result<G1Projective, Error>) -> Result<T, Error> {
    expect::<T, G1Projective>()?;
    Ok(unsafe { mem::transmute_copy::<G1Projective, T>(&compute()?) })
}

pub(crate) fn bytes_of<T: Words>(elements: &[T]) -> &[u8] {
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), mem::size_of_val(elements)) }
}

pub(crate) fn bytes_of_mut<T: Words>(elements: &mut [T]) -> &mut [u8] {
    unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), mem::size_of_val(elements)) }
}

pub(crate) fn words_of_mut<T: Words>(elements: &mut [T]) -> &mut [u64] {
    unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), mem::size_of_val(elements) / 8) }
}
