// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Points whose sums are known, and values of polynomials. Each program of tests uses some of it.
#![allow(dead_code)]
use snarkvm_algorithms_cuda::*;
use snarkvm_curves::bls12_377::{Fr, G1Affine, G1Projective};
use snarkvm_curves::{AffineCurve, ProjectiveCurve};
use snarkvm_fields::{PrimeField, Zero};
use snarkvm_utilities::biginteger::BigInteger256;
use snarkvm_utilities::rand::{TestRng, Uniform};

pub type Integer = BigInteger256;

/// Points u*G, (u + v)*G, (u + 2*v)*G .. and their logarithms.
pub struct Known {
    pub points: Vec<G1Affine>,
    pub logarithms: Vec<Fr>,
}

pub fn known(n: usize, rng: &mut TestRng) -> Known {
    let generator = G1Affine::prime_subgroup_generator().to_projective();
    let (mut logarithm, difference) = (Fr::rand(rng), Fr::rand(rng));
    let (mut point, step) = (generator * logarithm, generator * difference);
    let (mut points, mut logarithms) = (Vec::new(), Vec::new());
    for _ in 0..n {
        points.push(point);
        logarithms.push(logarithm);
        point += step;
        logarithm += difference;
    }
    Known { points: G1Projective::batch_normalization_into_affine(points), logarithms }
}

impl Known {
    /// Returns the sum over the points from `first` on.
    pub fn sum(&self, first: usize, integers: &[Integer]) -> G1Projective {
        let scalars = integers.iter().map(|integer| Fr::from_bigint(*integer).unwrap());
        let logarithm: Fr = scalars.zip(&self.logarithms[first..]).map(|(scalar, logarithm)| scalar * logarithm).sum();
        G1Affine::prime_subgroup_generator().to_projective() * logarithm
    }
}

pub fn integers(n: usize, rng: &mut TestRng) -> Vec<Integer> {
    (0..n).map(|_| Fr::rand(rng).to_bigint()).collect()
}

pub fn scalars(n: usize, rng: &mut TestRng) -> Vec<Fr> {
    (0..n).map(|_| Fr::rand(rng)).collect()
}

pub fn sum(points: &[G1Affine], integers: &[Integer]) -> Result<G1Projective, Error> {
    msm::<G1Affine, G1Projective, Integer>(points, integers)
}

/// Returns the values at shift * root^i that Horner's rule computes.
pub fn values(coefficients: &[Fr], root: Fr, shift: Fr) -> Vec<Fr> {
    let mut x = shift;
    let at = |x: Fr| coefficients.iter().rev().fold(Fr::zero(), |sum, coefficient| sum * x + coefficient);
    let next = |_| {
        let value = at(x);
        x *= root;
        value
    };
    (0..coefficients.len()).map(next).collect()
}
