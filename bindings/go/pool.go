// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"context"
	"sync/atomic"
)

// Pool has contexts with the same options, which goroutines share. A goroutine takes a context for some calls, and gives it
// back. Any number of goroutines may use a Pool at the same time.
type Pool struct {
	handle *handle
	c      *C.sumac_pool
	shared *sharedConfig
	free   chan struct{} // one element for each context that can be taken
}

func (p *Pool) lifetime() *handle { return p.handle }

// NewPool makes a Pool of at most `most` contexts. It creates one of them at once, and each of the others when it is first
// needed.
func NewPool(most int, options ...ContextOption) (*Pool, error) {
	if most < 1 || most > C.SUMAC_MAX_POOL {
		return nil, refuse(ErrBadArgument, "a pool must have 1 to %d contexts, not %d", int(C.SUMAC_MAX_POOL), most)
	}
	shared, err := share(options)
	if err != nil {
		return nil, err
	}
	var c *C.sumac_pool
	var reason C.sumac_message
	if err := failure(C.sumac_pool_create(&shared.c, C.size_t(most), &c, &reason), &reason); err != nil {
		shared.free()
		return nil, err
	}
	p := &Pool{c: c, shared: shared, free: make(chan struct{}, most)}
	for i := 0; i < most; i++ {
		p.free <- struct{}{}
	}
	p.handle = own(p, "pool", func() {
		C.sumac_pool_destroy(c)
		shared.free()
	})
	return p, nil
}

// Take takes a Context from the pool. If all contexts are taken, it waits for one until ctx is done. Closing the Context gives
// it back. The Context's calls end when ctx is done, as those of [Context.With] do.
func (p *Pool) Take(ctx context.Context) (*Context, error) {
	if err := need(p); err != nil {
		return nil, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	select {
	case <-p.free:
	default:
		select {
		case <-p.free:
		case <-ctx.Done():
			return nil, (&Context{ctx: ctx}).cancelled("no context of the pool was given back in time", nil)
		}
	}
	c, err := p.take()
	if err != nil {
		return nil, err
	}
	return c.With(ctx), nil
}

// Try takes a Context like Take, but does not wait. If all contexts are taken, it returns [ErrBusy].
func (p *Pool) Try() (*Context, error) {
	if err := need(p); err != nil {
		return nil, err
	}
	select {
	case <-p.free:
		return p.take()
	default:
		return nil, refuse(ErrBusy, "all %d contexts of the pool are taken", cap(p.free))
	}
}

// take takes a context after the caller has reserved one in `free`.
func (p *Pool) take() (*Context, error) {
	free := p.free
	if err := p.handle.acquire(false); err != nil {
		free <- struct{}{}
		return nil, err
	}
	defer p.handle.release()
	var c *C.sumac_context
	var reason C.sumac_message
	if err := failure(C.sumac_pool_try(p.c, &c, &reason), &reason); err != nil {
		free <- struct{}{}
		return nil, err
	}
	pool := p.c
	return wrapContext(c, p.shared, func(discard *atomic.Bool) {
		if discard.Load() {
			C.sumac_pool_discard(pool, c)
		} else {
			C.sumac_pool_give(pool, c)
		}
		free <- struct{}{}
	}, p.handle)
}

// Discard closes a Context that must not be used again, for example because [Context.Check] failed. If the Context belongs to a
// pool, the pool makes a new Context in its place.
func (c *Context) Discard() {
	if lifetimeOf(c) != nil {
		c.discard.Store(true)
		c.Close()
	}
}

// Close frees the pool as soon as all contexts that were taken are given back.
func (p *Pool) Close() { closeObject(p) }
