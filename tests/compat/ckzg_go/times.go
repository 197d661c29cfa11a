// SPDX-License-Identifier: Apache-2.0 OR MIT

// Times of four calls of c-kzg-4844's module: the least of 20, with the largest of its usual tables.
package main

import (
	"fmt"
	"math/rand"
	"os"
	"time"

	kzg "github.com/ethereum/c-kzg-4844/v2/bindings/go"
)

func timed(name string, call func() error) {
	least := time.Hour
	for range 21 {
		start := time.Now()
		if err := call(); err != nil {
			panic(err)
		}
		least = min(least, time.Since(start))
	}
	fmt.Printf("%s %.1f ms\n", name, float64(least.Microseconds())/1e3)
}

func holds(ok bool, err error) error {
	if err == nil && !ok {
		return fmt.Errorf("a proof does not hold")
	}
	return err
}

func main() {
	if err := kzg.LoadTrustedSetupFile(os.Args[1], 8); err != nil {
		panic(err)
	}
	blob := new(kzg.Blob)
	for i := range blob {
		if i%32 != 0 {
			blob[i] = byte(rand.Uint32())
		}
	}
	var commitment kzg.KZGCommitment
	var cells [kzg.CellsPerExtBlob]kzg.Cell
	var proofs [kzg.CellsPerExtBlob]kzg.KZGProof
	timed("blob_to_kzg_commitment", func() (err error) {
		commitment, err = kzg.BlobToKZGCommitment(blob)
		return
	})
	proof, err := kzg.ComputeBlobKZGProof(blob, kzg.Bytes48(commitment))
	if err != nil {
		panic(err)
	}
	timed("verify_blob_kzg_proof", func() error {
		return holds(kzg.VerifyBlobKZGProof(blob, kzg.Bytes48(commitment), kzg.Bytes48(proof)))
	})
	timed("compute_cells_and_kzg_proofs", func() (err error) {
		cells, proofs, err = kzg.ComputeCellsAndKZGProofs(blob)
		return
	})
	commitments, cellProofs := make([]kzg.Bytes48, len(cells)), make([]kzg.Bytes48, len(cells))
	indices := make([]uint64, len(cells))
	for i := range cells {
		commitments[i], cellProofs[i], indices[i] = kzg.Bytes48(commitment), kzg.Bytes48(proofs[i]), uint64(i)
	}
	timed("verify_cell_kzg_proof_batch", func() error {
		return holds(kzg.VerifyCellKZGProofBatch(commitments, indices, cells[:], cellProofs))
	})
}
