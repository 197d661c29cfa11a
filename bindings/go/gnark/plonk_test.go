// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/plonk"
	plonk_bn254 "github.com/consensys/gnark/backend/plonk/bn254"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/scs"
	"github.com/consensys/gnark/test/unsafekzg"

	sumac "github.com/sumac-msm/sumac/bindings/go"
	"github.com/sumac-msm/sumac/bindings/go/gnark"
)

func setupPlonk(t testing.TB, id ecc.ID, c frontend.Circuit) (constraint.ConstraintSystem, plonk.ProvingKey, plonk.VerifyingKey) {
	system, err := frontend.Compile(id.ScalarField(), scs.NewBuilder, c)
	ok(t, err)
	srs, lagrange, err := unsafekzg.NewSRS(system)
	ok(t, err)
	pk, vk, err := plonk.Setup(system, srs, lagrange)
	ok(t, err)
	return system, pk, vk
}

// TestPlonk proves random circuits with 0 to 3 commitments: 24 of them, or SUMAC_GNARK_CIRCUITS. gnark verifies sumac's proofs, and
// sumac gnark's.
func TestPlonk(t *testing.T) {
	circuits, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_CIRCUITS"))
	if circuits == 0 {
		circuits = 24
	}
	c := newContext(t)
	for seed := range uint64(circuits) {
		id := []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761}[seed%4]
		t.Run(fmt.Sprintf("%v,seed=%d", id, seed), func(t *testing.T) {
			empty, assigned := circuitOf(seed)
			empty.count = int(seed / 4 % 4)
			system, pk, vk := setupPlonk(t, id, empty)
			full, public := newWitness(t, id, assigned)
			key, err := gnark.OpenPlonk(c, system, pk, sumac.Compact(seed%2 == 0))
			ok(t, err)
			defer key.Close()
			ours, err := key.Prove(c, system, full)
			ok(t, err)
			ok(t, plonk.Verify(ours, vk, public))
			theirs, err := plonk.Prove(system, pk, full)
			ok(t, err)
			for _, proof := range []plonk.Proof{ours, theirs} {
				if holds, err := gnark.VerifyPlonk(c, proof, vk, public); err != nil || !holds {
					t.Error(holds, err)
				}
			}
		})
	}
}

// TestPlonkFiles proves with keys of files: those of WritePlonkKey, and prepared ones, whose commitments answer the solver.
func TestPlonkFiles(t *testing.T) {
	c := newContext(t)
	for i, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761} {
		empty, assigned := circuitOf(uint64(20 + i))
		empty.count = i
		system, pk, vk := setupPlonk(t, id, empty)
		full, public := newWitness(t, id, assigned)
		folder := t.TempDir()
		written, prepared := filepath.Join(folder, "written"), filepath.Join(folder, "prepared")
		file, err := os.Create(written)
		ok(t, err)
		ok(t, gnark.WritePlonkKey(file, system, pk))
		ok(t, file.Close())
		for _, path := range []string{written, prepared} {
			key, err := gnark.OpenPlonkFile(c, path)
			ok(t, err)
			proof, err := key.Prove(c, system, full)
			ok(t, err)
			ok(t, plonk.Verify(proof, vk, public))
			ok(t, key.Save(c, prepared))
			key.Close()
		}
	}
	if _, err := gnark.OpenPlonkFile(c, filepath.Join(t.TempDir(), "none")); !errors.Is(err, sumac.ErrCannotOpen) {
		t.Error(err)
	}
}

// TestPlonkAltered alters each value of a proof, which both verifiers then refuse, and gives the prover wrong solutions.
func TestPlonkAltered(t *testing.T) {
	c := newContext(t)
	empty, assigned := circuitOf(8)
	empty.count = 2
	system, pk, vk := setupPlonk(t, ecc.BN254, empty)
	full, public := newWitness(t, ecc.BN254, assigned)
	key, err := gnark.OpenPlonk(c, system, pk)
	ok(t, err)
	defer key.Close()
	for name, alter := range map[string]func(p *plonk_bn254.Proof){
		"LRO":         func(p *plonk_bn254.Proof) { p.LRO[0], p.LRO[1] = p.LRO[1], p.LRO[0] },
		"Z":           func(p *plonk_bn254.Proof) { p.Z.Neg(&p.Z) },
		"H":           func(p *plonk_bn254.Proof) { p.H[2] = p.H[1] },
		"linear":      func(p *plonk_bn254.Proof) { p.BatchedProof.ClaimedValues[0].SetOne() },
		"qcp":         func(p *plonk_bn254.Proof) { p.BatchedProof.ClaimedValues[7].SetOne() },
		"shifted":     func(p *plonk_bn254.Proof) { p.ZShiftedOpening.ClaimedValue.SetOne() },
		"opening":     func(p *plonk_bn254.Proof) { p.BatchedProof.H = p.ZShiftedOpening.H },
		"commitments": func(p *plonk_bn254.Proof) { p.Bsb22Commitments[0] = p.Bsb22Commitments[1] },
		"fewer":       func(p *plonk_bn254.Proof) { p.Bsb22Commitments = p.Bsb22Commitments[1:] },
		"values":      func(p *plonk_bn254.Proof) { p.BatchedProof.ClaimedValues = p.BatchedProof.ClaimedValues[1:] },
		"not altered": func(p *plonk_bn254.Proof) {},
	} {
		proof, err := key.Prove(c, system, full)
		ok(t, err)
		alter(proof.(*plonk_bn254.Proof))
		holds, err := gnark.VerifyPlonk(c, proof, vk, public)
		theirs := plonk.Verify(proof, vk, public)
		if holds != (theirs == nil) || holds != (name == "not altered") {
			t.Error(name, holds, err, theirs)
		}
	}
	// A solution whose hint was not answered by the key is refused: the gate of its commitment does not hold.
	solution, err := system.Solve(full)
	ok(t, err)
	var numbers gnark.PlonkNumbers
	_ = key.Hint(c, &numbers)
	var e *sumac.Error
	if _, err := key.ProveSolution(c, solution, &numbers); !errors.As(err, &e) || e.Status != sumac.ErrNotSatisfied || !strings.Contains(e.Message, "gate") {
		t.Error(err)
	}
	if _, err := key.ProveSolution(c, nil, &numbers); !errors.Is(err, sumac.ErrMismatch) {
		t.Error(err)
	}
	if _, err := gnark.OpenPlonk(c, nil, pk); err == nil {
		t.Error("a key without a circuit was opened")
	}
}

// TestPlonkConcurrent proves with one key in several goroutines, each with a Context.
func TestPlonkConcurrent(t *testing.T) {
	empty, assigned := circuitOf(4)
	empty.count = 1
	system, pk, vk := setupPlonk(t, ecc.BN254, empty)
	full, public := newWitness(t, ecc.BN254, assigned)
	key, err := gnark.OpenPlonk(newContext(t), system, pk)
	ok(t, err)
	defer key.Close()
	var all sync.WaitGroup
	for range 4 {
		c := newContext(t)
		all.Go(func() {
			for range 3 {
				proof, err := key.Prove(c, system, full)
				if err == nil {
					err = plonk.Verify(proof, vk, public)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// processorTime is the time for which the program's threads have run.
func processorTime(t testing.TB) time.Duration {
	var usage syscall.Rusage
	ok(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestPlonkTimes compares gnark's and sumac's times on the CPU for 2^SUMAC_GNARK_LOG2 gates, in turns, without solving, whose time is
// subtracted from gnark's: processor times on one thread, or times on SUMAC_GNARK_THREADS threads. The key keeps
// SUMAC_GNARK_PRECOMPUTE multiples of each power of tau.
func TestPlonkTimes(t *testing.T) {
	log2, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_LOG2"))
	if log2 == 0 {
		t.Skip("SUMAC_GNARK_LOG2 is not set")
	}
	factor, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_PRECOMPUTE"))
	threads, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_THREADS"))
	threads = max(threads, 1)
	start := time.Now()
	clock := func() time.Duration { return time.Since(start) }
	if threads == 1 {
		clock = func() time.Duration { return processorTime(t) }
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	c, err := sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(threads))
	ok(t, err)
	defer c.Close()
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		for _, committed := range []int{0, 1 << log2 / 16} {
			n := (1<<log2 - 100 - committed) / 3
			var empty, assigned frontend.Circuit = &circuit{n: n}, &circuit{X: 5, Y: 7}
			if committed > 0 {
				empty, assigned = &committing{circuit{n: n - committed/2}, committed}, &committing{circuit: circuit{X: 5, Y: 7}}
			}
			system, pk, _ := setupPlonk(t, id, empty)
			full, _ := newWitness(t, id, assigned)
			key, err := gnark.OpenPlonk(c, system, pk, sumac.PrecomputeFactor(factor))
			ok(t, err)
			var numbers gnark.PlonkNumbers
			solution, err := system.Solve(full, key.Hint(c, &numbers))
			ok(t, err)
			var least [3]time.Duration
			for round := range 4 {
				for i, f := range []func() error{
					func() error { _, err := plonk.Prove(system, pk, full); return err },
					func() error { _, err := system.Solve(full, key.Hint(c, &numbers)); return err },
					func() error { _, err := key.ProveSolution(c, solution, &numbers); return err },
				} {
					begun := clock()
					err := f()
					if took := clock() - begun; round == 0 || took < least[i] {
						least[i] = took
					}
					if i == 1 { // the numbers belong to the last solution
						solution, _ = system.Solve(full, key.Hint(c, &numbers))
					}
					ok(t, err)
				}
			}
			t.Logf("%v, %d gates, %d wires committed: gnark %v with its solver, solver %v, sumac %v (verified): %.2f times", id,
				system.GetNbConstraints(), committed, least[0], least[1], least[2], float64(least[0]-least[1])/float64(least[2]))
			key.Close()
		}
	}
}
