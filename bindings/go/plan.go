// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"encoding/json"
	"unsafe"
)

// Plan describes the choices that the library makes for one call, and the memory that the call needs. sumac/experimental.h
// explains the names, which may change.
type Plan struct {
	Name         string             // one of [Plans].Plans
	Milliseconds float64            // the cost model's prediction
	Numbers      map[string]float64 // numbers by their names, such as "c"
	Kinds        map[string]string  // kinds by stages: "recode", "sort", "accumulate", "reduce", "combine"
	Bytes        map[string]uint64  // sizes by purpose: "bases", "scalars", ..., "workspace", "total"
}

// Plans has descriptions of the named plans, and of the kinds of each stage.
type Plans struct {
	Plans map[string]string            // descriptions by names; the tuning "plan=NAME" selects a plan
	Kinds map[string]map[string]string // descriptions by stage and kind
}

// readJSON makes a call that returns a JSON text, and parses the text.
func readJSON[T any](c *Context, memory *scratch, f func(text **C.char) C.sumac_status, uses ...use) (*T, error) {
	var text *C.char
	if err := memory.do(c, func() C.sumac_status { return f(&text) }, uses...); err != nil {
		return nil, err
	}
	defer C.sumac_free(unsafe.Pointer(text))
	read := new(T)
	return read, json.Unmarshal([]byte(C.GoString(text)), read)
}

// Plans describes the named plans of the Context, and the kinds that plans for a curve may have.
func (c *Context) Plans(curve *Curve) (*Plans, error) {
	return readJSON[Plans](c, &scratch{err: need(c, curve)}, func(text **C.char) C.sumac_status {
		return C.sumac_context_plans(c.c, curve.c, text)
	})
}

// Plan returns the plan that MSMs of n bases with these options would have.
func (c *Context) Plan(curve *Curve, n int, bases []BasesOption, options ...MSMOption) (*Plan, error) {
	memory := scratch{err: need(c, curve)}
	b, config, size := basesConfig(bases, &memory), msmConfig(options, &memory).c, memory.size("n", n)
	return readJSON[Plan](c, &memory, func(text **C.char) C.sumac_status {
		return C.sumac_plan_create(c.c, curve.c, size, b, config, text)
	})
}

// Plan returns the plan that [Bases.MSM] would use for n bases.
func (b *Bases) Plan(c *Context, n int, options ...MSMOption) (*Plan, error) {
	memory := scratch{err: need(c, b)}
	config, size := msmConfig(options, &memory).c, memory.size("n", n)
	return readJSON[Plan](c, &memory, func(text **C.char) C.sumac_status {
		return C.sumac_msm_plan(c.c, b.c, size, config, text)
	}, reading(b))
}

// Plan returns the plan of the prepared call.
func (call *Call) Plan() (*Plan, error) {
	if err := need(call); err != nil {
		return nil, err
	}
	return readJSON[Plan](call.context, &scratch{}, func(text **C.char) C.sumac_status {
		return C.sumac_call_plan(call.c, text)
	}, reading(call))
}
