// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::options::ErrorKind;
use std::ffi::{c_char, CStr, CString};
use std::path::Path;
use std::sync::Arc;
use sumac_sys as sys;

/// The error of a failed call: its kind, and one sentence for people.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    sentence: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The result of calls.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, sentence: impl Into<String>) -> Self {
        Error { kind, sentence: sentence.into(), source: None }
    }

    /// Adds the error that caused this one.
    fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Returns the kind of the failure, such as [`ErrorKind::NotOnCurve`].
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the number of the status, for interfaces that have numbers. It is never 0.
    pub fn code(&self) -> u32 {
        self.kind.raw()
    }

    /// Says whether the likely cause is the machine (memory, disk or device), rather than the input.
    pub fn is_machine_fault(&self) -> bool {
        unsafe { sys::sumac_status_is_machine_fault(self.kind.raw()) != 0 }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Compares errors. They are equal if their kinds and sentences are equal.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        (self.kind, &self.sentence) == (other.kind, &other.sentence)
    }
}

impl Eq for Error {}

/// Converts a C string. Null becomes "".
///
/// # Safety
/// `string` must be null or a string that lives during the call.
pub(crate) unsafe fn text(string: *const c_char) -> String {
    unsafe { text_or_none(string) }.unwrap_or_default()
}

/// # Safety
/// The rules of [`text`] apply.
pub(crate) unsafe fn text_or_none(string: *const c_char) -> Option<String> {
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
}

/// Returns the error of a call without a context. The error's sentence is in `message`.
pub(crate) fn check_message(status: sys::sumac_status, message: &sys::sumac_message) -> Result<()> {
    if status == sys::SUMAC_OK {
        return Ok(());
    }
    let sentence = unsafe { text(message.text.as_ptr()) };
    Err(Error::new(ErrorKind::of(status), if sentence.is_empty() { status_text(status) } else { sentence }))
}

pub(crate) fn status_text(status: sys::sumac_status) -> String {
    unsafe { text(sys::sumac_status_text(status)) }
}

pub(crate) fn new_message() -> sys::sumac_message {
    sys::sumac_message { text: [0; sys::SUMAC_MESSAGE_BYTES] }
}

pub(crate) fn bad_length<T>(sentence: String) -> Result<T> {
    Err(Error::new(ErrorKind::BadLength, sentence))
}

/// Checks that memory has the expected number of bytes.
pub(crate) fn require_bytes(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    bad_length(format!("{what} take {found} bytes, and must take {expected}"))
}

/// Returns the number of records of `size` bytes.
pub(crate) fn count_records(what: &str, found: usize, size: usize) -> Result<usize> {
    if size == 0 || found % size != 0 {
        return bad_length(format!("{what} take {found} bytes, which is no multiple of {size}"));
    }
    Ok(found / size)
}

/// Allocates arrays for a result in one block on the heap, and sets them to zero there, because one of them may not fit on the
/// stack.
pub(crate) fn arrays<const N: usize>(count: usize) -> Result<Vec<[u8; N]>> {
    let mut memory: Vec<[u8; N]> = Vec::new();
    memory.try_reserve_exact(count).map_err(|error| {
        let sentence = format!("there is no memory for {count} results of {N} bytes");
        Error::new(ErrorKind::OutOfMemory, sentence).with_source(error)
    })?;
    unsafe {
        memory.as_mut_ptr().write_bytes(0, count);
        memory.set_len(count);
    }
    Ok(memory)
}

/// Allocates memory for a result, and sets it to zero.
pub(crate) fn zeroed(bytes: usize) -> Result<Vec<u8>> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes).map_err(|error| {
        Error::new(ErrorKind::OutOfMemory, format!("there is no memory of {bytes} bytes for the result")).with_source(error)
    })?;
    memory.resize(bytes, 0);
    Ok(memory)
}

fn terminated(what: &str, bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|error| Error::new(ErrorKind::BadArgument, format!("{what} has a zero byte")).with_source(error))
}

pub(crate) fn c_string(text: &str) -> Result<CString> {
    terminated("a name", text.as_bytes())
}

pub(crate) fn c_path(path: impl AsRef<Path>) -> Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    terminated("a path", path.as_ref().as_os_str().as_bytes())
}

/// The memory to which a struct of options points. It lives until the call has returned.
#[derive(Default)]
pub(crate) struct Keep {
    strings: Vec<CString>,
}

impl Keep {
    pub(crate) fn text(&mut self, given: &str) -> Result<*const c_char> {
        let string = c_string(given)?;
        // The bytes of a string do not move when the vector grows.
        let bytes = string.as_ptr();
        self.strings.push(string);
        Ok(bytes)
    }
}
