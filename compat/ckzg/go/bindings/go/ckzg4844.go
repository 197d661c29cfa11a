// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package ckzg4844 has the interface of c-kzg-4844's Go package, version 2.1.8, over the library sumac. It computes KZG
// commitments, proofs and cells of Ethereum's blobs (EIP-4844, EIP-7594). With one line in its go.mod, a program uses it
// instead of that package:
//
//	replace github.com/ethereum/c-kzg-4844/v2 => github.com/sumac-msm/sumac/compat/ckzg/go v0.9.0
//
// A trusted setup is loaded once, for the whole program. Until then, every other function panics. After that, any number of
// goroutines may call the functions at once. Field elements are big-endian and less than the order of the group, and points are
// compressed. If a function gets other bytes, it returns [ErrBadArgs].
package ckzg4844

/*
#cgo sumac_system pkg-config: sumac_ckzg
#cgo !sumac_system CFLAGS: -I${SRCDIR}/../../internal/ckzg
#include <stdlib.h>
#include <ckzg.h>
*/
import "C"

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"unsafe"
)

// These are sizes in bytes, and numbers of elements.
const (
	BytesPerBlob         = C.BYTES_PER_BLOB
	BytesPerCell         = C.BYTES_PER_CELL
	BytesPerCommitment   = C.BYTES_PER_COMMITMENT
	BytesPerFieldElement = C.BYTES_PER_FIELD_ELEMENT
	BytesPerProof        = C.BYTES_PER_PROOF
	CellsPerExtBlob      = C.CELLS_PER_EXT_BLOB
	FieldElementsPerBlob = C.FIELD_ELEMENTS_PER_BLOB
	FieldElementsPerCell = C.FIELD_ELEMENTS_PER_CELL
)

// Bytes32 is a field element, or 32 bytes that may not encode one.
type Bytes32 [32]byte

// Bytes48 is a compressed point, or 48 bytes that may not encode one.
type Bytes48 [48]byte

// KZGCommitment is the commitment to a blob.
type KZGCommitment Bytes48

// KZGProof is the proof of a value, a blob or a cell.
type KZGProof Bytes48

// Blob is 4096 field elements.
type Blob [BytesPerBlob]byte

// Cell is 64 field elements of an extended blob.
type Cell [BytesPerCell]byte

// The functions return these errors.
var (
	ErrBadArgs = errors.New("bad arguments")    // an encoding, an index or a length is wrong
	ErrError   = errors.New("unexpected error") // the library or the machine failed, but not for lack of memory
	ErrMalloc  = errors.New("malloc failed")    // there is not enough memory
)

// The setup of the program lies in C's memory, because it contains pointers to C's memory.
var (
	settings = (*C.KZGSettings)(C.calloc(1, C.sizeof_KZGSettings))
	loaded   bool
)

// failure returns the error for a status.
func failure(status C.C_KZG_RET) error {
	switch status {
	case C.C_KZG_OK:
		return nil
	case C.C_KZG_BADARGS:
		return ErrBadArgs
	case C.C_KZG_MALLOC:
		return ErrMalloc
	default:
		return ErrError
	}
}

// setup returns the loaded setup.
func setup() *C.KZGSettings {
	if !loaded {
		panic("trusted setup isn't loaded")
	}
	return settings
}

// at returns the address that C expects for the elements of a slice.
func at[To, From any](s []From) *To { return (*To)(unsafe.Pointer(unsafe.SliceData(s))) }

// of returns the address that C expects for one value.
func of[To, From any](value *From) *To { return (*To)(unsafe.Pointer(value)) }

// decode reads hexadecimal digits into all bytes of a value. "0x" may precede the digits.
func decode(value, text []byte) error {
	text = bytes.TrimPrefix(text, []byte("0x"))
	if len(text) != hex.EncodedLen(len(value)) {
		return ErrBadArgs
	}
	_, err := hex.Decode(value, text)
	return err
}

// UnmarshalText reads 64 hexadecimal digits. "0x" may precede them.
func (b *Bytes32) UnmarshalText(input []byte) error { return decode(b[:], input) }

// UnmarshalText reads 96 hexadecimal digits. "0x" may precede them.
func (b *Bytes48) UnmarshalText(input []byte) error { return decode(b[:], input) }

// UnmarshalText reads the hexadecimal digits of all bytes. "0x" may precede them.
func (b *Blob) UnmarshalText(input []byte) error { return decode(b[:], input) }

// UnmarshalText reads the hexadecimal digits of all bytes. "0x" may precede them.
func (c *Cell) UnmarshalText(input []byte) error { return decode(c[:], input) }

// load calls a function that loads a setup, and records whether it succeeded.
func load(f func() C.C_KZG_RET) error {
	if loaded {
		panic("trusted setup is already loaded")
	}
	status := f()
	loaded = status == C.C_KZG_OK
	return failure(status)
}

// LoadTrustedSetup loads a setup from compressed points: 4096 of the first group as coefficients, the same 4096 as values, and
// 65 of the second group. Every point is checked. The number precompute, from 0 to 15, limits the size of the tables for proofs
// of cells: with a larger number the tables may be larger. If a setup is already loaded, this panics.
func LoadTrustedSetup(g1MonomialBytes, g1LagrangeBytes, g2MonomialBytes []byte, precompute uint) error {
	return load(func() C.C_KZG_RET {
		return C.load_trusted_setup(settings,
			at[C.uint8_t](g1MonomialBytes), C.uint64_t(len(g1MonomialBytes)),
			at[C.uint8_t](g1LagrangeBytes), C.uint64_t(len(g1LagrangeBytes)),
			at[C.uint8_t](g2MonomialBytes), C.uint64_t(len(g2MonomialBytes)), C.uint64_t(precompute))
	})
}

// LoadTrustedSetupFile loads a setup, as [LoadTrustedSetup] does, from Ethereum's text file trusted_setup.txt. If the file
// can't be opened, this panics.
func LoadTrustedSetupFile(trustedSetupFile string, precompute uint) error {
	return load(func() C.C_KZG_RET {
		path, mode := C.CString(trustedSetupFile), C.CString("r")
		defer C.free(unsafe.Pointer(path))
		defer C.free(unsafe.Pointer(mode))
		file, err := C.fopen(path, mode)
		if file == nil {
			panic(fmt.Sprintf("error reading trusted setup: %v", err))
		}
		defer C.fclose(file)
		return C.load_trusted_setup_file(settings, file, C.uint64_t(precompute))
	})
}

// FreeTrustedSetup frees the setup. No other function may be running meanwhile. Afterwards another setup may be loaded.
func FreeTrustedSetup() {
	C.free_trusted_setup(setup())
	loaded = false
}

// BlobToKZGCommitment commits to a blob.
func BlobToKZGCommitment(blob *Blob) (KZGCommitment, error) {
	var commitment KZGCommitment
	status := C.blob_to_kzg_commitment(of[C.KZGCommitment](&commitment), of[C.Blob](blob), setup())
	return commitment, failure(status)
}

// ComputeKZGProof computes the proof of the value that a blob's polynomial has at z, and that value.
func ComputeKZGProof(blob *Blob, zBytes Bytes32) (KZGProof, Bytes32, error) {
	var proof KZGProof
	var y Bytes32
	status := C.compute_kzg_proof(of[C.KZGProof](&proof), of[C.Bytes32](&y), of[C.Blob](blob), of[C.Bytes32](&zBytes), setup())
	return proof, y, failure(status)
}

// ComputeBlobKZGProof computes the proof that a blob belongs to its commitment. It is not checked that the blob does.
func ComputeBlobKZGProof(blob *Blob, commitmentBytes Bytes48) (KZGProof, error) {
	var proof KZGProof
	status := C.compute_blob_kzg_proof(of[C.KZGProof](&proof), of[C.Blob](blob), of[C.Bytes48](&commitmentBytes), setup())
	return proof, failure(status)
}

// VerifyKZGProof says whether the polynomial of a commitment has the value y at z.
func VerifyKZGProof(commitmentBytes Bytes48, zBytes, yBytes Bytes32, proofBytes Bytes48) (bool, error) {
	var holds C.bool
	status := C.verify_kzg_proof(&holds, of[C.Bytes48](&commitmentBytes), of[C.Bytes32](&zBytes), of[C.Bytes32](&yBytes),
		of[C.Bytes48](&proofBytes), setup())
	return bool(holds), failure(status)
}

// VerifyBlobKZGProof says whether a blob belongs to its commitment.
func VerifyBlobKZGProof(blob *Blob, commitmentBytes, proofBytes Bytes48) (bool, error) {
	var holds C.bool
	status := C.verify_blob_kzg_proof(&holds, of[C.Blob](blob), of[C.Bytes48](&commitmentBytes), of[C.Bytes48](&proofBytes), setup())
	return bool(holds), failure(status)
}

// VerifyBlobKZGProofBatch says whether each blob belongs to its commitment. It is faster than one call for each blob.
func VerifyBlobKZGProofBatch(blobs []Blob, commitmentsBytes, proofsBytes []Bytes48) (bool, error) {
	s := setup()
	if len(commitmentsBytes) != len(blobs) || len(proofsBytes) != len(blobs) {
		return false, ErrBadArgs
	}
	var holds C.bool
	status := C.verify_blob_kzg_proof_batch(&holds, at[C.Blob](blobs), at[C.Bytes48](commitmentsBytes), at[C.Bytes48](proofsBytes),
		C.uint64_t(len(blobs)), s)
	return bool(holds), failure(status)
}

// ComputeCells computes the cells of an extended blob.
func ComputeCells(blob *Blob) ([CellsPerExtBlob]Cell, error) {
	var cells [CellsPerExtBlob]Cell
	status := C.compute_cells_and_kzg_proofs(at[C.Cell](cells[:]), nil, of[C.Blob](blob), setup())
	return cells, failure(status)
}

// ComputeCellsAndKZGProofs computes the cells of an extended blob, and the proof of each.
func ComputeCellsAndKZGProofs(blob *Blob) ([CellsPerExtBlob]Cell, [CellsPerExtBlob]KZGProof, error) {
	var cells [CellsPerExtBlob]Cell
	var proofs [CellsPerExtBlob]KZGProof
	status := C.compute_cells_and_kzg_proofs(at[C.Cell](cells[:]), at[C.KZGProof](proofs[:]), of[C.Blob](blob), setup())
	return cells, proofs, failure(status)
}

// recoverAll does the work of RecoverCells or, if proofs is not null, of RecoverCellsAndKZGProofs.
func recoverAll(cellIndices []uint64, cells []Cell, proofs *C.KZGProof) ([CellsPerExtBlob]Cell, error) {
	s := setup()
	var all [CellsPerExtBlob]Cell
	if len(cellIndices) != len(cells) {
		return all, ErrBadArgs
	}
	status := C.recover_cells_and_kzg_proofs(at[C.Cell](all[:]), proofs, at[C.uint64_t](cellIndices), at[C.Cell](cells),
		C.uint64_t(len(cells)), s)
	return all, failure(status)
}

// RecoverCells computes all cells of an extended blob from at least half of them, whose indices ascend.
func RecoverCells(cellIndices []uint64, cells []Cell) ([CellsPerExtBlob]Cell, error) {
	return recoverAll(cellIndices, cells, nil)
}

// RecoverCellsAndKZGProofs does the same as [RecoverCells], and computes the proof of each cell.
func RecoverCellsAndKZGProofs(cellIndices []uint64, cells []Cell) ([CellsPerExtBlob]Cell, [CellsPerExtBlob]KZGProof, error) {
	var proofs [CellsPerExtBlob]KZGProof
	all, err := recoverAll(cellIndices, cells, at[C.KZGProof](proofs[:]))
	return all, proofs, err
}

// VerifyCellKZGProofBatch says whether each cell, which has the given index, belongs to its commitment.
func VerifyCellKZGProofBatch(commitmentsBytes []Bytes48, cellIndices []uint64, cells []Cell, proofsBytes []Bytes48) (bool, error) {
	s := setup()
	if len(commitmentsBytes) != len(cells) || len(cellIndices) != len(cells) || len(proofsBytes) != len(cells) {
		return false, ErrBadArgs
	}
	var holds C.bool
	status := C.verify_cell_kzg_proof_batch(&holds, at[C.Bytes48](commitmentsBytes), at[C.uint64_t](cellIndices), at[C.Cell](cells),
		at[C.Bytes48](proofsBytes), C.uint64_t(len(cells)), s)
	return bool(holds), failure(status)
}

// computeChallenge computes the challenge of ComputeBlobKZGProof. The tests of c-kzg's package call this function and the next
// one.
func computeChallenge(blob *Blob, commitment Bytes48) (Bytes32, error) {
	var point C.g1_t
	if status := C.bytes_to_kzg_commitment(&point, of[C.Bytes48](&commitment)); status != C.C_KZG_OK {
		return Bytes32{}, failure(status)
	}
	var challenge C.fr_t
	C.compute_challenge(&challenge, of[C.Blob](blob), &point)
	return element(&challenge), nil
}

// computeVerifyCellKZGProofBatchChallenge computes the challenge of VerifyCellKZGProofBatch.
func computeVerifyCellKZGProofBatchChallenge(commitmentsBytes []Bytes48, commitmentIndices, cellIndices []uint64, cells []Cell,
	proofsBytes []Bytes48) (Bytes32, error) {
	if len(commitmentIndices) != len(cells) || len(cellIndices) != len(cells) || len(proofsBytes) != len(cells) {
		return Bytes32{}, ErrBadArgs
	}
	var challenge C.fr_t
	status := C.compute_verify_cell_kzg_proof_batch_challenge(&challenge, at[C.Bytes48](commitmentsBytes),
		C.uint64_t(len(commitmentsBytes)), at[C.uint64_t](commitmentIndices), at[C.uint64_t](cellIndices), at[C.Cell](cells),
		at[C.Bytes48](proofsBytes), C.uint64_t(len(cells)))
	return element(&challenge), failure(status)
}

func element(fr *C.fr_t) (bytes Bytes32) {
	C.bytes_from_bls_field(of[C.Bytes32](&bytes), fr)
	return bytes
}
