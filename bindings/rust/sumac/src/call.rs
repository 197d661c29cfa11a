// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::Context;

type Function<'a, O, R> = dyn FnOnce(&mut Context, &O) -> R + 'a;

/// A call whose options can be set before [`Call::run`] makes it.
#[must_use = "nothing happens until run() is called"]
pub struct Call<'a, O, R> {
    context: &'a mut Context,
    pub(crate) config: O,
    call: Box<Function<'a, O, R>>,
}

impl<'a, O: Default + 'a, R: 'a> Call<'a, O, R> {
    /// Creates a call of a function that has options. Crates that build on this one use it, too.
    pub fn new(context: &'a mut Context, call: impl FnOnce(&mut Context, &O) -> R + 'a) -> Self {
        Call { context, config: O::default(), call: Box::new(call) }
    }

    /// Sets all options.
    pub fn config(mut self, config: O) -> Self {
        self.config = config;
        self
    }

    /// Converts the result.
    pub(crate) fn map<S: 'a>(self, convert: impl FnOnce(R) -> S + 'a) -> Call<'a, O, S> {
        let call = self.call;
        Call { context: self.context, config: self.config, call: Box::new(|context, config| convert(call(context, config))) }
    }

    /// Makes the call.
    pub fn run(self) -> R {
        (self.call)(self.context, &self.config)
    }
}
