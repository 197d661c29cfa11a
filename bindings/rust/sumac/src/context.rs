// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::curve::Curve;
use crate::error::{check_message, new_message, status_text, text, Error, Keep, Result};
use crate::fields::Field;
use crate::options::{ErrorKind, Location};
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, Weak};
use std::thread::ThreadId;
use sumac_sys as sys;

/// A span of work; times are seconds of a monotonic clock.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEvent {
    /// What was done.
    pub name: String,
    /// The thread that did it, or the GPU's stream.
    pub thread: u32,
    /// The pass of the call that it belongs to.
    pub pass: u32,
    /// When it began.
    pub start: f64,
    /// When it ended.
    pub end: f64,
}

/// Called as work proceeds, with 0 <= done <= 1: false ends the call.
pub type Progress = dyn Fn(f64) -> bool + Send + Sync;
/// Called after each span of work, from any thread.
pub type Trace = dyn Fn(&TraceEvent) + Send + Sync;

/// A caller's panic and the thread of its call: progress is called on the thread of the call; for trace, which is
/// called on any thread, there is none.
type Panic = (Option<ThreadId>, Box<dyn Any + Send>);

/// A caller's functions, and their panics, which end the call and are resumed from it.
#[derive(Default)]
struct Callbacks {
    progress: Option<Box<Progress>>,
    trace: Option<Box<Trace>>,
    panics: Mutex<Vec<Panic>>,
}

impl Callbacks {
    fn store(&self, thread: Option<ThreadId>, panic: Box<dyn Any + Send>) {
        self.panics.lock().unwrap_or_else(|e| e.into_inner()).push((thread, panic));
    }

    /// Remove and return the panic that the calling thread's call has to resume.
    fn take(&self) -> Option<Box<dyn Any + Send>> {
        if self.progress.is_none() && self.trace.is_none() {
            return None;
        }
        let mut panics = self.panics.lock().unwrap_or_else(|e| e.into_inner());
        let own = std::thread::current().id();
        let at = panics.iter().position(|(thread, _)| thread.map_or(true, |t| t == own))?;
        let (thread, panic) = panics.swap_remove(at);
        if thread.is_none() {
            // The trace function may have panicked for other spans, too.
            panics.retain(|(thread, _)| thread.is_some());
        }
        Some(panic)
    }

    fn has_traced_panic(&self) -> bool {
        self.panics.lock().unwrap_or_else(|e| e.into_inner()).iter().any(|(thread, _)| thread.is_none())
    }
}

unsafe extern "C" fn call_progress(user: *mut c_void, done: f64) -> c_int {
    let callbacks = unsafe { &*user.cast::<Callbacks>() };
    if callbacks.trace.is_some() && callbacks.has_traced_panic() {
        return 1;
    }
    let Some(progress) = &callbacks.progress else {
        return 0;
    };
    match catch_unwind(AssertUnwindSafe(|| progress(done))) {
        Ok(go_on) => c_int::from(!go_on),
        Err(panic) => {
            callbacks.store(Some(std::thread::current().id()), panic);
            1
        }
    }
}

unsafe extern "C" fn call_trace(user: *mut c_void, event: *const sys::sumac_trace_event) {
    let callbacks = unsafe { &*user.cast::<Callbacks>() };
    let event = unsafe { &*event };
    let Some(trace) = &callbacks.trace else {
        return;
    };
    let own = TraceEvent {
        name: unsafe { text(event.name) },
        thread: event.thread,
        pass: event.pass,
        start: event.start,
        end: event.end,
    };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| trace(&own))) {
        callbacks.store(None, panic);
    }
}

/// Which devices share a context's calls out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Devices {
    /// The first device, or the CPU.
    #[default]
    One,
    /// All devices of the backend.
    All,
    /// These devices, each with its share of the work.
    Weighted(Vec<(i32, u32)>),
}

/// How a context is made; [`ContextConfig::default`] is the fastest backend with all threads.
#[derive(Default)]
pub struct ContextConfig<'a> {
    /// "auto", "cpu" or "cuda"; none is "auto".
    pub backend: Option<&'a str>,
    /// Choices by hand, such as "variant=portable" for the CPU code; the header `sumac/experimental.h` explains them.
    pub tuning: Option<&'a str>,
    /// CPU threads, the calling one counted; 0: as many as the process may run on.
    pub threads: u32,
    /// Bytes of workspace that a call may use at most; 0: the planner's own bound.
    pub memory_limit: u64,
    /// Which devices share its calls out.
    pub devices: Devices,
    /// Each of several devices keeps all bases if they take at most this many bytes; 0: 64 MiB.
    pub replica_limit: u64,
    /// See [`ContextConfig::on_progress`].
    pub progress: Option<Box<Progress>>,
    /// See [`ContextConfig::on_trace`].
    pub trace: Option<Box<Trace>>,
}

impl<'a> ContextConfig<'a> {
    /// The CPU with `threads` threads.
    pub fn cpu(threads: u32) -> Self {
        ContextConfig { backend: Some("cpu"), threads, ..Default::default() }
    }

    /// Call a function as work proceeds, with 0 <= done <= 1. If it returns false the call ends with [`ErrorKind::Cancelled`]; if it
    /// panics, the call does.
    pub fn on_progress(mut self, progress: impl Fn(f64) -> bool + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Call a function after each span of work, from any thread.
    pub fn on_trace(mut self, trace: impl Fn(&TraceEvent) + Send + Sync + 'static) -> Self {
        self.trace = Some(Box::new(trace));
        self
    }
}

/// A context's configuration and the memory that it points to; a pool keeps it as long as it lives.
struct Config {
    raw: sys::sumac_context_config,
    _keep: Keep,
    _devices: (Vec<i32>, Vec<u32>),
    callbacks: Arc<Callbacks>,
}

// Its pointers are to memory that it owns.
unsafe impl Send for Config {}
unsafe impl Sync for Config {}

impl Config {
    fn new(given: ContextConfig<'_>) -> Result<Config> {
        let mut keep = Keep::default();
        let mut raw: sys::sumac_context_config = crate::fields::sized();
        raw.backend = given.backend.put(&mut keep)?;
        raw.tuning = given.tuning.put(&mut keep)?;
        raw.threads = given.threads;
        raw.memory_limit = given.memory_limit;
        raw.replica_limit = given.replica_limit;
        let (devices, weights): (Vec<i32>, Vec<u32>) = match &given.devices {
            Devices::Weighted(list) => list.iter().copied().unzip(),
            _ => Default::default(),
        };
        match given.devices {
            Devices::One => {}
            Devices::All => raw.device_count = sys::SUMAC_ALL_DEVICES as usize,
            Devices::Weighted(_) => {
                raw.devices = devices.as_ptr();
                raw.device_weights = weights.as_ptr();
                raw.device_count = devices.len();
            }
        }
        let callbacks = Arc::new(Callbacks { progress: given.progress, trace: given.trace, ..Default::default() });
        raw.user = Arc::as_ptr(&callbacks) as *mut c_void;
        if callbacks.progress.is_some() || callbacks.trace.is_some() {
            raw.progress = Some(call_progress);
        }
        if callbacks.trace.is_some() {
            raw.trace = Some(call_trace);
        }
        Ok(Config { raw, _keep: keep, _devices: (devices, weights), callbacks })
    }
}

/// The library's context. It lives until the caller's [`Context`] and all prepared calls are dropped.
pub(crate) struct Inner {
    raw: NonNull<sys::sumac_context>,
    callbacks: Arc<Callbacks>,
    pool: Option<Arc<PoolInner>>,
    discard: std::sync::atomic::AtomicBool,
}

// Calls need &mut Context, on any thread; the library allows questions at any time.
unsafe impl Send for Inner {}
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        unsafe {
            match &self.pool {
                None => sys::sumac_context_destroy(self.raw.as_ptr()),
                Some(pool) if *self.discard.get_mut() => sys::sumac_pool_discard(pool.raw.as_ptr(), self.raw.as_ptr()),
                Some(pool) => sys::sumac_pool_give(pool.raw.as_ptr(), self.raw.as_ptr()),
            }
        }
    }
}

/// The state of a caller: a backend, its threads, a workspace. It serves one call at a time, therefore `&mut`; each thread needs its own.
pub struct Context {
    inner: Arc<Inner>,
}

impl Context {
    /// Make a context.
    pub fn new(config: ContextConfig<'_>) -> Result<Context> {
        let config = Config::new(config)?;
        let (mut raw, mut message) = (std::ptr::null_mut(), new_message());
        check_message(unsafe { sys::sumac_context_create(&config.raw, &mut raw, &mut message) }, &message)?;
        Ok(Context::of(raw, config.callbacks, None))
    }

    fn of(raw: *mut sys::sumac_context, callbacks: Arc<Callbacks>, pool: Option<Arc<PoolInner>>) -> Context {
        let raw = NonNull::new(raw).expect("a context that was made");
        Context { inner: Arc::new(Inner { raw, callbacks, pool, discard: false.into() }) }
    }

    /// Make a context of the CPU with `threads` threads; 0: all.
    pub fn cpu(threads: u32) -> Result<Context> {
        Context::new(ContextConfig::cpu(threads))
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    fn raw(&self) -> *mut sys::sumac_context {
        self.inner.raw.as_ptr()
    }

    /// Make a call, and return its error, if any.
    pub(crate) fn call(&mut self, call: impl FnOnce(*mut sys::sumac_context) -> sys::sumac_status) -> Result<()> {
        let status = call(self.raw());
        if let Some(panic) = self.inner.callbacks.take() {
            resume_unwind(panic);
        }
        if status == sys::SUMAC_OK {
            return Ok(());
        }
        let sentence = unsafe { text(sys::sumac_context_message(self.raw())) };
        Err(Error::new(ErrorKind::of(status), if sentence.is_empty() { status_text(status) } else { sentence }))
    }

    /// Make a call that answers yes or no.
    pub(crate) fn ask(&mut self, call: impl FnOnce(*mut sys::sumac_context, *mut c_int) -> sys::sumac_status) -> Result<bool> {
        let mut answer = 0;
        self.call(|context| call(context, &mut answer))?;
        Ok(answer == 1)
    }

    /// Make a call whose result is a new object.
    pub(crate) fn make<T>(
        &mut self,
        call: impl FnOnce(*mut sys::sumac_context, *mut *mut T) -> sys::sumac_status,
    ) -> Result<NonNull<T>> {
        let mut made = std::ptr::null_mut();
        self.call(|context| call(context, &mut made))?;
        Ok(NonNull::new(made).expect("an object that was made"))
    }

    /// Its pointers are valid as long as the context.
    fn describe(&self) -> sys::sumac_context_info {
        let mut info = crate::fields::sized();
        let status = unsafe { sys::sumac_context_describe(self.raw(), &mut info) };
        assert_eq!(status, sys::SUMAC_OK, "the context and the size are valid");
        info
    }

    /// "cpu" or "cuda".
    pub fn backend(&self) -> String {
        unsafe { text(self.describe().backend) }
    }

    /// "portable", "adx", "avx2", "avx512", ..
    pub fn variant(&self) -> String {
        unsafe { text(self.describe().variant) }
    }

    /// The memory where it computes and its vectors lie: the host's or a device's.
    pub fn location(&self) -> Location {
        Location::of(self.describe().location)
    }

    /// How many CPU threads a call uses at most.
    pub fn threads(&self) -> u32 {
        self.describe().threads
    }

    /// Descriptions, for people, of the devices that share its calls out; "" is the CPU's.
    pub fn devices(&self) -> Vec<String> {
        let info = self.describe();
        (0..info.device_count).map(|i| unsafe { text(*info.device_names.add(i)) }).collect()
    }

    /// Texts about the named plans, and about the kinds of each stage, as JSON: `{"plans": {name: text}, "kinds": {stage: {kind:
    /// text}}}`. The tuning "plan=NAME" asks for a plan.
    pub fn plans(&mut self, curve: Curve) -> Result<String> {
        Ok(crate::plan::take_text(crate::pass::make!(self, sumac_context_plans, curve)?))
    }

    /// Cancels this context's calls from other threads.
    pub fn canceller(&self) -> Canceller {
        Canceller { inner: Arc::downgrade(&self.inner) }
    }

    /// Do the work of calls on a stream (a `cudaStream_t`) of the GPU, or, if it is null, on the context's own. Calls of vectors that
    /// leave their results on the GPU are then queued and return at once; see `sumac_context_set_stream()`.
    ///
    /// # Safety
    /// The stream exists until the context has another one or is dropped. Vectors and bases of queued calls are not dropped, and
    /// memory that the caller has given to vectors is not freed, until [`Context::wait`] has returned.
    pub unsafe fn set_stream(&mut self, stream: *mut c_void) -> Result<()> {
        self.call(|context| unsafe { sys::sumac_context_set_stream(context, stream) })
    }

    /// Wait for queued calls; the error is the first one that only the GPU has seen.
    pub fn wait(&mut self) -> Result<()> {
        self.call(|context| unsafe { sys::sumac_context_wait(context) })
    }

    /// Check that the context can go on after a failure; if not, drop it.
    pub fn check(&mut self) -> Result<()> {
        self.call(|context| unsafe { sys::sumac_context_check(context) })
    }

    /// Measure the relative speeds of its devices, for [`Devices::Weighted`].
    pub fn measure_weights(&mut self, curve: Curve, n: usize) -> Result<Vec<u32>> {
        let mut weights = vec![0; self.describe().device_count];
        self.call(|context| unsafe {
            sys::sumac_context_measure_weights(context, curve.raw(), n, weights.as_mut_ptr(), weights.len())
        })?;
        Ok(weights)
    }

    /// Allocate page-locked memory of the host, all zero, which a GPU copies without an intermediate buffer.
    pub fn pinned(&mut self, bytes: usize) -> Result<Pinned> {
        let memory = self.make::<c_void>(|context, made| unsafe { sys::sumac_pinned_allocate(context, bytes.max(1), made) })?;
        unsafe { memory.as_ptr().cast::<u8>().write_bytes(0, bytes.max(1)) };
        Ok(Pinned { memory, bytes })
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Context({} {}, {} threads)", self.backend(), self.variant(), self.threads())
    }
}

/// Cancels the calls of the [`Context`] that created it, from any thread. It does not keep the context alive: once a context of a
/// [`Pool`] is dropped, and so given back, its cancellers do nothing.
#[derive(Clone)]
pub struct Canceller {
    inner: Weak<Inner>,
}

impl Canceller {
    /// End the running call with [`ErrorKind::Cancelled`], as soon as its threads and devices have stopped. If no call is running,
    /// nothing happens, and a later call is not cancelled.
    pub fn cancel(&self) {
        // `inner` keeps the context until sumac_context_cancel() has returned.
        if let Some(inner) = self.inner.upgrade() {
            unsafe { sys::sumac_context_cancel(inner.raw.as_ptr()) }
        }
    }
}

/// Page-locked bytes of [`Context::pinned`], for calls with any context.
pub struct Pinned {
    memory: NonNull<c_void>,
    bytes: usize,
}

unsafe impl Send for Pinned {}
unsafe impl Sync for Pinned {}

impl std::ops::Deref for Pinned {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.bytes) }
    }
}

impl std::ops::DerefMut for Pinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr().cast(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        unsafe { sys::sumac_pinned_free(self.memory.as_ptr()) }
    }
}

struct PoolInner {
    raw: NonNull<sys::sumac_pool>,
    config: Config,
}

// Any threads may call its functions at the same time, except the one that destroys it.
unsafe impl Send for PoolInner {}
unsafe impl Sync for PoolInner {}

impl Drop for PoolInner {
    fn drop(&mut self) {
        unsafe { sys::sumac_pool_destroy(self.raw.as_ptr()) }
    }
}

/// Contexts that the threads of a server share. A [`Context`] that was taken is given back when it is dropped.
#[derive(Clone)]
pub struct Pool {
    inner: Arc<PoolInner>,
}

impl Pool {
    /// Make a pool of at most `most` contexts of one configuration.
    pub fn new(config: ContextConfig<'_>, most: usize) -> Result<Pool> {
        let config = Config::new(config)?;
        let (mut raw, mut message) = (std::ptr::null_mut(), new_message());
        check_message(unsafe { sys::sumac_pool_create(&config.raw, most, &mut raw, &mut message) }, &message)?;
        let raw = NonNull::new(raw).expect("a pool that was made");
        Ok(Pool { inner: Arc::new(PoolInner { raw, config }) })
    }

    /// Take a context; if all are taken, wait for one.
    pub fn take(&self) -> Result<Context> {
        self.take_by(sys::sumac_pool_take)
    }

    /// Take a context without waiting: [`ErrorKind::Busy`] if all are taken.
    pub fn try_take(&self) -> Result<Context> {
        self.take_by(sys::sumac_pool_try)
    }

    fn take_by(
        &self,
        take: unsafe extern "C" fn(
            *mut sys::sumac_pool,
            *mut *mut sys::sumac_context,
            *mut sys::sumac_message,
        ) -> sys::sumac_status,
    ) -> Result<Context> {
        let (mut raw, mut message) = (std::ptr::null_mut(), new_message());
        check_message(unsafe { take(self.inner.raw.as_ptr(), &mut raw, &mut message) }, &message)?;
        Ok(Context::of(raw, self.inner.config.callbacks.clone(), Some(self.inner.clone())))
    }

    /// Destroy a context of this pool, for example because [`Context::check`] failed; a context of another pool is given back to that.
    pub fn discard(&self, context: Context) {
        if context.inner.pool.as_ref().is_some_and(|pool| Arc::ptr_eq(pool, &self.inner)) {
            context.inner.discard.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
