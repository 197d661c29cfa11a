// SPDX-License-Identifier: Apache-2.0 OR MIT
use std::fmt;

/// The error of a failed call. It stands where the original crate has sppark's error, with the same field and conversions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// A status of sumac, which is not 0.
    pub code: i32,
    sentence: String,
}

impl Error {
    fn new(status: sumac_sys::sumac_status, sentence: String) -> Self {
        Error { code: status as i32, sentence }
    }

    pub(crate) fn bad_argument(sentence: String) -> Self {
        Error::new(sumac_sys::SUMAC_BAD_ARGUMENT, sentence)
    }

    pub(crate) fn bad_length(sentence: String) -> Self {
        Error::new(sumac_sys::SUMAC_BAD_LENGTH, sentence)
    }

    pub(crate) fn not_supported(sentence: String) -> Self {
        Error::new(sumac_sys::SUMAC_NOT_SUPPORTED, sentence)
    }

    pub(crate) fn no_memory(elements: usize) -> Self {
        Error::new(sumac_sys::SUMAC_OUT_OF_MEMORY, format!("there is no memory for {elements} elements"))
    }
}

impl From<sumac::Error> for Error {
    fn from(error: sumac::Error) -> Self {
        Error::new(error.code(), error.to_string())
    }
}

impl From<&Error> for String {
    fn from(error: &Error) -> Self {
        error.sentence.clone()
    }
}

impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.sentence
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {}
