// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark_test

import (
	"errors"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"

	sumac "github.com/sumac-msm/sumac/bindings/go"
	"github.com/sumac-msm/sumac/bindings/go/gnark"
)

func init() { logger.Disable() }

type circuit struct {
	Y frontend.Variable `gnark:",public"`
	X frontend.Variable
	n int
}

func (c *circuit) Define(api frontend.API) error {
	x, w := c.X, frontend.Variable(3)
	for range c.n {
		x, w = api.Mul(api.Add(x, api.Mul(w, 3)), api.Sub(x, w)), x
	}
	api.AssertIsDifferent(x, c.Y)
	return nil
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func setup(t testing.TB, id ecc.ID, c frontend.Circuit) (constraint.ConstraintSystem, groth16.ProvingKey, groth16.VerifyingKey) {
	system, err := frontend.Compile(id.ScalarField(), r1cs.NewBuilder, c)
	ok(t, err)
	pk, vk, err := groth16.Setup(system)
	ok(t, err)
	return system, pk, vk
}

func newWitness(t testing.TB, id ecc.ID, assigned frontend.Circuit) (full, public witness.Witness) {
	full, err := frontend.NewWitness(assigned, id.ScalarField())
	ok(t, err)
	public, err = full.Public()
	ok(t, err)
	return full, public
}

func newContext(t testing.TB) *sumac.Context {
	c, err := sumac.NewContext()
	ok(t, err)
	t.Cleanup(c.Close)
	return c
}

// TestProve lets gnark compile, set up and solve circuits. sumac proves, and gnark verifies. Then sumac verifies a proof of
// gnark.
func TestProve(t *testing.T) {
	c := newContext(t)
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761} {
		t.Run(id.String(), func(t *testing.T) {
			system, pk, vk := setup(t, id, &circuit{n: 100})
			full, public := newWitness(t, id, &circuit{X: 5, Y: 7})
			for _, verifying := range []groth16.VerifyingKey{vk, nil} {
				key, err := gnark.Open(c, pk, verifying)
				ok(t, err)
				defer key.Close()
				proof, err := key.Prove(c, system, full)
				ok(t, err)
				ok(t, groth16.Verify(proof, vk, public))
				// sumac refuses solutions of another circuit or curve, and a wrong witness.
				var e *sumac.Error
				if _, err := key.ProveSolution(c, nil); !errors.As(err, &e) || e.Status != sumac.ErrMismatch {
					t.Error(err)
				}
				other, _, _ := setup(t, id, &circuit{n: 90})
				solution, err := other.Solve(full)
				ok(t, err)
				if _, err := key.ProveSolution(c, solution); !errors.Is(err, sumac.ErrMismatch) {
					t.Error(err)
				}
			}
			// With the verifying key of another setup no proof is returned.
			_, _, wrong := setup(t, id, &circuit{n: 100})
			key, err := gnark.Open(c, pk, wrong)
			if err == nil {
				defer key.Close()
				_, err = key.Prove(c, system, full)
			}
			if err == nil {
				t.Error("a proof that does not hold was returned")
			}
			// sumac verifies gnark's proof.
			theirs, err := groth16.Prove(system, pk, full)
			ok(t, err)
			holds, err := gnark.Verify(c, theirs, vk, public)
			if err != nil || !holds {
				t.Error(holds, err)
			}
		})
	}
}

type smallest struct{ X frontend.Variable }

func (c *smallest) Define(api frontend.API) error {
	api.AssertIsEqual(c.X, 1)
	return nil
}

// TestSmallest proves a circuit of one constraint, whose domain does not show the curve by its size's inverse.
func TestSmallest(t *testing.T) {
	c := newContext(t)
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761} {
		t.Run(id.String(), func(t *testing.T) {
			system, pk, vk := setup(t, id, &smallest{})
			full, public := newWitness(t, id, &smallest{X: 1})
			key, err := gnark.Open(c, pk, vk)
			ok(t, err)
			defer key.Close()
			proof, err := key.Prove(c, system, full)
			ok(t, err)
			ok(t, groth16.Verify(proof, vk, public))
		})
	}
}

// The circuit, with a commitment to its first n wires.
type committing struct {
	circuit
	committed int
}

func (c *committing) Define(api frontend.API) error {
	committed := []frontend.Variable{c.X}
	x := c.X
	for len(committed) < c.committed {
		x = api.Mul(x, x)
		committed = append(committed, x)
	}
	commitment, err := api.(frontend.Committer).Commit(committed...)
	if err != nil {
		return err
	}
	api.AssertIsDifferent(commitment, c.Y)
	return c.circuit.Define(api)
}

// TestTimes compares processor times with gnark's for 2^SUMAC_GNARK_LOG2 constraints, including solving, without a commitment and with
// one to a wire, a sixteenth and a half of all wires. All take turns, and the least times count.
func TestTimes(t *testing.T) {
	log2, _ := strconv.Atoi(os.Getenv("SUMAC_GNARK_LOG2"))
	if log2 == 0 {
		t.Skip("SUMAC_GNARK_LOG2 is not set")
	}
	c := newContext(t)
	n := 1<<log2 - 100
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		counts := []int{0, 1, n / 16, n / 2}
		var provers [][]func() error
		for _, committed := range counts {
			var empty, assigned frontend.Circuit = &circuit{n: n}, &circuit{X: 5, Y: 7}
			if committed > 0 {
				empty, assigned = &committing{circuit{n: n - committed}, committed}, &committing{circuit: circuit{X: 5, Y: 7}}
			}
			system, pk, vk := setup(t, id, empty)
			full, _ := newWitness(t, id, assigned)
			key, err := gnark.Open(c, pk, vk, gnark.CommitmentWires(system))
			ok(t, err)
			defer key.Close()
			solution, err := system.Solve(full, key.Hint(c))
			ok(t, err)
			provers = append(provers, []func() error{
				func() error { _, err := groth16.Prove(system, pk, full); return err },
				func() error { _, err := key.Prove(c, system, full); return err },
				func() error { _, err := key.ProveSolution(c, solution); return err },
			})
		}
		least := make([][3]time.Duration, len(provers))
		for round := range 5 {
			for i := range provers {
				for j, prove := range provers[i] {
					begun := processorTime(t)
					ok(t, prove())
					if took := processorTime(t) - begun; round == 0 || took < least[i][j] {
						least[i][j] = took
					}
				}
			}
		}
		for i, times := range least {
			t.Logf("%v, 2^%d constraints, %d wires committed: gnark %v, sumac %v (verified), of which proving %v: %.2f times that without", id,
				log2, counts[i], times[0], times[1], times[2], float64(times[2])/float64(least[0][2]))
		}
	}
}
