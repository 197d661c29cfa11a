// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package gnarkcrypto computes KZG commitments for programs that use gnark-crypto. gnark-crypto 0.22 and newer versions take any
// Committer for their openings, and sumac is one whose points stay resident on its CPU or GPU backend.
package gnarkcrypto

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	bls24315 "github.com/consensys/gnark-crypto/ecc/bls24-315"
	bls24317 "github.com/consensys/gnark-crypto/ecc/bls24-317"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254"
	bw6633 "github.com/consensys/gnark-crypto/ecc/bw6-633"
	bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// Committer computes KZG commitments for gnark-crypto's OpenWithCommitter and BatchOpenSinglePointWithCommitter. S is the
// scalar type (fr.Element) and P the point type (G1Affine) of one of gnark-crypto's curves. Its points are resident, and any
// number of goroutines may use it at once.
type Committer[S, P any] struct {
	pool  *sumac.Pool
	bases *sumac.Bases
}

// kzgKey is the type ProvingKey of gnark-crypto's package kzg of a curve.
type kzgKey[S, P any] interface {
	~struct{ G1 []P }
	Commit(polynomial []S) (P, error)
}

// curveOfPoints returns the curve of points in G1.
func curveOfPoints(points any) ecc.ID {
	switch points.(type) {
	case []bn254.G1Affine:
		return ecc.BN254
	case []bls12381.G1Affine:
		return ecc.BLS12_381
	case []bls12377.G1Affine:
		return ecc.BLS12_377
	case []bw6761.G1Affine:
		return ecc.BW6_761
	case []bls24315.G1Affine:
		return ecc.BLS24_315
	case []bls24317.G1Affine:
		return ecc.BLS24_317
	case []bw6633.G1Affine:
		return ecc.BW6_633
	}
	return ecc.UNKNOWN
}

// NewCommitter makes the points of a proving key resident, for example of a kzg.SRS of BN254:
//
//	committer, err := gnarkcrypto.NewCommitter(pool, srs.Pk)
//	proof, err := kzg.OpenWithCommitter(polynomial, point, committer)
//
// Each call takes a context of the pool. If all of them are taken, it waits for one. The points are copied, so that the key may
// change or be freed.
func NewCommitter[K kzgKey[S, P], S, P any](pool *sumac.Pool, pk K, options ...sumac.BasesOption) (*Committer[S, P], error) {
	points := struct{ G1 []P }(pk).G1
	if len(points) == 0 {
		return nil, &sumac.Error{Status: sumac.ErrBadLength, Message: "a proving key for KZG has at least one point, but this one has none"}
	}
	curve, err := sumac.FindCurve(curveOfPoints(points).String(), "g1")
	if err != nil {
		return nil, err
	}
	if int(unsafe.Sizeof(points[0])) != curve.PointBytes || int(unsafe.Sizeof(*new(S))) != curve.ScalarBytes {
		return nil, &sumac.Error{Status: sumac.ErrMismatch, Message: fmt.Sprintf("%T and %T are not the points and scalars of %v", points, *new(S), curve)}
	}
	c, err := pool.Take(context.Background())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	bases, err := c.NewBases(curve, bytesOf(points), append([]sumac.BasesOption{sumac.Montgomery}, options...)...)
	if err != nil {
		return nil, err
	}
	return &Committer[S, P]{pool, bases}, nil
}

// Commit implements kzg.Committer. It returns an error if the polynomial has more coefficients than the key has points.
func (k *Committer[S, P]) Commit(polynomial []S) (commitment P, err error) {
	if k == nil || k.bases == nil {
		return commitment, &sumac.Error{Status: sumac.ErrBadArgument, Message: "the committer is nil or a zero value"}
	}
	if len(polynomial) > k.bases.Count() {
		return commitment, &sumac.Error{Status: sumac.ErrBadLength,
			Message: fmt.Sprintf("a polynomial of %d coefficients is too large for a key of %d points", len(polynomial), k.bases.Count())}
	}
	if len(polynomial) == 0 {
		return commitment, nil // the zero value of a point is infinity
	}
	c, err := k.pool.Take(context.Background())
	if err != nil {
		return commitment, err
	}
	defer c.Close()
	sum, err := k.bases.MSM(c, bytesOf(polynomial), sumac.N(len(polynomial)), sumac.ScalarForm(sumac.Montgomery), sumac.ResultForm(sumac.Montgomery))
	if err != nil {
		return commitment, err
	}
	point := []P{commitment}
	copy(bytesOf(point), sum)
	// A sum of points of the curve lies on it, so that only a fault of the machine can fail here.
	if curve, ok := any(&point[0]).(interface{ IsOnCurve() bool }); !ok || !curve.IsOnCurve() {
		return commitment, &sumac.Error{Status: sumac.ErrDeviceFailed, Message: "the device returned a commitment that is not on the curve"}
	}
	return point[0], nil
}

// Close frees the resident points. The pool stays open.
func (k *Committer[S, P]) Close() {
	if k != nil {
		k.bases.Close()
	}
}

// bytesOf returns the memory of points or scalars of gnark-crypto: little-endian words in Montgomery form, as sumac reads them.
func bytesOf[E any](elements []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(elements))), len(elements)*int(unsafe.Sizeof(*new(E))))
}
