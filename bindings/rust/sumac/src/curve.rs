// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::error::{c_string, status_text, text, Error, Result};
use crate::options::ErrorKind;
use std::ffi::c_void;
use sumac_sys as sys;

/// A curve and group of the registry: a constant.
///
/// A raw point is x then y, `field_bytes` each, little-endian; over Fp2 c0 then c1; infinity is all zero bytes. A raw scalar is
/// `scalar_bytes`, little-endian.
#[derive(Clone, Copy)]
pub struct Curve(&'static sys::sumac_group);

// Curves are constants of the library.
unsafe impl Send for Curve {}
unsafe impl Sync for Curve {}

impl Curve {
    /// Find a curve by name and group, for example ("bls12-381", "g1"). Case, hyphens and underscores do not matter.
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

    /// All curves and groups of the library.
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

    /// The name, for example "bls12-381".
    pub fn name(&self) -> String {
        unsafe { text(self.0.curve) }
    }

    /// "g1" or "g2".
    pub fn group(&self) -> String {
        unsafe { text(self.0.name) }
    }

    /// Bits of p.
    pub fn field_bits(&self) -> u32 {
        self.0.field_bits
    }

    /// Bytes of one element of Fp.
    pub fn field_bytes(&self) -> usize {
        self.0.field_bytes as usize
    }

    /// Coordinates lie in Fp (1) or in Fp2 (2).
    pub fn degree(&self) -> u32 {
        self.0.degree
    }

    /// Bits of r.
    pub fn scalar_bits(&self) -> u32 {
        self.0.scalar_bits
    }

    /// Bytes of a raw scalar.
    pub fn scalar_bytes(&self) -> usize {
        self.0.scalar_bytes as usize
    }

    /// Bytes of a raw point.
    pub fn point_bytes(&self) -> usize {
        self.0.point_bytes as usize
    }

    /// True if every point of the curve lies in the subgroup.
    pub fn cofactor_is_one(&self) -> bool {
        self.0.cofactor_is_one != 0
    }

    /// p, in little-endian words.
    pub fn modulus(&self) -> &'static [u64] {
        unsafe { std::slice::from_raw_parts(self.0.modulus, self.field_bytes() / 8) }
    }

    /// r, in little-endian words.
    pub fn order(&self) -> &'static [u64] {
        unsafe { std::slice::from_raw_parts(self.0.order, self.scalar_bytes() / 8) }
    }

    /// The generator of the subgroup, a raw point.
    pub fn generator(&self) -> Vec<u8> {
        let mut point = vec![0; self.point_bytes()];
        let status = unsafe { sys::sumac_group_generator(self.0, point.as_mut_ptr().cast::<c_void>(), point.len()) };
        assert_eq!(status, sys::SUMAC_OK, "the vector has a point's length");
        point
    }

    /// The root of unity of order 2^log2 that transforms use, a raw scalar.
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
    /// The name that calls take.
    pub name: String,
    /// A description for people.
    pub description: String,
    /// True if points can be read in it.
    pub can_read: bool,
    /// True if points can be written in it.
    pub can_write: bool,
}

/// All formats that bases are read from and saved in.
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
