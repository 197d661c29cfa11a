// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

// PairingPoints are points of the second group that are prepared for many pairings. They are immutable, belong to no Context,
// and any number of calls may use them at once.
type PairingPoints struct {
	handle *handle
	c      *C.sumac_pairing_points
	curve  *Curve
	count  int
}

func (p *PairingPoints) lifetime() *handle { return p.handle }

// groups returns the two groups of a curve.
func (c *Curve) groups() (g1, g2 *Curve, err error) {
	g1, err = FindCurve(c.Name, "g1")
	if err == nil {
		g2, err = FindCurve(c.Name, "g2")
	}
	if err != nil {
		err = refuse(ErrNotSupported, "%s: its pairing needs both groups: %v", c.Name, err)
	}
	return g1, g2, err
}

// NewPairingPoints prepares raw points of the second group. By default it checks that they lie in the subgroup.
func (c *Context) NewPairingPoints(curve *Curve, g2Points []byte, check Check) (*PairingPoints, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	_, g2, err := curve.groups()
	if err != nil {
		return nil, err
	}
	n, err := countElements("points of the second group", len(g2Points), g2.PointBytes)
	if err != nil {
		return nil, err
	}
	var prepared *C.sumac_pairing_points
	if err := c.do(func() C.sumac_status {
		return C.sumac_pairing_points_create(c.c, curve.c, start(g2Points), length(g2Points), C.size_t(n), C.sumac_check(check), &prepared)
	}); err != nil {
		return nil, err
	}
	p := &PairingPoints{c: prepared, curve: g2, count: n}
	p.handle = own(p, "prepared points", func() { C.sumac_pairing_points_destroy(prepared) })
	return p, nil
}

// Close frees the points.
func (p *PairingPoints) Close() { closeObject(p) }

// PairingCheck says whether the product of the pairings e(P_i, Q_i) of raw points of the two groups is one. By default it
// checks that the points lie in the subgroups. If a lesser check is chosen and a point lies outside its subgroup, the answer
// has no meaning.
func (c *Context) PairingCheck(curve *Curve, g1Points, g2Points []byte, check Check) (bool, error) {
	if err := need(c, curve); err != nil {
		return false, err
	}
	return c.pairing(curve, g1Points, g2Points, 0, func(n C.size_t, isOne *C.int) C.sumac_status {
		return C.sumac_pairing_check(c.c, curve.c, start(g1Points), length(g1Points), start(g2Points), length(g2Points), n,
			C.sumac_check(check), isOne)
	})
}

// PairingCheckPrepared computes the same as PairingCheck, but the first pairs have the prepared points, and g2Points are those
// of the other pairs.
func (c *Context) PairingCheckPrepared(prepared *PairingPoints, g1Points, g2Points []byte, check Check) (bool, error) {
	if err := need(c, prepared); err != nil {
		return false, err
	}
	return c.pairing(prepared.curve, g1Points, g2Points, prepared.count, func(n C.size_t, isOne *C.int) C.sumac_status {
		return C.sumac_pairing_check_prepared(c.c, prepared.c, start(g1Points), length(g1Points), start(g2Points), length(g2Points), n,
			C.sumac_check(check), isOne)
	}, reading(prepared))
}

// PairingValue returns the value e(P_0, Q_0) * e(P_1, Q_1) * .., of which PairingCheck says only whether it is one. The value has
// twelve integers of [Curve.FieldBytes], and six for bw6-761. The function sumac_pairing_value() of sumac/experimental.h says
// which they are. If no points are given, the value is one.
func (c *Context) PairingValue(curve *Curve, g1Points, g2Points []byte, check Check) ([]byte, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	g1, g2, n, err := pairs(curve, g1Points, g2Points, 0)
	if err != nil {
		return nil, err
	}
	integers := 12
	if g1.PointBytes == g2.PointBytes {
		integers = 6
	}
	value := make([]byte, integers*g1.FieldBytes)
	return deliver(value, c.do(func() C.sumac_status {
		return C.sumac_pairing_value(c.c, curve.c, start(g1Points), length(g1Points), start(g2Points), length(g2Points), C.size_t(n),
			C.sumac_check(check), start(value), length(value))
	}))
}

// pairs returns the groups of a curve, and the number of pairs that the points make.
func pairs(curve *Curve, g1Points, g2Points []byte, prepared int) (g1, g2 *Curve, n int, err error) {
	g1, g2, err = curve.groups()
	if err != nil {
		return nil, nil, 0, err
	}
	n, err = countElements("points of the first group", len(g1Points), g1.PointBytes)
	if err != nil {
		return nil, nil, 0, err
	}
	others, err := countElements("points of the second group", len(g2Points), g2.PointBytes)
	if err == nil && n != prepared+others {
		err = refuse(ErrBadLength, "there are %d points of the first group and %d of the second", n, prepared+others)
	}
	return g1, g2, n, err
}

func (c *Context) pairing(curve *Curve, g1Points, g2Points []byte, prepared int,
	f func(n C.size_t, isOne *C.int) C.sumac_status, uses ...use) (bool, error) {
	_, _, n, err := pairs(curve, g1Points, g2Points, prepared)
	memory := scratch{err: err}
	return memory.ask(c, func(isOne *C.int) C.sumac_status { return f(C.size_t(n), isOne) }, uses...)
}
