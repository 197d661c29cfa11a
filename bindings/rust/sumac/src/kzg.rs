// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::Context;
use crate::error::{bad_length, c_path, Result};
use crate::options::Check;
use crate::pass::{ask, call, make, raw};
use std::path::Path;
use sumac_sys as sys;

/// 4096 field elements of 32 bytes.
pub type Blob = [u8; sys::SUMAC_KZG_BLOB_BYTES];
/// 64 field elements.
pub type Cell = [u8; sys::SUMAC_KZG_CELL_BYTES];
/// One field element, big-endian.
pub type Bytes32 = [u8; 32];
/// A compressed point of G1: a commitment or a proof.
pub type Bytes48 = [u8; 48];
/// A compressed point of G2.
pub type Bytes96 = [u8; 96];
/// Cells of an extended blob.
pub const CELLS: usize = sys::SUMAC_KZG_CELLS;

crate::handle! {
    /// A trusted setup of Ethereum's, with its derived tables. Calls are those of the consensus specification, for any number of blobs
    /// or cells at once.
    KzgSetup(sumac_kzg_setup, sumac_kzg_setup_destroy)
}

/// Check that two arguments have the same length.
fn alike(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    bad_length(format!("there are {found} {what}, and must be {expected}"))
}

/// Allocate arrays in one block on the heap.
fn arrays<const N: usize>(count: usize) -> Result<Vec<[u8; N]>> {
    let mut memory: Vec<[u8; N]> = Vec::new();
    if memory.try_reserve_exact(count).is_err() {
        return bad_length(format!("there is no memory for {count} results of {N} bytes"));
    }
    // Arrays of bytes may be all zero. They are zeroed in place, because a blob may not fit on the stack.
    unsafe {
        memory.as_mut_ptr().write_bytes(0, count);
        memory.set_len(count);
    }
    Ok(memory)
}

impl KzgSetup {
    /// Open trusted_setup.txt, or a file of [`KzgSetup::save`].
    pub fn open(context: &mut Context, path: impl AsRef<Path>, check: Check) -> Result<KzgSetup> {
        let path = c_path(path.as_ref())?;
        let raw = make!(context, sumac_kzg_setup_open, &path, check)?;
        Ok(KzgSetup { raw })
    }

    /// Make a setup of compressed points, in the order of trusted_setup.txt: 4096, 4096 and 65.
    pub fn new(
        context: &mut Context,
        g1_monomial: &[Bytes48],
        g1_lagrange: &[Bytes48],
        g2_monomial: &[Bytes96],
        check: Check,
    ) -> Result<KzgSetup> {
        let raw = make!(
            context,
            sumac_kzg_setup_create,
            g1_monomial,
            g1_monomial.len(),
            g1_lagrange,
            g1_lagrange.len(),
            g2_monomial,
            g2_monomial.len(),
            check
        )?;
        Ok(KzgSetup { raw })
    }

    /// Derive the tables for proofs of cells, in at most `table_bytes` bytes; 0: 64 MiB.
    pub fn make_tables(&mut self, context: &mut Context, table_bytes: u64) -> Result<()> {
        call!(context, sumac_kzg_setup_make_tables, self, table_bytes)
    }

    /// True if the setup has the tables for proofs of cells.
    pub fn has_tables(&self) -> bool {
        unsafe { sys::sumac_kzg_setup_has_tables(self.raw.as_ptr()) != 0 }
    }

    /// The bytes of its tables on one device.
    pub fn table_bytes(&self) -> u64 {
        raw!(sumac_kzg_setup_table_bytes, self)
    }

    /// Save the setup to a file, with its tables.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path.as_ref())?;
        call!(context, sumac_kzg_setup_save, self, &path)
    }

    /// blob_to_kzg_commitment.
    pub fn commit(&self, context: &mut Context, blobs: &[Blob]) -> Result<Vec<Bytes48>> {
        let mut commitments = arrays::<48>(blobs.len())?;
        call!(context, sumac_kzg_commit_batch, self, blobs, blobs.len(), &mut commitments[..])?;
        Ok(commitments)
    }

    /// compute_kzg_proof: proofs and values at one evaluation point for each blob.
    pub fn compute_proof(&self, context: &mut Context, blobs: &[Blob], zs: &[Bytes32]) -> Result<(Vec<Bytes48>, Vec<Bytes32>)> {
        alike("places", zs.len(), blobs.len())?;
        let (mut proofs, mut ys) = (arrays::<48>(blobs.len())?, arrays::<32>(blobs.len())?);
        call!(context, sumac_kzg_compute_proof_batch, self, blobs, zs, blobs.len(), &mut proofs[..], &mut ys[..])?;
        Ok((proofs, ys))
    }

    /// compute_blob_kzg_proof.
    pub fn compute_blob_proof(&self, context: &mut Context, blobs: &[Blob], commitments: &[Bytes48]) -> Result<Vec<Bytes48>> {
        alike("commitments", commitments.len(), blobs.len())?;
        let mut proofs = arrays::<48>(blobs.len())?;
        call!(context, sumac_kzg_compute_blob_proof_batch, self, blobs, commitments, blobs.len(), &mut proofs[..])?;
        Ok(proofs)
    }

    /// verify_kzg_proof for one or several proofs: true if all hold.
    pub fn verify_proof(
        &self,
        context: &mut Context,
        commitments: &[Bytes48],
        zs: &[Bytes32],
        ys: &[Bytes32],
        proofs: &[Bytes48],
    ) -> Result<bool> {
        let count = commitments.len();
        alike("places", zs.len(), count)?;
        alike("values", ys.len(), count)?;
        alike("proofs", proofs.len(), count)?;
        ask!(context, sumac_kzg_verify_proof_batch, self, commitments, zs, ys, proofs, count)
    }

    /// verify_blob_kzg_proof.
    pub fn verify_blob_proof(&self, context: &mut Context, blob: &Blob, commitment: &Bytes48, proof: &Bytes48) -> Result<bool> {
        ask!(context, sumac_kzg_verify_blob_proof, self, &blob[..], &commitment[..], &proof[..])
    }

    /// verify_blob_kzg_proof_batch.
    pub fn verify_blob_proof_batch(
        &self,
        context: &mut Context,
        blobs: &[Blob],
        commitments: &[Bytes48],
        proofs: &[Bytes48],
    ) -> Result<bool> {
        alike("commitments", commitments.len(), blobs.len())?;
        alike("proofs", proofs.len(), blobs.len())?;
        ask!(context, sumac_kzg_verify_blob_proof_batch, self, blobs, commitments, proofs, blobs.len())
    }

    /// compute_cells: [`CELLS`] for each blob.
    pub fn compute_cells(&self, context: &mut Context, blobs: &[Blob]) -> Result<Vec<Cell>> {
        let mut cells = arrays(blobs.len() * CELLS)?;
        call!(context, sumac_kzg_compute_cells_batch, self, blobs, blobs.len(), &mut cells[..])?;
        Ok(cells)
    }

    /// compute_cells_and_kzg_proofs, after [`KzgSetup::make_tables`].
    pub fn compute_cells_and_proofs(&self, context: &mut Context, blobs: &[Blob]) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        let (mut cells, mut proofs) = (arrays(blobs.len() * CELLS)?, arrays::<48>(blobs.len() * CELLS)?);
        call!(context, sumac_kzg_compute_cells_and_proofs_batch, self, blobs, blobs.len(), &mut cells[..], &mut proofs[..])?;
        Ok((cells, proofs))
    }

    /// Compute only the proofs of the cells, after [`KzgSetup::make_tables`].
    pub fn compute_cell_proofs(&self, context: &mut Context, blobs: &[Blob]) -> Result<Vec<Bytes48>> {
        let mut proofs = arrays::<48>(blobs.len() * CELLS)?;
        call!(context, sumac_kzg_compute_cell_proofs_batch, self, blobs, blobs.len(), &mut proofs[..])?;
        Ok(proofs)
    }

    /// recover_cells_and_kzg_proofs, for blobs that all have the same cells, after [`KzgSetup::make_tables`]. As in the
    /// specification, cells beyond half of them are not compared with the recovered ones.
    pub fn recover_cells_and_proofs(
        &self,
        context: &mut Context,
        cell_indices: &[u64],
        cells: &[Cell],
    ) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        let count = blobs_of(cell_indices, cells)?;
        let (mut recovered, mut proofs) = (arrays(count * CELLS)?, arrays::<48>(count * CELLS)?);
        call!(
            context,
            sumac_kzg_recover_cells_and_proofs_batch,
            self,
            cell_indices,
            cell_indices.len(),
            cells,
            count,
            &mut recovered[..],
            &mut proofs[..]
        )?;
        Ok((recovered, proofs))
    }

    /// Recover cells, and compare them with the given ones: if they are inconsistent, the error is [`crate::Status::Mismatch`], and
    /// `odd` is the blob and the wrong cell, none if it is not known.
    pub fn recover_cells_and_proofs_checked(
        &self,
        context: &mut Context,
        cell_indices: &[u64],
        cells: &[Cell],
        odd: &mut Option<(usize, Option<u64>)>,
    ) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        let count = blobs_of(cell_indices, cells)?;
        let (mut recovered, mut proofs) = (arrays(count * CELLS)?, arrays::<48>(count * CELLS)?);
        let (mut blob, mut cell) = (usize::MAX, CELLS as u64);
        let outcome = call!(
            context,
            sumac_kzg_recover_cells_and_proofs_batch_checked,
            self,
            cell_indices,
            cell_indices.len(),
            cells,
            count,
            &mut recovered[..],
            &mut proofs[..],
            &mut blob,
            &mut cell
        );
        *odd = (blob != usize::MAX).then_some((blob, (cell < CELLS as u64).then_some(cell)));
        outcome?;
        Ok((recovered, proofs))
    }

    /// verify_cell_kzg_proof_batch: true if all cells belong to their commitments, one for each cell.
    pub fn verify_cell_proofs(
        &self,
        context: &mut Context,
        commitments: &[Bytes48],
        cell_indices: &[u64],
        cells: &[Cell],
        proofs: &[Bytes48],
    ) -> Result<bool> {
        let count = cells.len();
        alike("commitments", commitments.len(), count)?;
        alike("cell indices", cell_indices.len(), count)?;
        alike("proofs", proofs.len(), count)?;
        ask!(context, sumac_kzg_verify_cell_proof_batch, self, commitments, cell_indices, cells, proofs, count)
    }
}

/// Count the blobs that the cells belong to.
fn blobs_of(cell_indices: &[u64], cells: &[Cell]) -> Result<usize> {
    if cell_indices.is_empty() || cells.len() % cell_indices.len() != 0 {
        return bad_length(format!("there are {} cells for {} indices", cells.len(), cell_indices.len()));
    }
    Ok(cells.len() / cell_indices.len())
}

/// compute_challenge: the evaluation point of [`KzgSetup::compute_blob_proof`].
pub fn blob_challenge(context: &mut Context, blob: &Blob, commitment: &Bytes48) -> Result<Bytes32> {
    let mut challenge = [0; 32];
    call!(context, sumac_kzg_blob_challenge, &blob[..], &commitment[..], &mut challenge[..])?;
    Ok(challenge)
}

/// compute_verify_cell_kzg_proof_batch_challenge, of distinct commitments and, for each cell, the index of its commitment.
pub fn cell_batch_challenge(
    context: &mut Context,
    commitments: &[Bytes48],
    commitment_indices: &[u64],
    cell_indices: &[u64],
    cells: &[Cell],
    proofs: &[Bytes48],
) -> Result<Bytes32> {
    let count = cells.len();
    alike("commitment indices", commitment_indices.len(), count)?;
    alike("cell indices", cell_indices.len(), count)?;
    alike("proofs", proofs.len(), count)?;
    let mut challenge = [0; 32];
    call!(
        context,
        sumac_kzg_cell_batch_challenge,
        commitments,
        commitments.len(),
        commitment_indices,
        cell_indices,
        cells,
        proofs,
        count,
        &mut challenge[..]
    )?;
    Ok(challenge)
}
