// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Allocated;
use crate::call::Call;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, c_path, c_string, count_records, require_bytes, zeroed, Keep, Result};
use crate::options::{Groth16KeyConfig, Groth16ProveConfig};
use crate::pass::{ask, call, make, raw};
use crate::vector::Vector;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use sumac_sys as sys;

/// A description of a key. For a verifying key wires, domain, coefficients, witness_bytes and key_bytes are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groth16Info {
    /// The first group.
    pub g1: Curve,
    /// The second group.
    pub g2: Curve,
    /// The number of wires, including the constant wire.
    pub wires: u64,
    /// The number of public inputs.
    pub publics: u64,
    /// The size of the domain of transforms.
    pub domain: u64,
    /// The number of coefficients of the constraints' matrices.
    pub coefficients: u64,
    /// The size of a witness in bytes.
    pub witness_bytes: usize,
    /// The size in bytes of the public inputs of a proof.
    pub publics_bytes: usize,
    /// The size of a proof in bytes.
    pub proof_bytes: usize,
    /// The number of bytes of memory that the key occupies.
    pub key_bytes: u64,
    /// True if proofs can be verified with the key.
    pub has_verifying_key: bool,
    /// The number of commitments of a proof, which gnark's circuits may have.
    pub commitments: usize,
}

fn describe(ask: impl FnOnce(*mut sys::sumac_groth16_info) -> sys::sumac_status) -> Groth16Info {
    let mut raw: sys::sumac_groth16_info = crate::fields::sized();
    assert_eq!(ask(&mut raw), sys::SUMAC_OK, "a key that is there is described");
    let curve = |raw| unsafe { Curve::of(raw) }.expect("a key has its curves");
    Groth16Info {
        g1: curve(raw.g1),
        g2: curve(raw.g2),
        wires: raw.wires,
        publics: raw.publics,
        domain: raw.domain,
        coefficients: raw.coefficients,
        witness_bytes: raw.witness_bytes as usize,
        publics_bytes: raw.publics_bytes as usize,
        proof_bytes: raw.proof_bytes as usize,
        key_bytes: raw.key_bytes,
        has_verifying_key: raw.has_verifying_key != 0,
        commitments: raw.commitments as usize,
    }
}

crate::handle! {
    /// A key that verifies proofs of one circuit. Public inputs are raw scalars. A proof consists of the raw points A, B and C,
    /// and of those of gnark's commitments.
    Groth16VerifyingKey(sumac_groth16_verifying_key, sumac_groth16_verifying_key_destroy)
}

impl Groth16VerifyingKey {
    /// Opens a verification_key.json of snarkjs, a .zkey, a prepared key, or a verifying key of gnark.
    pub fn open(context: &mut Context, path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path)?;
        let raw = make!(context, sumac_groth16_verifying_key_open, &path)?;
        Ok(Self { raw })
    }

    /// Reads a verifying key from a file's bytes.
    pub fn of_bytes(context: &mut Context, bytes: &[u8]) -> Result<Self> {
        let raw = make!(context, sumac_groth16_verifying_key_create, bytes, bytes.len())?;
        Ok(Self { raw })
    }

    /// Reads a verifying key from a file's bytes, for proofs of gnark whose commitments have the hash "sha256" or
    /// "keccak256" instead of "xmd-sha256". Proving keys that are opened with it have the same hash.
    pub fn of_bytes_hashing(context: &mut Context, bytes: &[u8], hash: &str) -> Result<Self> {
        let hash = c_string(hash)?;
        let raw = make!(context, sumac_groth16_verifying_key_create_hashing, bytes, bytes.len(), &hash)?;
        Ok(Self { raw })
    }

    /// Describes the key.
    pub fn info(&self) -> Groth16Info {
        describe(|info| raw!(sumac_groth16_verifying_key_describe, self, info))
    }

    fn require_proof(&self, proof: &[u8]) -> Result<()> {
        require_bytes("a proof's bytes", proof.len(), self.info().proof_bytes)
    }

    fn require_publics(&self, publics: &[u8], count: usize) -> Result<()> {
        require_bytes("public inputs", publics.len(), self.info().publics_bytes.saturating_mul(count))
    }

    /// Verifies one or more proofs for their public inputs. Returns true if all of them are valid. Several proofs are verified
    /// together, which is several times as fast as verifying them one by one.
    pub fn verify(&self, context: &mut Context, publics: &[u8], proofs: &[u8]) -> Result<bool> {
        let count = count_records("proofs", proofs.len(), self.info().proof_bytes)?;
        if count == 0 {
            return bad_length("there is no proof to verify".into());
        }
        self.require_publics(publics, count)?;
        ask!(context, sumac_groth16_verify, self, publics, publics.len(), proofs, proofs.len(), count)
    }

    /// Encodes a proof in the format "snarkjs" (the text of proof.json), "gnark" or "gnark-raw".
    pub fn encode_proof(&self, context: &mut Context, proof: &[u8], format: &str) -> Result<Vec<u8>> {
        self.require_proof(proof)?;
        let (format, mut made, mut count) = (c_string(format)?, Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_groth16_proof_encode, self, proof, proof.len(), &format, &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Encodes public inputs as the text of public.json, or as gnark's public witness.
    pub fn encode_publics(&self, context: &mut Context, publics: &[u8], format: &str) -> Result<Vec<u8>> {
        self.require_publics(publics, 1)?;
        let (format, mut made, mut count) = (c_string(format)?, Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_groth16_publics_encode, self, publics, publics.len(), &format, &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Decodes a proof. Error messages refer to the bytes by this name.
    pub fn decode_proof(&self, context: &mut Context, bytes: &[u8], format: &str, name: &str) -> Result<Vec<u8>> {
        let (format, name, mut proof) = (c_string(format)?, c_string(name)?, zeroed(self.info().proof_bytes)?);
        let size = proof.len();
        call!(context, sumac_groth16_proof_decode, self, bytes, bytes.len(), &format, &name, &mut proof[..], size)?;
        Ok(proof)
    }

    /// Decodes public inputs. Error messages refer to the bytes by this name.
    pub fn decode_publics(&self, context: &mut Context, bytes: &[u8], format: &str, name: &str) -> Result<Vec<u8>> {
        let (format, name, mut publics) = (c_string(format)?, c_string(name)?, zeroed(self.info().publics_bytes)?);
        let size = publics.len();
        call!(context, sumac_groth16_publics_decode, self, bytes, bytes.len(), &format, &name, &mut publics[..], size)?;
        Ok(publics)
    }
}

/// The verifying key of a proving key. The caller shares it, or it is a part of the proving key.
enum Verifying {
    Shared(Arc<Groth16VerifyingKey>),
    Part(ManuallyDrop<Groth16VerifyingKey>),
}

crate::handle! {
    /// A proving key that is resident where the context computes, with its verifying key.
    Groth16Key(sumac_groth16_key, sumac_groth16_key_destroy) { verifying: Verifying }
}

impl Groth16Key {
    /// Opens a key of snarkjs (.zkey) or gnark, or a prepared key that [`Groth16Key::save`] wrote. Proofs with gnark's keys are
    /// verified only if [`Call::verifying`] gives the verifying key.
    pub fn open<'a>(context: &'a mut Context, path: impl AsRef<Path> + 'a) -> Call<'a, Groth16KeyConfig<'a>, Result<Groth16Key>> {
        Call::new(context, move |context, config| {
            let path = c_path(path)?;
            Groth16Key::make(context, config, |context, config, made| unsafe {
                sys::sumac_groth16_key_open(context, path.as_ptr(), config, made)
            })
        })
    }

    /// Reads a proving key from a file's bytes.
    pub fn of_bytes<'a>(context: &'a mut Context, bytes: &'a [u8]) -> Call<'a, Groth16KeyConfig<'a>, Result<Groth16Key>> {
        Call::new(context, move |context, config| {
            Groth16Key::make(context, config, |context, config, made| unsafe {
                sys::sumac_groth16_key_create(context, bytes.as_ptr().cast(), bytes.len(), config, made)
            })
        })
    }

    fn make(
        context: &mut Context,
        config: &Groth16KeyConfig<'_>,
        make: impl FnOnce(
            *mut sys::sumac_context,
            *const sys::sumac_groth16_key_config,
            *mut *mut sys::sumac_groth16_key,
        ) -> sys::sumac_status,
    ) -> Result<Groth16Key> {
        let wires = config.commitment_wires.map_or(0, <[u32]>::len);
        let (verifying, mut config) = (config.verifying.cloned(), config.raw(&mut Keep::default())?);
        config.commitment_wires_bytes = std::mem::size_of::<u32>() * wires;
        config.verifying = verifying.as_ref().map_or(std::ptr::null(), |key| key.raw.as_ptr().cast_const());
        let raw = context.make(|context, made| make(context, &config, made))?;
        let verifying = verifying.map(Verifying::Shared).unwrap_or_else(|| {
            let part = unsafe { sys::sumac_groth16_key_verifying(raw.as_ptr()) }.cast_mut();
            let part = NonNull::new(part).expect("a key has a verifying key");
            Verifying::Part(ManuallyDrop::new(Groth16VerifyingKey { raw: part }))
        });
        Ok(Groth16Key { raw, verifying })
    }

    /// Describes the key.
    pub fn info(&self) -> Groth16Info {
        describe(|info| raw!(sumac_groth16_key_describe, self, info))
    }

    /// Returns the verifying key of the proving key.
    pub fn verifying(&self) -> &Groth16VerifyingKey {
        match &self.verifying {
            Verifying::Shared(key) => key,
            Verifying::Part(key) => key,
        }
    }

    /// Saves the prepared key to a file. With [`crate::Check::None`], opening the file takes no longer than copying it.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        call!(context, sumac_groth16_key_save, self, &path)
    }

    /// Reads a witness from a .wtns file, or from a file of gnark's solver.
    pub fn open_witness(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<Vec<u8>> {
        let (path, mut made, mut count) = (c_path(path)?, Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_groth16_witness_open, self, &path, &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Reads a witness from a file's bytes.
    pub fn witness_of_bytes(&self, context: &mut Context, bytes: &[u8]) -> Result<Vec<u8>> {
        let (mut made, mut count) = (Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_groth16_witness_create, self, bytes, bytes.len(), &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Returns the public inputs of a witness.
    pub fn publics(&self, context: &mut Context, witness: &[u8]) -> Result<Vec<u8>> {
        let mut publics = zeroed(self.info().publics_bytes)?;
        let size = publics.len();
        call!(context, sumac_groth16_witness_publics, self, witness, witness.len(), &mut publics[..], size)?;
        Ok(publics)
    }

    /// Checks a witness against the circuit's constraints. If it does not satisfy one of them, the error is
    /// [`crate::ErrorKind::NotSatisfied`].
    pub fn check_witness(&self, context: &mut Context, witness: &[u8], r1cs: impl AsRef<Path>) -> Result<()> {
        require_bytes("a witness's bytes", witness.len(), self.info().witness_bytes)?;
        let path = c_path(r1cs)?;
        call!(context, sumac_groth16_witness_check, self, witness, witness.len(), &path)
    }

    /// Converts the options for the library, and allocates memory for proofs.
    fn prepare(&self, config: &Groth16ProveConfig<'_>, count: usize) -> Result<(sys::sumac_groth16_prove_config, Vec<u8>)> {
        let info = self.info();
        if let Some(numbers) = config.randomness {
            require_bytes("random numbers", numbers.len(), count.saturating_mul(2 * info.g1.scalar_bytes()))?;
        }
        let mut raw = config.raw(&mut Keep::default())?;
        raw.randomness_bytes = config.randomness.map_or(0, <[u8]>::len);
        Ok((raw, zeroed(count.saturating_mul(info.proof_bytes))?))
    }

    /// Computes commitment `which` and its value while a circuit of gnark is being solved. The value is the output of gnark's
    /// hint. `values` are the hint's other inputs: those that are only hashed, then those of the committed private wires.
    pub fn commit(&self, context: &mut Context, which: usize, values: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
        let g1 = self.info().g1;
        let (mut point, mut value) = (zeroed(g1.point_bytes())?, zeroed(g1.scalar_bytes())?);
        let (points, scalars) = (point.len(), value.len());
        call!(context, sumac_groth16_commit, self, which, values, values.len(), &mut point[..], points, &mut value[..], scalars)?;
        Ok((point, value))
    }

    /// Computes a proof for each witness. Each proof is verified before it is returned.
    pub fn prove<'a>(&'a self, context: &'a mut Context, witnesses: &'a [u8]) -> Call<'a, Groth16ProveConfig<'a>, Result<Vec<u8>>> {
        Call::new(context, move |context, config| {
            let count = count_records("witnesses", witnesses.len(), self.info().witness_bytes)?;
            let (config, mut proofs) = self.prepare(config, count)?;
            let size = proofs.len();
            call!(context, sumac_groth16_prove, self, witnesses, witnesses.len(), count, &config, &mut proofs[..], size)?;
            Ok(proofs)
        })
    }

    /// Computes proofs for witnesses in a vector, which lie where the context computes.
    pub fn prove_vector<'a>(
        &'a self,
        context: &'a mut Context,
        witnesses: &'a Vector<'_>,
    ) -> Call<'a, Groth16ProveConfig<'a>, Result<Vec<u8>>> {
        Call::new(context, move |context, config| {
            let wires = self.info().wires as usize;
            if wires == 0 || witnesses.len() % wires != 0 {
                return bad_length(format!("the vector has {} scalars, which are no witnesses of {wires} wires", witnesses.len()));
            }
            let count = witnesses.len() / wires;
            let (config, mut proofs) = self.prepare(config, count)?;
            let size = proofs.len();
            call!(context, sumac_groth16_prove_vector, self, witnesses, count, &config, &mut proofs[..], size)?;
            Ok(proofs)
        })
    }
}
