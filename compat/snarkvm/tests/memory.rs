// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This test is a process of its own, because it measures the memory of the process.
use snarkvm_algorithms_cuda::*;
use snarkvm_curves::bls12_377::{Fq, Fr, G1Affine, G1Projective};
use snarkvm_curves::ProjectiveCurve;
use snarkvm_fields::{One, PrimeField, Zero};
use snarkvm_utilities::biginteger::BigInteger256;
use snarkvm_utilities::rand::{TestRng, Uniform};

/// Returns the memory of the process in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Calls do not leak, whether they keep points, replace them, or fail.
#[test]
fn memory_is_flat() {
    let rng = &mut TestRng::default();
    let sum = |points: &[G1Affine], integers: &[BigInteger256]| msm::<G1Affine, G1Projective, BigInteger256>(points, integers);
    let scalars = |n, rng: &mut TestRng| (0..n).map(|_| Fr::rand(rng)).collect::<Vec<_>>();
    let mut points: Vec<_> = (0..64).map(|_| G1Projective::rand(rng).to_affine()).collect();
    let integers: Vec<_> = scalars(64, rng).iter().map(|scalar| scalar.to_bigint()).collect();
    let mut off_curve = points.clone();
    off_curve[60].y += Fq::one();
    let polynomial = scalars(16, rng);
    let mut elements = scalars(32, rng);
    let mut turn = |i: usize| {
        set_cache_bytes(if i % 3 == 0 { 0 } else { 1 << 20 }).unwrap();
        points.swap(i % 64, (i + 1) % 64);
        sum(&points, &integers).unwrap();
        sum(&points[i % 32..], &integers[..32]).unwrap();
        sum(&off_curve, &integers).unwrap_err();
        NTT(32, &mut elements, NTTInputOutputOrder::NN, NTTDirection::Inverse, NTTType::Coset).unwrap();
        polymul(32, &vec![polynomial.clone(), polynomial.clone()], &vec![elements.clone()], &Fr::zero()).unwrap();
    };
    (0..500).for_each(&mut turn);
    let before = resident();
    (500..10_500).for_each(&mut turn);
    let after = resident();
    assert!(after < before + 4096, "{before} KiB before 10000 turns, and {after} after them");
}
