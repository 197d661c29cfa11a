// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend"
	"github.com/consensys/gnark/backend/groth16"
	groth16_bn254 "github.com/consensys/gnark/backend/groth16/bn254"
	"github.com/consensys/gnark/backend/solidity"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	sumac "github.com/sumac-msm/sumac/bindings/go"
	"github.com/sumac-msm/sumac/bindings/go/gnark"
)

// A circuit of random products and commitments, which the seed determines. Each commitment is to random public inputs, private
// wires and earlier commitments, and later products use it.
type randomCircuit struct {
	Public []frontend.Variable `gnark:",public"`
	Secret []frontend.Variable
	seed   uint64
	count  int // of commitments
}

func (c *randomCircuit) Define(api frontend.API) error {
	random := rand.New(rand.NewPCG(c.seed, 0))
	wires := append(append([]frontend.Variable{}, c.Public...), c.Secret...)
	anyOf := func() frontend.Variable { return wires[random.IntN(len(wires))] }
	for k := range c.count + 1 {
		for range 1 + random.IntN(20) {
			wires = append(wires, api.Mul(api.Add(anyOf(), random.IntN(5)), anyOf()))
		}
		if k == c.count {
			break
		}
		committed := []frontend.Variable{}
		for range 1 + random.IntN(6) {
			committed = append(committed, anyOf())
		}
		commitment, err := api.(frontend.Committer).Commit(committed...)
		if err != nil {
			return err
		}
		wires = append(wires, commitment)
	}
	last := wires[len(wires)-1]
	api.AssertIsEqual(api.Mul(last, last), api.Mul(last, api.Add(last, 0)))
	return nil
}

// newRandomCircuit makes a circuit of seed % 5 commitments. gnark 0.16.2 can't compile some circuits that commit to a wire once more
// (an index of its Commit is out of range), and then another one is made.
func newRandomCircuit(seed uint64) (empty, assigned *randomCircuit) {
	for attempt := uint64(0); attempt < 100; attempt++ {
		empty, assigned = circuitOf(seed + 5000*attempt)
		if _, err := frontend.Compile(ecc.BN254.ScalarField(), r1cs.NewBuilder, empty); err == nil {
			break
		}
	}
	return empty, assigned
}

func circuitOf(seed uint64) (empty, assigned *randomCircuit) {
	random := rand.New(rand.NewPCG(seed, 1))
	publics, secrets, count := random.IntN(4), 1+random.IntN(4), int(seed%5)
	empty = &randomCircuit{make([]frontend.Variable, publics), make([]frontend.Variable, secrets), seed, count}
	assigned = &randomCircuit{Public: make([]frontend.Variable, publics), Secret: make([]frontend.Variable, secrets)}
	for _, wires := range [][]frontend.Variable{assigned.Public, assigned.Secret} {
		for i := range wires {
			wires[i] = 1 + random.IntN(1000)
		}
	}
	return empty, assigned
}

// proveBoth proves with sumac and with gnark, and each verifies the other's proof.
func proveBoth(t testing.TB, c *sumac.Context, id ecc.ID, empty, assigned frontend.Circuit) {
	t.Helper()
	system, pk, vk := setup(t, id, empty)
	full, public := newWitness(t, id, assigned)
	key, err := gnark.Open(c, pk, vk, gnark.CommitmentWires(system))
	ok(t, err)
	defer key.Close()
	ours, err := key.Prove(c, system, full)
	ok(t, err)
	ok(t, groth16.Verify(ours, vk, public))
	theirs, err := groth16.Prove(system, pk, full)
	ok(t, err)
	for _, proof := range []groth16.Proof{ours, theirs} {
		if holds, err := gnark.Verify(c, proof, vk, public); err != nil || !holds {
			t.Error(holds, err)
		}
	}
}

// TestRandomCommitments proves circuits with 0 to 4 commitments: 20 of them, or SUMAC_GNARK_CIRCUITS.
func TestRandomCommitments(t *testing.T) {
	circuits, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_CIRCUITS"))
	if circuits == 0 {
		circuits = 20
	}
	c := newContext(t)
	for seed := range uint64(circuits) {
		id := []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761}[seed/5%4]
		t.Run(fmt.Sprintf("%v,seed=%d", id, seed), func(t *testing.T) {
			empty, assigned := newRandomCircuit(seed)
			proveBoth(t, c, id, empty, assigned)
		})
	}
}

// TestCommitmentHash proves with another hash than the default. Each other hash is refused.
func TestCommitmentHash(t *testing.T) {
	c := newContext(t)
	empty, assigned := newRandomCircuit(2)
	system, pk, vk := setup(t, ecc.BN254, empty)
	full, public := newWitness(t, ecc.BN254, assigned)
	theirs, err := groth16.Prove(system, pk, full, solidity.WithProverTargetSolidityVerifier(backend.GROTH16))
	ok(t, err)
	hashes := map[gnark.Hash]backend.VerifierOption{
		gnark.SHA256:    backend.WithVerifierHashToFieldFunction(sha256.New()),
		gnark.Keccak256: solidity.WithVerifierTargetSolidityVerifier(backend.GROTH16),
	}
	for hash, option := range hashes {
		key, err := gnark.OpenHashing(c, pk, vk, hash, gnark.CommitmentWires(system))
		ok(t, err)
		defer key.Close()
		proof, err := key.Prove(c, system, full)
		ok(t, err)
		ok(t, groth16.Verify(proof, vk, public, option))
		if groth16.Verify(proof, vk, public) == nil {
			t.Error("gnark verified another hash")
		}
		for _, other := range []gnark.Hash{gnark.SHA256, gnark.Keccak256, gnark.XMDSHA256} {
			if holds, err := gnark.VerifyHashing(c, proof, vk, public, other); err != nil || holds != (other == hash) {
				t.Error(hash, other, holds, err)
			}
		}
		if holds, err := gnark.VerifyHashing(c, theirs, vk, public, hash); err != nil || holds != (hash == gnark.Keccak256) {
			t.Error(hash, holds, err)
		}
	}
	if _, err := gnark.VerifyHashing(c, theirs, vk, public, "sha512"); !errors.Is(err, sumac.ErrBadArgument) {
		t.Error(err)
	}
}

// TestAltered alters commitments of proofs, which both verifiers then refuse, and gives keys the wrong wires.
func TestAltered(t *testing.T) {
	c := newContext(t)
	empty, assigned := newRandomCircuit(8)
	system, pk, vk := setup(t, ecc.BN254, empty)
	full, public := newWitness(t, ecc.BN254, assigned)
	wires := gnark.CommitmentWires(system)
	key, err := gnark.Open(c, pk, vk, wires)
	ok(t, err)
	defer key.Close()
	for name, alter := range map[string]func(p *groth16_bn254.Proof){
		"commitment":  func(p *groth16_bn254.Proof) { p.Commitments[1] = p.Ar },
		"order":       func(p *groth16_bn254.Proof) { p.Commitments[0], p.Commitments[1] = p.Commitments[1], p.Commitments[0] },
		"pok":         func(p *groth16_bn254.Proof) { p.CommitmentPok = p.Krs },
		"fewer":       func(p *groth16_bn254.Proof) { p.Commitments = p.Commitments[1:] },
		"none":        func(p *groth16_bn254.Proof) { p.Commitments = nil },
		"no pok":      func(p *groth16_bn254.Proof) { p.CommitmentPok.X.SetZero(); p.CommitmentPok.Y.SetZero() },
		"opposite":    func(p *groth16_bn254.Proof) { p.Commitments[0].Neg(&p.Commitments[0]) },
		"not altered": func(p *groth16_bn254.Proof) {},
	} {
		proof, err := key.Prove(c, system, full)
		ok(t, err)
		alter(proof.(*groth16_bn254.Proof))
		holds, err := gnark.Verify(c, proof, vk, public)
		theirs := groth16.Verify(proof, vk, public)
		if holds != (theirs == nil) || holds != (name == "not altered") {
			t.Error(name, holds, err, theirs)
		}
	}
	other := append(sumac.CommitmentWires{}, wires...)
	other[1]++
	for _, wrong := range []sumac.CommitmentWires{nil, wires[1:], append(wires[:1:1], wires...), other} {
		key, err := gnark.Open(c, pk, vk, wrong)
		if err == nil {
			_, err = key.Prove(c, system, full)
			key.Close()
		}
		var e *sumac.Error
		if !errors.As(err, &e) || strings.Count(e.Message, "\n") > 0 {
			t.Error(err)
		}
	}
	// A solution whose hint was not answered by the key is refused.
	solution, err := system.Solve(full)
	ok(t, err)
	if _, err := key.ProveSolution(c, solution); !errors.Is(err, sumac.ErrNotSatisfied) {
		t.Error(err)
	}
}

// TestConcurrent proves with one key in 8 goroutines, each with a Context: 40 proofs, or SUMAC_GNARK_CALLS. The resident memory of the
// process then stays as it was after the first ones.
func TestConcurrent(t *testing.T) {
	const goroutines = 8
	calls, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_CALLS"))
	if calls == 0 {
		calls = 40
	}
	empty, assigned := newRandomCircuit(4)
	system, pk, vk := setup(t, ecc.BN254, empty)
	full, public := newWitness(t, ecc.BN254, assigned)
	key, err := gnark.Open(newContext(t), pk, vk, gnark.CommitmentWires(system))
	ok(t, err)
	defer key.Close()
	var contexts [goroutines]*sumac.Context
	for i := range contexts {
		contexts[i] = newContext(t)
	}
	run := func(calls int) {
		var all sync.WaitGroup
		for _, c := range contexts {
			all.Go(func() {
				for range calls / goroutines {
					proof, err := key.Prove(c, system, full)
					if err == nil {
						err = groth16.Verify(proof, vk, public)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
	}
	run(calls / 5)
	before := residentBytes(t)
	run(calls)
	after := residentBytes(t)
	t.Logf("%d calls: the process had %d KiB, and has %d", calls, before>>10, after>>10)
	if after > before+64<<20 {
		t.Error("memory grows with calls")
	}
}

func residentBytes(t *testing.T) (bytes int) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var total, pages int
	_, err = fmt.Sscan(string(text), &total, &pages)
	ok(t, err)
	return pages * os.Getpagesize()
}
