// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The three functions over sumac, for the types of BLS12-377.
use crate::engine::{engine, Engine};
use crate::types::{bytes_of, bytes_of_mut, words_of_mut};
use crate::{Error, NTTDirection, NTTInputOutputOrder, NTTType};
use snarkvm_curves::bls12_377::{Fq, Fr, FrParameters, G1Affine, G1Projective};
use snarkvm_fields::{FieldParameters, One, Zero};
use snarkvm_utilities::biginteger::BigInteger256;
use std::mem;
use sumac::{Bases, Context, Form, Infinity, Order, TransformConfig, Vector, VectorKind};

/// Returns the sum of scalars times as many points.
pub(crate) fn sum(points: &[G1Affine], scalars: &[BigInteger256]) -> Result<G1Projective, Error> {
    let engine = engine()?;
    // sumac multiplies by the rest modulo r, which makes a difference for points outside the subgroup.
    if scalars.iter().any(|scalar| *scalar >= FrParameters::MODULUS) {
        return Err(Error::not_supported("a scalar is not less than r".into()));
    }
    // No context is taken while the cache hashes: its thread may meanwhile run another call, which then would wait for ever if it
    // found all contexts taken.
    let found = engine.cache().find_or_make(points, || engine.call(|context| bases_of(engine, context, points)))?;
    let mut point = [Fq::zero(); 2];
    engine.call(|context| {
        let call = found.bases.msm_into(context, bytes_of(scalars), bytes_of_mut(&mut point));
        Ok(call.first(found.first).n(scalars.len()).result_form(Form::Montgomery).run()?)
    })?;
    let [x, y] = point;
    // The library writes the point at infinity as zeros.
    let is_infinity = x.is_zero() && y.is_zero();
    Ok(if is_infinity { G1Projective::zero() } else { G1Projective::new(x, y, Fq::one()) })
}

fn bases_of(engine: &Engine, context: &mut Context, points: &[G1Affine]) -> Result<Bases, Error> {
    let call = unsafe { Bases::from_records(context, engine.curve(), points.as_ptr().cast(), points.len()) };
    let call = call.form(Form::Montgomery).stride(mem::size_of::<G1Affine>());
    let call = call.infinity(Infinity::Flag).infinity_offset(mem::offset_of!(G1Affine, infinity));
    Ok(call.outside_subgroup(true).precompute_factor(engine.multiples()).run()?)
}

/// Returns the options of a transform of `length` elements, with snarkVM's root of unity.
fn transform_of(engine: &Engine, length: usize) -> Result<TransformConfig<'_>, Error> {
    if !length.is_power_of_two() {
        return Err(Error::bad_length(format!("the length of a transform is {length}, which is no power of two")));
    }
    let log2 = length.trailing_zeros();
    let root = engine.root(log2).ok_or_else(|| Error::not_supported(format!("there is no root of unity of order 2^{log2}")))?;
    Ok(TransformConfig { root: Some(root), ..TransformConfig::default() })
}

/// Transforms elements in place. If it fails, they are unchanged, so that snarkVM can transform them itself.
pub(crate) fn transform(
    length: usize,
    elements: &mut [Fr],
    order: NTTInputOutputOrder,
    direction: NTTDirection,
    kind: NTTType,
) -> Result<(), Error> {
    let engine = engine()?;
    let (input, output) = match order {
        NTTInputOutputOrder::NN => (Order::Natural, Order::Natural),
        NTTInputOutputOrder::NR => (Order::Natural, Order::BitReversed),
        NTTInputOutputOrder::RN => (Order::BitReversed, Order::Natural),
        NTTInputOutputOrder::RR => (Order::BitReversed, Order::BitReversed),
    };
    let mut config = transform_of(engine, length)?;
    config.inverse = direction == NTTDirection::Inverse;
    (config.coefficient_order, config.value_order) = if config.inverse { (output, input) } else { (input, output) };
    config.shift = (kind == NTTType::Coset).then_some(engine.generator());
    if elements.len() != length {
        return Err(Error::bad_length(format!("there are {} elements for a transform of {length}", elements.len())));
    }
    engine.call(|context| {
        if engine.is_on_host() {
            let mut vector = Vector::wrap_host(context, engine.curve(), words_of_mut(elements))?;
            return Ok(vector.ntt(context).config(config).run()?);
        }
        let mut vector =
            Vector::of(context, engine.curve(), VectorKind::Scalars, bytes_of(elements)).form(Form::Montgomery).run()?;
        vector.ntt(context).config(config).run()?;
        // The results are copied in two steps, because the first one may fail.
        let results = vector.get(context, 0..length).form(Form::Montgomery).run()?;
        bytes_of_mut(elements).copy_from_slice(&results);
        Ok(())
    })
}

/// Returns a vector of the values of a polynomial, which is given by its coefficients or by values. Zeros stand for those that are
/// missing at the end. On the host the vector uses `memory`, which has as many elements.
fn values_of<'a>(
    engine: &Engine,
    context: &mut Context,
    (given, has_coefficients): (&[Fr], bool),
    config: TransformConfig<'_>,
    memory: &'a mut [Fr],
    length: usize,
) -> Result<Vector<'a>, Error> {
    let mut vector = if engine.is_on_host() {
        memory[..given.len()].copy_from_slice(given);
        memory[given.len()..].fill(Fr::zero());
        Vector::wrap_host(context, engine.curve(), words_of_mut(memory))?
    } else {
        let mut vector = Vector::new(context, engine.curve(), VectorKind::Scalars, length)?;
        vector.set(context, 0, bytes_of(given)).form(Form::Montgomery).run()?;
        vector
    };
    if has_coefficients {
        vector.ntt(context).config(config).run()?;
    }
    Ok(vector)
}

/// Returns zeros, or an error if there is no memory for them.
fn zeros(length: usize) -> Result<Vec<Fr>, Error> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(length).map_err(|_| Error::no_memory(length))?;
    elements.resize(length, Fr::zero());
    Ok(elements)
}

/// Writes the coefficients of the product of polynomials, some of which are given by their values. As many coefficients are written
/// as there is memory for them.
pub(crate) fn multiply(polynomials: &[&[Fr]], evaluations: &[&[Fr]], coefficients: &mut [Fr]) -> Result<(), Error> {
    let engine = engine()?;
    let length = coefficients.len();
    let mut config = transform_of(engine, length)?;
    let mut rows = polynomials.iter().map(|row| (*row, true)).chain(evaluations.iter().map(|row| (*row, false)));
    if let Some((row, _)) = rows.clone().find(|(row, _)| row.len() > length) {
        return Err(Error::bad_length(format!("a polynomial of {} elements does not fit into {length}", row.len())));
    }
    let first = rows.next().ok_or_else(|| Error::bad_length("there are no polynomials".into()))?;
    if evaluations.is_empty() {
        // No values are given or returned, so that any order will do.
        config.value_order = Order::BitReversed;
    }
    let mut memory = zeros(if engine.is_on_host() { length } else { 0 })?;
    let on_device = engine.call(|context| {
        let mut product = values_of(engine, context, first, config, coefficients, length)?;
        for row in rows {
            let factor = values_of(engine, context, row, config, &mut memory, length)?;
            product.multiply_assign(context, &factor, 1)?;
        }
        product.ntt(context).config(TransformConfig { inverse: true, ..config }).run()?;
        Ok(if engine.is_on_host() { None } else { Some(product.get(context, 0..length).form(Form::Montgomery).run()?) })
    })?;
    if let Some(bytes) = on_device {
        bytes_of_mut(coefficients).copy_from_slice(&bytes);
    }
    Ok(())
}
