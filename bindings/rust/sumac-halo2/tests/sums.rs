// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sums and transforms are compared with those of the crates' own operators, which compute a product by doublings and additions
//! and a transform as it is defined.
use ff::{Field, PrimeField};
use group::prime::PrimeCurveAffine;
use group::{Curve, Group};
use halo2curves::{bls12381, bn256, grumpkin, pasta, secp256k1, secp256r1, CurveAffine};
use rand_core::OsRng;
use sumac_halo2::sumac::ErrorKind;
use sumac_halo2::{curve, hook, msm, ntt, scalar_field, Error};

fn random<C: PrimeCurveAffine>(n: usize) -> (Vec<C::Scalar>, Vec<C>) {
    (0..n).map(|_| (C::Scalar::random(OsRng), C::Curve::random(OsRng).to_affine())).unzip()
}

fn expected<C: PrimeCurveAffine>(scalars: &[C::Scalar], bases: &[C]) -> C::Curve {
    scalars.iter().zip(bases).map(|(scalar, base)| *base * scalar).sum()
}

fn check_sums<C: PrimeCurveAffine>(name: &str) {
    assert_eq!(format!("{:?}", curve::<C>().unwrap()), name);
    for n in [0, 1, 2, 31, 70, 300] {
        let (mut scalars, mut bases) = random::<C>(n);
        assert_eq!(msm(&scalars, &bases).unwrap(), expected(&scalars, &bases), "{name}, n = {n}");
        // Some points are infinity, equal or opposite, and some scalars are 0, 1 or -1.
        for i in 0..n {
            match i % 7 {
                1 => bases[i] = bases[i - 1],
                2 => bases[i] = -bases[i - 1],
                3 => bases[i] = C::identity(),
                4 => scalars[i] = C::Scalar::ZERO,
                5 => scalars[i] = C::Scalar::ONE,
                6 => scalars[i] = -C::Scalar::ONE,
                _ => (),
            }
        }
        assert_eq!(msm(&scalars, &bases).unwrap(), expected(&scalars, &bases), "{name}, special cases, n = {n}");
        assert_eq!(hook::msm(&scalars, &bases), (n > 1).then(|| expected(&scalars, &bases)));
    }
}

#[test]
fn sums() {
    check_sums::<bn256::G1Affine>("bn254 g1");
    check_sums::<bn256::G2Affine>("bn254 g2");
    check_sums::<bls12381::G1Affine>("bls12-381 g1");
    check_sums::<bls12381::G2Affine>("bls12-381 g2");
    check_sums::<grumpkin::G1Affine>("grumpkin g1");
    check_sums::<pasta::PallasAffine>("pallas g1");
    check_sums::<pasta::VestaAffine>("vesta g1");
    check_sums::<secp256k1::Secp256k1Affine>("secp256k1 g1");
    check_sums::<halo2curves_axiom::bn256::G1Affine>("bn254 g1");
    check_sums::<halo2curves_axiom::bn256::G2Affine>("bn254 g2");
    check_sums::<midnight_curves::G1Affine>("bls12-381 g1");
    check_sums::<midnight_curves::G2Affine>("bls12-381 g2");
    check_sums::<pasta_curves::EpAffine>("pallas g1");
    check_sums::<pasta_curves::EqAffine>("vesta g1");
}

#[test]
fn outside_the_subgroup() {
    let outside = |mut x: bls12381::Fq| loop {
        if let Some(y) = (x.square() * x + bls12381::G1Affine::b()).sqrt().into_option() {
            return bls12381::G1Affine { x, y };
        }
        x += bls12381::Fq::ONE;
    };
    let (scalars, mut bases) = random::<bls12381::G1Affine>(100);
    for base in bases.iter_mut().step_by(3) {
        *base = outside(bls12381::Fq::random(OsRng));
    }
    assert_eq!(msm(&scalars, &bases).unwrap(), expected(&scalars, &bases));
}

#[test]
fn refused() {
    let (scalars, mut bases) = random::<bn256::G1Affine>(40);
    assert_eq!(msm(&scalars[..39], &bases), Err(Error::Length(39)));
    assert_eq!(msm(&scalars, &bases[..2]), Err(Error::Length(2)));
    assert_eq!(hook::msm(&scalars[..39], &bases), None);
    // The point is of another curve, which differs only in b.
    bases[17] = bn256::G1Affine { x: 1u64.into(), y: 3u64.into() };
    let Err(Error::Sumac(error)) = msm(&scalars, &bases) else { panic!("the point is not on the curve") };
    assert_eq!(error.kind(), ErrorKind::NotOnCurve);
    assert!(error.to_string().contains("17"), "{error}");
    assert_eq!(hook::msm(&scalars, &bases), None);
    // The library does not have this curve.
    let (scalars, bases) = random::<secp256r1::Secp256r1Affine>(40);
    assert_eq!(msm(&scalars, &bases), Err(Error::Curve));
    assert_eq!(hook::msm(&scalars, &bases), None);
    // These points have a flag.
    assert_eq!(curve::<halo2curves_axiom::bls12_381::G1Affine>().unwrap_err(), Error::Curve);
}

/// Returns the crate's root of unity of order 2^log2.
fn root<F: PrimeField>(log2: u32) -> F {
    (log2..F::S).fold(F::ROOT_OF_UNITY, |root, _| root.square())
}

fn check_transforms<F: PrimeField>() {
    scalar_field::<F>().unwrap();
    for log2 in [1, 2, 5, 8].into_iter().filter(|log2| *log2 <= F::S) {
        let root = root::<F>(log2);
        for omega in [root, root.invert().unwrap(), root.pow([5]), root.pow([(1 << log2) / 2 + 1])] {
            if log2 == 1 && omega != root {
                continue;
            }
            let values: Vec<F> = (0..1 << log2).map(|_| F::random(OsRng)).collect();
            let mut transformed = values.clone();
            ntt(&mut transformed, omega).unwrap();
            let powers = std::iter::successors(Some(F::ONE), |power| Some(*power * omega));
            for (x, value) in powers.zip(&transformed) {
                assert_eq!(values.iter().rev().fold(F::ZERO, |sum, a| sum * x + a), *value, "2^{log2}");
            }
            let mut hooked = values.clone();
            // A transform of two values is left to the crates.
            assert_eq!(hook::fft(&mut hooked, &omega), log2 > 1);
            assert_eq!(hooked, if log2 > 1 { transformed } else { values });
        }
    }
}

#[test]
fn transforms() {
    check_transforms::<bn256::Fr>();
    check_transforms::<bls12381::Fr>();
    check_transforms::<pasta::Fp>();
    check_transforms::<pasta::Fq>();
    check_transforms::<secp256k1::Fq>();
    check_transforms::<grumpkin::Fr>();
    check_transforms::<halo2curves_axiom::bn256::Fr>();
    check_transforms::<midnight_curves::Fq>();
    check_transforms::<pasta_curves::Fp>();
}

#[test]
fn refused_transforms() {
    let values: Vec<bn256::Fr> = (0..8).map(|_| bn256::Fr::random(OsRng)).collect();
    let mut kept = values.clone();
    let root = root::<bn256::Fr>(3);
    for omega in [root.square(), bn256::Fr::ONE, bn256::Fr::ZERO, bn256::Fr::from(3)] {
        assert_eq!(ntt(&mut kept, omega), Err(Error::Root));
    }
    assert_eq!(ntt(&mut kept[..7], root), Err(Error::Root));
    assert_eq!(ntt(&mut kept[..1], bn256::Fr::ONE), Err(Error::Root));
    assert_eq!(ntt(&mut kept[..0], bn256::Fr::ONE), Err(Error::Root));
    assert!(!hook::fft(&mut kept[..7], &root));
    assert_eq!(kept, values);
    // The library lacks this field. Points are left to the crates.
    assert_eq!(scalar_field::<secp256r1::Fq>().unwrap_err(), Error::Curve);
    assert!(!hook::fft(&mut [bn256::G1::generator(); 8], &root));
    // The field has no roots of this order.
    let mut many = vec![grumpkin::Fr::ONE; 4];
    assert!(matches!(ntt(&mut many, grumpkin::Fr::ONE), Err(Error::Sumac(_) | Error::Root)));
}
