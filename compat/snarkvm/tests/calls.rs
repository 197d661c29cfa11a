// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The three functions are compared with snarkVM's own code for points, fields and polynomials, which the crate does not use.
use snarkvm_algorithms::fft::EvaluationDomain;
use snarkvm_algorithms::msm::variable_base::standard;
use snarkvm_algorithms_cuda::*;
use snarkvm_curves::bls12_377::{Fq, Fr, G1Affine, G1Projective, G2Affine};
use snarkvm_curves::{AffineCurve, ProjectiveCurve};
use snarkvm_fields::{Field, One, PrimeField, Zero};
use snarkvm_utilities::biginteger::BigInteger256;
use snarkvm_utilities::rand::{TestRng, Uniform};
use std::sync::Mutex;

type Integer = BigInteger256;

/// Tests that count what is kept run one after another.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> impl Drop {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Points that cost one addition each.
fn points(n: usize, rng: &mut TestRng) -> Vec<G1Affine> {
    let (mut point, step) = (G1Projective::rand(rng), G1Projective::rand(rng));
    let all = (0..n).map(|_| {
        point += step;
        point
    });
    G1Projective::batch_normalization_into_affine(all.collect())
}

fn integers(n: usize, rng: &mut TestRng) -> Vec<Integer> {
    (0..n).map(|_| Fr::rand(rng).to_bigint()).collect()
}

fn scalars(n: usize, rng: &mut TestRng) -> Vec<Fr> {
    (0..n).map(|_| Fr::rand(rng)).collect()
}

fn sum(points: &[G1Affine], integers: &[Integer]) -> Result<G1Projective, Error> {
    msm::<G1Affine, G1Projective, Integer>(points, integers)
}

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
        let (points, integers) = (points(n, rng), integers(n, rng));
        assert_eq!(sum(&points, &integers).unwrap().to_affine(), standard::msm(&points, &integers).to_affine(), "{n} products");
    }
}

#[test]
fn sums_of_special_points() {
    let rng = &mut TestRng::default();
    let some = points(5, rng);
    let (p, q) = (some[0], some[1]);
    let largest = Integer::new([u64::MAX; 4]);
    let minus_one = (-Fr::one()).to_bigint();
    let points = [p, -p, p, p, G1Affine::zero(), q, G1Affine::zero(), -q];
    for integers in [
        [1; 8].map(Integer::from),
        [0; 8].map(Integer::from),
        [largest; 8],
        [minus_one; 8],
        [1, 2, 3, 4, 5, 6, 7, 8].map(Integer::from),
        [Integer::from(1), largest, minus_one, Integer::from(0), largest, Fr::characteristic_integer(), largest, minus_one],
    ] {
        assert_eq!(sum(&points, &integers).unwrap(), plain_sum(&points, &integers), "{integers:?}");
    }
    let none = sum(&[p, -p], &[Integer::from(7); 2]).unwrap();
    assert_eq!(none, G1Projective::zero());
    assert!(none.to_affine().is_zero());
    // Further points are not used.
    assert_eq!(sum(&some, &[Integer::from(2)]).unwrap(), p.to_projective().double());
}

trait Characteristic {
    fn characteristic_integer() -> Integer;
}

impl Characteristic for Fr {
    fn characteristic_integer() -> Integer {
        let mut integer = (-Fr::one()).to_bigint();
        integer.0[0] += 1;
        integer
    }
}

/// A point of the curve whose order is not that of the subgroup is multiplied by the integer, and not by its rest modulo r.
#[test]
fn points_outside_the_subgroup() {
    let rng = &mut TestRng::default();
    let outside: Vec<_> = std::iter::repeat_with(|| G1Affine::from_x_coordinate(Fq::rand(rng), true))
        .flatten()
        .filter(|point| !point.is_in_correct_subgroup_assuming_on_curve())
        .take(40)
        .collect();
    let mut integers = integers(40, rng);
    integers[0] = Fr::characteristic_integer();
    integers[1] = Integer::new([u64::MAX; 4]);
    integers[2] = (-Fr::one()).to_bigint();
    assert_eq!(sum(&outside, &integers).unwrap(), plain_sum(&outside, &integers));
}

#[test]
fn wrong_sums_are_errors() {
    let rng = &mut TestRng::default();
    let (mut points, integers) = (points(3, rng), integers(4, rng));
    assert_eq!(String::from(sum(&points, &integers).unwrap_err()), "there are 3 points for 4 scalars");
    points[2].y += Fq::one();
    let error = sum(&points, &integers[..3]).unwrap_err();
    assert!(error.code != 0 && error.to_string().contains('2'), "{error}");
    assert!(sum(&points, &integers[..2]).is_ok());
    // Types that the original crate would read as if they were the right ones.
    assert!(msm::<G2Affine, G1Projective, Integer>(&[G2Affine::zero()], &integers[..1]).is_err());
    assert!(msm::<G1Affine, G1Affine, Integer>(&points[..1], &integers[..1]).is_err());
    assert!(msm::<G1Affine, G1Projective, Fr>(&points[..1], &[Fr::one()]).is_err());
    assert!(msm::<G1Affine, G1Projective, [u64; 4]>(&points[..1], &[[1, 0, 0, 0]]).is_err());
}

/// Returns the values at shift * root^i that Horner's rule computes.
fn values(coefficients: &[Fr], root: Fr, shift: Fr) -> Vec<Fr> {
    let mut x = shift;
    let at = |x: Fr| coefficients.iter().rev().fold(Fr::zero(), |sum, coefficient| sum * x + coefficient);
    let next = |_| {
        let value = at(x);
        x *= root;
        value
    };
    (0..coefficients.len()).map(next).collect()
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
        let domain = EvaluationDomain::<Fr>::new(n).unwrap();
        let coefficients = scalars(n, rng);
        for (kind, shift) in [(NTTType::Standard, Fr::one()), (NTTType::Coset, Fr::multiplicative_generator())] {
            let values = values(&coefficients, domain.group_gen, shift);
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
        let domain = EvaluationDomain::<Fr>::new(n).unwrap();
        for (polynomials, evaluations) in [(1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 3)] {
            // Their lengths are 0 to n. What is missing of evaluations are zeros.
            let mut random = |count: usize| (0..count).map(|i| scalars(n - i * n / 3, rng)).collect::<Vec<_>>();
            let (mut all, given) = (random(polynomials), random(evaluations));
            let result = polymul(n, &all, &given, &Fr::zero()).unwrap();
            all.extend(given.iter().map(|values| {
                domain.ifft(&{
                    let mut values = values.clone();
                    values.resize(n, Fr::zero());
                    values
                })
            }));
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

/// Kept points are used for any run of them. They are not used if the memory holds other points.
#[test]
fn kept_points() {
    let _alone = alone();
    let rng = &mut TestRng::default();
    set_cache_bytes(0).unwrap();
    set_cache_bytes(64 << 20).unwrap();
    let (mut points, integers) = (points(3000, rng), integers(3000, rng));
    let counted = |points: &[G1Affine], integers: &[Integer]| {
        let before = cache_statistics().unwrap();
        let found = sum(points, integers).unwrap();
        let after = cache_statistics().unwrap();
        assert_eq!(found.to_affine(), standard::msm(points, integers).to_affine());
        (after.hits - before.hits, after.misses - before.misses, after.entries)
    };
    assert_eq!(counted(&points[1000..2000], &integers[..1000]), (0, 1, 1));
    assert_eq!(counted(&points[1000..2000], &integers[1..1001]), (1, 0, 1));
    assert_eq!(counted(&points[1100..1900], &integers[..800]), (1, 0, 1));
    assert_eq!(counted(&points[1100..2000], &integers[..10]), (1, 0, 1));
    assert_eq!(counted(&points[900..2000], &integers[..1100]), (0, 1, 1), "a longer run replaces a shorter one");
    assert_eq!(counted(&points[..500], &integers[..500]), (0, 1, 2));
    assert_eq!(counted(&points, &integers), (0, 1, 1));
    // A point, a sign or the flag of infinity changes.
    let [p, q] = [points[1], points[1500]];
    points[1500] = p;
    assert_eq!(counted(&points, &integers), (0, 1, 1));
    points[1500] = -q;
    assert_eq!(counted(&points, &integers), (0, 1, 1));
    assert_eq!(counted(&points[..1500], &integers[..1500]), (1, 0, 1));
    points[1500].infinity = true;
    assert_eq!(counted(&points[1400..1600], &integers[..200]), (0, 1, 2));
    assert_eq!(counted(&points, &integers), (0, 1, 1));
    assert_eq!(counted(&points, &integers), (1, 0, 1));
}

/// What is kept never takes more than the limit, and the switch turns it off.
#[test]
fn the_limit() {
    let _alone = alone();
    let rng = &mut TestRng::default();
    let (points, integers) = (points(4000, rng), integers(1000, rng));
    set_cache_bytes(0).unwrap();
    assert_eq!(cache_statistics().unwrap().entries, 0);
    set_cache_bytes(u64::MAX).unwrap();
    sum(&points[..1000], &integers).unwrap();
    let one = cache_statistics().unwrap().bytes;
    assert!(one > 96_000, "{one}");
    set_cache_bytes(2 * one + one / 2).unwrap();
    for turn in 0..20 {
        let i = turn * 7 % 4 * 1000;
        let run = &points[i..i + 1000];
        assert_eq!(sum(run, &integers).unwrap(), standard::msm(run, &integers));
        let kept = cache_statistics().unwrap();
        assert!(kept.bytes <= kept.limit && kept.entries <= 2, "{kept:?}");
    }
    // The runs that were used last are kept.
    let before = cache_statistics().unwrap();
    sum(&points[..1000], &integers).unwrap();
    sum(&points[1000..2000], &integers).unwrap();
    sum(&points[..1000], &integers).unwrap();
    sum(&points[2000..3000], &integers).unwrap();
    sum(&points[..1000], &integers).unwrap();
    assert!(cache_statistics().unwrap().hits >= before.hits + 2);
    set_cache_bytes(one - 1).unwrap();
    assert_eq!(cache_statistics().unwrap().entries, 0);
    sum(&points[..1000], &integers).unwrap();
    assert_eq!(cache_statistics().unwrap().entries, 0);
    set_cache_bytes(0).unwrap();
    let before = cache_statistics().unwrap();
    assert_eq!(sum(&points[..1000], &integers).unwrap(), standard::msm(&points[..1000], &integers));
    assert_eq!(cache_statistics().unwrap(), before);
}

/// Eight threads call all three functions at once, with the same points and with their own, while another one changes the limit.
#[test]
fn eight_threads() {
    let _alone = alone();
    set_cache_bytes(8 << 20).unwrap();
    let rng = &mut TestRng::default();
    let shared = points(3000, rng);
    let inputs: Vec<_> = (0..8).map(|_| (points(1100, rng), integers(3000, rng), scalars(256, rng))).collect();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let threads: Vec<_> = inputs
            .iter()
            .map(|(own, integers, scalars)| {
                let shared = &shared;
                scope.spawn(move || {
                    let domain = EvaluationDomain::<Fr>::new(256).unwrap();
                    let own_sum = standard::msm(own, &integers[..1100]);
                    let values = values(scalars, domain.group_gen, Fr::one());
                    for turn in 0..30 {
                        let (first, n) = (turn * 97 % 1500, 1500 - turn * 13);
                        let run = &shared[first..first + n];
                        if turn < 4 {
                            assert_eq!(sum(run, &integers[..n]).unwrap(), standard::msm(run, &integers[..n]));
                        } else {
                            sum(run, &integers[..n]).unwrap();
                        }
                        assert_eq!(sum(own, &integers[..1100]).unwrap(), own_sum);
                        let mut elements = scalars.clone();
                        NTT(256, &mut elements, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard).unwrap();
                        assert_eq!(elements, values);
                        let half = scalars[..128].to_vec();
                        let square = polymul(256, &vec![half.clone(), half.clone()], &vec![], &Fr::zero()).unwrap();
                        assert_eq!(square[0], half[0].square());
                        assert_eq!(square[255], Fr::zero());
                        assert_eq!(square[254], half[127].square());
                    }
                })
            })
            .collect();
        let done = &done;
        scope.spawn(move || {
            let mut limit = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                limit = (limit + 100_000) % 1_500_000;
                set_cache_bytes(limit).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let panics: Vec<_> = threads.into_iter().filter_map(|thread| thread.join().err()).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(panics.is_empty());
    });
    set_cache_bytes(64 << 20).unwrap();
}
