// SPDX-License-Identifier: Apache-2.0 OR MIT
//! snarkVM hands the same points over at each call. This module keeps the bases that were made of them, and finds them again by
//! address and number. They are used only if the hash of each point is still the same, because the caller may have changed or freed
//! the memory in the meantime.
use rayon::prelude::*;
use snarkvm_curves::bls12_377::G1Affine;
use std::hash::{BuildHasher, RandomState};
use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use sumac::Bases;

/// What is kept, and how often it was of use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStatistics {
    /// The number of calls whose points were kept.
    pub hits: u64,
    /// The number of other calls. If the cache is off, calls are not counted.
    pub misses: u64,
    /// How many runs of points are kept.
    pub entries: usize,
    /// How many bytes these and their hashes take where sumac computes.
    pub bytes: u64,
    /// The most bytes that they may take.
    pub limit: u64,
}

/// The words of a point that are hashed: its coordinates, and whether it is the point at infinity.
const WORDS: usize = 13;
/// So many points are hashed at a time by one thread.
const CHUNK: usize = 1024;

/// The key of the hash of points, which differs from process to process.
///
/// The hash of words s_0 .. s_12 is the upper half of k_13 + k_0*s_0 + .. + k_12*s_12 mod 2^128, where the keys are random integers
/// of 128 bits. This is strongly universal: different points have the same hash with a probability of 2^-64 (Lemire and Kaser,
/// "Strongly universal string hashing is fast", 2014), also if somebody chose them who does not know the key. Wrong bases are used
/// only if all points that changed have their old hashes.
struct Key([u128; WORDS + 1]);

impl Key {
    fn new() -> Key {
        let random = RandomState::new();
        Key(std::array::from_fn(|i| u128::from(random.hash_one((i, 0))) << 64 | u128::from(random.hash_one((i, 1)))))
    }

    fn hash(&self, point: &G1Affine) -> u64 {
        let coordinates = point.x.0 .0.iter().chain(&point.y.0 .0).copied();
        let words = coordinates.chain([u64::from(point.infinity)]);
        let products = words.zip(&self.0).map(|(word, key)| key.wrapping_mul(u128::from(word)));
        (products.fold(self.0[WORDS], u128::wrapping_add) >> 64) as u64
    }

    fn hash_all(&self, points: &[G1Affine]) -> Vec<u64> {
        points.par_iter().with_min_len(CHUNK).map(|point| self.hash(point)).collect()
    }
}

/// The bases of a run of points.
struct Entry {
    memory: Range<usize>,
    hashes: Vec<u64>,
    bases: Arc<Bases>,
    last_use: AtomicU64,
}

impl Entry {
    fn bytes(&self) -> u64 {
        self.bases.bytes() + mem::size_of_val(&self.hashes[..]) as u64
    }

    fn contains(&self, memory: &Range<usize>) -> bool {
        self.memory.start <= memory.start && memory.end <= self.memory.end && (memory.start - self.memory.start) % POINT == 0
    }
}

const POINT: usize = mem::size_of::<G1Affine>();

#[derive(Default)]
struct State {
    entries: Vec<Arc<Entry>>,
    limit: u64,
}

impl State {
    fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes()).sum()
    }

    /// Takes the entries away that were not used for the longest time, until the others fit.
    fn shrink(&mut self, dropped: &mut Vec<Arc<Entry>>) {
        while self.bytes() > self.limit {
            let oldest = (0..self.entries.len()).min_by_key(|&i| self.entries[i].last_use.load(Ordering::Relaxed));
            dropped.extend(oldest.map(|i| self.entries.swap_remove(i)));
        }
    }
}

/// The bases of points, and the first of them that is one of these points.
pub(crate) struct Found {
    pub(crate) bases: Arc<Bases>,
    pub(crate) first: usize,
}

/// The bases that are kept. The lock is held while the list is searched or changed, and never while anything is hashed, made,
/// computed or freed.
pub(crate) struct Cache {
    key: Key,
    state: Mutex<State>,
    clock: AtomicU64,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Cache {
    pub(crate) fn new(limit: u64) -> Cache {
        let state = Mutex::new(State { limit, ..State::default() });
        Cache { key: Key::new(), state, clock: AtomicU64::new(0), hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the kept bases of these points, or makes bases by `make` and keeps them if they fit.
    pub(crate) fn find_or_make<E>(&self, points: &[G1Affine], make: impl FnOnce() -> Result<Bases, E>) -> Result<Found, E> {
        if self.state().limit == 0 {
            return Ok(Found { bases: Arc::new(make()?), first: 0 });
        }
        let range = points.as_ptr_range();
        let memory = range.start as usize..range.end as usize;
        let hashes = self.key.hash_all(points);
        if let Some(found) = self.find(&memory, &hashes) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(found);
        }
        self.misses.fetch_add(1, Ordering::Relaxed);
        let bases = Arc::new(make()?);
        let last_use = AtomicU64::new(self.clock.fetch_add(1, Ordering::Relaxed));
        self.keep(Arc::new(Entry { memory, hashes, bases: bases.clone(), last_use }));
        Ok(Found { bases, first: 0 })
    }

    fn find(&self, memory: &Range<usize>, hashes: &[u64]) -> Option<Found> {
        let candidates: Vec<_> = self.state().entries.iter().filter(|entry| entry.contains(memory)).cloned().collect();
        candidates.iter().find_map(|entry| {
            let first = (memory.start - entry.memory.start) / POINT;
            (entry.hashes[first..first + hashes.len()] == *hashes).then(|| {
                entry.last_use.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
                Found { bases: entry.bases.clone(), first }
            })
        })
    }

    /// Keeps an entry instead of those in its memory, which it replaces.
    fn keep(&self, entry: Arc<Entry>) {
        let mut dropped = Vec::new();
        let mut state = self.state();
        if entry.bytes() <= state.limit {
            dropped.extend(state.entries.extract_if(.., |other| entry.contains(&other.memory)));
            state.entries.push(entry);
            state.shrink(&mut dropped);
        }
        drop(state);
    }

    pub(crate) fn set_limit(&self, limit: u64) {
        let mut dropped = Vec::new();
        let mut state = self.state();
        state.limit = limit;
        state.shrink(&mut dropped);
        drop(state);
    }

    pub(crate) fn statistics(&self) -> CacheStatistics {
        let state = self.state();
        CacheStatistics {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            entries: state.entries.len(),
            bytes: state.bytes(),
            limit: state.limit,
        }
    }
}
