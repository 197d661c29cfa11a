// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What all calls share: contexts, the roots of unity, and the cache.
use crate::cache::Cache;
use crate::Error;
use snarkvm_curves::bls12_377::{Fr, FrParameters};
use snarkvm_fields::{FftField, FftParameters, Field, PrimeField};
use std::str::FromStr;
use std::sync::OnceLock;
use sumac::{Context, ContextConfig, Curve, Devices, Location, Pool};

/// An integer of a variable, in one unit.
fn number<T: FromStr>(name: &str, default: T) -> Result<T, Error> {
    match std::env::var(name) {
        Ok(text) => {
            text.parse().map_err(|_| Error::bad_argument(format!("the variable {name} is {text:?}, which is no such number")))
        }
        Err(_) => Ok(default),
    }
}

/// The canonical bytes of an element.
pub(crate) type Raw = [u8; 32];

/// Returns the canonical bytes of an element.
pub(crate) fn raw(element: &Fr) -> Raw {
    let mut bytes = [0; 32];
    for (to, word) in bytes.chunks_exact_mut(8).zip(element.to_bigint().0) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The state of the process.
pub(crate) struct Engine {
    pool: Pool,
    curve: Curve,
    backend: String,
    location: Location,
    cache: Cache,
    multiples: u32,
    /// snarkVM's root of unity of order 2^i, for each i.
    roots: Vec<Raw>,
    generator: Raw,
}

impl Engine {
    fn new() -> Result<Engine, Error> {
        let backend = std::env::var("SUMAC_SNARKVM_BACKEND").ok();
        let devices = match std::env::var("SUMAC_SNARKVM_DEVICES").as_deref() {
            Ok("all") => Devices::All,
            Ok("one") | Err(_) => Devices::One,
            Ok(other) => {
                return Err(Error::bad_argument(format!(
                    "the variable SUMAC_SNARKVM_DEVICES is {other:?}, and neither one nor all"
                )))
            }
        };
        let config = ContextConfig {
            backend: backend.as_deref(),
            threads: number("SUMAC_SNARKVM_THREADS", 0)?,
            devices,
            ..ContextConfig::default()
        };
        let mebibytes: u32 = number("SUMAC_SNARKVM_CACHE_MIB", 2048)?;
        let multiples = number("SUMAC_SNARKVM_MULTIPLES", 1)?;
        let pool = Pool::new(config, number("SUMAC_SNARKVM_CALLS", 16)?)?;
        let context = pool.take()?;
        let mut root = Fr::two_adic_root_of_unity();
        let mut roots = Vec::new();
        for _ in 0..=FrParameters::TWO_ADICITY {
            roots.push(raw(&root));
            root.square_in_place();
        }
        roots.reverse();
        Ok(Engine {
            curve: Curve::find("bls12-377", "g1")?,
            backend: context.backend(),
            location: context.location(),
            cache: Cache::new(u64::from(mebibytes) << 20),
            multiples,
            roots,
            generator: raw(&Fr::multiplicative_generator()),
            pool,
        })
    }

    pub(crate) fn curve(&self) -> Curve {
        self.curve
    }

    pub(crate) fn backend(&self) -> &str {
        &self.backend
    }

    /// Says whether sumac computes in the memory of the host.
    pub(crate) fn is_on_host(&self) -> bool {
        self.location == Location::Host
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    pub(crate) fn multiples(&self) -> u32 {
        self.multiples
    }

    /// Returns snarkVM's root of unity of order 2^log2.
    pub(crate) fn root(&self, log2: u32) -> Option<&[u8]> {
        self.roots.get(log2 as usize).map(|root| root.as_slice())
    }

    pub(crate) fn generator(&self) -> &[u8] {
        &self.generator
    }

    /// Makes a call with a context. If as many calls as there may be contexts are running, it waits for one of them. If the device
    /// has failed, the context is not used again.
    pub(crate) fn call<T>(&self, call: impl FnOnce(&mut Context) -> Result<T, Error>) -> Result<T, Error> {
        let mut context = self.pool.take()?;
        let result = call(&mut context);
        if result.is_err() && context.check().is_err() {
            self.pool.discard(context);
        }
        result
    }
}

/// Returns the state of the process, which the first call makes.
pub(crate) fn engine() -> Result<&'static Engine, Error> {
    static ENGINE: OnceLock<Result<Engine, Error>> = OnceLock::new();
    ENGINE.get_or_init(Engine::new).as_ref().map_err(Error::clone)
}
