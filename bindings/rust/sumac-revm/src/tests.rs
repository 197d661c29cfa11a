// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library's answers are compared with those of revm's code, and with the vectors of EIP-196, EIP-197, EIP-2537 and EIP-4844.
use super::*;
use revm_precompile::primitives::hex;
use revm_precompile::{install_crypto, u64_to_address, Precompiles};
use std::fmt::Debug;
use std::path::PathBuf;
use sumac::{points_decode, Bases, Check, Context, ContextConfig, Curve, Pool};

fn crypto() -> SumacCrypto {
    SumacCrypto::new(2, 2).unwrap()
}

fn folder(variable: &str) -> PathBuf {
    std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} names no folder")).into()
}

/// Compares the library's answer (`alone`, which is None if the library refuses the input) with the answers of SumacCrypto and of
/// revm's code.
fn expect_agreement<T: PartialEq + Debug>(alone: Option<T>, ours: Result<T, PrecompileHalt>, theirs: Result<T, PrecompileHalt>) {
    assert_eq!(alone.as_ref(), theirs.as_ref().ok());
    assert_eq!(ours, theirs);
}

// ---- Inputs ----

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as usize
    }

    fn scalar(&mut self) -> [u8; 32] {
        match self.below(8) {
            0 => [0; 32],
            1 => [0xff; 32],
            2 => {
                let mut small = [0; 32];
                small[31] = self.below(4) as u8;
                small
            }
            _ => std::array::from_fn(|_| self.below(256) as u8),
        }
    }
}

fn big_endian(raw: &[u8], size: usize) -> Vec<u8> {
    raw.chunks(size).flat_map(|number| number.iter().rev().copied()).collect()
}

/// Returns points of the subgroup. Among them are infinity, a repeated point, and a point and its negative.
fn good_points(name: &str, group: &str) -> Vec<Vec<u8>> {
    let context = &mut Context::cpu(1).unwrap();
    let curve = Curve::find(name, group).unwrap();
    let size = curve.point_bytes();
    let known = Bases::known(context, curve, 8, 7).run().unwrap();
    let mut raw = known.points(context, 0..8).unwrap();
    let last = Bases::new(context, curve, &raw[7 * size..]).run().unwrap();
    raw.extend(last.msm(context, &[0xff]).scalar_bytes(1).scalar_signed(true).run().unwrap());
    raw.extend_from_within(..size);
    raw.resize(raw.len() + size, 0);
    raw.chunks(size).map(|point| big_endian(point, curve.field_bytes())).collect()
}

/// Returns a point off the curve, a point with a coordinate of p or more, and, if one exists, a point of the curve outside the
/// subgroup.
fn bad_points(name: &str, group: &str) -> Vec<Vec<u8>> {
    let context = &mut Context::cpu(1).unwrap();
    let curve = Curve::find(name, group).unwrap();
    let beside = big_endian(&curve.generator(), curve.field_bytes()).into_iter().enumerate();
    let beside = beside.map(|(i, byte)| if i + 1 == curve.point_bytes() { byte ^ 1 } else { byte }).collect();
    let modulus: Vec<u8> = curve.modulus().iter().rev().flat_map(|word| word.to_be_bytes()).collect();
    let large = modulus.into_iter().chain(std::iter::repeat(0)).take(curve.point_bytes()).collect();
    let outside = (1..100).find_map(|x| {
        let mut compressed = vec![0; curve.point_bytes() / 2];
        compressed[0] = 0x80;
        compressed[curve.point_bytes() / 2 - 1] = x;
        let format = if name == "bn254" { "gnark-compressed" } else { "zcash-compressed" };
        let raw = points_decode(context, curve, &compressed, Some(format), Check::Curve).ok()?;
        points_decode(context, curve, &raw, None, Check::Subgroup).err()?;
        Some(big_endian(&raw, curve.field_bytes()))
    });
    assert_eq!(outside.is_none(), curve.cofactor_is_one());
    [beside, large].into_iter().chain(outside).collect()
}

/// Chooses some of the points, and sometimes one of the bad points.
fn choose<'a>(random: &mut Random, count: usize, good: &'a [Vec<u8>], bad: &'a [Vec<u8>]) -> Vec<&'a [u8]> {
    let mut chosen: Vec<_> = (0..count).map(|_| &good[random.below(good.len())][..]).collect();
    if count > 0 && random.below(3) == 0 {
        chosen[random.below(count)] = &bad[random.below(bad.len())];
    }
    chosen
}

fn part<const N: usize>(bytes: &[u8], index: usize) -> [u8; N] {
    bytes[index * N..(index + 1) * N].try_into().unwrap()
}

fn g1_point(bytes: &[u8]) -> G1Point {
    (part(bytes, 0), part(bytes, 1))
}

fn g2_point(bytes: &[u8]) -> G2Point {
    (part(bytes, 0), part(bytes, 1), part(bytes, 2), part(bytes, 3))
}

// ---- Comparisons with revm's code ----

#[test]
fn bn254() {
    let (crypto, random) = (crypto(), &mut Random(1));
    let (g1, bad_g1) = (good_points("bn254", "g1"), bad_points("bn254", "g1"));
    let swap = |point: Vec<u8>| [&point[32..64], &point[..32], &point[96..], &point[64..96]].concat();
    let [g2, bad_g2] =
        [good_points("bn254", "g2"), bad_points("bn254", "g2")].map(|list| list.into_iter().map(swap).collect::<Vec<_>>());
    for _ in 0..100 {
        let (point, scalar) = (choose(random, 1, &g1, &bad_g1)[0], random.scalar());
        expect_agreement(
            crypto.calls.bn254_g1_mul(point, &scalar),
            crypto.bn254_g1_mul(point, &scalar),
            DefaultCrypto.bn254_g1_mul(point, &scalar),
        );
    }
    for _ in 0..60 {
        let count = random.below(4);
        let pairs: Vec<_> = choose(random, count, &g1, &bad_g1).into_iter().zip(choose(random, count, &g2, &bad_g2)).collect();
        expect_agreement(
            crypto.calls.bn254_pairing_check(&pairs),
            crypto.bn254_pairing_check(&pairs),
            DefaultCrypto.bn254_pairing_check(&pairs),
        );
    }
    // e(P, Q) * e(-P, Q) = 1.
    let pairs = [(&g1[7][..], &g2[0][..]), (&g1[8], &g2[0])];
    assert_eq!(crypto.calls.bn254_pairing_check(&pairs), Some(true));
    // If revm's code does not expect a length, the library leaves the input to that code.
    assert_eq!(crypto.calls.bn254_g1_mul(&g1[0][..63], &[0; 32]), None);
    assert_eq!(crypto.calls.bn254_g1_mul(&g1[0], &[0; 33]), None);
    assert_eq!(crypto.calls.bn254_pairing_check(&[(&g1[0], &g2[0][..127])]), None);
}

/// Returns the pairs of a sum, one of which may be an error.
fn some_pairs<P>(random: &mut Random, points: Vec<&[u8]>, point: fn(&[u8]) -> P) -> Vec<Pair<(P, [u8; 32])>> {
    let mut pairs: Vec<_> = points.into_iter().map(|bytes| Ok((point(bytes), random.scalar()))).collect();
    if !pairs.is_empty() && random.below(8) == 0 {
        let at = random.below(pairs.len());
        pairs[at] = Err(PrecompileHalt::Bls12381FpPaddingInvalid);
    }
    pairs
}

#[test]
fn bls12_381_sums() {
    let (crypto, random) = (crypto(), &mut Random(2));
    let (g1, bad_g1) = (good_points("bls12-381", "g1"), bad_points("bls12-381", "g1"));
    let (g2, bad_g2) = (good_points("bls12-381", "g2"), bad_points("bls12-381", "g2"));
    for round in 0..80 {
        let count = if round % 20 == 19 { 40 } else { random.below(5) };
        let points = choose(random, count, &g1, &bad_g1);
        let pairs = some_pairs(random, points, g1_point);
        expect_agreement(
            crypto.calls.bls12_381_g1_msm(&pairs),
            crypto.bls12_381_g1_msm(&mut pairs.iter().cloned()),
            DefaultCrypto.bls12_381_g1_msm(&mut pairs.iter().cloned()),
        );
        let points = choose(random, count, &g2, &bad_g2);
        let pairs = some_pairs(random, points, g2_point);
        expect_agreement(
            crypto.calls.bls12_381_g2_msm(&pairs),
            crypto.bls12_381_g2_msm(&mut pairs.iter().cloned()),
            DefaultCrypto.bls12_381_g2_msm(&mut pairs.iter().cloned()),
        );
    }
}

#[test]
fn bls12_381_pairings() {
    let (crypto, random) = (crypto(), &mut Random(3));
    let (g1, bad_g1) = (good_points("bls12-381", "g1"), bad_points("bls12-381", "g1"));
    let (g2, bad_g2) = (good_points("bls12-381", "g2"), bad_points("bls12-381", "g2"));
    for _ in 0..60 {
        let count = random.below(4);
        let g1_points = choose(random, count, &g1, &bad_g1).into_iter().map(g1_point);
        let pairs: Vec<_> = g1_points.zip(choose(random, count, &g2, &bad_g2).into_iter().map(g2_point)).collect();
        expect_agreement(
            crypto.calls.bls12_381_pairing_check(&pairs),
            crypto.bls12_381_pairing_check(&pairs),
            DefaultCrypto.bls12_381_pairing_check(&pairs),
        );
    }
    let pairs = [(g1_point(&g1[7]), g2_point(&g2[0])), (g1_point(&g1[8]), g2_point(&g2[0]))];
    assert_eq!(crypto.calls.bls12_381_pairing_check(&pairs), Some(true));
}

#[test]
fn bls12_381_maps() {
    let (crypto, random) = (crypto(), &mut Random(4));
    let modulus: Vec<u8> =
        Curve::find("bls12-381", "g1").unwrap().modulus().iter().rev().flat_map(|word| word.to_be_bytes()).collect();
    // Formulas may fail at 0, at 1, at p - 1, at inputs with a denominator 0, and at inputs that are mapped to infinity. The number
    // p is refused.
    let mut numbers: Vec<[u8; 48]> = vec![[0; 48], [0; 48], part(&modulus, 0), part(&modulus, 0)];
    numbers[1][47] = 1;
    numbers[2][47] -= 1;
    for text in [
        "146850b3bdc2495ed73bb803dfaa951a88abff0acb5c7aeac52b48f3c808e87ce3885b98ce916e17caef21a6cbc6b598",
        "0a92437e90bc473049ab549b4c4a145feb4fb5cd39f7ee85c11fa62a8f5317220b398be420ca5d8364d460f6ee1efd29",
    ] {
        numbers.push(hex::decode(text).unwrap().try_into().unwrap());
    }
    numbers.extend((0..30).map(|_| std::array::from_fn::<u8, 48, _>(|i| random.below(if i == 0 { 0x1a } else { 256 }) as u8)));
    for number in &numbers {
        expect_agreement(
            crypto.calls.bls12_381_fp_to_g1(number),
            crypto.bls12_381_fp_to_g1(number),
            DefaultCrypto.bls12_381_fp_to_g1(number),
        );
        for other in [&numbers[0], &numbers[3], &numbers[random.below(numbers.len())]] {
            for pair in [(*number, *other), (*other, *number)] {
                expect_agreement(
                    crypto.calls.bls12_381_fp2_to_g2(&pair),
                    crypto.bls12_381_fp2_to_g2(pair),
                    DefaultCrypto.bls12_381_fp2_to_g2(pair),
                );
            }
        }
    }
}

/// The test reads the vectors of the consensus specification, whose output is null for invalid inputs.
#[test]
fn kzg() {
    let crypto = crypto();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder("SUMAC_TEST_DATA").join("tests/verify_kzg_proof/kzg-mainnet")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path().join("data.yaml")).unwrap();
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap();
            hex::decode(line.trim().trim_matches('\'')).ok()
        };
        let numbers = (value("z:").and_then(|z| z.try_into().ok()), value("y:").and_then(|y| y.try_into().ok()));
        let points = (value("commitment:").and_then(|c| c.try_into().ok()), value("proof:").and_then(|p| p.try_into().ok()));
        let ((Some(z), Some(y)), (Some(commitment), Some(proof))) = (numbers, points) else {
            continue; // the type can't hold an input of this length
        };
        let answer = text.lines().find_map(|line| line.strip_prefix("output: ")).unwrap().parse().ok();
        assert_eq!(crypto.calls.verify_kzg_proof(&z, &y, &commitment, &proof), answer, "{text}");
        assert_eq!(crypto.verify_kzg_proof(&z, &y, &commitment, &proof).is_ok(), answer == Some(true));
        seen += 1;
    }
    assert!(seen > 50, "{seen} vectors");
}

#[test]
fn what_there_is_no_memory_for_is_left_to_revm() {
    let limited = || Pool::new(ContextConfig { memory_limit: 1, ..ContextConfig::cpu(1) }, 1).unwrap();
    // Prepared points also need memory.
    assert!(Calls::new(limited()).is_err());
    let mut crypto = crypto();
    crypto.calls.pool = limited();
    let pairs: Vec<_> = good_points("bls12-381", "g1").iter().map(|point| Ok((g1_point(point), [7; 32]))).collect();
    assert_eq!(crypto.calls.bls12_381_g1_msm(&pairs), None);
    let theirs = DefaultCrypto.bls12_381_g1_msm(&mut pairs.iter().cloned());
    assert!(theirs.is_ok());
    assert_eq!(crypto.bls12_381_g1_msm(&mut pairs.into_iter()), theirs);
}

#[test]
fn threads_share_it() {
    let crypto = crypto();
    let g1 = good_points("bls12-381", "g1");
    let (crypto, g1) = (&crypto, &g1);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let random = &mut Random(thread);
                for _ in 0..20 {
                    let points = choose(random, 3, g1, g1);
                    let pairs = some_pairs(random, points, g1_point);
                    let theirs = DefaultCrypto.bls12_381_g1_msm(&mut pairs.iter().cloned());
                    assert_eq!(crypto.bls12_381_g1_msm(&mut pairs.iter().cloned()), theirs);
                }
            });
        }
    });
}

// ---- Vectors ----

/// An implementation that has only the library's functions, without revm's code as a fallback.
#[derive(Debug)]
struct Alone(SumacCrypto);

fn or_refused<T>(answer: Option<T>) -> Result<T, PrecompileHalt> {
    answer.ok_or(PrecompileHalt::other_static("refused"))
}

impl Crypto for Alone {
    fn bn254_g1_mul(&self, point: &[u8], scalar: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
        or_refused(self.0.calls.bn254_g1_mul(point, scalar))
    }
    fn bn254_pairing_check(&self, pairs: &[(&[u8], &[u8])]) -> Result<bool, PrecompileHalt> {
        or_refused(self.0.calls.bn254_pairing_check(pairs))
    }
    fn bls12_381_g1_msm(&self, pairs: &mut dyn Iterator<Item = Pair<G1PointScalar>>) -> Result<[u8; 96], PrecompileHalt> {
        or_refused(self.0.calls.bls12_381_g1_msm(&pairs.collect::<Vec<_>>()))
    }
    fn bls12_381_g2_msm(&self, pairs: &mut dyn Iterator<Item = Pair<G2PointScalar>>) -> Result<[u8; 192], PrecompileHalt> {
        or_refused(self.0.calls.bls12_381_g2_msm(&pairs.collect::<Vec<_>>()))
    }
    fn bls12_381_pairing_check(&self, pairs: &[(G1Point, G2Point)]) -> Result<bool, PrecompileHalt> {
        or_refused(self.0.calls.bls12_381_pairing_check(pairs))
    }
    fn bls12_381_fp_to_g1(&self, fp: &[u8; 48]) -> Result<[u8; 96], PrecompileHalt> {
        or_refused(self.0.calls.bls12_381_fp_to_g1(fp))
    }
    fn bls12_381_fp2_to_g2(&self, fp2: ([u8; 48], [u8; 48])) -> Result<[u8; 192], PrecompileHalt> {
        or_refused(self.0.calls.bls12_381_fp2_to_g2(&fp2))
    }
    fn verify_kzg_proof(&self, z: &[u8; 32], y: &[u8; 32], commitment: &[u8; 48], proof: &[u8; 48]) -> Result<(), PrecompileHalt> {
        let holds = or_refused(self.0.calls.verify_kzg_proof(z, y, commitment, proof))?;
        holds.then_some(()).ok_or(PrecompileHalt::BlobVerifyKzgProofFailed)
    }
}

/// The names of go-ethereum's files, and the address of the precompile that each of them tests.
const VECTORS: [(&str, u64); 13] = [
    ("bn256Add", 6),
    ("bn256ScalarMul", 7),
    ("bn256Pairing", 8),
    ("pointEvaluation", 10),
    ("blsG1Add", 11),
    ("blsG1Mul", 12),
    ("blsG1MultiExp", 12),
    ("blsG2Add", 13),
    ("blsG2Mul", 14),
    ("blsG2MultiExp", 14),
    ("blsPairing", 15),
    ("blsMapG1", 16),
    ("blsMapG2", 17),
];

#[test]
fn vectors() {
    assert!(install_crypto(Alone(crypto())));
    let folder = folder("SUMAC_REVM_VECTORS");
    let (mut right, mut refused) = (0, 0);
    for (name, address) in VECTORS {
        let precompile = Precompiles::prague().get(&u64_to_address(address)).unwrap();
        for file in [format!("{name}.json"), format!("fail-{name}.json")] {
            let Ok(text) = std::fs::read(folder.join(&file)) else {
                assert!(file.starts_with("fail-bn256") || file == "fail-pointEvaluation.json", "{file}");
                continue;
            };
            for vector in serde_json::from_slice::<Vec<serde_json::Value>>(&text).unwrap() {
                let input = hex::decode(vector["Input"].as_str().unwrap()).unwrap();
                let output = precompile.execute(&input, u64::MAX, 0).unwrap();
                match vector["Expected"].as_str() {
                    Some(expected) => {
                        assert!(output.is_success() && output.bytes == hex::decode(expected).unwrap(), "{file} {vector}");
                        right += 1;
                    }
                    None => {
                        assert!(output.is_halt(), "{file} {vector}");
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{right} vectors with an answer, {refused} that are refused");
    assert!(right > 900 && refused > 55, "{right}, {refused}");
}
