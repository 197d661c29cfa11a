// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::call::Call;
use crate::context::Context;
use crate::error::{arrays, bad_length, c_path, Keep, Result};
use crate::options::KzgConfig;
use crate::pass::{ask, call, make, raw};
use std::path::Path;
use std::ptr::null_mut;
use sumac_sys as sys;

/// A blob: 4096 field elements of 32 bytes.
pub type Blob = [u8; sys::SUMAC_KZG_BLOB_BYTES];
/// A cell: 64 field elements.
pub type Cell = [u8; sys::SUMAC_KZG_CELL_BYTES];
/// One field element, big-endian.
pub type Bytes32 = [u8; 32];
/// A compressed point of G1: a commitment or a proof.
pub type Bytes48 = [u8; 48];
/// A compressed point of G2.
pub type Bytes96 = [u8; 96];
/// The number of cells of an extended blob.
pub const CELLS: usize = sys::SUMAC_KZG_CELLS;

crate::handle! {
    /// A trusted setup of Ethereum, with its derived tables. Its calls are those of the consensus specification, for any number of
    /// blobs or cells at once.
    KzgSetup(sumac_kzg_setup, sumac_kzg_destroy)
}

/// Checks that two arguments have the same length.
fn alike(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    bad_length(format!("there are {found} {what}, but there must be {expected}"))
}

impl KzgSetup {
    /// Opens trusted_setup.txt, or a file that [`KzgSetup::save`] wrote, whose tables are also read.
    pub fn open<'a>(context: &'a mut Context, path: impl AsRef<Path> + 'a) -> Call<'a, KzgConfig, Result<KzgSetup>> {
        Call::new(context, move |context, config: &KzgConfig| {
            let (path, config) = (c_path(path)?, config.raw(&mut Keep::default())?);
            let raw = make!(context, sumac_kzg_open, &path, &config)?;
            Ok(KzgSetup { raw })
        })
    }

    /// Makes a setup of 4096, 4096 and 65 compressed points, in the order of trusted_setup.txt.
    pub fn new<'a>(
        context: &'a mut Context,
        g1_monomial: &'a [Bytes48],
        g1_lagrange: &'a [Bytes48],
        g2_monomial: &'a [Bytes96],
    ) -> Call<'a, KzgConfig, Result<KzgSetup>> {
        Call::new(context, move |context, config: &KzgConfig| {
            let config = config.raw(&mut Keep::default())?;
            let (m, l, g) = (g1_monomial.len(), g1_lagrange.len(), g2_monomial.len());
            let raw = make!(context, sumac_kzg_create, g1_monomial, m, g1_lagrange, l, g2_monomial, g, &config)?;
            Ok(KzgSetup { raw })
        })
    }

    /// Returns the size in bytes of the tables for proofs of cells, on one device. If the setup has no tables, it is 0.
    pub fn table_bytes(&self) -> u64 {
        raw!(sumac_kzg_table_bytes, self)
    }

    /// Saves the setup to a file, with its tables.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        call!(context, sumac_kzg_save, self, &path)
    }

    /// Runs blob_to_kzg_commitment for each blob.
    pub fn commit(&self, context: &mut Context, blobs: &[Blob]) -> Result<Vec<Bytes48>> {
        let mut commitments = arrays::<48>(blobs.len())?;
        call!(context, sumac_kzg_commit, self, blobs, blobs.len(), &mut commitments[..])?;
        Ok(commitments)
    }

    /// Runs compute_kzg_proof for each blob. Returns the proofs, and the values at the evaluation points `zs`.
    pub fn compute_proof(&self, context: &mut Context, blobs: &[Blob], zs: &[Bytes32]) -> Result<(Vec<Bytes48>, Vec<Bytes32>)> {
        alike("places", zs.len(), blobs.len())?;
        let (mut proofs, mut ys) = (arrays::<48>(blobs.len())?, arrays::<32>(blobs.len())?);
        call!(context, sumac_kzg_compute_proof, self, blobs, zs, blobs.len(), &mut proofs[..], &mut ys[..])?;
        Ok((proofs, ys))
    }

    /// Runs compute_blob_kzg_proof for each blob.
    pub fn compute_blob_proof(&self, context: &mut Context, blobs: &[Blob], commitments: &[Bytes48]) -> Result<Vec<Bytes48>> {
        alike("commitments", commitments.len(), blobs.len())?;
        let mut proofs = arrays::<48>(blobs.len())?;
        call!(context, sumac_kzg_compute_blob_proof, self, blobs, commitments, blobs.len(), &mut proofs[..])?;
        Ok(proofs)
    }

    /// Runs verify_kzg_proof for one or more proofs. Returns true if all proofs are valid.
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
        ask!(context, sumac_kzg_verify_proof, self, commitments, zs, ys, proofs, count)
    }

    /// Runs verify_blob_kzg_proof for one or more blobs. Returns true if all blobs belong to their commitments.
    pub fn verify_blob_proof(
        &self,
        context: &mut Context,
        blobs: &[Blob],
        commitments: &[Bytes48],
        proofs: &[Bytes48],
    ) -> Result<bool> {
        alike("commitments", commitments.len(), blobs.len())?;
        alike("proofs", proofs.len(), blobs.len())?;
        ask!(context, sumac_kzg_verify_blob_proof, self, blobs, commitments, proofs, blobs.len())
    }

    /// Runs compute_cells for each blob. Returns [`CELLS`] cells for each blob.
    pub fn compute_cells(&self, context: &mut Context, blobs: &[Blob]) -> Result<Vec<Cell>> {
        let mut cells = arrays(blobs.len() * CELLS)?;
        call!(context, sumac_kzg_cells, self, blobs, blobs.len(), &mut cells[..], null_mut::<sys::sumac_bytes48>())?;
        Ok(cells)
    }

    /// Runs compute_cells_and_kzg_proofs for each blob. The setup needs its tables.
    pub fn compute_cells_and_proofs(&self, context: &mut Context, blobs: &[Blob]) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        let (mut cells, mut proofs) = (arrays(blobs.len() * CELLS)?, arrays::<48>(blobs.len() * CELLS)?);
        call!(context, sumac_kzg_cells, self, blobs, blobs.len(), &mut cells[..], &mut proofs[..])?;
        Ok((cells, proofs))
    }

    /// Computes only the proofs of the cells. The setup needs its tables.
    pub fn compute_cell_proofs(&self, context: &mut Context, blobs: &[Blob]) -> Result<Vec<Bytes48>> {
        let mut proofs = arrays::<48>(blobs.len() * CELLS)?;
        call!(context, sumac_kzg_cells, self, blobs, blobs.len(), null_mut::<sys::sumac_cell>(), &mut proofs[..])?;
        Ok(proofs)
    }

    /// Runs recover_cells_and_kzg_proofs for blobs whose given cells all have the same indices. The setup needs its tables. If
    /// more than half of a blob's cells are given, the additional cells are not compared with the recovered ones, as in the
    /// specification.
    pub fn recover_cells_and_proofs(
        &self,
        context: &mut Context,
        cell_indices: &[u64],
        cells: &[Cell],
    ) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        self.recover(context, cell_indices, cells, null_mut())
    }

    /// Recovers cells, and compares them with the given cells. If they are inconsistent, the error is
    /// [`crate::ErrorKind::Mismatch`], and `odd` receives the blob and the wrong cell, or no cell if the wrong one is not known.
    pub fn recover_cells_and_proofs_checked(
        &self,
        context: &mut Context,
        cell_indices: &[u64],
        cells: &[Cell],
        odd: &mut Option<(usize, Option<u64>)>,
    ) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        let mut wrong = sys::sumac_kzg_wrong { blob: usize::MAX, cell: CELLS as u64 };
        let outcome = self.recover(context, cell_indices, cells, &mut wrong);
        *odd = (wrong.blob != usize::MAX).then_some((wrong.blob, (wrong.cell < CELLS as u64).then_some(wrong.cell)));
        outcome
    }

    fn recover(
        &self,
        context: &mut Context,
        cell_indices: &[u64],
        cells: &[Cell],
        wrong: *mut sys::sumac_kzg_wrong,
    ) -> Result<(Vec<Cell>, Vec<Bytes48>)> {
        let count = blobs_of(cell_indices, cells)?;
        let (mut recovered, mut proofs) = (arrays(count * CELLS)?, arrays::<48>(count * CELLS)?);
        call!(
            context,
            sumac_kzg_recover,
            self,
            cell_indices,
            cell_indices.len(),
            cells,
            count,
            &mut recovered[..],
            &mut proofs[..],
            wrong
        )?;
        Ok((recovered, proofs))
    }

    /// Runs verify_cell_kzg_proof_batch. There is one commitment for each cell. Returns true if all cells belong to their
    /// commitments.
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
        ask!(context, sumac_kzg_verify_cells, self, commitments, cell_indices, cells, proofs, count)
    }
}

/// Returns the number of blobs to which the cells belong.
fn blobs_of(cell_indices: &[u64], cells: &[Cell]) -> Result<usize> {
    if cell_indices.is_empty() || cells.len() % cell_indices.len() != 0 {
        return bad_length(format!("there are {} cells for {} indices", cells.len(), cell_indices.len()));
    }
    Ok(cells.len() / cell_indices.len())
}

/// Runs compute_challenge. Returns the evaluation point that [`KzgSetup::compute_blob_proof`] uses.
pub fn blob_challenge(context: &mut Context, blob: &Blob, commitment: &Bytes48) -> Result<Bytes32> {
    let mut challenge = [0; 32];
    call!(context, sumac_kzg_blob_challenge, &blob[..], &commitment[..], &mut challenge[..])?;
    Ok(challenge)
}

/// Runs compute_verify_cell_kzg_proof_batch_challenge. The commitments are distinct, and `commitment_indices` has the index of
/// each cell's commitment.
pub fn cell_challenge(
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
        sumac_kzg_cell_challenge,
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
