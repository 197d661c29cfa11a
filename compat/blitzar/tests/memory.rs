// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory of the process stays the same over many calls, also refused ones. No other test runs in this process.
use ark_bn254::g1::Config;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::Field;
use blitzar_sys::*;
use std::panic::catch_unwind;

/// Returns the resident memory in bytes.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    4096 * statm.split_whitespace().nth(1).expect("a number").parse::<u64>().expect("a number")
}

/// Makes the calls of one round: the sum of -1, -2 .. -16 times the generator, by a commitment and by a handle, and a refused call.
fn call(expected: Affine<Config>) {
    let generators = [Config::GENERATOR; 16];
    let integers: Vec<u8> = (1..=16i16).flat_map(|k| (-k).to_le_bytes()).collect();
    let good = sxt_sequence_descriptor { element_nbytes: 2, n: 16, data: integers.as_ptr(), is_signed: 1 };
    let commit = |descriptor: sxt_sequence_descriptor| unsafe {
        let mut sum = Config::GENERATOR;
        let to = std::ptr::from_mut(&mut sum).cast();
        sxt_bn254_g1_uncompressed_compute_pedersen_commitments_with_generators(to, 1, &descriptor, generators.as_ptr().cast());
        sum
    };
    assert_eq!(commit(good), expected);
    assert!(catch_unwind(|| commit(sxt_sequence_descriptor { element_nbytes: 33, ..good })).is_err());

    let one = <Config as ark_ec::CurveConfig>::BaseField::ONE;
    let points = generators.map(|point| [point.x, -point.y, one]);
    let mut sum = [one; 3];
    unsafe {
        let handle = sxt_multiexp_handle_new(SXT_CURVE_BN_254, points.as_ptr().cast(), 16);
        let positive: Vec<u8> = (1..=16).collect();
        sxt_fixed_vlen_multiexponentiation(sum.as_mut_ptr().cast(), handle, &8, &16, 1, positive.as_ptr());
        sxt_multiexp_handle_free(handle);
    }
    assert_eq!((sum[0], sum[1], sum[2]), (expected.x, expected.y, one));
}

#[test]
fn memory_is_flat_over_ten_thousand_calls() {
    let config = sxt_config { backend: SXT_GPU_BACKEND as i32, num_precomputed_generators: 0 };
    assert_eq!(unsafe { sxt_init(&config) }, 0);
    let expected = (-(Config::GENERATOR * ark_bn254::Fr::from(16 * 17 / 2))).into();
    std::panic::set_hook(Box::new(|panic| {
        if !panic.to_string().contains("33 bytes") {
            eprintln!("{panic}");
        }
    }));
    (0..500).for_each(|_| call(expected));
    let before = resident();
    (0..10_000).for_each(|_| call(expected));
    let after = resident();
    assert!(after < before + (1 << 20), "{before} bytes of memory became {after}");
}
