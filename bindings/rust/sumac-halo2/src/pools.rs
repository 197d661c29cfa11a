// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The contexts in which calls compute.
use crate::Result;
use std::sync::OnceLock;
use sumac::{Context, ContextConfig, Pool};

/// With fewer points or values than this, a call on several threads is not faster than on one.
const FEWEST_TO_SHARE: usize = 64;

/// A pool that the program chose, and the least number of points or values for which it is used.
static CHOSEN: OnceLock<(Pool, usize)> = OnceLock::new();

/// Lets calls of at least `fewest` points or values compute in the contexts of a pool, for example on a GPU. Without this call,
/// and for fewer of them, calls compute on the CPU. A program can choose a pool only once; a second pool is returned as the error.
pub fn use_pool(pool: Pool, fewest: usize) -> core::result::Result<(), Pool> {
    CHOSEN.set((pool, fewest)).map_err(|(pool, _)| pool)
}

/// Takes a context for a call with n points or values. If all contexts are taken, it waits for one.
pub(crate) fn take_context(n: usize) -> Result<Context> {
    static ALONE: OnceLock<core::result::Result<Pool, sumac::Error>> = OnceLock::new();
    static SHARED: OnceLock<core::result::Result<Pool, sumac::Error>> = OnceLock::new();
    if let Some((pool, fewest)) = CHOSEN.get() {
        if n >= *fewest {
            return Ok(pool.take()?);
        }
    }
    let pool = if n < FEWEST_TO_SHARE {
        // There are as many contexts as can run at the same time.
        let processors = || std::thread::available_parallelism().map_or(1, |number| number.get());
        ALONE.get_or_init(|| Pool::new(ContextConfig::cpu(1), processors()))
    } else {
        // Two contexts have all threads, so that the threads of one call work while those of the other wait for its last steps.
        SHARED.get_or_init(|| Pool::new(ContextConfig::cpu(0), 2))
    };
    Ok(pool.as_ref().map_err(sumac::Error::clone)?.take()?)
}
