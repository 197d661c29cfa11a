// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compares MSMs by arkworks 0.6 and by sumac with all threads. Prints the milliseconds of the fastest of some calls, and checks
//! the sums.
use ark_ec_0_6::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
use ark_std_0_6::{test_rng, UniformRand};
use std::time::Instant;
use sumac_ark::sumac::{Check, Context};
use sumac_ark::v0_6::{msm, Bases};

/// Prints the times of one curve. The libraries take turns, because other programs on the machine slow both.
fn times<P: SWCurveConfig>(name: &str, log2: u32) {
    let mut rng = test_rng();
    let point = Projective::<P>::rand(&mut rng);
    let multiples: Vec<_> = (0..1 << log2).scan(point, |sum, _| Some(std::mem::replace(sum, *sum + point))).collect();
    let points: Vec<Affine<P>> = Projective::normalize_batch(&multiples);
    let scalars: Vec<P::ScalarField> = points.iter().map(|_| UniformRand::rand(&mut rng)).collect();
    let mut context = Context::cpu(0).expect("a context");
    let bases = Bases::new(&mut context, &points).check(Check::Subgroup).run().expect("bases");
    let mut least = [f64::MAX; 3];
    for _ in 0..if log2 < 14 { 20.max(2000 >> log2) } else { 5 } {
        let mut sums = Vec::new();
        for (kind, least) in least.iter_mut().enumerate() {
            let start = Instant::now();
            sums.push(match kind {
                0 => <Projective<P> as VariableBaseMSM>::msm(&points, &scalars).expect("a sum"),
                1 => msm(&points, &scalars).expect("a sum"),
                _ => bases.msm(&mut context, &scalars).expect("a sum"),
            });
            *least = least.min(start.elapsed().as_secs_f64() * 1e3);
        }
        assert!(sums.iter().all(|sum| *sum == sums[0]));
    }
    println!("{name} 2^{log2}: arkworks {:.3}, msm {:.3}, resident {:.3}", least[0], least[1], least[2]);
}

fn main() {
    for log2 in [3, 4, 5, 6, 7, 8, 10, 12, 16] {
        times::<ark_bn254_0_6::g1::Config>("bn254 g1", log2);
        times::<ark_bls12_381_0_6::g1::Config>("bls12-381 g1", log2);
        times::<ark_bls12_381_0_6::g2::Config>("bls12-381 g2", log2);
    }
}
