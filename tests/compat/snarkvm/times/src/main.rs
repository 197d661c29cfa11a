// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Times of sums and transforms on all threads: snarkVM's own, and this crate's with kept points and without. `SIZES=12,16,20` chooses
//! the logarithms of the sizes.
use snarkvm_algorithms::fft::{DensePolynomial, EvaluationDomain, PolyMultiplier};
use snarkvm_algorithms::msm::VariableBase;
use ours::*;
use snarkvm_curves::bls12_377::{Fr, G1Affine, G1Projective};
use snarkvm_curves::ProjectiveCurve;
use snarkvm_fields::{PrimeField, Zero};
use snarkvm_utilities::biginteger::BigInteger256;
use snarkvm_utilities::rand::{TestRng, Uniform};
use std::time::Instant;

/// Returns the least time of some calls in milliseconds.
fn least<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < 3 || begin.elapsed().as_secs() < 2 {
        let start = Instant::now();
        std::hint::black_box(call());
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.into_iter().fold(f64::INFINITY, f64::min)
}

fn main() {
    let rng = &mut TestRng::default();
    let sizes = std::env::var("SIZES").unwrap_or("12,14,16,18".to_string());
    println!("backend {}; milliseconds", backend().unwrap());
    println!("2^n   snarkVM's sum   kept, no   kept, yes   first call   snarkVM's transform   ours   snarkVM's product   ours");
    for log2 in sizes.split(',').map(|size| size.parse::<u32>().expect("SIZES are numbers")) {
        let n = 1 << log2;
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
        let own = least(|| VariableBase::msm(&points, &integers));
        set_cache_bytes(0).unwrap();
        let without = least(sum);
        let first = least(|| {
            set_cache_bytes(0).unwrap();
            set_cache_bytes(1 << 40).unwrap();
            sum()
        });
        let with = least(sum);
        let domain = EvaluationDomain::<Fr>::new(n).unwrap();
        let own_transform = least(|| domain.fft(&scalars));
        let transform = least(|| {
            let mut elements = scalars.clone();
            NTT(n, &mut elements, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard).unwrap();
            elements
        });
        let halves = vec![scalars[..n / 2].to_vec(), scalars[n / 2..].to_vec()];
        let own_product = least(|| {
            let mut product = PolyMultiplier::new();
            for half in &halves {
                product.add_polynomial(DensePolynomial::from_coefficients_vec(half.clone()), "half");
            }
            product.multiply().unwrap()
        });
        let product = least(|| polymul(n, &halves.clone(), &vec![], &Fr::zero()).unwrap());
        println!(
            "{log2:3} {own:15.2} {without:10.2} {with:11.2} {first:12.2} {own_transform:21.2} {transform:6.2} {own_product:19.2} {product:6.2}"
        );
    }
}
