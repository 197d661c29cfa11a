// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::error::{c_string, status_text, text, Error, Result};
use crate::options::ErrorKind;
use std::ffi::c_void;
use sumac_sys as sys;

/// One of the two groups of a curve. It is a constant of the library.
///
/// A raw point is x followed by y. A coordinate has `field_bytes` bytes, little-endian; over Fp2 it is c0 followed by c1. Infinity
/// is all zero bytes. A raw scalar has `scalar_bytes` bytes, little-endian.
#[derive(Clone, Copy)]
pub struct Curve(&'static sys::sumac_group);

// Curves are constants of the library.
unsafe impl Send for Curve {}
unsafe impl Sync for Curve {}

impl Curve {
    /// Finds a curve by its name and group, for example ("bls12-381", "g1"). Case, hyphens and underscores do not matter.
    pub fn find(name: &str, group: &str) -> Result<Curve> {
        let (c_name, c_group) = (c_string(name)?, c_string(group)?);
        let mut found = std::ptr::null();
        match unsafe { sys::sumac_group_find(c_name.as_ptr(), c_group.as_ptr(), &mut found) } {
            sys::SUMAC_OK => Ok(unsafe { Curve::of(found) }.expect("a curve that is found")),
            status => {
                let has: Vec<_> = Curve::all().iter().map(|curve| format!("{curve:?}")).collect();
                let sentence = format!("this build of the library has no curve {name} {group}; it has {}", has.join(", "));
                Err(Error::new(ErrorKind::of(status), sentence))
            }
        }
    }

    /// Returns all curves and groups of the library.
    pub fn all() -> Vec<Curve> {
        (0..unsafe { sys::sumac_group_count() }).filter_map(|i| unsafe { Curve::of(sys::sumac_group_at(i)) }).collect()
    }

    /// # Safety
    /// `raw` must be null or a curve of the library.
    pub(crate) unsafe fn of(raw: *const sys::sumac_group) -> Option<Curve> {
        unsafe { raw.as_ref() }.map(Curve)
    }

    pub(crate) fn raw(&self) -> *const sys::sumac_group {
        self.0
    }

    /// Returns the name, for example "bls12-381".
    pub fn name(&self) -> String {
        unsafe { text(self.0.curve) }
    }

    /// Returns the name of the group: "g1" or "g2".
    pub fn group(&self) -> String {
        unsafe { text(self.0.name) }
    }

    /// Returns the number of bits of p.
    pub fn field_bits(&self) -> u32 {
        self.0.field_bits
    }

    /// Returns the number of bytes of one element of Fp.
    pub fn field_bytes(&self) -> usize {
        self.0.field_bytes as usize
    }

    /// Returns 1 if coordinates lie in Fp, and 2 if they lie in Fp2.
    pub fn degree(&self) -> u32 {
        self.0.degree
    }

    /// Returns the number of bits of r.
    pub fn scalar_bits(&self) -> u32 {
        self.0.scalar_bits
    }

    /// Returns the number of bytes of a raw scalar.
    pub fn scalar_bytes(&self) -> usize {
        self.0.scalar_bytes as usize
    }

    /// Returns the number of bytes of a raw point.
    pub fn point_bytes(&self) -> usize {
        self.0.point_bytes as usize
    }

    /// Says whether every point of the curve lies in the subgroup.
    pub fn cofactor_is_one(&self) -> bool {
        self.0.cofactor_is_one != 0
    }

    /// Returns p in little-endian words.
    pub fn modulus(&self) -> &'static [u64] {
        unsafe { std::slice::from_raw_parts(self.0.modulus, self.field_bytes() / 8) }
    }

    /// Returns r in little-endian words.
    pub fn order(&self) -> &'static [u64] {
        unsafe { std::slice::from_raw_parts(self.0.order, self.scalar_bytes() / 8) }
    }

    /// Returns the generator of the subgroup as a raw point.
    pub fn generator(&self) -> Vec<u8> {
        let mut point = vec![0; self.point_bytes()];
        let status = unsafe { sys::sumac_group_generator(self.0, point.as_mut_ptr().cast::<c_void>(), point.len()) };
        assert_eq!(status, sys::SUMAC_OK, "the vector has a point's length");
        point
    }

    /// Returns, as a raw scalar, the root of unity of order 2^log2 that transforms use.
    pub fn root_of_unity(&self, log2: u32) -> Result<Vec<u8>> {
        let mut root = vec![0u8; self.scalar_bytes()];
        match unsafe { sys::sumac_root_of_unity(self.0, log2, root.as_mut_ptr().cast(), root.len()) } {
            sys::SUMAC_OK => Ok(root),
            status => Err(Error::new(ErrorKind::of(status), status_text(status))),
        }
    }
}

impl PartialEq for Curve {
    fn eq(&self, other: &Curve) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Curve {}

impl std::fmt::Debug for Curve {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.name(), self.group())
    }
}

/// A format of points, in files and in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The name by which calls select the format.
    pub name: String,
    /// A description for people.
    pub description: String,
    /// True if points can be read in this format.
    pub can_read: bool,
    /// True if points can be written in this format.
    pub can_write: bool,
}

/// Returns all formats in which bases can be read or saved.
pub fn formats() -> Vec<Format> {
    (0..unsafe { sys::sumac_format_count() })
        .filter_map(|i| unsafe { sys::sumac_format_at(i).as_ref() })
        .map(|row| Format {
            name: unsafe { text(row.name) },
            description: unsafe { text(row.description) },
            can_read: row.can_read != 0,
            can_write: row.can_write != 0,
        })
        .collect()
}
