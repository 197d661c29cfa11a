// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The three functions are compared with snarkVM's arithmetic of points and of field elements, step by step by the definitions. Sums of
//! many points are compared with one product, because the discrete logarithms of the points are known.
mod common;
use common::*;
use snarkvm_algorithms_cuda::*;
use snarkvm_curves::bls12_377::{Fq, Fr, FrParameters, G1Affine, G1Projective, G2Affine};
use snarkvm_curves::{AffineCurve, ProjectiveCurve};
use snarkvm_fields::{FftField, Field, FieldParameters, One, PrimeField, Zero};
use snarkvm_utilities::rand::{TestRng, Uniform};

/// Adds up products that are computed one by one.
fn plain_sum(points: &[G1Affine], integers: &[Integer]) -> G1Projective {
    let bits = |integer: &Integer| {
        integer.0.iter().rev().flat_map(|word| (0..64).rev().map(move |i| word >> i & 1 == 1)).collect::<Vec<_>>()
    };
    points.iter().zip(integers).map(|(point, integer)| point.mul_bits(bits(integer).into_iter())).sum()
}

#[test]
fn sums() {
    let rng = &mut TestRng::default();
    for n in [0, 1, 2, 3, 31, 100, 257, 1025, 5000] {
        let (known, integers) = (known(n, rng), integers(n, rng));
        assert_eq!(sum(&known.points, &integers).unwrap(), known.sum(0, &integers), "{n} products");
    }
}

#[test]
fn sums_of_special_points() {
    let rng = &mut TestRng::default();
    let some = known(5, rng).points;
    let (p, q) = (some[0], some[1]);
    let minus_one = (-Fr::one()).to_bigint();
    let points = [p, -p, p, p, G1Affine::zero(), q, G1Affine::zero(), -q];
    for integers in [
        [1; 8].map(Integer::from),
        [0; 8].map(Integer::from),
        [minus_one; 8],
        [1, 2, 3, 4, 5, 6, 7, 8].map(Integer::from),
        [minus_one, Integer::from(1), Integer::from(0), minus_one, minus_one, Integer::from(2), minus_one, minus_one],
    ] {
        assert_eq!(sum(&points, &integers).unwrap(), plain_sum(&points, &integers), "{integers:?}");
    }
    let none = sum(&[p, -p], &[Integer::from(7); 2]).unwrap();
    assert_eq!(none, G1Projective::zero());
    assert!(none.to_affine().is_zero());
    // Further points are not used.
    assert_eq!(sum(&some, &[Integer::from(2)]).unwrap(), p.to_projective().double());
}

/// -1 times a point outside the subgroup is not r - 1 times it.
#[test]
fn points_outside_the_subgroup() {
    let rng = &mut TestRng::default();
    let outside: Vec<_> = std::iter::repeat_with(|| G1Affine::from_x_coordinate(Fq::rand(rng), true))
        .flatten()
        .filter(|point| !point.is_in_correct_subgroup_assuming_on_curve())
        .take(40)
        .collect();
    let mut integers = integers(40, rng);
    integers[2] = (-Fr::one()).to_bigint();
    assert_eq!(sum(&outside, &integers).unwrap(), plain_sum(&outside, &integers));
}

#[test]
fn wrong_sums_are_errors() {
    let rng = &mut TestRng::default();
    let (mut points, integers) = (known(3, rng).points, integers(4, rng));
    assert_eq!(String::from(sum(&points, &integers).unwrap_err()), "there are 3 points for 4 scalars");
    points[2].y += Fq::one();
    let error = sum(&points, &integers[..3]).unwrap_err();
    assert!(error.code != 0 && error.to_string().contains('2'), "{error}");
    assert!(sum(&points, &integers[..2]).is_ok());
    for too_large in [FrParameters::MODULUS, Integer::new([u64::MAX; 4])] {
        assert!(sum(&points[..2], &[integers[0], too_large]).is_err());
    }
    // Types that the original crate would read as if they were the right ones.
    assert!(msm::<G2Affine, G1Projective, Integer>(&[G2Affine::zero()], &integers[..1]).is_err());
    assert!(msm::<G1Affine, G1Affine, Integer>(&points[..1], &integers[..1]).is_err());
    assert!(msm::<G1Affine, G1Projective, Fr>(&points[..1], &[Fr::one()]).is_err());
    assert!(msm::<G1Affine, G1Projective, [u64; 4]>(&points[..1], &[[1, 0, 0, 0]]).is_err());
}

/// Returns the coefficients of the polynomial with these values, which zeros follow.
fn coefficients(n: usize, given: &[Fr]) -> Vec<Fr> {
    let mut all = given.to_vec();
    all.resize(n, Fr::zero());
    let inverse = Fr::from(n as u64).inverse().unwrap();
    values(&all, Fr::get_root_of_unity(n).unwrap().inverse().unwrap(), Fr::one()).iter().map(|value| *value * inverse).collect()
}

fn reversed(elements: &[Fr]) -> Vec<Fr> {
    let log2 = elements.len().trailing_zeros();
    (0..elements.len()).map(|i| elements[if log2 == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - log2) }]).collect()
}

#[test]
fn transforms() {
    use NTTInputOutputOrder::*;
    let rng = &mut TestRng::default();
    for log2 in 0..9 {
        let n = 1 << log2;
        let root = Fr::get_root_of_unity(n).unwrap();
        let coefficients = scalars(n, rng);
        for (kind, shift) in [(NTTType::Standard, Fr::one()), (NTTType::Coset, Fr::multiplicative_generator())] {
            let values = values(&coefficients, root, shift);
            for order in [NN, NR, RN, RR] {
                let (is_input_reversed, is_output_reversed) = (matches!(order, RN | RR), matches!(order, NR | RR));
                let order_of = |elements: &[Fr], is_reversed| if is_reversed { reversed(elements) } else { elements.to_vec() };
                for (direction, from, to) in
                    [(NTTDirection::Forward, &coefficients, &values), (NTTDirection::Inverse, &values, &coefficients)]
                {
                    let mut elements = order_of(from, is_input_reversed);
                    NTT(n, &mut elements, order, direction, kind).unwrap();
                    assert_eq!(elements, order_of(to, is_output_reversed), "{n} elements, {order:?}, {direction:?}, {kind:?}");
                }
            }
        }
    }
}

#[test]
fn wrong_transforms_are_errors() {
    let mut elements = scalars(8, &mut TestRng::default());
    let before = elements.clone();
    let mut transform = |n| NTT(n, &mut elements, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard);
    for n in [0, 3, 4, 12, 16, 1 << 48, 1 << 63, usize::MAX] {
        assert_ne!(transform(n).unwrap_err().code, 0, "{n}");
    }
    assert_eq!(elements, before);
    let mut others = [[1u64; 4]; 8];
    assert!(NTT(8, &mut others, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard).is_err());
    assert_eq!(others, [[1; 4]; 8]);
    let mut points = [G1Projective::zero(); 8];
    assert!(NTT(8, &mut points, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard).is_err());
}

/// Multiplies polynomials by the rule from school, modulo X^domain - 1.
fn product(domain: usize, polynomials: &[Vec<Fr>]) -> Vec<Fr> {
    let mut product = vec![Fr::zero(); domain];
    product[0] = Fr::one();
    for polynomial in polynomials {
        let mut next = vec![Fr::zero(); domain];
        for (i, a) in product.iter().enumerate() {
            for (j, b) in polynomial.iter().enumerate() {
                next[(i + j) % domain] += *a * b;
            }
        }
        product = next;
    }
    product
}

#[test]
fn products() {
    let rng = &mut TestRng::default();
    for log2 in 0..8 {
        let n = 1 << log2;
        for (polynomials, evaluations) in [(1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 3)] {
            // Their lengths are 0 to n. What is missing of evaluations are zeros.
            let mut random = |count: usize| (0..count).map(|i| scalars(n - i * n / 3, rng)).collect::<Vec<_>>();
            let (mut all, given) = (random(polynomials), random(evaluations));
            let result = polymul(n, &all, &given, &Fr::zero()).unwrap();
            all.extend(given.iter().map(|values| coefficients(n, values)));
            assert_eq!(result, product(n, &all), "{polynomials} polynomials and {evaluations} evaluations of {n}");
        }
    }
    assert_eq!(polymul(4, &vec![vec![]], &vec![], &Fr::zero()).unwrap(), [Fr::zero(); 4]);
}

#[test]
fn wrong_products_are_errors() {
    let one = vec![vec![Fr::one(); 4]];
    let none = vec![];
    assert!(polymul(4, &one, &none, &Fr::zero()).is_ok());
    for (domain, polynomials, evaluations) in [
        (2, &one, &none),
        (2, &none, &one),
        (0, &one, &none),
        (6, &one, &none),
        (1 << 48, &one, &none),
        (1 << 60, &one, &none),
        (4, &none, &none),
    ] {
        assert_ne!(polymul(domain, polynomials, evaluations, &Fr::zero()).unwrap_err().code, 0, "{domain}");
    }
    assert!(polymul(4, &vec![vec![[1u64; 4]; 4]], &vec![], &[0; 4]).is_err());
    assert!(polymul(4, &vec![], &vec![], &[0u64; 4]).is_err());
}
