// SPDX-License-Identifier: Apache-2.0 OR MIT
//! MSMs are compared with the vectors of the C tests, which the reference in Python computed, and with known logarithms.
mod common;
use common::*;
use sumac::*;

#[test]
fn vectors() {
    let mut context = Context::cpu(2).unwrap();
    for curve in Curve::all() {
        let Some(path) = data(&format!("vectors/{}_{}.json", curve.name(), curve.group())) else { return };
        let json = Json::parse(&std::fs::read_to_string(path).unwrap());
        for case in json.get("cases").list() {
            let points: Vec<u8> = case.get("bases").list().iter().flat_map(|p| raw_point(curve, p)).collect();
            let scalars: Vec<u8> = case.get("scalars").list().iter().flat_map(|k| little(k.text(), curve.scalar_bytes())).collect();
            let bases = Bases::new(&mut context, curve, &points).check(Check::Subgroup).run().unwrap();
            let result = bases.msm(&mut context, &scalars).run().unwrap();
            assert_eq!(result, raw_point(curve, case.get("result")), "{curve:?} {}", case.get("name").text());
            let prepared = bases.prepare(&mut context, bases.len()).run().unwrap();
            let mut again = vec![1; curve.point_bytes()];
            prepared.run(&mut context, &scalars, &mut again).unwrap();
            assert_eq!(again, result);
        }
    }
}

#[test]
fn options() {
    let mut context = Context::cpu(2).unwrap();
    let curve = Curve::all()[0];
    let (bases, scalars, answer) = known(&mut context, curve, 64);
    let size = curve.scalar_bytes();
    let windowed = MsmConfig { tuning: Some("c=7,plan=auto"), ..Default::default() };
    assert_eq!(bases.msm(&mut context, &scalars).config(windowed).run().unwrap(), answer);
    let plan = bases.plan(&mut context, 64).config(windowed).run().unwrap();
    assert_eq!((plan.number("c"), plan.number("n"), plan.name().as_str()), (Some(7.0), Some(64.0), "auto"));
    assert_eq!(plan.kind("combine").as_deref(), Some("horner"));
    assert!(plan.number("buckets") == Some(64.0) && plan.bytes("buckets").unwrap() > 64 && plan.milliseconds() > 0.0);
    assert!(plan.number("none").is_none() && plan.bytes("none").is_none() && plan.kind("none").is_none());
    assert!(plan.json().starts_with("{\"name\": \"auto\""));
    assert!(context.plans(curve).unwrap().contains("\"horner\": \""));
    // Two halves are computed as a batch with sets of bases, with offsets, and as parts that are added.
    let half = |k: usize| &scalars[32 * size * k..32 * size * (k + 1)];
    let first = |k: usize| MsmConfig { first: 32 * k, n: Some(32), ..Default::default() };
    let each: Vec<u8> = (0..2).flat_map(|k| bases.msm(&mut context, half(k)).config(first(k)).run().unwrap()).collect();
    let batch = MsmConfig { batch: 2, base_sets: 2, ..Default::default() };
    assert_eq!(bases.msm(&mut context, &scalars).config(batch).run().unwrap(), each);
    let offsets = MsmConfig { offsets: Some(&[0, 32, 64]), ..batch };
    assert_eq!(bases.msm(&mut context, &scalars).config(offsets).run().unwrap(), each);
    let parts: Vec<Vec<u8>> = (0..2).map(|k| bases.msm_partial(&mut context, half(k)).config(first(k)).run().unwrap()).collect();
    assert_eq!(partial_combine(&mut context, curve, &[&parts[0], &parts[1]], 1).unwrap(), answer);
    // Scalars are small and signed. The result is their sum times the generator.
    let generators = Bases::new(&mut context, curve, &curve.generator().repeat(4)).run().unwrap();
    let small: Vec<u8> = [-3i16, 2, -1, 7].iter().flat_map(|k| k.to_le_bytes()).collect();
    let five = generators.msm(&mut context, &small).scalar_bytes(2).scalar_signed(true).run().unwrap();
    assert_eq!(five, generators.msm(&mut context, &[5, 0, 0, 0]).scalar_bytes(1).run().unwrap());
    let cut = generators.msm(&mut context, &[8 + 4, 1, 0, 16]).scalar_bits(3).cut_scalars(true).scalar_bytes(1).run();
    assert_eq!(cut.unwrap(), five);
    assert_eq!(context.threads(), 2);
    assert_eq!((context.backend().as_str(), context.location(), context.devices().len()), ("cpu", Location::Host, 1));
    context.check().unwrap();
    assert_eq!(version().0, env!("CARGO_PKG_VERSION"));
}

#[test]
fn bases_and_files() {
    let mut context = Context::cpu(2).unwrap();
    let folder = Folder::new("files");
    let curve = Curve::all()[0];
    let (bases, scalars, answer) = known(&mut context, curve, 40);
    let points = bases.points(&mut context, 0..40).unwrap();
    let multiples = Bases::new(&mut context, curve, &points).precompute_factor(3).run().unwrap();
    assert_eq!((multiples.precompute_factor(), multiples.tables(), multiples.len()), (3, Tables::Multiples, 40));
    assert!(multiples.bytes() > bases.bytes());
    multiples.save(&mut context, folder.file("table"), None).unwrap();
    let table = Bases::open(&mut context, None, folder.file("table"), None, ..).run().unwrap();
    assert_eq!((table.precompute_factor(), table.curve()), (3, curve));
    assert_eq!(table.msm(&mut context, &scalars).run().unwrap(), answer);
    for format in ["raw", "arkworks-compressed"] {
        let path = folder.file(format);
        bases.save(&mut context, &path, Some(format)).unwrap();
        assert_eq!(Bases::file_count(&mut context, curve, &path, Some(format)).unwrap(), 40);
        let opened = Bases::open(&mut context, Some(curve), &path, Some(format), ..).run().unwrap();
        assert_eq!(opened.points(&mut context, 0..40).unwrap(), points);
        let part = Bases::open(&mut context, Some(curve), &path, Some(format), 3..5).run().unwrap();
        assert_eq!(part.points(&mut context, 0..2).unwrap(), points[3 * curve.point_bytes()..5 * curve.point_bytes()]);
        let records = points_encode(&mut context, curve, &points, Some(format)).unwrap();
        assert!(std::fs::read(&path).unwrap().ends_with(&records));
        assert_eq!(points_decode(&mut context, curve, &records, Some(format), Check::Subgroup).unwrap(), points);
    }
    assert!(formats().iter().any(|f| f.name == "raw" && f.can_read && f.can_write));
    std::fs::write(folder.file("scalars"), &scalars).unwrap();
    assert_eq!(scalars_read(&mut context, curve, folder.file("scalars")).unwrap(), scalars);
    let files = (folder.file("raw"), folder.file("scalars"));
    let (sum, report) = msm_files(&mut context, curve, files.0, files.1).chunk(16).run().unwrap();
    assert_eq!((sum, report.n, report.chunk), (answer, 40, 16));
}

/// Records have the layout of other libraries: a flag of infinity after the point, and uninitialized bytes.
#[test]
fn records() {
    use std::mem::MaybeUninit;
    let mut context = Context::cpu(1).unwrap();
    let curve = Curve::all()[0];
    let (size, stride) = (curve.point_bytes(), curve.point_bytes() + 8);
    let mut records = vec![MaybeUninit::<u8>::uninit(); 3 * stride];
    for (record, infinite) in records.chunks_mut(stride).zip([0, 1, 0]) {
        record.iter_mut().zip(curve.generator()).for_each(|(to, byte)| *to = MaybeUninit::new(byte));
        record[size] = MaybeUninit::new(infinite);
    }
    let call = unsafe { Bases::from_records(&mut context, curve, records.as_ptr().cast(), 3) };
    let bases = call.infinity(Infinity::Flag).stride(stride).infinity_offset(size).run().unwrap();
    let expected = [curve.generator(), vec![0; size], curve.generator()].concat();
    assert_eq!(bases.points(&mut context, 0..3).unwrap(), expected);
}

#[test]
fn threads_share_bases() {
    let mut context = Context::cpu(1).unwrap();
    let (bases, scalars, answer) = known(&mut context, Curve::all()[0], 100);
    let pool = Pool::new(ContextConfig::cpu(1), 2).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let mut own = pool.take().unwrap();
                    assert_eq!(bases.msm(&mut own, &scalars).run().unwrap(), answer);
                }
            });
        }
    });
    let (one, two) = (pool.take().unwrap(), pool.try_take().unwrap());
    assert_eq!(pool.try_take().err().unwrap().kind(), ErrorKind::Busy);
    pool.discard(one);
    let mut three = pool.try_take().unwrap();
    drop(pool);
    three.check().unwrap();
    drop(two);
    // A context and a prepared call move to another thread.
    let prepared = bases.prepare(&mut context, 100).run().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut sum = vec![0; answer.len()];
            prepared.run(&mut context, &scalars, &mut sum).unwrap();
            assert_eq!(sum, answer);
        });
    });
    drop(context);
    drop(prepared);
}

#[test]
fn callbacks() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::sync::Arc;
    let (seen, mode) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (count, what) = (seen.clone(), mode.clone());
    let traced = mode.clone();
    let config = ContextConfig::cpu(2)
        .on_progress(move |done| {
            assert!((0.0..=1.0).contains(&done));
            count.fetch_add(1, Relaxed);
            assert_ne!(what.load(Relaxed), 2, "a panic in progress");
            what.load(Relaxed) != 1
        })
        .on_trace(move |event| {
            assert!(event.end >= event.start && !event.name.is_empty());
            assert_ne!(traced.load(Relaxed), 3, "a panic in trace");
        });
    let mut context = Context::new(config).unwrap();
    let (bases, scalars, answer) = known(&mut context, Curve::all()[0], 1 << 13);
    assert!(seen.load(Relaxed) > 0);
    mode.store(1, Relaxed);
    let cancelled = bases.msm(&mut context, &scalars).run();
    assert_eq!(cancelled.unwrap_err().kind(), ErrorKind::Cancelled);
    for (which, words) in [(2, "in progress"), (3, "in trace")] {
        mode.store(which, Relaxed);
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = bases.msm(&mut context, &scalars).run();
        }));
        assert!(panic.unwrap_err().downcast_ref::<String>().unwrap().contains(words));
        mode.store(0, Relaxed);
        assert_eq!(bases.msm(&mut context, &scalars).run().unwrap(), answer);
    }
}

#[test]
fn points_are_on_the_curve_unless_told_otherwise() {
    let mut context = Context::cpu(1).unwrap();
    let curve = Curve::all()[0];
    let mut off = [curve.generator(), curve.generator()].concat();
    off[curve.point_bytes()] ^= 1;
    let folder = Folder::new("checks");
    let files = (folder.file("points"), folder.file("scalars"));
    let mut scalars = vec![0; 2 * curve.scalar_bytes()];
    scalars[curve.scalar_bytes()] = 1;
    std::fs::write(&files.0, &off).unwrap();
    std::fs::write(&files.1, &scalars).unwrap();
    let c = &mut context;
    let fails = |error: Option<Error>| {
        let error = error.expect("an error");
        assert_eq!(error.kind(), ErrorKind::NotOnCurve);
        let places = ["point 1".to_string(), format!("point at byte {}", curve.point_bytes())];
        assert!(places.iter().any(|place| error.to_string().contains(place)), "{error}");
    };
    fails(Bases::new(c, curve, &off).run().err());
    fails(Bases::new(c, curve, &off).precompute_factor(2).run().err());
    fails(Bases::open(c, Some(curve), &files.0, None, ..).run().err());
    fails(Vector::of(c, curve, VectorKind::Points, &off).run().err());
    fails(msm_files(c, curve, &files.0, &files.1).run().err());
    let taken = Bases::new(c, curve, &off).check(Check::None).run().unwrap();
    assert_eq!(taken.points(c, 0..2).unwrap(), off);
    Vector::of(c, curve, VectorKind::Points, &off).check(Check::None).run().unwrap();
    let (sum, _) = msm_files(c, curve, &files.0, &files.1).check(Check::None).run().unwrap();
    assert_eq!(sum, off[curve.point_bytes()..]);
}

#[test]
fn bad_input() {
    let mut context = Context::cpu(1).unwrap();
    let curve = Curve::all()[0];
    let (bases, scalars, _) = known(&mut context, curve, 8);
    let mut fails = |scalars: &[u8], config: MsmConfig<'_>| {
        let error = bases.msm(&mut context, scalars).config(config).run().unwrap_err();
        assert!(!error.to_string().is_empty() && !error.is_machine_fault());
        error.kind()
    };
    let plain = MsmConfig::default();
    assert_eq!(fails(&scalars[1..], plain), ErrorKind::BadLength);
    assert_eq!(fails(&[scalars.as_slice(), &scalars].concat(), plain), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { tuning: Some("c=25"), ..plain }), ErrorKind::BadArgument);
    assert_eq!(fails(&scalars, MsmConfig { batch: 3, ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { first: usize::MAX, ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { scalar_bits: 5, ..plain }), ErrorKind::ScalarTooLarge);
    assert_eq!(fails(&[0; 33 * 8], MsmConfig { scalar_bytes: 33, ..plain }), ErrorKind::BadArgument);
    assert_eq!(fails(&[], MsmConfig { offsets: Some(&[0]), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { batch: u32::MAX, offsets: Some(&[0, 8]), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { batch: u32::MAX, n: Some(usize::MAX), ..plain }), ErrorKind::BadLength);
    // Fewer scalars than bases are refused, unless n gives their number.
    let seven = &scalars[..7 * curve.scalar_bytes()];
    assert_eq!(fails(seven, plain), ErrorKind::BadLength);
    assert_eq!(fails(&[], plain), ErrorKind::BadLength);
    assert_eq!(fails(seven, MsmConfig { n: Some(8), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { n: Some(7), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { offsets: Some(&[0, 7]), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { offsets: Some(&[]), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { offsets: Some(&[0, 9]), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { batch: 2, offsets: Some(&[0, u64::MAX, 8]), ..plain }), ErrorKind::BadLength);
    assert_eq!(fails(&scalars, MsmConfig { batch: 2, offsets: Some(&[8, 0, 8]), ..plain }), ErrorKind::BadArgument);
    let plan = |plan| MsmConfig { tuning: Some(plan), ..plain };
    assert_eq!(fails(&scalars, plan("plan=no such")), ErrorKind::UnknownPlan);
    assert_eq!(fails(&scalars, plan("plan=a\0b")), ErrorKind::BadArgument);
    let mut short = vec![0; 3];
    assert_eq!(bases.msm_into(&mut context, &scalars, &mut short).run().unwrap_err().kind(), ErrorKind::BadLength);
    let seven =
        |context: &mut Context, config| bases.msm(context, &scalars[..7 * curve.scalar_bytes()]).config(config).run().unwrap();
    let with_n = seven(&mut context, MsmConfig { n: Some(7), ..plain });
    assert_eq!(with_n, seven(&mut context, MsmConfig { offsets: Some(&[0, 7]), ..plain }));
    assert!(bases.msm(&mut context, &[]).n(0).run().unwrap().iter().all(|byte| *byte == 0));
    assert_eq!(partial_combine(&mut context, curve, &[], 0).unwrap_err().kind(), ErrorKind::BadArgument);
    let partial = bases.msm_partial(&mut context, &scalars).run().unwrap();
    assert_eq!((partial_bytes(curve, 0), partial_bytes(curve, 1)), (0, partial.len()));
    let needs = bases.estimate(&mut context, 8).run().unwrap();
    assert!(needs.milliseconds > 0.0 && needs.workspace_bytes > 0);
    let prepared = bases.prepare(&mut context, 8).run().unwrap();
    assert_eq!(prepared.run(&mut context, &scalars[1..], &mut short).unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(prepared.run(&mut context, &scalars, &mut short).unwrap_err().kind(), ErrorKind::BadLength);
    let mut other = Context::cpu(1).unwrap();
    let mut right = vec![0; curve.point_bytes()];
    assert_eq!(prepared.run(&mut other, &scalars, &mut right).unwrap_err().kind(), ErrorKind::BadArgument);
    assert!(bases.prepare(&mut context, usize::MAX).run().is_err());
    assert_eq!(bases.points(&mut context, 3..9).unwrap_err().kind(), ErrorKind::BadLength);
    let status = |error: Option<Error>| error.expect("an error").kind();
    let mut off = curve.generator();
    off[0] ^= 1;
    assert_eq!(status(Bases::new(&mut context, curve, &off[1..]).run().err()), ErrorKind::BadLength);
    assert_eq!(status(Bases::open(&mut context, Some(curve), "/no/such", None, ..).run().err()), ErrorKind::CannotOpen);
    assert_eq!(status(Bases::open(&mut context, Some(curve), "/", Some("no such"), ..).run().err()), ErrorKind::UnknownFormat);
    assert_eq!(status(Curve::find("no such", "g1").err()), ErrorKind::UnknownCurve);
    assert_eq!(status(Curve::find("a\0", "g1").err()), ErrorKind::BadArgument);
    let on = |backend| Context::new(ContextConfig { backend: Some(backend), ..Default::default() });
    assert_eq!(status(on("no such").err()), ErrorKind::UnknownBackend);
    if let Err(error) = on("cuda") {
        assert_eq!(error.kind(), ErrorKind::BackendUnavailable);
    }
    assert!(known_logarithms(&mut context, curve, usize::MAX, 1).is_err());
    assert!(known_logarithms(&mut context, curve, usize::MAX / 64, 1).is_err());
    let huge = Vector::new(&mut context, curve, VectorKind::Scalars, 1 << 60);
    assert_eq!(status(huge.err()), ErrorKind::OutOfMemory);
    let mut pinned = context.pinned(100).unwrap();
    pinned[99] = 1;
    assert_eq!(pinned.len(), 100);
    let two = ContextConfig { devices: Devices::Weighted(vec![(0, 1), (0, 2)]), ..ContextConfig::cpu(2) };
    let mut two = Context::new(two).unwrap();
    assert_eq!((two.devices().len(), two.measure_weights(curve, 64).unwrap().len()), (2, 2));
}

/// Another thread cancels the running call, but no later call, and no call of a context that was given back to its pool.
#[test]
fn canceller() {
    let curve = Curve::find("bn254", "g1").unwrap();
    let pool = Pool::new(ContextConfig::cpu(2), 1).unwrap();
    let mut context = pool.take().unwrap();
    let bases = Bases::known(&mut context, curve, 1 << 12, 1).run().unwrap();
    let scalars = known_logarithms(&mut context, curve, 1 << 12, 2).unwrap();
    let expected = bases.msm(&mut context, &scalars).run().unwrap();
    let (canceller, over) = (context.canceller(), std::sync::atomic::AtomicBool::new(false));
    let error = std::thread::scope(|scope| {
        let other = canceller.clone();
        let over = &over;
        scope.spawn(move || {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                other.cancel();
            }
        });
        let error = (0..10000).find_map(|_| match bases.msm(&mut context, &scalars).run() {
            Ok(sum) => (sum != expected).then(|| panic!("a wrong sum")),
            Err(error) => Some(error),
        });
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        error
    });
    let error = error.expect("a call that is cancelled");
    assert_eq!((error.kind(), error.to_string().contains("the call was cancelled")), (ErrorKind::Cancelled, true));
    canceller.cancel();
    assert_eq!(bases.msm(&mut context, &scalars).run().unwrap(), expected);
    drop(context);
    let mut again = pool.try_take().unwrap();
    canceller.cancel();
    assert_eq!(bases.msm(&mut again, &scalars).run().unwrap(), expected);
}

/// The crate calls every function of the interface.
#[test]
fn complete() {
    let (here, options) = (std::path::Path::new(env!("CARGO_MANIFEST_DIR")), std::path::Path::new(env!("SUMAC_OPTIONS")));
    let interface = std::fs::read_to_string(options.with_file_name("interface.rs")).unwrap();
    let files = std::fs::read_dir(here.join("src")).unwrap().map(|file| file.unwrap().path());
    let sources: String = files.chain([options.into()]).map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let functions = interface.lines().filter_map(|line| line.trim().strip_prefix("pub fn ")?.split_once('(')).map(|(name, _)| name);
    let others = ["sumac_vectors_ntt"]; // a loop in Rust does the same
    let missing: Vec<_> = functions.filter(|name| !sources.contains(*name) && !others.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}

/// Typed points have the same bytes as raw points, and their sums are the same.
#[test]
fn typed() {
    let mut context = Context::cpu(1).unwrap();
    let Ok(g) = Affine::<Bn254G1>::generator() else { return };
    let points = Msm::new(&mut context, &[g, Affine::INFINITY, g]).check(Check::Subgroup).run().unwrap();
    let minus = points.sum(&mut context, &[-3i32, 7, 2]).run().unwrap();
    assert!(minus.x == g.x && minus.y != g.y && minus != g && !minus.is_infinity());
    let (mut three, one) = ([0; 32], [[0; 32]; 2]);
    three[0] = 3;
    let sum = points.sum(&mut context, &[three, one[0], one[1]]).run().unwrap();
    assert_eq!(sum, points.sum(&mut context, &[1u8, 0, 2]).run().unwrap());
    assert!(points.sum(&mut context, &[1u8, 0, 0]).batch(3).base_sets(3).n(1).run().is_err());
    assert!(points.sum(&mut context, &[-5i8, 100, 5]).run().unwrap().is_infinity());
    assert_eq!(points.sum(&mut context, &[1u8]).run().unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(points.sum(&mut context, &[[0; 33]; 3]).run().unwrap_err().kind(), ErrorKind::BadArgument);
    let raw = points.bases().points(&mut context, 0..3).unwrap();
    assert_eq!(Affine::slice_of(&raw).unwrap(), [g, Affine::INFINITY, g]);
    assert_eq!(Affine::bytes_of(&[g]), Curve::find("bn254", "g1").unwrap().generator());
    assert_eq!(Affine::<Bn254G1>::slice_of(&raw[1..]).unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(format!("{g:?} {:?}", Affine::<Bn254G1>::INFINITY), format!("(0x{:064x}, 0x{:064x}) infinity", 1, 2));
    let off = Affine { y: g.x, ..g };
    assert_eq!(Msm::new(&mut context, &[off]).run().unwrap_err().kind(), ErrorKind::NotOnCurve);
}

/// The types of groups have the sizes that the library's groups have.
#[test]
fn groups() {
    fn has<G: Group>(seen: &mut Vec<Curve>) {
        match G::curve() {
            Ok(curve) => {
                assert_eq!(std::mem::size_of::<Affine<G>>(), curve.point_bytes());
                let generator = Affine::<G>::generator().unwrap();
                assert_eq!(Affine::bytes_of(&[generator]), curve.generator());
                seen.push(curve);
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::UnknownCurve);
                for curve in Curve::all() {
                    assert!(error.to_string().contains(&format!("{curve:?}")), "{error}");
                }
            }
        }
    }
    let seen = &mut Vec::new();
    has::<Bls12_377G1>(seen);
    has::<Bls12_377G2>(seen);
    has::<Bls12_381G1>(seen);
    has::<Bls12_381G2>(seen);
    has::<Bls24_315G1>(seen);
    has::<Bls24_317G1>(seen);
    has::<Bn254G1>(seen);
    has::<Bn254G2>(seen);
    has::<Bw6_633G1>(seen);
    has::<Bw6_761G1>(seen);
    has::<Bw6_761G2>(seen);
    has::<GrumpkinG1>(seen);
    has::<PallasG1>(seen);
    has::<Secp256k1G1>(seen);
    has::<VestaG1>(seen);
    assert_eq!(*seen, Curve::all());
}

/// Errors have a source: the error that caused them.
#[test]
fn sources() {
    use std::error::Error as _;
    let error = Curve::find("a\0", "g1").unwrap_err();
    assert!(error.source().unwrap().is::<std::ffi::NulError>());
    let mut context = Context::cpu(1).unwrap();
    let error = known_logarithms(&mut context, Curve::all()[0], usize::MAX / 64, 1).unwrap_err();
    assert!(error.source().unwrap().is::<std::collections::TryReserveError>());
    assert!(Curve::find("no such", "g1").unwrap_err().source().is_none());
}
