// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The contexts of the process.
use crate::types::{sxt_config, SXT_CPU_BACKEND, SXT_GPU_BACKEND};
use std::ffi::c_int;
use std::sync::OnceLock;
use sumac::{Context, ContextConfig, Devices, Pool};

/// The sentence that says why a call computes nothing.
pub(crate) struct Refusal(pub(crate) String);

/// The result of a step of a call.
pub(crate) type Result<T> = std::result::Result<T, Refusal>;

impl From<sumac::Error> for Refusal {
    fn from(error: sumac::Error) -> Self {
        Refusal(error.to_string())
    }
}

/// Returns the refusal with a sentence.
pub(crate) fn refuse<T>(sentence: impl Into<String>) -> Result<T> {
    Err(Refusal(sentence.into()))
}

/// Ends a call by a panic with a sentence, because the interface has no other errors.
pub(crate) fn or_panic<T>(function: &str, result: Result<T>) -> T {
    result.unwrap_or_else(|Refusal(sentence)| panic!("{function}: {sentence}"))
}

/// Returns memory of Rust. An empty slice may have any address.
///
/// # Safety
/// If `n` is not 0 and the address is not null, there must be `n` records, which do not change during the call.
pub(crate) unsafe fn slice<'a, T>(what: &str, records: *const T, n: usize) -> Result<&'a [T]> {
    match n.checked_mul(std::mem::size_of::<T>()) {
        Some(0) => Ok(&[]),
        _ if records.is_null() => refuse(format!("{what} are a null pointer")),
        Some(bytes) if bytes <= isize::MAX as usize => Ok(unsafe { std::slice::from_raw_parts(records, n) }),
        _ => refuse(format!("{what} are more than any memory holds")),
    }
}

/// Returns a vector with memory for `n` records, or an error.
pub(crate) fn reserve<T>(n: usize) -> Result<Vec<T>> {
    let mut memory = Vec::new();
    match memory.try_reserve_exact(n) {
        Ok(()) => Ok(memory),
        Err(_) => refuse(format!("there is no memory for {n} records of {} bytes", std::mem::size_of::<T>())),
    }
}

/// Returns what a pointer of the interface points to.
///
/// # Safety
/// The pointer must be null or valid.
pub(crate) unsafe fn object<'a, T>(what: &str, pointer: *const T) -> Result<&'a T> {
    unsafe { pointer.as_ref() }.map_or_else(|| refuse(format!("{what} is a null pointer")), Ok)
}

/// Refuses to write results to a null pointer.
pub(crate) fn writable<T>(what: &str, pointer: *mut T, n: usize) -> Result<()> {
    if n > 0 && pointer.is_null() {
        return refuse(format!("{what} are a null pointer"));
    }
    Ok(())
}

/// The most calls that compute at the same time; others wait. Two contexts have all threads, so that the threads of one call work
/// while those of the other wait for its last steps.
const MOST_CALLS: usize = 2;

static POOL: OnceLock<Pool> = OnceLock::new();

/// Chooses the backend, once in a process. The environment's BLITZAR_BACKEND overrides the configuration's choice, as it does with
/// Blitzar.
fn choose(config: &sxt_config) -> Result<()> {
    let chosen = match std::env::var("BLITZAR_BACKEND").map(|name| name.to_lowercase()).as_deref() {
        Ok("cpu") => SXT_CPU_BACKEND,
        Ok("gpu") => SXT_GPU_BACKEND,
        Ok(other) => return refuse(format!("BLITZAR_BACKEND is {other}, and must be cpu or gpu")),
        Err(_) => u32::try_from(config.backend).unwrap_or(u32::MAX),
    };
    let config = match chosen {
        SXT_CPU_BACKEND => ContextConfig::cpu(0),
        SXT_GPU_BACKEND => ContextConfig { devices: Devices::All, ..Default::default() },
        _ => return refuse(format!("there is no backend {}", config.backend)),
    };
    POOL.set(Pool::new(config, MOST_CALLS)?).or_else(|_| refuse("the backend was chosen before"))
}

/// Chooses the backend for the process: the CPU with all threads, or all GPUs. If there is no GPU, the latter is the CPU, too. The
/// environment's `BLITZAR_BACKEND`, which is `cpu` or `gpu`, overrides the choice. Returns 0.
///
/// # Safety
/// `config` must be null or a valid pointer.
///
/// # Panics
/// If there is no such backend, if the backend was chosen before, or if it fails.
pub unsafe fn sxt_init(config: *const sxt_config) -> c_int {
    or_panic("sxt_init", unsafe { object("the configuration", config) }.and_then(choose));
    0
}

/// Makes a call with a context. If a device failed, no later call gets this context.
pub(crate) fn with_context<T>(call: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let Some(pool) = POOL.get() else { return refuse("sxt_init() must be called first") };
    let mut context = pool.take()?;
    let result = call(&mut context);
    if result.is_err() && context.check().is_err() {
        pool.discard(context);
    }
    result
}
