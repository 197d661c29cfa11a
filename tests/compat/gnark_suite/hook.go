// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package hook lets gnark's groth16.Prove and plonk.Prove prove with sumac. run.sh adds a variable Attached to each curve's package in a copy of
// gnark, and imports this package in gnark's tests.
package hook

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"
	"reflect"
	"sync/atomic"

	"github.com/consensys/gnark/backend"
	"github.com/consensys/gnark/backend/groth16"
	bls12377 "github.com/consensys/gnark/backend/groth16/bls12-377"
	bls12381 "github.com/consensys/gnark/backend/groth16/bls12-381"
	bn254 "github.com/consensys/gnark/backend/groth16/bn254"
	bw6761 "github.com/consensys/gnark/backend/groth16/bw6-761"
	"github.com/consensys/gnark/backend/plonk"
	plonk377 "github.com/consensys/gnark/backend/plonk/bls12-377"
	plonk381 "github.com/consensys/gnark/backend/plonk/bls12-381"
	plonk254 "github.com/consensys/gnark/backend/plonk/bn254"
	plonk761 "github.com/consensys/gnark/backend/plonk/bw6-761"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	sumac "github.com/sumac-msm/sumac/bindings/go"
	"github.com/sumac-msm/sumac/bindings/go/gnark"
)

var ours, theirs atomic.Int64

func init() {
	bn254.Attached = prove
	bls12381.Attached = prove
	bls12377.Attached = prove
	bw6761.Attached = prove
	plonk254.Attached = provePlonk
	plonk381.Attached = provePlonk
	plonk377.Attached = provePlonk
	plonk761.Attached = provePlonk
}

// prove proves with sumac, without a verifying key, which gnark's Prove does not have. Without it, commitments with another hash than
// the default are left to gnark, and so are statistical zero-knowledge proofs: the last result is then false.
func prove(circuit, pk any, full witness.Witness, options []backend.ProverOption) (any, error, bool) {
	config, err := backend.NewProverConfig(options...)
	commits := len(circuit.(constraint.ConstraintSystem).GetCommitments().CommitmentIndexes()) > 0
	if err != nil || config.StatisticalZK || (config.HashToFieldFn != nil && commits) {
		count(&theirs)
		return nil, nil, false
	}
	c, err := sumac.NewContext()
	if err != nil {
		return nil, err, true
	}
	defer c.Close()
	key, err := gnark.Open(c, pk.(groth16.ProvingKey), nil, gnark.CommitmentWires(circuit.(constraint.ConstraintSystem)))
	if err != nil {
		return nil, err, true
	}
	defer key.Close()
	proof, err := key.Prove(c, circuit.(constraint.ConstraintSystem), full, config.SolverOpts...)
	if err == nil {
		count(&ours)
	}
	return proof, err, true
}

// provePlonk proves with sumac. Proofs with other hashes than the defaults are left to gnark, and domains of less than 8.
func provePlonk(circuit, pk any, full witness.Witness, options []backend.ProverOption) (any, error, bool) {
	system := circuit.(constraint.ConstraintSystem)
	isDefault := func(h hash.Hash) bool { return reflect.TypeOf(h) == reflect.TypeOf(sha256.New()) }
	config, err := backend.NewProverConfig(options...)
	if err != nil || config.HashToFieldFn != nil || !isDefault(config.ChallengeHash) || !isDefault(config.KZGFoldingHash) {
		count(&theirs)
		return nil, nil, false
	}
	c, err := sumac.NewContext()
	if err != nil {
		return nil, err, true
	}
	defer c.Close()
	key, err := gnark.OpenPlonk(c, system, pk.(plonk.ProvingKey))
	if errors.Is(err, sumac.ErrNotSupported) {
		count(&theirs)
		return nil, nil, false
	}
	if err != nil {
		return nil, err, true
	}
	defer key.Close()
	proof, err := key.Prove(c, system, full, config.SolverOpts...)
	if err == nil {
		count(&ours)
	}
	return proof, err, true
}

// count counts proofs, and writes the numbers to a file of this process.
func count(which *atomic.Int64) {
	which.Add(1)
	folder := os.Getenv("SUMAC_HOOK_COUNTS")
	if folder != "" {
		text := fmt.Sprintf("%d %d\n", ours.Load(), theirs.Load())
		if err := os.WriteFile(fmt.Sprintf("%s/%d", folder, os.Getpid()), []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
}
