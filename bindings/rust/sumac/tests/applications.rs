// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Vectors, openings, blobs and proofs are compared with arithmetic on small numbers, with consensus vectors, and with the
//! reference's proofs.
mod common;
use common::*;
use std::ops::Range;
use std::sync::Arc;
use sumac::*;

/// Returns small numbers as a vector's elements.
fn scalars(curve: Curve, values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|v| raw_scalar(curve, *v)).collect()
}

/// Returns multiples of the generator.
fn multiples(context: &mut Context, curve: Curve, values: &[u64]) -> Vec<u8> {
    let generator = Bases::new(context, curve, &curve.generator()).run().unwrap();
    values.iter().flat_map(|v| generator.msm(context, &raw_scalar(curve, *v)).run().unwrap()).collect()
}

#[test]
fn vectors() {
    let mut context = Context::cpu(2).unwrap();
    let c = &mut context;
    let curve = Curve::all()[0];
    let vector =
        |c: &mut Context, values: &[u64]| Vector::of(c, curve, VectorKind::Scalars, &scalars(curve, values)).run().unwrap();
    let (a, b) = (vector(c, &[1, 2, 3, 4]), vector(c, &[10, 20]));
    let is = |c: &mut Context, found: &Vector, expected: &[u64]| {
        assert_eq!(found.to_vec(c).unwrap(), scalars(curve, expected));
    };
    let sum = a.add(c, &b, 1).unwrap();
    is(c, &sum, &[11, 22, 13, 24]);
    let product = a.multiply(c, &b, 2).unwrap();
    is(c, &product, &[10, 20, 60, 80]);
    let difference = sum.subtract(c, &a, 1).unwrap();
    is(c, &difference, &[10, 20, 10, 20]);
    let rows = a.sum(c, 2).unwrap();
    is(c, &rows, &[3, 7]);
    let turned = a.transpose(c, 2, 2).unwrap();
    is(c, &turned, &[1, 3, 2, 4]);
    let mut own = Vector::new(c, curve, VectorKind::Scalars, 4).unwrap();
    own.copy_from(c, &a, 0..4, 0..4).unwrap();
    own.add_assign(c, &a, 1).unwrap();
    is(c, &own, &[2, 4, 6, 8]);
    own.subtract_assign(c, &a, 1).unwrap();
    own.multiply_assign(c, &a, 1).unwrap();
    is(c, &own, &[1, 4, 9, 16]);
    own.bit_reverse(c, 4).unwrap();
    is(c, &own, &[1, 9, 4, 16]);
    own.gather(c, &a, 2, &[1, 0]).unwrap();
    is(c, &own, &[3, 4, 1, 2]);
    own.copy_from(c, &a, Slice { first: 0, runs: 2, length: 1, stride: 2 }, 1..3).unwrap_err();
    own.fill(c, &raw_scalar(curve, 5)).unwrap();
    own.scale_powers(c, None, Some(&raw_scalar(curve, 2)), 4).unwrap();
    is(c, &own, &[5, 10, 20, 40]);
    own.invert(c).unwrap();
    own.invert(c).unwrap();
    is(c, &own, &[5, 10, 20, 40]);
    // Running sums and products of vectors are computed, and columns of integers become scalars.
    own.scan(c, 2, Scan::Sum, false).unwrap();
    is(c, &own, &[5, 15, 20, 60]);
    own.scan(c, 4, Scan::Product, true).unwrap();
    is(c, &own, &[1, 5, 75, 1500]);
    let fused = a.multiply_add(c, &b, 2, &own).unwrap();
    is(c, &fused, &[11, 25, 135, 1580]);
    own.multiply_add_assign(c, &b, 1, &a).unwrap();
    is(c, &own, &[11, 102, 753, 30004]);
    own.set_integers(c, 0, &[250u8, 7]).unwrap();
    own.set_integers(c, 2, &[-3i32, 40]).unwrap();
    own.scan(c, 4, Scan::Sum, false).unwrap();
    is(c, &own, &[250, 257, 254, 294]);
    own.set_integers(c, 0, &[5u64, 10, 20, 40]).unwrap();
    assert_eq!(own.set(c, 0, &[0; 6]).scalar_bytes(3).run().unwrap_err().kind(), ErrorKind::BadArgument);
    // Transforms give values at 1 and -1. They are inverted, and run on a coset and on points.
    own.ntt(c).length(2).run().unwrap();
    assert_eq!(own.get(c, 0..1).run().unwrap(), raw_scalar(curve, 15));
    assert_eq!(own.get(c, 2..3).run().unwrap(), raw_scalar(curve, 60));
    own.ntt(c).length(2).inverse(true).run().unwrap();
    is(c, &own, &[5, 10, 20, 40]);
    let shift = raw_scalar(curve, 3);
    let coset = TransformConfig { shift: Some(&shift), length: 2, ..Default::default() };
    own.ntt(c).config(coset).run().unwrap();
    assert_eq!(own.get(c, 0..1).run().unwrap(), raw_scalar(curve, 5 + 3 * 10));
    // The values at 3 and -3 are divided by 3^2 - 1.
    own.divide_by_vanishing(c, 2).config(coset).run().unwrap();
    let eight = vector(c, &[8]);
    let whole = own.multiply(c, &eight, 1).unwrap();
    assert_eq!(whole.get(c, 0..1).run().unwrap(), raw_scalar(curve, 5 + 3 * 10));
    assert_eq!(own.ntt(c).shift(&shift[1..]).run().unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(own.ntt(c).root(&shift[1..]).run().unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(own.ntt(c).root(&shift).run().unwrap_err().kind(), ErrorKind::BadArgument);
    let raw = multiples(c, curve, &[5, 2]);
    let mut points = Vector::of(c, curve, VectorKind::Points, &raw).run().unwrap();
    points.ntt(c).run().unwrap();
    let expected = multiples(c, curve, &[7, 3]);
    assert_eq!(points.to_vec(c).unwrap(), expected);
    // An MSM has the scalars of a vector, and its bases are the points of a vector.
    let bases = Bases::of_vector(c, &points, 0..2).run().unwrap();
    let mut results = Vector::new(c, curve, VectorKind::Points, 3).unwrap();
    msm_vectors(c, &bases, &a, 1, 2, &mut results, 1).run().unwrap();
    let expected = multiples(c, curve, &[2 * 7 + 3 * 3]);
    assert_eq!(results.get(c, 1..2).run().unwrap(), expected);
    assert_eq!((results.kind(), results.curve(), results.len()), (VectorKind::Points, curve, 3));
    assert_eq!(curve.root_of_unity(1).unwrap().len(), curve.scalar_bytes());
    assert_eq!(curve.root_of_unity(200).unwrap_err().kind(), ErrorKind::NotSupported);
    assert!(own.get(c, 3..5).run().is_err() && own.set(c, 4, &shift).run().is_err());
    assert!(own.set(c, 0, &vec![255; curve.scalar_bytes()]).run().is_err());
}

/// Views and the caller's memory show the same scalars. A view's borrow of the vector ends with the view, and so does the borrow of
/// the memory.
#[test]
fn views_and_memory() {
    let mut context = Context::cpu(1).unwrap();
    let (c, curve) = (&mut context, Curve::all()[0]);
    let words = curve.scalar_bytes() / 8;
    let mut own = Vector::of(c, curve, VectorKind::Scalars, &scalars(curve, &[1, 2, 3, 4])).run().unwrap();
    let in_form: Vec<u64> = own.memory().to_vec();
    let bytes: Vec<u8> = in_form.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(own.get(c, 0..4).form(Form::Montgomery).run().unwrap(), bytes);
    let mut memory = in_form.clone();
    let mut wrapped = Vector::wrap_host(c, curve, &mut memory).unwrap();
    assert_eq!((wrapped.len(), wrapped.kind(), wrapped.curve()), (4, VectorKind::Scalars, curve));
    assert_eq!(wrapped.to_vec(c).unwrap(), scalars(curve, &[1, 2, 3, 4]));
    let (mut low, high) = wrapped.split_at_mut(c, 1).unwrap();
    let three = high.view(c, 1..2).unwrap();
    low.add_assign(c, &three, 1).unwrap();
    drop((low, three));
    drop(high);
    wrapped.view_mut(c, 2..4).unwrap().view_mut(c, 1..2).unwrap().fill(c, &raw_scalar(curve, 9)).unwrap();
    let seen = wrapped.view(c, 0..4).unwrap().to_vec(c).unwrap();
    assert_eq!(seen, scalars(curve, &[4, 2, 3, 9]));
    wrapped.memory_mut()[..words].copy_from_slice(&in_form[words..2 * words]);
    assert_eq!(wrapped.to_vec(c).unwrap(), scalars(curve, &[2, 2, 3, 9]));
    for range in [3..5, 5..5, Range { start: 2, end: 1 }] {
        assert!(wrapped.view(c, range).is_err());
    }
    drop(wrapped);
    own.memory_mut().copy_from_slice(&memory);
    assert_eq!(own.to_vec(c).unwrap(), scalars(curve, &[2, 2, 3, 9]));
    let short = Vector::wrap_host(c, curve, &mut memory[..words - 1]).err().unwrap();
    assert_eq!(short.kind(), ErrorKind::BadLength);
    let device = unsafe { Vector::wrap_device(c, curve, memory.as_mut_ptr().cast(), 8 * words) };
    assert_eq!(device.err().unwrap().kind(), ErrorKind::BadArgument);
    let points = Vector::new(c, curve, VectorKind::Points, 2).unwrap();
    assert!(points.memory().is_empty() && points.as_ptr().is_null());
}

#[test]
fn openings() {
    // The test needs a curve with a pairing.
    let Ok(curve) = Curve::find("bn254", "g1").or_else(|_| Curve::find("bls12-381", "g1")) else { return };
    let mut context = Context::cpu(2).unwrap();
    let (c, folder) = (&mut context, Folder::new("fk20"));
    // An SRS of s = 2, and f = 1 + 2X + 3X^2 + 4X^3: f(2) = 49, f(1) = 10, (f - 10)/(X - 1) at 2 is 39.
    let powers = multiples(c, curve, &[1, 2, 4, 8]);
    let srs = Bases::new(c, curve, &powers).run().unwrap();
    let f = Vector::of(c, curve, VectorKind::Scalars, &scalars(curve, &[1, 2, 3, 4])).run().unwrap();
    let commitment = srs_commit(c, &srs, &f, 4).unwrap();
    let (f_at_s, quotient) = (multiples(c, curve, &[49]), multiples(c, curve, &[39]));
    assert_eq!(commitment.to_vec(c).unwrap(), f_at_s);
    let one = Vector::of(c, curve, VectorKind::Scalars, &raw_scalar(curve, 1)).run().unwrap();
    let (values, proofs) = srs_open(c, &srs, &f, 4, &one).unwrap();
    assert_eq!(values.to_vec(c).unwrap(), raw_scalar(curve, 10));
    assert_eq!(proofs.to_vec(c).unwrap(), quotient);
    let second = Curve::find(&curve.name(), "g2").unwrap();
    let g2 = multiples(c, second, &[1, 2]);
    let holds = |c: &mut Context, g2: &[u8], values| {
        srs_verify(c, curve, &powers[..curve.point_bytes()], g2, &commitment, &one, values, &proofs)
    };
    assert!(holds(c, &g2, &values).unwrap() && !holds(c, &g2, &one).unwrap());
    assert_eq!(holds(c, &g2[1..], &values).unwrap_err().kind(), ErrorKind::BadLength);
    let fk20 = Fk20::new(c, &srs, 4, 1, 0).unwrap();
    assert_eq!((fk20.n(), fk20.cell_elements()), (4, 1));
    let all = fk20.prove(c, &f, 1, Order::Natural).unwrap().to_vec(c).unwrap();
    assert_eq!(all[..curve.point_bytes()], quotient);
    fk20.save(c, folder.file("fk20")).unwrap();
    for other in [Fk20::new(c, &srs, 4, 1, 1 << 20).unwrap(), Fk20::open(c, &srs, 4, 1, folder.file("fk20")).unwrap()] {
        assert_eq!(other.prove(c, &f, 1, Order::Natural).unwrap().to_vec(c).unwrap(), all);
        assert!(other.table_bytes() > 0);
    }
    assert!(srs_commit(c, &srs, &f, 3).is_err() && srs_commit(c, &srs, &f, 0).is_err());
}

/// With s = 2, f = X^3 and g = 5 + X are opened at 0 and 1, and at 1. The factors are 1 and 7, and z is 4. The remainder of f is X,
/// so that h = (X^3 - X)/(X (X - 1)) + 7 = X + 8, and l/(X - 4) = (X^3 - 4 + 7*4*(X - 1) - 12 h)/(X - 4) = X^2 + 4X + 32.
#[test]
fn openings_at_several_points() {
    let Ok(curve) = Curve::find("bn254", "g1").or_else(|_| Curve::find("bls12-381", "g1")) else { return };
    let c = &mut Context::cpu(2).unwrap();
    let powers = multiples(c, curve, &[1, 2, 4, 8]);
    let srs = Bases::new(c, curve, &powers).run().unwrap();
    let vector = |c: &mut Context, n: &[u64]| Vector::of(c, curve, VectorKind::Scalars, &scalars(curve, n)).run().unwrap();
    let polynomials = vector(c, &[0, 0, 0, 1, 5, 1, 0, 0]);
    let (points, factors, z, other) = (vector(c, &[0, 1]), vector(c, &[1, 7]), vector(c, &[4]), vector(c, &[3]));
    let openings = Openings { points: &points, opened: &[1, 1, 0, 1], factors: &factors };
    let (quotient, first) = shplonk_quotient(c, &srs, &polynomials, 4, openings).unwrap();
    assert_eq!(quotient.to_vec(c).unwrap(), scalars(curve, &[8, 1, 0, 0]));
    assert_eq!(first.to_vec(c).unwrap(), multiples(c, curve, &[10]));
    let second = shplonk_open(c, &srs, &polynomials, openings, &quotient, &z).unwrap();
    assert_eq!(second.to_vec(c).unwrap(), multiples(c, curve, &[44]));
    let commitments = srs_commit(c, &srs, &polynomials, 4).unwrap();
    let both = multiples(c, curve, &[10, 44]);
    let proof = Vector::of(c, curve, VectorKind::Points, &both).run().unwrap();
    let g2 = multiples(c, Curve::find(&curve.name(), "g2").unwrap(), &[1, 2]);
    let g1 = &powers[..curve.point_bytes()];
    for (values, at, expected) in [([0, 1, 9, 6], &z, true), ([0, 1, 9, 7], &z, false), ([0, 1, 9, 6], &other, false)] {
        let values = vector(c, &values);
        assert_eq!(shplonk_verify(c, curve, g1, &g2, &commitments, openings, &values, at, &proof).unwrap(), expected);
    }
    let short = Openings { opened: &[1], ..openings };
    assert_eq!(shplonk_quotient(c, &srs, &polynomials, 4, short).err().unwrap().kind(), ErrorKind::BadLength);
    if curve.name() == "bn254" {
        // The digests of "abc", modulo r, as Python computes them.
        let sha256 = "0x294b2b66eb6cef6d18506fbad92a190c3767a8ca28eb28e8e86b1ea6220015aa";
        let keccak256 = "0x1d9f1708091409260f8435f1a5477e0a989dfe9ac0ab2fa5a862fffbb12d6c44";
        for (name, digest) in [("sha256", sha256), ("keccak256", keccak256)] {
            let mut found = challenge(c, curve, name, b"abc").unwrap();
            found.reverse();
            assert_eq!(found, hex(digest));
        }
    }
    assert_eq!(challenge(c, curve, "md5", b"abc").unwrap_err().kind(), ErrorKind::BadArgument);
}

#[test]
fn pairings() {
    let mut context = Context::cpu(2).unwrap();
    let c = &mut context;
    for name in ["bn254", "bls12-381"] {
        let (Some(g1), Some(g2)) = (curve(name, "g1"), curve(name, "g2")) else { continue };
        // e(-6 G, H) e(2 G, 3 H) = 1
        let generator = Bases::new(c, g1, &g1.generator()).run().unwrap();
        let first = [generator.msm(c, &[250]).scalar_bytes(1).scalar_signed(true).run().unwrap(), multiples(c, g1, &[2])].concat();
        let second = multiples(c, g2, &[1, 3]);
        assert!(pairing_check(c, g1, &first, &second, Check::Subgroup).unwrap());
        assert!(!pairing_check(c, g2, &first, &[&second[g2.point_bytes()..], &second[g2.point_bytes()..]].concat(), Check::None)
            .unwrap());
        let prepared = PairingPoints::new(c, g2, &second[..g2.point_bytes()], Check::Subgroup).unwrap();
        assert!(prepared.check(c, &first, &second[g2.point_bytes()..], Check::Subgroup).unwrap());
        assert!(prepared.check(c, &first, &second, Check::Subgroup).is_err());
        assert!(pairing_check(c, g1, &first, &second[1..], Check::None).is_err());
    }
}

/// Compares values with those that gnark-crypto computed, and checks that they are bilinear.
#[test]
fn values_of_pairings() {
    let c = &mut Context::cpu(2).unwrap();
    for name in ["bls12-377", "bls12-381", "bn254", "bw6-761"] {
        let (Some(g1), Some(g2)) = (curve(name, "g1"), curve(name, "g2")) else { continue };
        let Some(path) = data(&format!("pairings/gnark/{name}.json")) else { return };
        let file = Json::parse(&std::fs::read_to_string(path).unwrap());
        let points = |case: &Json| (raw_point(g1, case.get("g1")), raw_point(g2, case.get("g2")));
        for case in file.get("cases").list() {
            let (p, q) = points(case);
            let mut value = pairing_value(c, g1, &p, &q, Check::Subgroup).unwrap();
            value.reverse();
            assert_eq!(value, hex(&format!("0x{}", case.get("value").text())));
        }
        let (p, q) = points(&file.get("cases").list()[0]);
        let twice = [&q[..], &q[..]].concat();
        let times = |c: &mut Context, curve, point: &[u8], k: i8| {
            let bases = Bases::new(c, curve, point).run().unwrap();
            bases.msm(c, &k.to_le_bytes()).scalar_bytes(1).scalar_signed(true).run().unwrap()
        };
        // e(2P, 3Q) = e(P, Q) e(5P, Q)
        let (left, right) = (times(c, g1, &p, 2), times(c, g2, &q, 3));
        let both = [p.clone(), times(c, g1, &p, 5)].concat();
        let expected = pairing_value(c, g2, &both, &twice, Check::None).unwrap();
        assert_eq!(pairing_value(c, g1, &left, &right, Check::Subgroup).unwrap(), expected);
        let mut one = vec![0; expected.len()];
        one[0] = 1;
        assert_eq!(pairing_value(c, g1, &[], &[], Check::Subgroup).unwrap(), one);
        let both = [p.clone(), times(c, g1, &p, -1)].concat();
        assert_eq!(pairing_value(c, g1, &both, &twice, Check::Subgroup).unwrap(), one);
        assert_eq!(pairing_value(c, g1, &p, &twice, Check::None).unwrap_err().kind(), ErrorKind::BadLength);
    }
}

#[test]
fn maps() {
    let context = &mut Context::cpu(1).unwrap();
    let raw = |number: &str| -> Vec<u8> {
        (0..number.len()).step_by(2).rev().map(|i| u8::from_str_radix(&number[i..i + 2], 16).unwrap()).collect()
    };
    // This is a vector of RFC 9380's suite BLS12381G1_XMD:SHA-256_SSWU_NU_, for the empty message.
    let u = raw("156c8a6a2c184569d69a76be144b5cdc5141d2d2ca4fe341f011e25e3969c55ad9e9b9ce2eb833c81a908e5fa4ac5f03");
    let x = raw("184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ba");
    let y = raw("04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3");
    let Some(g1) = curve("bls12-381", "g1") else { return };
    assert_eq!(map_to_group(context, g1, &u).unwrap(), [x, y].concat());
    assert_eq!(map_to_group(context, g1, &[]).unwrap(), []);
    assert_eq!(map_to_group(context, g1, &u[1..]).unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(map_to_group(context, g1, &[255; 48]).unwrap_err().kind(), ErrorKind::BadEncoding);
    let Some(secp256k1) = curve("secp256k1", "g1") else { return };
    assert_eq!(map_to_group(context, secp256k1, &[0; 32]).unwrap_err().kind(), ErrorKind::NotSupported);
}

/// Returns the cases of a function: fields of one line each, by their names. Lists are not read.
fn consensus(function: &str) -> Vec<(String, Vec<(String, String)>)> {
    let Some(folder) = data(&format!("tests/{function}/kzg-mainnet")) else { return Vec::new() };
    let read = |case: std::fs::DirEntry| {
        let text = std::fs::read_to_string(case.path().join("data.yaml")).unwrap();
        let fields =
            text.lines().filter_map(|line| line.split_once(": ")).map(|(k, v)| (k.trim().into(), v.trim_matches('\'').into()));
        (case.file_name().to_string_lossy().into_owned(), fields.collect())
    };
    std::fs::read_dir(folder).unwrap().map(|case| read(case.unwrap())).collect()
}

fn array<const N: usize>(fields: &[(String, String)], name: &str) -> Option<[u8; N]> {
    let text = &fields.iter().find(|(key, _)| key == name)?.1;
    (text != "null").then(|| hex(text))?.try_into().ok()
}

fn blob(fields: &[(String, String)]) -> Option<Vec<Blob>> {
    let bytes = hex(&fields.iter().find(|(key, _)| key == "blob")?.1);
    blobs(&bytes)
}

/// Converts bytes to blobs on the heap.
fn blobs(bytes: &[u8]) -> Option<Vec<Blob>> {
    let size = std::mem::size_of::<Blob>();
    (bytes.len() % size == 0).then(|| bytes.chunks_exact(size).map(|chunk| chunk.try_into().unwrap()).collect())
}

#[test]
fn kzg() {
    let Some(path) = data("kzg/trusted_setup.txt").filter(|_| curve("bls12-381", "g2").is_some()) else { return };
    let (mut context, folder) = (Context::cpu(2).unwrap(), Folder::new("kzg"));
    let c = &mut context;
    let setup = KzgSetup::open(c, path).check(Check::None).cells(true).run().unwrap();
    assert!(setup.table_bytes() > 0);
    for (name, fields) in consensus("blob_to_kzg_commitment") {
        let found = blob(&fields).and_then(|blob| setup.commit(c, &blob).ok()).map(|all| all[0]);
        assert_eq!(found, array(&fields, "output"), "{name}");
    }
    for (name, fields) in consensus("verify_kzg_proof") {
        let found = (|| {
            let (commitment, z) = (array(&fields, "commitment")?, array(&fields, "z")?);
            let (y, proof) = (array(&fields, "y")?, array(&fields, "proof")?);
            setup.verify_proof(c, &[commitment], &[z], &[y], &[proof]).ok()
        })();
        let expected = fields.iter().find(|(key, _)| key == "output").and_then(|(_, value)| value.parse::<bool>().ok());
        assert_eq!(found, expected, "{name}");
    }
    for (name, fields) in consensus("compute_blob_kzg_proof") {
        let found =
            blob(&fields).and_then(|blob| Some(setup.compute_blob_proof(c, &blob, &[array(&fields, "commitment")?]).ok()?[0]));
        assert_eq!(found, array(&fields, "output"), "{name}");
    }
    for (name, fields) in consensus("compute_challenge") {
        let found = blob_challenge(c, &blob(&fields).unwrap()[0], &array(&fields, "commitment").unwrap()).ok();
        assert_eq!(found, array(&fields, "output"), "{name}");
    }
    let one = blobs(&std::fs::read(data("kzg/blob.bin").unwrap()).unwrap()).unwrap();
    let two = [one.as_slice(), &one].concat();
    let commitments = setup.commit(c, &two).unwrap();
    let proofs = setup.compute_blob_proof(c, &two, &commitments).unwrap();
    assert!(setup.verify_blob_proof(c, &two, &commitments, &proofs).unwrap());
    assert!(setup.verify_blob_proof(c, &one, &commitments[..1], &proofs[..1]).unwrap());
    assert!(!setup.verify_blob_proof(c, &one, &commitments[..1], &commitments[..1]).unwrap());
    let (opened, ys) = setup.compute_proof(c, &one, &[[0; 32]]).unwrap();
    assert!(setup.verify_proof(c, &commitments[..1], &[[0; 32]], &ys, &opened).unwrap());
    let (cells, cell_proofs) = setup.compute_cells_and_proofs(c, &one).unwrap();
    assert_eq!(setup.compute_cells(c, &one).unwrap(), cells);
    assert_eq!(setup.compute_cell_proofs(c, &one).unwrap(), cell_proofs);
    let indices: Vec<u64> = (0..100).collect();
    let all = vec![commitments[0]; 100];
    assert!(setup.verify_cell_proofs(c, &all, &indices, &cells[..100], &cell_proofs[..100]).unwrap());
    let challenge = cell_challenge(c, &commitments[..1], &[0; 100], &indices, &cells[..100], &cell_proofs[..100]);
    assert_ne!(challenge.unwrap(), [0; 32]);
    let (recovered, again) = setup.recover_cells_and_proofs(c, &indices, &cells[..100]).unwrap();
    assert!(recovered == cells && again == cell_proofs);
    let (mut wrong, mut odd) = (cells[..100].to_vec(), None);
    wrong[3][31] ^= 1;
    let error = setup.recover_cells_and_proofs_checked(c, &indices, &wrong, &mut odd).unwrap_err();
    assert_eq!((error.kind(), odd), (ErrorKind::Mismatch, Some((0, Some(3)))));
    setup.recover_cells_and_proofs_checked(c, &indices, &cells[..100], &mut odd).unwrap();
    assert_eq!(odd, None);
    for (what, error) in [
        ("commitments", setup.verify_cell_proofs(c, &all[1..], &indices, &cells[..100], &cell_proofs[..100]).err()),
        ("cells", setup.recover_cells_and_proofs(c, &indices, &cells[..99]).err()),
        ("places", setup.compute_proof(c, &one, &[]).err()),
    ] {
        assert!(error.is_some(), "{what}");
    }
    setup.save(c, folder.file("setup")).unwrap();
    let again = KzgSetup::open(c, folder.file("setup")).check(Check::None).run().unwrap();
    assert_eq!(again.table_bytes(), setup.table_bytes());
    assert_eq!(KzgSetup::new(c, &[], &[], &[]).check(Check::None).run().err().unwrap().kind(), ErrorKind::BadLength);
}

#[test]
fn groth16() {
    let Some(folder) = data("groth16/tiny-bn254").filter(|_| curve("bn254", "g2").is_some()) else { return };
    let (mut context, own) = (Context::cpu(2).unwrap(), Folder::new("groth16"));
    let c = &mut context;
    let key = Groth16Key::open(c, folder.join("key.zkey")).run().unwrap();
    let info = key.info();
    let witness = key.open_witness(c, folder.join("witness.wtns")).unwrap();
    assert_eq!(key.witness_of_bytes(c, &std::fs::read(folder.join("witness.wtns")).unwrap()).unwrap(), witness);
    key.check_witness(c, &witness, folder.join("circuit.r1cs")).unwrap();
    let numbers =
        [little("0x123456789abcdef0fedcba9876543210", info.g1.scalar_bytes()), little("0x2468ace13579bdf", info.g1.scalar_bytes())]
            .concat();
    let expected = std::fs::read(folder.join("expected.bin")).unwrap();
    assert_eq!(key.prove(c, &witness).randomness(&numbers).run().unwrap(), expected);
    let wires = Vector::of(c, info.g1, VectorKind::Scalars, &witness).run().unwrap();
    assert_eq!(key.prove_vector(c, &wires).randomness(&numbers).run().unwrap(), expected);
    let text = std::fs::read(folder.join("public.json")).unwrap();
    let verifying = key.verifying();
    let publics = verifying.decode_publics(c, &text, "snarkjs", "public.json").unwrap();
    assert_eq!(key.publics(c, &witness).unwrap(), publics);
    let proofs = key.prove(c, &witness.repeat(2)).run().unwrap();
    assert_eq!(proofs.len(), 2 * info.proof_bytes);
    assert!(verifying.verify(c, &publics, &proofs[..info.proof_bytes]).unwrap());
    assert!(verifying.verify(c, &publics.repeat(2), &proofs).unwrap());
    let mut wrong = publics.clone();
    wrong[0] ^= 1;
    assert!(!verifying.verify(c, &wrong, &expected).unwrap());
    assert_eq!(verifying.encode_publics(c, &publics, "snarkjs").unwrap(), text);
    for format in ["snarkjs", "gnark", "gnark-raw"] {
        let encoded = verifying.encode_proof(c, &expected, format).unwrap();
        assert_eq!(verifying.decode_proof(c, &encoded, format, "proof").unwrap(), expected);
        let encoded = verifying.encode_publics(c, &publics, format).unwrap();
        assert_eq!(verifying.decode_publics(c, &encoded, format, "public").unwrap(), publics);
    }
    assert_eq!(verifying.encode_proof(c, &expected, "json").unwrap_err().kind(), ErrorKind::UnknownFormat);
    let alone = Groth16VerifyingKey::open(c, folder.join("verification_key.json")).unwrap();
    assert!(alone.verify(c, &publics, &expected).unwrap() && alone.info().wires == 0);
    key.save(c, own.file("key")).unwrap();
    let prepared = Groth16Key::open(c, own.file("key")).check(Check::None).run().unwrap();
    assert_eq!(prepared.prove(c, &witness).randomness(&numbers).run().unwrap(), expected);
    // Wrong lengths and invalid proofs are refused.
    assert_eq!(key.prove(c, &witness[1..]).randomness(&numbers).run().unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(key.prove(c, &witness).randomness(&numbers[1..]).run().unwrap_err().kind(), ErrorKind::BadLength);
    for (publics, proofs) in [(&publics[1..], &expected[..]), (&publics[..], &proofs[..]), (&[][..], &[][..])] {
        assert_eq!(verifying.verify(c, publics, proofs).unwrap_err().kind(), ErrorKind::BadLength);
    }
    assert_eq!(key.publics(c, &witness[1..]).unwrap_err().kind(), ErrorKind::BadLength);
    let mut bad = witness.clone();
    *bad.last_mut().unwrap() = 0;
    bad[info.witness_bytes - info.g1.scalar_bytes()] ^= 1;
    assert_eq!(key.prove(c, &bad).randomness(&numbers).run().unwrap_err().kind(), ErrorKind::NotSatisfied);
    assert_eq!(Groth16VerifyingKey::of_bytes(c, b"{}").err().unwrap().kind(), ErrorKind::BadFile);
    let of_bytes = Groth16Key::of_bytes(c, &std::fs::read(folder.join("key.zkey")).unwrap()).run().unwrap();
    assert_eq!(of_bytes.prove(c, &witness).randomness(&numbers).run().unwrap(), expected);
    // A key of gnark shares its verifying key.
    let gnark = data("gnark/bn254").unwrap();
    let verifying = Arc::new(Groth16VerifyingKey::open(c, gnark.join("vk.raw")).unwrap());
    let key = Groth16Key::open(c, gnark.join("pk.raw")).verifying(&verifying).run().unwrap();
    drop(verifying);
    let solution = key.open_witness(c, gnark.join("solution")).unwrap();
    let proof = key.prove(c, &solution).run().unwrap();
    let publics = key.verifying().decode_publics(c, &std::fs::read(gnark.join("public")).unwrap(), "gnark", "public").unwrap();
    assert!(key.verifying().verify(c, &publics, &proof).unwrap());
}

/// The solver's values are those that gnark's solver had, and gnark's proof is ours for gnark's r and s.
/// Keys and proofs have the bytes of snarkjs', because the random numbers are those of tests/compat/plonk.
#[test]
fn plonk() {
    prove_as_snarkjs("plonk", "");
    prove_as_snarkjs("fflonk", "fflonk-");
}

fn prove_as_snarkjs(protocol: &str, prefix: &str) {
    let Some(folder) = data("plonk").filter(|_| curve("bn254", "g2").is_some()) else { return };
    let (mut context, own) = (Context::cpu(2).unwrap(), Folder::new(protocol));
    let (c, circuit, powers) = (&mut context, folder.join("tiny-bn254"), folder.join(format!("{prefix}bn254.ptau")));
    let folder = folder.join(format!("{prefix}tiny-bn254"));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    plonk_setup(c, circuit.join("circuit.r1cs"), powers, own.file("key")).protocol(protocol).run().unwrap();
    let zkey = std::fs::read(own.file("key")).unwrap();
    assert!(protocol == "fflonk" || zkey == read("key.zkey"));
    let key = PlonkKey::open(c, own.file("key")).compact(true).check(Check::Curve).run().unwrap();
    let (info, verifying) = (key.info(), key.verifying());
    assert_eq!((info.wires, info.publics, info.gates, info.additions, info.domain), (6, 2, 5, 1, 8));
    assert_eq!((info.protocol, verifying.info().protocol), (protocol, protocol));
    let mut blinding = vec![0; info.blinding_bytes];
    let mut power = [0u64; 4]; // 1000003^i
    power[0] = 1;
    for (i, number) in blinding.chunks_mut(32).enumerate() {
        let mut carry = 0u128;
        for limb in &mut power {
            carry += u128::from(*limb) * 1000003;
            *limb = carry as u64;
            carry >>= 64;
        }
        let mut sum = power;
        sum[0] += i as u64 + 1; // no sum here overflows its lowest limb
        for (bytes, limb) in number.chunks_mut(8).zip(sum) {
            bytes.copy_from_slice(&limb.to_le_bytes());
        }
    }
    let witness = key.open_witness(c, circuit.join("witness.wtns")).unwrap();
    assert_eq!(key.witness_of_bytes(c, &std::fs::read(circuit.join("witness.wtns")).unwrap()).unwrap(), witness);
    let publics = key.publics(c, &witness).unwrap();
    let proof = key.prove(c, &witness).blinding(&blinding).unverified(true).run().unwrap();
    assert!(verifying.encode_proof(c, &proof, "snarkjs").unwrap() == read("proof.json"));
    assert_eq!(verifying.encode_publics(c, &publics, "snarkjs").unwrap(), read("public.json"));
    assert_eq!(verifying.decode_proof(c, &read("proof.json"), "snarkjs", "proof.json").unwrap(), proof);
    assert_eq!(verifying.decode_publics(c, &read("public.json"), "snarkjs", "public.json").unwrap(), publics);
    let two = key.prove(c, &witness.repeat(2)).run().unwrap();
    let other = PlonkVerifyingKey::open(c, folder.join("verification_key.json")).unwrap();
    assert!(other.verify(c, &publics.repeat(2), &two).unwrap());
    let mut wrong = publics.repeat(2);
    wrong[0] ^= 1;
    assert!(!PlonkVerifyingKey::of_bytes(c, &zkey).unwrap().verify(c, &wrong, &two).unwrap());
    assert!(PlonkKey::of_bytes(c, &zkey).run().unwrap().info().key_bytes > info.key_bytes);
    let mut unsatisfied = witness.clone();
    unsatisfied[32] ^= 1;
    assert_eq!(key.prove(c, &unsatisfied).run().unwrap_err().kind(), ErrorKind::NotSatisfied);
    assert_eq!(key.prove(c, &witness).blinding(&blinding[1..]).run().unwrap_err().kind(), ErrorKind::BadLength);
    assert_eq!(verifying.verify(c, b"", b"").unwrap_err().kind(), ErrorKind::BadLength);
}

#[test]
fn plonk_gnark() {
    let Some(folder) = data("gnark-plonk/several-bn254").filter(|_| curve("bn254", "g2").is_some()) else { return };
    let mut context = Context::cpu(2).unwrap();
    let c = &mut context;
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let key = PlonkKey::of_bytes(c, &read("key")).run().unwrap();
    assert_eq!((key.info().commitments, key.info().format, key.info().publics), (3, "gnark", 2));
    let witness = key.open_witness(c, folder.join("solution")).unwrap();
    let proof = key.prove(c, &witness).blinding(&read("blinding")).run().unwrap();
    let verifying = key.verifying();
    assert!(verifying.encode_proof(c, &proof, "gnark").unwrap() == read("proof"));
    assert!(verifying.decode_proof(c, &read("proof.raw"), "gnark-raw", "proof").unwrap() == proof);
    let (numbers, value) = key.commit(c, 0, &[0; 32]).unwrap();
    assert_eq!((numbers.len(), value.len()), (64, 32));
    assert_eq!(key.commit(c, 3, &[0; 32]).unwrap_err().kind(), ErrorKind::BadArgument);
}

#[test]
fn groth16_commitments() {
    let Some(folder) = data("gnark").filter(|_| curve("bn254", "g2").is_some()) else { return };
    let c = &mut Context::cpu(2).unwrap();
    let file = |circuit: &str, name: &str| std::fs::read(folder.join(circuit).join(name)).unwrap();
    let numbers = file("several-bn254", "commitment_wires");
    let wires: Vec<u32> = numbers.chunks_exact(4).map(|n| u32::from_le_bytes(n.try_into().unwrap())).collect();
    let verifying = Arc::new(Groth16VerifyingKey::of_bytes(c, &file("several-bn254", "vk.raw")).unwrap());
    let bytes = file("several-bn254", "pk.raw");
    let wrong = Groth16Key::of_bytes(c, &bytes).verifying(&verifying).commitment_wires(&wires[1..]).run();
    assert_eq!(wrong.err().unwrap().kind(), ErrorKind::BadLength);
    let key = Groth16Key::of_bytes(c, &bytes).verifying(&verifying).commitment_wires(&wires).run().unwrap();
    assert_eq!(key.info().commitments, 3);
    let witness = key.witness_of_bytes(c, &file("several-bn254", "solution")).unwrap();
    let values: Vec<&[u8]> = witness.chunks_exact(32).collect();
    let given = [1, wires[1], wires[2]].map(|wire| values[wire as usize]).concat();
    let (point, value) = key.commit(c, 0, &given).unwrap();
    assert_eq!(value, values[wires[0] as usize]);
    let randomness = file("several-bn254", "randomness");
    let proof = key.prove(c, &witness).randomness(&randomness).run().unwrap();
    assert_eq!(proof[256..320], point[..]);
    assert_eq!(verifying.encode_proof(c, &proof, "gnark-raw").unwrap(), file("several-bn254", "proof.raw"));
    assert_eq!(key.commit(c, 3, &given).unwrap_err().kind(), ErrorKind::BadArgument);
    let hashing = Groth16VerifyingKey::of_bytes_hashing(c, &file("sha256", "vk.raw"), "sha256").unwrap();
    let publics = hashing.decode_publics(c, &file("sha256", "public"), "gnark", "public").unwrap();
    let proof = hashing.decode_proof(c, &file("sha256", "proof.raw"), "gnark", "proof").unwrap();
    assert!(hashing.verify(c, &publics, &proof).unwrap());
}
