// SPDX-License-Identifier: Apache-2.0 OR MIT
//! These are the precompiles' calls over the library. They return None if the library refuses the input or cannot answer.
use revm_precompile::bls12_381::{G1Point, G1PointScalar, G2Point, G2PointScalar};
use revm_precompile::bls12_381_const::TRUSTED_SETUP_TAU_G2_BYTES;
use revm_precompile::PrecompileHalt;
use sumac::{map_to_group, pairing_check, points_decode, Bases, Check, Context, Curve, PairingPoints, Pool};

/// An item of revm's iterators: a pair, or the reason why it is invalid.
pub(crate) type Pair<T> = Result<T, PrecompileHalt>;

const COMPRESSED: Option<&str> = Some("zcash-compressed");

pub(crate) struct Calls {
    pub(crate) pool: Pool,
    bn254: Curve,
    bls_g1: Curve,
    bls_g2: Curve,
    /// r of BLS12-381, big-endian.
    bls_order: Vec<u8>,
    minus_g1: Vec<u8>,
    /// The points -G and tau*G in the second group, where tau is Ethereum's secret.
    kzg_points: PairingPoints,
}

/// Converts big-endian numbers to the library's raw form.
fn raw<'a>(bytes: usize, numbers: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let mut raw = Vec::new();
    raw.try_reserve_exact(bytes).ok()?;
    for number in numbers {
        raw.extend(number.iter().rev());
    }
    Some(raw)
}

/// Converts a raw point to big-endian coordinates of `size` bytes each.
fn big_endian<const BYTES: usize>(raw: &[u8], size: usize) -> Option<[u8; BYTES]> {
    let mut point: [u8; BYTES] = raw.try_into().ok()?;
    point.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    Some(point)
}

fn sum(context: &mut Context, curve: Curve, points: &[u8], check: Check, scalars: &[u8]) -> sumac::Result<Vec<u8>> {
    Bases::new(context, curve, points).check(check).run()?.msm(context, scalars).run()
}

fn minus_generator(context: &mut Context, curve: Curve) -> sumac::Result<Vec<u8>> {
    let generator = Bases::new(context, curve, &curve.generator()).check(Check::None).run()?;
    generator.msm(context, &[0xff]).scalar_bytes(1).scalar_signed(true).run()
}

fn g1_coordinates(point: &G1Point) -> [&[u8]; 2] {
    [&point.0, &point.1]
}

fn g2_coordinates(point: &G2Point) -> [&[u8]; 4] {
    [&point.0, &point.1, &point.2, &point.3]
}

impl Calls {
    pub(crate) fn new(pool: Pool) -> sumac::Result<Calls> {
        let find = Curve::find;
        let (bn254, bls_g1, bls_g2) = (find("bn254", "g1")?, find("bls12-381", "g1")?, find("bls12-381", "g2")?);
        let context = &mut pool.take()?;
        let mut g2_points = minus_generator(context, bls_g2)?;
        g2_points.extend(points_decode(context, bls_g2, &TRUSTED_SETUP_TAU_G2_BYTES, COMPRESSED, Check::Subgroup)?);
        let kzg_points = PairingPoints::new(context, bls_g2, &g2_points, Check::None)?;
        let minus_g1 = minus_generator(context, bls_g1)?;
        let bls_order = bls_g1.order().iter().rev().flat_map(|word| word.to_be_bytes()).collect();
        Ok(Calls { pool: pool.clone(), bn254, bls_g1, bls_g2, bls_order, minus_g1, kzg_points })
    }

    /// Computes one MSM with scalars of any size, after a check that the points lie in their subgroup.
    fn checked_sum(&self, curve: Curve, points: &[u8], scalars: &[u8]) -> Option<Vec<u8>> {
        sum(&mut self.pool.take().ok()?, curve, points, Check::Subgroup, scalars).ok()
    }

    fn checked_pairing(&self, curve: Curve, g1_points: &[u8], g2_points: &[u8]) -> Option<bool> {
        pairing_check(&mut self.pool.take().ok()?, curve, g1_points, g2_points, Check::Subgroup).ok()
    }

    pub(crate) fn bn254_g1_mul(&self, point: &[u8], scalar: &[u8]) -> Option<[u8; 64]> {
        if point.len() != 64 || scalar.len() != 32 {
            return None;
        }
        let product = self.checked_sum(self.bn254, &raw(64, point.chunks_exact(32))?, &raw(32, [scalar].into_iter())?)?;
        big_endian(&product, 32)
    }

    /// Checks pairings of EIP-197, in which a coordinate of the second group begins with its imaginary part.
    pub(crate) fn bn254_pairing_check(&self, pairs: &[(&[u8], &[u8])]) -> Option<bool> {
        if pairs.iter().any(|(g1, g2)| g1.len() != 64 || g2.len() != 128) {
            return None;
        }
        let g1_points = raw(64 * pairs.len(), pairs.iter().flat_map(|(g1, _)| g1.chunks_exact(32)))?;
        let coordinates = pairs.iter().flat_map(|(_, g2)| [&g2[32..64], &g2[..32], &g2[96..], &g2[64..96]]);
        let g2_points = raw(128 * pairs.len(), coordinates)?;
        self.checked_pairing(self.bn254, &g1_points, &g2_points)
    }

    pub(crate) fn bls12_381_g1_msm(&self, pairs: &[Pair<G1PointScalar>]) -> Option<[u8; 96]> {
        if pairs.iter().any(Result::is_err) {
            return None;
        }
        let points = raw(96 * pairs.len(), pairs.iter().flatten().flat_map(|(point, _)| g1_coordinates(point)))?;
        let scalars = raw(32 * pairs.len(), pairs.iter().flatten().map(|(_, scalar)| &scalar[..]))?;
        big_endian(&self.checked_sum(self.bls_g1, &points, &scalars)?, 48)
    }

    pub(crate) fn bls12_381_g2_msm(&self, pairs: &[Pair<G2PointScalar>]) -> Option<[u8; 192]> {
        if pairs.iter().any(Result::is_err) {
            return None;
        }
        let points = raw(192 * pairs.len(), pairs.iter().flatten().flat_map(|(point, _)| g2_coordinates(point)))?;
        let scalars = raw(32 * pairs.len(), pairs.iter().flatten().map(|(_, scalar)| &scalar[..]))?;
        big_endian(&self.checked_sum(self.bls_g2, &points, &scalars)?, 48)
    }

    pub(crate) fn bls12_381_pairing_check(&self, pairs: &[(G1Point, G2Point)]) -> Option<bool> {
        let g1_points = raw(96 * pairs.len(), pairs.iter().flat_map(|(point, _)| g1_coordinates(point)))?;
        let g2_points = raw(192 * pairs.len(), pairs.iter().flat_map(|(_, point)| g2_coordinates(point)))?;
        self.checked_pairing(self.bls_g1, &g1_points, &g2_points)
    }

    fn map(&self, curve: Curve, element: &[u8]) -> Option<Vec<u8>> {
        map_to_group(&mut self.pool.take().ok()?, curve, element).ok()
    }

    pub(crate) fn bls12_381_fp_to_g1(&self, element: &[u8; 48]) -> Option<[u8; 96]> {
        big_endian(&self.map(self.bls_g1, &raw(48, [&element[..]].into_iter())?)?, 48)
    }

    pub(crate) fn bls12_381_fp2_to_g2(&self, element: &([u8; 48], [u8; 48])) -> Option<[u8; 192]> {
        let element = raw(96, [&element.0[..], &element.1].into_iter())?;
        big_endian(&self.map(self.bls_g2, &element)?, 48)
    }

    /// Checks that e(C + z*proof - y*G, -G) * e(proof, tau*G) = 1, in which no point of the second group depends on the input.
    pub(crate) fn verify_kzg_proof(&self, z: &[u8; 32], y: &[u8; 32], commitment: &[u8; 48], proof: &[u8; 48]) -> Option<bool> {
        if z[..] >= self.bls_order[..] || y[..] >= self.bls_order[..] {
            return None;
        }
        let context = &mut self.pool.take().ok()?;
        let points = points_decode(context, self.bls_g1, &[*commitment, *proof].concat(), COMPRESSED, Check::Subgroup).ok()?;
        let mut one = [0; 32];
        one[31] = 1;
        let scalars = raw(96, [&one[..], z, y].into_iter())?;
        let bases = [&points[..], &self.minus_g1].concat();
        let mut g1_points = sum(context, self.bls_g1, &bases, Check::None, &scalars).ok()?;
        g1_points.extend(&points[96..]);
        self.kzg_points.check(context, &g1_points, &[], Check::None).ok()
    }
}
