// SPDX-License-Identifier: Apache-2.0 OR MIT
// Times of four calls of the crate c-kzg: the least of 20, with the largest of its usual tables.
use c_kzg::{ethereum_kzg_settings, Blob, Bytes48, BYTES_PER_BLOB, BYTES_PER_FIELD_ELEMENT, CELLS_PER_EXT_BLOB};
use std::time::Instant;

fn time<T>(name: &str, mut call: impl FnMut() -> T) -> T {
    let mut least = f64::INFINITY;
    let mut result = call();
    for _ in 0..20 {
        let start = Instant::now();
        result = call();
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{name} {:.1} ms", least * 1e3);
    result
}

fn main() {
    let settings = ethereum_kzg_settings(8);
    let mut state = 1u64;
    let bytes: Vec<u8> = (0..BYTES_PER_BLOB)
        .map(|i| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            if i % BYTES_PER_FIELD_ELEMENT == 0 { 0 } else { (state >> 56) as u8 }
        })
        .collect();
    let blob = Blob::from_bytes(&bytes).unwrap();
    let commitment = time("blob_to_kzg_commitment", || settings.blob_to_kzg_commitment(&blob).unwrap()).to_bytes();
    let proof = settings.compute_blob_kzg_proof(&blob, &commitment).unwrap().to_bytes();
    assert!(time("verify_blob_kzg_proof", || settings.verify_blob_kzg_proof(&blob, &commitment, &proof).unwrap()));
    let (cells, proofs) = time("compute_cells_and_kzg_proofs", || settings.compute_cells_and_kzg_proofs(&blob).unwrap());
    let proofs: Vec<Bytes48> = proofs.iter().map(|proof| proof.to_bytes()).collect();
    let indices: Vec<u64> = (0..CELLS_PER_EXT_BLOB as u64).collect();
    let commitments = vec![commitment; CELLS_PER_EXT_BLOB];
    assert!(time("verify_cell_kzg_proof_batch", || {
        settings.verify_cell_kzg_proof_batch(&commitments, &indices, &cells[..], &proofs).unwrap()
    }));
}
