// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnarkcrypto_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	fr377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	kzg377 "github.com/consensys/gnark-crypto/ecc/bls12-377/kzg"
	fr381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	kzg381 "github.com/consensys/gnark-crypto/ecc/bls12-381/kzg"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/kzg"
	fr761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	kzg761 "github.com/consensys/gnark-crypto/ecc/bw6-761/kzg"

	sumac "github.com/sumac-msm/sumac/bindings/go"
	"github.com/sumac-msm/sumac/bindings/go/gnarkcrypto"
)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newPool(t testing.TB, contexts int) *sumac.Pool {
	pool, err := sumac.NewPool(contexts)
	ok(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// randomVectors returns polynomials of these lengths, with coefficients from fr's SetRandom.
func randomVectors[S any, E interface {
	*S
	SetRandom() (*S, error)
}](t testing.TB, lengths ...int) [][]S {
	vectors := make([][]S, len(lengths))
	for i, length := range lengths {
		vectors[i] = make([]S, length)
		for j := range vectors[i] {
			_, err := E(&vectors[i][j]).SetRandom()
			ok(t, err)
		}
	}
	return vectors
}

// TestCommitter gives a Committer to gnark-crypto's openings. gnark-crypto computes the same commitments and proofs by itself,
// and verifies them.
func TestCommitter(t *testing.T) {
	const size = 300
	pool := newPool(t, 2)
	t.Run("bn254", func(t *testing.T) {
		srs, err := kzg.NewSRS(size, big.NewInt(12345))
		ok(t, err)
		committer, err := gnarkcrypto.NewCommitter(pool, srs.Pk)
		ok(t, err)
		defer committer.Close()
		checkCommitter[fr.Element](t, committer, srs.Pk, func(p []fr.Element) {
			var point fr.Element
			point.SetUint64(77)
			proof, err := kzg.OpenWithCommitter(p, point, committer)
			ok(t, err)
			digest, err := committer.Commit(p)
			ok(t, err)
			ok(t, kzg.Verify(&digest, &proof, point, srs.Vk))
			proof.ClaimedValue.Double(&proof.ClaimedValue)
			if !proof.ClaimedValue.IsZero() && kzg.Verify(&digest, &proof, point, srs.Vk) == nil {
				t.Error("a wrong opening was verified")
			}
		})
	})
	t.Run("bls12-381", func(t *testing.T) {
		srs, err := kzg381.NewSRS(size, big.NewInt(12345))
		ok(t, err)
		committer, err := gnarkcrypto.NewCommitter(pool, srs.Pk)
		ok(t, err)
		defer committer.Close()
		checkCommitter[fr381.Element](t, committer, srs.Pk, func(p []fr381.Element) {
			var point fr381.Element
			point.SetUint64(77)
			digest, err := committer.Commit(p)
			ok(t, err)
			digests := []kzg381.Digest{digest, digest}
			proof, err := kzg381.BatchOpenSinglePointWithCommitter([][]fr381.Element{p, p}, digests, point, sha256.New(), committer)
			ok(t, err)
			ok(t, kzg381.BatchVerifySinglePoint(digests, &proof, point, sha256.New(), srs.Vk))
		})
	})
	t.Run("bls12-377", func(t *testing.T) {
		srs, err := kzg377.NewSRS(size, big.NewInt(12345))
		ok(t, err)
		committer, err := gnarkcrypto.NewCommitter(pool, srs.Pk)
		ok(t, err)
		defer committer.Close()
		checkCommitter[fr377.Element](t, committer, srs.Pk, func(p []fr377.Element) {
			_, err := kzg377.OpenWithCommitter(p, p[0], committer)
			ok(t, err)
		})
	})
	t.Run("bw6-761", func(t *testing.T) {
		srs, err := kzg761.NewSRS(size, big.NewInt(12345))
		ok(t, err)
		committer, err := gnarkcrypto.NewCommitter(pool, srs.Pk)
		ok(t, err)
		defer committer.Close()
		checkCommitter[fr761.Element](t, committer, srs.Pk, func(p []fr761.Element) {
			_, err := kzg761.OpenWithCommitter(p, p[0], committer)
			ok(t, err)
		})
	})
}

// checkCommitter compares commitments with those of the proving key itself.
func checkCommitter[S any, E interface {
	*S
	SetRandom() (*S, error)
}, P comparable](t *testing.T, ours, theirs interface{ Commit(p []S) (P, error) }, open func(p []S)) {
	for _, p := range append(randomVectors[S, E](t, 0, 1, 2, 17, 300), make([]S, 5)) {
		mine, err := ours.Commit(p)
		ok(t, err)
		expected, err := theirs.Commit(p)
		ok(t, err)
		if mine != expected {
			t.Errorf("%d coefficients: another commitment", len(p))
		}
		if len(p) > 0 {
			open(p)
		}
	}
	_, err := ours.Commit(make([]S, 301))
	var e *sumac.Error
	if !errors.As(err, &e) || e.Status != sumac.ErrBadLength {
		t.Error(err)
	}
}

// TestCommitterBad gives keys and committers that must be refused.
func TestCommitterBad(t *testing.T) {
	pool := newPool(t, 1)
	srs, err := kzg.NewSRS(8, big.NewInt(12345))
	ok(t, err)
	expect := func(err error, status sumac.Status) {
		t.Helper()
		var e *sumac.Error
		if !errors.As(err, &e) || e.Status != status || strings.Contains(e.Message, "\n") {
			t.Error(err)
		}
	}
	_, err = gnarkcrypto.NewCommitter(nil, srs.Pk)
	expect(err, sumac.ErrBadArgument)
	_, err = gnarkcrypto.NewCommitter(&sumac.Pool{}, srs.Pk)
	expect(err, sumac.ErrBadArgument)
	_, err = gnarkcrypto.NewCommitter(pool, kzg.ProvingKey{})
	expect(err, sumac.ErrBadLength)
	wrong := kzg.ProvingKey{G1: append([]bn254.G1Affine{}, srs.Pk.G1...)}
	wrong.G1[3].X.SetOne()
	_, err = gnarkcrypto.NewCommitter(pool, wrong)
	expect(err, sumac.ErrNotOnCurve)
	for _, none := range []*gnarkcrypto.Committer[fr.Element, bn254.G1Affine]{nil, {}} {
		_, err = none.Commit(make([]fr.Element, 3))
		expect(err, sumac.ErrBadArgument)
		_, err = kzg.OpenWithCommitter(make([]fr.Element, 3), fr.One(), none)
		expect(err, sumac.ErrBadArgument)
		none.Close()
	}
	committer, err := gnarkcrypto.NewCommitter(pool, srs.Pk)
	ok(t, err)
	committer.Close()
	committer.Close()
	_, err = committer.Commit(make([]fr.Element, 3))
	expect(err, sumac.ErrBadArgument)
}

// TestCommitterConcurrent commits in 8 goroutines with fewer contexts, 10,000 times in all if the environment variable
// SUMAC_GNARK_CALLS says so. The resident memory of the process then stays as it was after the first calls.
func TestCommitterConcurrent(t *testing.T) {
	const size, goroutines = 64, 8
	calls := 40
	if text := os.Getenv("SUMAC_GNARK_CALLS"); text != "" {
		_, err := fmt.Sscan(text, &calls)
		ok(t, err)
	}
	srs, err := kzg.NewSRS(size, big.NewInt(12345))
	ok(t, err)
	committer, err := gnarkcrypto.NewCommitter(newPool(t, 3), srs.Pk)
	ok(t, err)
	defer committer.Close()
	polynomials := randomVectors[fr.Element](t, size, size/2, 1, 7)
	expected := make([]bn254.G1Affine, len(polynomials))
	for i, p := range polynomials {
		_, err := expected[i].MultiExp(srs.Pk.G1[:len(p)], p, ecc.MultiExpConfig{})
		ok(t, err)
	}
	run := func(calls int) {
		var all sync.WaitGroup
		for range goroutines {
			all.Go(func() {
				for i := range calls / goroutines {
					commitment, err := committer.Commit(polynomials[i%len(polynomials)])
					if err != nil || commitment != expected[i%len(polynomials)] {
						t.Error(i, err)
						return
					}
				}
			})
		}
		all.Wait()
	}
	run(calls / 10)
	before := residentBytes(t)
	run(calls)
	if after := residentBytes(t); after > before+16<<20 {
		t.Errorf("%d calls: the process had %d bytes, and has %d", calls, before, after)
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
