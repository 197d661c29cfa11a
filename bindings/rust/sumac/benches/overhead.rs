// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How long a call takes beside the library's own function: 2^10 resident bases of BN254, one thread. The two take turns, and of
//! many calls the fastest counts, as other programs on the machine slow both.
use std::time::Instant;
use sumac::{known_logarithms, Bases, Context, Curve};
use sumac_sys as sys;

const CALLS: usize = 1000;

fn main() {
    let curve = Curve::find("bn254", "g1").expect("bn254");
    let mut context = Context::cpu(1).expect("a context");
    let bases = Bases::known(&mut context, curve, 1 << 10, 1, &Default::default()).expect("bases");
    let scalars = known_logarithms(&mut context, curve, 1 << 10, 2).expect("scalars");
    let mut result = vec![0u8; curve.point_bytes()];
    let (mut own, mut c) = (f64::MAX, f64::MAX);
    let time = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64() * 1e6
    };
    // Make the call from C's point of view, with objects of its own.
    let (mut raw_context, mut raw_bases, mut raw_curve) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null());
    unsafe {
        let mut config: sys::sumac_context_config = std::mem::zeroed();
        sys::sumac_context_config_init(&mut config, std::mem::size_of_val(&config));
        config.backend = c"cpu".as_ptr();
        config.threads = 1;
        assert_eq!(sys::sumac_context_create(&config, &mut raw_context, std::ptr::null_mut()), sys::SUMAC_OK);
        assert_eq!(sys::sumac_curve_find(c"bn254".as_ptr(), c"g1".as_ptr(), &mut raw_curve), sys::SUMAC_OK);
        let status = sys::sumac_known_bases_create(raw_context, raw_curve, 1 << 10, 1, std::ptr::null(), &mut raw_bases);
        assert_eq!(status, sys::SUMAC_OK);
    }
    for _ in 0..CALLS {
        own = own.min(time(&mut || {
            result = bases.msm(&mut context, &scalars, &Default::default()).expect("a sum");
        }));
        c = c.min(time(&mut || {
            let (scalars, result) = (scalars.as_ptr().cast(), result.as_mut_ptr().cast());
            let status = unsafe { sys::sumac_msm(raw_context, raw_bases, scalars, 1 << 10, std::ptr::null(), result) };
            assert_eq!(status, sys::SUMAC_OK);
        }));
    }
    println!("C {c:.1} us, Rust {own:.1} us: {:.3} times", own / c);
    unsafe {
        sys::sumac_bases_destroy(raw_bases);
        sys::sumac_context_destroy(raw_context);
    }
}
