// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark_test

import (
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/secp256k1/ecdsa"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/std/algebra/emulated/sw_emulated"
	"github.com/consensys/gnark/std/hash/sha3"
	"github.com/consensys/gnark/std/math/emulated"
	"github.com/consensys/gnark/std/math/emulated/emparams"
	"github.com/consensys/gnark/std/math/uints"
	"github.com/consensys/gnark/std/rangecheck"
	signatures "github.com/consensys/gnark/std/signature/ecdsa"
	keccak "golang.org/x/crypto/sha3"
)

type rangeChecks struct{ X [20]frontend.Variable }

func (c *rangeChecks) Define(api frontend.API) error {
	checker := rangecheck.New(api)
	for i, x := range c.X {
		checker.Check(x, 8+i)
	}
	return nil
}

type emulatedProduct struct {
	A, B, C emulated.Element[emulated.Secp256k1Fp]
}

func (c *emulatedProduct) Define(api frontend.API) error {
	field, err := emulated.NewField[emulated.Secp256k1Fp](api)
	if err != nil {
		return err
	}
	field.AssertIsEqual(field.Mul(&c.A, &c.B), &c.C)
	return nil
}

// keccakDigest hashes a message with gnark's std/hash/sha3.
type keccakDigest struct {
	Message [7]uints.U8
	Digest  [32]uints.U8 `gnark:",public"`
}

func (c *keccakDigest) Define(api frontend.API) error {
	hasher, err := sha3.NewLegacyKeccak256(api)
	if err != nil {
		return err
	}
	bytes, err := uints.New[uints.U64](api)
	if err != nil {
		return err
	}
	hasher.Write(c.Message[:])
	for i, b := range hasher.Sum() {
		bytes.ByteAssertEq(c.Digest[i], b)
	}
	return nil
}

// signed verifies a signature over secp256k1 with gnark's std/signature/ecdsa.
type signed struct {
	Signature signatures.Signature[emparams.Secp256k1Fr]
	Hash      emulated.Element[emparams.Secp256k1Fr]
	Key       signatures.PublicKey[emparams.Secp256k1Fp, emparams.Secp256k1Fr]
}

func (c *signed) Define(api frontend.API) error {
	c.Key.Verify(api, sw_emulated.GetCurveParams[emparams.Secp256k1Fp](), &c.Hash, &c.Signature)
	return nil
}

// newSigned signs a message with gnark-crypto.
func newSigned(t testing.TB) *signed {
	key, err := ecdsa.GenerateKey(rand.Reader)
	ok(t, err)
	message := []byte("a message")
	signature, err := key.Sign(message, sha256.New())
	ok(t, err)
	var parsed ecdsa.Signature
	_, err = parsed.SetBytes(signature)
	ok(t, err)
	digest := sha256.Sum256(message)
	return &signed{
		signatures.Signature[emparams.Secp256k1Fr]{
			R: emulated.ValueOf[emparams.Secp256k1Fr](new(big.Int).SetBytes(parsed.R[:])),
			S: emulated.ValueOf[emparams.Secp256k1Fr](new(big.Int).SetBytes(parsed.S[:])),
		},
		emulated.ValueOf[emparams.Secp256k1Fr](ecdsa.HashToInt(digest[:])),
		signatures.PublicKey[emparams.Secp256k1Fp, emparams.Secp256k1Fr]{
			X: emulated.ValueOf[emparams.Secp256k1Fp](key.PublicKey.A.X),
			Y: emulated.ValueOf[emparams.Secp256k1Fp](key.PublicKey.A.Y),
		},
	}
}

// TestGadgets proves circuits of gnark's std library: range checks, and products of an emulated field.
func TestGadgets(t *testing.T) {
	c := newContext(t)
	checked := &rangeChecks{}
	for i := range checked.X {
		checked.X[i] = 1<<(8+i) - 1
	}
	modulus := emulated.Secp256k1Fp{}.Modulus()
	a := new(big.Int).Sub(modulus, big.NewInt(1234567))
	b := new(big.Int).Rsh(modulus, 1)
	product := new(big.Int).Mul(a, b)
	multiplied := &emulatedProduct{emulated.ValueOf[emulated.Secp256k1Fp](a), emulated.ValueOf[emulated.Secp256k1Fp](b),
		emulated.ValueOf[emulated.Secp256k1Fp](product.Mod(product, modulus))}
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		proveBoth(t, c, id, &rangeChecks{}, checked)
		proveBoth(t, c, id, &emulatedProduct{}, multiplied)
	}
}

// TestHashGadget proves a digest of Keccak.
func TestHashGadget(t *testing.T) {
	message := []byte("7 bytes")
	hasher := keccak.NewLegacyKeccak256()
	hasher.Write(message)
	hashed := &keccakDigest{[7]uints.U8(uints.NewU8Array(message)), [32]uints.U8(uints.NewU8Array(hasher.Sum(nil)))}
	proveBoth(t, newContext(t), ecc.BN254, &keccakDigest{}, hashed)
}

// TestSignatureGadget proves a signature of ECDSA. gnark's setup takes most of the time.
func TestSignatureGadget(t *testing.T) {
	proveBoth(t, newContext(t), ecc.BN254, &signed{}, newSigned(t))
}
