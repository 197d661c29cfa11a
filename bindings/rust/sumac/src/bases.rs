// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::{Context, Inner};
use crate::curve::Curve;
use crate::error::{
    bad_length, c_path, c_string, check_message, count_records, new_message, require_bytes, zeroed, Error, Keep, Result,
};
use crate::options::{BasesConfig, Check, FilesConfig, MsmConfig, Status, Tables};
use crate::pass::{call, make, raw};
use crate::plan::Plan;
use crate::vector::Vector;
use std::ffi::{c_void, CString};
use std::marker::PhantomData;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use sumac_sys as sys;

crate::handle! {
    /// Points on a backend, checked and ready for use, with multiples if asked for. Immutable; shared by threads and contexts.
    Bases(sumac_bases, sumac_bases_destroy)
}

fn c_format(format: Option<&str>) -> Result<Option<CString>> {
    format.map(c_string).transpose()
}

/// Ask the library for the bytes that a call reads and writes in its caller's memory.
fn measure(curve: Curve, n: usize, raw: &sys::sumac_msm_config, offset_count: usize) -> Result<sys::sumac_msm_sizes> {
    let mut message = new_message();
    let mut sizes: sys::sumac_msm_sizes = crate::fields::sized();
    check_message(unsafe { sys::sumac_msm_measure(curve.raw(), n, raw, offset_count, &mut sizes, &mut message) }, &message)?;
    Ok(sizes)
}

impl Bases {
    /// Make bases of raw points.
    pub fn new(context: &mut Context, curve: Curve, points: &[u8], config: &BasesConfig<'_>) -> Result<Bases> {
        let stride = if config.stride == 0 { curve.point_bytes() } else { config.stride };
        let n = count_records("points", points.len(), stride)?;
        // The slice holds n whole records.
        unsafe { Bases::from_records(context, curve, points.as_ptr().cast(), n, config) }
    }

    /// Make bases of n records in another library's layout, at the configuration's stride: bytes between points need not be initialized.
    ///
    /// # Safety
    /// The coordinates and flags of infinity of all records must be readable.
    pub unsafe fn from_records(
        context: &mut Context,
        curve: Curve,
        records: *const c_void,
        n: usize,
        config: &BasesConfig<'_>,
    ) -> Result<Bases> {
        let raw_config = config.raw(&mut Keep::default())?;
        let raw = make!(context, sumac_bases_create, curve, records, n, &raw_config)?;
        Ok(Bases { raw })
    }

    /// Open bases from a file of a format that [`crate::formats`] lists; none: a table of [`Bases::save`] if it begins like one, else raw.
    pub fn open(
        context: &mut Context,
        curve: Curve,
        path: impl AsRef<Path>,
        format: Option<&str>,
        config: &BasesConfig<'_>,
    ) -> Result<Bases> {
        let (path, format, config) = (c_path(path.as_ref())?, c_format(format)?, config.raw(&mut Keep::default())?);
        let raw = make!(context, sumac_bases_open, curve, &path, &format, &config)?;
        Ok(Bases { raw })
    }

    /// Open only bases [first, first + n) of a file, as [`Bases::open`] does.
    pub fn open_part(
        context: &mut Context,
        curve: Curve,
        path: impl AsRef<Path>,
        range: std::ops::Range<usize>,
        format: Option<&str>,
        config: &BasesConfig<'_>,
    ) -> Result<Bases> {
        let (path, format, config) = (c_path(path.as_ref())?, c_format(format)?, config.raw(&mut Keep::default())?);
        let raw = make!(context, sumac_bases_open_part, curve, &path, range.start, range.len(), &format, &config)?;
        Ok(Bases { raw })
    }

    /// The number of bases in a file.
    pub fn file_count(context: &mut Context, curve: Curve, path: impl AsRef<Path>, format: Option<&str>) -> Result<usize> {
        let (path, format, mut n) = (c_path(path.as_ref())?, c_format(format)?, 0);
        call!(context, sumac_bases_file_count, curve, &path, &format, &mut n)?;
        Ok(n)
    }

    /// Open a file of [`Bases::save`], with its multiples. Without a curve, the file's curve is used.
    pub fn open_table(context: &mut Context, curve: Option<Curve>, path: impl AsRef<Path>) -> Result<Bases> {
        let (path, curve) = (c_path(path.as_ref())?, curve.map_or(std::ptr::null(), |c| c.raw()));
        let raw = make!(context, sumac_bases_open_table, curve, &path)?;
        Ok(Bases { raw })
    }

    /// Make n bases whose discrete logarithms are those of [`known_logarithms`].
    pub fn known(context: &mut Context, curve: Curve, n: usize, seed: u64, config: &BasesConfig<'_>) -> Result<Bases> {
        let config = config.raw(&mut Keep::default())?;
        let raw = make!(context, sumac_known_bases_create, curve, n, seed, &config)?;
        Ok(Bases { raw })
    }

    /// Make bases of points [first, first + n) of a vector.
    pub fn of_vector(context: &mut Context, points: &Vector, range: std::ops::Range<usize>, config: &BasesConfig<'_>) -> Result<Bases> {
        let config = config.raw(&mut Keep::default())?;
        let raw = make!(context, sumac_bases_create_from_vector, points, range.start, range.len(), &config)?;
        Ok(Bases { raw })
    }

    /// The number of bases, without multiples.
    pub fn len(&self) -> usize {
        raw!(sumac_bases_count, self)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn curve(&self) -> Curve {
        unsafe { Curve::of(sys::sumac_bases_group(self.raw.as_ptr())) }.expect("bases have a curve")
    }

    /// How many multiples of each base are kept; with window tables, of how many windows.
    pub fn precompute_factor(&self) -> u32 {
        raw!(sumac_bases_precompute_factor, self)
    }

    /// The tables that are kept for each base.
    pub fn tables(&self) -> Tables {
        Tables::of(raw!(sumac_bases_tables, self))
    }

    /// The bytes of memory that the bases occupy.
    pub fn bytes(&self) -> u64 {
        raw!(sumac_bases_bytes, self)
    }

    /// Bases [first, first + n) as raw canonical points.
    pub fn points(&self, context: &mut Context, range: std::ops::Range<usize>) -> Result<Vec<u8>> {
        if range.start > range.end || range.end > self.len() {
            return bad_length(format!("there are {} bases, and {range:?} are wanted", self.len()));
        }
        let mut points = zeroed(range.len() * self.curve().point_bytes())?;
        call!(context, sumac_bases_get, self, range.start, range.len(), &mut points[..])?;
        Ok(points)
    }

    /// Save the bases to a file as a table, with the multiples.
    pub fn save(&self, context: &mut Context, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path.as_ref())?;
        call!(context, sumac_bases_save, self, &path)
    }

    /// Save the bases without multiples to a file of a format that [`crate::formats`] lists.
    pub fn save_as(&self, context: &mut Context, format: &str, path: impl AsRef<Path>) -> Result<()> {
        let (path, format) = (c_path(path.as_ref())?, c_string(format)?);
        call!(context, sumac_bases_save_as, self, &format, &path)
    }

    /// Return the n of a call and its sizes, after a check that the scalars have that size.
    fn measure(
        &self,
        scalars: &[u8],
        config: &MsmConfig<'_>,
        raw: &sys::sumac_msm_config,
    ) -> Result<(usize, sys::sumac_msm_sizes)> {
        let n = match (config.n, config.offsets) {
            (Some(n), _) => n,
            (None, Some(_)) => self.len(),
            (None, None) => {
                let each = measure(self.curve(), 1, raw, 0)?.scalars_bytes;
                count_records("scalars", scalars.len(), each)?
            }
        };
        let sizes = measure(self.curve(), n, raw, config.offsets.map_or(0, <[u64]>::len))?;
        require_bytes("scalars", scalars.len(), sizes.scalars_bytes)?;
        if config.n.is_none() && config.offsets.is_none() && sizes.bases < self.len() {
            return bad_length(format!(
                "there are {} bases, and scalars for {}: set n if the others are to be left out",
                self.len(),
                sizes.bases
            ));
        }
        Ok((n, sizes))
    }

    /// Compute k_0*P_0 + k_1*P_1 + ..: a raw affine point for each MSM of the batch. Scalars are raw, or of `scalar_bytes` each;
    /// their number must be that of the bases, unless the configuration has an `n` or `offsets`.
    pub fn msm(&self, context: &mut Context, scalars: &[u8], config: &MsmConfig<'_>) -> Result<Vec<u8>> {
        let mut keep = Keep::default();
        let raw = config.raw(&mut keep)?;
        let (n, sizes) = self.measure(scalars, config, &raw)?;
        let mut results = zeroed(sizes.results_bytes)?;
        self.run(context, scalars, n, &raw, &mut results)?;
        Ok(results)
    }

    /// Write the result to the caller's memory, on success only.
    pub fn msm_into(&self, context: &mut Context, scalars: &[u8], config: &MsmConfig<'_>, results: &mut [u8]) -> Result<()> {
        let mut keep = Keep::default();
        let raw = config.raw(&mut keep)?;
        let (n, sizes) = self.measure(scalars, config, &raw)?;
        require_bytes("results", results.len(), sizes.results_bytes)?;
        self.run(context, scalars, n, &raw, results)
    }

    /// Make a call whose sizes were checked.
    fn run(&self, context: &mut Context, scalars: &[u8], n: usize, raw: &sys::sumac_msm_config, results: &mut [u8]) -> Result<()> {
        call!(context, sumac_msm, self, scalars, n, raw, &mut results[..])
    }

    /// Compute [`Bases::msm`] as a partial result, which another process adds to its own by [`partial_combine`].
    pub fn msm_partial(&self, context: &mut Context, scalars: &[u8], config: &MsmConfig<'_>) -> Result<Vec<u8>> {
        let mut keep = Keep::default();
        let raw = config.raw(&mut keep)?;
        let (n, sizes) = self.measure(scalars, config, &raw)?;
        let mut partial = zeroed(sizes.partial_bytes)?;
        call!(context, sumac_msm_partial, self, scalars, n, &raw, &mut partial[..])?;
        Ok(partial)
    }

    /// The plan that [`Bases::msm`] of n scalars for each MSM would use.
    pub fn plan(&self, context: &mut Context, n: usize, config: &MsmConfig<'_>) -> Result<Plan> {
        let mut keep = Keep::default();
        let config = config.raw(&mut keep)?;
        Ok(Plan::of(make!(context, sumac_msm_plan, self, n, &config)?))
    }

    /// Check and plan an MSM once, to run it many times.
    pub fn prepare(&self, context: &mut Context, n: usize, config: &MsmConfig<'_>) -> Result<PreparedMsm<'_>> {
        let mut keep = Keep::default();
        let raw_config = config.raw(&mut keep)?;
        let sizes = measure(self.curve(), n, &raw_config, config.offsets.map_or(0, <[u64]>::len))?;
        let raw = make!(context, sumac_msm_prepare, self, n, &raw_config)?;
        Ok(PreparedMsm { raw, context: context.inner().clone(), sizes, _bases: PhantomData })
    }
}

/// An MSM that was prepared with a context. It holds the bases.
pub struct PreparedMsm<'bases> {
    raw: NonNull<sys::sumac_call>,
    context: Arc<Inner>,
    sizes: sys::sumac_msm_sizes,
    _bases: PhantomData<&'bases Bases>,
}

// Only a call with its context uses it, and such a call has the only reference to the context.
unsafe impl Send for PreparedMsm<'_> {}
unsafe impl Sync for PreparedMsm<'_> {}

impl PreparedMsm<'_> {
    fn require_context(&self, context: &Context) -> Result<()> {
        if Arc::ptr_eq(&self.context, context.inner()) {
            return Ok(());
        }
        Err(Error::new(Status::BadArgument, "the call was prepared with another context"))
    }

    /// Run the prepared [`Bases::msm_into`] with its context.
    pub fn run(&self, context: &mut Context, scalars: &[u8], results: &mut [u8]) -> Result<()> {
        self.require_context(context)?;
        require_bytes("scalars", scalars.len(), self.sizes.scalars_bytes)?;
        require_bytes("results", results.len(), self.sizes.results_bytes)?;
        context.call(|_| raw!(sumac_call_run, self.raw, scalars, results))
    }

    /// The plan of the prepared MSM.
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

/// The bytes of a partial result of `batch` MSMs; 0 for a batch of 0.
pub fn partial_bytes(curve: Curve, batch: u32) -> usize {
    unsafe { sys::sumac_partial_bytes(curve.raw(), batch) }
}

/// Add at least one partial result of [`Bases::msm_partial`], each of `batch` MSMs.
pub fn partial_combine(context: &mut Context, curve: Curve, partials: &[&[u8]], batch: u32) -> Result<Vec<u8>> {
    let config = MsmConfig { batch, ..Default::default() }.raw(&mut Keep::default())?;
    let sizes = measure(curve, 0, &config, 0)?;
    for partial in partials {
        require_bytes("a partial result's bytes", partial.len(), sizes.partial_bytes)?;
    }
    let pointers: Vec<*const c_void> = partials.iter().map(|partial| partial.as_ptr().cast()).collect();
    let mut results = zeroed(sizes.results_bytes)?;
    call!(context, sumac_partial_combine, curve, &pointers[..], pointers.len(), batch, &mut results[..])?;
    Ok(results)
}

/// Memory that the library allocated.
pub(crate) struct Allocated(pub(crate) *mut c_void);

impl Allocated {
    /// # Safety
    /// The memory must hold `bytes` bytes.
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

/// Read a file of raw scalars.
pub fn scalars_read(context: &mut Context, curve: Curve, path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let (path, mut scalars, mut bytes) = (c_path(path.as_ref())?, Allocated(std::ptr::null_mut()), 0);
    call!(context, sumac_scalars_read, curve, &path, &mut scalars.0, &mut bytes)?;
    Ok(unsafe { scalars.to_vec(bytes) })
}

fn record_bytes(context: &mut Context, curve: Curve, format: &Option<CString>) -> Result<usize> {
    let mut bytes = 0;
    call!(context, sumac_points_record_bytes, curve, format, &mut bytes)?;
    Ok(bytes)
}

/// Decode points of a format ("zcash-compressed", "eip2537", ..; none: raw) to raw ones.
pub fn points_decode(context: &mut Context, curve: Curve, records: &[u8], format: Option<&str>, check: Check) -> Result<Vec<u8>> {
    let format = c_format(format)?;
    let n = count_records("records", records.len(), record_bytes(context, curve, &format)?)?;
    let bytes = n.saturating_mul(curve.point_bytes());
    let mut points = zeroed(bytes)?;
    call!(context, sumac_points_decode, curve, records, records.len(), n, &format, check, &mut points[..], bytes)?;
    Ok(points)
}

/// Encode raw points as records of a format.
pub fn points_encode(context: &mut Context, curve: Curve, points: &[u8], format: Option<&str>) -> Result<Vec<u8>> {
    let format = c_format(format)?;
    let n = count_records("points", points.len(), curve.point_bytes())?;
    let bytes = n * record_bytes(context, curve, &format)?;
    let mut records = zeroed(bytes)?;
    call!(context, sumac_points_encode, curve, points, points.len(), n, &format, &mut records[..], bytes)?;
    Ok(records)
}

/// Map coordinates to points of the subgroup by RFC 9380's map and clear the cofactor, as EIP-2537's maps do. Elements and points are raw.
pub fn map_to_group(context: &mut Context, curve: Curve, elements: &[u8]) -> Result<Vec<u8>> {
    let n = count_records("elements", elements.len(), curve.point_bytes() / 2)?;
    let bytes = n * curve.point_bytes();
    let mut points = zeroed(bytes)?;
    call!(context, sumac_map_to_group, curve, elements, elements.len(), n, &mut points[..], bytes)?;
    Ok(points)
}

/// How [`msm_files`] divided its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilesReport {
    pub n: u64,
    /// The number of bases that the checkpoint had done.
    pub resumed: u64,
    pub chunk: u64,
    pub memory_bytes: u64,
    pub load_seconds: f64,
    pub msm_seconds: f64,
}

/// Compute one MSM of the bases in a file and the scalars in another, which may be larger than memory.
pub fn msm_files(
    context: &mut Context,
    curve: Curve,
    bases: impl AsRef<Path>,
    scalars: impl AsRef<Path>,
    config: &FilesConfig<'_>,
    msm: &MsmConfig<'_>,
) -> Result<(Vec<u8>, FilesReport)> {
    let mut keep = Keep::default();
    let (bases, scalars) = (c_path(bases.as_ref())?, c_path(scalars.as_ref())?);
    let (config, msm) = (config.raw(&mut keep)?, msm.raw(&mut keep)?);
    let mut result = zeroed(curve.point_bytes())?;
    let mut report: sys::sumac_files_report = crate::fields::sized();
    call!(context, sumac_msm_files, curve, &bases, &scalars, &config, &msm, &mut result[..], curve.point_bytes(), &mut report)?;
    let report = FilesReport {
        n: report.n,
        resumed: report.resumed,
        chunk: report.chunk,
        memory_bytes: report.memory_bytes,
        load_seconds: report.load_seconds,
        msm_seconds: report.msm_seconds,
    };
    Ok((result, report))
}

/// The discrete logarithms of [`Bases::known`]: n raw scalars.
pub fn known_logarithms(context: &mut Context, curve: Curve, n: usize, seed: u64) -> Result<Vec<u8>> {
    let mut logarithms = zeroed(n.saturating_mul(curve.scalar_bytes()))?;
    let bytes = logarithms.len();
    call!(context, sumac_known_logarithms, curve, n, seed, &mut logarithms[..], bytes)?;
    Ok(logarithms)
}

/// The result of an MSM over bases of these logarithms, by one scalar multiplication.
pub fn known_answer(context: &mut Context, curve: Curve, scalars: &[u8], logarithms: &[u8]) -> Result<Vec<u8>> {
    let n = count_records("scalars", scalars.len(), curve.scalar_bytes())?;
    require_bytes("logarithms", logarithms.len(), scalars.len())?;
    let mut result = zeroed(curve.point_bytes())?;
    call!(context, sumac_known_answer, curve, scalars, scalars.len(), logarithms, logarithms.len(), n, &mut result[..], curve.point_bytes())?;
    Ok(result)
}
