// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark

import (
	"fmt"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
	curve381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	kzg381 "github.com/consensys/gnark-crypto/ecc/bls12-381/kzg"
	curve254 "github.com/consensys/gnark-crypto/ecc/bn254"
	kzg254 "github.com/consensys/gnark-crypto/ecc/bn254/kzg"
	"github.com/consensys/gnark/backend/plonk"
	"github.com/consensys/gnark/constraint"
	cs381 "github.com/consensys/gnark/constraint/bls12-381"
	cs254 "github.com/consensys/gnark/constraint/bn254"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// PlonkSetup makes the keys of a circuit from powers of tau of snarkjs (.ptau), prepared for phase 2 or not, for BN254 and BLS12-381.
// They are those of gnark's plonk.Setup for these powers. For a circuit whose domain is n, the file needs n + 3 powers in the first
// group. sumac checks that they and tau in the second group lie in their subgroups, and computes their Lagrange form. The keys are as
// safe as the powers of tau, and the circuit needs no ceremony of its own.
func PlonkSetup(c *sumac.Context, circuit constraint.ConstraintSystem, ptauPath string) (plonk.ProvingKey, plonk.VerifyingKey, error) {
	gates, err := gatesOf(circuit)
	if err != nil {
		return nil, nil, err
	}
	n := ecc.NextPowerOfTwo(gates)
	switch circuit.(type) {
	case *cs254.SparseR1CS:
		p, err := powersOfTau[curve254.G1Affine, curve254.G2Affine](c, "bn254", ptauPath, n)
		if err != nil {
			return nil, nil, err
		}
		srs := kzg254.SRS{Pk: kzg254.ProvingKey{G1: p.powers}, Vk: kzg254.VerifyingKey{G1: p.powers[0], G2: [2]curve254.G2Affine(p.tau)}}
		srs.Vk.Lines[0], srs.Vk.Lines[1] = curve254.PrecomputeLines(p.tau[0]), curve254.PrecomputeLines(p.tau[1])
		return plonk.Setup(circuit, &srs, &kzg254.SRS{Pk: kzg254.ProvingKey{G1: p.lagrange}})
	case *cs381.SparseR1CS:
		p, err := powersOfTau[curve381.G1Affine, curve381.G2Affine](c, "bls12-381", ptauPath, n)
		if err != nil {
			return nil, nil, err
		}
		srs := kzg381.SRS{Pk: kzg381.ProvingKey{G1: p.powers}, Vk: kzg381.VerifyingKey{G1: p.powers[0], G2: [2]curve381.G2Affine(p.tau)}}
		srs.Vk.Lines[0], srs.Vk.Lines[1] = curve381.PrecomputeLines(p.tau[0]), curve381.PrecomputeLines(p.tau[1])
		return plonk.Setup(circuit, &srs, &kzg381.SRS{Pk: kzg381.ProvingKey{G1: p.lagrange}})
	}
	return nil, nil, &sumac.Error{Status: sumac.ErrMismatch, Message: fmt.Sprintf("%T is no circuit of a curve for which there are powers of tau (.ptau)", circuit)}
}

// tauPowers has n + 3 powers of tau in the first group, the Lagrange form of the first n, and 1 and tau in the second group.
type tauPowers[P1, P2 any] struct {
	powers, lagrange []P1
	tau              []P2
}

// powersOfTau reads them from a file. gnark's roots of unity of both curves are sumac's.
func powersOfTau[P1, P2 any](c *sumac.Context, curve, path string, n uint64) (*tauPowers[P1, P2], error) {
	to := &tauPowers[P1, P2]{powers: make([]P1, n+3), lagrange: make([]P1, n), tau: make([]P2, 2)}
	second, err := openPowers(c, curve, "g2", path, len(to.tau))
	if err != nil {
		return nil, err
	}
	defer second.Close()
	if err := second.Get(c, memory(to.tau), 0, sumac.Montgomery); err != nil {
		return nil, err
	}
	first, err := openPowers(c, curve, "g1", path, len(to.powers))
	if err != nil {
		return nil, err
	}
	defer first.Close()
	if err := first.Get(c, memory(to.powers), 0, sumac.Montgomery); err != nil {
		return nil, err
	}
	values, err := first.View(c, 0, int(n))
	if err != nil {
		return nil, err
	}
	defer values.Close()
	if err := values.NTT(c, sumac.Inverse(true)); err != nil {
		return nil, err
	}
	return to, values.Get(c, memory(to.lagrange), 0, sumac.Montgomery)
}

// memory returns the memory of gnark's points, which are coordinates in Montgomery form.
func memory[P any](points []P) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(points))), len(points)*int(unsafe.Sizeof(*new(P))))
}

// openPowers makes a vector of the first powers of tau in one of the groups, which are checked to lie in their subgroup.
func openPowers(c *sumac.Context, curve, group, path string, count int) (*sumac.Vector, error) {
	g, err := sumac.FindCurve(curve, group)
	if err != nil {
		return nil, err
	}
	const format = "ptau-tau"
	has, err := c.CountBases(g, path, format)
	if err != nil {
		return nil, err
	}
	if has < count {
		return nil, &sumac.Error{Status: sumac.ErrBadLength, Message: fmt.Sprintf("%s: %d powers of tau in %s, and the circuit needs %d", path, has, group, count)}
	}
	bases, err := c.OpenBases(g, path, format, 0, count, sumac.CheckSubgroup)
	if err != nil {
		return nil, err
	}
	defer bases.Close()
	raw := make([]byte, count*g.PointBytes)
	if err := bases.Get(c, raw, 0); err != nil {
		return nil, err
	}
	return c.NewPoints(g, raw)
}
