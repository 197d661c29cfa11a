// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

// CommitSRS commits to concatenated polynomials of n coefficients each. The SRS is given as bases. CommitSRS writes one point
// for each polynomial to the commitments.
func (c *Context) CommitSRS(srs *Bases, polynomials *Vector, n int, commitments *Vector) error {
	return c.withSRS(srs, []*Vector{polynomials}, []*Vector{commitments}, n, func(n C.size_t) C.sumac_status {
		return C.sumac_srs_commit(c.c, srs.c, polynomials.c, n, commitments.c)
	})
}

// OpenSRS opens each polynomial at its evaluation point: it computes the value and the proof. Either `values` or `proofs` may be
// nil. The vectors `values` and `evaluationPoints` may be the same.
func (c *Context) OpenSRS(srs *Bases, polynomials *Vector, n int, evaluationPoints, values, proofs *Vector) error {
	var outputs []*Vector
	var v, p *C.sumac_vector
	if values != nil {
		outputs, v = append(outputs, values), values.c
	}
	if proofs != nil {
		outputs, p = append(outputs, proofs), proofs.c
	}
	return c.withSRS(srs, []*Vector{polynomials, evaluationPoints}, outputs, n, func(n C.size_t) C.sumac_status {
		return C.sumac_srs_open(c.c, srs.c, polynomials.c, n, evaluationPoints.c, v, p)
	})
}

func (c *Context) withSRS(srs *Bases, inputs, outputs []*Vector, n int, f func(n C.size_t) C.sumac_status) error {
	uses := []use{reading(srs)}
	for i, v := range append(inputs, outputs...) {
		if err := need(v); err != nil {
			return err
		}
		uses = append(uses, use{handle: v.handle, write: i >= len(inputs)})
	}
	memory := scratch{err: need(c, srs)}
	size := memory.size("n", n)
	return memory.do(c, func() C.sumac_status { return f(size) }, uses...)
}

// VerifySRS says whether the proofs show that each committed polynomial has its value at its evaluation point. The points of
// the SRS are raw and must come from a trusted source: g1Point is the generator of the SRS, and g2Points are the second group's
// generator and s times this generator.
func (c *Context) VerifySRS(curve *Curve, g1Point, g2Points []byte, commitments, evaluationPoints, values, proofs *Vector) (bool, error) {
	if err := need(c, curve, commitments, evaluationPoints, values, proofs); err != nil {
		return false, err
	}
	g1, g2, err := curve.groups()
	if err == nil {
		err = checkLength("the generator of the SRS", len(g1Point), g1.PointBytes)
	}
	if err == nil {
		err = checkLength("points of the second group", len(g2Points), 2*g2.PointBytes)
	}
	memory := scratch{err: err}
	return memory.ask(c, func(ok *C.int) C.sumac_status {
		return C.sumac_srs_verify(c.c, g1.c, start(g1Point), C.size_t(len(g1Point)), start(g2Points), C.size_t(len(g2Points)),
			commitments.c, evaluationPoints.c, values.c, proofs.c, ok)
	}, reading(commitments), reading(evaluationPoints), reading(values), reading(proofs))
}

// Challenge returns a challenge by Fiat and Shamir (experimental), as a raw scalar: the hash of a transcript, as a big-endian integer
// modulo the order of the curve's groups. The hash is "keccak256", which is Ethereum's, or "sha256".
func (c *Context) Challenge(curve *Curve, hash string, transcript []byte) ([]byte, error) {
	memory := scratch{err: need(c, curve)}
	name, g := memory.text(hash), memory.curve(curve)
	challenge := make([]byte, g.ScalarBytes)
	return deliver(challenge, memory.do(c, func() C.sumac_status {
		return C.sumac_challenge(c.c, g.c, name, start(transcript), length(transcript), start(challenge), length(challenge))
	}))
}

// Openings says which polynomials are opened at which points by ShplonkQuotient, ShplonkOpen and ShplonkVerify (experimental).
// Points has different scalars, and Factors one scalar for each polynomial. Opened has a row of bytes for each polynomial: 1 if it is
// opened at that point, otherwise 0. If Opened is empty, all are opened at all points.
type Openings struct {
	Points, Factors *Vector
	Opened          []byte
}

// ShplonkQuotient opens polynomials of n coefficients each at several points (experimental). This is the first of three calls, which
// the header sumac/experimental.h describes. It writes n scalars to the quotient, for ShplonkOpen, and a point to the commitment,
// which is the first point of the proof.
func (c *Context) ShplonkQuotient(srs *Bases, polynomials *Vector, n int, o Openings, quotient, commitment *Vector) error {
	return c.withSRS(srs, []*Vector{polynomials, o.Points, o.Factors}, []*Vector{quotient, commitment}, n, func(n C.size_t) C.sumac_status {
		return C.sumac_shplonk_quotient(c.c, srs.c, polynomials.c, n, o.Points.c, startOrNull(o.Opened), length(o.Opened), o.Factors.c,
			quotient.c, commitment.c)
	})
}

// ShplonkOpen writes the second point of the proof that ShplonkQuotient began to `proof` (experimental). The evaluation point is one
// scalar.
func (c *Context) ShplonkOpen(srs *Bases, polynomials *Vector, n int, o Openings, quotient, evaluationPoint, proof *Vector) error {
	inputs := []*Vector{polynomials, o.Points, o.Factors, quotient, evaluationPoint}
	return c.withSRS(srs, inputs, []*Vector{proof}, n, func(n C.size_t) C.sumac_status {
		return C.sumac_shplonk_open(c.c, srs.c, polynomials.c, n, o.Points.c, startOrNull(o.Opened), length(o.Opened), o.Factors.c,
			quotient.c, evaluationPoint.c, proof.c)
	})
}

// ShplonkVerify says whether a proof of ShplonkQuotient and ShplonkOpen shows that each committed polynomial has its values at the points
// at which it is opened (experimental). The values have a row of scalars for each polynomial, and the proof is two points. The points
// of the SRS are as for VerifySRS.
func (c *Context) ShplonkVerify(curve *Curve, g1Point, g2Points []byte, commitments *Vector, o Openings, values, evaluationPoint, proof *Vector) (bool, error) {
	vectors := []object{commitments, o.Points, o.Factors, values, evaluationPoint, proof}
	if err := need(append(vectors, c, curve)...); err != nil {
		return false, err
	}
	g1, g2, err := curve.groups()
	memory := scratch{err: err}
	if err == nil {
		memory.exactly("the generator of the SRS", len(g1Point), g1.PointBytes)
		memory.exactly("points of the second group", len(g2Points), 2*g2.PointBytes)
	}
	var uses []use
	for _, v := range vectors {
		uses = append(uses, reading(v))
	}
	return memory.ask(c, func(ok *C.int) C.sumac_status {
		return C.sumac_shplonk_verify(c.c, g1.c, start(g1Point), length(g1Point), start(g2Points), length(g2Points), commitments.c,
			o.Points.c, startOrNull(o.Opened), length(o.Opened), values.c, o.Factors.c, evaluationPoint.c, proof.c, ok)
	}, uses...)
}

// FK20 has the tables for computing all openings of polynomials: a transformed SRS with multiples. It is immutable, and any
// number of calls may use it at once.
type FK20 struct {
	handle *handle
	c      *C.sumac_fk20
	info   C.sumac_fk20_info
}

func (k *FK20) lifetime() *handle { return k.handle }

func (c *Context) makeFK20(memory *scratch, f func(fk20 **C.sumac_fk20) C.sumac_status, uses ...use) (*FK20, error) {
	var fk20 *C.sumac_fk20
	if err := memory.do(c, func() C.sumac_status { return f(&fk20) }, uses...); err != nil {
		return nil, err
	}
	k := &FK20{c: fk20, info: C.sumac_fk20_info{size: C.sizeof_sumac_fk20_info}}
	_ = C.sumac_fk20_describe(fk20, &k.info) // this fails only for null pointers and wrong sizes
	k.handle = own(k, "FK20", func() { C.sumac_fk20_destroy(fk20) })
	return k, nil
}

// NewFK20 derives an FK20 for polynomials of n coefficients and cells of `cellElements` elements. Both numbers must be powers of
// two. The FK20 has at most `tableBytes` bytes. If `tableBytes` is 0, the limit is 64 MiB.
func (c *Context) NewFK20(srs *Bases, n, cellElements int, tableBytes uint64) (*FK20, error) {
	memory := scratch{err: need(c, srs)}
	size, cell := memory.size("n", n), memory.size("cellElements", cellElements)
	return c.makeFK20(&memory, func(fk20 **C.sumac_fk20) C.sumac_status {
		return C.sumac_fk20_create(c.c, srs.c, size, cell, C.uint64_t(tableBytes), fk20)
	}, reading(srs))
}

// OpenFK20 loads a file that [FK20.Save] wrote. Its points are trusted.
func (c *Context) OpenFK20(srs *Bases, n, cellElements int, path string) (*FK20, error) {
	memory := scratch{err: need(c, srs)}
	size, cell, p := memory.size("n", n), memory.size("cellElements", cellElements), memory.text(path)
	return c.makeFK20(&memory, func(fk20 **C.sumac_fk20) C.sumac_status {
		return C.sumac_fk20_open(c.c, srs.c, size, cell, p, fk20)
	}, reading(srs))
}

// N is the number of coefficients of a polynomial.
func (k *FK20) N() int { return int(k.info.n) }

// CellElements is the number of elements of a cell.
func (k *FK20) CellElements() int { return int(k.info.cell_elements) }

// TableBytes is the size in bytes of points and multiples.
func (k *FK20) TableBytes() uint64 { return uint64(k.info.table_bytes) }

// Prove computes the proofs of all cells of polynomials on a domain of rate*n evaluation points. It writes rate*n/cellElements
// points for each polynomial.
func (k *FK20) Prove(c *Context, polynomials *Vector, rate int, order Order, proofs *Vector) error {
	memory := scratch{err: need(c, k, polynomials, proofs)}
	r := memory.size("the rate", rate)
	return memory.do(c, func() C.sumac_status {
		return C.sumac_fk20_prove(c.c, k.c, polynomials.c, r, C.sumac_order(order), proofs.c)
	}, reading(k), reading(polynomials), writing(proofs))
}

// Save writes the FK20 with its multiples to a file. If it fails, the file does not change.
func (k *FK20) Save(c *Context, path string) error {
	return c.save(k, path, func(p *C.char) C.sumac_status { return C.sumac_fk20_save(c.c, k.c, p) })
}

// Close frees the FK20.
func (k *FK20) Close() { closeObject(k) }
