// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::call::Call;
use crate::context::{Context, Inner};
use crate::curve::Curve;
use crate::error::{bad_length, c_path, c_string, count_records, require_bytes, zeroed, Error, Keep, Result};
use crate::options::{BasesConfig, Check, ErrorKind, FilesConfig, MsmConfig, Tables};
use crate::pass::{call, make, raw};
use crate::plan::Plan;
use crate::vector::Vector;
use std::ffi::{c_void, CString};
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use sumac_sys as sys;

crate::handle! {
    /// Points on a backend, which are checked and ready for use, with multiples if the configuration asks for them. They are
    /// immutable, and threads and contexts can share them.
    Bases(sumac_bases, sumac_bases_destroy)
}

fn c_format(format: Option<&str>) -> Result<Option<CString>> {
    format.map(c_string).transpose()
}

/// The numbers of bytes that a call reads and writes in its caller's memory, and the number of bases that it needs.
struct Sizes {
    scalars: usize,
    results: usize,
    partial: usize,
    bases: usize,
}

/// Makes the struct that the library expects, with the number of offsets.
fn raw_msm(config: &MsmConfig<'_>, keep: &mut Keep) -> Result<sys::sumac_msm_config> {
    let mut raw = config.raw(keep)?;
    raw.offset_count = config.offsets.map_or(0, <[u64]>::len);
    if config.offsets.is_some() && raw.offset_count == 0 {
        return bad_length("there are no offsets, but one MSM needs 2".into());
    }
    Ok(raw)
}

/// Returns the sizes of a call. The library compares them with the sizes that it computes itself.
fn measure(curve: Curve, n: usize, raw: &sys::sumac_msm_config, offsets: Option<&[u64]>) -> Result<Sizes> {
    let offsets = offsets.unwrap_or_default();
    let batch = if raw.batch != 0 { raw.batch as usize } else { offsets.len().saturating_sub(1).max(1) };
    let each = if raw.scalar_bytes == 0 { curve.scalar_bytes() } else { raw.scalar_bytes as usize };
    let scalars = match offsets.last() {
        Some(&last) => usize::try_from(last).ok(),
        None => batch.checked_mul(n),
    };
    if !offsets.is_empty() && offsets.len() != batch + 1 {
        return bad_length(format!("there are {} offsets, and a batch of {batch} needs one more", offsets.len()));
    }
    let sets = (raw.base_sets as usize).min(batch).max(1);
    let sizes = || {
        Some(Sizes {
            scalars: scalars?.checked_mul(each)?,
            results: batch.checked_mul(curve.point_bytes())?,
            partial: partial_bytes(curve, u32::try_from(batch).ok()?),
            bases: sets.checked_mul(n)?.checked_add(raw.first)?,
        })
    };
    sizes().map_or_else(|| bad_length(format!("{batch} MSMs of {n} scalars are more than any memory holds")), Ok)
}

/// Returns the first number of a range, and the number of numbers, which is SUMAC_ALL if the range has no end.
fn first_and_count(range: &impl RangeBounds<usize>) -> (usize, usize) {
    let first = match range.start_bound() {
        Bound::Included(&first) => first,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let count = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1).saturating_sub(first),
        Bound::Excluded(&end) => end.saturating_sub(first),
        Bound::Unbounded => usize::MAX,
    };
    (first, count)
}

impl Bases {
    /// Makes bases of raw points.
    pub fn new<'a>(context: &'a mut Context, curve: Curve, points: &'a [u8]) -> Call<'a, BasesConfig<'a>, Result<Bases>> {
        Call::new(context, move |context, config: &BasesConfig<'_>| {
            let stride = if config.stride == 0 { curve.point_bytes() } else { config.stride };
            let n = count_records("points", points.len(), stride)?;
            Bases::create(context, curve, points.as_ptr().cast(), points.len(), n, config)
        })
    }

    /// Makes bases of n records in another library's layout. The configuration's stride is the distance between two records in
    /// bytes. Bytes between the points need not be initialized.
    ///
    /// # Safety
    /// The coordinates and flags of infinity of all records must be readable when the call is made.
    pub unsafe fn from_records<'a>(
        context: &'a mut Context,
        curve: Curve,
        records: *const c_void,
        n: usize,
    ) -> Call<'a, BasesConfig<'a>, Result<Bases>> {
        Call::new(context, move |context, config| Bases::create(context, curve, records, usize::MAX, n, config))
    }

    fn create(
        context: &mut Context,
        curve: Curve,
        records: *const c_void,
        bytes: usize,
        n: usize,
        config: &BasesConfig<'_>,
    ) -> Result<Bases> {
        let mut keep = Keep::default();
        let raw_config = config.raw(&mut keep)?;
        let raw = make!(context, sumac_bases_create, curve, records, bytes, n, &raw_config)?;
        Ok(Bases { raw })
    }

    /// Opens the bases of a range of a file; `..` means all bases. The format is one that [`crate::formats`] lists. Without a
    /// format, a file that begins like a table of [`Bases::save`] is read as one, and any other file is raw. Without a curve, the
    /// file must be a table, because only a table contains the name of its curve. A trusted table is opened faster with
    /// [`Check::None`].
    pub fn open<'a>(
        context: &'a mut Context,
        curve: Option<Curve>,
        path: impl AsRef<Path> + 'a,
        format: Option<&'a str>,
        range: impl RangeBounds<usize>,
    ) -> Call<'a, BasesConfig<'a>, Result<Bases>> {
        let (first, count) = first_and_count(&range);
        Call::new(context, move |context, config: &BasesConfig<'_>| {
            let mut keep = Keep::default();
            let (path, format, config) = (c_path(path)?, c_format(format)?, config.raw(&mut keep)?);
            let curve = curve.map_or(std::ptr::null(), |c| c.raw());
            let raw = make!(context, sumac_bases_open, curve, &path, &format, first, count, &config)?;
            Ok(Bases { raw })
        })
    }

    /// Returns the number of bases in a file.
    pub fn file_count(context: &mut Context, curve: Curve, path: impl AsRef<Path>, format: Option<&str>) -> Result<usize> {
        let (path, format, mut n) = (c_path(path)?, c_format(format)?, 0);
        call!(context, sumac_bases_file_count, curve, &path, &format, &mut n)?;
        Ok(n)
    }

    /// Makes n bases whose discrete logarithms are those of [`known_logarithms`].
    pub fn known<'a>(context: &'a mut Context, curve: Curve, n: usize, seed: u64) -> Call<'a, BasesConfig<'a>, Result<Bases>> {
        Call::new(context, move |context, config: &BasesConfig<'_>| {
            let mut keep = Keep::default();
            let config = config.raw(&mut keep)?;
            let raw = make!(context, sumac_known_bases_create, curve, n, seed, &config)?;
            Ok(Bases { raw })
        })
    }

    /// Makes bases of the points of a vector in a range.
    pub fn of_vector<'a>(
        context: &'a mut Context,
        points: &'a Vector<'_>,
        range: std::ops::Range<usize>,
    ) -> Call<'a, BasesConfig<'a>, Result<Bases>> {
        Call::new(context, move |context, config: &BasesConfig<'_>| {
            let mut keep = Keep::default();
            let config = config.raw(&mut keep)?;
            let raw = make!(context, sumac_bases_create_from_vector, points, range.start, range.len(), &config)?;
            Ok(Bases { raw })
        })
    }

    /// Returns the number of bases. Multiples are not counted.
    pub fn len(&self) -> usize {
        raw!(sumac_bases_count, self)
    }

    /// Says whether there are no bases.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn info(&self) -> sys::sumac_bases_info {
        let mut info: sys::sumac_bases_info = crate::fields::sized();
        let status = raw!(sumac_bases_describe, self, &mut info);
        debug_assert_eq!(status, 0, "bases are described");
        info
    }

    /// Returns the curve and group of the bases.
    pub fn curve(&self) -> Curve {
        unsafe { Curve::of(self.info().group) }.expect("bases have a curve")
    }

    /// Returns the number of multiples that are kept of each base or, with window tables, the number of windows.
    pub fn precompute_factor(&self) -> u32 {
        self.info().precompute_factor
    }

    /// Says which tables are kept for each base.
    pub fn tables(&self) -> Tables {
        Tables::of(self.info().tables)
    }

    /// Returns the number of bytes of memory that the bases occupy.
    pub fn bytes(&self) -> u64 {
        self.info().bytes
    }

    /// Returns the bases of a range as raw canonical points.
    pub fn points(&self, context: &mut Context, range: std::ops::Range<usize>) -> Result<Vec<u8>> {
        if range.start > range.end || range.end > self.len() {
            return bad_length(format!("there are {} bases, but the range is {range:?}", self.len()));
        }
        let bytes = range.len() * self.curve().point_bytes();
        let mut points = zeroed(bytes)?;
        call!(context, sumac_bases_get, self, range.start, range.len(), &mut points[..], bytes)?;
        Ok(points)
    }

    /// Saves the bases to a file. Without a format, the file is a table with the multiples. With a format that [`crate::formats`]
    /// lists, the file has no multiples.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>, format: Option<&str>) -> Result<()> {
        let (path, format) = (c_path(path)?, c_format(format)?);
        call!(context, sumac_bases_save, self, &path, &format)
    }

    /// Checks the number of scalars. Returns the n of the call and its sizes.
    fn measure(&self, scalars: &[u8], config: &MsmConfig<'_>, raw: &sys::sumac_msm_config) -> Result<(usize, Sizes)> {
        let n = match (config.n, config.offsets) {
            (Some(n), _) => n,
            (None, Some(_)) => self.len(),
            (None, None) => {
                let each = measure(self.curve(), 1, raw, None)?.scalars;
                count_records("scalars", scalars.len(), each)?
            }
        };
        let sizes = measure(self.curve(), n, raw, config.offsets)?;
        require_bytes("scalars", scalars.len(), sizes.scalars)?;
        if config.n.is_none() && config.offsets.is_none() && sizes.bases < self.len() {
            return bad_length(format!(
                "there are {} bases, but scalars for {}: set n to use only these bases",
                self.len(),
                sizes.bases
            ));
        }
        Ok((n, sizes))
    }

    /// Computes k_0*P_0 + k_1*P_1 + .. and returns a raw affine point for each MSM of the batch. Scalars are raw, or have
    /// `scalar_bytes` bytes each. There must be as many scalars as bases, unless the configuration has an `n` or `offsets`.
    pub fn msm<'a>(&'a self, context: &'a mut Context, scalars: &'a [u8]) -> Call<'a, MsmConfig<'a>, Result<Vec<u8>>> {
        Call::new(context, move |context, config| {
            let mut keep = Keep::default();
            let raw = raw_msm(config, &mut keep)?;
            let (n, sizes) = self.measure(scalars, config, &raw)?;
            let mut results = zeroed(sizes.results)?;
            self.run(context, scalars, n, &raw, &mut results)?;
            Ok(results)
        })
    }

    /// Computes [`Bases::msm`], and writes the result to the caller's memory. If the call fails, it writes nothing.
    pub fn msm_into<'a>(
        &'a self,
        context: &'a mut Context,
        scalars: &'a [u8],
        results: &'a mut [u8],
    ) -> Call<'a, MsmConfig<'a>, Result<()>> {
        Call::new(context, move |context, config| {
            let mut keep = Keep::default();
            let raw = raw_msm(config, &mut keep)?;
            let (n, sizes) = self.measure(scalars, config, &raw)?;
            require_bytes("results", results.len(), sizes.results)?;
            self.run(context, scalars, n, &raw, results)
        })
    }

    /// Makes a call whose sizes were checked.
    fn run(&self, context: &mut Context, scalars: &[u8], n: usize, raw: &sys::sumac_msm_config, results: &mut [u8]) -> Result<()> {
        let bytes = results.len();
        call!(context, sumac_msm, self, scalars, scalars.len(), n, raw, &mut results[..], bytes)
    }

    /// Computes [`Bases::msm`] as a partial result. [`partial_combine`] adds partial results, which may come from other processes.
    pub fn msm_partial<'a>(&'a self, context: &'a mut Context, scalars: &'a [u8]) -> Call<'a, MsmConfig<'a>, Result<Vec<u8>>> {
        Call::new(context, move |context, config| {
            let mut keep = Keep::default();
            let raw = raw_msm(config, &mut keep)?;
            let (n, sizes) = self.measure(scalars, config, &raw)?;
            let mut partial = zeroed(sizes.partial)?;
            call!(context, sumac_msm_partial, self, scalars, scalars.len(), n, &raw, &mut partial[..], sizes.partial)?;
            Ok(partial)
        })
    }

    /// Predicts the time and the memory of [`Bases::msm`] with n scalars for each MSM.
    pub fn estimate<'a>(&'a self, context: &'a mut Context, n: usize) -> Call<'a, MsmConfig<'a>, Result<MsmNeeds>> {
        Call::new(context, move |context, config| {
            let mut keep = Keep::default();
            let config = raw_msm(config, &mut keep)?;
            let mut needs: sys::sumac_msm_needs = crate::fields::sized();
            call!(context, sumac_msm_estimate, self, n, &config, &mut needs)?;
            let sys::sumac_msm_needs { milliseconds, workspace_bytes, pinned_bytes, .. } = needs;
            Ok(MsmNeeds { milliseconds, workspace_bytes, pinned_bytes })
        })
    }

    /// Returns the plan that [`Bases::msm`] would use for n scalars in each MSM.
    pub fn plan<'a>(&'a self, context: &'a mut Context, n: usize) -> Call<'a, MsmConfig<'a>, Result<Plan>> {
        Call::new(context, move |context, config: &MsmConfig<'_>| {
            let mut keep = Keep::default();
            let config = config.raw(&mut keep)?;
            Ok(Plan::of(make!(context, sumac_msm_plan, self, n, &config)?))
        })
    }

    /// Checks and plans an MSM once, so that it can be run many times.
    pub fn prepare<'a, 'bases: 'a>(
        &'bases self,
        context: &'a mut Context,
        n: usize,
    ) -> Call<'a, MsmConfig<'a>, Result<PreparedMsm<'bases>>> {
        Call::new(context, move |context, config| {
            let mut keep = Keep::default();
            let raw_config = raw_msm(config, &mut keep)?;
            let sizes = measure(self.curve(), n, &raw_config, config.offsets)?;
            let raw = make!(context, sumac_msm_prepare, self, n, &raw_config)?;
            Ok(PreparedMsm { raw, context: context.inner().clone(), sizes, _bases: PhantomData })
        })
    }
}

/// The time and memory that [`Bases::estimate`] predicts for a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MsmNeeds {
    /// The time of the call.
    pub milliseconds: f64,
    /// The memory of the backend that the call uses besides the bases.
    pub workspace_bytes: u64,
    /// The page-locked memory of the host that the call uses.
    pub pinned_bytes: u64,
}

/// An MSM that was prepared with a context. It borrows the bases.
pub struct PreparedMsm<'bases> {
    raw: NonNull<sys::sumac_call>,
    context: Arc<Inner>,
    sizes: Sizes,
    _bases: PhantomData<&'bases Bases>,
}

// A prepared MSM is used only in calls with its context, and such a call has the only reference to the context.
unsafe impl Send for PreparedMsm<'_> {}
unsafe impl Sync for PreparedMsm<'_> {}

impl PreparedMsm<'_> {
    fn require_context(&self, context: &Context) -> Result<()> {
        if Arc::ptr_eq(&self.context, context.inner()) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::BadArgument, "the call was prepared with another context"))
    }

    /// Runs the prepared [`Bases::msm_into`] with its context.
    pub fn run(&self, context: &mut Context, scalars: &[u8], results: &mut [u8]) -> Result<()> {
        self.require_context(context)?;
        require_bytes("scalars", scalars.len(), self.sizes.scalars)?;
        require_bytes("results", results.len(), self.sizes.results)?;
        context.call(|_| raw!(sumac_call_run, self.raw, scalars, scalars.len(), results, self.sizes.results))
    }

    /// Returns the plan of the prepared MSM.
    pub fn plan(&self, context: &mut Context) -> Result<Plan> {
        self.require_context(context)?;
        Ok(Plan::of(context.make(|_, made| raw!(sumac_call_plan, self.raw, made))?))
    }
}

impl Drop for PreparedMsm<'_> {
    fn drop(&mut self) {
        raw!(sumac_call_destroy, self.raw)
    }
}

/// Returns the size in bytes of a partial result of `batch` MSMs. For a batch of 0 it returns 0.
pub fn partial_bytes(curve: Curve, batch: u32) -> usize {
    unsafe { sys::sumac_partial_bytes(curve.raw(), batch) }
}

/// Adds one or more partial results of [`Bases::msm_partial`]. Each has the results of `batch` MSMs.
pub fn partial_combine(context: &mut Context, curve: Curve, partials: &[&[u8]], batch: u32) -> Result<Vec<u8>> {
    if batch == 0 {
        return Err(Error::new(ErrorKind::BadArgument, "batch is 0, and must be at least 1"));
    }
    let each = partial_bytes(curve, batch);
    for partial in partials {
        require_bytes("a partial result's bytes", partial.len(), each)?;
    }
    let pointers: Vec<*const c_void> = partials.iter().map(|partial| partial.as_ptr().cast()).collect();
    let mut results = zeroed((batch as usize).saturating_mul(curve.point_bytes()))?;
    let bytes = results.len();
    call!(context, sumac_partial_combine, curve, &pointers[..], each, pointers.len(), batch, &mut results[..], bytes)?;
    Ok(results)
}

/// Memory that the library allocated.
pub(crate) struct Allocated(pub(crate) *mut c_void);

impl Allocated {
    /// # Safety
    /// The memory must have at least `bytes` bytes.
    pub(crate) unsafe fn to_vec(&self, bytes: usize) -> Vec<u8> {
        if self.0.is_null() {
            return Vec::new();
        }
        unsafe { std::slice::from_raw_parts(self.0.cast::<u8>(), bytes) }.to_vec()
    }
}

impl Drop for Allocated {
    fn drop(&mut self) {
        unsafe { sys::sumac_free(self.0) }
    }
}

/// Reads a file of raw scalars.
pub fn scalars_read(context: &mut Context, curve: Curve, path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let (path, mut scalars, mut bytes) = (c_path(path)?, Allocated(std::ptr::null_mut()), 0);
    call!(context, sumac_scalars_read, curve, &path, &mut scalars.0, &mut bytes)?;
    Ok(unsafe { scalars.to_vec(bytes) })
}

fn record_bytes(context: &mut Context, curve: Curve, format: &Option<CString>) -> Result<usize> {
    let mut bytes = 0;
    call!(context, sumac_points_record_bytes, curve, format, &mut bytes)?;
    Ok(bytes)
}

/// Decodes points of a format, such as "zcash-compressed" or "eip2537", to raw points. Without a format, the records are raw.
pub fn points_decode(context: &mut Context, curve: Curve, records: &[u8], format: Option<&str>, check: Check) -> Result<Vec<u8>> {
    let format = c_format(format)?;
    let n = count_records("records", records.len(), record_bytes(context, curve, &format)?)?;
    let bytes = n.saturating_mul(curve.point_bytes());
    let mut points = zeroed(bytes)?;
    call!(context, sumac_points_decode, curve, records, records.len(), n, &format, check, &mut points[..], bytes)?;
    Ok(points)
}

/// Encodes raw points as records of a format.
pub fn points_encode(context: &mut Context, curve: Curve, points: &[u8], format: Option<&str>) -> Result<Vec<u8>> {
    let format = c_format(format)?;
    let n = count_records("points", points.len(), curve.point_bytes())?;
    let bytes = n * record_bytes(context, curve, &format)?;
    let mut records = zeroed(bytes)?;
    call!(context, sumac_points_encode, curve, points, points.len(), n, &format, &mut records[..], bytes)?;
    Ok(records)
}

/// Maps each coordinate to a point of the subgroup. It applies RFC 9380's map and clears the cofactor, as EIP-2537's maps do.
/// Elements and points are raw.
pub fn map_to_group(context: &mut Context, curve: Curve, elements: &[u8]) -> Result<Vec<u8>> {
    let n = count_records("elements", elements.len(), curve.point_bytes() / 2)?;
    let bytes = n * curve.point_bytes();
    let mut points = zeroed(bytes)?;
    call!(context, sumac_map_to_group, curve, elements, elements.len(), n, &mut points[..], bytes)?;
    Ok(points)
}

/// A report on how [`msm_files`] divided its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilesReport {
    /// The number of bases.
    pub n: u64,
    /// The number of bases that the checkpoint already included.
    pub resumed: u64,
    /// The number of bases in a chunk.
    pub chunk: u64,
    /// The memory of the host that the call used.
    pub memory_bytes: u64,
    /// The time for reading files.
    pub load_seconds: f64,
    /// The time for computing.
    pub msm_seconds: f64,
}

/// Computes one MSM of the bases in a file and the scalars in another. The files may be larger than memory.
pub fn msm_files<'a>(
    context: &'a mut Context,
    curve: Curve,
    bases: impl AsRef<Path> + 'a,
    scalars: impl AsRef<Path> + 'a,
) -> Call<'a, FilesConfig<'a>, Result<(Vec<u8>, FilesReport)>> {
    Call::new(context, move |context, config: &FilesConfig<'_>| {
        let mut keep = Keep::default();
        let (bases, scalars) = (c_path(bases)?, c_path(scalars)?);
        let (config, msm) = (config.raw(&mut keep)?, config.msm.unwrap_or_default().raw(&mut keep)?);
        let mut result = zeroed(curve.point_bytes())?;
        let mut report: sys::sumac_files_report = crate::fields::sized();
        call!(context, sumac_msm_files, curve, &bases, &scalars, &config, &msm, &mut result[..], curve.point_bytes(), &mut report)?;
        let sys::sumac_files_report { n, resumed, chunk, memory_bytes, load_seconds, msm_seconds, .. } = report;
        Ok((result, FilesReport { n, resumed, chunk, memory_bytes, load_seconds, msm_seconds }))
    })
}

/// Returns the discrete logarithms of the bases of [`Bases::known`] as n raw scalars.
pub fn known_logarithms(context: &mut Context, curve: Curve, n: usize, seed: u64) -> Result<Vec<u8>> {
    let mut logarithms = zeroed(n.saturating_mul(curve.scalar_bytes()))?;
    let bytes = logarithms.len();
    call!(context, sumac_known_logarithms, curve, n, seed, &mut logarithms[..], bytes)?;
    Ok(logarithms)
}

/// Computes the result of an MSM over bases with these logarithms, by one scalar multiplication.
pub fn known_answer(context: &mut Context, curve: Curve, scalars: &[u8], logarithms: &[u8]) -> Result<Vec<u8>> {
    let n = count_records("scalars", scalars.len(), curve.scalar_bytes())?;
    require_bytes("logarithms", logarithms.len(), scalars.len())?;
    let mut result = zeroed(curve.point_bytes())?;
    call!(
        context,
        sumac_known_answer,
        curve,
        scalars,
        scalars.len(),
        logarithms,
        logarithms.len(),
        n,
        &mut result[..],
        curve.point_bytes()
    )?;
    Ok(result)
}
