// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is kept of points. Each test counts, so that they run one after another in a process of their own.
mod common;
use common::*;
use snarkvm_algorithms_cuda::*;
use snarkvm_curves::bls12_377::Fr;
use snarkvm_fields::{FftField, Field, One, Zero};
use snarkvm_utilities::rand::TestRng;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Computes a sum over the points from `first` on. Returns how many hits and misses it was, and how many runs are kept.
fn count(known: &Known, first: usize, integers: &[Integer]) -> (u64, u64, usize) {
    let before = cache_statistics().unwrap();
    let found = sum(&known.points[first..first + integers.len()], integers).unwrap();
    let after = cache_statistics().unwrap();
    assert_eq!(found, known.sum(first, integers));
    (after.hits - before.hits, after.misses - before.misses, after.entries)
}

/// Kept points are used for any run of them. They are not used if the memory holds other points.
#[test]
fn kept_points() {
    let _alone = alone();
    let rng = &mut TestRng::default();
    set_cache_bytes(0).unwrap();
    set_cache_bytes(64 << 20).unwrap();
    let (mut known, integers) = (known(3000, rng), integers(3000, rng));
    assert_eq!(count(&known, 1000, &integers[..1000]), (0, 1, 1));
    assert_eq!(count(&known, 1000, &integers[1..1001]), (1, 0, 1));
    assert_eq!(count(&known, 1100, &integers[..800]), (1, 0, 1));
    assert_eq!(count(&known, 1999, &integers[..1]), (1, 0, 1));
    assert_eq!(count(&known, 900, &integers[..1100]), (0, 1, 1), "a longer run replaces a shorter one");
    assert_eq!(count(&known, 0, &integers[..500]), (0, 1, 2));
    assert_eq!(count(&known, 0, &integers), (0, 1, 1));
    // A point, a sign or the flag of infinity changes.
    known.points[1500] = known.points[1];
    known.logarithms[1500] = known.logarithms[1];
    assert_eq!(count(&known, 0, &integers), (0, 1, 1));
    known.points[1500] = -known.points[1];
    known.logarithms[1500] = -known.logarithms[1];
    assert_eq!(count(&known, 0, &integers), (0, 1, 1));
    assert_eq!(count(&known, 0, &integers[..1500]), (1, 0, 1));
    known.points[1500].infinity = true;
    known.logarithms[1500] = Fr::zero();
    assert_eq!(count(&known, 1400, &integers[..200]), (0, 1, 2));
    assert_eq!(count(&known, 0, &integers), (0, 1, 1));
    assert_eq!(count(&known, 0, &integers), (1, 0, 1));
    // Other points in memory that was freed, or in other memory, are other points.
    let copy = Known { points: known.points.clone(), logarithms: known.logarithms.clone() };
    assert_eq!(count(&copy, 0, &integers), (0, 1, 2));
}

/// What is kept never takes more than the limit, and the switch turns it off.
#[test]
fn the_limit() {
    let _alone = alone();
    let rng = &mut TestRng::default();
    let (known, integers) = (known(4000, rng), integers(1000, rng));
    set_cache_bytes(0).unwrap();
    assert_eq!(cache_statistics().unwrap().entries, 0);
    set_cache_bytes(u64::MAX).unwrap();
    count(&known, 0, &integers);
    let one = cache_statistics().unwrap().bytes;
    assert!(one > 96_000, "{one}");
    set_cache_bytes(2 * one + one / 2).unwrap();
    for turn in 0..20 {
        count(&known, turn * 7 % 4 * 1000, &integers);
        let kept = cache_statistics().unwrap();
        assert!(kept.bytes <= kept.limit && kept.entries <= 2, "{kept:?}");
    }
    // The runs that were used last are kept.
    for (first, hits) in [(0, None), (1000, None), (0, Some(1)), (2000, Some(0)), (0, Some(1)), (1000, Some(0)), (0, Some(1))] {
        let found = count(&known, first, &integers);
        assert!(hits.is_none_or(|hits| hits == found.0), "{first}: {found:?}");
    }
    set_cache_bytes(one - 1).unwrap();
    assert_eq!(cache_statistics().unwrap().entries, 0);
    assert_eq!(count(&known, 0, &integers), (0, 1, 0));
    set_cache_bytes(0).unwrap();
    assert_eq!(count(&known, 0, &integers), (0, 0, 0));
}

/// Eight threads call all three functions at once, with the same points and with their own, while another one changes the limit.
#[test]
fn eight_threads() {
    let _alone = alone();
    set_cache_bytes(8 << 20).unwrap();
    let rng = &mut TestRng::default();
    let shared = &known(3000, rng);
    let inputs: Vec<_> = (0..8).map(|_| (known(1100, rng), integers(3000, rng), scalars(128, rng))).collect();
    let work = |(own, integers, scalars): &(Known, Vec<Integer>, Vec<Fr>)| {
        let own_sum = own.sum(0, &integers[..1100]);
        let values = values(scalars, Fr::get_root_of_unity(128).unwrap(), Fr::one());
        for turn in 0..40 {
            let (first, n) = (turn * 97 % 1500, 1500 - turn * 13);
            assert_eq!(sum(&shared.points[first..first + n], &integers[..n]).unwrap(), shared.sum(first, &integers[..n]));
            assert_eq!(sum(&own.points, &integers[..1100]).unwrap(), own_sum);
            let mut elements = scalars.clone();
            NTT(128, &mut elements, NTTInputOutputOrder::NN, NTTDirection::Forward, NTTType::Standard).unwrap();
            assert_eq!(elements, values);
            let square = polymul(256, &vec![scalars.clone(), scalars.clone()], &vec![], &Fr::zero()).unwrap();
            assert_eq!([square[0], square[254], square[255]], [scalars[0].square(), scalars[127].square(), Fr::zero()]);
        }
    };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let threads: Vec<_> = inputs.iter().map(|input| scope.spawn(|| work(input))).collect();
        scope.spawn(|| {
            for i in 0.. {
                set_cache_bytes(i * 100_000 % 1_500_000).unwrap();
                std::thread::sleep(Duration::from_millis(1));
                if done.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let panics = threads.into_iter().map(|thread| thread.join()).filter(Result::is_err).count();
        done.store(true, Ordering::Relaxed);
        assert_eq!(panics, 0);
    });
}
