// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Times bellperson's `create_proof_batch` over the crate supraseal-c2 of compat/supraseal, and, in turns with it, bellperson's own
//! prover for CPUs. Both get the same r and s, so that their proofs are compared; bellperson verifies ours. Environment variables:
//!
//! | variable | default | what it is |
//! |---|---|---|
//! | SUPRASEAL_LOG2 | 16 | the binary logarithm of the number of constraints |
//! | SUPRASEAL_CIRCUITS | 10 | proofs a call |
//! | SUPRASEAL_CALLS | 3 | calls, of which the least times count |
//! | SUPRASEAL_CPU | 1 | how many of a call's circuits bellperson's own prover proves; 0: it is left out |
//! | SUPRASEAL_FOLDER | the system's for temporary files | where the files of parameters are kept |
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;
use std::time::Instant;

use bellpepper_core::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::{Bls12, Scalar};
use ff::{BatchInvert, Field, PrimeField};
use native::groth16 as cpu;
use patched::groth16 as ours;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sumac::{Bases, BasesConfig, Context, ContextConfig, Curve, MsmConfig, Tables};

const PUBLIC: usize = 9;
const SLICE: usize = 1 << 14; // points that are computed at a time

/// Returns a number that is made of two others (splitmix64).
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_add(b.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A circuit like those of hashes. Of eight constraints two make new bits and four the exclusive or of two earlier bits; one packs
/// 32 bits, and one multiplies two elements of the field. `values` determines the bits, and the first element of the field.
#[derive(Clone)]
struct Typical {
    constraints: usize,
    values: u64,
}

/// A variable and its value.
#[derive(Clone, Copy)]
struct Known(Variable, Scalar);

/// The last variables of a kind, from which constraints choose.
struct Recent {
    ring: Vec<Known>,
    count: usize,
}

impl Recent {
    fn new(first: Known, size: usize) -> Self {
        Recent { ring: vec![first; size], count: 0 }
    }

    fn push(&mut self, known: Known) {
        let size = self.ring.len();
        self.ring[self.count % size] = known;
        self.count += 1;
    }

    fn choose(&self, number: u64) -> Known {
        self.ring[number as usize % self.ring.len()]
    }
}

impl Circuit<Scalar> for Typical {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let one = CS::one();
        let powers: Vec<_> = (0..32).map(|bit| Scalar::from(1_u64 << bit)).collect();
        let two = Scalar::from(2);
        let mut bits = Recent::new(Known(one, Scalar::ONE), 4096);
        let mut elements = Recent::new(Known(one, Scalar::ONE), 512);
        for input in 0..PUBLIC {
            let x = Scalar::from(mix(self.values, input as u64)).square();
            elements.push(Known(cs.alloc_input(|| "", || Ok(x))?, x));
        }
        for number in 0..self.constraints {
            let random = mix(number as u64, 1);
            match number % 8 {
                0 | 1 => {
                    let x = Scalar::from(mix(self.values, number as u64) & 1);
                    let bit = cs.alloc(|| "", || Ok(x))?;
                    cs.enforce(|| "", |lc| lc + one - bit, |lc| lc + bit, |lc| lc);
                    bits.push(Known(bit, x));
                }
                2..=5 => {
                    let (Known(a, x), Known(b, y)) = (bits.choose(random), bits.choose(random >> 32));
                    let z = x + y - two * x * y;
                    let bit = cs.alloc(|| "", || Ok(z))?;
                    cs.enforce(|| "", |lc| lc + (two, a), |lc| lc + b, |lc| lc + a + b - bit);
                    bits.push(Known(bit, z));
                }
                6 => {
                    let terms: Vec<_> = (0..32).map(|i| (powers[i], bits.choose(random.wrapping_add(i as u64)))).collect();
                    let x: Scalar = terms.iter().map(|(power, Known(_, x))| *power * x).sum();
                    let word = cs.alloc(|| "", || Ok(x))?;
                    let sum = |lc| terms.iter().fold(lc, |lc, (power, Known(bit, _))| lc + (*power, *bit));
                    cs.enforce(|| "", sum, |lc| lc + one, |lc| lc + word);
                    elements.push(Known(word, x));
                }
                _ => {
                    let (Known(a, x), Known(b, y)) = (elements.choose(random), elements.choose(random >> 32));
                    let k = Scalar::from(random);
                    let z = (x + k) * y;
                    let product = cs.alloc(|| "", || Ok(z))?;
                    cs.enforce(|| "", |lc| lc + a + (k, one), |lc| lc + b, |lc| lc + product);
                    elements.push(Known(product, z));
                }
            }
        }
        Ok(())
    }
}

impl Typical {
    /// Returns the public inputs without the first one, which is 1.
    fn publics(&self) -> Vec<Scalar> {
        (0..PUBLIC).map(|input| Scalar::from(mix(self.values, input as u64)).square()).collect()
    }
}

// ---- Parameters ----

/// Sums up each variable's polynomials A, B and C at tau, which are the factors of the constraint j times L_j.
struct Evaluations {
    lagrange: Vec<Scalar>,
    constraints: usize,
    inputs: [Vec<Scalar>; 3],
    aux: [Vec<Scalar>; 3],
}

impl Evaluations {
    fn add(&mut self, side: usize, sum: &LinearCombination<Scalar>) {
        let at_tau = self.lagrange[self.constraints];
        for (variable, factor) in sum.iter() {
            *match variable.get_unchecked() {
                Index::Input(i) => &mut self.inputs[side][i],
                Index::Aux(i) => &mut self.aux[side][i],
            } += at_tau * factor;
        }
    }
}

impl ConstraintSystem<Scalar> for Evaluations {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.aux.iter_mut().for_each(|side| side.push(Scalar::ZERO));
        Ok(Variable::new_unchecked(Index::Aux(self.aux[0].len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.inputs.iter_mut().for_each(|side| side.push(Scalar::ZERO));
        Ok(Variable::new_unchecked(Index::Input(self.inputs[0].len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LB: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LC: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
    {
        self.add(0, &a(LinearCombination::zero()));
        self.add(1, &b(LinearCombination::zero()));
        self.add(2, &c(LinearCombination::zero()));
        self.constraints += 1;
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}
    fn pop_namespace(&mut self) {}
    fn get_root(&mut self) -> &mut Self {
        self
    }
}

/// Returns factor * ratio^i for i < n.
fn powers(factor: Scalar, ratio: Scalar, n: usize) -> Vec<Scalar> {
    let mut all = vec![factor; n];
    all.par_chunks_mut(SLICE).enumerate().for_each(|(slice, some)| {
        let mut power = factor * ratio.pow_vartime([(slice * SLICE) as u64]);
        for x in some {
            *x = power;
            power *= ratio;
        }
    });
    all
}

/// Returns L_j(tau) = (tau^n - 1)/n * w^j/(tau - w^j) for the powers of bellperson's root of unity w of order n.
fn lagrange(n: usize, tau: Scalar) -> Vec<Scalar> {
    let root = Scalar::ROOT_OF_UNITY.pow_vartime([1_u64 << (Scalar::S - n.trailing_zeros())]);
    let scale = (tau.pow_vartime([n as u64]) - Scalar::ONE) * Scalar::from(n as u64).invert().unwrap();
    let mut all = powers(Scalar::ONE, root, n);
    all.par_chunks_mut(SLICE).for_each(|some| {
        let mut inverses: Vec<_> = some.iter().map(|x| tau - x).collect();
        inverses.iter_mut().batch_invert();
        some.iter_mut().zip(inverses).for_each(|(x, inverse)| *x *= scale * inverse);
    });
    all
}

/// The generator of a group with a table, and the file to which multiples are written.
struct Multiples {
    context: Context,
    bases: [Bases; 2],
    curves: [Curve; 2],
    file: BufWriter<std::fs::File>,
}

impl Multiples {
    fn create(path: &Path) -> Self {
        let mut context = Context::new(ContextConfig::default()).unwrap();
        let curves = ["g1", "g2"].map(|group| Curve::find("bls12-381", group).unwrap());
        let bases = curves.map(|curve| {
            let config = BasesConfig {
                tables: Tables::Auto,
                table_bytes: 64 << 20,
                typical_batch: SLICE as u32,
                typical_n: 1,
                ..Default::default()
            };
            Bases::new(&mut context, curve, &curve.generator()).config(config).run().unwrap()
        });
        Multiples { context, bases, curves, file: BufWriter::new(std::fs::File::create(path).unwrap()) }
    }

    /// Writes multiples of the generator of G1 (0) or G2 (1).
    fn put(&mut self, group: usize, numbers: &[Scalar]) {
        for some in numbers.chunks(SLICE) {
            let bytes: Vec<u8> = some.iter().flat_map(Scalar::to_repr).collect();
            let config = MsmConfig { batch: some.len() as u32, ..Default::default() };
            let points = self.bases[group].msm(&mut self.context, &bytes).config(config).run().unwrap();
            let records = sumac::points_encode(&mut self.context, self.curves[group], &points, Some("zcash-uncompressed")).unwrap();
            self.file.write_all(&records).unwrap();
        }
    }

    /// Writes the number of points, and the points.
    fn put_counted(&mut self, group: usize, numbers: &[Scalar]) {
        self.file.write_all(&(numbers.len() as u32).to_be_bytes()).unwrap();
        self.put(group, numbers);
    }
}

/// Writes insecure parameters as bellperson's generator makes them: section 3.2 of Groth's paper, with known secrets.
fn write_parameters(circuit: Typical, n: usize, path: &Path) {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let [tau, alpha, beta, gamma, delta] = std::array::from_fn(|_| Scalar::random(&mut random));
    let (by_gamma, by_delta) = (gamma.invert().unwrap(), delta.invert().unwrap());
    let mut all = Evaluations { lagrange: lagrange(n, tau), constraints: 0, inputs: Default::default(), aux: Default::default() };
    all.alloc_input(|| "", || Ok(Scalar::ONE)).unwrap();
    circuit.synthesize(&mut all).unwrap();
    for input in 0..all.inputs[0].len() {
        all.enforce(|| "", |lc| lc + Variable::new_unchecked(Index::Input(input)), |lc| lc, |lc| lc);
    }
    let rest = |[a, b, c]: &[Vec<Scalar>; 3], scale: Scalar| -> Vec<Scalar> {
        (0..a.len()).into_par_iter().map(|i| (beta * a[i] + alpha * b[i] + c[i]) * scale).collect()
    };
    // Variables that do not occur have no point.
    let dense = |side: usize| -> Vec<Scalar> {
        all.inputs[side].iter().chain(&all.aux[side]).filter(|x| !bool::from(x.is_zero())).copied().collect()
    };
    let mut to = Multiples::create(path);
    for (group, secret) in [(0, alpha), (0, beta), (1, beta), (1, gamma), (0, delta), (1, delta)] {
        to.put(group, &[secret]);
    }
    to.put_counted(0, &rest(&all.inputs, by_gamma));
    to.put_counted(0, &powers((tau.pow_vartime([n as u64]) - Scalar::ONE) * by_delta, tau, n - 1));
    to.put_counted(0, &rest(&all.aux, by_delta));
    to.put_counted(0, &dense(0));
    to.put_counted(0, &dense(1));
    to.put_counted(1, &dense(1));
    to.file.flush().unwrap();
}

// ---- Times ----

/// Keeps what bellperson's provers log: the times of synthesis and of the proofs.
struct Log(Mutex<[f64; 2]>);

static LOG: Log = Log(Mutex::new([0.0; 2]));

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let text = record.args().to_string();
        for (i, name) in ["synthesis time: ", "prover time: "].iter().enumerate() {
            if let Some(time) = text.strip_prefix(name) {
                self.0.lock().unwrap()[i] = seconds(time);
            }
        }
    }

    fn flush(&self) {}
}

/// Returns the seconds of a Duration that is written as Debug does.
fn seconds(text: &str) -> f64 {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number: f64 = text.strip_suffix(unit).unwrap().parse().unwrap();
    number * [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)].iter().find(|(name, _)| *name == unit).unwrap().1
}

/// Returns the processor time of all threads of the process so far. Linux counts it in hundredths of a second.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// The least times of several calls, in seconds: of the whole call, of synthesis, of the proofs, and of processors.
struct Least([f64; 4]);

impl Least {
    fn time<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let (start, processor) = (Instant::now(), processor_seconds());
        let result = call();
        let [synthesis, proofs] = *LOG.0.lock().unwrap();
        let all = [start.elapsed().as_secs_f64(), synthesis, proofs, processor_seconds() - processor];
        self.0.iter_mut().zip(all).for_each(|(least, x)| *least = least.min(x));
        result
    }

    fn line(&self, log2: u32, who: &str, count: usize) {
        let [call, synthesis, proofs, processor] = self.0;
        println!(
            "2^{log2}, {who}, {count} proofs a call: call {call:.2} s, of which synthesis {synthesis:.2} and proofs {proofs:.2}; \
             a proof {:.3} s; processors {processor:.2} s",
            proofs / count as f64
        );
    }
}

fn number<T: FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

fn main() {
    log::set_logger(&LOG).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    let log2: u32 = number("SUPRASEAL_LOG2", 16);
    let (count, calls) = (number("SUPRASEAL_CIRCUITS", 10_usize), number("SUPRASEAL_CALLS", 3_usize));
    let by_cpu = number("SUPRASEAL_CPU", 1_usize).min(count);
    // Each input has a constraint of its own.
    let circuit = |values| Typical { constraints: (1 << log2) - PUBLIC - 1, values };
    let folder = std::env::var_os("SUPRASEAL_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("typical-{log2}.parameters"));
    if !path.exists() {
        let start = Instant::now();
        let unfinished = path.with_extension("unfinished");
        write_parameters(circuit(0), 1 << log2, &unfinished);
        std::fs::rename(unfinished, &path).unwrap();
        println!("2^{log2}, parameters made: {:.1} s", start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    let parameters = ours::SuprasealParameters::new(path.clone()).unwrap();
    println!("2^{log2}, parameters loaded: {:.1} s", start.elapsed().as_secs_f64());
    let verifying = cpu::VerifyingKey::<Bls12>::read(std::fs::File::open(&path).unwrap()).unwrap();
    let verifying = cpu::prepare_verifying_key(&verifying);
    let theirs = (by_cpu > 0)
        .then(|| cpu::Parameters::<Bls12>::read(std::io::BufReader::new(std::fs::File::open(&path).unwrap()), false).unwrap());

    let circuits: Vec<_> = (1..=count as u64).map(circuit).collect();
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut scalars = || (0..count).map(|_| Scalar::random(&mut random)).collect::<Vec<_>>();
    let (r, s) = (scalars(), scalars());
    let (mut least, mut least_theirs) = (Least([f64::MAX; 4]), Least([f64::MAX; 4]));
    for _ in 0..calls {
        let got = least.time(|| ours::create_proof_batch::<Bls12, _>(circuits.clone(), &parameters, r.clone(), s.clone()).unwrap());
        for (circuit, proof) in circuits.iter().zip(&got) {
            let mut bytes = Vec::new();
            proof.write(&mut bytes).unwrap();
            let proof = cpu::Proof::<Bls12>::read(&bytes[..]).unwrap();
            assert!(cpu::verify_proof(&verifying, &proof, &circuit.publics()).unwrap());
        }
        if let Some(theirs) = &theirs {
            let some = circuits[..by_cpu].to_vec();
            let expected = least_theirs
                .time(|| cpu::create_proof_batch::<Bls12, _, _>(some, theirs, r[..by_cpu].to_vec(), s[..by_cpu].to_vec()).unwrap());
            for (expected, got) in expected.iter().zip(&got) {
                assert!(expected.a == got.a && expected.b == got.b && expected.c == got.c);
            }
        }
    }
    least.line(log2, "sumac, verified", count);
    if theirs.is_some() {
        least_theirs.line(log2, "bellperson's prover for CPUs, the same proofs", by_cpu);
    }
}
