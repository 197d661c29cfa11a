// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::bases::Bases;
use crate::call::Call;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{bad_length, count_records, Result};
use crate::options::{BasesConfig, MsmConfig};
use crate::vector::Integer;
use std::fmt::{Debug, Formatter};
use std::hash::Hash;
use std::marker::PhantomData;
use std::mem::{size_of, size_of_val};

/// A group that is known at compile time, such as [`crate::Bn254G1`].
///
/// # Safety
/// A coordinate must have as many bytes as a coordinate in the library, and must be valid for any values of the bytes.
pub unsafe trait Group: Copy + Eq + Hash + Debug + 'static {
    /// A little-endian coordinate: one element of Fp, or two elements for a coordinate in Fp2.
    type Coordinate: Copy + Eq + Hash + Debug;
    /// The coordinates of infinity.
    const ZERO: Self::Coordinate;

    /// Returns the library's curve and group. If the library was built without the curve, this is an error.
    fn curve() -> Result<Curve>;
}

/// Declares the types of groups.
macro_rules! groups {
    ($($name:ident = $curve:literal $group:literal $coordinate:tt;)*) => {$(
        #[doc = concat!("The group ", $group, " of ", $curve, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name;

        unsafe impl crate::Group for $name {
            type Coordinate = $coordinate;
            // The value is an array of bytes, or an array of such arrays.
            const ZERO: Self::Coordinate = unsafe { std::mem::zeroed() };

            fn curve() -> Result<crate::Curve> {
                crate::Curve::find($curve, $group)
            }
        }
    )*};
}
pub(crate) use groups;

/// A point of a group in canonical form, so that equal points have equal coordinates.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Affine<G: Group> {
    /// The first coordinate.
    pub x: G::Coordinate,
    /// The second coordinate.
    pub y: G::Coordinate,
}

impl<G: Group> Affine<G> {
    /// The point at infinity.
    pub const INFINITY: Self = Affine { x: G::ZERO, y: G::ZERO };

    /// Says whether the point is infinity.
    pub fn is_infinity(&self) -> bool {
        *self == Self::INFINITY
    }

    /// Returns the generator of the subgroup.
    pub fn generator() -> Result<Self> {
        Self::one_of(&G::curve()?.generator())
    }

    fn one_of(raw: &[u8]) -> Result<Self> {
        match Self::slice_of(raw)? {
            [point] => Ok(*point),
            points => bad_length(format!("there are {} points, but there must be one", points.len())),
        }
    }

    /// Converts raw points, which other calls return, to typed points without a copy.
    pub fn slice_of(raw: &[u8]) -> Result<&[Self]> {
        let n = count_records("points", raw.len(), size_of::<Self>())?;
        Ok(unsafe { std::slice::from_raw_parts(raw.as_ptr().cast(), n) })
    }

    /// Converts typed points to raw points, which other calls expect, without a copy.
    pub fn bytes_of(points: &[Self]) -> &[u8] {
        unsafe { std::slice::from_raw_parts(points.as_ptr().cast(), size_of_val(points)) }
    }
}

impl<G: Group> Debug for Affine<G> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        if self.is_infinity() {
            return formatter.write_str("infinity");
        }
        let (x, y) = Self::bytes_of(std::slice::from_ref(self)).split_at(size_of::<G::Coordinate>());
        let hex = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
        write!(formatter, "(0x{}, 0x{})", hex(x), hex(y))
    }
}

/// Points of one group that stay prepared for sums. [`Msm::bases`] returns the bases for all other calls.
#[derive(Debug)]
pub struct Msm<G: Group> {
    bases: Bases,
    group: PhantomData<G>,
}

impl<G: Group> Msm<G> {
    /// Checks points and prepares them.
    pub fn new<'a>(context: &'a mut Context, points: &'a [Affine<G>]) -> Call<'a, BasesConfig<'a>, Result<Msm<G>>> {
        Call::new(context, move |context, config| {
            let bases = Bases::new(context, G::curve()?, Affine::bytes_of(points)).config(*config).run()?;
            Ok(Msm { bases, group: PhantomData })
        })
    }

    /// Computes k_0*P_0 + k_1*P_1 + .. for as many scalars as points. Scalars are integers or little-endian bytes, at most as many
    /// bytes as a scalar of the group has.
    pub fn sum<'a, T: Integer>(&'a self, context: &'a mut Context, scalars: &'a [T]) -> Call<'a, MsmConfig<'a>, Result<Affine<G>>> {
        let call = self.bases.msm(context, T::bytes_of(scalars)).map(|raw| Affine::one_of(&raw?));
        call.scalar_bytes(size_of::<T>() as u32).scalar_signed(T::IS_SIGNED)
    }

    /// Returns the untyped bases, for batches, plans and files.
    pub fn bases(&self) -> &Bases {
        &self.bases
    }
}
