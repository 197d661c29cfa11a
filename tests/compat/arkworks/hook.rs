// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This program tests which sums a patched ark-ec gets from the library, and which it computes itself. It compares them
//! with sums by doublings and additions. count.c counts the calls of the library.
use ark_ec::hashing::curve_maps::wb::WBConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{CurveConfig, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, UniformRand, Zero};
use ark_std::test_rng;

type Integer<P> = <<P as CurveConfig>::ScalarField as PrimeField>::BigInt;

fn random<P: SWCurveConfig>(n: usize) -> (Vec<Affine<P>>, Vec<P::ScalarField>, Vec<Integer<P>>) {
    let mut rng = test_rng();
    let points: Vec<Projective<P>> = (0..n).map(|_| Projective::rand(&mut rng)).collect();
    let scalars: Vec<P::ScalarField> = (0..n).map(|_| UniformRand::rand(&mut rng)).collect();
    let integers = scalars.iter().map(|scalar| scalar.into_bigint()).collect();
    (Projective::normalize_batch(&points), scalars, integers)
}

fn product<P: SWCurveConfig>(point: &Affine<P>, integer: &Integer<P>) -> Projective<P> {
    integer.to_bits_be().into_iter().fold(Projective::zero(), |sum, bit| {
        let twice = sum.double();
        if bit {
            twice + point
        } else {
            twice
        }
    })
}

fn sum_by_bits<P: SWCurveConfig>(points: &[Affine<P>], integers: &[Integer<P>]) -> Projective<P> {
    points.iter().zip(integers).map(|(point, integer)| product(point, integer)).sum()
}

// This computes nine sums that the library must be asked for.
fn check_taken<P: SWCurveConfig>() {
    for n in [2, 31, 300] {
        let (points, scalars, integers) = random::<P>(n);
        let expected = sum_by_bits(&points, &integers);
        assert_eq!(Projective::<P>::msm(&points, &scalars).unwrap(), expected);
        assert_eq!(Projective::<P>::msm_unchecked(&points, &scalars), expected);
        assert_eq!(Projective::<P>::msm_bigint(&points, &integers), expected);
    }
}

#[test]
fn taken() {
    check_taken::<ark_bls12_381::g1::Config>();
    check_taken::<ark_bls12_381::g2::Config>();
    check_taken::<ark_bn254::g1::Config>();
    check_taken::<ark_bn254::g2::Config>();
    // The shorter slice determines the number of terms.
    let (points, _, integers) = random::<ark_bn254::g1::Config>(40);
    let expected = sum_by_bits(&points, &integers[..33]);
    assert_eq!(Projective::msm_bigint(&points, &integers[..33]), expected);
    assert_eq!(Projective::msm_bigint(&points[..33], &integers), expected);
}

fn check_left<P: SWCurveConfig>(points: &[Affine<P>], integers: &[Integer<P>]) {
    assert_eq!(Projective::<P>::msm_bigint(points, integers), sum_by_bits(points, integers));
}

#[test]
fn left() {
    let (mut points, scalars, mut integers) = random::<ark_bn254::g1::Config>(40);
    check_left(&points[..1], &integers[..1]);
    check_left(&points[..0], &integers);
    assert_eq!(Projective::msm(&points, &scalars[..39]), Err(39));
    // An integer is larger than r.
    let mut beyond = integers.clone();
    beyond[7] = 5u64.into();
    beyond[7].add_with_carry(&ark_bn254::Fr::MODULUS);
    check_left(&points, &beyond);
    // The points are of another curve, which differs only in b.
    points.fill(Affine::new_unchecked(1u64.into(), 3u64.into()));
    integers.iter_mut().for_each(|integer| *integer = ark_bn254::Fr::from(integer.as_ref()[0]).into_bigint());
    check_left(&points, &integers);
    // The library does not have this curve.
    let (points, _, integers) = random::<<ark_bls12_381::g1::Config as WBConfig>::IsogenousCurve>(40);
    check_left(&points, &integers);
}
