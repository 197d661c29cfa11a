// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The constants and types of blitzar-sys. Their names are those of the C interface.
#![allow(non_camel_case_types, non_snake_case)]
use std::ffi::{c_int, c_uint, c_void};

/// The backend that computes on the CPU.
pub const SXT_CPU_BACKEND: u32 = 1;
/// The backend that computes on all GPUs or, without a GPU, on the CPU.
pub const SXT_GPU_BACKEND: u32 = 2;

/// The curve ristretto255, which curve25519-dalek computes.
pub const SXT_CURVE_RISTRETTO255: u32 = 0;
/// The group G1 of BLS12-381.
pub const SXT_CURVE_BLS_381: u32 = 1;
/// The group G1 of BN254.
pub const SXT_CURVE_BN_254: u32 = 2;
/// The curve Grumpkin.
pub const SXT_CURVE_GRUMPKIN: u32 = 3;

/// The scalars of curve25519, for which there is no sumcheck proof.
pub const SXT_FIELD_SCALAR255: u32 = 0;
/// The field of Grumpkin's coordinates.
pub const SXT_FIELD_GRUMPKIN: u32 = 1;

/// The choice of a backend.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_config {
    /// [`SXT_CPU_BACKEND`] or [`SXT_GPU_BACKEND`].
    pub backend: c_int,
    /// The number of generators of curve25519 that blitzar computes in advance. It is ignored.
    pub num_precomputed_generators: u64,
}

/// Integers in memory, one after another, little-endian.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_sequence_descriptor {
    /// The number of bytes of each integer, from 1 to 32.
    pub element_nbytes: u8,
    /// The number of integers.
    pub n: u64,
    /// The integers: `n * element_nbytes` bytes. It may be null if `n` is 0.
    pub data: *const u8,
    /// Whether the integers are signed, in two's complement.
    pub is_signed: c_int,
}

/// The input of a sumcheck proof. The elements of the field are arkworks' elements.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sumcheck_descriptor {
    /// `num_mles` multilinear extensions of `n` elements, one after another.
    pub mles: *const c_void,
    /// `num_products` pairs of Rust's type `(FIELD, u32)`: a factor, and the number of terms of the product.
    pub product_table: *const c_void,
    /// `num_product_terms` numbers of extensions, product after product.
    pub product_terms: *const c_uint,
    /// The number of elements of each extension, at least 1. Missing elements up to a power of two are 0.
    pub n: c_uint,
    /// The number of extensions.
    pub num_mles: c_uint,
    /// The number of products.
    pub num_products: c_uint,
    /// The number of terms of all products together.
    pub num_product_terms: c_uint,
    /// The number of terms of the longest product.
    pub round_degree: c_uint,
}

/// An element of ristretto255 in 32 bytes.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_ristretto255_compressed {
    /// The encoding of RFC 9496.
    pub ristretto_bytes: [u8; 32],
}

/// An element of ristretto255 in extended coordinates, with five limbs of 51 bits each.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_ristretto255 {
    /// The coordinate X.
    pub X: [u64; 5],
    /// The coordinate Y.
    pub Y: [u64; 5],
    /// The coordinate Z.
    pub Z: [u64; 5],
    /// The coordinate T.
    pub T: [u64; 5],
}

/// A scalar of curve25519.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_curve25519_scalar {
    /// The integer, little-endian.
    pub bytes: [u8; 32],
}

/// The state of a transcript, which is a `merlin::Transcript`.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_transcript {
    /// The state of STROBE.
    pub bytes: [u8; 203],
}

/// A point of BLS12-381's G1 as ZCash and arkworks compress it.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sxt_bls12_381_g1_compressed {
    /// x, big-endian. The upper three bits are flags.
    pub g1_bytes: [u8; 48],
}

/// Defines an affine point with the layout of arkworks' `Affine`.
macro_rules! affine {
    ($($name:ident of $curve:literal with $limbs:literal limbs)*) => {$(
        #[doc = concat!("An affine point of ", $curve, " with the layout of arkworks' `Affine`, in Montgomery form.")]
        #[repr(C)]
        #[derive(Debug, Copy, Clone)]
        pub struct $name {
            /// The coordinate x.
            pub X: [u64; $limbs],
            /// The coordinate y.
            pub Y: [u64; $limbs],
            /// 1 for the point at infinity, whatever its coordinates are; otherwise 0.
            pub infinity: u8,
        }
    )*};
}

// blitzar-sys declares sxt_bls12_381_g1 without the flag. But blitzar hands over arkworks' points, and Blitzar reads these.
affine! {
    sxt_bls12_381_g1 of "BLS12-381's G1" with 6 limbs
    sxt_bn254_g1 of "BN254's G1" with 4 limbs
    sxt_grumpkin of "Grumpkin" with 4 limbs
}
