// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Times of sums, transforms and products: snarkVM's own, and those of compat/snarkvm with kept points and without. `SIZES=12,16,20`
//! chooses the logarithms of the sizes.
use ours::*;
use snarkvm_algorithms::fft::polynomial::PolyMultiplier;
use snarkvm_algorithms::fft::{DensePolynomial, EvaluationDomain};
use snarkvm_algorithms::msm::VariableBase;
use snarkvm_curves::bls12_377::{Fr, G1Affine, G1Projective};
use snarkvm_curves::ProjectiveCurve;
use snarkvm_fields::{PrimeField, Zero};
use snarkvm_utilities::biginteger::BigInteger256;
use snarkvm_utilities::rand::{TestRng, Uniform};
use std::time::Instant;

/// Returns the processor time of the process in milliseconds, in steps of 10. It includes threads that have ended.
fn worked() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("/proc");
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    fields[11..13].iter().map(|ticks| 10 * ticks.parse::<u64>().expect("ticks")).sum()
}

/// Returns the processor time of a call in milliseconds, and the least time by the clock.
fn times<T>(mut call: impl FnMut() -> T) -> String {
    let (begin, mut calls, mut least) = (worked(), 0, f64::INFINITY);
    while calls < 2 || worked() < begin + 600 {
        let start = Instant::now();
        std::hint::black_box(call());
        least = start.elapsed().as_secs_f64().min(least);
        calls += 1;
    }
    format!("{:.2} ({:.2})", (worked() - begin) as f64 / f64::from(calls), least * 1e3)
}

fn main() {
    let rng = &mut TestRng::default();
    let sizes = std::env::var("SIZES").unwrap_or("12,14,16,18".to_string());
    println!("backend {}; milliseconds of processor time, and in parentheses the least by the clock", backend().unwrap());
    for log2 in sizes.split(',').map(|size| size.parse::<u32>().expect("SIZES are numbers")) {
        let n = 1usize << log2;
        let (mut point, step) = (G1Projective::rand(rng), G1Projective::rand(rng));
        let points = G1Projective::batch_normalization_into_affine(
            (0..n)
                .map(|_| {
                    point += step;
                    point
                })
                .collect(),
        );
        let scalars: Vec<Fr> = (0..n).map(|_| Fr::rand(rng)).collect();
        let integers: Vec<BigInteger256> = scalars.iter().map(|scalar| scalar.to_bigint()).collect();
        let sum = || msm::<G1Affine, G1Projective, BigInteger256>(&points, &integers).unwrap();
        let own = times(|| VariableBase::msm(&points, &integers));
        set_cache_bytes(0).unwrap();
        let without = times(sum);
        let first = times(|| {
            set_cache_bytes(0).unwrap();
            set_cache_bytes(1 << 40).unwrap();
            sum()
        });
        let with = times(sum);
        let domain = EvaluationDomain::<Fr>::new(n).unwrap();
        let own_transform = times(|| domain.fft(&scalars));
        let transform = times(|| {
            let mut elements = scalars.clone();
            NTT(n, &mut elements, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard).unwrap();
            elements
        });
        let halves = vec![scalars[..n / 2].to_vec(), scalars[n / 2..].to_vec()];
        let own_product = times(|| {
            let mut product = PolyMultiplier::new();
            for half in &halves {
                product.add_polynomial(DensePolynomial::from_coefficients_vec(half.clone()), "half");
            }
            product.multiply().unwrap()
        });
        let product = times(|| polymul(n, &halves.clone(), &vec![], &Fr::zero()).unwrap());
        println!("2^{log2}: sum: snarkVM {own}, points not kept {without}, the first call {first}, points kept {with}");
        println!("2^{log2}: transform: snarkVM {own_transform}, ours {transform}; product: snarkVM {own_product}, ours {product}");
    }
}
