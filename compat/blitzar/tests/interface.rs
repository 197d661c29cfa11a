// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions are compared with arkworks' multiplication of single points, which shares no code with sumac. The environment's
//! BLITZAR_BACKEND chooses the backend.
use ark_bls12_381::g1::Config as Bls;
use ark_bn254::g1::Config as Bn;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveConfig, CurveGroup};
use ark_ff::{BigInteger, Field, PrimeField, UniformRand, Zero};
use ark_grumpkin::GrumpkinConfig as Grumpkin;
use ark_serialize::CanonicalDeserialize;
use ark_std::rand::{rngs::StdRng, Rng, SeedableRng};
use blitzar_sys::*;
use curve25519_dalek::ristretto::RistrettoPoint;
use std::ffi::{c_void, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Once;

fn init() {
    static INIT: Once = Once::new();
    INIT.call_once(|| {
        let config = sxt_config { backend: SXT_GPU_BACKEND as i32, num_precomputed_generators: 20 };
        assert_eq!(unsafe { sxt_init(&config) }, 0);
    });
}

/// The functions of a curve.
trait Group: SWCurveConfig<BaseField: PrimeField> {
    const ID: u32;

    fn commit(descriptors: &[sxt_sequence_descriptor], generators: *const Affine<Self>) -> Vec<Affine<Self>>;
}

macro_rules! uncompressed {
    ($config:ty, $id:ident, $function:ident) => {
        impl Group for $config {
            const ID: u32 = $id;

            fn commit(descriptors: &[sxt_sequence_descriptor], generators: *const Affine<Self>) -> Vec<Affine<Self>> {
                // The commitments are overwritten, whatever they were.
                let mut commitments = vec![Affine::<Self>::generator(); descriptors.len()];
                let to = commitments.as_mut_ptr().cast();
                unsafe { $function(to, descriptors.len() as u32, descriptors.as_ptr(), generators.cast()) };
                commitments
            }
        }
    };
}
uncompressed!(Bn, SXT_CURVE_BN_254, sxt_bn254_g1_uncompressed_compute_pedersen_commitments_with_generators);
uncompressed!(Grumpkin, SXT_CURVE_GRUMPKIN, sxt_grumpkin_uncompressed_compute_pedersen_commitments_with_generators);

impl Group for Bls {
    const ID: u32 = SXT_CURVE_BLS_381;

    fn commit(descriptors: &[sxt_sequence_descriptor], generators: *const Affine<Self>) -> Vec<Affine<Self>> {
        let mut commitments = vec![sxt_bls12_381_g1_compressed { g1_bytes: [255; 48] }; descriptors.len()];
        unsafe {
            sxt_bls12_381_g1_compute_pedersen_commitments_with_generators(
                commitments.as_mut_ptr(),
                descriptors.len() as u32,
                descriptors.as_ptr(),
                generators.cast(),
            )
        };
        let point = |c: &sxt_bls12_381_g1_compressed| Affine::deserialize_compressed_unchecked(&c.g1_bytes[..]).expect("a point");
        commitments.iter().map(point).collect()
    }
}

/// Calls a generic function for each curve.
macro_rules! for_each_curve {
    ($function:ident) => {
        $function::<Bn>();
        $function::<Grumpkin>();
        $function::<Bls>();
    };
}

/// A projective point, in the layout of blitzar's ElementP2.
#[repr(C)]
struct ElementP2<C: SWCurveConfig> {
    x: C::BaseField,
    y: C::BaseField,
    z: C::BaseField,
}

fn to_p2<C: SWCurveConfig>(point: &Affine<C>, z: C::BaseField) -> ElementP2<C> {
    if point.infinity {
        return ElementP2 { x: C::BaseField::zero(), y: C::BaseField::ONE, z: C::BaseField::zero() };
    }
    ElementP2 { x: point.x * z, y: point.y * z, z }
}

fn of_p2<C: SWCurveConfig>(point: &ElementP2<C>) -> Affine<C> {
    match point.z.inverse() {
        None => Affine::identity(),
        Some(inverse) => Affine::new_unchecked(point.x * inverse, point.y * inverse),
    }
}

fn points<C: Group>(rng: &mut StdRng, n: usize) -> Vec<Affine<C>> {
    let mut points: Vec<Affine<C>> = (0..n).map(|_| Projective::<C>::rand(rng).into_affine()).collect();
    // Infinity, equal points and opposite points are bases, too.
    for i in (3..n).step_by(7) {
        points[i] = [Affine::identity(), points[i - 1], -points[i - 1]][i / 7 % 3];
    }
    points
}

/// Returns a point of the curve that lies outside the subgroup.
fn outside(rng: &mut StdRng) -> Affine<Bls> {
    loop {
        let x = <Bls as CurveConfig>::BaseField::rand(rng);
        if let Some(point) = Affine::<Bls>::get_point_from_x_unchecked(x, rng.gen()) {
            if !point.is_in_correct_subgroup_assuming_on_curve() {
                return point;
            }
        }
    }
}

/// An integer's bytes, little-endian.
fn multiple<C: Group>(point: &Affine<C>, bytes: &[u8], signed: bool) -> Projective<C> {
    let negative = signed && bytes.last().is_some_and(|last| last >> 7 == 1);
    let mut bytes = bytes.to_vec();
    if negative {
        // -k = !k + 1
        let mut carry = true;
        for byte in &mut bytes {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let words: Vec<u64> = bytes.chunks(8).map(|w| w.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect();
    let product = point.mul_bigint(words);
    if negative {
        -product
    } else {
        product
    }
}

fn expected<C: Group>(points: &[Affine<C>], bytes: &[u8], each: usize, signed: bool) -> Affine<C> {
    points.iter().zip(bytes.chunks_exact(each)).map(|(point, k)| multiple(point, k, signed)).sum::<Projective<C>>().into_affine()
}

fn descriptor(bytes: &[u8], each: u8, signed: bool) -> sxt_sequence_descriptor {
    sxt_sequence_descriptor {
        element_nbytes: each,
        n: (bytes.len() / usize::from(each)) as u64,
        data: bytes.as_ptr(),
        is_signed: i32::from(signed),
    }
}

fn random_bytes(rng: &mut StdRng, n: usize) -> Vec<u8> {
    // Some integers are the extreme ones.
    let extreme = rng.gen_range(0..6);
    (0..n).map(|_| [0, 255, 128].get(extreme).copied().unwrap_or_else(|| rng.gen())).collect()
}

/// Compares random sequences of all sizes and lengths.
fn commitments<C: Group>() {
    init();
    let rng = &mut StdRng::seed_from_u64(1);
    let generators = points::<C>(rng, 40);
    for round in 0..12 {
        let sequences: Vec<(Vec<u8>, u8, bool)> = (0..rng.gen_range(0..24))
            .map(|i| {
                // Often several sequences are of one kind.
                let each = if round % 2 == 0 { [1, 2, 4, 8, 16, 32][i / 4 % 6] } else { rng.gen_range(1..=32) };
                let n = rng.gen_range(0..=generators.len());
                (random_bytes(rng, n * usize::from(each)), each, rng.gen())
            })
            .collect();
        let descriptors: Vec<_> = sequences.iter().map(|(bytes, each, signed)| descriptor(bytes, *each, *signed)).collect();
        let found = C::commit(&descriptors, generators.as_ptr());
        for ((bytes, each, signed), found) in sequences.iter().zip(found) {
            assert_eq!(found, expected(&generators, bytes, usize::from(*each), *signed), "{each} bytes, {signed}");
        }
    }
    assert_eq!(C::commit(&[descriptor(&[], 1, false)], std::ptr::null()), [Affine::identity()]);
    assert!(C::commit(&[], std::ptr::null()).is_empty());
}

#[test]
fn commitments_are_those_of_arkworks() {
    for_each_curve!(commitments);
}

struct Handle<C: Group>(*mut sxt_multiexp_handle, std::marker::PhantomData<C>);

unsafe impl<C: Group> Sync for Handle<C> {}

impl<C: Group> Handle<C> {
    fn of(generators: &[ElementP2<C>]) -> Self {
        let raw = unsafe { sxt_multiexp_handle_new(C::ID, generators.as_ptr().cast(), generators.len() as u32) };
        Handle(raw, std::marker::PhantomData)
    }

    fn new(rng: &mut StdRng, generators: &[Affine<C>]) -> Self {
        let generators: Vec<_> = generators.iter().map(|p| to_p2(p, C::BaseField::rand(rng))).collect();
        Handle::of(&generators)
    }

    fn call(&self, outputs: usize, call: impl FnOnce(*mut c_void, *const sxt_multiexp_handle)) -> Vec<Affine<C>> {
        let mut results: Vec<_> = (0..outputs).map(|_| to_p2(&Affine::<C>::generator(), C::BaseField::ONE)).collect();
        call(results.as_mut_ptr().cast(), self.0);
        results.iter().map(of_p2).collect()
    }

    fn fixed(&self, each: u32, outputs: usize, n: usize, scalars: &[u8]) -> Vec<Affine<C>> {
        assert_eq!(scalars.len(), each as usize * outputs * n);
        self.call(outputs, |results, handle| unsafe {
            sxt_fixed_multiexponentiation(results, handle, each, outputs as u32, n as u32, scalars.as_ptr())
        })
    }

    fn packed(&self, bits: &[u32], n: usize, scalars: &[u8]) -> Vec<Affine<C>> {
        self.call(bits.len(), |results, handle| unsafe {
            sxt_fixed_packed_multiexponentiation(results, handle, bits.as_ptr(), bits.len() as u32, n as u32, scalars.as_ptr())
        })
    }

    fn vlen(&self, bits: &[u32], lengths: &[u32], scalars: &[u8]) -> Vec<Affine<C>> {
        self.call(bits.len(), |results, handle| unsafe {
            let (bits, lengths, outputs) = (bits.as_ptr(), lengths.as_ptr(), bits.len() as u32);
            sxt_fixed_vlen_multiexponentiation(results, handle, bits, lengths, outputs, scalars.as_ptr())
        })
    }
}

impl<C: Group> Drop for Handle<C> {
    fn drop(&mut self) {
        unsafe { sxt_multiexp_handle_free(self.0) }
    }
}

/// Takes one output's integers out of a matrix, bit by bit.
fn unpack(rows: &[u8], bits: &[u32], output: usize, n: usize) -> Vec<u8> {
    let row_bytes = bits.iter().sum::<u32>().div_ceil(8) as usize;
    let first = bits[..output].iter().sum::<u32>() as usize;
    let mut integers = vec![0; n * 32];
    for i in 0..n {
        for bit in 0..bits[output] as usize {
            let at = 8 * row_bytes * i + first + bit;
            integers[32 * i + bit / 8] |= (rows[at / 8] >> (at % 8) & 1) << (bit % 8);
        }
    }
    integers
}

fn handles<C: Group>() {
    init();
    let rng = &mut StdRng::seed_from_u64(2);
    let generators = points::<C>(rng, 33);
    let handle = Handle::new(rng, &generators);
    for _ in 0..12 {
        let (each, outputs, n) = (rng.gen_range(1..=32), rng.gen_range(1..6), rng.gen_range(0..=generators.len()));
        let scalars = random_bytes(rng, each * outputs * n);
        let found = handle.fixed(each as u32, outputs, n, &scalars);
        for (j, found) in found.iter().enumerate() {
            let own: Vec<u8> = scalars.chunks_exact(each).skip(j).step_by(outputs).flatten().copied().collect();
            assert_eq!(*found, expected(&generators, &own, each, false), "output {j} of {outputs} with {each} bytes");
        }

        let bits: Vec<u32> =
            (0..rng.gen_range(1..20)).map(|_| [rng.gen_range(0..9), rng.gen_range(0..=256)][rng.gen_range(0..2)]).collect();
        let row_bytes = bits.iter().sum::<u32>().div_ceil(8) as usize;
        let rows = random_bytes(rng, n * row_bytes);
        for (j, found) in handle.packed(&bits, n, &rows).iter().enumerate() {
            assert_eq!(*found, expected(&generators, &unpack(&rows, &bits, j, n), 32, false), "output {j} of {bits:?}");
        }

        let lengths: Vec<u32> = bits.iter().map(|_| rng.gen_range(0..=n as u32)).collect();
        for (j, found) in handle.vlen(&bits, &lengths, &rows).iter().enumerate() {
            let own = unpack(&rows, &bits, j, lengths[j] as usize);
            assert_eq!(*found, expected(&generators, &own, 32, false), "output {j} of {bits:?}, {lengths:?}");
        }
    }
    assert_eq!(Handle::<C>::of(&[]).fixed(1, 1, 0, &[]), [Affine::identity()]);
}

#[test]
fn sums_of_handles_are_those_of_arkworks() {
    for_each_curve!(handles);
}

/// Compares a sum that is large enough for several threads, and for the planner's usual kinds, with discrete logarithms.
fn large<C: Group>() {
    init();
    let rng = &mut StdRng::seed_from_u64(3);
    let n = 3000;
    let logarithms: Vec<u64> = (0..n).map(|_| rng.gen()).collect();
    let generators: Vec<_> = logarithms.iter().map(|k| (C::GENERATOR * C::ScalarField::from(*k)).into_affine()).collect();
    let log = |bytes: &[u8], each: usize| {
        let scalars = bytes.chunks_exact(each).map(C::ScalarField::from_le_bytes_mod_order);
        let sum: C::ScalarField = scalars.zip(&logarithms).map(|(k, log)| k * C::ScalarField::from(*log)).sum();
        (C::GENERATOR * sum).into_affine()
    };
    let sequences: Vec<Vec<u8>> = [1, 8, 32, 32].iter().map(|each| random_bytes(rng, each * n)).collect();
    let descriptors: Vec<_> = sequences.iter().map(|bytes| descriptor(bytes, (bytes.len() / n) as u8, false)).collect();
    for (bytes, found) in sequences.iter().zip(C::commit(&descriptors, generators.as_ptr())) {
        assert_eq!(found, log(bytes, bytes.len() / n));
    }
    let found = Handle::new(rng, &generators).fixed(32, 1, n, &sequences[2]);
    assert_eq!(found, [log(&sequences[2], 32)]);
}

#[test]
fn large_sums_are_those_of_the_logarithms() {
    for_each_curve!(large);
}

#[test]
fn points_outside_the_subgroup_have_right_sums_or_none() {
    init();
    let rng = &mut StdRng::seed_from_u64(4);
    let mut generators = points::<Bls>(rng, 70);
    generators[69] = outside(rng);
    generators[0] = outside(rng);
    let order = <Bls as CurveConfig>::ScalarField::MODULUS.to_bytes_le();
    let commit = |integer: &[u8], signed| {
        let integers = integer.repeat(generators.len());
        let sum = expected(&generators, &integers, integer.len(), signed);
        assert_eq!(Bls::commit(&[descriptor(&integers, integer.len() as u8, signed)], generators.as_ptr()), [sum]);
    };
    let mut largest = order.clone();
    largest[0] -= 1;
    commit(&largest, false);
    commit(&[255; 32], true);
    commit(&[255; 31], false);
    commit(&[128; 16], true);
    assert_refused("point 0", || commit(&order, false));
    assert_refused("point 0", || commit(&[255; 32], false));
    assert_refused("point 0", || commit(&[128; 32], true));
    assert_refused("point 0", || Handle::new(rng, &generators));

    // In the subgroup such integers count modulo the order.
    let generators = points::<Bls>(rng, 5);
    for (integer, signed) in [(order, false), (vec![255; 32], false), (vec![128; 32], true), (vec![64; 32], true)] {
        let integers = integer.repeat(5);
        let sum = expected(&generators, &integers, 32, signed);
        assert_eq!(Bls::commit(&[descriptor(&integers, 32, signed)], generators.as_ptr()), [sum]);
    }
}

fn file(name: &str) -> CString {
    let path = std::env::temp_dir().join(format!("sumac-blitzar-{}-{name}", std::process::id()));
    CString::new(path.to_str().expect("a path")).expect("no zero byte")
}

fn write<C: Group>(handle: &Handle<C>, path: &CString) {
    unsafe { sxt_multiexp_handle_write_to_file(handle.0, path.as_ptr()) }
}

/// Reads a handle, and removes its file.
fn read<C: Group>(path: &CString) -> Handle<C> {
    let raw = unsafe { sxt_multiexp_handle_new_from_file(C::ID, path.as_ptr()) };
    std::fs::remove_file(path.to_str().expect("a path")).expect("the file");
    Handle(raw, std::marker::PhantomData)
}

fn files<C: Group>() {
    init();
    let rng = &mut StdRng::seed_from_u64(5);
    let generators = points::<C>(rng, 9);
    let path = file(&format!("handle-{}", C::ID));
    write(&Handle::new(rng, &generators), &path);
    let bytes = random_bytes(rng, 9 * 32);
    assert_eq!(read::<C>(&path).fixed(32, 1, 9, &bytes), [expected(&generators, &bytes, 32, false)]);
}

#[test]
fn handles_can_be_kept_in_files() {
    for_each_curve!(files);
}

/// Returns the sentence with which a call panics.
fn sentence<T>(call: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).err().expect("the call is refused");
    panic.downcast_ref::<String>().expect("a sentence").clone()
}

fn assert_refused<T>(expected: &str, call: impl FnOnce() -> T) {
    let found = sentence(call);
    assert!(found.contains(expected), "{found}");
}

fn bad_input<C: Group>() {
    init();
    let rng = &mut StdRng::seed_from_u64(6);
    let mut generators: Vec<_> = (0..4).map(|_| Projective::<C>::rand(rng).into_affine()).collect();
    let bytes = [1; 4];
    let good = descriptor(&bytes, 1, false);

    let bad = |descriptor| C::commit(&[good, descriptor], generators.as_ptr());
    assert_refused("integers of sequence 1 have 0 bytes", || bad(sxt_sequence_descriptor { element_nbytes: 0, ..good }));
    assert_refused("integers of sequence 1 have 33 bytes", || bad(sxt_sequence_descriptor { element_nbytes: 33, ..good }));
    assert_refused("integers are a null pointer", || bad(sxt_sequence_descriptor { data: std::ptr::null(), ..good }));
    assert_refused("more than any memory holds", || bad(sxt_sequence_descriptor { n: u64::MAX, ..good }));
    assert_refused("generators are a null pointer", || C::commit(&[good], std::ptr::null()));

    let handle = Handle::new(rng, &generators);
    assert_refused("integers of output 0 have 264 bits", || handle.fixed(33, 1, 1, &[0; 33]));
    assert_refused("integers of output 1 have 257 bits", || handle.packed(&[1, 257], 1, &[0; 33]));
    assert_refused("output 0 has 5 integers, but the handle has 4 generators", || handle.fixed(1, 1, 5, &[0; 5]));
    assert_refused("output 1 has 5 integers", || handle.vlen(&[1, 1], &[1, 5], &[0; 5]));
    let mut result = to_p2(&generators[0], C::BaseField::ONE);
    let to = std::ptr::from_mut(&mut result).cast();
    assert_refused("handle is a null pointer", || unsafe {
        sxt_fixed_multiexponentiation(to, std::ptr::null(), 1, 1, 4, bytes.as_ptr())
    });
    assert_refused("results are a null pointer", || unsafe {
        sxt_fixed_multiexponentiation(std::ptr::null_mut(), handle.0, 1, 1, 4, bytes.as_ptr())
    });
    assert_refused("integers are a null pointer", || unsafe {
        sxt_fixed_multiexponentiation(to, handle.0, 1, 1, 4, std::ptr::null())
    });
    // A refused call writes nothing.
    assert_eq!(of_p2(&result), generators[0]);

    // Points off the curve.
    generators[2].x += C::BaseField::ONE;
    assert_refused("point 2", || C::commit(&[good], generators.as_ptr()));
    assert_refused("point 2", || Handle::new(rng, &generators));

    // Files.
    let path = file(&format!("bad-{}", C::ID));
    let open = || unsafe { sxt_multiexp_handle_new_from_file(C::ID, path.as_ptr()) };
    assert_refused("bad-", open);
    write(&handle, &path);
    let name = path.to_str().expect("a path");
    let contents = std::fs::read(name).expect("the file");
    for change in [contents.len() / 2, contents.len() - 1] {
        let mut changed = contents.clone();
        changed[change] ^= 1;
        std::fs::write(name, changed).expect("the file");
        assert_refused("bad-", open);
    }
    std::fs::write(name, &contents[..contents.len() - 1]).expect("the file");
    assert_refused("bad-", open);
    std::fs::write(name, &contents).expect("the file");
    let other = if C::ID == SXT_CURVE_BN_254 { SXT_CURVE_GRUMPKIN } else { SXT_CURVE_BN_254 };
    assert_refused("bad-", || unsafe { sxt_multiexp_handle_new_from_file(other, path.as_ptr()) });
    std::fs::remove_file(name).expect("the file");
    let nowhere = CString::new("/no/such/folder/file").expect("no zero byte");
    assert_refused("/no/such/folder", || unsafe { sxt_multiexp_handle_write_to_file(handle.0, nowhere.as_ptr()) });
    assert_refused("name of the file is a null pointer", || unsafe {
        sxt_multiexp_handle_write_to_file(handle.0, std::ptr::null())
    });
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    for_each_curve!(bad_input);
    init();
    let (config, null) = (sxt_config { backend: 1, num_precomputed_generators: 0 }, std::ptr::null_mut());
    assert_refused("the backend was chosen before", || unsafe { sxt_init(&config) });
    assert_refused("configuration is a null pointer", || unsafe { sxt_init(std::ptr::null()) });
    assert_refused("there is no curve 4", || unsafe { sxt_multiexp_handle_new(4, null, 0) });
    unsafe { sxt_multiexp_handle_free(std::ptr::null_mut()) };
}

/// Multiplies a point of ristretto255 by doublings and additions.
fn ristretto_multiple(point: &RistrettoPoint, integer: i128) -> RistrettoPoint {
    let double = |sum: RistrettoPoint, bit: u32| {
        let sum = sum + sum;
        if integer.unsigned_abs() >> bit & 1 == 1 {
            sum + point
        } else {
            sum
        }
    };
    let product = (0..128).rev().fold(RistrettoPoint::default(), double);
    if integer < 0 {
        -product
    } else {
        product
    }
}

#[test]
fn ristretto255_is_computed() {
    init();
    let (n, offset) = (9, 5);
    let mut generators = vec![RistrettoPoint::default(); n];
    assert_eq!(unsafe { sxt_ristretto255_get_generators(generators.as_mut_ptr().cast(), n as u64, offset) }, 0);
    let mut ones = [RistrettoPoint::default(); 2];
    for (i, one) in ones.iter_mut().enumerate() {
        assert_eq!(unsafe { sxt_curve25519_get_one_commit(std::ptr::from_mut(one).cast(), offset + i as u64) }, 0);
    }
    assert_eq!(ones[1] - ones[0], generators[0]);
    let integers = [0, 1, -1, i128::from(i64::MAX), i128::from(i64::MIN), 77, -300, 5, -6];
    let bytes: Vec<u8> = integers.iter().flat_map(|k| (*k as i64).to_le_bytes()).collect();
    let sum: RistrettoPoint = generators.iter().zip(integers).map(|(g, k)| ristretto_multiple(g, k)).sum();
    let unsigned = |k: i128| i128::from(k as i64 as u64);
    let unsigned: RistrettoPoint = generators.iter().zip(integers).map(|(g, k)| ristretto_multiple(g, unsigned(k))).sum();
    let descriptors = [descriptor(&bytes, 8, true), descriptor(&bytes, 8, false), descriptor(&[], 8, false)];
    for own in [true, false] {
        let mut commitments = [sxt_ristretto255_compressed { ristretto_bytes: [255; 32] }; 3];
        let to = commitments.as_mut_ptr();
        if own {
            unsafe { sxt_curve25519_compute_pedersen_commitments(to, 3, descriptors.as_ptr(), offset) };
        } else {
            let generators = generators.as_ptr().cast();
            unsafe { sxt_curve25519_compute_pedersen_commitments_with_generators(to, 3, descriptors.as_ptr(), generators) };
        }
        assert_eq!(
            commitments.map(|c| c.ristretto_bytes),
            [sum, unsigned, RistrettoPoint::default()].map(|p| p.compress().to_bytes())
        );
    }

    let handle = unsafe { sxt_multiexp_handle_new(SXT_CURVE_RISTRETTO255, generators.as_ptr().cast(), n as u32) };
    let path = file("ristretto255");
    unsafe { sxt_multiexp_handle_write_to_file(handle, path.as_ptr()) };
    let open = || unsafe { sxt_multiexp_handle_new_from_file(SXT_CURVE_RISTRETTO255, path.as_ptr()) };
    let read = open();
    for handle in [handle, read] {
        let mut result = RistrettoPoint::default();
        let (to, lengths) = (std::ptr::from_mut(&mut result).cast(), [n as u32]);
        unsafe { sxt_fixed_vlen_multiexponentiation(to, handle, [64].as_ptr(), lengths.as_ptr(), 1, bytes.as_ptr()) };
        assert_eq!(result, unsigned);
        unsafe { sxt_multiexp_handle_free(handle) };
    }
    let name = path.to_str().expect("a path");
    let contents = std::fs::read(name).expect("the file");
    for (at, sentence) in [(0, "no file of generators"), (24, "no file of generators"), (33 + 31, "generator 1")] {
        let mut changed = contents.clone();
        changed[at] ^= 1;
        std::fs::write(name, changed).expect("the file");
        assert_refused(sentence, open);
    }
    std::fs::remove_file(name).expect("the file");
    assert_refused("cannot be read", open);
}

#[test]
fn threads_share_handles() {
    init();
    let rng = &mut StdRng::seed_from_u64(7);
    let generators = points::<Bls>(rng, 200);
    let others = points::<Bn>(rng, 100);
    let handle = &Handle::new(rng, &generators);
    let (generators, others) = (&generators, &others);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let rng = &mut StdRng::seed_from_u64(100 + thread);
                let each = rng.gen_range(1..=32);
                let bytes = random_bytes(rng, 200 * each);
                let sum = expected(generators, &bytes, each, false);
                let other = random_bytes(rng, 100 * each);
                let other_sum = expected(others, &other, each, thread % 2 == 0);
                for _ in 0..25 {
                    assert_eq!(handle.fixed(each as u32, 1, 200, &bytes), [sum]);
                    let descriptor = descriptor(&other, each as u8, thread % 2 == 0);
                    assert_eq!(Bn::commit(&[descriptor], others.as_ptr()), [other_sum]);
                }
            });
        }
    });
}

type Fq = ark_grumpkin::Fq;

/// A challenge that depends on all coefficients, and the coefficients that were seen.
extern "C" fn challenge(challenge: *mut Fq, context: *mut c_void, coefficients: *const Fq, count: u32) {
    let coefficients = unsafe { std::slice::from_raw_parts(coefficients, count as usize) };
    let seen = unsafe { &mut *context.cast::<Vec<Vec<Fq>>>() };
    seen.push(coefficients.to_vec());
    unsafe { *challenge = coefficients.iter().fold(Fq::from(seen.len() as u64), |sum, c| sum * sum + c) };
}

fn evaluate(coefficients: &[Fq], x: Fq) -> Fq {
    coefficients.iter().rev().fold(Fq::zero(), |sum, c| sum * x + c)
}

#[test]
fn sumcheck_proofs_verify() {
    init();
    let rng = &mut StdRng::seed_from_u64(8);
    for n in 1..20usize {
        let rounds = n.next_power_of_two().trailing_zeros().max(1) as usize;
        let extensions: Vec<Vec<Fq>> = (0..4).map(|_| (0..n).map(|_| Fq::rand(rng)).collect()).collect();
        let products: Vec<(Fq, u32)> = (0..rng.gen_range(1..5)).map(|_| (Fq::rand(rng), rng.gen_range(1..5))).collect();
        let terms: Vec<u32> = (0..products.iter().map(|p| p.1).sum()).map(|_| rng.gen_range(0..4)).collect();
        let degree = products.iter().map(|p| p.1).max().expect("a product") as usize;
        let flat: Vec<Fq> = extensions.concat();
        let descriptor = sumcheck_descriptor {
            mles: flat.as_ptr().cast(),
            product_table: products.as_ptr().cast(),
            product_terms: terms.as_ptr(),
            n: n as u32,
            num_mles: 4,
            num_products: products.len() as u32,
            num_product_terms: terms.len() as u32,
            round_degree: degree as u32,
        };
        let mut polynomials = vec![Fq::zero(); (degree + 1) * rounds];
        let mut challenges = vec![Fq::zero(); rounds];
        let mut seen: Vec<Vec<Fq>> = Vec::new();
        let mut prove = |descriptor: &sumcheck_descriptor, field| unsafe {
            let (to, point) = (polynomials.as_mut_ptr().cast(), challenges.as_mut_ptr().cast());
            let seen = std::ptr::from_mut(&mut seen).cast();
            sxt_prove_sumcheck(to, point, field, descriptor, challenge as *mut c_void, seen)
        };
        assert_refused("field", || prove(&descriptor, SXT_FIELD_SCALAR255));
        assert_refused("at least one", || prove(&sumcheck_descriptor { n: 0, ..descriptor }, 1));
        assert_refused("do not add up", || {
            prove(&sumcheck_descriptor { num_product_terms: terms.len() as u32 - 1, ..descriptor }, 1)
        });
        assert_refused("extension", || {
            prove(&sumcheck_descriptor { num_mles: terms.iter().copied().max().unwrap_or(0), ..descriptor }, 1)
        });
        assert_refused("longest product", || prove(&sumcheck_descriptor { round_degree: degree as u32 + 1, ..descriptor }, 1));
        prove(&descriptor, SXT_FIELD_GRUMPKIN);
        assert_eq!(seen.concat(), polynomials);

        // The verifier adds up f over the cube, and evaluates f at the challenges.
        let f = |at: &dyn Fn(&[Fq]) -> Fq| {
            let mut terms = terms.iter();
            let product = |(factor, length): &(Fq, u32)| {
                terms.by_ref().take(*length as usize).fold(*factor, |product, term| product * at(&extensions[*term as usize]))
            };
            products.iter().map(product).sum::<Fq>()
        };
        let mut claim: Fq = (0..n).map(|x| f(&|extension| extension[x])).sum();
        for (polynomial, challenge) in seen.iter().zip(&challenges) {
            assert_eq!(evaluate(polynomial, Fq::zero()) + evaluate(polynomial, Fq::ONE), claim);
            claim = evaluate(polynomial, *challenge);
        }
        // The first challenge belongs to the highest bit of x.
        let weight = |x: usize| -> Fq {
            let bit = |round: usize| x >> (rounds - 1 - round) & 1;
            challenges.iter().enumerate().map(|(round, c)| if bit(round) == 1 { *c } else { Fq::ONE - c }).product()
        };
        assert_eq!(f(&|extension| (0..n).map(|x| extension[x] * weight(x)).sum()), claim);
    }
}

#[test]
fn largest_integers_reduce() {
    init();
    // r and 2^256 - 1 are integers, and not elements of the field.
    let order = <Bn as CurveConfig>::ScalarField::MODULUS.to_bytes_le();
    let generator = [Affine::<Bn>::generator()];
    assert_eq!(Bn::commit(&[descriptor(&order, 32, false)], generator.as_ptr()), [Affine::identity()]);
    assert_eq!(Bn::commit(&[descriptor(&[255; 32], 32, false)], generator.as_ptr()), [expected(&generator, &[255; 32], 32, false)]);
}
