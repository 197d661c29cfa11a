// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"encoding/json"
	"unsafe"
)

// Plan has all choices for one call, and its memory. sumac/experimental.h explains the names, which may change.
type Plan struct {
	Name         string             // one of [Plans].Plans
	Milliseconds float64            // the cost model's prediction
	Numbers      map[string]float64 // by name, such as "c"
	Kinds        map[string]string  // of the stages "recode", "sort", "accumulate", "reduce", "combine"
	Bytes        map[string]uint64  // the rows "bases", "scalars", ..., "workspace", "total"
}

// Plans has texts about the named plans, and about the kinds of each stage.
type Plans struct {
	Plans map[string]string            // by name; the tuning "plan=NAME" asks for one
	Kinds map[string]map[string]string // by stage and kind
}

// readJSON makes a call that returns a text in JSON, and parses it.
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

// Plan is the plan that MSMs of n such bases would have.
func (c *Context) Plan(curve *Curve, n int, bases []BasesOption, options ...MSMOption) (*Plan, error) {
	memory := scratch{err: need(c, curve)}
	b, config, size := basesConfig(bases, &memory), msmConfig(options, &memory).c, memory.size("n", n)
	return readJSON[Plan](c, &memory, func(text **C.char) C.sumac_status {
		return C.sumac_plan_create(c.c, curve.c, size, b, config, text)
	})
}

// Plan is the plan that [Bases.MSM] would use for n bases.
func (b *Bases) Plan(c *Context, n int, options ...MSMOption) (*Plan, error) {
	memory := scratch{err: need(c, b)}
	config, size := msmConfig(options, &memory).c, memory.size("n", n)
	return readJSON[Plan](c, &memory, func(text **C.char) C.sumac_status {
		return C.sumac_msm_plan(c.c, b.c, size, config, text)
	}, reading(b))
}

// Plan is the plan of a prepared call.
func (call *Call) Plan() (*Plan, error) {
	if err := need(call); err != nil {
		return nil, err
	}
	return readJSON[Plan](call.context, &scratch{}, func(text **C.char) C.sumac_status {
		return C.sumac_call_plan(call.c, text)
	}, reading(call))
}
