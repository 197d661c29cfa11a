// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The prover of the sumcheck protocol for a sum of products of multilinear extensions (Thaler, "Proofs, Arguments, and
//! Zero-Knowledge", section 4.1).
use crate::backend::{or_panic, refuse, slice, Result};
use crate::types::{sumcheck_descriptor, SXT_FIELD_GRUMPKIN};
use ark_ff::PrimeField;
use std::ffi::{c_uint, c_void};

/// The caller's function, which gets the coefficients of a round's polynomial and writes the challenge.
type Challenge<F> = extern "C" fn(*mut F, *mut c_void, *const F, u32);

/// What is summed up: f(x) is the sum over all products of factor * product of extensions at x.
struct Input<'a, F> {
    extensions: Vec<Vec<F>>,
    /// The factors, and the numbers of the extensions.
    products: Vec<(F, &'a [u32])>,
    rounds: u32,
    degree: usize,
}

impl<'a, F: PrimeField> Input<'a, F> {
    /// # Safety
    /// What the descriptor points to must be readable.
    unsafe fn new(descriptor: &sumcheck_descriptor) -> Result<Self> {
        let (n, count) = (descriptor.n as usize, descriptor.num_mles as usize);
        if n == 0 || descriptor.num_products == 0 {
            return refuse("a sumcheck proof needs at least one element and one product");
        }
        let table: &[(F, u32)] =
            unsafe { slice("the products", descriptor.product_table.cast(), descriptor.num_products as usize) }?;
        let mut terms: &'a [u32] = unsafe { slice("the terms", descriptor.product_terms, descriptor.num_product_terms as usize) }?;
        if table.iter().map(|(_, length)| u64::from(*length)).sum::<u64>() != terms.len() as u64 {
            return refuse("the lengths of the products do not add up to the number of terms");
        }
        if let Some(term) = terms.iter().find(|&&term| term as usize >= count) {
            return refuse(format!("a product has the extension {term}, but there are {count}"));
        }
        let mut products = Vec::with_capacity(table.len());
        for &(factor, length) in table {
            let (own, others) = terms.split_at(length as usize);
            products.push((factor, own));
            terms = others;
        }
        let degree = products.iter().map(|(_, terms)| terms.len()).max().unwrap_or(0);
        if degree != descriptor.round_degree as usize {
            return refuse(format!("the longest product has {degree} terms, and not {}", descriptor.round_degree));
        }
        let elements: &[F] = unsafe { slice("the extensions", descriptor.mles.cast(), n.saturating_mul(count)) }?;
        let extensions = elements.chunks_exact(n).map(<[F]>::to_vec).collect();
        Ok(Input { extensions, products, rounds: n.next_power_of_two().trailing_zeros().max(1), degree })
    }

    /// Returns the coefficients of sum over x of f(X, x), where X is the highest variable, and x has `half` values.
    fn polynomial(&self, half: usize) -> Vec<F> {
        let mut sum = vec![F::ZERO; self.degree + 1];
        let mut product = Vec::with_capacity(self.degree + 1);
        for x in 0..half {
            for (factor, terms) in &self.products {
                product.clear();
                product.push(*factor);
                for &term in *terms {
                    // The extension is low + (high - low) X. Elements that are missing are 0.
                    let at = |x: usize| self.extensions[term as usize].get(x).copied().unwrap_or(F::ZERO);
                    let (low, slope) = (at(x), at(x + half) - at(x));
                    product.push(F::ZERO);
                    for i in (0..product.len()).rev() {
                        product[i] = product[i] * low + if i > 0 { product[i - 1] * slope } else { F::ZERO };
                    }
                }
                sum.iter_mut().zip(&product).for_each(|(sum, coefficient)| *sum += coefficient);
            }
        }
        sum
    }

    /// Sets the highest variable to the challenge.
    fn fold(&mut self, half: usize, challenge: F) {
        for extension in &mut self.extensions {
            extension.resize(2 * half, F::ZERO);
            let (low, high) = extension.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(low, high)| *low += challenge * (*high - *low));
            extension.truncate(half);
        }
    }

    /// Writes the coefficients and the challenge of each round.
    ///
    /// # Safety
    /// There must be memory for `degree + 1` coefficients and a challenge for each round.
    unsafe fn prove(mut self, polynomials: *mut F, challenges: *mut F, ask: Challenge<F>, context: *mut c_void) {
        for round in 0..self.rounds as usize {
            let half = 1 << (self.rounds as usize - 1 - round);
            let polynomial = self.polynomial(half);
            let mut challenge = F::ZERO;
            ask(&mut challenge, context, polynomial.as_ptr(), polynomial.len() as u32);
            unsafe {
                polynomials.add(round * polynomial.len()).copy_from_nonoverlapping(polynomial.as_ptr(), polynomial.len());
                challenges.add(round).write(challenge);
            }
            self.fold(half, challenge);
        }
    }
}

/// Makes a sumcheck proof over the field of Grumpkin's coordinates, on the CPU: `(round_degree + 1)` coefficients for each round, and
/// the challenges. `transcript_callback` is an `extern "C" fn(challenge: *mut FIELD, context: *mut c_void, coefficients: *const FIELD,
/// count: u32)`, which gets the coefficients of a round and writes its challenge.
///
/// # Safety
/// What the descriptor points to must be readable, and there must be memory for the results: as many rounds as the logarithm of `n`,
/// rounded up, but at least one.
///
/// # Panics
/// If the field is not Grumpkin's, or if the descriptor contradicts itself.
pub unsafe fn sxt_prove_sumcheck(
    polynomials: *mut c_void,
    evaluation_point: *mut c_void,
    field_id: c_uint,
    descriptor: *const sumcheck_descriptor,
    transcript_callback: *mut c_void,
    transcript_context: *mut c_void,
) {
    let prove = || {
        if field_id != SXT_FIELD_GRUMPKIN {
            return refuse(format!("sumcheck has the field {SXT_FIELD_GRUMPKIN} alone, and not {field_id}"));
        }
        if polynomials.is_null() || evaluation_point.is_null() || descriptor.is_null() || transcript_callback.is_null() {
            return refuse("a pointer is null");
        }
        let input = unsafe { Input::<ark_grumpkin::Fq>::new(&*descriptor) }?;
        let challenge: Challenge<ark_grumpkin::Fq> = unsafe { std::mem::transmute(transcript_callback) };
        unsafe { input.prove(polynomials.cast(), evaluation_point.cast(), challenge, transcript_context) };
        Ok(())
    };
    or_panic("sxt_prove_sumcheck", prove())
}
