// SPDX-License-Identifier: Apache-2.0 OR MIT

// This program writes keys, solved witnesses and proofs of small circuits with gnark, and verifies our proofs with
// gnark.
//
//	gnark write DIRECTORY
//	gnark verify DIRECTORY CIRCUIT PROOF PUBLICS
//
// Randomness is a fixed stream, so that each run writes the same files. The file `randomness` has the proof's r and s.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/consensys/gnark-crypto/ecc"
	fr377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	hash377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr/hash_to_field"
	fr381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	hash381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/hash_to_field"
	fr254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	hash254 "github.com/consensys/gnark-crypto/ecc/bn254/fr/hash_to_field"
	fr761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	hash761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr/hash_to_field"
	"github.com/consensys/gnark/backend"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"golang.org/x/crypto/sha3"
)

// The public inputs' wires are in neither A nor B. Each of the other wires is in one of them.
type circuit struct {
	X, Y    frontend.Variable `gnark:",public"`
	A, B, C frontend.Variable
}

func (c *circuit) Define(api frontend.API) error {
	product := api.Mul(c.A, c.B, c.C)
	api.AssertIsEqual(c.X, api.Add(product, c.A, 5))
	ratio := api.Mul(api.Mul(product, product), api.Inverse(c.B))
	api.AssertIsEqual(c.Y, api.Sub(ratio, api.Mul(c.C, 3)))
	// These rows only enlarge the domain, because gnark's roots of unity differ from ours from order 16 and 32 on.
	for i := 0; i < 10; i++ {
		api.AssertIsEqual(api.Add(c.A, api.Mul(c.B, i)), 3+5*i)
	}
	return nil
}

// Every wire is in A and in B.
type full struct {
	X frontend.Variable `gnark:",public"`
	A frontend.Variable
}

func (c *full) Define(api frontend.API) error {
	api.AssertIsBoolean(api.Add(c.X, c.A, -7))
	api.AssertIsBoolean(api.Add(api.Sub(c.X, c.A), 2))
	return nil
}

// This is a circuit with one commitment, to private and public wires.
type committing struct{ circuit }

func (c *committing) Define(api frontend.API) error {
	commitment, err := api.(frontend.Committer).Commit(c.X, c.A, c.B)
	if err != nil {
		return err
	}
	api.AssertIsDifferent(commitment, c.C)
	return c.circuit.Define(api)
}

// This is a circuit with three commitments. The second one is to the value of the first, too, and the third to wires of the first.
type several struct{ circuit }

func (c *several) Define(api frontend.API) error {
	committer := api.(frontend.Committer)
	first, err := committer.Commit(c.X, c.A)
	if err != nil {
		return err
	}
	second, err := committer.Commit(c.Y, first, api.Mul(c.B, c.C), c.B)
	if err != nil {
		return err
	}
	third, err := committer.Commit(c.A, c.C)
	if err != nil {
		return err
	}
	api.AssertIsDifferent(api.Mul(first, second), third)
	return c.circuit.Define(api)
}

var assignment = circuit{X: 113, Y: 2184, A: 3, B: 5, C: 7}
var fullAssignment = full{X: 3, A: 4}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// This is a stream of SHA-256 digests of a name and a counter.
type stream struct {
	name  string
	count uint64
	left  []byte
}

func (s *stream) Read(p []byte) (int, error) {
	for i := range p {
		if len(s.left) == 0 {
			block := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(s.name), s.count))
			s.left = block[:]
			s.count++
		}
		p[i], s.left = s.left[0], s.left[1:]
	}
	return len(p), nil
}

func setRandomness(name string) { rand.Reader = &stream{name: name} }

type element[E any] interface {
	*E
	SetRandom() (*E, error)
	Marshal() []byte
}

// Return the next scalar as little-endian bytes.
func scalar[E any, P element[E]]() []byte {
	var e E
	_, err := P(&e).SetRandom()
	check(err)
	bytes := P(&e).Marshal()
	slices.Reverse(bytes)
	return bytes
}

type curve struct {
	name   string
	id     ecc.ID
	scalar func() []byte
	hash   func(domain []byte) hash.Hash // gnark's default, with the domain of commitments
}

var curves = []curve{{"bn254", ecc.BN254, scalar[fr254.Element], hash254.New},
	{"bls12-377", ecc.BLS12_377, scalar[fr377.Element], hash377.New},
	{"bls12-381", ecc.BLS12_381, scalar[fr381.Element], hash381.New},
	{"bw6-761", ecc.BW6_761, scalar[fr761.Element], hash761.New}}

// This is a hash that keeps its results.
type recorder struct {
	hash.Hash
	sums []*big.Int
}

func (r *recorder) Sum(b []byte) []byte {
	sum := r.Hash.Sum(nil)
	r.sums = append(r.sums, new(big.Int).SetBytes(sum))
	return append(b, sum...)
}

type directory string

func (d directory) write(name string, write func(w io.Writer) (int64, error)) {
	var file bytes.Buffer
	_, err := write(&file)
	check(err)
	check(os.WriteFile(filepath.Join(string(d), name), file.Bytes(), 0o644))
}

func (d directory) writeBoth(name string, object interface {
	io.WriterTo
	WriteRawTo(w io.Writer) (int64, error)
}) {
	d.write(name+".compressed", object.WriteTo)
	d.write(name+".raw", object.WriteRawTo)
}

func compile(id ecc.ID, c frontend.Circuit) constraint.ConstraintSystem {
	system, err := frontend.Compile(id.ScalarField(), r1cs.NewBuilder, c)
	check(err)
	return system
}

func setup(name string, system constraint.ConstraintSystem) (groth16.ProvingKey, groth16.VerifyingKey) {
	setRandomness("setup " + name)
	pk, vk, err := groth16.Setup(system)
	check(err)
	return pk, vk
}

// Write the wires of commitments, as the library takes them.
func (d directory) writeCommitted(system constraint.ConstraintSystem) {
	var wires []byte
	for _, c := range system.GetCommitments().(constraint.Groth16Commitments) {
		for _, wire := range append([]int{c.CommitmentIndex}, c.PrivateCommitted...) {
			wires = binary.LittleEndian.AppendUint32(wires, uint32(wire))
		}
	}
	if len(wires) > 0 {
		check(os.WriteFile(filepath.Join(string(d), "commitment_wires"), wires, 0o644))
	}
}

// Write a solved witness and a proof, for which the randomness is read once more: commitments' masks come first, then r and s.
func (d directory) writeProof(name string, of curve, system constraint.ConstraintSystem, pk groth16.ProvingKey, vk groth16.VerifyingKey,
	assigned frontend.Circuit, hash hash.Hash) {
	all, err := frontend.NewWitness(assigned, of.id.ScalarField())
	check(err)
	public, err := all.Public()
	check(err)
	d.write("public", public.WriteTo)
	recorded := &recorder{Hash: hash}
	alone := solver.WithNbTasks(1)
	setRandomness("proof " + name)
	proof, err := groth16.Prove(system, pk, all, backend.WithSolverOptions(alone), backend.WithProverHashToFieldFunction(recorded))
	check(err)
	check(groth16.Verify(proof, vk, public, backend.WithVerifierHashToFieldFunction(hash)))
	d.writeBoth("proof", proof)
	setRandomness("proof " + name)
	hint := solver.OverrideHint(solver.GetHintID(cs.Bsb22CommitmentComputePlaceholder), func(_ *big.Int, in, out []*big.Int) error {
		out[0].Mod(recorded.sums[in[0].Int64()], of.id.ScalarField())
		return nil
	})
	solution, err := system.Solve(all, alone, hint)
	check(err)
	d.write("solution", solution.(io.WriterTo).WriteTo)
	r := of.scalar()
	check(os.WriteFile(filepath.Join(string(d), "randomness"), append(r, of.scalar()...), 0o644))
}

// Write a circuit's keys, solved witness and proof.
func writeCircuit(root, name string, of curve, c, assigned frontend.Circuit, hash hash.Hash) {
	d := directory(filepath.Join(root, name))
	check(os.MkdirAll(string(d), 0o755))
	system := compile(of.id, c)
	fmt.Println(name, system.GetNbConstraints(), "constraints")
	pk, vk := setup(name, system)
	d.writeBoth("pk", pk)
	d.write("pk.dump", func(w io.Writer) (int64, error) { return 0, pk.WriteDump(w) })
	d.writeBoth("vk", vk)
	d.writeCommitted(system)
	d.writeProof(name, of, system, pk, vk, assigned, hash)
}

func write(root string) {
	domain := []byte(constraint.CommitmentDst)
	for _, c := range curves {
		writeCircuit(root, c.name, c, &circuit{}, &assignment, c.hash(domain))
	}
	writeCircuit(root, "full", curves[0], &full{}, &fullAssignment, curves[0].hash(domain))
	for _, c := range curves[:3] {
		writeCircuit(root, "committing-"+c.name, c, &committing{}, &committing{assignment}, c.hash(domain))
	}
	for _, i := range []int{0, 2} {
		writeCircuit(root, "several-"+curves[i].name, curves[i], &several{}, &several{assignment}, curves[i].hash(domain))
	}
	writeCircuit(root, "sha256", curves[0], &committing{}, &committing{assignment}, sha256.New())
	writeCircuit(root, "keccak256", curves[0], &committing{}, &committing{assignment}, sha3.NewLegacyKeccak256())
}

func read(path string, read func(r io.Reader) (int64, error)) {
	content, err := os.ReadFile(path)
	check(err)
	rest := bytes.NewReader(content)
	_, err = read(rest)
	check(err)
	if rest.Len() != 0 {
		check(fmt.Errorf("%s: %d bytes are left", path, rest.Len()))
	}
}

func verify(root, name, proofPath, publicsPath string) {
	for _, c := range curves {
		if !strings.HasSuffix(name, c.name) {
			continue
		}
		vk, proof := groth16.NewVerifyingKey(c.id), groth16.NewProof(c.id)
		public, err := witness.New(c.id.ScalarField())
		check(err)
		read(filepath.Join(root, name, "vk.compressed"), vk.ReadFrom)
		read(proofPath, proof.ReadFrom)
		read(publicsPath, public.ReadFrom)
		check(groth16.Verify(proof, vk, public))
		fmt.Println(proofPath, "holds")
	}
}

func main() {
	if os.Args[1] == "write" {
		write(os.Args[2])
	} else {
		verify(os.Args[2], os.Args[3], os.Args[4], os.Args[5])
	}
}
