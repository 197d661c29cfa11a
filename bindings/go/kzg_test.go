// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

func setUp(t testing.TB) (*sumac.Context, *sumac.KZGSetup) {
	context := newContext(t)
	curve(t, "bls12-381", "g2")
	setup := must(context.OpenKZGSetup(data(t, "kzg", "trusted_setup.txt"), sumac.CheckNone, sumac.Cells(true)))(t)
	t.Cleanup(setup.Close)
	return context, setup
}

var (
	key  = regexp.MustCompile(`^ {0,2}([a-z_]+):`)
	leaf = regexp.MustCompile(`'0x([0-9a-f]*)'|true|false|null|[0-9]+`)
)

// readCase reads a case of the specification. It returns the values of each key in order, as text. Lists of lists are
// flattened.
func readCase(t testing.TB, path string) map[string][]string {
	values, name := make(map[string][]string), ""
	for _, line := range strings.Split(string(must(os.ReadFile(path))(t)), "\n") {
		if found := key.FindStringSubmatch(line); found != nil {
			name, line = found[1], line[len(found[0]):]
			values[name] = []string{}
		}
		for _, found := range leaf.FindAllStringSubmatch(line, -1) {
			if strings.HasPrefix(found[0], "'") {
				values[name] = append(values[name], found[1])
			} else {
				values[name] = append(values[name], found[0])
			}
		}
	}
	return values
}

var errLength = errors.New("a value does not have the length of its type")

// arrays converts values to arrays. Go's types can't hold a value of the wrong length. If there is one, arrays sets err.
func arrays[T ~[32]byte | ~[48]byte | sumac.Blob | sumac.Cell](values []string, err *error) (all []T) {
	for _, value := range values {
		var one T
		bytes, e := hex.DecodeString(value)
		if e != nil || len(bytes) != len(one) {
			*err = errLength
			return nil
		}
		for i := range bytes {
			one[i] = bytes[i]
		}
		all = append(all, one)
	}
	return all
}

func numbers(values []string) (all []uint64) {
	for _, value := range values {
		n, _ := strconv.ParseUint(value, 10, 64)
		all = append(all, n)
	}
	return all
}

func hexOf[T ~[32]byte | ~[48]byte | sumac.Blob | sumac.Cell](values ...T) (all []string) {
	for _, value := range values {
		bytes := make([]byte, len(value))
		for i := range bytes {
			bytes[i] = value[i]
		}
		all = append(all, hex.EncodeToString(bytes))
	}
	return all
}

func TestConsensus(t *testing.T) {
	c, setup := setUp(t)
	for name, f := range map[string]func(v map[string][]string, bad *error) ([]string, error){
		"blob_to_kzg_commitment": func(v map[string][]string, bad *error) ([]string, error) {
			commitments, err := setup.Commit(c, arrays[sumac.Blob](v["blob"], bad))
			return hexOf(commitments...), err
		},
		"compute_blob_kzg_proof": func(v map[string][]string, bad *error) ([]string, error) {
			proofs, err := setup.ComputeBlobProof(c, arrays[sumac.Blob](v["blob"], bad), arrays[sumac.Bytes48](v["commitment"], bad))
			return hexOf(proofs...), err
		},
		"compute_kzg_proof": func(v map[string][]string, bad *error) ([]string, error) {
			proofs, ys, err := setup.ComputeProof(c, arrays[sumac.Blob](v["blob"], bad), arrays[sumac.Bytes32](v["z"], bad))
			return append(hexOf(proofs...), hexOf(ys...)...), err
		},
		"compute_challenge": func(v map[string][]string, bad *error) ([]string, error) {
			challenge, err := c.BlobChallenge(&arrays[sumac.Blob](v["blob"], bad)[0], arrays[sumac.Bytes48](v["commitment"], bad)[0])
			return hexOf(challenge), err
		},
		"compute_cells": func(v map[string][]string, bad *error) ([]string, error) {
			cells, err := setup.ComputeCells(c, arrays[sumac.Blob](v["blob"], bad))
			return hexOf(cells...), err
		},
		"compute_cells_and_kzg_proofs": func(v map[string][]string, bad *error) ([]string, error) {
			cells, proofs, err := setup.ComputeCellsAndProofs(c, arrays[sumac.Blob](v["blob"], bad))
			return append(hexOf(cells...), hexOf(proofs...)...), err
		},
		"recover_cells_and_kzg_proofs": func(v map[string][]string, bad *error) ([]string, error) {
			cells, proofs, err := setup.RecoverCellsAndProofs(c, numbers(v["cell_indices"]), arrays[sumac.Cell](v["cells"], bad), false)
			return append(hexOf(cells...), hexOf(proofs...)...), err
		},
		"verify_kzg_proof": func(v map[string][]string, bad *error) ([]string, error) {
			holds, err := setup.VerifyProof(c, arrays[sumac.Bytes48](v["commitment"], bad), arrays[sumac.Bytes32](v["z"], bad),
				arrays[sumac.Bytes32](v["y"], bad), arrays[sumac.Bytes48](v["proof"], bad))
			return []string{strconv.FormatBool(holds)}, err
		},
		"verify_blob_kzg_proof": func(v map[string][]string, bad *error) ([]string, error) {
			holds, err := setup.VerifyBlobProof(c, arrays[sumac.Blob](v["blob"], bad), arrays[sumac.Bytes48](v["commitment"], bad),
				arrays[sumac.Bytes48](v["proof"], bad))
			return []string{strconv.FormatBool(holds)}, err
		},
		"verify_blob_kzg_proof_batch": func(v map[string][]string, bad *error) ([]string, error) {
			holds, err := setup.VerifyBlobProof(c, arrays[sumac.Blob](v["blobs"], bad), arrays[sumac.Bytes48](v["commitments"], bad),
				arrays[sumac.Bytes48](v["proofs"], bad))
			return []string{strconv.FormatBool(holds)}, err
		},
		"verify_cell_kzg_proof_batch": func(v map[string][]string, bad *error) ([]string, error) {
			holds, err := setup.VerifyCellProofs(c, arrays[sumac.Bytes48](v["commitments"], bad), numbers(v["cell_indices"]),
				arrays[sumac.Cell](v["cells"], bad), arrays[sumac.Bytes48](v["proofs"], bad))
			return []string{strconv.FormatBool(holds)}, err
		},
		"compute_verify_cell_kzg_proof_batch_challenge": func(v map[string][]string, bad *error) ([]string, error) {
			var cells []string
			for elements := range slices.Chunk(v["cosets_evals"], sumac.FieldElementsPerCell) {
				cells = append(cells, strings.Join(elements, ""))
			}
			challenge, err := c.CellChallenge(arrays[sumac.Bytes48](v["commitments"], bad), numbers(v["commitment_indices"]),
				numbers(v["cell_indices"]), arrays[sumac.Cell](cells, bad), arrays[sumac.Bytes48](v["proofs"], bad))
			return hexOf(challenge), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			paths := must(filepath.Glob(data(t, "tests", name, "*", "*", "data.yaml")))(t)
			if len(paths) < 3 {
				t.Fatal("there are no cases")
			}
			for _, path := range paths {
				values := readCase(t, path)
				var bad error
				output, err := f(values, &bad)
				if bad != nil || err != nil {
					output = []string{"null"}
				}
				if !slices.Equal(output, values["output"]) {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}

func TestKZGBatches(t *testing.T) {
	c, setup := setUp(t)
	blob := sumac.Blob(read(t, "kzg", "blob.bin"))
	blobs := []sumac.Blob{blob, blob}
	commitments := must(setup.Commit(c, blobs))(t)
	if words := strings.Fields(string(read(t, "kzg", "commitment.txt"))); strings.TrimPrefix(words[len(words)-1], "0x") != hexOf(commitments[1])[0] {
		t.Error(commitments)
	}
	cells, proofs, err := setup.ComputeCellsAndProofs(c, blobs)
	ok(t, err)
	if !slices.Equal(cells, must(setup.ComputeCells(c, blobs))(t)) || !slices.Equal(proofs, must(setup.ComputeCellProofs(c, blobs))(t)) {
		t.Error("other cells or proofs")
	}
	// Two blobs are recovered from 100 cells each. Then one cell is wrong.
	var indices []uint64
	var given []sumac.Cell
	for i := range uint64(100) {
		indices = append(indices, i+20)
	}
	for k := range 2 {
		given = append(given, cells[k*128+20:k*128+120]...)
	}
	recovered, again, err := setup.RecoverCellsAndProofs(c, indices, given, true)
	ok(t, err)
	if !slices.Equal(recovered, cells) || !slices.Equal(again, proofs) {
		t.Error("other cells or proofs")
	}
	given[103][31] ^= 1
	_, _, err = setup.RecoverCellsAndProofs(c, indices, given, false)
	ok(t, err)
	_, _, err = setup.RecoverCellsAndProofs(c, indices, given, true)
	var wrong *sumac.WrongCellError
	if fails(t, err, sumac.ErrMismatch); !errors.As(err, &wrong) || wrong.Blob != 1 || wrong.Cell != 23 {
		t.Error(err, wrong)
	}
	_, _, err = setup.RecoverCellsAndProofs(c, indices, given[1:], false)
	fails(t, err, sumac.ErrBadLength)
	_, err = setup.VerifyBlobProof(c, blobs, commitments[1:], commitments)
	fails(t, err, sumac.ErrBadLength)

	// Setups are saved and opened, and made from points.
	if setup.TableBytes() == 0 {
		t.Error("no tables")
	}
	path := filepath.Join(t.TempDir(), "setup")
	ok(t, setup.Save(c, path))
	saved := must(c.OpenKZGSetup(path, sumac.CheckNone))(t)
	if saved.TableBytes() != setup.TableBytes() {
		t.Error("other tables")
	}
	saved.Close()
	if saved.TableBytes() != 0 {
		t.Error("a closed setup answers")
	}
	_, err = saved.Commit(c, blobs)
	fails(t, err, sumac.ErrBadArgument)
	var g1 []sumac.Bytes48
	var g2 []sumac.Bytes96
	for i, line := range strings.Fields(string(read(t, "kzg", "trusted_setup.txt")))[2:] {
		bytes := must(hex.DecodeString(line))(t)
		if i >= 4096 && i < 4096+65 {
			g2 = append(g2, sumac.Bytes96(bytes))
		} else {
			g1 = append(g1, sumac.Bytes48(bytes))
		}
	}
	made := must(c.NewKZGSetup(g1[4096:], g1[:4096], g2, sumac.CheckCurve))(t)
	if !slices.Equal(must(made.Commit(c, blobs))(t), commitments) || made.TableBytes() != 0 {
		t.Error("another setup")
	}
	_, _, err = made.ComputeCellsAndProofs(c, blobs)
	fails(t, err, sumac.ErrBadArgument)
	_, err = c.NewKZGSetup(g1[4097:], g1[:4096], g2)
	fails(t, err, sumac.ErrBadLength)
	_, err = c.OpenKZGSetup(path + ".none")
	fails(t, err, sumac.ErrCannotOpen)
}
