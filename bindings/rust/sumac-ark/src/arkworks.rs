// SPDX-License-Identifier: Apache-2.0 OR MIT
// This is the code for every version of arkworks. A module includes it, names its ark_ec and ark_ff, and defines the offset of a
// point's infinity flag. sumac can read the points and scalars of arkworks where they lie, in Montgomery form, so that nothing is
// copied.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{Field, PrimeField, Zero};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::mem::{offset_of, size_of, size_of_val};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::vec::Vec;
use sumac::{BasesConfig, Call, Check, Context, ContextConfig, Curve, Form, Infinity, Pool};

/// The reason why a sum was not computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The numbers of scalars and bases differ. The value is the smaller one, as in the error of arkworks' `msm`.
    Length(usize),
    /// The library has no such curve, or this build of arkworks has points with another layout.
    Curve,
    /// The library's error.
    Sumac(sumac::Error),
}

/// The result of calls.
pub type Result<T> = core::result::Result<T, Error>;

impl core::fmt::Display for Error {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Error::Length(least) => write!(formatter, "there are not as many scalars as bases: {least} of one of them"),
            Error::Curve => write!(formatter, "this build of the library does not have the curve; it has {:?}", Curve::all()),
            Error::Sumac(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Sumac(error) => error.source(),
            _ => None,
        }
    }
}

impl From<sumac::Error> for Error {
    fn from(error: sumac::Error) -> Self {
        Error::Sumac(error)
    }
}

type BigInt<P> = <<P as ark_ec::CurveConfig>::ScalarField as PrimeField>::BigInt;

/// Converts a raw point, which is canonical. Infinity is zeros.
fn point_of<P: SWCurveConfig>(raw: &[u8]) -> Option<Affine<P>> {
    if raw.iter().all(|byte| *byte == 0) {
        return Some(Affine::identity());
    }
    let coordinate = |raw: &[u8]| {
        let elements = raw.chunks(raw.len() / P::BaseField::extension_degree() as usize);
        P::BaseField::from_base_prime_field_elems(elements.map(PrimeField::from_le_bytes_mod_order))
    };
    let (x, y) = raw.split_at(raw.len() / 2);
    Some(Affine::new_unchecked(coordinate(x)?, coordinate(y)?))
}

/// Says whether an element of a field lies in memory as its components in Montgomery form. R is 2^64 to the power of their number
/// of words.
fn is_montgomery<F: Field>(element: &F) -> bool {
    let words = <F::BasePrimeField as PrimeField>::MODULUS.as_ref().len() as u64;
    let r = F::BasePrimeField::from(2u64).pow([64 * words]);
    let expected: Vec<u8> = element
        .to_base_prime_field_elements()
        .flat_map(|component| (component * r).into_bigint().as_ref().to_vec())
        .flat_map(u64::to_ne_bytes)
        .collect();
    // An element as long as its components has no padding.
    size_of::<F>() == expected.len()
        && unsafe { core::slice::from_raw_parts((element as *const F).cast::<u8>(), size_of::<F>()) } == expected
}

/// Says whether a curve of arkworks and a curve of the library are the same: they have the same fields, equation and layout in
/// memory.
fn is_curve<P: SWCurveConfig>(curve: &Curve) -> bool {
    let modulus = <<P::BaseField as Field>::BasePrimeField as PrimeField>::MODULUS;
    if curve.modulus() != modulus.as_ref()
        || curve.order() != P::ScalarField::MODULUS.as_ref()
        || u64::from(curve.degree()) != P::BaseField::extension_degree()
    {
        return false;
    }
    // Because a = 0, one point determines b.
    let Some(generator) = point_of::<P>(&curve.generator()) else { return false };
    P::COEFF_A.is_zero()
        && generator.is_on_curve()
        && is_montgomery(&generator.x)
        && is_montgomery(&-P::ScalarField::from(2u64))
        && size_of::<BigInt<P>>() == size_of_val(curve.order())
        && offset_of!(Affine<P>, x) == 0
        && offset_of!(Affine<P>, y) == size_of::<P::BaseField>()
}

/// Returns the library's curve for a curve of arkworks.
pub fn curve<P: SWCurveConfig>() -> Result<Curve> {
    static SEEN: RwLock<BTreeMap<TypeId, Option<Curve>>> = RwLock::new(BTreeMap::new());
    let id = TypeId::of::<P>();
    let seen = SEEN.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
    let found = seen.unwrap_or_else(|| {
        let found = Curve::all().into_iter().find(is_curve::<P>);
        SEEN.write().unwrap_or_else(PoisonError::into_inner).insert(id, found);
        found
    });
    found.ok_or(Error::Curve)
}

/// # Safety
/// The scalars must be words without padding. They are integers, or elements in Montgomery form, of a curve that [`is_curve`]
/// accepted.
unsafe fn words_as_bytes<T>(scalars: &[T]) -> &[u8] {
    unsafe { core::slice::from_raw_parts(scalars.as_ptr().cast(), size_of_val(scalars)) }
}

/// Points of arkworks that stay prepared for sums, like [`sumac::Bases`].
pub struct Bases<P: SWCurveConfig> {
    inner: sumac::Bases,
    curve: PhantomData<fn() -> P>,
}

impl<P: SWCurveConfig> Bases<P> {
    /// Makes bases of any points, with the check that the call's options select. [`Check::Subgroup`] allows the fastest sums. With
    /// a lesser check, sums are also right for points outside the subgroup, which arkworks' types may contain. The layout of points
    /// in the options is ignored.
    pub fn new<'a>(context: &'a mut Context, points: &'a [Affine<P>]) -> Call<'a, BasesConfig<'a>, Result<Self>> {
        Call::new(context, move |context, config: &BasesConfig<'_>| {
            let config = BasesConfig {
                form: Form::Montgomery,
                infinity: if infinity_offset::<P>().is_some() { Infinity::Flag } else { Infinity::Zero },
                stride: size_of::<Affine<P>>(),
                infinity_offset: infinity_offset::<P>().unwrap_or(0),
                outside_subgroup: config.check != Check::Subgroup,
                ..*config
            };
            let call = unsafe { sumac::Bases::from_records(context, curve::<P>()?, points.as_ptr().cast(), points.len()) };
            Ok(Bases { inner: call.config(config).run()?, curve: PhantomData })
        })
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.inner.len()
    }

    /// Says whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bases for all other calls: batches, plans, files, and sums of raw scalars.
    pub fn inner(&self) -> &sumac::Bases {
        &self.inner
    }

    fn sum(&self, context: &mut Context, scalars: &[u8], n: usize, scalar_form: Form) -> Result<Projective<P>> {
        if n != self.len() {
            return Err(Error::Length(n.min(self.len())));
        }
        let raw = self.inner.msm(context, scalars).scalar_form(scalar_form).run()?;
        Ok(point_of(&raw).ok_or(Error::Curve)?.into())
    }

    /// Computes the sum of scalars times points. For points of the subgroup it equals arkworks' `VariableBaseMSM::msm`. For other
    /// points this sum is right, but that of arkworks 0.6 is wrong if a scalar is within 2^64 of r.
    pub fn msm(&self, context: &mut Context, scalars: &[P::ScalarField]) -> Result<Projective<P>> {
        self.sum(context, unsafe { words_as_bytes(scalars) }, scalars.len(), Form::Montgomery)
    }

    /// Computes the sum for integers, which count modulo r, like arkworks' `VariableBaseMSM::msm_bigint`.
    pub fn msm_bigint(&self, context: &mut Context, scalars: &[BigInt<P>]) -> Result<Projective<P>> {
        self.sum(context, unsafe { words_as_bytes(scalars) }, scalars.len(), Form::Canonical)
    }
}

/// With fewer points than this, sums on several threads are not faster than on one.
const FEWEST_TO_SHARE: usize = 64;

/// Takes one of the process's shared contexts, which compute on the CPU.
fn take_context(n: usize) -> Result<Context> {
    static ALONE: OnceLock<core::result::Result<Pool, sumac::Error>> = OnceLock::new();
    static SHARED: OnceLock<core::result::Result<Pool, sumac::Error>> = OnceLock::new();
    let pool = if n < FEWEST_TO_SHARE {
        // There are as many contexts as can run at the same time.
        let processors = || std::thread::available_parallelism().map_or(1, |number| number.get());
        ALONE.get_or_init(|| Pool::new(ContextConfig::cpu(1), processors()))
    } else {
        // Two contexts have all threads, so that the threads of one call work while those of the other wait for its last steps.
        SHARED.get_or_init(|| Pool::new(ContextConfig::cpu(0), 2))
    };
    Ok(pool.as_ref().map_err(sumac::Error::clone)?.take()?)
}

fn once<P: SWCurveConfig>(
    bases: &[Affine<P>],
    n: usize,
    sum: impl FnOnce(Bases<P>, &mut Context) -> Result<Projective<P>>,
) -> Result<Projective<P>> {
    curve::<P>()?;
    if n != bases.len() {
        return Err(Error::Length(n.min(bases.len())));
    }
    let mut context = take_context(n)?;
    let bases = Bases::new(&mut context, bases).check(Check::Curve).run()?;
    sum(bases, &mut context)
}

/// Computes the sum of scalars times points, which are checked to lie on the curve. For points of the subgroup it equals arkworks'
/// `VariableBaseMSM::msm`. For other points this sum is right, but that of arkworks 0.6 is wrong if a scalar is within 2^64 of r.
/// At most two calls of 64 points or more compute at the same time, each with all processors. For fewer points, the calling thread
/// computes the sum itself.
pub fn msm<P: SWCurveConfig>(bases: &[Affine<P>], scalars: &[P::ScalarField]) -> Result<Projective<P>> {
    once(bases, scalars.len(), |bases, context| bases.msm(context, scalars))
}

/// Computes the sum for integers, which count modulo r.
pub fn msm_bigint<P: SWCurveConfig>(bases: &[Affine<P>], scalars: &[BigInt<P>]) -> Result<Projective<P>> {
    once(bases, scalars.len(), |bases, context| bases.msm_bigint(context, scalars))
}
