// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests the crate supraseal-c2 of compat/supraseal through bellperson and by itself. The oracle is bellperson's own prover for
//! CPUs: with the same r and s, its proofs are the same points.
//!
//! With the environment variable SUPRASEAL_DATA, the ignored test `write_data` writes the files for test_supraseal.c there.
#![cfg(test)]
use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bellpepper_core::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::{Bls12, Scalar};
use ff::Field;
use group::prime::PrimeCurveAffine;
use native::groth16 as cpu;
use patched::groth16 as sumac;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use supraseal_c2::{try_generate_groth16_proofs, Assignment, SRS};

/// A circuit of random constraints. `shape` determines the constraints, and `values` the free variables.
#[derive(Clone)]
struct Random {
    shape: u64,
    values: u64,
    inputs: usize,
    constraints: usize,
    /// One variable gets a wrong value, so that a constraint does not hold.
    is_wrong: bool,
    /// One more constraint has all variables in A and in B.
    is_dense: bool,
}

impl Random {
    fn new(shape: u64, inputs: usize, constraints: usize) -> Self {
        Random { shape, values: 0, inputs, constraints, is_wrong: false, is_dense: false }
    }

    fn with_values(&self, values: u64) -> Self {
        Random { values, ..self.clone() }
    }
}

/// Returns a value: often 0 or 1, as in most circuits.
fn value(random: &mut ChaCha8Rng) -> Scalar {
    match random.gen_range(0..6) {
        0 => Scalar::ZERO,
        1 | 2 => Scalar::ONE,
        3 => Scalar::from(random.gen::<u64>()),
        _ => Scalar::random(random),
    }
}

impl Circuit<Scalar> for Random {
    /// Each constraint multiplies two sums of a few earlier variables and a new one, which occur in A alone, in B alone, or in
    /// both. The product is a new variable, which may occur in later constraints.
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let mut shape = ChaCha8Rng::seed_from_u64(self.shape);
        let mut values = ChaCha8Rng::seed_from_u64(self.values);
        let mut known: Vec<(Variable, Scalar)> = vec![(CS::one(), Scalar::ONE)];
        for _ in 1..self.inputs {
            let x = value(&mut values);
            known.push((cs.alloc_input(|| "", || Ok(x))?, x));
        }
        let mut all = known.clone();
        for number in 0..self.constraints {
            let mut sums = [LinearCombination::zero(), LinearCombination::zero()];
            let mut totals = [Scalar::ZERO; 2];
            let x = value(&mut values);
            let new = cs.alloc(|| "", || Ok(x))?;
            let sides = shape.gen_range(1..4);
            for side in 0..2 {
                if sides >> side & 1 == 1 {
                    sums[side] = sums[side].clone() + new;
                    totals[side] += x;
                }
                for _ in 0..shape.gen_range(0..4) {
                    let (variable, x) = known[shape.gen_range(0..known.len())];
                    let factor = Scalar::from(shape.gen_range(1..100));
                    sums[side] = sums[side].clone() + (factor, variable);
                    totals[side] += factor * x;
                }
            }
            let mut product = totals[0] * totals[1];
            if self.is_wrong && number == self.constraints / 2 {
                product += Scalar::ONE;
            }
            let of_product = cs.alloc(|| "", || Ok(product))?;
            cs.enforce(|| "", |_| sums[0].clone(), |_| sums[1].clone(), |lc| lc + of_product);
            all.extend([(new, x), (of_product, product)]);
            if shape.gen_bool(0.5) {
                known.push((of_product, product));
            }
        }
        if self.is_dense {
            // The sum of all variables is 0.
            let x: Scalar = -all.iter().map(|(_, x)| x).sum::<Scalar>();
            all.push((cs.alloc(|| "", || Ok(x))?, x));
            let sum = || all.iter().fold(LinearCombination::zero(), |sum, (variable, _)| sum + *variable);
            cs.enforce(|| "", |_| sum(), |_| sum(), |lc| lc);
        }
        Ok(())
    }
}

/// Collects what a prover gets from a circuit: values and density maps.
#[derive(Default)]
struct Recorder {
    inputs: Vec<Scalar>,
    aux: Vec<Scalar>,
    sums: [Vec<Scalar>; 3],
    a_aux: Vec<bool>,
    b_inputs: Vec<bool>,
    b_aux: Vec<bool>,
}

impl Recorder {
    fn sum(&mut self, lc: &LinearCombination<Scalar>, side: usize) {
        let mut total = Scalar::ZERO;
        for (variable, factor) in lc.iter() {
            let x = match variable.get_unchecked() {
                Index::Input(i) => {
                    if side == 1 && *factor != Scalar::ZERO {
                        self.b_inputs[i] = true;
                    }
                    self.inputs[i]
                }
                Index::Aux(i) => {
                    if side == 0 && *factor != Scalar::ZERO {
                        self.a_aux[i] = true;
                    }
                    if side == 1 && *factor != Scalar::ZERO {
                        self.b_aux[i] = true;
                    }
                    self.aux[i]
                }
            };
            total += x * factor;
        }
        self.sums[side].push(total);
    }
}

impl ConstraintSystem<Scalar> for Recorder {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, f: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.aux.push(f()?);
        self.a_aux.push(false);
        self.b_aux.push(false);
        Ok(Variable::new_unchecked(Index::Aux(self.aux.len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, f: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.inputs.push(f()?);
        self.b_inputs.push(false);
        Ok(Variable::new_unchecked(Index::Input(self.inputs.len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LB: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LC: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
    {
        self.sum(&a(LinearCombination::zero()), 0);
        self.sum(&b(LinearCombination::zero()), 1);
        self.sum(&c(LinearCombination::zero()), 2);
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}
    fn pop_namespace(&mut self) {}
    fn get_root(&mut self) -> &mut Self {
        self
    }
}

/// A circuit's values and density maps, as the crate takes them.
struct Values {
    inputs: Vec<Scalar>,
    aux: Vec<Scalar>,
    sums: [Vec<Scalar>; 3],
    maps: [Vec<u64>; 3],
    counts: [usize; 3],
}

impl Values {
    fn new(circuit: Random) -> Self {
        let mut recorder = Recorder::default();
        recorder.alloc_input(|| "", || Ok(Scalar::ONE)).unwrap();
        circuit.synthesize(&mut recorder).unwrap();
        for i in 0..recorder.inputs.len() {
            recorder.enforce(|| "", |lc| lc + Variable::new_unchecked(Index::Input(i)), |lc| lc, |lc| lc);
        }
        let pack = |bits: &[bool]| -> Vec<u64> {
            bits.chunks(64).map(|word| word.iter().enumerate().map(|(i, bit)| u64::from(*bit) << i).sum()).collect()
        };
        let count = |bits: &[bool]| bits.iter().filter(|bit| **bit).count();
        Values {
            maps: [pack(&recorder.a_aux), pack(&recorder.b_inputs), pack(&recorder.b_aux)],
            counts: [count(&recorder.a_aux), count(&recorder.b_inputs), count(&recorder.b_aux)],
            inputs: recorder.inputs,
            aux: recorder.aux,
            sums: recorder.sums,
        }
    }

    fn assignment(&self) -> Assignment<Scalar> {
        Assignment {
            a_aux_density: self.maps[0].as_ptr().cast(),
            a_aux_bit_len: self.aux.len(),
            a_aux_popcount: self.counts[0],
            b_inp_density: self.maps[1].as_ptr().cast(),
            b_inp_bit_len: self.inputs.len(),
            b_inp_popcount: self.counts[1],
            b_aux_density: self.maps[2].as_ptr().cast(),
            b_aux_bit_len: self.aux.len(),
            b_aux_popcount: self.counts[2],
            a: self.sums[0].as_ptr(),
            b: self.sums[1].as_ptr(),
            c: self.sums[2].as_ptr(),
            abc_size: self.sums[0].len(),
            inp_assignment_data: self.inputs.as_ptr(),
            inp_assignment_size: self.inputs.len(),
            aux_assignment_data: self.aux.as_ptr(),
            aux_assignment_size: self.aux.len(),
        }
    }
}

/// A circuit's parameters for both provers.
struct Keys {
    cpu: cpu::Parameters<Bls12>,
    sumac: sumac::SuprasealParameters<Bls12>,
    srs: SRS,
    path: PathBuf,
    /// The file is removed with the keys.
    _folder: tempfile::TempDir,
}

fn keys(circuit: &Random) -> Keys {
    let parameters = cpu::generate_random_parameters::<Bls12, _, _>(circuit.clone(), &mut ChaCha8Rng::seed_from_u64(7)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parameters");
    parameters.write(std::io::BufWriter::new(std::fs::File::create(&path).unwrap())).unwrap();
    Keys {
        cpu: parameters,
        sumac: sumac::SuprasealParameters::new(path.clone()).unwrap(),
        srs: SRS::try_new(path.clone(), false).unwrap(),
        path,
        _folder: folder,
    }
}

fn scalars(count: usize, random: &mut ChaCha8Rng) -> Vec<Scalar> {
    (0..count).map(|_| Scalar::random(&mut *random)).collect()
}

fn points(proof: &cpu::Proof<Bls12>) -> (blstrs::G1Affine, blstrs::G2Affine, blstrs::G1Affine) {
    (proof.a, proof.b, proof.c)
}

fn bytes(proof: &sumac::Proof<Bls12>) -> Vec<u8> {
    let mut bytes = Vec::new();
    proof.write(&mut bytes).unwrap();
    bytes
}

/// Compares `count` proofs of both provers, and verifies them with bellperson.
fn compare(circuit: &Random, count: usize, random: &mut ChaCha8Rng) {
    let keys = keys(circuit);
    let circuits: Vec<_> = (0..count).map(|_| circuit.with_values(random.gen())).collect();
    let (mut r, s) = (scalars(count, random), scalars(count, random));
    r[0] = Scalar::from(random.gen_range(0..2));
    let expected: Vec<_> = circuits
        .iter()
        .zip(r.iter().zip(&s))
        .map(|(circuit, (r, s))| cpu::create_proof::<Bls12, _, _>(circuit.clone(), &keys.cpu, *r, *s).unwrap())
        .collect();
    let got = sumac::create_proof_batch(circuits.clone(), &keys.sumac, r, s).unwrap();
    let verifying = cpu::prepare_verifying_key(&keys.cpu.vk);
    for (i, (expected, got)) in expected.iter().zip(&got).enumerate() {
        assert_eq!(points(expected), (got.a, got.b, got.c), "circuit {i} of {count}, shape {}", circuit.shape);
        let proof = cpu::Proof::read(&bytes(got)[..]).unwrap();
        let publics = Values::new(circuits[i].clone()).inputs[1..].to_vec();
        assert!(cpu::verify_proof(&verifying, &proof, &publics).unwrap());
    }
}

#[test]
fn random_circuits_have_the_same_proofs() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for shape in 0..40 {
        let circuit = Random { is_dense: shape % 5 == 4, ..Random::new(shape, random.gen_range(1..6), random.gen_range(0..40)) };
        let count = random.gen_range(1..5);
        compare(&circuit, count, &mut random);
    }
}

#[test]
fn large_circuits_have_the_same_proofs() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for (inputs, constraints, count) in [(1, 1000, 3), (100, 4096 - 100, 2), (3, 17000, 1), (70, 300, 40)] {
        compare(&Random::new(99, inputs, constraints), count, &mut random);
    }
}

/// Makes proofs by the crate's own function.
fn prove(values: &[Values], srs: &SRS, r: &[Scalar], s: &[Scalar]) -> Result<Vec<[u64; 48]>, supraseal_c2::Error> {
    let assignments: Vec<_> = values.iter().map(Values::assignment).collect();
    let mut proofs = vec![[0; 48]; values.len()];
    try_generate_groth16_proofs(&assignments, r, s, &mut proofs, srs).map(|()| proofs)
}

#[test]
fn recorded_values_have_the_same_proofs() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let circuit = Random::new(5, 3, 200);
    let keys = keys(&circuit);
    let (r, s) = (scalars(2, &mut random), scalars(2, &mut random));
    let circuits = [circuit.with_values(1), circuit.with_values(2)];
    let values: Vec<_> = circuits.iter().map(|circuit| Values::new(circuit.clone())).collect();
    let expected = sumac::create_proof_batch(circuits.to_vec(), &keys.sumac, r.clone(), s.clone()).unwrap();
    let got = prove(&values, &keys.srs, &r, &s).unwrap();
    // SAFETY: a proof has 384 bytes of any value.
    let as_words = |proof: &sumac::Proof<Bls12>| unsafe { *std::ptr::from_ref(proof).cast::<[u64; 48]>() };
    assert_eq!(expected.iter().map(as_words).collect::<Vec<_>>(), got);

    // The older function has one density map for all circuits.
    let mut proofs = vec![[0_u64; 48]; 2];
    let pointers = |of: fn(&Values) -> &Vec<Scalar>| values.iter().map(|values| of(values).as_ptr()).collect::<Vec<_>>();
    supraseal_c2::generate_groth16_proof(
        &pointers(|values| &values.sums[0]),
        &pointers(|values| &values.sums[1]),
        &pointers(|values| &values.sums[2]),
        values[0].sums[0].len(),
        &pointers(|values| &values.inputs),
        &pointers(|values| &values.aux),
        values[0].inputs.len(),
        values[0].aux.len(),
        &values[0].maps[0],
        &values[0].maps[1],
        &values[0].maps[2],
        values[0].counts[0],
        values[0].counts[1],
        values[0].counts[2],
        2,
        &r,
        &s,
        &mut proofs,
        &keys.srs,
    );
    assert_eq!(proofs, got);
}

/// Each refused call has a code and a sentence.
#[test]
fn wrong_calls_are_refused() {
    let circuit = Random::new(5, 3, 200);
    let keys = keys(&circuit);
    let (r, s) = ([Scalar::ONE], [Scalar::ONE]);
    let expect = |values: Values, code: i32, words: &str| {
        let error = prove(&[values], &keys.srs, &r, &s).unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    let wrong = Random { is_wrong: true, ..circuit.with_values(3) };
    expect(Values::new(wrong.clone()), 25, "circuit 0: its proof does not hold");
    expect(Values::new(Random::new(6, 3, 200)), 14, "but the parameters are for");
    expect(Values::new(Random::new(5, 3, 100)), 14, "auxiliary variables");
    expect(Values::new(Random::new(5, 4, 200)), 14, "4 inputs, but the parameters are for 3");
    let good = || Values::new(circuit.clone());
    let mut values = good();
    values.inputs[0] = Scalar::from(2);
    expect(values, 1, "the first input is not 1");
    let mut values = good();
    values.maps[0][0] ^= 1;
    expect(values, 14, "density map");
    let mut values = good();
    let map = &mut values.maps[2];
    let bit = map[0].trailing_zeros();
    let other = (!map[0]).trailing_zeros();
    map[0] ^= 1 << bit | 1 << other;
    expect(values, 25, "the density maps");
    let mut values = good();
    // SAFETY: a scalar is four words of any value for the C functions.
    unsafe { *values.aux.as_mut_ptr().cast::<[u64; 4]>() = [u64::MAX; 4] };
    expect(values, 8, "");
    let mut values = good();
    values.sums.iter_mut().for_each(|sum| sum.resize(1000, Scalar::ZERO));
    expect(values, 14, "1000 constraints");
    assert_eq!(prove(&[good()], &SRS::default(), &r, &s).unwrap_err().code, 1);
    assert_eq!(prove(&[good()], &keys.srs, &[], &s).unwrap_err().code, 1);
    prove(&[good()], &keys.srs, &r, &s).unwrap();
    prove(&[], &keys.srs, &[], &[]).unwrap();

    // One wrong circuit of several is named.
    let several = [good(), good(), Values::new(wrong.clone()), good()];
    let four = [Scalar::ONE; 4];
    let error = prove(&several, &keys.srs, &four, &four).unwrap_err();
    assert!(error.to_string().contains("circuit 2: its proof does not hold"), "{error}");

    // bellperson's functions panic with the sentence, which unwinds.
    let panicked = catch_unwind(AssertUnwindSafe(|| sumac::create_proof_batch(vec![wrong], &keys.sumac, r.to_vec(), s.to_vec())));
    let sentence = *panicked.map(|_| ()).unwrap_err().downcast::<String>().unwrap();
    assert!(sentence.contains("does not hold"), "{sentence}");
}

fn expect_file(path: &Path, contents: &[u8], words: &str) {
    std::fs::write(path, contents).unwrap();
    for cache in [false, true] {
        let error = SRS::try_new(path.to_path_buf(), cache).err().expect(words);
        assert_ne!(error.code, 0);
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
}

#[test]
fn bad_files_are_refused() {
    let circuit = Random::new(5, 3, 20);
    let keys = keys(&circuit);
    let whole = std::fs::read(&keys.path).unwrap();
    let path = keys.path.with_file_name("bad");
    // bellperson and the crate accept the same file.
    cpu::Parameters::<Bls12>::read(&whole[..], true).unwrap();
    for length in (0..whole.len()).step_by(97) {
        expect_file(&path, &whole[..length], "bytes");
    }
    expect_file(&path, &[&whole[..], &[0]].concat(), "would end at byte");
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] ^= byte;
        bytes
    };
    let ic = 864;
    let h = ic + 4 + 3 * 96;
    for (at, words) in [
        (95, "alpha_g1"),
        (191, "beta_g1"),
        (300, "beta_g2"),
        (500, "gamma_g2"),
        (600, "delta_g1"),
        (863, "delta_g2"),
        (ic + 99, "IC"),
    ] {
        expect_file(&path, &changed(at, 1), words);
    }
    expect_file(&path, &changed(ic + 3, 1), "points");
    expect_file(&path, &changed(h, 0x80), "points H would begin");
    expect_file(&path, &changed(h + 3, 8), "");
    for at in (h + 4 + 50..whole.len()).step_by(96) {
        expect_file(&path, &changed(at, 1), "from byte");
    }
    let mut infinity = whole.clone();
    infinity[h + 4..h + 100].fill(0);
    infinity[h + 4] = 0x40;
    expect_file(&path, &infinity, "is infinity");
    let mut delta = whole.clone();
    delta[576..672].fill(0);
    delta[576] = 0x40;
    expect_file(&path, &delta, "delta_g1 is infinity");
    for (path, words) in [("/no/such/file", "No such file"), ("/dev/null", "no regular file"), ("/", "")] {
        assert!(SRS::try_new(path.into(), true).err().unwrap().to_string().contains(words));
    }
    assert!(SRS::try_new("a\0b".into(), true).is_err());
}

/// Eight threads load, clone, prove and evict at once.
#[test]
fn eight_threads() {
    let circuits = [Random::new(5, 3, 300), Random::new(6, 2, 700)];
    let keys = Arc::new(circuits.iter().map(keys).collect::<Vec<_>>());
    let expected: Vec<_> = circuits
        .iter()
        .zip(keys.iter())
        .map(|(circuit, keys)| prove(&[Values::new(circuit.clone())], &keys.srs, &[Scalar::from(5)], &[Scalar::from(6)]).unwrap())
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (keys, circuits, expected) = (&keys, &circuits, &expected);
            scope.spawn(move || {
                for round in 0..10 {
                    let which = (thread + round) % 2;
                    let srs = SRS::try_new(keys[which].path.clone(), true).unwrap();
                    let clone = if round % 3 == 0 { keys[which].srs.clone() } else { srs.clone() };
                    if round % 4 == 0 {
                        srs.evict();
                    }
                    drop(srs);
                    let got =
                        prove(&[Values::new(circuits[which].clone())], &clone, &[Scalar::from(5)], &[Scalar::from(6)]).unwrap();
                    assert_eq!(got, expected[which]);
                }
            });
        }
    });
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Memory does not grow with calls: proofs, refused calls and cached loads.
#[test]
#[ignore = "it takes minutes: run it alone"]
fn memory_is_flat() {
    let circuit = Random::new(5, 2, 3);
    let keys = keys(&circuit);
    let values = [Values::new(circuit.clone())];
    let wrong = [Values::new(Random { is_wrong: true, ..circuit })];
    let mut after = Vec::new();
    for call in 0..=10_000 {
        prove(&values, &keys.srs, &[Scalar::ONE], &[Scalar::ONE]).unwrap();
        if call % 100 == 0 {
            prove(&wrong, &keys.srs, &[Scalar::ONE], &[Scalar::ONE]).unwrap_err();
            SRS::try_new(keys.path.clone(), true).unwrap().evict();
        }
        if call % 1000 == 0 {
            after.push(resident_kib());
        }
    }
    println!("resident KiB after each thousand calls: {after:?}");
    assert!(after[10] < after[1] + 1024, "{after:?}");
}

/// Writes the files of test_supraseal.c. Parameters are bellperson's. The other file has little-endian words: the numbers of
/// circuits, inputs, auxiliary variables and constraints, and of bits set in each map; the three maps; then for each circuit
/// inputs, auxiliary variables, a, b, c, r, s; and then the proofs of bellperson's own prover.
#[test]
#[ignore = "it writes files"]
fn write_data() {
    let folder = PathBuf::from(std::env::var("SUPRASEAL_DATA").unwrap());
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for (name, circuit, count) in [
        ("small", Random::new(5, 3, 25), 3_usize),
        ("one", Random::new(1, 1, 0), 1),
        ("dense", Random { is_dense: true, ..Random::new(17, 2, 1) }, 2),
    ] {
        let keys = keys(&circuit);
        std::fs::copy(&keys.path, folder.join(format!("{name}.parameters"))).unwrap();
        let circuits: Vec<_> = (0..count).map(|_| circuit.with_values(random.gen())).collect();
        let (r, s) = (scalars(count, &mut random), scalars(count, &mut random));
        let values: Vec<_> = circuits.iter().map(|circuit| Values::new(circuit.clone())).collect();
        let mut file = std::fs::File::create(folder.join(format!("{name}.proofs"))).unwrap();
        let mut words = |words: &[u64]| words.iter().for_each(|word| file.write_all(&word.to_le_bytes()).unwrap());
        let first = &values[0];
        let sizes =
            [count, first.inputs.len(), first.aux.len(), first.sums[0].len(), first.counts[0], first.counts[1], first.counts[2]];
        words(&sizes.map(|size| size as u64));
        first.maps.iter().for_each(|map| words(map));
        // SAFETY: scalars are four words each, and proofs 48.
        let of_scalar = |scalar: &Scalar| unsafe { *std::ptr::from_ref(scalar).cast::<[u64; 4]>() };
        for (i, values) in values.iter().enumerate() {
            let [a, b, c] = &values.sums;
            for scalars in [&values.inputs, &values.aux, a, b, c, &vec![r[i], s[i]]] {
                scalars.iter().for_each(|scalar| words(&of_scalar(scalar)));
            }
        }
        for (circuit, (r, s)) in circuits.iter().zip(r.iter().zip(&s)) {
            let proof = cpu::create_proof::<Bls12, _, _>(circuit.clone(), &keys.cpu, *r, *s).unwrap();
            assert!(!bool::from(proof.a.is_identity()));
            // SAFETY: as above; the struct is repr(C).
            words(unsafe { &*std::ptr::from_ref(&proof).cast::<[u64; 48]>() });
        }
    }
}
