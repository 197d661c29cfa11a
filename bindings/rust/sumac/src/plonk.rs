// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Allocated;
use crate::call::Call;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, c_path, c_string, count_records, require_bytes, zeroed, Keep, Result};
use crate::options::{PlonkKeyConfig, PlonkProveConfig, PlonkSetupConfig};
use crate::pass::{ask, call, make, raw};
use std::ffi::CStr;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr::NonNull;
use sumac_sys as sys;

/// A description of a key of PLONK. For a verifying key wires, gates, additions, witness_bytes, key_bytes and
/// workspace_bytes are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlonkInfo {
    /// The first group.
    pub g1: Curve,
    /// The second group.
    pub g2: Curve,
    /// The number of wires of a witness.
    pub wires: u64,
    /// The number of public inputs.
    pub publics: u64,
    /// The number of gates.
    pub gates: u64,
    /// The number of wires that the key adds to those of a witness.
    pub additions: u64,
    /// The size of the domain of transforms.
    pub domain: u64,
    /// The size of a witness in bytes.
    pub witness_bytes: usize,
    /// The size in bytes of the public inputs of a proof.
    pub publics_bytes: usize,
    /// The size of a proof in bytes.
    pub proof_bytes: usize,
    /// The size in bytes of the random numbers of a proof.
    pub blinding_bytes: usize,
    /// The number of bytes of memory that the key occupies.
    pub key_bytes: u64,
    /// The number of bytes that a proof takes in addition, as it was planned for the context that opened the key.
    pub workspace_bytes: u64,
    /// The number of commitments, which gnark's circuits may have.
    pub commitments: usize,
    /// The format of the key's proofs: "snarkjs" or "gnark".
    pub format: &'static str,
    /// The protocol of the key, which is "plonk" or "fflonk".
    pub protocol: &'static str,
}

fn describe(ask: impl FnOnce(*mut sys::sumac_plonk_info) -> sys::sumac_status) -> PlonkInfo {
    let mut raw: sys::sumac_plonk_info = crate::fields::sized();
    assert_eq!(ask(&mut raw), sys::SUMAC_OK, "a key that is there is described");
    let curve = |raw| unsafe { Curve::of(raw) }.expect("a key has its curves");
    PlonkInfo {
        g1: curve(raw.g1),
        g2: curve(raw.g2),
        wires: raw.wires,
        publics: raw.publics,
        gates: raw.gates,
        additions: raw.additions,
        domain: raw.domain,
        witness_bytes: raw.witness_bytes as usize,
        publics_bytes: raw.publics_bytes as usize,
        proof_bytes: raw.proof_bytes as usize,
        blinding_bytes: raw.blinding_bytes as usize,
        key_bytes: raw.key_bytes,
        workspace_bytes: raw.workspace_bytes,
        commitments: raw.commitments as usize,
        format: unsafe { CStr::from_ptr(raw.format) }.to_str().expect("names are ASCII"),
        protocol: unsafe { CStr::from_ptr(raw.protocol) }.to_str().expect("names are ASCII"),
    }
}

/// Makes the proving key of a circuit (.r1cs) from powers of tau (.ptau), with the bytes that snarkjs makes. PLONK is
/// experimental.
pub fn plonk_setup<'a>(
    context: &'a mut Context,
    r1cs: impl AsRef<Path> + 'a,
    ptau: impl AsRef<Path> + 'a,
    zkey: impl AsRef<Path> + 'a,
) -> Call<'a, PlonkSetupConfig<'a>, Result<()>> {
    Call::new(context, move |context, config: &PlonkSetupConfig<'_>| {
        let (r1cs, ptau, zkey) = (c_path(r1cs)?, c_path(ptau)?, c_path(zkey)?);
        let mut keep = Keep::default();
        let config = config.raw(&mut keep)?;
        call!(context, sumac_plonk_setup, &r1cs, &ptau, &config, &zkey)
    })
}

crate::handle! {
    /// A key that verifies PLONK or FFLONK proofs of one circuit. Public inputs are raw scalars. A proof consists of raw points and
    /// raw scalars.
    PlonkVerifyingKey(sumac_plonk_verifying_key, sumac_plonk_verifying_key_destroy)
}

impl PlonkVerifyingKey {
    /// Opens a verification_key.json or a .zkey of snarkjs, or a key of gnark.
    pub fn open(context: &mut Context, path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path)?;
        let raw = make!(context, sumac_plonk_verifying_key_open, &path)?;
        Ok(Self { raw })
    }

    /// Reads a verifying key from a file's bytes.
    pub fn of_bytes(context: &mut Context, bytes: &[u8]) -> Result<Self> {
        let raw = make!(context, sumac_plonk_verifying_key_create, bytes, bytes.len())?;
        Ok(Self { raw })
    }

    /// Describes the key.
    pub fn info(&self) -> PlonkInfo {
        describe(|info| raw!(sumac_plonk_verifying_key_describe, self, info))
    }

    fn require_publics(&self, publics: &[u8], count: usize) -> Result<()> {
        require_bytes("public inputs", publics.len(), self.info().publics_bytes.saturating_mul(count))
    }

    /// Verifies one or more proofs for their public inputs. Returns true if all of them are valid.
    pub fn verify(&self, context: &mut Context, publics: &[u8], proofs: &[u8]) -> Result<bool> {
        let count = count_records("proofs", proofs.len(), self.info().proof_bytes)?;
        if count == 0 {
            return bad_length("there is no proof to verify".into());
        }
        self.require_publics(publics, count)?;
        ask!(context, sumac_plonk_verify, self, publics, publics.len(), proofs, proofs.len(), count)
    }

    /// Encodes a proof as the text of proof.json; the format is "snarkjs".
    pub fn encode_proof(&self, context: &mut Context, proof: &[u8], format: &str) -> Result<Vec<u8>> {
        require_bytes("a proof's bytes", proof.len(), self.info().proof_bytes)?;
        let (format, mut made, mut count) = (c_string(format)?, Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_plonk_proof_encode, self, proof, proof.len(), &format, &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Encodes public inputs as the text of public.json.
    pub fn encode_publics(&self, context: &mut Context, publics: &[u8], format: &str) -> Result<Vec<u8>> {
        self.require_publics(publics, 1)?;
        let (format, mut made, mut count) = (c_string(format)?, Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_plonk_publics_encode, self, publics, publics.len(), &format, &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Decodes a proof. Error messages refer to the bytes by this name.
    pub fn decode_proof(&self, context: &mut Context, bytes: &[u8], format: &str, name: &str) -> Result<Vec<u8>> {
        let (format, name, mut proof) = (c_string(format)?, c_string(name)?, zeroed(self.info().proof_bytes)?);
        let size = proof.len();
        call!(context, sumac_plonk_proof_decode, self, bytes, bytes.len(), &format, &name, &mut proof[..], size)?;
        Ok(proof)
    }

    /// Decodes public inputs. Error messages refer to the bytes by this name.
    pub fn decode_publics(&self, context: &mut Context, bytes: &[u8], format: &str, name: &str) -> Result<Vec<u8>> {
        let (format, name, mut publics) = (c_string(format)?, c_string(name)?, zeroed(self.info().publics_bytes)?);
        let size = publics.len();
        call!(context, sumac_plonk_publics_decode, self, bytes, bytes.len(), &format, &name, &mut publics[..], size)?;
        Ok(publics)
    }
}

crate::handle! {
    /// A proving key of PLONK that is resident where the context computes, with its verifying key.
    PlonkKey(sumac_plonk_key, sumac_plonk_key_destroy) { verifying: ManuallyDrop<PlonkVerifyingKey> }
}

impl PlonkKey {
    /// Opens a key of snarkjs (.zkey) or gnark, or a prepared key that [`PlonkKey::save`] wrote.
    pub fn open<'a>(context: &'a mut Context, path: impl AsRef<Path> + 'a) -> Call<'a, PlonkKeyConfig, Result<PlonkKey>> {
        Call::new(context, move |context, config| {
            let path = c_path(path)?;
            PlonkKey::make(context, config, |context, config, made| unsafe {
                sys::sumac_plonk_key_open(context, path.as_ptr(), config, made)
            })
        })
    }

    /// Reads a proving key from a file's bytes.
    pub fn of_bytes<'a>(context: &'a mut Context, bytes: &'a [u8]) -> Call<'a, PlonkKeyConfig, Result<PlonkKey>> {
        Call::new(context, move |context, config| {
            PlonkKey::make(context, config, |context, config, made| unsafe {
                sys::sumac_plonk_key_create(context, bytes.as_ptr().cast(), bytes.len(), config, made)
            })
        })
    }

    fn make(
        context: &mut Context,
        config: &PlonkKeyConfig,
        make: impl FnOnce(
            *mut sys::sumac_context,
            *const sys::sumac_plonk_key_config,
            *mut *mut sys::sumac_plonk_key,
        ) -> sys::sumac_status,
    ) -> Result<PlonkKey> {
        let config = config.raw(&mut Keep::default())?;
        let raw = context.make(|context, made| make(context, &config, made))?;
        let part = unsafe { sys::sumac_plonk_key_verifying(raw.as_ptr()) }.cast_mut();
        let part = NonNull::new(part).expect("a key has a verifying key");
        Ok(PlonkKey { raw, verifying: ManuallyDrop::new(PlonkVerifyingKey { raw: part }) })
    }

    /// Describes the key.
    pub fn info(&self) -> PlonkInfo {
        describe(|info| raw!(sumac_plonk_key_describe, self, info))
    }

    /// Returns the verifying key of the proving key.
    pub fn verifying(&self) -> &PlonkVerifyingKey {
        &self.verifying
    }

    /// Saves a prepared key, without its values on cosets.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        call!(context, sumac_plonk_key_save, self, &path)
    }

    /// Reads a witness from a .wtns file.
    pub fn open_witness(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<Vec<u8>> {
        let (path, mut made, mut count) = (c_path(path)?, Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_plonk_witness_open, self, &path, &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Reads a witness from a file's bytes.
    pub fn witness_of_bytes(&self, context: &mut Context, bytes: &[u8]) -> Result<Vec<u8>> {
        let (mut made, mut count) = (Allocated(std::ptr::null_mut()), 0);
        call!(context, sumac_plonk_witness_create, self, bytes, bytes.len(), &mut made.0, &mut count)?;
        Ok(unsafe { made.to_vec(count) })
    }

    /// Returns the public inputs of a witness.
    pub fn publics(&self, context: &mut Context, witness: &[u8]) -> Result<Vec<u8>> {
        let mut publics = zeroed(self.info().publics_bytes)?;
        let size = publics.len();
        call!(context, sumac_plonk_witness_publics, self, witness, witness.len(), &mut publics[..], size)?;
        Ok(publics)
    }

    /// Computes the value of commitment `which` while a circuit of gnark is being solved. The value is the output of gnark's hint.
    /// `values` are the hint's other inputs. Before the value come two raw random numbers, which belong to the witness.
    pub fn commit(&self, context: &mut Context, which: usize, values: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
        let scalars = self.info().g1.scalar_bytes();
        let (mut numbers, mut value) = (zeroed(2 * scalars)?, zeroed(scalars)?);
        call!(
            context,
            sumac_plonk_commit,
            self,
            which,
            values,
            values.len(),
            &mut numbers[..],
            2 * scalars,
            &mut value[..],
            scalars
        )?;
        Ok((numbers, value))
    }

    /// Computes a proof for each witness. Each proof is verified before it is returned.
    pub fn prove<'a>(&'a self, context: &'a mut Context, witnesses: &'a [u8]) -> Call<'a, PlonkProveConfig<'a>, Result<Vec<u8>>> {
        Call::new(context, move |context, config: &PlonkProveConfig<'_>| {
            let info = self.info();
            let count = count_records("witnesses", witnesses.len(), info.witness_bytes)?;
            if let Some(numbers) = config.blinding {
                require_bytes("random numbers", numbers.len(), count.saturating_mul(info.blinding_bytes))?;
            }
            let mut raw = config.raw(&mut Keep::default())?;
            raw.blinding_bytes = config.blinding.map_or(0, <[u8]>::len);
            let mut proofs = zeroed(count.saturating_mul(info.proof_bytes))?;
            let size = proofs.len();
            call!(context, sumac_plonk_prove, self, witnesses, witnesses.len(), count, &raw, &mut proofs[..], size)?;
            Ok(proofs)
        })
    }
}
