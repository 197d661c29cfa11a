// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![deny(unsafe_code)]

mod calls;
#[cfg(test)]
mod tests;

use calls::{Calls, Pair};
use revm_precompile::bls12_381::{G1Point, G1PointScalar, G2Point, G2PointScalar};
use revm_precompile::{Crypto, DefaultCrypto, PrecompileHalt};

/// With fewer products than this, revm's code computes a sum faster.
const FEWEST_PRODUCTS: usize = 2;

/// An implementation for [`revm_precompile::install_crypto`], which uses sumac where it is faster, and [`DefaultCrypto`] for all
/// other calls. If sumac refuses an input or lacks memory, `DefaultCrypto` decides. Therefore errors are the same, and a node that
/// lacks memory agrees with the others.
pub struct SumacCrypto {
    calls: Calls,
}

impl SumacCrypto {
    /// Makes the implementation. Each call uses `threads` threads, including the calling one (0 means all). At most `calls` calls
    /// run at the same time, and others wait. Contexts are kept for later calls.
    pub fn new(threads: u32, calls: usize) -> sumac::Result<Self> {
        Ok(SumacCrypto { calls: Calls::new(sumac::Pool::new(sumac::ContextConfig::cpu(threads), calls)?)? })
    }
}

impl std::fmt::Debug for SumacCrypto {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SumacCrypto").finish_non_exhaustive()
    }
}

impl Crypto for SumacCrypto {
    fn bn254_g1_mul(&self, point: &[u8], scalar: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
        self.calls.bn254_g1_mul(point, scalar).map_or_else(|| DefaultCrypto.bn254_g1_mul(point, scalar), Ok)
    }

    fn bn254_pairing_check(&self, pairs: &[(&[u8], &[u8])]) -> Result<bool, PrecompileHalt> {
        self.calls.bn254_pairing_check(pairs).map_or_else(|| DefaultCrypto.bn254_pairing_check(pairs), Ok)
    }

    fn bls12_381_g1_msm(&self, pairs: &mut dyn Iterator<Item = Pair<G1PointScalar>>) -> Result<[u8; 96], PrecompileHalt> {
        let pairs: Vec<_> = pairs.collect();
        let sum = if pairs.len() < FEWEST_PRODUCTS { None } else { self.calls.bls12_381_g1_msm(&pairs) };
        sum.map_or_else(|| DefaultCrypto.bls12_381_g1_msm(&mut pairs.into_iter()), Ok)
    }

    fn bls12_381_g2_msm(&self, pairs: &mut dyn Iterator<Item = Pair<G2PointScalar>>) -> Result<[u8; 192], PrecompileHalt> {
        let pairs: Vec<_> = pairs.collect();
        let sum = if pairs.len() < FEWEST_PRODUCTS { None } else { self.calls.bls12_381_g2_msm(&pairs) };
        sum.map_or_else(|| DefaultCrypto.bls12_381_g2_msm(&mut pairs.into_iter()), Ok)
    }

    fn bls12_381_pairing_check(&self, pairs: &[(G1Point, G2Point)]) -> Result<bool, PrecompileHalt> {
        self.calls.bls12_381_pairing_check(pairs).map_or_else(|| DefaultCrypto.bls12_381_pairing_check(pairs), Ok)
    }

    fn bls12_381_fp_to_g1(&self, fp: &[u8; 48]) -> Result<[u8; 96], PrecompileHalt> {
        self.calls.bls12_381_fp_to_g1(fp).map_or_else(|| DefaultCrypto.bls12_381_fp_to_g1(fp), Ok)
    }

    fn bls12_381_fp2_to_g2(&self, fp2: ([u8; 48], [u8; 48])) -> Result<[u8; 192], PrecompileHalt> {
        self.calls.bls12_381_fp2_to_g2(&fp2).map_or_else(|| DefaultCrypto.bls12_381_fp2_to_g2(fp2), Ok)
    }

    fn verify_kzg_proof(&self, z: &[u8; 32], y: &[u8; 32], commitment: &[u8; 48], proof: &[u8; 48]) -> Result<(), PrecompileHalt> {
        match self.calls.verify_kzg_proof(z, y, commitment, proof) {
            Some(true) => Ok(()),
            Some(false) => Err(PrecompileHalt::BlobVerifyKzgProofFailed),
            None => DefaultCrypto.verify_kzg_proof(z, y, commitment, proof),
        }
    }
}
