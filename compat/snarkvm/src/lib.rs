// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod cache;
mod calls;
mod engine;
mod error;
mod types;

pub use cache::CacheStatistics;
pub use error::Error;

/// The orders of a transform's input and output, as the original crate lists them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NTTInputOutputOrder {
    /// Both are in natural order.
    NN = 0,
    /// The input is in natural order, and the output is bit-reversed.
    NR = 1,
    /// The input is bit-reversed, and the output is in natural order.
    RN = 2,
    /// Both are bit-reversed.
    RR = 3,
}

/// The directions of a transform.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NTTDirection {
    /// Coefficients become values.
    Forward = 0,
    /// Values become coefficients.
    Inverse = 1,
}

/// The points at which a transform takes values.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NTTType {
    /// They are the powers of snarkVM's root of unity.
    Standard = 0,
    /// They are these powers times the multiplicative generator of the field.
    Coset = 1,
}

/// Transforms `domain_size` elements of the scalar field of BLS12-377 in place. If it fails, the elements are unchanged.
///
/// # Errors
/// The type is another one, there are not exactly `domain_size` elements, `domain_size` is no power of two from 1 to 2^47, or the
/// machine lacks memory or its GPU fails.
#[allow(non_snake_case)]
pub fn NTT<T>(
    domain_size: usize,
    inout: &mut [T],
    ntt_order: NTTInputOutputOrder,
    ntt_direction: NTTDirection,
    ntt_type: NTTType,
) -> Result<(), Error> {
    calls::transform(domain_size, types::scalars_mut(inout)?, ntt_order, ntt_direction, ntt_type)
}

/// Multiplies polynomials. Returns the `domain` coefficients of the product of all `polynomials`, which have at most `domain`
/// coefficients each, and of the polynomials with these `evaluations` at the powers of snarkVM's root of unity. Evaluations that
/// are missing at the end are zeros. The product is taken modulo X^domain - 1.
///
/// # Errors
/// The type is not the scalar field of BLS12-377, there are no polynomials, one is longer than `domain`, `domain` is no power of
/// two from 1 to 2^47, or the machine lacks memory or its GPU fails.
#[allow(clippy::ptr_arg)]
pub fn polymul<T: Clone>(domain: usize, polynomials: &Vec<Vec<T>>, evaluations: &Vec<Vec<T>>, zero: &T) -> Result<Vec<T>, Error> {
    let (polynomials, evaluations) = (types::rows(polynomials)?, types::rows(evaluations)?);
    let mut product = Vec::new();
    product.try_reserve_exact(domain).map_err(|_| Error::no_memory(domain))?;
    product.resize(domain, zero.clone());
    calls::multiply(&polynomials, &evaluations, types::scalars_mut(&mut product)?)?;
    Ok(product)
}

/// Computes the sum of scalar times point for points of BLS12-377's first group. The number of products is the number of scalars,
/// and further points are not used. Points may lie outside the subgroup.
///
/// # Errors
/// The types are others, there are fewer points than scalars, a point does not lie on the curve, a scalar is not less than r, or the machine lacks memory or its
/// GPU fails.
pub fn msm<Affine, Projective, Scalar>(points: &[Affine], scalars: &[Scalar]) -> Result<Projective, Error> {
    let (points, scalars) = (types::points(points)?, types::integers(scalars)?);
    let Some(points) = points.get(..scalars.len()) else {
        return Err(Error::bad_length(format!("there are {} points for {} scalars", points.len(), scalars.len())));
    };
    types::projective(|| calls::sum(points, scalars))
}

/// Returns the backend that computes: "cpu" or "cuda".
///
/// # Errors
/// There is none, for example because an environment variable has a wrong value.
pub fn backend() -> Result<String, Error> {
    engine::engine().map(|engine| engine.backend().to_string())
}

/// Sets how many bytes the kept points may take. With 0 none are kept, and those that are kept are dropped.
///
/// # Errors
/// Those of [`backend`].
pub fn set_cache_bytes(bytes: u64) -> Result<(), Error> {
    engine::engine().map(|engine| engine.cache().set_limit(bytes))
}

/// Returns what is kept, and how often it was of use.
///
/// # Errors
/// Those of [`backend`].
pub fn cache_statistics() -> Result<CacheStatistics, Error> {
    engine::engine().map(|engine| engine.cache().statistics())
}
