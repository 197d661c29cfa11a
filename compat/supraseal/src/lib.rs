// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The interface of the crate supraseal-c2 0.1.2 over sumac, for `[patch.crates-io]`. bellperson's feature `cuda-supraseal`
//! uses it. `docs/dropins.md` says how. Circuits, proofs and files of parameters are bellperson's, over BLS12-381.
//!
//! Each proof is verified before it is returned. The functions that return nothing panic with a sentence if they fail, as
//! the original's do; [`try_generate_groth16_proofs`] returns the error instead.
use std::ffi::{c_char, c_void, CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use sumac_sys as _; // This links libsumac.

extern "C" {
    fn create_SRS(srs: *mut SRS, path: *const c_char, cache: bool) -> Error;
    fn evict_SRS(srs: *const SRS);
    fn drop_SRS(srs: *mut SRS);
    fn clone_SRS(srs: *const SRS) -> SRS;
    fn generate_groth16_proofs_c(
        assignments: *const c_void,
        count: usize,
        r_s: *const c_void,
        s_s: *const c_void,
        proofs: *mut c_void,
        srs: *const SRS,
    ) -> Error;
    fn strdup(text: *const c_char) -> *mut c_char;
    fn free(memory: *mut c_void);
}

/// An error: a code, which is a status of sumac and not 0, and a sentence.
#[repr(C)]
pub struct Error {
    pub code: i32,
    message: *mut c_char, // It is freed with free(); null: no sentence.
}

impl Error {
    /// Makes an error that is found before the C functions are called. The code is SUMAC_BAD_ARGUMENT.
    fn refused(sentence: &str) -> Self {
        let text = CString::new(sentence).unwrap_or_default();
        // SAFETY: the text ends with a 0.
        Error { code: 1, message: unsafe { strdup(text.as_ptr()) } }
    }

    fn into_result(self) -> Result<(), Self> {
        if self.code == 0 {
            Ok(())
        } else {
            Err(self)
        }
    }
}

// SAFETY: an error owns its sentence, which nothing changes.
unsafe impl Send for Error {}
unsafe impl Sync for Error {}

impl Drop for Error {
    fn drop(&mut self) {
        // SAFETY: the sentence was allocated with malloc(), or is null.
        unsafe { free(self.message.cast()) }
    }
}

impl From<&Error> for String {
    fn from(error: &Error) -> Self {
        if error.message.is_null() {
            return format!("sumac's status {}", error.code);
        }
        // SAFETY: the sentence ends with a 0.
        unsafe { CStr::from_ptr(error.message) }.to_string_lossy().into_owned()
    }
}

impl From<Error> for String {
    fn from(error: Error) -> Self {
        String::from(&error)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&String::from(self))
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Error {{ code: {}, message: {:?} }}", self.code, String::from(self))
    }
}

impl std::error::Error for Error {}

/// A handle of loaded parameters. Clones are handles of the same parameters.
#[repr(C)]
pub struct SRS {
    parameters: *const c_void,
}

impl Default for SRS {
    /// Returns a handle of no parameters, with which no proof can be made.
    fn default() -> Self {
        SRS { parameters: std::ptr::null() }
    }
}

impl SRS {
    /// Loads a file that bellperson's `Parameters::write` has written. With `cache`, a file that was loaded with the same path
    /// is not loaded again.
    pub fn try_new(srs_path: PathBuf, cache: bool) -> Result<Self, Error> {
        let path =
            CString::new(srs_path.as_os_str().as_bytes()).map_err(|_| Error::refused("the path of the parameters has a 0"))?;
        let mut srs = SRS::default();
        // SAFETY: the path ends with a 0, and the handle is written.
        unsafe { create_SRS(&mut srs, path.as_ptr(), cache) }.into_result().map(|()| srs)
    }

    /// Removes the path from the cache. Handles remain valid.
    pub fn evict(&self) {
        // SAFETY: the handle is valid.
        unsafe { evict_SRS(self) }
    }
}

impl Drop for SRS {
    fn drop(&mut self) {
        // SAFETY: the handle is not used any more.
        unsafe { drop_SRS(self) }
    }
}

impl Clone for SRS {
    fn clone(&self) -> Self {
        // SAFETY: the handle is valid.
        unsafe { clone_SRS(self) }
    }
}

// SAFETY: parameters do not change, and handles are counted atomically.
unsafe impl Sync for SRS {}
unsafe impl Send for SRS {}

/// One circuit's values, and the density maps of its variables: bit i % 64 of word i / 64 belongs to variable i.
#[repr(C)]
pub struct Assignment<Scalar> {
    pub a_aux_density: *const usize,
    pub a_aux_bit_len: usize,
    pub a_aux_popcount: usize,

    pub b_inp_density: *const usize,
    pub b_inp_bit_len: usize,
    pub b_inp_popcount: usize,

    pub b_aux_density: *const usize,
    pub b_aux_bit_len: usize,
    pub b_aux_popcount: usize,

    /// The values of each constraint's A, B and C, `abc_size` scalars each.
    pub a: *const Scalar,
    pub b: *const Scalar,
    pub c: *const Scalar,
    pub abc_size: usize,

    pub inp_assignment_data: *const Scalar,
    pub inp_assignment_size: usize,

    pub aux_assignment_data: *const Scalar,
    pub aux_assignment_size: usize,
}

fn require(holds: bool, sentence: &str) -> Result<(), Error> {
    if holds {
        Ok(())
    } else {
        Err(Error::refused(sentence))
    }
}

/// Computes and verifies a proof for each circuit. `S` is a scalar of blst, and `PR` has the points A, B and C.
pub fn try_generate_groth16_proofs<S, PR>(
    provers: &[Assignment<S>],
    r_s: &[S],
    s_s: &[S],
    proofs: &mut [PR],
    srs: &SRS,
) -> Result<(), Error> {
    let count = provers.len();
    require(std::mem::size_of::<S>() == 32, "a scalar must have 32 bytes")?;
    require(std::mem::size_of::<PR>() == 384, "a proof must have 384 bytes")?;
    require(r_s.len() == count && s_s.len() == count, "there must be as many random numbers as circuits")?;
    require(proofs.len() == count, "there must be as many proofs as circuits")?;
    // SAFETY: the slices have `count` elements of the sizes that the function expects. Only the caller can know if the
    // assignments' pointers are valid, as with the original.
    unsafe {
        generate_groth16_proofs_c(
            provers.as_ptr().cast(),
            count,
            r_s.as_ptr().cast(),
            s_s.as_ptr().cast(),
            proofs.as_mut_ptr().cast(),
            srs,
        )
    }
    .into_result()
}

/// Does the same as [`try_generate_groth16_proofs`], but panics if that fails.
pub fn generate_groth16_proofs<S, PR>(provers: &[Assignment<S>], r_s: &[S], s_s: &[S], proofs: &mut [PR], srs: &SRS) {
    if let Err(error) = try_generate_groth16_proofs(provers, r_s, s_s, proofs, srs) {
        panic!("{error}");
    }
}

/// Computes proofs as [`generate_groth16_proofs`] does, for circuits with the same density maps.
#[allow(clippy::too_many_arguments)]
pub fn generate_groth16_proof<S, D, PR>(
    ntt_a_scalars: &[*const S],
    ntt_b_scalars: &[*const S],
    ntt_c_scalars: &[*const S],
    ntt_scalars_actual_size: usize,
    input_assignments: &[*const S],
    aux_assignments: &[*const S],
    input_assignments_size: usize,
    aux_assignments_size: usize,
    a_aux_density_bv: &[D],
    b_g1_input_density_bv: &[D],
    b_g1_aux_density_bv: &[D],
    a_aux_total_density: usize,
    b_g1_input_total_density: usize,
    b_g1_aux_total_density: usize,
    num_circuits: usize,
    r_s: &[S],
    s_s: &[S],
    proofs: &mut [PR],
    srs: &SRS,
) {
    for pointers in [ntt_a_scalars, ntt_b_scalars, ntt_c_scalars, input_assignments, aux_assignments] {
        assert_eq!(pointers.len(), num_circuits, "each circuit must have a pointer");
    }
    assert_eq!(std::mem::size_of::<D>(), 8, "density maps must have words of 64 bits");
    let words = |variables: usize| variables.div_ceil(64);
    assert!(a_aux_density_bv.len() >= words(aux_assignments_size), "the density map of A is too short");
    assert!(b_g1_input_density_bv.len() >= words(input_assignments_size), "the inputs' density map of B is too short");
    assert!(b_g1_aux_density_bv.len() >= words(aux_assignments_size), "the density map of B is too short");
    let provers: Vec<_> = (0..num_circuits)
        .map(|circuit| Assignment {
            a_aux_density: a_aux_density_bv.as_ptr().cast(),
            a_aux_bit_len: aux_assignments_size,
            a_aux_popcount: a_aux_total_density,
            b_inp_density: b_g1_input_density_bv.as_ptr().cast(),
            b_inp_bit_len: input_assignments_size,
            b_inp_popcount: b_g1_input_total_density,
            b_aux_density: b_g1_aux_density_bv.as_ptr().cast(),
            b_aux_bit_len: aux_assignments_size,
            b_aux_popcount: b_g1_aux_total_density,
            a: ntt_a_scalars[circuit],
            b: ntt_b_scalars[circuit],
            c: ntt_c_scalars[circuit],
            abc_size: ntt_scalars_actual_size,
            inp_assignment_data: input_assignments[circuit],
            inp_assignment_size: input_assignments_size,
            aux_assignment_data: aux_assignments[circuit],
            aux_assignment_size: aux_assignments_size,
        })
        .collect();
    generate_groth16_proofs(&provers, r_s, s_s, proofs, srs);
}
