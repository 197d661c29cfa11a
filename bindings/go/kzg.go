// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

// These are sizes of EIP-4844 and EIP-7594.
const (
	FieldElementsPerBlob = C.SUMAC_KZG_FIELD_ELEMENTS
	BlobBytes            = C.SUMAC_KZG_BLOB_BYTES
	CellBytes            = C.SUMAC_KZG_CELL_BYTES
	CellsPerBlob         = C.SUMAC_KZG_CELLS // number of cells of an extended blob
	FieldElementsPerCell = C.SUMAC_KZG_CELL_ELEMENTS
)

// These types have the bytes that the consensus specification defines: elements are big-endian, and points are compressed. The
// library reads slices of them without a copy.
type (
	Blob    [BlobBytes]byte
	Cell    [CellBytes]byte
	Bytes32 [32]byte // an element
	Bytes48 [48]byte // a commitment or proof
	Bytes96 [96]byte // a point of G2
)

func blobs(s []Blob) *C.sumac_blob          { return (*C.sumac_blob)(start(s)) }
func cells(s []Cell) *C.sumac_cell          { return (*C.sumac_cell)(start(s)) }
func elements(s []Bytes32) *C.sumac_bytes32 { return (*C.sumac_bytes32)(start(s)) }
func points(s []Bytes48) *C.sumac_bytes48   { return (*C.sumac_bytes48)(start(s)) }
func indices(s []uint64) *C.uint64_t        { return (*C.uint64_t)(start(s)) }

// KZGSetup is a trusted setup with its derived tables. It is immutable, and any number of calls may use it at once.
type KZGSetup struct {
	handle *handle
	c      *C.sumac_kzg_setup
}

func (s *KZGSetup) lifetime() *handle { return s.handle }

func (c *Context) makeKZGSetup(memory *scratch, f func(setup **C.sumac_kzg_setup) C.sumac_status) (*KZGSetup, error) {
	var setup *C.sumac_kzg_setup
	if err := memory.do(c, func() C.sumac_status { return f(&setup) }); err != nil {
		return nil, err
	}
	s := &KZGSetup{c: setup}
	s.handle = own(s, "setup", func() { C.sumac_kzg_destroy(setup) })
	return s, nil
}

// OpenKZGSetup reads a trusted setup in Ethereum's text format, or a file that [KZGSetup.Save] wrote, whose tables it also
// reads.
func (c *Context) OpenKZGSetup(path string, options ...KZGOption) (*KZGSetup, error) {
	var memory scratch
	p := memory.text(path)
	return c.makeKZGSetup(&memory, func(setup **C.sumac_kzg_setup) C.sumac_status {
		return C.sumac_kzg_open(c.c, p, kzgConfig(options), setup)
	})
}

// NewKZGSetup makes a trusted setup from compressed points. g1Lagrange has the order of trusted_setup.txt, which is not
// bit-reversed.
func (c *Context) NewKZGSetup(g1Monomial, g1Lagrange []Bytes48, g2Monomial []Bytes96, options ...KZGOption) (*KZGSetup, error) {
	return c.makeKZGSetup(&scratch{}, func(setup **C.sumac_kzg_setup) C.sumac_status {
		return C.sumac_kzg_create(c.c, points(g1Monomial), C.size_t(len(g1Monomial)), points(g1Lagrange), C.size_t(len(g1Lagrange)),
			(*C.sumac_bytes96)(start(g2Monomial)), C.size_t(len(g2Monomial)), kzgConfig(options), setup)
	})
}

// TableBytes is the size in bytes of the tables for proofs of cells. If the setup has no tables, it is 0.
func (s *KZGSetup) TableBytes() uint64 {
	return ask(s, func() uint64 { return uint64(C.sumac_kzg_table_bytes(s.c)) })
}

// Save writes the setup with its tables.
func (s *KZGSetup) Save(c *Context, path string) error {
	return c.save(s, path, func(p *C.char) C.sumac_status { return C.sumac_kzg_save(c.c, s.c, p) })
}

// Close frees the setup.
func (s *KZGSetup) Close() { closeObject(s) }

// checkCounts returns an error if one of the counts differs from the first.
func checkCounts(what string, count int, others ...int) error {
	for _, other := range others {
		if other != count {
			return refuse(ErrBadLength, "%s: the numbers %d and %d differ", what, count, other)
		}
	}
	return nil
}

// do makes a call with a setup. It returns an error instead if the slices have different counts.
func (s *KZGSetup) do(c *Context, f func() C.sumac_status, what string, count int, others ...int) error {
	if err := need(c, s); err != nil {
		return err
	}
	if err := checkCounts(what, count, others...); err != nil {
		return err
	}
	return c.do(f, reading(s))
}

// verify makes a call whose answer is yes or no.
func (s *KZGSetup) verify(c *Context, f func(ok *C.int) C.sumac_status, what string, count int, others ...int) (bool, error) {
	var ok C.int
	err := s.do(c, func() C.sumac_status { return f(&ok) }, what, count, others...)
	return err == nil && ok != 0, err
}

// Commit runs blob_to_kzg_commitment for each blob.
func (s *KZGSetup) Commit(c *Context, b []Blob) ([]Bytes48, error) {
	commitments := make([]Bytes48, len(b))
	return deliver(commitments, s.do(c, func() C.sumac_status {
		return C.sumac_kzg_commit(c.c, s.c, blobs(b), C.size_t(len(b)), points(commitments))
	}, "blobs", len(b)))
}

// ComputeProof runs compute_kzg_proof for each blob at its evaluation point z. It returns the proofs and the values.
func (s *KZGSetup) ComputeProof(c *Context, b []Blob, zs []Bytes32) (proofs []Bytes48, ys []Bytes32, err error) {
	proofs, ys = make([]Bytes48, len(b)), make([]Bytes32, len(b))
	if err := s.do(c, func() C.sumac_status {
		return C.sumac_kzg_compute_proof(c.c, s.c, blobs(b), elements(zs), C.size_t(len(b)), points(proofs), elements(ys))
	}, "blobs and places", len(b), len(zs)); err != nil {
		return nil, nil, err
	}
	return proofs, ys, nil
}

// ComputeBlobProof runs compute_blob_kzg_proof for each blob.
func (s *KZGSetup) ComputeBlobProof(c *Context, b []Blob, commitments []Bytes48) ([]Bytes48, error) {
	proofs := make([]Bytes48, len(b))
	return deliver(proofs, s.do(c, func() C.sumac_status {
		return C.sumac_kzg_compute_blob_proof(c.c, s.c, blobs(b), points(commitments), C.size_t(len(b)), points(proofs))
	}, "blobs and commitments", len(b), len(commitments)))
}

// VerifyProof is verify_kzg_proof for several proofs. It says whether all of them are valid.
func (s *KZGSetup) VerifyProof(c *Context, commitments []Bytes48, zs, ys []Bytes32, proofs []Bytes48) (bool, error) {
	return s.verify(c, func(ok *C.int) C.sumac_status {
		return C.sumac_kzg_verify_proof(c.c, s.c, points(commitments), elements(zs), elements(ys), points(proofs), C.size_t(len(zs)), ok)
	}, "commitments, places, values and proofs", len(zs), len(commitments), len(ys), len(proofs))
}

// VerifyBlobProof is verify_blob_kzg_proof_batch. It says whether all proofs are valid.
func (s *KZGSetup) VerifyBlobProof(c *Context, b []Blob, commitments, proofs []Bytes48) (bool, error) {
	return s.verify(c, func(ok *C.int) C.sumac_status {
		return C.sumac_kzg_verify_blob_proof(c.c, s.c, blobs(b), points(commitments), points(proofs), C.size_t(len(b)), ok)
	}, "blobs, commitments and proofs", len(b), len(commitments), len(proofs))
}

// BlobChallenge is compute_challenge. It returns the evaluation point that [KZGSetup.ComputeBlobProof] uses.
func (c *Context) BlobChallenge(blob *Blob, commitment Bytes48) (challenge Bytes32, err error) {
	if blob == nil {
		return challenge, refuse(ErrBadArgument, "there is no blob")
	}
	cm, ch := []Bytes48{commitment}, make([]Bytes32, 1)
	err = c.do(func() C.sumac_status {
		return C.sumac_kzg_blob_challenge(c.c, (*C.sumac_blob)(start(blob[:])), points(cm), elements(ch))
	})
	return ch[0], err
}

// computeCells computes the cells of each blob, the proofs of the cells, or both, as the caller wants.
func (s *KZGSetup) computeCells(c *Context, b []Blob, wantsCells, wantsProofs bool) (all []Cell, proofs []Bytes48, err error) {
	if wantsCells {
		all = make([]Cell, len(b)*CellsPerBlob)
	}
	if wantsProofs {
		proofs = make([]Bytes48, len(b)*CellsPerBlob)
	}
	if err := s.do(c, func() C.sumac_status {
		return C.sumac_kzg_cells(c.c, s.c, blobs(b), C.size_t(len(b)), (*C.sumac_cell)(startOrNull(all)), (*C.sumac_bytes48)(startOrNull(proofs)))
	}, "blobs", len(b)); err != nil {
		return nil, nil, err
	}
	return all, proofs, nil
}

// ComputeCells runs compute_cells for each blob. It returns CellsPerBlob cells for each blob.
func (s *KZGSetup) ComputeCells(c *Context, b []Blob) ([]Cell, error) {
	all, _, err := s.computeCells(c, b, true, false)
	return all, err
}

// ComputeCellsAndProofs runs compute_cells_and_kzg_proofs for each blob. The setup needs its tables.
func (s *KZGSetup) ComputeCellsAndProofs(c *Context, b []Blob) ([]Cell, []Bytes48, error) {
	return s.computeCells(c, b, true, true)
}

// ComputeCellProofs returns the same proofs as ComputeCellsAndProofs, without computing cells.
func (s *KZGSetup) ComputeCellProofs(c *Context, b []Blob) ([]Bytes48, error) {
	_, proofs, err := s.computeCells(c, b, false, true)
	return proofs, err
}

// RecoverCellsAndProofs runs recover_cells_and_kzg_proofs for several blobs, whose given cells all have the same indices.
// The given cells are sorted by blob. If more than half of a blob's cells are given, the specification does not compare the
// additional cells with the recovered ones. If `compare` is true, they are compared, and inconsistent cells cause a
// [*WrongCellError].
func (s *KZGSetup) RecoverCellsAndProofs(c *Context, cellIndices []uint64, given []Cell, compare bool) ([]Cell, []Bytes48, error) {
	count := 0
	if len(cellIndices) != 0 {
		count = len(given) / len(cellIndices)
	}
	all, proofs := make([]Cell, count*CellsPerBlob), make([]Bytes48, count*CellsPerBlob)
	var wrong *C.sumac_kzg_wrong
	if compare {
		wrong = new(C.sumac_kzg_wrong)
	}
	if err := need(c, s); err != nil {
		return nil, nil, err
	}
	if len(given) != count*len(cellIndices) {
		return nil, nil, refuse(ErrBadLength, "there are %d cells, which are no multiple of the %d indices", len(given), len(cellIndices))
	}
	err := s.do(c, func() C.sumac_status {
		return C.sumac_kzg_recover(c.c, s.c, indices(cellIndices), C.size_t(len(cellIndices)), cells(given), C.size_t(count),
			cells(all), points(proofs), wrong)
	}, "cells", len(given))
	if e, is := err.(*Error); is && e.Status == ErrMismatch {
		e.causes = []error{&WrongCellError{int(wrong.blob), uint64(wrong.cell)}}
	}
	if err != nil {
		return nil, nil, err
	}
	return all, proofs, nil
}

// WrongCellError describes inconsistent cells. It is wrapped by an Error that is [ErrMismatch]. Blob is the index of the first
// blob whose cells are inconsistent. Cell is the index of a wrong cell of this blob, or CellsPerBlob if the wrong cell is not
// known.
type WrongCellError struct {
	Blob int
	Cell uint64
}

// Error returns a constant sentence.
func (e *WrongCellError) Error() string { return "cells do not fit each other" }

// VerifyCellProofs is verify_cell_kzg_proof_batch. It says whether all proofs are valid.
func (s *KZGSetup) VerifyCellProofs(c *Context, commitments []Bytes48, cellIndices []uint64, given []Cell, proofs []Bytes48) (bool, error) {
	return s.verify(c, func(ok *C.int) C.sumac_status {
		return C.sumac_kzg_verify_cells(c.c, s.c, points(commitments), indices(cellIndices), cells(given), points(proofs),
			C.size_t(len(given)), ok)
	}, "commitments, indices, cells and proofs", len(given), len(commitments), len(cellIndices), len(proofs))
}

// CellChallenge is compute_verify_cell_kzg_proof_batch_challenge. The commitments are distinct, and commitmentIndices has the
// index of each cell's commitment.
func (c *Context) CellChallenge(commitments []Bytes48, commitmentIndices, cellIndices []uint64, given []Cell, proofs []Bytes48) (challenge Bytes32, err error) {
	if err := checkCounts("indices, cells and proofs", len(given), len(commitmentIndices), len(cellIndices), len(proofs)); err != nil {
		return challenge, err
	}
	ch := make([]Bytes32, 1)
	err = c.do(func() C.sumac_status {
		return C.sumac_kzg_cell_challenge(c.c, points(commitments), C.size_t(len(commitments)), indices(commitmentIndices),
			indices(cellIndices), cells(given), points(proofs), C.size_t(len(given)), elements(ch))
	})
	return ch[0], err
}
