// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compares sums and transforms by halo2's crates and by sumac with all threads. Prints the milliseconds of the fastest of some
//! calls, and checks the results.
use ff::{Field, PrimeField};
use group::prime::PrimeCurveAffine;
use group::{Curve, Group};
use halo2curves::{bls12381, bn256, CurveAffine};
use midnight_curves as midnight;
use rand_core::OsRng;
use std::time::Instant;

/// Calls two functions in turns, because other programs on the machine slow both. Prints the least time of each.
fn compare<R: PartialEq>(name: &str, log2: u32, mut theirs: impl FnMut() -> R, mut ours: impl FnMut() -> R) {
    let mut least = [f64::MAX; 2];
    for _ in 0..if log2 < 12 { 20.max(2000 >> log2) } else { 5 } {
        let start = Instant::now();
        let result = theirs();
        least[0] = least[0].min(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        assert!(ours() == result);
        least[1] = least[1].min(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("{name} 2^{log2}: theirs {:.3}, ours {:.3}, {:.2} times", least[0], least[1], least[0] / least[1]);
}

fn terms<C: PrimeCurveAffine>(n: usize) -> (Vec<C::Scalar>, Vec<C::Curve>, Vec<C>) {
    let step = C::Curve::random(OsRng);
    let points: Vec<C::Curve> = (0..n).scan(step, |point, _| Some(std::mem::replace(point, *point + step))).collect();
    let mut bases = vec![C::identity(); n];
    C::Curve::batch_normalize(&points, &mut bases);
    ((0..n).map(|_| C::Scalar::random(OsRng)).collect(), points, bases)
}

fn sums<C: CurveAffine>(name: &str, log2: u32) {
    let (scalars, _, bases) = terms::<C>(1 << log2);
    compare(name, log2, || halo2curves::msm::msm_best(&scalars, &bases), || sumac_halo2::msm(&scalars, &bases).expect("a sum"));
}

fn transforms<F: PrimeField>(name: &str, log2: u32, fft: impl Fn(&mut [F], F, u32)) {
    let values: Vec<F> = (0..1 << log2).map(|_| F::random(OsRng)).collect();
    let root = (log2..F::S).fold(F::ROOT_OF_UNITY, |root, _| root.square());
    let theirs = || {
        let mut values = values.clone();
        fft(&mut values, root, log2);
        values
    };
    let ours = || {
        let mut values = values.clone();
        sumac_halo2::ntt(&mut values, root).expect("a transform");
        values
    };
    compare(name, log2, theirs, ours);
}

fn main() {
    for log2 in [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18] {
        sums::<bn256::G1Affine>("halo2curves, sums on bn254 g1", log2);
        sums::<bls12381::G1Affine>("halo2curves, sums on bls12-381 g1", log2);
        let (scalars, points, bases) = terms::<midnight::G1Affine>(1 << log2);
        compare(
            "midnight-curves, sums on bls12-381 g1",
            log2,
            || midnight::G1Projective::multi_exp(&points, &scalars),
            || sumac_halo2::msm(&scalars, &bases).expect("a sum"),
        );
        transforms::<bn256::Fr>("halo2curves, transforms on bn254", log2, halo2curves::fft::best_fft);
        transforms::<midnight::Fq>("midnight-curves, transforms on bls12-381", log2, midnight::fft::best_fft);
    }
}
