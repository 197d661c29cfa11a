// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// TraceEvent is a span of work. Start and End are seconds of a monotonic clock.
type TraceEvent struct {
	Name         string // the stage: "recode", "sort", "accumulate", "reduce", "combine", "plan", ...
	Thread, Pass uint32
	Start, End   float64
}

// outcome keeps the error of a callback that ended a call, until that call returns.
type outcome struct {
	mu    sync.Mutex
	error error
}

func (o *outcome) set(err error) {
	o.mu.Lock()
	if o.error == nil {
		o.error = err
	}
	o.mu.Unlock()
}

func (o *outcome) take() error {
	o.mu.Lock()
	err := o.error
	o.error = nil
	o.mu.Unlock()
	return err
}

// isolate runs a caller's function in a new goroutine, so that neither its panic nor runtime.Goexit unwinds C's frames.
func isolate(f func() error) (err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		failed := &PanicError{}
		err = failed
		defer func() {
			if err == failed {
				failed.Value, failed.Stack = recover(), debug.Stack()
			}
		}()
		err = f()
	}()
	<-done
	return err
}

// progress has the progress function of a configuration. Because C reports progress on the thread of the call, it also has a
// map from threads to the calls that run on them.
type progress struct {
	function func(done float64) error
	mu       sync.Mutex
	calls    map[C.uintptr_t]*progressCall
}

type progressCall struct {
	ctx context.Context // nil: the call has no context.Context
	err error           // what the function returned
}

// enter records that a call begins on a thread. If `call` is nil, it records that the thread's call has ended.
func (p *progress) enter(thread C.uintptr_t, call *progressCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if call != nil {
		p.calls[thread] = call
	} else {
		delete(p.calls, thread)
	}
}

func (p *progress) of(thread C.uintptr_t) *progressCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[thread]
}

type trace struct {
	outcome
	function func(TraceEvent)
	user     *C.sumac_go_user
}

//export sumacGoProgress
func sumacGoProgress(h, thread C.uintptr_t, done C.double) C.int {
	p := cgo.Handle(h).Value().(*progress)
	call := p.of(thread)
	if call == nil { // C is creating or destroying the context
		return 0
	}
	if call.err = isolate(func() error { return p.function(float64(done)) }); call.err != nil {
		return 1
	}
	if call.ctx != nil && call.ctx.Err() != nil {
		return 1
	}
	return 0
}

//export sumacGoTrace
func sumacGoTrace(h C.uintptr_t, event *C.sumac_trace_event) {
	t := cgo.Handle(h).Value().(*trace)
	e := TraceEvent{C.GoString(event.name), uint32(event.thread), uint32(event.pass), float64(event.start), float64(event.end)}
	if err := isolate(func() error { t.function(e); return nil }); err != nil {
		t.set(err)
		C.sumac_go_user_set_failed(t.user, 1)
	}
}

// sharedConfig is a configuration in C's form, with the callbacks that its contexts share.
type sharedConfig struct {
	c        C.sumac_context_config
	progress *progress // nil: there is no progress function
	trace    *trace
	memory   scratch
	handles  []cgo.Handle
}

func (s *sharedConfig) newHandle(value any) C.uintptr_t {
	h := cgo.NewHandle(value)
	s.handles = append(s.handles, h)
	return C.uintptr_t(h)
}

func (s *sharedConfig) free() {
	s.memory.free()
	C.free(unsafe.Pointer(s.trace.user))
	for _, h := range s.handles {
		h.Delete()
	}
}

// share converts options for C. The result stays at its address until free(), because a pool reads it for each new context.
func share(options []ContextOption) (*sharedConfig, error) {
	s := &sharedConfig{c: C.sumac_context_config{size: C.sizeof_sumac_context_config}, trace: &trace{}}
	to := contextOptions{c: &s.c, memory: &s.memory}
	for _, option := range options {
		if option != nil {
			option.setContext(&to)
		}
	}
	var progressHandle, traceHandle C.uintptr_t
	if to.progress != nil {
		s.progress = &progress{function: to.progress, calls: map[C.uintptr_t]*progressCall{}}
		progressHandle = s.newHandle(s.progress)
	}
	if s.trace.function = to.trace; to.trace != nil {
		traceHandle = s.newHandle(s.trace)
	}
	s.trace.user = C.sumac_go_user_new(progressHandle, traceHandle)
	if s.trace.user == nil {
		s.free()
		return nil, refuse(ErrOutOfMemory, "there is no memory for a context")
	}
	C.sumac_go_user_install(s.trace.user, &s.c)
	weights := len(to.weights)
	switch {
	case s.memory.err != nil:
	case to.allDevices && (to.devices != nil || weights != 0):
		s.memory.fail(refuse(ErrBadArgument, "AllDevices excludes a list of devices and weights"))
	case weights != 0 && weights != len(to.devices):
		s.memory.fail(refuse(ErrBadLength, "there are %d devices and %d weights", len(to.devices), weights))
	case to.devices != nil && len(to.devices) == 0:
		s.memory.fail(refuse(ErrBadArgument, "the list of devices is empty"))
	case to.allDevices:
		s.c.device_count = C.SUMAC_ALL_DEVICES
	case len(to.devices) != 0:
		// C reads the two arrays only in calls that Go makes while they are pinned.
		s.c.devices = (*C.int32_t)(pinned(&s.memory, to.devices))
		s.c.device_weights = (*C.uint32_t)(pinned(&s.memory, to.weights))
		s.c.device_count = C.size_t(len(to.devices))
	}
	if err := s.memory.err; err != nil {
		s.free()
		return nil, err
	}
	return s, nil
}

type contextState struct {
	handle   *handle
	c        *C.sumac_context
	progress *progress
	trace    *trace
	busy     atomic.Bool
	pending  *pending
	discard  *atomic.Bool
	backend  string
	variant  string
	threads  uint32
	onDevice bool
	devices  []string
}

// pending has the objects that queued calls use. They are kept until [Context.Wait].
type pending struct {
	stream  uintptr
	handles map[*handle]bool
}

// add keeps the objects that a call of the context uses, except the context itself. A prepared call is not kept, because it
// would keep the context, but the objects that the prepared call needs are kept.
func (p *pending) add(context *handle, used []*handle) {
	for _, h := range used {
		switch {
		case h == context || p.handles[h]:
		case slices.Contains(h.needs, context):
			p.add(context, h.needs)
		default:
			p.handles[h] = true
			h.mu.Lock()
			h.kept++
			h.mu.Unlock()
		}
	}
}

func (p *pending) letGo() {
	for h := range p.handles {
		delete(p.handles, h)
		h.mu.Lock()
		h.kept--
		h.end()
	}
}

// Context is the state of one caller: a backend, its threads, and a workspace that is kept between calls. A Context runs one
// call at a time.
type Context struct {
	*contextState
	ctx context.Context
}

func (c *Context) lifetime() *handle {
	if c.contextState == nil {
		return nil
	}
	return c.handle
}

// NewContext makes a Context.
func NewContext(options ...ContextOption) (*Context, error) {
	shared, err := share(options)
	if err != nil {
		return nil, err
	}
	var c *C.sumac_context
	var reason C.sumac_message
	if err := failure(C.sumac_context_create(&shared.c, &c, &reason), &reason); err != nil {
		shared.free()
		return nil, err
	}
	return wrapContext(c, shared, func(*atomic.Bool) {
		C.sumac_context_destroy(c)
		shared.free()
	})
}

// wrapContext makes a Context of a sumac_context. On failure it frees the sumac_context.
func wrapContext(c *C.sumac_context, shared *sharedConfig, free func(discard *atomic.Bool), needs ...*handle) (*Context, error) {
	state := &contextState{c: c, progress: shared.progress, trace: shared.trace, pending: &pending{handles: map[*handle]bool{}}, discard: &atomic.Bool{}}
	pending, discard := state.pending, state.discard
	state.handle = own(state, "context", func() {
		free(discard)
		pending.letGo()
	}, needs...)
	info := C.sumac_context_info{size: C.sizeof_sumac_context_info}
	if status := C.sumac_context_describe(c, &info); status != C.SUMAC_OK {
		state.handle.close()
		return nil, refuse(Status(status), "the context could not be described")
	}
	state.backend, state.variant = C.GoString(info.backend), C.GoString(info.variant)
	state.threads, state.onDevice = uint32(info.threads), info.location == C.SUMAC_LOCATION_DEVICE
	for _, name := range unsafe.Slice(info.device_names, int(info.device_count)) {
		state.devices = append(state.devices, C.GoString(name))
	}

	return &Context{contextState: state}, nil
}

// With returns a Context that shares everything with c, but whose calls end when ctx is done. Closing either of the two closes
// both.
func (c *Context) With(ctx context.Context) *Context {
	if c == nil {
		return nil
	}
	return &Context{c.contextState, ctx}
}

// Close frees the Context as soon as its running call and its prepared calls have ended. If the Context belongs to a Pool,
// Close gives it back to the Pool instead.
func (c *Context) Close() { closeObject(c) }

// save calls f, which writes the object o to the file at path.
func (c *Context) save(o object, path string, f func(path *C.char) C.sumac_status) error {
	memory := scratch{err: need(c, o)}
	p := memory.text(path)
	return memory.do(c, func() C.sumac_status { return f(p) }, reading(o))
}

// do makes the call f, and keeps the objects that f uses until it returns. If the call may be queued, do keeps them until
// [Context.Wait]. A Context has only one call at a time.
func (c *Context) do(f func() C.sumac_status, uses ...use) error {
	if err := need(c); err != nil {
		return err
	}
	taken, err := acquireAll(append([]use{{handle: c.handle}}, uses...))
	if err != nil {
		return err
	}
	defer releaseAll(taken)
	if !c.busy.CompareAndSwap(false, true) {
		return refuse(ErrBusy, "the context is in use by another call: it serves one at a time")
	}
	defer c.busy.Store(false)
	cancellable := c.ctx != nil && c.ctx.Done() != nil
	if cancellable && c.ctx.Err() != nil {
		return c.cancelled("the call was cancelled before it began", nil)
	}
	runtime.LockOSThread() // in C each thread has its own progress and message
	defer runtime.UnlockOSThread()
	call := &progressCall{ctx: c.ctx}
	if c.progress != nil {
		thread := C.sumac_go_thread()
		c.progress.enter(thread, call)
		defer c.progress.enter(thread, nil)
	}
	if cancellable {
		defer c.cancelWhenDone()()
	}
	status := f()
	if c.pending.stream != 0 {
		c.pending.add(c.handle, taken)
	}
	return c.result(status, call)
}

// cancelWhenDone starts to watch the context.Context. If it is done before the returned function is called, the call that
// begins now is cancelled. The cancellation is repeated, because C ignores one that comes before the call has entered C.
func (c *Context) cancelWhenDone() func() {
	over, ended := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(c.ctx, func() {
		defer close(ended)
		for {
			C.sumac_context_cancel(c.c)
			select {
			case <-over:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	return func() {
		close(over)
		if !stop() {
			<-ended
		}
	}
}

func (c *Context) result(status C.sumac_status, call *progressCall) error {
	failed := c.trace.take()
	if failed != nil {
		C.sumac_go_user_set_failed(c.trace.user, 0)
	}
	if call.err != nil {
		failed = call.err
	}
	if failed == nil && status == C.SUMAC_OK {
		return nil
	}
	message := C.GoString(C.sumac_context_message(c.c))
	if status == C.SUMAC_CANCELLED || status == C.SUMAC_OK {
		return c.cancelled(message, failed)
	}
	if message == "" {
		message = Status(status).Error()
	}
	return &Error{Status: Status(status), Message: message}
}

// cancelled returns the error of a call that a callback ended or, if `callback` is nil, that the context.Context ended.
func (c *Context) cancelled(message string, callback error) error {
	if callback != nil {
		if message != "" {
			message += ": "
		}
		return &Error{ErrCancelled, message + callback.Error(), []error{callback}}
	}
	err := &Error{Status: ErrCancelled, Message: message}
	if c.ctx != nil && c.ctx.Err() != nil {
		err.causes = []error{c.ctx.Err(), context.Cause(c.ctx)}
	}
	return err
}

// SetStream sets the stream on which calls work, a cudaStream_t of the Context's GPU. If `stream` is 0, it restores the stream
// that the Context created. While a stream is set, calls of a [Vector], and [Bases.MSMAt] with results on the device, are
// queued and return at once. The objects that they use are kept until [Context.Wait], but memory that the caller gives by its
// address is not. The stream must exist until another one is set, or the Context is closed.
func (c *Context) SetStream(stream uintptr) error {
	return c.do(func() C.sumac_status {
		status := C.sumac_go_context_set_stream(c.c, C.uintptr_t(stream))
		if status == C.SUMAC_OK {
			c.pending.stream = stream
		}
		return status
	})
}

// Wait waits for queued calls, and returns the first error that the GPU found in them. Until the next call begins, it returns
// the same error again.
func (c *Context) Wait() error {
	return c.do(func() C.sumac_status {
		status := C.sumac_context_wait(c.c)
		c.pending.letGo()
		return status
	})
}

// Check asks the devices of the Context whether it can be used after a failure. If it returns an error, close the Context.
func (c *Context) Check() error {
	return c.do(func() C.sumac_status { return C.sumac_context_check(c.c) })
}

// ask calls `question` and returns its result, or the zero value if the object is closed. It may be called while other calls
// run.
func ask[T any](o object, question func() T) (answer T) {
	if h := lifetimeOf(o); h != nil && h.acquire(false) == nil {
		defer h.release()
		answer = question()
	}
	return answer
}

// Backend is the name of the backend in use: "cpu" or "cuda". If the Context is closed, Backend and the other methods that
// return its properties return zero values.
func (c *Context) Backend() string {
	return ask(c, func() string { return c.backend })
}

// Variant is the name of the backend's variant in use, such as "portable", "adx", "avx2" or "avx512".
func (c *Context) Variant() string {
	return ask(c, func() string { return c.variant })
}

// Threads is the largest number of CPU threads that a call uses.
func (c *Context) Threads() uint32 {
	return ask(c, func() uint32 { return c.threads })
}

// OnDevice says whether the Context computes on a GPU.
func (c *Context) OnDevice() bool {
	return ask(c, func() bool { return c.onDevice })
}

// Devices are the names of the Context's devices, for people. The CPU has the name "".
func (c *Context) Devices() []string {
	return ask(c, func() []string { return append([]string(nil), c.devices...) })
}

// MeasureWeights measures the relative speeds of the devices with MSMs of n bases. The result can be passed as [DeviceWeights].
func (c *Context) MeasureWeights(curve *Curve, n int) ([]uint32, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	var memory scratch
	size := memory.size("n", n)
	weights := make([]uint32, len(c.devices))
	return deliver(weights, memory.do(c, func() C.sumac_status {
		return C.sumac_context_measure_weights(c.c, curve.c, size, (*C.uint32_t)(start(weights)), C.size_t(len(weights)))
	}))
}

// Pinned is page-locked memory of the host, from which a GPU copies without an intermediate copy. For a Context on the CPU it
// is ordinary memory.
type Pinned struct {
	handle *handle
	bytes  []byte
}

func (p *Pinned) lifetime() *handle { return p.handle }

// NewPinned allocates page-locked memory, aligned to 64 bytes.
func (c *Context) NewPinned(bytes int) (*Pinned, error) {
	var memory scratch
	size := memory.size("the number of bytes", bytes)
	var block unsafe.Pointer
	if err := memory.do(c, func() C.sumac_status { return C.sumac_pinned_allocate(c.c, size, &block) }); err != nil {
		return nil, err
	}
	p := &Pinned{bytes: unsafe.Slice((*byte)(block), bytes)}
	p.handle = own(p, "page-locked memory", func() { C.sumac_pinned_free(block) })
	return p, nil
}

// Bytes is the memory. It must not be used after Close, nor after the last reference to the Pinned is gone.
func (p *Pinned) Bytes() []byte {
	if h := lifetimeOf(p); h == nil || h.acquire(false) != nil {
		return nil
	}
	defer p.handle.release()
	return p.bytes
}

// Close frees the memory.
func (p *Pinned) Close() { closeObject(p) }
