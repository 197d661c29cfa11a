// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

import (
	"reflect"
	"runtime"
	"sync"
)

// handle is the lifetime of an object of the library. The object is freed when it is closed and nothing uses it.
type handle struct {
	what    string
	mu      sync.Mutex
	uses    int // number of running calls that use the object
	kept    int // number of objects that need this one
	writing bool
	closed  bool
	free    func()
	needs   []*handle
	// of is nil, or for a view the object whose memory it shows. If a call uses both, it uses that object only once.
	of *handle
}

// own makes a handle for a new object. When the garbage collector collects the wrapper, the object is closed. Neither free nor
// the other handles may refer to the wrapper.
func own[T any](wrapper *T, what string, free func(), needs ...*handle) *handle {
	h := &handle{what: what, free: free, needs: needs}
	for _, other := range needs {
		other.mu.Lock()
		other.kept++
		other.mu.Unlock()
	}
	runtime.AddCleanup(wrapper, (*handle).close, h)
	return h
}

func (h *handle) acquire(write bool) error { return use{handle: h, write: write}.begin() }

func (h *handle) release() {
	h.mu.Lock()
	h.uses--
	h.writing = false
	h.end()
}

func (h *handle) close() {
	h.mu.Lock()
	h.closed = true
	h.end()
}

// end unlocks the handle, which the caller has locked. If the object is closed, and no call and no other object uses it any
// more, end then frees the object.
func (h *handle) end() {
	free := h.free
	if !h.closed || h.uses != 0 || h.kept != 0 {
		free = nil
	} else {
		h.free = nil
	}
	h.mu.Unlock()
	if free != nil {
		free()
		for _, other := range h.needs {
			other.mu.Lock()
			other.kept--
			other.end()
		}
	}
}

// object is implemented by pointers to objects that calls use. The handle of a zero value is nil.
type object interface{ lifetime() *handle }

// lifetimeOf returns the handle of an object. It returns nil if the object is nil or a zero value.
func lifetimeOf(o object) *handle {
	if reflect.ValueOf(o).IsNil() {
		return nil
	}
	return o.lifetime()
}

// need returns an error if an object is nil or a zero value. It accepts closed objects.
func need(objects ...object) error {
	for _, o := range objects {
		if lifetimeOf(o) == nil {
			return refuse(ErrBadArgument, "%T: it is nil or a zero value", o)
		}
	}
	return nil
}

// closeObject closes an object, which may be nil.
func closeObject(o object) {
	if h := lifetimeOf(o); h != nil {
		h.close()
	}
}

type use struct {
	handle *handle
	write  bool
	byView bool // the object is used through a view, which keeps it alive, so a closed object is accepted
}

func (u use) begin() error {
	h := u.handle
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed && !u.byView:
		return refuse(ErrBadArgument, "%s: it is closed", h.what)
	case h.writing || u.write && h.uses != 0:
		return refuse(ErrBadArgument, "%s: it is in use by another call: a call that writes to it must be its only user", h.what)
	}
	h.uses++
	h.writing = u.write
	return nil
}

func reading(o object) use { return use{handle: lifetimeOf(o)} }
func writing(o object) use { return use{handle: lifetimeOf(o), write: true} }

// acquireAll acquires all uses or none. If an object occurs several times, it is used once.
func acquireAll(uses []use) (taken []*handle, err error) {
	for _, u := range uses {
		if u.handle.of != nil {
			uses = append(uses, use{u.handle.of, u.write, true})
		}
	}
next:
	for i, u := range uses {
		for _, before := range uses[:i] {
			if before.handle == u.handle {
				continue next
			}
		}
		for _, after := range uses[i+1:] {
			u.write = u.write || after.handle == u.handle && after.write
		}
		if err := u.begin(); err != nil {
			releaseAll(taken)
			return nil, err
		}
		taken = append(taken, u.handle)
	}
	return taken, nil
}

func releaseAll(taken []*handle) {
	for _, h := range taken {
		h.release()
	}
}
