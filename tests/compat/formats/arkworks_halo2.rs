// SPDX-License-Identifier: Apache-2.0 OR MIT

//! This program writes the points of points.py with arkworks, halo2 and both lines of halo2curves.
//!
//!     interop POINTS.json DIRECTORY
//!
//! A file's name is DIRECTORY/FORM.CURVE, such as arkworks-compressed.bn254_g1. halo2's files have points of both groups, and
//! names such as halo2-raw.bn254.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{Field, PrimeField};
use ark_serialize::CanonicalSerialize;
use std::{collections::HashMap, fs, str::FromStr};

type Listed = HashMap<String, Vec<Option<Vec<String>>>>;

struct Args {
    listed: Listed,
    directory: String,
}

impl Args {
    fn path(&self, form: &str, curve: &str) -> String {
        format!("{}/{}.{}", self.directory, form, curve)
    }
}

fn coordinate<F: Field>(elements: &[String]) -> F
where
    <F::BasePrimeField as FromStr>::Err: std::fmt::Debug,
{
    F::from_base_prime_field_elems(elements.iter().map(|e| F::BasePrimeField::from_str(e).unwrap())).unwrap()
}

fn arkworks<P: SWCurveConfig>(args: &Args, curve: &str)
where
    <<P::BaseField as Field>::BasePrimeField as FromStr>::Err: std::fmt::Debug,
    <P::BaseField as Field>::BasePrimeField: PrimeField,
{
    let points: Vec<Affine<P>> = args.listed[curve]
        .iter()
        .map(|p| match p {
            None => Affine::identity(),
            Some(e) => Affine::new_unchecked(coordinate(&e[..e.len() / 2]), coordinate(&e[e.len() / 2..])),
        })
        .collect();
    let (mut first, mut second) = (vec![], vec![]);
    points.serialize_compressed(&mut first).unwrap();
    points.serialize_uncompressed(&mut second).unwrap();
    fs::write(args.path("arkworks-compressed", curve), first).unwrap();
    fs::write(args.path("arkworks-uncompressed", curve), second).unwrap();
}

// This writes parameters with the listed points, as halo2's write_custom() does: k, points of G1 twice, and two of G2,
// each written by the curve's library. $from makes an element of Fp from 32 bytes, little-endian.
macro_rules! halo2 {
    ($args:expr, $form:expr, $curves:ident) => {{
        use $curves::bn256::{Fq, Fq2, G1Affine, G2Affine};
        use $curves::group::{ff::PrimeField as _, prime::PrimeCurveAffine as _, GroupEncoding as _};
        use $curves::serde::SerdeObject as _;
        let fq = |e: &String| Fq::from_str_vartime(e).unwrap();
        let g1: Vec<G1Affine> = $args.listed["bn254_g1"][..8]
            .iter()
            .map(|p| p.as_ref().map_or(G1Affine::identity(), |e| G1Affine { x: fq(&e[0]), y: fq(&e[1]) }))
            .collect();
        let g2: Vec<G2Affine> = $args.listed["bn254_g2"][2..4]
            .iter()
            .map(|p| {
                let e = p.as_ref().unwrap();
                G2Affine { x: Fq2::new(fq(&e[0]), fq(&e[1])), y: Fq2::new(fq(&e[2]), fq(&e[3])) }
            })
            .collect();
        let (mut raw, mut processed) = (3u32.to_le_bytes().to_vec(), 3u32.to_le_bytes().to_vec());
        for p in g1.iter().chain(g1.iter().rev()) {
            p.write_raw(&mut raw).unwrap();
            processed.extend_from_slice(p.to_bytes().as_ref());
        }
        for p in &g2 {
            p.write_raw(&mut raw).unwrap();
            processed.extend_from_slice(p.to_bytes().as_ref());
        }
        fs::write($args.path(&format!("halo2-raw{}", $form), "bn254"), raw).unwrap();
        fs::write($args.path(&format!("halo2-processed{}", $form), "bn254"), processed).unwrap();
    }};
}

// This writes parameters that halo2 itself made, and a second file with their points as little-endian canonical
// coordinates.
fn halo2_setup(args: &Args) {
    use halo2_axiom::halo2curves::{bn256::Bn256, group::ff::PrimeField as _, group::prime::PrimeCurveAffine as _};
    use halo2_axiom::poly::commitment::ParamsProver as _;
    use halo2_axiom::{poly::kzg::commitment::ParamsKZG, SerdeFormat};
    let params = ParamsKZG::<Bn256>::setup(4, rand_core::OsRng);
    let write = |form, name| params.write_custom(&mut fs::File::create(args.path(name, "bn254")).unwrap(), form).unwrap();
    write(SerdeFormat::RawBytes, "halo2-setup-raw");
    write(SerdeFormat::Processed, "halo2-setup-processed");
    let plain = |points: &[_]| {
        let mut bytes = vec![];
        for p in points {
            let p: &halo2_axiom::halo2curves::bn256::G1Affine = p;
            bytes.extend_from_slice(p.x.to_repr().as_ref());
            bytes.extend_from_slice(p.y.to_repr().as_ref());
        }
        bytes
    };
    fs::write(args.path("halo2-setup-monomial", "bn254_g1"), plain(params.get_g())).unwrap();
    let s_g2 = params.s_g2();
    let g2 = halo2_axiom::halo2curves::bn256::G2Affine::generator();
    let mut bytes = vec![];
    for p in [g2, s_g2] {
        for c in [p.x.c0, p.x.c1, p.y.c0, p.y.c1] {
            bytes.extend_from_slice(c.to_repr().as_ref());
        }
    }
    fs::write(args.path("halo2-setup-monomial", "bn254_g2"), bytes).unwrap();
}

fn main() {
    let given: Vec<String> = std::env::args().collect();
    let args = Args {
        listed: serde_json::from_str(&fs::read_to_string(&given[1]).unwrap()).unwrap(),
        directory: given[2].clone(),
    };
    arkworks::<ark_bn254::g1::Config>(&args, "bn254_g1");
    arkworks::<ark_bn254::g2::Config>(&args, "bn254_g2");
    arkworks::<ark_bls12_381::g1::Config>(&args, "bls12_381_g1");
    arkworks::<ark_bls12_381::g2::Config>(&args, "bls12_381_g2");
    arkworks::<ark_bls12_377::g1::Config>(&args, "bls12_377_g1");
    arkworks::<ark_bls12_377::g2::Config>(&args, "bls12_377_g2");
    arkworks::<ark_bw6_761::g1::Config>(&args, "bw6_761_g1");
    arkworks::<ark_bw6_761::g2::Config>(&args, "bw6_761_g2");
    arkworks::<ark_grumpkin::GrumpkinConfig>(&args, "grumpkin_g1");
    arkworks::<ark_pallas::PallasConfig>(&args, "pallas_g1");
    arkworks::<ark_vesta::VestaConfig>(&args, "vesta_g1");
    arkworks::<ark_secp256k1::Config>(&args, "secp256k1_g1");
    halo2!(args, "", halo2curves);
    halo2!(args, "-before-0.7", halo2curves_axiom);
    halo2_setup(&args);
}
