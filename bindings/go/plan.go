// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

// Plan has all choices for one call, and its memory.
type Plan struct {
	Name             string  // one of [Context.PlanNames]
	Milliseconds     float64 // the cost model's prediction
	WindowBits       uint32
	PrecomputeFactor uint32
	WorkspaceBytes   uint64
	Stages           []Stage      // in the order in which they run
	Numbers          []PlanNumber // sumac/plan.h says what they count
	Memory           []PlanMemory // the rows "bases", "scalars", ..., "workspace", "total"
}

// Stage is a stage and the kind that the plan chose for it.
type Stage struct{ Name, Kind string }

// PlanNumber is a number of a plan.
type PlanNumber struct {
	Name  string
	Value float64
}

// PlanMemory is a row of a plan's memory.
type PlanMemory struct {
	Name  string
	Bytes uint64
}

// Kind is the kind of a stage; "" if there is no such stage.
func (p *Plan) Kind(stage string) string {
	for _, s := range p.Stages {
		if s.Name == stage {
			return s.Kind
		}
	}
	return ""
}

// Number is a number by its name; 0 if there is no such number.
func (p *Plan) Number(name string) float64 {
	for _, n := range p.Numbers {
		if n.Name == name {
			return n.Value
		}
	}
	return 0
}

// Bytes is a row of the memory by its name; 0 if there is no such row.
func (p *Plan) Bytes(row string) uint64 {
	for _, m := range p.Memory {
		if m.Name == row {
			return m.Bytes
		}
	}
	return 0
}

// takePlan copies a plan of the library's, and frees that.
func takePlan(c *C.sumac_plan) *Plan {
	defer C.sumac_plan_destroy(c)
	p := &Plan{Name: C.GoString(C.sumac_plan_name(c)), Milliseconds: float64(C.sumac_plan_milliseconds(c)),
		WindowBits: uint32(C.sumac_plan_window_bits(c)), PrecomputeFactor: uint32(C.sumac_plan_precompute_factor(c)),
		WorkspaceBytes: uint64(C.sumac_plan_workspace_bytes(c))}
	for i := C.size_t(0); C.sumac_plan_stage(c, i) != nil; i++ {
		name := C.sumac_plan_stage(c, i)
		p.Stages = append(p.Stages, Stage{C.GoString(name), C.GoString(C.sumac_plan_kind(c, name))})
	}
	for i := C.size_t(0); C.sumac_plan_number_name(c, i) != nil; i++ {
		name := C.sumac_plan_number_name(c, i)
		p.Numbers = append(p.Numbers, PlanNumber{C.GoString(name), float64(C.sumac_plan_number(c, name))})
	}
	for i := C.size_t(0); C.sumac_plan_row(c, i) != nil; i++ {
		name := C.sumac_plan_row(c, i)
		p.Memory = append(p.Memory, PlanMemory{C.GoString(name), uint64(C.sumac_plan_bytes(c, name))})
	}
	return p
}

// makePlan makes a call whose result is a plan.
func (c *Context) makePlan(memory *scratch, f func(plan **C.sumac_plan) C.sumac_status, uses ...use) (*Plan, error) {
	var plan *C.sumac_plan
	if err := memory.do(c, func() C.sumac_status { return f(&plan) }, uses...); err != nil {
		return nil, err
	}
	return takePlan(plan), nil
}

// Plan is the plan that MSMs of n such bases would have.
func (c *Context) Plan(curve *Curve, n int, bases *BasesConfig, config *MSMConfig) (*Plan, error) {
	memory := scratch{err: need(c, curve)}
	b, options, size := bases.c(&memory), config.c(&memory), memory.size("n", n)
	return c.makePlan(&memory, func(plan **C.sumac_plan) C.sumac_status {
		return C.sumac_plan_create(c.c, curve.c, size, b, options, plan)
	})
}

// Plan is the plan that [Bases.MSM] would use for n bases.
func (b *Bases) Plan(c *Context, n int, config *MSMConfig) (*Plan, error) {
	memory := scratch{err: need(c, b)}
	options, size := config.c(&memory), memory.size("n", n)
	return c.makePlan(&memory, func(plan **C.sumac_plan) C.sumac_status {
		return C.sumac_msm_plan(c.c, b.c, size, options, plan)
	}, reading(b))
}

// Plan is the plan of a prepared call.
func (call *Call) Plan() (*Plan, error) {
	if err := need(call); err != nil {
		return nil, err
	}
	return call.context.makePlan(&scratch{}, func(plan **C.sumac_plan) C.sumac_status {
		return C.sumac_call_plan(call.c, plan)
	}, reading(call))
}
