// SPDX-License-Identifier: Apache-2.0 OR MIT
// ../sums.rs includes this file for every version of arkworks.
use ark_ec::hashing::curve_maps::wb::WBConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField, Zero};
use ark_std::{test_rng, UniformRand};
use sumac_ark::sumac::{Check, Context, ErrorKind};

/// Returns the curve, if the library was built with it.
fn library_has<P: SWCurveConfig>() -> Option<sumac_ark::sumac::Curve> {
    curve::<P>().map_err(|error| assert_eq!(error, Error::Curve)).ok()
}

fn random<P: SWCurveConfig>(n: usize) -> (Vec<Affine<P>>, Vec<P::ScalarField>) {
    let mut rng = test_rng();
    let mut points: Vec<Projective<P>> = (0..n).map(|_| Projective::rand(&mut rng)).collect();
    let mut scalars: Vec<P::ScalarField> = (0..n).map(|_| UniformRand::rand(&mut rng)).collect();
    let special = [-P::ScalarField::ONE, 0u64.into(), 1u64.into(), -P::ScalarField::from(300u64), u64::MAX.into()];
    for i in (5..n).step_by(7) {
        scalars[i] = special[i % 5];
        points[i] = [points[i - 1], -points[i - 2], Projective::zero()][i % 3];
    }
    (Projective::normalize_batch(&points), scalars)
}

/// Multiplies a point by doublings and additions alone, which are right for any point of the curve.
fn product<P: SWCurveConfig>(point: &Affine<P>, integer: impl BigInteger) -> Projective<P> {
    integer.to_bits_be().into_iter().fold(Projective::zero(), |sum, bit| {
        let twice = sum.double();
        if bit {
            twice + point
        } else {
            twice
        }
    })
}

fn by_bits<P: SWCurveConfig>(points: &[Affine<P>], scalars: &[P::ScalarField]) -> Projective<P> {
    points.iter().zip(scalars).map(|(point, scalar)| product(point, scalar.into_bigint())).sum()
}

fn outside_subgroup<P: SWCurveConfig>() -> Affine<P> {
    (1u64..)
        .filter_map(|x| Affine::get_point_from_x_unchecked(x.into(), false))
        .find(|point| !product(point, P::ScalarField::MODULUS).is_zero())
        .unwrap()
}

fn check_curve<P: SWCurveConfig>(name: &str, group: &str) {
    let Some(found) = library_has::<P>() else {
        assert!(sumac_ark::sumac::Curve::find(name, group).is_err(), "{name} {group}");
        return;
    };
    assert_eq!((found.name().as_str(), found.group().as_str()), (name, group));
    let mut context = Context::cpu(2).unwrap();
    for n in [0, 1, 2, 3, 33, 400] {
        let (points, scalars) = random::<P>(n);
        let integers: Vec<_> = scalars.iter().map(|scalar| scalar.into_bigint()).collect();
        let expected = <Projective<P> as VariableBaseMSM>::msm(&points, &scalars).unwrap();
        assert_eq!(msm(&points, &scalars).unwrap(), expected);
        assert_eq!(msm_bigint(&points, &integers).unwrap(), expected);
        for check in [Check::None, Check::Curve, Check::Subgroup] {
            let bases = Bases::new(&mut context, &points).check(check).run().unwrap();
            assert_eq!((bases.len(), bases.is_empty()), (n, n == 0));
            assert_eq!(bases.msm(&mut context, &scalars).unwrap(), expected, "{name} {group} {n} {check:?}");
            assert_eq!(bases.msm_bigint(&mut context, &integers).unwrap(), expected);
        }
        // Integers of any size count modulo r.
        let mut larger = integers.clone();
        larger.iter_mut().for_each(|integer| assert!(!integer.add_with_carry(&P::ScalarField::MODULUS)));
        assert_eq!(msm_bigint(&points, &larger).unwrap(), expected);
    }
    if !found.cofactor_is_one() {
        let (mut points, mut scalars) = random::<P>(40);
        points[7] = outside_subgroup();
        points[33] = (points[7] + points[1]).into();
        scalars[7] = -P::ScalarField::from(5u64);
        let expected = by_bits(&points, &scalars);
        assert_eq!(msm(&points, &scalars).unwrap(), expected);
        let bases = Bases::new(&mut context, &points).check(Check::None).run().unwrap();
        assert_eq!(bases.msm(&mut context, &scalars).unwrap(), expected);
        let error = Bases::new(&mut context, &points).check(Check::Subgroup).run().err().unwrap();
        let Error::Sumac(error) = error else { panic!("{error}") };
        assert_eq!(error.kind(), ErrorKind::NotInSubgroup);
        assert!(error.to_string().contains(" 7"), "{error}");
    }
}

macro_rules! curves {
    ($($test:ident: $config:ty, $name:literal, $group:literal;)*) => {
        $(#[test]
        fn $test() {
            check_curve::<$config>($name, $group);
        })*
    };
}

curves! {
    bls12_377_g1: ark_bls12_377::g1::Config, "bls12-377", "g1";
    bls12_377_g2: ark_bls12_377::g2::Config, "bls12-377", "g2";
    bls12_381_g1: ark_bls12_381::g1::Config, "bls12-381", "g1";
    bls12_381_g2: ark_bls12_381::g2::Config, "bls12-381", "g2";
    bn254_g1: ark_bn254::g1::Config, "bn254", "g1";
    bn254_g2: ark_bn254::g2::Config, "bn254", "g2";
    bw6_761_g1: ark_bw6_761::g1::Config, "bw6-761", "g1";
    bw6_761_g2: ark_bw6_761::g2::Config, "bw6-761", "g2";
}

type Small = ark_bn254::g1::Config;

/// Another curve over the same fields is not mistaken for the curve of the library.
#[test]
fn isogenous() {
    type Isogenous = <ark_bls12_381::g1::Config as WBConfig>::IsogenousCurve;
    assert_eq!(library_has::<Isogenous>(), None);
    let (points, scalars) = random::<Isogenous>(2);
    assert_eq!(msm(&points, &scalars), Err(Error::Curve));
}

#[test]
fn bad_input() {
    let Some(_) = library_has::<Small>() else { return };
    let mut context = Context::cpu(1).unwrap();
    let (mut points, scalars) = random::<Small>(9);
    assert_eq!(msm(&points, &scalars[..4]), Err(Error::Length(4)));
    assert_eq!(msm(&points[..3], &scalars), Err(Error::Length(3)));
    assert_eq!(msm_bigint(&points, &[]), Err(Error::Length(0)));
    let bases = Bases::new(&mut context, &points).run().unwrap();
    assert_eq!(bases.msm(&mut context, &scalars[1..]), Err(Error::Length(8)));
    assert_eq!(bases.msm_bigint(&mut context, &[]), Err(Error::Length(0)));
    assert!(bases.msm(&mut context, &scalars).is_ok());
    let status = |error: Error| match error {
        Error::Sumac(error) => error.kind(),
        other => panic!("{other}"),
    };
    assert_eq!(status(Bases::new(&mut context, &points).tuning("c=99").run().err().unwrap()), ErrorKind::BadArgument);
    points[5] = Affine::new_unchecked(1u64.into(), 1u64.into());
    let error = msm(&points, &scalars).unwrap_err();
    assert!(error.to_string().contains(" 5"), "{error}");
    assert_eq!(status(error), ErrorKind::NotOnCurve);
    assert!(!Error::Length(3).to_string().is_empty() && !Error::Curve.to_string().is_empty());
}

#[test]
fn threads() {
    let Some(_) = library_has::<Small>() else { return };
    let (points, scalars) = random::<Small>(90);
    let expected = by_bits(&points, &scalars);
    // Sums of so few points use other contexts.
    let few = by_bits(&points[..50], &scalars[..50]);
    let mut context = Context::cpu(1).unwrap();
    let bases = Bases::new(&mut context, &points).run().unwrap();
    drop(context);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let mut own = Context::cpu(1).unwrap();
                for _ in 0..5 {
                    assert_eq!(bases.msm(&mut own, &scalars).unwrap(), expected);
                    assert_eq!(msm(&points, &scalars).unwrap(), expected);
                    assert_eq!(msm(&points[..50], &scalars[..50]).unwrap(), few);
                }
            });
        }
    });
}
