// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads share the library, and calls leave nothing behind. This test has a process of its own, because it reads how much memory
//! the process has.
use ff::{Field, PrimeField};
use group::prime::PrimeCurveAffine;
use group::{Curve, Group};
use halo2curves::bn256;
use rand_core::OsRng;
use std::thread;
use sumac_halo2::{msm, ntt};

fn random<C: PrimeCurveAffine>(n: usize) -> (Vec<C::Scalar>, Vec<C>) {
    (0..n).map(|_| (C::Scalar::random(OsRng), C::Curve::random(OsRng).to_affine())).unzip()
}

/// Returns the sums of the first 0, 1, .. n products.
fn sums_of<C: PrimeCurveAffine>(scalars: &[C::Scalar], bases: &[C]) -> Vec<C::Curve> {
    let mut sums = vec![C::Curve::identity()];
    for (scalar, base) in scalars.iter().zip(bases) {
        sums.push(*base * scalar + sums[sums.len() - 1]);
    }
    sums
}

fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number of pages") * 4096
}

/// Eight threads compute at once, and all their results are right. After each thread's first calls, its calls leave nothing in
/// memory behind.
#[test]
fn threads_and_memory() {
    let (scalars, bases) = random::<bn256::G1Affine>(200);
    let (other_scalars, other_bases) = random::<midnight_curves::G1Affine>(70);
    let (sums, other) = (sums_of(&scalars, &bases), sums_of(&other_scalars, &other_bases)[70]);
    let root = (7..bn256::Fr::S).fold(bn256::Fr::ROOT_OF_UNITY, |root, _| root.square());
    let mut transformed = scalars[..128].to_vec();
    ntt(&mut transformed, root).unwrap();
    let calls = &|i: usize| {
        let n = [2, 5, 60, 64, 199, 200][i % 6];
        assert_eq!(msm(&scalars[..n], &bases[..n]).unwrap(), sums[n]);
        if i % 16 == 0 {
            assert_eq!(msm(&other_scalars, &other_bases).unwrap(), other);
        }
        let mut values = scalars[..128].to_vec();
        ntt(&mut values, root).unwrap();
        assert_eq!(values, transformed);
    };
    let all = |each: usize| {
        thread::scope(|scope| {
            (0..8).for_each(|thread| {
                scope.spawn(move || (0..each).for_each(|i| calls(i + thread)));
            })
        })
    };
    all(100);
    (0..200).for_each(calls);
    let before = resident_bytes();
    (0..5000).for_each(calls);
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown <= 256 << 10, "10,000 calls took {grown} bytes more");
}
