// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The curves that sumac and Blitzar have in common, with arkworks' types.
use crate::backend::{slice, with_context, Result};
use crate::handles::Generators;
use crate::sums::{sums, Column, Shape};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{batch_inversion, AdditiveGroup, Field, PrimeField, Zero};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::{offset_of, size_of};
use sumac::{Bases, BasesConfig, Check, Context, Curve, Form, Infinity};

/// A curve whose points Blitzar takes as arkworks' types.
pub(crate) trait Weierstrass: SWCurveConfig<BaseField: PrimeField> {
    /// The library's name of the curve. The group is G1.
    const NAME: &'static str;
}

impl Weierstrass for ark_bls12_381::g1::Config {
    const NAME: &'static str = "bls12-381";
}

impl Weierstrass for ark_bn254::g1::Config {
    const NAME: &'static str = "bn254";
}

impl Weierstrass for ark_grumpkin::GrumpkinConfig {
    const NAME: &'static str = "grumpkin";
}

/// A point with the affine coordinates x/z and y/z, in the layout of blitzar's `ElementP2`. Infinity has z = 0.
#[repr(C)]
struct Projective<C: SWCurveConfig> {
    x: C::BaseField,
    y: C::BaseField,
    z: C::BaseField,
}

/// Converts a raw point, which is canonical. Infinity is zeros.
pub(crate) fn point<C: Weierstrass>(raw: &[u8]) -> Affine<C> {
    let (x, y) = raw.split_at(raw.len() / 2);
    let (x, y) = (C::BaseField::from_le_bytes_mod_order(x), C::BaseField::from_le_bytes_mod_order(y));
    if x.is_zero() && y.is_zero() {
        return Affine::identity();
    }
    Affine::new_unchecked(x, y)
}

/// Says whether a sum modulo r may differ from the sum of the integers themselves, if points lie outside the subgroup.
pub(crate) fn is_beyond_order<C: Weierstrass>(integer: &[u8], signed: bool) -> bool {
    let order = C::ScalarField::MODULUS;
    let bytes = order.as_ref().iter().flat_map(|word| word.to_le_bytes());
    let highest = integer[integer.len() - 1];
    match signed {
        // r is more than a quarter of the integers' range.
        true => integer.len() == order.as_ref().len() * 8 && (highest >> 7) != (highest >> 6 & 1),
        false => integer.len() == order.as_ref().len() * 8 && integer.iter().rev().copied().ge(bytes.rev()),
    }
}

/// Makes bases of `n` of arkworks' points for one call. They are checked to lie on the curve and, if the call needs that, in the
/// subgroup.
///
/// # Safety
/// The points must be readable.
pub(crate) unsafe fn bases<C: Weierstrass>(
    context: &mut Context,
    points: *const Affine<C>,
    n: usize,
    in_subgroup: bool,
) -> Result<Bases> {
    let curve = Curve::find(C::NAME, "g1")?;
    let config = match in_subgroup || curve.cofactor_is_one() {
        true => BasesConfig { check: Check::Subgroup, ..layout::<C>() },
        false => BasesConfig { outside_subgroup: true, ..layout::<C>() },
    };
    Ok(unsafe { Bases::from_records(context, curve, points.cast(), n) }.config(config).run()?)
}

fn layout<C: Weierstrass>() -> BasesConfig<'static> {
    BasesConfig {
        form: Form::Montgomery,
        infinity: Infinity::Flag,
        stride: size_of::<Affine<C>>(),
        infinity_offset: offset_of!(Affine<C>, infinity),
        ..Default::default()
    }
}

/// The generators of a handle.
struct Prepared<C>(Bases, PhantomData<fn() -> C>);

/// Prepares `n` projective points.
///
/// # Safety
/// The points must be readable.
pub(crate) unsafe fn prepare<C: Weierstrass>(points: *const c_void, n: usize) -> Result<Box<dyn Generators>> {
    let points: &[Projective<C>] = unsafe { slice("the generators", points.cast(), n) }?;
    let mut inverses: Vec<_> = points.iter().map(|point| point.z).collect();
    batch_inversion(&mut inverses);
    let affine = |(point, inverse): (&Projective<C>, C::BaseField)| match inverse.is_zero() {
        true => Affine::<C>::identity(),
        false => Affine::new_unchecked(point.x * inverse, point.y * inverse),
    };
    let points: Vec<_> = points.iter().zip(inverses).map(affine).collect();
    let bases = with_context(|context| unsafe { bases::<C>(context, points.as_ptr(), n, true) })?;
    Ok(Box::new(Prepared::<C>(bases, PhantomData)))
}

/// Reads a file of prepared points.
pub(crate) fn open<C: Weierstrass>(path: &str) -> Result<Box<dyn Generators>> {
    let curve = Curve::find(C::NAME, "g1")?;
    let config = BasesConfig { check: Check::Subgroup, ..Default::default() };
    let bases = with_context(|context| Ok(Bases::open(context, Some(curve), path, Some("table"), ..).config(config).run()?))?;
    Ok(Box::new(Prepared::<C>(bases, PhantomData)))
}

impl<C: Weierstrass> Generators for Prepared<C> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn save(&self, path: &str) -> Result<()> {
        with_context(|context| Ok(self.0.save(context, path, Some("table"))?))
    }

    unsafe fn sums(&self, shapes: &[Shape], column: Column<'_>, results: *mut c_void) -> Result<()> {
        let points = with_context(|context| sums(context, &self.0, shapes, column))?;
        for (i, raw) in points.chunks_exact(self.0.curve().point_bytes()).enumerate() {
            let Affine { x, y, infinity, .. } = point::<C>(raw);
            let point = match infinity {
                true => Projective::<C> { x, y: C::BaseField::ONE, z: C::BaseField::ZERO },
                false => Projective { x, y, z: C::BaseField::ONE },
            };
            unsafe { results.cast::<Projective<C>>().add(i).write(point) };
        }
        Ok(())
    }
}
