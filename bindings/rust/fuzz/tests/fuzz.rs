// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Random calls of everything that the crate has, with right arguments, numbers at the ends of their types, and bytes of any
//! length. Each ends in a result or an error: no crash, no panic, no call that never ends. build.rs generates them.
//!
//! SUMAC_FUZZ_CALLS is how many calls are made, and SUMAC_FUZZ_SEED where they begin; tools/fuzz-bindings.sh makes many under
//! the address sanitizer.
use std::cell::Cell as Once;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;
use sumac::*;

#[path = "../../sumac/tests/common/mod.rs"]
mod common;
mod calls {
    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}

/// Limits and signals of the system, which the standard library does not have.
mod system {
    #[repr(C)]
    struct Limit {
        now: u64,
        most: u64,
    }
    extern "C" {
        fn setrlimit(resource: i32, limit: *const Limit) -> i32;
        fn signal(number: i32, handler: usize) -> usize;
        fn alarm(seconds: u32) -> u32;
        fn setitimer(which: i32, new: *const [i64; 4], old: *mut [i64; 4]) -> i32;
        fn write(descriptor: i32, bytes: *const u8, count: usize) -> isize;
        fn _exit(status: i32) -> !;
    }
    const FILE_SIZE: i32 = 1;
    const ADDRESS_SPACE: i32 = 9;
    const ALARM: i32 = 14;
    const PROFILE: i32 = 27;
    const PROFILE_TIMER: i32 = 2;
    const FILE_TOO_LARGE: i32 = 25;
    const IGNORE: usize = 1;
    #[allow(clippy::declare_interior_mutable_const)] // only to begin with
    const SPACE: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(b' ');
    static NAME: [std::sync::atomic::AtomicU8; 64] = [SPACE; 64];

    unsafe extern "C" fn too_long(_: i32) {
        let mut text = *b"fuzz: a call does not end: ................................................................\n";
        for (to, from) in text[27..91].iter_mut().zip(&NAME) {
            *to = from.load(std::sync::atomic::Ordering::Relaxed);
        }
        unsafe {
            write(2, text.as_ptr(), text.len());
            _exit(1);
        }
    }

    /// Memory and files of moderate size, so that what asks for more is refused, on any machine.
    pub fn limit() {
        let set = |resource, bytes| unsafe { setrlimit(resource, &Limit { now: bytes, most: bytes }) };
        if std::env::var_os("ASAN_OPTIONS").is_none() {
            set(ADDRESS_SPACE, 1 << 29); // the sanitizer's own memory is more: its options have a limit
        }
        set(FILE_SIZE, 64 << 20);
        unsafe {
            signal(FILE_TOO_LARGE, IGNORE);
            signal(ALARM, too_long as *const () as usize);
            signal(PROFILE, too_long as *const () as usize);
        }
    }

    pub fn begin(name: &str) {
        for (to, from) in NAME.iter().zip(name.bytes().chain(std::iter::repeat(b' '))) {
            to.store(from, std::sync::atomic::Ordering::Relaxed);
        }
        // A minute of the processor, or ten on a clock, however busy the machine is.
        unsafe {
            setitimer(PROFILE_TIMER, &[0, 0, 60, 0], std::ptr::null_mut());
            alarm(600);
        }
    }
}

/// Keep what options and prepared calls borrow; the leak sanitizer finds it here.
fn for_ever<T: ?Sized>(item: &'static T) -> &'static T {
    static ALL: std::sync::Mutex<Vec<usize>> = std::sync::Mutex::new(Vec::new());
    ALL.lock().unwrap().push(std::ptr::from_ref(item).cast::<()>() as usize);
    item
}

/// When the call that is going on began, in milliseconds: long ones are ended by their progress function.
static BEGAN: AtomicU64 = AtomicU64::new(0);
const LONGEST: u64 = 50;
const KEPT: usize = 6;

pub trait Draw {
    fn draw(w: &mut World) -> Self;
}

pub trait Number: Copy {
    fn of(value: u64) -> Option<Self>;
}
macro_rules! numbers {
    ($($type:ty: |$value:ident| $convert:expr;)*) => {
        $(impl Number for $type {
            fn of($value: u64) -> Option<$type> {
                $convert
            }
        })*
    };
}
numbers! {
    usize: |value| value.try_into().ok();
    u64: |value| Some(value);
    u32: |value| value.try_into().ok();
    i32: |value| Some(value as u32 as i32);
}

/// Results of calls are kept for other calls.
pub trait Kept: Sized {
    fn keep(self, _w: &mut World) {}
}

macro_rules! or_return {
    ($drawn:expr) => {
        match $drawn {
            Some(drawn) => drawn,
            None => return,
        }
    };
}
use or_return;

/// Some of each kind; the oldest are replaced by new ones.
struct Shelf<T>(Vec<T>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Shelf(vec![])
    }
}

impl<T> Shelf<T> {
    fn put(&mut self, w: &mut Random, item: T) {
        if self.0.len() < KEPT {
            self.0.push(item);
        } else {
            let at = w.below(KEPT);
            self.0[at] = item;
        }
    }
}

#[derive(Default)]
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545f4914f6cdd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }
}

/// The arguments that calls are made with.
#[derive(Default)]
pub struct World {
    random: Random,
    curves: Vec<Curve>,
    folder: PathBuf,
    paths: Vec<PathBuf>,
    texts: Vec<&'static str>,
    fixed_texts: usize,
    /// Bytes that something in the call takes, perhaps, and counts likewise.
    sizes: Vec<usize>,
    counts: Vec<usize>,
    /// Lengths of the call's bytes and arrays so far: others may have to be as long.
    size: Option<usize>,
    count: Option<usize>,
    point: Vec<u8>,
    good: Shelf<Vec<u8>>,
    bases: Shelf<Rc<Bases>>,
    lasting: Vec<&'static Bases>,
    vectors: Shelf<Rc<Vector>>,
    plans: Shelf<Rc<Plan>>,
    fk20s: Shelf<Rc<Fk20>>,
    setups: Shelf<Rc<KzgSetup>>,
    keys: Shelf<Rc<Groth16Key>>,
    verifying: Shelf<Arc<Groth16VerifyingKey>>,
    prepared_points: Shelf<Rc<PairingPoints>>,
    pools: Shelf<Rc<Pool>>,
    contexts: Shelf<Context>,
    called: BTreeMap<&'static str, [u64; 2]>,
    name: &'static str,
    statuses: BTreeMap<String, u64>,
    times: BTreeMap<&'static str, u64>,
}

macro_rules! kept_in {
    ($($type:ty => $shelf:ident, $wrap:expr;)*) => {
        $(impl Kept for $type {
            fn keep(self, w: &mut World) {
                let wrapped = $wrap(self);
                w.$shelf.put(&mut w.random, wrapped);
            }
        })*
    };
}
kept_in! {
    Bases => bases, Rc::new;
    Vector => vectors, Rc::new;
    Plan => plans, Rc::new;
    Fk20 => fk20s, Rc::new;
    KzgSetup => setups, Rc::new;
    Groth16VerifyingKey => verifying, Arc::new;
    PairingPoints => prepared_points, Rc::new;
    Groth16Key => keys, Rc::new;
    Vec<u8> => good, std::convert::identity;
}

macro_rules! not_kept {
    ($($type:ty),*) => { $(impl Kept for $type {})* };
}
not_kept!((), bool, f64, u64, usize, Option<String>, Vec<u32>, Curve, Bytes32, Pinned, PreparedMsm<'_>);

impl<const N: usize> Kept for Vec<[u8; N]> {
    fn keep(self, w: &mut World) {
        self.concat().keep(w);
    }
}
impl<A: Kept, B: Kept> Kept for (A, B) {
    fn keep(self, w: &mut World) {
        self.0.keep(w);
        self.1.keep(w);
    }
}
impl Kept for FilesReport {}
impl Kept for String {
    fn keep(self, w: &mut World) {
        let at = w.fixed_texts + w.below(KEPT);
        let text = for_ever(&*self.leak());
        if at < w.texts.len() {
            w.texts[at] = text;
        } else {
            w.texts.push(text);
        }
    }
}
impl Kept for Pool {
    fn keep(self, w: &mut World) {
        w.pools.put(&mut w.random, Rc::new(self));
    }
}
impl Kept for Context {
    fn keep(self, w: &mut World) {
        if self.threads() <= 4 {
            w.contexts.put(&mut w.random, self);
        }
    }
}

/// Draw one of a shelf, if it has any.
macro_rules! drawn_from {
    ($($name:ident: $shelf:ident => $type:ty;)*) => {
        impl World {
            $(pub fn $name(&mut self) -> Option<Rc<$type>> {
                let at = self.below(self.$shelf.0.len());
                self.$shelf.0.get(at).cloned()
            })*
        }
    };
}
drawn_from! {
    plan: plans => Plan;
    fk20: fk20s => Fk20;
    setup: setups => KzgSetup;
    pairing_points: prepared_points => PairingPoints;
    any_bases: bases => Bases;
    any_vector: vectors => Vector;
    any_key: keys => Groth16Key;
}

impl World {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    pub fn some<T>(&mut self, draw: impl FnOnce(&mut World) -> T) -> Option<T> {
        self.chance(60).then(|| draw(self))
    }

    pub fn curve(&mut self) -> Curve {
        let curve = self.one_of(&self.curves.clone());
        let (point, scalar) = (curve.point_bytes(), curve.scalar_bytes());
        self.point = curve.generator();
        for k in [1, 2, 4] {
            self.sizes.extend([k * point, k * scalar, k * point / 2]);
        }
        curve
    }

    pub fn number<T: Number>(&mut self) -> T {
        let right = match self.below(3) {
            0 if !self.counts.is_empty() => self.one_of(&self.counts.clone()),
            _ => self.below(9),
        };
        let drawn = if self.chance(60) { right as u64 } else { self.one_of(calls::NUMBERS) };
        let near = if self.chance(10) { drawn.wrapping_add(self.below(3) as u64).wrapping_sub(1) } else { drawn };
        T::of(near).or_else(|| T::of(right as u64)).expect("a count")
    }

    pub fn real(&mut self) -> f64 {
        self.one_of(&[0.0, -1.0, 1e-9, 2.0, 1e300, f64::INFINITY, f64::NAN])
    }

    pub fn range(&mut self) -> Range<usize> {
        let (start, end) = (self.number(), self.number());
        if self.chance(50) {
            0..end
        } else {
            start..end
        }
    }

    pub fn slice(&mut self) -> Slice {
        if self.chance(50) {
            return self.range().into();
        }
        Slice { first: self.number(), runs: self.number(), length: self.number(), stride: self.number() }
    }

    pub fn bytes(&mut self) -> Vec<u8> {
        let as_before = self.chance(40);
        let bytes = match self.size {
            Some(size) if as_before => self.fill(size),
            _ => self.any_bytes(),
        };
        self.size = Some(bytes.len());
        bytes
    }

    fn any_bytes(&mut self) -> Vec<u8> {
        if self.chance(20) && !self.good.0.is_empty() {
            let at = self.below(self.good.0.len());
            let mut bytes = self.good.0[at].clone();
            if self.chance(30) && !bytes.is_empty() {
                let at = self.below(bytes.len());
                bytes[at] ^= 1 << self.below(8);
            }
            return bytes;
        }
        let mut size = match self.below(10) {
            0 => self.below(200),
            1 => self.one_of(&[0, 1, 31, 32, 33, 48, 63, 64, 65, 96, 97, 128]),
            _ if !self.sizes.is_empty() => self.one_of(&self.sizes.clone()),
            _ => 0,
        };
        if self.chance(10) {
            size = (size + 1).saturating_sub(2 * self.below(2));
        }
        self.fill(size)
    }

    fn fill(&mut self, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        match self.below(4) {
            0 => bytes.iter_mut().for_each(|byte| *byte = self.random.next() as u8),
            1 if !self.point.is_empty() => bytes.iter_mut().zip(self.point.iter().cycle()).for_each(|(to, from)| *to = *from),
            2 => bytes.iter_mut().step_by(32).for_each(|byte| *byte = self.random.next() as u8),
            _ => {}
        }
        bytes
    }

    pub fn several(&mut self) -> Vec<Vec<u8>> {
        (0..self.below(4)).map(|_| self.bytes()).collect()
    }

    pub fn list(&mut self) -> Vec<u64> {
        let as_before = self.chance(60);
        if let Some(count) = self.count.filter(|_| as_before) {
            return (0..count as u64).collect();
        }
        if self.chance(40) {
            let list: Vec<u64> = (0..self.number::<usize>().min(130) as u64).collect();
            self.count = Some(list.len());
            return list;
        }
        (0..self.below(6)).map(|_| self.number()).collect()
    }

    pub fn list_for_ever(&mut self) -> &'static [u64] {
        let mut list = self.list();
        if self.chance(50) {
            list.sort_unstable();
        }
        for_ever(list.leak())
    }

    pub fn bytes_for_ever(&mut self) -> &'static [u8] {
        let mut bytes = self.bytes();
        bytes.truncate(1000);
        for_ever(bytes.leak())
    }

    pub fn text(&mut self) -> &'static str {
        self.one_of(&self.texts.clone())
    }

    pub fn text_for_ever(&mut self) -> &'static str {
        self.text()
    }

    pub fn path(&mut self) -> PathBuf {
        let at = self.below(self.paths.len() + 8);
        self.paths.get(at).cloned().unwrap_or_else(|| self.folder.join(format!("written{}", at % 8)))
    }

    pub fn arrays<const N: usize>(&mut self) -> Vec<[u8; N]> {
        let as_before = self.chance(80);
        let count = match self.count {
            Some(count) if as_before => count,
            _ => {
                if self.chance(20) {
                    self.number::<usize>().min(130)
                } else {
                    self.below(3)
                }
            }
        };
        let count = if N > 1 << 16 { count.min(2) } else { count };
        self.count = Some(count);
        (0..count).map(|_| *self.array::<N>()).collect()
    }

    pub fn array<const N: usize>(&mut self) -> Box<[u8; N]> {
        let mut bytes = self.fill(N);
        if N == 48 || N == 96 {
            if self.chance(60) {
                bytes.fill(0);
                bytes[0] = 0xc0; // infinity
            }
        } else if self.chance(70) {
            bytes.iter_mut().step_by(32).for_each(|byte| *byte = 0); // elements less than r
        }
        let array: [u8; N] = bytes.try_into().expect("so many bytes");
        Box::new(array)
    }

    pub fn bases(&mut self) -> Option<Rc<Bases>> {
        let bases = self.any_bases()?;
        self.about(bases.curve(), bases.len());
        Some(bases)
    }

    fn about(&mut self, curve: Curve, count: usize) {
        self.point = curve.generator();
        self.counts.push(count);
        for k in [1, 1, 2] {
            self.sizes.extend([k * count * curve.scalar_bytes(), k * curve.point_bytes(), count * k]);
        }
        self.sizes.push(partial_bytes(curve, 1));
    }

    pub fn vector(&mut self) -> Option<Rc<Vector>> {
        let vector = self.any_vector()?;
        self.about_vector(&vector);
        Some(vector)
    }

    fn about_vector(&mut self, vector: &Vector) {
        self.point = vector.curve().generator();
        self.counts.push(vector.len());
        self.sizes.extend([vector.len() * vector.element_bytes(), vector.element_bytes(), vector.curve().scalar_bytes()]);
    }

    pub fn own_vector(&mut self) -> Option<Vector> {
        let at = self.below(self.vectors.0.len());
        if at == self.vectors.0.len() {
            return None;
        }
        match Rc::try_unwrap(self.vectors.0.swap_remove(at)) {
            Ok(vector) => {
                self.about_vector(&vector);
                Some(vector)
            }
            Err(shared) => {
                self.vectors.0.push(shared);
                None
            }
        }
    }

    pub fn give_vector(&mut self, vector: Vector) {
        vector.keep(self);
    }

    pub fn own_setup(&mut self) -> Option<KzgSetup> {
        Rc::try_unwrap(self.setups.0.pop()?).ok()
    }

    pub fn give_setup(&mut self, setup: KzgSetup) {
        setup.keep(self);
    }

    pub fn key(&mut self) -> Option<Rc<Groth16Key>> {
        let key = self.any_key()?;
        self.about_key(key.info());
        Some(key)
    }

    fn about_key(&mut self, info: Groth16Info) {
        self.point = info.g1.generator();
        self.sizes.extend([info.witness_bytes, info.witness_bytes, info.publics_bytes, info.proof_bytes, 2 * info.proof_bytes]);
    }

    pub fn verifying(&mut self) -> Option<Arc<Groth16VerifyingKey>> {
        let at = self.below(self.verifying.0.len());
        let key = self.verifying.0.get(at)?.clone();
        self.about_key(key.info());
        Some(key)
    }

    pub fn some_verifying(&mut self) -> Option<Arc<Groth16VerifyingKey>> {
        if self.chance(30) {
            self.verifying()
        } else {
            None
        }
    }

    pub fn pool(&mut self) -> Option<Rc<Pool>> {
        let at = self.below(self.pools.0.len());
        // Its contexts that were kept are all given back: a call that waits for one ends.
        self.contexts.0.clear();
        self.pools.0.get(at).cloned()
    }

    pub fn another_context(&mut self) -> Option<Context> {
        self.contexts.0.pop().or_else(|| self.pools.0.last()?.try_take().ok())
    }

    pub fn prepared(&mut self, c: &mut Context) -> Option<PreparedMsm<'static>> {
        let bases = self.one_of(&self.lasting.clone());
        self.about(bases.curve(), bases.len());
        let config = MsmConfig::draw(self);
        let n = self.number();
        bases.prepare(c, n, &config).or_else(|_| bases.prepare(c, bases.len(), &MsmConfig::default())).ok()
    }

    pub fn context_config(&mut self) -> ContextConfig<'static> {
        let mut config = ContextConfig::cpu(1);
        if self.chance(15) {
            config.backend = self.some(World::text);
        }
        if self.chance(15) {
            config.tuning = Some(Tuning::draw(self));
        }
        if self.chance(30) {
            config.threads = self.number();
        }
        if self.chance(15) {
            config.device = Some(self.number());
        }
        if self.chance(15) {
            config.memory_limit = self.number();
        }
        if self.chance(15) {
            config.replica_limit = self.number();
        }
        match self.below(10) {
            0 => config.devices = Devices::All,
            1 => config.devices = Devices::Weighted((0..self.below(5)).map(|_| (self.number(), self.number())).collect()),
            _ => {}
        }
        config.on_progress(go_on)
    }

    pub fn answered<T>(&mut self, _answer: T) {
        self.count(true);
    }

    pub fn end<T: Kept>(&mut self, result: Result<T>) {
        self.count(result.is_ok());
        match result {
            Ok(made) => made.keep(self),
            Err(error) => {
                assert!(!error.to_string().is_empty() && error.status() != Status::Ok, "{error:?}");
                assert_ne!(error.status(), Status::Internal, "{error}");
                *self.statuses.entry(format!("{:?}", error.status())).or_default() += 1;
            }
        }
    }

    fn count(&mut self, good: bool) {
        self.called.entry(self.name).or_default()[usize::from(good)] += 1;
    }
}

fn milliseconds() -> u64 {
    thread_local!(static BEGIN: Once<Option<Instant>> = const { Once::new(None) });
    BEGIN.with(|begin| {
        let first = begin.get().unwrap_or_else(Instant::now);
        begin.set(Some(first));
        first.elapsed().as_millis() as u64
    })
}

fn go_on(_done: f64) -> bool {
    milliseconds().saturating_sub(BEGAN.load(Ordering::Relaxed)) < LONGEST
}

/// Objects and files to begin with.
fn make_world(c: &mut Context, seed: u64) -> World {
    let folder = std::env::temp_dir().join(format!("sumac-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::env::set_current_dir(&folder).unwrap(); // names that are taken for paths are files there
    let curves = Curve::all();
    let mut w = World {
        random: Random(seed.wrapping_mul(0x9e3779b97f4a7c15) | 1),
        paths: ["/", "", "/no/such", "/dev/null"].map(PathBuf::from).into(),
        texts: "|bn254|bls12-381|g1|g2|cpu|cuda|auto|raw|zcash-compressed|eip2537|no such|a\0b|combine".split('|').collect(),
        fixed_texts: 14,
        curves: curves.clone(),
        folder: folder.clone(),
        ..World::default()
    };
    for (i, curve) in curves.iter().enumerate() {
        for n in [0, 1, 8] {
            let bases = Bases::known(c, *curve, n, 1, &Default::default()).unwrap();
            bases.save(c, folder.join(format!("table{i}"))).unwrap();
            bases.save_as(c, "raw", folder.join(format!("raw{i}"))).unwrap();
            w.lasting.push(for_ever(Box::leak(Box::new(Bases::known(c, *curve, n, 2, &Default::default()).unwrap()))));
            bases.keep(&mut w);
        }
        w.paths.extend([folder.join(format!("table{i}")), folder.join(format!("raw{i}"))]);
        Vector::new(c, *curve, VectorKind::Scalars, 8).unwrap().keep(&mut w);
        Vector::new(c, *curve, VectorKind::Points, 8).unwrap().keep(&mut w);
    }
    if let Some(curve) = common::curve("bn254", "g1") {
        let srs = Bases::known(c, curve, 8, 1, &Default::default()).unwrap();
        Fk20::new(c, &srs, 8, 2, 0).unwrap().keep(&mut w);
    }
    if let Some(known) = common::data("groth16/tiny-bn254").filter(|_| common::curve("bn254", "g2").is_some()) {
        let [r1cs, wtns, zkey] = ["circuit.r1cs", "circuit.wtns", "circuit.zkey"].map(|name| folder.join(name));
        for (path, name) in [(&r1cs, "circuit.r1cs"), (&wtns, "witness.wtns"), (&zkey, "key.zkey")] {
            std::fs::copy(known.join(name), path).unwrap(); // calls write to them
        }
        let key = Groth16Key::open(c, &zkey, &Default::default(), None).unwrap();
        let witness = key.open_witness(c, &wtns).unwrap();
        key.prove(c, &witness, &Default::default()).unwrap().keep(&mut w);
        witness.keep(&mut w);
        key.keep(&mut w);
        Groth16VerifyingKey::open(c, &zkey).unwrap().keep(&mut w);
        std::fs::read(&zkey).unwrap().keep(&mut w);
        w.paths.extend([r1cs, wtns, zkey]);
    }
    // A setup whose secret is 1: of the values the first alone counts.
    if let Some(curve) = common::curve("bls12-381", "g1").filter(|_| common::curve("bls12-381", "g2").is_some()) {
        let mut compressed = |group| {
            let curve = Curve::find(&curve.name(), group).unwrap();
            points_encode(c, curve, &curve.generator(), Some("zcash-compressed")).unwrap()
        };
        let g1: Bytes48 = compressed("g1").try_into().unwrap();
        let g2: Bytes96 = compressed("g2").try_into().unwrap();
        let mut infinity = [0; 48];
        infinity[0] = 0xc0;
        let mut lagrange = [infinity; 4096];
        lagrange[0] = g1;
        let mut setup = KzgSetup::new(c, &[g1; 4096], &lagrange, &[g2; 65], Check::None).unwrap();
        setup.make_tables(c, 1 << 20).unwrap();
        setup.keep(&mut w);
    }
    w
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn fuzz() {
    let (count, seed) = (from_environment("SUMAC_FUZZ_CALLS", 1500), from_environment("SUMAC_FUZZ_SEED", 1));
    system::limit();
    let mut c = Context::new(ContextConfig::cpu(1).on_progress(go_on)).unwrap();
    BEGAN.store(milliseconds() + (1 << 40), Ordering::Relaxed);
    let mut w = make_world(&mut c, seed);
    let weights: usize = calls::CALLS.iter().map(|(_, weight, _)| weight).sum();
    let mut made = 0;
    while made < count {
        let mut at = w.below(weights);
        let (name, _, call) = calls::CALLS.iter().find(|(_, weight, _)| (at < *weight) || (at -= weight, false).1).unwrap();
        // Blobs are large: what works on them takes its time.
        if name.starts_with("KzgSetup::") && !w.chance(5) {
            continue;
        }
        w.name = name;
        w.sizes.clear();
        w.counts.clear();
        (w.size, w.count) = (None, None);
        system::begin(name);
        BEGAN.store(milliseconds(), Ordering::Relaxed);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| call(&mut w, &mut c))) {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            panic!("call {made} of seed {seed}, {name}, panics: {}", text.unwrap_or_default());
        }
        made += 1;
        *w.times.entry(name).or_default() += milliseconds() - BEGAN.load(Ordering::Relaxed);
    }
    system::begin("the end");
    let never: Vec<_> = calls::CALLS.iter().filter(|(name, ..)| !w.called.contains_key(name)).map(|(name, ..)| name).collect();
    let good: u64 = w.called.values().map(|counts| counts[1]).sum();
    let bad: u64 = w.called.values().map(|counts| counts[0]).sum();
    let only_bad: Vec<_> = w.called.iter().filter(|(_, counts)| counts[1] == 0).map(|(name, _)| name).collect();
    println!("{made} calls of {} functions: {good} results, {bad} errors {:?}", w.called.len(), w.statuses);
    let mut times: Vec<_> = w.times.iter().map(|(name, time)| (time, name)).collect();
    times.sort();
    println!("milliseconds: {:?}", &times[times.len().saturating_sub(8)..]);
    println!("never called: {never:?}; never with a result: {only_bad:?}");
    assert!(count < 50000 || never.is_empty(), "never called: {never:?}");
    std::fs::remove_dir_all(&w.folder).unwrap();
}
