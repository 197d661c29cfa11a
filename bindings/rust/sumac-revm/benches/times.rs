// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compares times of the library's calls with those of revm's code. The two take turns, because other programs on the machine slow
//! both. The fastest call of half a second counts. `cargo bench --bench times -- 4` gives the library four threads.
use revm_precompile::{Crypto, DefaultCrypto, PrecompileHalt};
use std::fmt::Debug;
use std::time::Instant;
use sumac::{known_logarithms, Bases, Context, Curve};
use sumac_revm::SumacCrypto;

fn compare<T: PartialEq + Debug>(name: &str, ours: &SumacCrypto, call: impl Fn(&dyn Crypto) -> Result<T, PrecompileHalt>) {
    assert_eq!(call(&DefaultCrypto), call(ours), "{name}");
    let mut least = [f64::MAX; 2];
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < 0.5 {
        for (least, crypto) in least.iter_mut().zip([&DefaultCrypto as &dyn Crypto, ours]) {
            let start = Instant::now();
            std::hint::black_box(call(crypto)).ok();
            *least = least.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    println!("{name}: {:.0} and {:.0} us, {:.2} times", least[0], least[1], least[1] / least[0]);
}

/// Converts raw numbers to the input of precompiles, which is big-endian.
fn big_endian(raw: &[u8], size: usize) -> Vec<u8> {
    raw.chunks(size).flat_map(|number| number.iter().rev().copied()).collect()
}

fn points(context: &mut Context, name: &str, group: &str, count: usize) -> Vec<u8> {
    let curve = Curve::find(name, group).expect("a curve");
    let bases = Bases::known(context, curve, count, 1).run().expect("bases");
    big_endian(&bases.points(context, 0..count).expect("points"), curve.field_bytes())
}

fn number<const N: usize>(bytes: &[u8], index: usize) -> [u8; N] {
    bytes[index * N..(index + 1) * N].try_into().expect("its bytes")
}

fn main() {
    let threads = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1);
    let ours = &SumacCrypto::new(threads, 1).expect("a pool");
    let context = &mut Context::cpu(1).expect("a context");

    let g1 = points(context, "bn254", "g1", 8);
    let g2: Vec<u8> = points(context, "bn254", "g2", 8).chunks(64).flat_map(|c| [&c[32..], &c[..32]].concat()).collect();
    let scalars = known_logarithms(context, Curve::find("bls12-381", "g1").expect("a curve"), 128, 2).expect("scalars");
    let scalars: Vec<[u8; 32]> = scalars.chunks(32).map(|scalar| number(scalar, 0)).collect();
    compare("BN254, product", ours, |crypto| crypto.bn254_g1_mul(&g1[..64], &scalars[0]));
    for count in [1, 2, 4, 8] {
        let pairs: Vec<_> = g1.chunks(64).zip(g2.chunks(128)).take(count).collect();
        compare(&format!("BN254, pairs {count}"), ours, |crypto| crypto.bn254_pairing_check(&pairs));
    }

    let g1: Vec<_> = points(context, "bls12-381", "g1", 128).chunks(96).map(|p| (number(p, 0), number(p, 1))).collect();
    let g2 = points(context, "bls12-381", "g2", 128);
    let g2: Vec<_> = g2.chunks(192).map(|p| (number(p, 0), number(p, 1), number(p, 2), number(p, 3))).collect();
    for count in [1, 2, 4, 16, 128] {
        let pairs = || g1.iter().copied().zip(scalars.iter().copied()).take(count).map(Ok);
        compare(&format!("BLS12-381, sum in G1 {count}"), ours, |crypto| crypto.bls12_381_g1_msm(&mut pairs()));
    }
    for count in [1, 2, 4, 16, 128] {
        let pairs = || g2.iter().copied().zip(scalars.iter().copied()).take(count).map(Ok);
        compare(&format!("BLS12-381, sum in G2 {count}"), ours, |crypto| crypto.bls12_381_g2_msm(&mut pairs()));
    }
    for count in [1, 2, 4, 8] {
        let pairs: Vec<_> = g1.iter().copied().zip(g2.iter().copied()).take(count).collect();
        compare(&format!("BLS12-381, pairs {count}"), ours, |crypto| crypto.bls12_381_pairing_check(&pairs));
    }

    compare("BLS12-381, map to G1", ours, |crypto| crypto.bls12_381_fp_to_g1(&g1[0].1));
    compare("BLS12-381, map to G2", ours, |crypto| crypto.bls12_381_fp2_to_g2((g2[0].1, g2[0].0)));

    // An invalid proof takes as long as a valid one.
    let curve = Curve::find("bls12-381", "g1").expect("a curve");
    let generator = sumac::points_encode(context, curve, &curve.generator(), Some("zcash-compressed")).expect("a point");
    let point = number(&generator, 0);
    let (mut z, mut y) = (scalars[1], scalars[2]);
    (z[0], y[0]) = (0, 0);
    compare("KZG proof", ours, |crypto| crypto.verify_kzg_proof(&z, &y, &point, &point));
}
