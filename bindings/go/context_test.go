// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// work returns bases and scalars of a call that is long enough to report progress.
func work(t testing.TB, c *sumac.Context) (*sumac.Bases, []byte) {
	g := curve(t, "bn254", "g1")
	n := 1 << 14
	return must(c.NewKnownBases(g, n, 1))(t), must(c.KnownLogarithms(g, n, 2))(t)
}

// withProgress returns a context whose progress function the test can exchange.
func withProgress(t testing.TB) (*sumac.Context, *func(float64) error) {
	function := new(func(float64) error)
	c := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(2), sumac.Progress(func(done float64) error {
		if *function != nil {
			return (*function)(done)
		}
		return nil
	})))(t)
	t.Cleanup(c.Close)
	return c, function
}

func TestContext(t *testing.T) {
	c := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Tuning("variant=portable"), sumac.Threads(3), sumac.MemoryLimit(1<<30), sumac.Devices{0, 0}, sumac.DeviceWeights{1, 2}))(t)
	if c.Backend() != "cpu" || c.Variant() != "portable" || c.Threads() != 3 || c.OnDevice() || len(c.Devices()) != 2 {
		t.Error(c.Backend(), c.Variant(), c.Threads(), c.Devices())
	}
	if plans := must(c.Plans(must(sumac.FindCurve("bn254", "g1"))(t)))(t); plans.Plans["auto"] == "" || len(plans.Kinds["combine"]) == 0 {
		t.Error(plans)
	}
	g := curve(t, "bn254", "g1")
	if weights := must(c.MeasureWeights(g, 100))(t); len(weights) != 2 || slices.Max(weights) != 1000 {
		t.Error(weights)
	}
	ok(t, c.Check())
	ok(t, c.Wait())
	c.Close()
	c.Close()
	if c.Backend() != "" || c.Threads() != 0 || c.Devices() != nil {
		t.Error("a closed context answers")
	}
	all := must(sumac.NewContext(sumac.Backend("cpu"), sumac.AllDevices(true)))(t)
	defer all.Close()
	if len(all.Devices()) != 1 {
		t.Error(all.Devices())
	}
}

func TestCancelling(t *testing.T) {
	c, function := withProgress(t)
	bases, scalars := work(t, c)
	expected := must(bases.MSM(c, scalars))(t)

	// The call is cancelled before it begins, and then while it runs.
	ctx, cancel := context.WithCancel(context.Background())
	*function = func(float64) error { cancel(); return nil }
	for range 2 {
		result, err := bases.MSM(c.With(ctx), scalars)
		fails(t, err, sumac.ErrCancelled)
		if result != nil || !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	// Another goroutine cancels a call without a progress function, and gives a cause.
	plain := newContext(t)
	reason := errors.New("the user went away")
	ended, end := context.WithCancelCause(context.Background())
	calls := 0
	var err error
	go func() { time.Sleep(5 * time.Millisecond); end(reason) }()
	for err == nil {
		_, err = bases.MSM(plain.With(ended), scalars)
		calls++
	}
	fails(t, err, sumac.ErrCancelled)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
		t.Error(err)
	}
	late, stop := context.WithTimeout(context.Background(), time.Nanosecond)
	defer stop()
	_, err = bases.MSM(plain.With(late), scalars)
	if fails(t, err, sumac.ErrCancelled); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	// If a context.Context is done, the call made with it ends, but no call of another context of the pool does.
	pool := must(sumac.NewPool(2, sumac.Backend("cpu"), sumac.Threads(1)))(t)
	defer pool.Close()
	first := must(pool.Take(context.Background()))(t)
	second := must(pool.Take(context.Background()))(t)
	defer first.Close()
	defer second.Close()
	soon, endSoon := context.WithTimeout(context.Background(), time.Millisecond)
	defer endSoon()
	others := make(chan error)
	go func() {
		result, err := bases.MSM(second, scalars)
		if err == nil && !slices.Equal(result, expected) {
			err = errors.New("a wrong sum")
		}
		others <- err
	}()
	for err = nil; err == nil; {
		_, err = bases.MSM(first.With(soon), scalars)
	}
	fails(t, err, sumac.ErrCancelled)
	ok(t, <-others)
	// A cancelled context.Context cancels no later call.
	*function = nil
	for _, again := range []*sumac.Context{c, plain, plain.With(context.Background())} {
		same(t, must(bases.MSM(again, scalars))(t), expected)
	}
}

func TestCallbacks(t *testing.T) {
	c, function := withProgress(t)
	bases, scalars := work(t, c)
	expected := must(bases.MSM(c, scalars))(t)

	last := -1.0
	*function = func(done float64) error { last = done; return nil }
	same(t, must(bases.MSM(c, scalars))(t), expected)
	if last <= 0 || last > 1 {
		t.Error(last)
	}
	// An error, a panic, or the end of the callback's goroutine ends only the call.
	stop := errors.New("stop")
	*function = func(float64) error { return stop }
	_, err := bases.MSM(c, scalars)
	if fails(t, err, sumac.ErrCancelled); !errors.Is(err, stop) {
		t.Error(err)
	}
	var panicked *sumac.PanicError
	*function = func(float64) error { panic("boom") }
	_, err = bases.MSM(c, scalars)
	if fails(t, err, sumac.ErrCancelled); !errors.As(err, &panicked) || panicked.Value != "boom" || !strings.Contains(string(panicked.Stack), "context_test") {
		t.Error(err)
	}
	*function = func(float64) error { runtime.Goexit(); return nil }
	_, err = bases.MSM(c, scalars)
	if fails(t, err, sumac.ErrCancelled); !errors.As(err, &panicked) || panicked.Value != nil {
		t.Error(err)
	}
	// A call within a call is refused with the same context. With another context it runs, and is cancelled independently.
	other, inner := withProgress(t)
	var refused, cancelled error
	var result []byte
	*inner = func(float64) error { return stop }
	*function = func(float64) error {
		*function = nil // once
		_, refused = bases.MSM(c, scalars)
		_, cancelled = bases.MSM(other, scalars)
		result, err = bases.MSM(newContext(t), scalars)
		return err
	}
	same(t, must(bases.MSM(c, scalars))(t), expected)
	same(t, result, expected)
	fails(t, refused, sumac.ErrBusy)
	if fails(t, cancelled, sumac.ErrCancelled); !errors.Is(cancelled, stop) {
		t.Error(cancelled)
	}

	// Any thread may call the trace function.
	var spans atomic.Int64
	panics := false
	traced := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(2), sumac.Trace(func(e sumac.TraceEvent) {
		if e.Name == "" || e.End < e.Start {
			t.Error(e)
		}
		spans.Add(1)
		if panics {
			panic(e.Name)
		}
	})))(t)
	defer traced.Close()
	same(t, must(bases.MSM(traced, scalars))(t), expected)
	if spans.Load() == 0 {
		t.Error("no spans")
	}
	panics = true
	_, err = bases.MSM(traced, scalars)
	if fails(t, err, sumac.ErrCancelled); !errors.As(err, &panicked) {
		t.Error(err)
	}
	panics = false
	same(t, must(bases.MSM(traced, scalars))(t), expected)
}

// during runs f in the progress function of a call with c.
func during(t *testing.T, c *sumac.Context, function *func(float64) error, f func()) (result []byte, err error) {
	bases, scalars := work(t, newContext(t))
	var once sync.Once
	*function = func(float64) error {
		once.Do(f)
		return nil
	}
	defer func() { *function = nil }()
	return bases.MSM(c, scalars)
}

func TestInUse(t *testing.T) {
	c, function := withProgress(t)
	// Calls by another goroutine are refused, but questions are answered.
	must(during(t, c, function, func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			fails(t, c.Check(), sumac.ErrBusy)
			if c.Threads() != 2 {
				t.Error("the number of threads")
			}
		}()
		<-done
	}))(t)
	// Many goroutines share one context. Each call is computed or refused.
	bases, scalars := work(t, c)
	expected := must(bases.MSM(c, scalars))(t)
	var goroutines sync.WaitGroup
	for range 8 {
		goroutines.Add(1)
		go func() {
			defer goroutines.Done()
			for range 5 {
				if result, err := bases.MSM(c, scalars); err != nil {
					fails(t, err, sumac.ErrBusy)
				} else {
					same(t, result, expected)
				}
			}
		}()
	}
	goroutines.Wait()
	// While one call writes a vector, other calls with the vector are refused.
	g := curve(t, "bn254", "g1")
	vector := must(c.NewVector(g, sumac.ScalarVector, 1<<14))(t)
	result := must(c.NewVector(g, sumac.ScalarVector, 1<<14))(t)
	other := newContext(t)
	var writes, reads atomic.Int64
	for range 4 {
		goroutines.Add(1)
		go func() {
			defer goroutines.Done()
			own := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(1)))(t)
			defer own.Close()
			for range 5 {
				if err := vector.NTT(own); err != nil {
					fails(t, err, sumac.ErrBadArgument)
				} else {
					writes.Add(1)
				}
				if _, err := vector.Bytes(own); err != nil {
					fails(t, err, sumac.ErrBadArgument)
				} else {
					reads.Add(1)
				}
			}
		}()
	}
	goroutines.Wait()
	if writes.Load() == 0 || reads.Load() == 0 {
		t.Error(writes.Load(), reads.Load())
	}
	ok(t, vector.Add(other, vector, 1, vector))
	ok(t, vector.Add(other, result, 1, result))
}

func TestClosing(t *testing.T) {
	c, function := withProgress(t)
	bases, scalars := work(t, c)
	expected := must(bases.MSM(c, scalars))(t)
	call := must(bases.Prepare(c, len(scalars)/32))(t)
	// Everything that a call uses is closed while it runs.
	var result []byte
	var err error
	*function = func(float64) error {
		bases.Close()
		call.Close()
		c.Close()
		return nil
	}
	result, err = call.Run(scalars)
	same(t, must(result, err)(t), expected)
	*function = nil
	_, err = call.Run(scalars)
	fails(t, err, sumac.ErrBadArgument)
	_, err = bases.MSM(c, scalars)
	fails(t, err, sumac.ErrBadArgument)
	_, err = bases.MSM(newContext(t), scalars)
	fails(t, err, sumac.ErrBadArgument)
	if !strings.Contains(err.Error(), "bases") || !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}
	// The garbage collector frees objects that nobody closes, but not objects in use.
	for range 50 {
		lost, _ := sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(1), sumac.Progress(func(float64) error { return nil }))
		g := curve(t, "bn254", "g1")
		b := must(lost.NewKnownBases(g, 100, 1))(t)
		must(b.Prepare(lost, 100))(t)
		must(lost.NewVector(g, sumac.PointVector, 100))(t)
		runtime.GC()
	}
}

func TestPool(t *testing.T) {
	var reported atomic.Int64
	pool := must(sumac.NewPool(2, sumac.Backend("cpu"), sumac.Threads(1), sumac.Tuning("variant=portable"), sumac.Progress(func(float64) error { reported.Add(1); return nil })))(t)
	first := must(pool.Take(nil))(t)
	bases, scalars := work(t, first)
	expected := must(bases.MSM(first, scalars))(t)
	second := must(pool.Try())(t)
	_, err := pool.Try()
	fails(t, err, sumac.ErrBusy)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = pool.Take(ctx)
	if fails(t, err, sumac.ErrCancelled); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if first.Variant() != "portable" || reported.Load() == 0 {
		t.Error(first.Variant(), reported.Load())
	}
	first.Close()
	first.Close()
	_, err = bases.MSM(first, scalars)
	fails(t, err, sumac.ErrBadArgument)
	// A context is given back and taken by another goroutine. Then a context is discarded, and the pool makes a new one.
	second.Discard()
	var goroutines sync.WaitGroup
	for range 6 {
		goroutines.Add(1)
		go func() {
			defer goroutines.Done()
			c := must(pool.Take(context.Background()))(t)
			defer c.Close()
			same(t, must(bases.MSM(c, scalars))(t), expected)
		}()
	}
	goroutines.Wait()
	// The context.Context that Take gets cancels calls with the context that Take returns.
	taken, end := context.WithCancel(context.Background())
	c := must(pool.Take(taken))(t)
	end()
	_, err = bases.MSM(c, scalars)
	fails(t, err, sumac.ErrCancelled)
	pool.Close() // the pool is freed with its last context
	_, err = pool.Try()
	fails(t, err, sumac.ErrBadArgument)
	c.Close()
	for _, most := range []int{0, -1, 5000} {
		_, err = sumac.NewPool(most)
		fails(t, err, sumac.ErrBadArgument)
	}
}
