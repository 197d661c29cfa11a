// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::options::Status;
use std::ffi::{c_char, CStr, CString};
use std::path::Path;
use sumac_sys as sys;

/// The error of a failed call: its status, and one sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    sentence: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(status: Status, sentence: impl Into<String>) -> Self {
        Error { status, sentence: sentence.into() }
    }

    pub fn status(&self) -> Status {
        self.status
    }

    /// True if the machine caused the failure (memory, disk, device), and not the input.
    pub fn is_machine_fault(&self) -> bool {
        unsafe { sys::sumac_status_is_machine_fault(self.status.raw()) != 0 }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {}

/// Convert a C string; null becomes "".
///
/// # Safety
/// `string` must be null or a string that lives during the call.
pub(crate) unsafe fn text(string: *const c_char) -> String {
    unsafe { text_or_none(string) }.unwrap_or_default()
}

/// # Safety
/// See [`text`].
pub(crate) unsafe fn text_or_none(string: *const c_char) -> Option<String> {
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
}

/// Return the error of a call without a context, whose sentence is in `message`.
pub(crate) fn check_message(status: sys::sumac_status, message: &sys::sumac_message) -> Result<()> {
    if status == sys::SUMAC_OK {
        return Ok(());
    }
    let sentence = unsafe { text(message.text.as_ptr()) };
    Err(Error::new(Status::of(status), if sentence.is_empty() { status_text(status) } else { sentence }))
}

pub(crate) fn status_text(status: sys::sumac_status) -> String {
    unsafe { text(sys::sumac_status_text(status)) }
}

pub(crate) fn new_message() -> sys::sumac_message {
    sys::sumac_message { text: [0; sys::SUMAC_MESSAGE_BYTES] }
}

pub(crate) fn bad_length<T>(sentence: String) -> Result<T> {
    Err(Error::new(Status::BadLength, sentence))
}

/// Check that memory has the expected number of bytes.
pub(crate) fn require_bytes(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    bad_length(format!("{what} take {found} bytes, and must take {expected}"))
}

/// The number of records of `size` bytes.
pub(crate) fn count_records(what: &str, found: usize, size: usize) -> Result<usize> {
    if size == 0 || found % size != 0 {
        return bad_length(format!("{what} take {found} bytes, which is no multiple of {size}"));
    }
    Ok(found / size)
}

/// Memory for a result.
pub(crate) fn zeroed(bytes: usize) -> Result<Vec<u8>> {
    let mut memory = Vec::new();
    memory
        .try_reserve_exact(bytes)
        .map_err(|_| Error::new(Status::OutOfMemory, format!("there is no memory of {bytes} bytes for the result")))?;
    memory.resize(bytes, 0);
    Ok(memory)
}

pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(Status::BadArgument, "a name has a zero byte"))
}

pub(crate) fn c_path(path: &Path) -> Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Error::new(Status::BadArgument, "a path has a zero byte"))
}

/// The memory that a struct of options points to. It lives until the call is over.
#[derive(Default)]
pub(crate) struct Keep {
    strings: Vec<CString>,
}

impl Keep {
    pub(crate) fn text(&mut self, given: &str) -> Result<*const c_char> {
        let string = c_string(given)?;
        // A string's bytes do not move when the vector grows.
        let bytes = string.as_ptr();
        self.strings.push(string);
        Ok(bytes)
    }
}
