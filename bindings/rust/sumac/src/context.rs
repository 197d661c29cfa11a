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

/// A span of work. Its times are seconds of a monotonic clock.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEvent {
    /// The name of the stage.
    pub name: String,
    /// The number of the thread that did the work, or of the GPU's stream.
    pub thread: u32,
    /// The pass of the call to which the span belongs.
    pub pass: u32,
    /// The time when the span began.
    pub start: f64,
    /// The time when the span ended.
    pub end: f64,
}

/// A function that is called as work proceeds, with 0 <= done <= 1. If it returns false, the call ends.
pub type Progress = dyn Fn(f64) -> bool + Send + Sync;
/// A function that is called after each span of work, from any thread.
pub type Trace = dyn Fn(&TraceEvent) + Send + Sync;

/// A caller's panic and the thread of its call. The progress function is called on the thread of the call. The trace function is
/// called on any thread, so its panics have no thread.
type Panic = (Option<ThreadId>, Box<dyn Any + Send>);

/// The functions of the caller, and their panics. A panic ends the call, and is resumed from it.
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

    /// Removes and returns the panic that the calling thread's call has to resume.
    fn take(&self) -> Option<Box<dyn Any + Send>> {
        if self.progress.is_none() && self.trace.is_none() {
            return None;
        }
        let mut panics = self.panics.lock().unwrap_or_else(|e| e.into_inner());
        let own = std::thread::current().id();
        let at = panics.iter().position(|(thread, _)| thread.map_or(true, |t| t == own))?;
        let (thread, panic) = panics.swap_remove(at);
        if thread.is_none() {
            // The trace function may also have panicked for other spans.
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

/// The devices among which a context's calls are divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Devices {
    /// The first device, or the CPU.
    #[default]
    One,
    /// All devices of the backend.
    All,
    /// The numbers of the devices, each with the weight of its share of the work.
    Weighted(Vec<(i32, u32)>),
}

/// The configuration of a context. [`ContextConfig::default`] selects the fastest backend with all threads.
#[derive(Default)]
pub struct ContextConfig<'a> {
    /// The backend: "auto", "cpu" or "cuda". `None` means "auto".
    pub backend: Option<&'a str>,
    /// Values that replace choices of the library, such as "variant=portable" for the CPU code. The header `sumac/experimental.h`
    /// explains them.
    pub tuning: Option<&'a str>,
    /// The number of CPU threads, including the calling thread. 0 means as many as the process may run on.
    pub threads: u32,
    /// The largest number of bytes of workspace that a call may use. 0 means that the planner sets a limit.
    pub memory_limit: u64,
    /// The devices among which calls are divided.
    pub devices: Devices,
    /// The largest size in bytes of bases that are kept whole on each of several devices. 0 means 64 MiB.
    pub replica_limit: u64,
    /// The function of [`ContextConfig::on_progress`].
    pub progress: Option<Box<Progress>>,
    /// The function of [`ContextConfig::on_trace`].
    pub trace: Option<Box<Trace>>,
}

impl<'a> ContextConfig<'a> {
    /// Configures the CPU with `threads` threads.
    pub fn cpu(threads: u32) -> Self {
        ContextConfig { backend: Some("cpu"), threads, ..Default::default() }
    }

    /// Sets a function that is called as work proceeds, with 0 <= done <= 1. If it returns false, the call ends with
    /// [`ErrorKind::Cancelled`]. If it panics, the call panics.
    pub fn on_progress(mut self, progress: impl Fn(f64) -> bool + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Sets a function that is called after each span of work, from any thread.
    pub fn on_trace(mut self, trace: impl Fn(&TraceEvent) + Send + Sync + 'static) -> Self {
        self.trace = Some(Box::new(trace));
        self
    }
}

/// A context's configuration and the memory to which it points. A pool keeps it as long as the pool lives.
struct Config {
    raw: sys::sumac_context_config,
    _keep: Keep,
    _devices: (Vec<i32>, Vec<u32>),
    callbacks: Arc<Callbacks>,
}

// The pointers of a Config point to memory that it owns.
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

// Calls need &mut Context, on any thread. The library allows questions at any time.
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

/// The state of a caller: a backend, its threads and a workspace. It runs one call at a time, so that calls take `&mut`. Each
/// thread needs its own Context.
pub struct Context {
    inner: Arc<Inner>,
}

impl Context {
    /// Makes a context.
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

    /// Makes a context of the CPU with `threads` threads. 0 means all threads.
    pub fn cpu(threads: u32) -> Result<Context> {
        Context::new(ContextConfig::cpu(threads))
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    fn raw(&self) -> *mut sys::sumac_context {
        self.inner.raw.as_ptr()
    }

    /// Makes a call, and returns its error, if any.
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

    /// Makes a call whose answer is yes or no.
    pub(crate) fn ask(&mut self, call: impl FnOnce(*mut sys::sumac_context, *mut c_int) -> sys::sumac_status) -> Result<bool> {
        let mut answer = 0;
        self.call(|context| call(context, &mut answer))?;
        Ok(answer == 1)
    }

    /// Makes a call whose result is a new object.
    pub(crate) fn make<T>(
        &mut self,
        call: impl FnOnce(*mut sys::sumac_context, *mut *mut T) -> sys::sumac_status,
    ) -> Result<NonNull<T>> {
        let mut made = std::ptr::null_mut();
        self.call(|context| call(context, &mut made))?;
        Ok(NonNull::new(made).expect("an object that was made"))
    }

    /// Describes the context. The pointers in the result are valid as long as the context.
    fn describe(&self) -> sys::sumac_context_info {
        let mut info = crate::fields::sized();
        let status = unsafe { sys::sumac_context_describe(self.raw(), &mut info) };
        assert_eq!(status, sys::SUMAC_OK, "the context and the size are valid");
        info
    }

    /// Returns the backend: "cpu" or "cuda".
    pub fn backend(&self) -> String {
        unsafe { text(self.describe().backend) }
    }

    /// Returns the variant of the backend's code, for example "portable", "adx", "avx2" or "avx512".
    pub fn variant(&self) -> String {
        unsafe { text(self.describe().variant) }
    }

    /// Says whether the context computes, and its vectors lie, in the memory of the host or of a device.
    pub fn location(&self) -> Location {
        Location::of(self.describe().location)
    }

    /// Returns the largest number of CPU threads that a call uses.
    pub fn threads(&self) -> u32 {
        self.describe().threads
    }

    /// Returns descriptions, for people, of the devices among which calls are divided. The CPU's description is "".
    pub fn devices(&self) -> Vec<String> {
        let info = self.describe();
        (0..info.device_count).map(|i| unsafe { text(*info.device_names.add(i)) }).collect()
    }

    /// Describes the named plans, and the kinds of each stage, in JSON: `{"plans": {name: text}, "kinds": {stage: {kind: text}}}`.
    /// The tuning "plan=NAME" selects a plan.
    pub fn plans(&mut self, curve: Curve) -> Result<String> {
        Ok(crate::plan::take_text(crate::pass::make!(self, sumac_context_plans, curve)?))
    }

    /// Returns a [`Canceller`], which cancels this context's calls from other threads.
    pub fn canceller(&self) -> Canceller {
        Canceller { inner: Arc::downgrade(&self.inner) }
    }

    /// Makes calls work on a stream (a `cudaStream_t`) of the GPU. If the stream is null, they work on the stream that the context
    /// created. With a stream, calls of vectors that leave their results on the GPU are queued and return at once, as
    /// `sumac_context_set_stream()` describes.
    ///
    /// # Safety
    /// The stream must exist until the context gets another one or is dropped. Until [`Context::wait`] has returned, vectors and
    /// bases of queued calls must not be dropped, and memory that the caller has given to vectors must not be freed.
    pub unsafe fn set_stream(&mut self, stream: *mut c_void) -> Result<()> {
        self.call(|context| unsafe { sys::sumac_context_set_stream(context, stream) })
    }

    /// Waits for queued calls. If the GPU found errors in them, it returns the first one.
    pub fn wait(&mut self) -> Result<()> {
        self.call(|context| unsafe { sys::sumac_context_wait(context) })
    }

    /// Checks whether the context can be used after a failure. If this returns an error, drop the context.
    pub fn check(&mut self) -> Result<()> {
        self.call(|context| unsafe { sys::sumac_context_check(context) })
    }

    /// Measures the relative speeds of the context's devices, for [`Devices::Weighted`].
    pub fn measure_weights(&mut self, curve: Curve, n: usize) -> Result<Vec<u32>> {
        let mut weights = vec![0; self.describe().device_count];
        self.call(|context| unsafe {
            sys::sumac_context_measure_weights(context, curve.raw(), n, weights.as_mut_ptr(), weights.len())
        })?;
        Ok(weights)
    }

    /// Allocates page-locked memory of the host, which is all zero. A GPU copies it without an intermediate buffer.
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

/// A handle with which any thread can cancel the calls of the [`Context`] that created it. It does not keep the context alive. When
/// a context of a [`Pool`] is dropped, it is given back, and its cancellers do nothing from then on.
#[derive(Clone)]
pub struct Canceller {
    inner: Weak<Inner>,
}

impl Canceller {
    /// Ends the running call with [`ErrorKind::Cancelled`], as soon as its threads and devices have stopped. If no call is running,
    /// nothing happens, and a later call is not cancelled.
    pub fn cancel(&self) {
        // `inner` keeps the context until sumac_context_cancel() has returned.
        if let Some(inner) = self.inner.upgrade() {
            unsafe { sys::sumac_context_cancel(inner.raw.as_ptr()) }
        }
    }
}

/// Page-locked bytes of [`Context::pinned`]. Calls with any context can use them.
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

// Any threads may call the pool's functions at the same time, except the function that destroys it.
unsafe impl Send for PoolInner {}
unsafe impl Sync for PoolInner {}

impl Drop for PoolInner {
    fn drop(&mut self) {
        unsafe { sys::sumac_pool_destroy(self.raw.as_ptr()) }
    }
}

/// Contexts that the threads of a server share. When a [`Context`] that was taken is dropped, the pool gets it back.
#[derive(Clone)]
pub struct Pool {
    inner: Arc<PoolInner>,
}

impl Pool {
    /// Makes a pool of at most `most` contexts with the same configuration.
    pub fn new(config: ContextConfig<'_>, most: usize) -> Result<Pool> {
        let config = Config::new(config)?;
        let (mut raw, mut message) = (std::ptr::null_mut(), new_message());
        check_message(unsafe { sys::sumac_pool_create(&config.raw, most, &mut raw, &mut message) }, &message)?;
        let raw = NonNull::new(raw).expect("a pool that was made");
        Ok(Pool { inner: Arc::new(PoolInner { raw, config }) })
    }

    /// Takes a context. If all contexts are taken, it waits for one.
    pub fn take(&self) -> Result<Context> {
        self.take_by(sys::sumac_pool_take)
    }

    /// Takes a context without waiting. If all contexts are taken, the error is [`ErrorKind::Busy`].
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

    /// Destroys a context of this pool, for example because [`Context::check`] failed. If the context belongs to another pool, it
    /// is given back to that pool.
    pub fn discard(&self, context: Context) {
        if context.inner.pool.as_ref().is_some_and(|pool| Arc::ptr_eq(pool, &self.inner)) {
            context.inner.discard.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
