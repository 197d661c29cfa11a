// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Makes the random calls of tools/fuzz_calls.py. Each call must return a result or an error. It must not crash, panic, or run
//! forever. build.rs reads the crate's source, and generates the code that makes a call by its name.
//!
//! SUMAC_FUZZ_CALLS is the number of calls, and SUMAC_FUZZ_SEED is the seed of the random numbers. tools/fuzz-bindings.sh makes
//! many calls under the address sanitizer.
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use sumac::*;

#[path = "../../sumac/tests/common/mod.rs"]
mod common;
use common::Json;
mod calls {
    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}

/// Sets the system's limits on memory and file sizes, so that larger requests fail on any machine. The standard library can't set
/// them.
fn limit_system() {
    extern "C" {
        fn setrlimit(resource: i32, limit: *const [u64; 2]) -> i32;
        fn signal(number: i32, handler: usize) -> usize;
    }
    const FILE_SIZE: i32 = 1;
    const ADDRESS_SPACE: i32 = 9;
    const FILE_TOO_LARGE: i32 = 25;
    const IGNORE: usize = 1;
    unsafe {
        if std::env::var_os("ASAN_OPTIONS").is_none() {
            setrlimit(ADDRESS_SPACE, &[1 << 29; 2]); // the sanitizer needs more memory itself, and its options limit it
        }
        setrlimit(FILE_SIZE, &[64 << 20; 2]);
        signal(FILE_TOO_LARGE, IGNORE);
    }
}

/// The number of the running call, and the time when it began, in milliseconds. The progress function ends a long call. If a call
/// takes ten minutes, a thread ends the program.
static NUMBER: AtomicU64 = AtomicU64::new(0);
static BEGAN: AtomicU64 = AtomicU64::new(u64::MAX);
const LONGEST: u64 = 200;
const MOST: u64 = 600_000;

fn elapsed() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let now = BEGIN.get_or_init(Instant::now).elapsed().as_millis() as u64;
    now.saturating_sub(BEGAN.load(Ordering::Relaxed))
}

fn watch() {
    std::thread::spawn(|| loop {
        std::thread::sleep(Duration::from_secs(1));
        if elapsed() > MOST {
            eprintln!("fuzz: call {} does not end", NUMBER.load(Ordering::Relaxed));
            std::process::exit(1);
        }
    });
}

/// A type whose values can be read from the calls' file.
pub trait Taken {
    fn taken(w: &World, given: &Json) -> Self;
}

impl Json {
    pub fn options(&self) -> &[(String, Json)] {
        match self.field("s") {
            Some(Json::Object(fields)) => fields,
            _ => &[],
        }
    }

    fn field(&self, key: &str) -> Option<&Json> {
        let Json::Object(fields) = self else { return None };
        fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn count(&self, key: &str) -> Option<usize> {
        match self.field(key)? {
            Json::Number(number) => Some(*number as usize),
            _ => None,
        }
    }
}

/// The objects of a kind: the initial ones, and a few results of calls.
pub struct Shelf<T> {
    kept: Vec<Option<Rc<T>>>,
    lasting: usize,
    taken: usize,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Shelf { kept: vec![], lasting: 0, taken: 0 }
    }
}

impl<T> Shelf<T> {
    fn begin_with(&mut self, item: T) {
        self.kept.push(Some(Rc::new(item)));
        self.lasting += 1;
    }

    fn keep(&mut self, item: T) {
        self.kept.truncate(self.lasting + 5);
        self.kept.insert(self.lasting, Some(Rc::new(item)));
    }

    fn index(&self, given: &Json) -> Option<usize> {
        (!self.kept.is_empty()).then(|| given.count("o").unwrap_or(0) % self.kept.len())
    }

    pub fn get(&self, given: &Json) -> Option<Rc<T>> {
        self.kept[self.index(given)?].clone()
    }

    /// Takes an object out of the shelf for a call that changes it, so that nothing else uses it meanwhile.
    pub fn take(&mut self, given: &Json) -> Option<T> {
        self.taken = self.index(given)?;
        match Rc::try_unwrap(self.kept[self.taken].take()?) {
            Ok(item) => Some(item),
            Err(shared) => {
                self.kept[self.taken] = Some(shared);
                None
            }
        }
    }

    pub fn put_back(&mut self, item: T) {
        self.kept[self.taken] = Some(Rc::new(item));
    }
}

/// The objects for the arguments of calls, and counts of the calls' outcomes.
#[derive(Default)]
pub struct World {
    folder: PathBuf,
    curves: Vec<Curve>,
    results: Vec<Vec<u8>>,
    bases: Shelf<Bases>,
    vectors: Shelf<Vector<'static>>,
    fk20s: Shelf<Fk20>,
    setups: Shelf<KzgSetup>,
    keys: Shelf<Groth16Key>,
    verifying_keys: Vec<Arc<Groth16VerifyingKey>>,
    verifying: Shelf<Groth16VerifyingKey>,
    plonk_keys: Shelf<PlonkKey>,
    plonk_verifying: Shelf<PlonkVerifyingKey>,
    prepared_points: Shelf<PairingPoints>,
    pools: Shelf<Pool>,
    prepared: Shelf<PreparedMsm<'static>>,
    name: String,
    called: BTreeMap<String, [u64; 2]>,
    statuses: BTreeMap<String, u64>,
}

macro_rules! kept {
    ($($type:ty: |$w:ident, $item:ident| $keep:expr;)*) => {
        $(impl Kept for $type {
            fn keep(self, $w: &mut World) {
                let $item = self;
                $keep
            }
        })*
    };
}

/// A result of a call, which may be kept for other calls.
trait Kept: Sized {
    fn keep(self, _w: &mut World) {}
}

kept! {
    Bases: |w, item| w.bases.keep(item);
    Vector<'static>: |w, item| w.vectors.keep(item);
    Fk20: |w, item| w.fk20s.keep(item);
    KzgSetup: |w, item| w.setups.keep(item);
    Groth16Key: |w, item| w.keys.keep(item);
    Groth16VerifyingKey: |w, item| w.verifying.keep(item);
    PlonkKey: |w, item| w.plonk_keys.keep(item);
    PlonkVerifyingKey: |w, item| w.plonk_verifying.keep(item);
    PairingPoints: |w, item| w.prepared_points.keep(item);
    Vec<u8>: |w, item| { w.results.insert(0, item); w.results.truncate(20); };
}

macro_rules! not_kept {
    ($($type:ty),*) => { $(impl Kept for $type {})* };
}
not_kept!((), bool, f64, u32, u64, usize, String, Vec<u32>, &[u64], &mut [u64], Vec<String>, Vec<(String, f64)>, Curve, Vec<Curve>);
not_kept!(Bytes32, Tables, Location, VectorKind, Vec<Format>, Groth16Info, PlonkInfo, FilesReport, MsmNeeds, Plan);
not_kept!(View<'_>, Pinned, Pool, Context, PreparedMsm<'_>, &Groth16VerifyingKey, &PlonkVerifyingKey);

impl<T: Kept> Kept for Option<T> {}
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
impl<T: Kept> Kept for Result<T> {
    fn keep(self, w: &mut World) {
        let good = self.is_ok();
        match self {
            Ok(made) => made.keep(w),
            Err(error) => {
                assert!(!error.to_string().is_empty(), "{error:?}");
                assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
                *w.statuses.entry(format!("{:?}", error.kind())).or_default() += 1;
            }
        }
        w.called.entry(w.name.clone()).or_default()[usize::from(good)] += 1;
    }
}

impl World {
    fn end<T: Kept>(&mut self, result: T) {
        result.keep(self);
    }

    pub fn given<'a>(&self, given: &'a Json) -> Option<&'a Json> {
        (*given != Json::Null).then_some(given)
    }

    /// Converts a number. If the type can't hold it, it wraps around.
    pub fn number<T: TryFrom<i128> + Default>(&self, given: &Json) -> T {
        match given {
            Json::Number(number) => T::try_from(*number)
                .or_else(|_| T::try_from(*number & 0xffff_ffff))
                .or_else(|_| T::try_from(*number & 0x7fff_ffff))
                .unwrap_or_default(),
            Json::Flag(true) => T::try_from(1).unwrap_or_default(),
            _ => T::default(),
        }
    }

    pub fn curve(&self, given: &Json) -> Option<Curve> {
        let at = self.given(given)?.count("o")?;
        self.curves.get(at % self.curves.len()).copied()
    }

    pub fn verifying(&self, given: &Json) -> Option<Arc<Groth16VerifyingKey>> {
        self.verifying_keys.get(given.count("o")? % self.verifying_keys.len()).cloned()
    }

    pub fn text(&self, given: &Json) -> String {
        let Json::Text(text) = given else { return String::new() };
        match text.strip_prefix('@') {
            Some(name) => self.folder.join(name).to_string_lossy().into_owned(),
            None => text.clone(),
        }
    }

    pub fn bytes(&self, given: &Json) -> Vec<u8> {
        let one = match (given.field("b"), given.count("b")) {
            (Some(Json::Text(name)), _) => std::fs::read(self.folder.join(name)).unwrap(),
            (_, Some(at)) if !self.results.is_empty() => self.results[at % self.results.len()].clone(),
            _ => return vec![],
        };
        let mut bytes = one.repeat(given.count("times").unwrap_or(1));
        if let Some(size) = given.count("size") {
            bytes.resize(size, 0);
        }
        if let Some(fill) = given.count("fill") {
            bytes.fill(fill as u8);
        }
        if let Some(flip) = given.count("flip").filter(|_| !bytes.is_empty()) {
            let at = flip / 8 % bytes.len();
            bytes[at] ^= 1 << (flip % 8);
        }
        bytes
    }

    fn items<'a>(&self, given: &'a Json) -> &'a [Json] {
        match given {
            Json::List(items) => items,
            _ => &[],
        }
    }

    pub fn parts(&self, given: &Json) -> Vec<Vec<u8>> {
        self.items(given).iter().map(|one| self.bytes(one)).collect()
    }

    pub fn list(&self, given: &Json) -> Vec<u64> {
        self.items(given).iter().map(|one| self.number(one)).collect()
    }

    pub fn range(&self, given: &Json) -> Range<usize> {
        match self.list(given)[..] {
            [start, end] => start as usize..end as usize,
            _ => 0..0,
        }
    }

    pub fn arrays<const N: usize>(&self, given: &Json) -> Vec<[u8; N]> {
        self.bytes(given).chunks_exact(N).map(|chunk| chunk.try_into().expect("so many bytes")).collect()
    }

    pub fn array<const N: usize>(&self, given: &Json) -> Box<[u8; N]> {
        let mut bytes = self.bytes(given);
        bytes.resize(N, 0);
        bytes.into_boxed_slice().try_into().expect("so many bytes")
    }

    pub fn slice(&self, given: &Json) -> Slice {
        let mut slice = Slice { first: 0, runs: 1, length: 8, stride: 8 };
        for (name, value) in given.options() {
            *match name.as_str() {
                "first" => &mut slice.first,
                "runs" => &mut slice.runs,
                "length" => &mut slice.length,
                _ => &mut slice.stride,
            } = self.number(value);
        }
        slice
    }

    pub fn another_context(&self) -> Option<Context> {
        self.pools.kept[0].as_ref()?.try_take().ok()
    }

    pub fn context_config(&self, given: &Json) -> ContextConfig<'static> {
        let mut config = ContextConfig::cpu(1);
        for (name, value) in given.options() {
            match name.as_str() {
                "backend" => config.backend = Some(self.text(value).leak()),
                "tuning" => config.tuning = Some(self.text(value).leak()),
                "threads" => config.threads = self.number(value),
                "memory_limit" => config.memory_limit = self.number(value),
                "replica_limit" => config.replica_limit = self.number(value),
                "devices" => {
                    config.devices = Devices::Weighted(self.list(value).into_iter().map(|device| (device as i32, 1)).collect())
                }
                _ => config.devices = Devices::All,
            }
        }
        config.on_progress(go_on)
    }
}

fn go_on(_done: f64) -> bool {
    elapsed() < LONGEST
}

/// Makes the initial objects of the calls, in the order that fuzz_calls.py expects.
fn make_world(c: &mut Context, folder: PathBuf) -> World {
    let mut w = World { folder: folder.clone(), ..World::default() };
    w.pools.begin_with(Pool::new(ContextConfig::cpu(1).on_progress(go_on), 2).unwrap());
    for (i, (name, group)) in [("bn254", "g1"), ("bls12-381", "g1"), ("bn254", "g2")].into_iter().enumerate() {
        let file = |name: &str| folder.join(format!("{name}{i}"));
        let curve = Curve::find(name, group).unwrap();
        let (points, scalars) = (std::fs::read(file("points")).unwrap(), std::fs::read(file("scalars")).unwrap());
        let bases = Bases::new(c, curve, &points).run().unwrap();
        bases.save(c, file("table"), None).unwrap();
        std::fs::write(file("partial"), bases.msm_partial(c, &scalars).run().unwrap()).unwrap();
        let fk20 = Fk20::new(c, &bases, 8, 1, 0).unwrap();
        fk20.save(c, file("fk20")).unwrap();
        for (kind, elements) in [
            (VectorKind::Scalars, &scalars[..]),
            (VectorKind::Points, &points),
            (VectorKind::Scalars, &scalars[..curve.scalar_bytes()]),
            (VectorKind::Points, &points[..curve.point_bytes()]),
            (VectorKind::Scalars, &scalars),
        ] {
            w.vectors.begin_with(Vector::of(c, curve, kind, elements).run().unwrap());
        }
        w.curves.push(curve);
        w.prepared_points.begin_with(PairingPoints::new(c, curve, &std::fs::read(file("g2")).unwrap(), Check::Subgroup).unwrap());
        w.fk20s.begin_with(fk20);
        let borrowed: &'static Bases = Box::leak(Box::new(Bases::new(c, curve, &points).run().unwrap()));
        w.prepared.begin_with(borrowed.prepare(c, 8).run().unwrap());
        w.bases.begin_with(bases);
    }
    let witness = std::fs::read(folder.join("witness")).unwrap();
    w.vectors.begin_with(Vector::of(c, w.curves[0], VectorKind::Scalars, &witness).run().unwrap());
    let setup = KzgSetup::open(c, folder.join("trusted_setup.txt")).check(Check::None).cells(true).run().unwrap();
    w.setups.begin_with(setup);
    w.keys.begin_with(Groth16Key::open(c, folder.join("key.zkey")).run().unwrap());
    w.verifying_keys.push(Arc::new(Groth16VerifyingKey::open(c, folder.join("key.zkey")).unwrap()));
    w.verifying.begin_with(Groth16VerifyingKey::open(c, folder.join("key.zkey")).unwrap());
    w.plonk_keys.begin_with(PlonkKey::open(c, folder.join("plonk_key.zkey")).run().unwrap());
    w.plonk_verifying.begin_with(PlonkVerifyingKey::open(c, folder.join("plonk_key.zkey")).unwrap());
    w
}

#[test]
fn fuzz() {
    let curves = [("bn254", "g2"), ("bls12-381", "g2")];
    let Some(data) = common::data("").filter(|_| curves.iter().all(|(name, group)| common::curve(name, group).is_some())) else {
        return;
    };
    let setting = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.into());
    let own = common::Folder::new("fuzz");
    let (count, seed) = (setting("SUMAC_FUZZ_CALLS", "1500"), setting("SUMAC_FUZZ_SEED", "1"));
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tools/fuzz_calls.py");
    let mut command = std::process::Command::new("python3");
    command.args(["-B", generator, "rust"]).arg(data).arg(&own.0).args([&count, &seed]).env_remove("LD_PRELOAD");
    assert!(command.status().expect("python3").success());
    std::env::set_current_dir(&own.0).unwrap(); // the calls' random paths name files in it
    limit_system();
    let mut c = Context::new(ContextConfig::cpu(1).on_progress(go_on)).unwrap();
    let mut w = make_world(&mut c, own.0.clone());
    watch();
    for line in std::fs::read_to_string("calls.json").unwrap().lines() {
        let Json::List(parts) = Json::parse(line) else { panic!("{line}") };
        w.name = parts[1].text().into();
        NUMBER.store(w.number(&parts[0]), Ordering::Relaxed);
        BEGAN.store(0, Ordering::Relaxed);
        BEGAN.store(elapsed(), Ordering::Relaxed);
        let name = w.name.clone();
        let call = AssertUnwindSafe(|| calls::call(&mut w, &mut c, &name, &parts[2], parts[3].list()));
        if let Err(panic) = catch_unwind(call) {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            panic!("{line}, seed {seed}, panics: {}", text.unwrap_or_default());
        }
    }
    BEGAN.store(u64::MAX, Ordering::Relaxed);
    let sum = |which: usize| w.called.values().map(|counts| counts[which]).sum::<u64>();
    let never: Vec<_> = w.called.iter().filter(|(_, counts)| counts[1] == 0).map(|(name, _)| name).collect();
    println!("{count} calls of {} functions that may fail: {} results, {} errors {:?}", w.called.len(), sum(1), sum(0), w.statuses);
    println!("never with a result: {never:?}");
}
