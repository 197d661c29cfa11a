// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::call::Call;
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{text, Keep, Result};
use crate::options::{BasesConfig, MsmConfig};
use crate::pass::make;
use std::ffi::c_char;
use std::ptr::NonNull;
use sumac_sys as sys;

/// Copies a text that the library allocated, and frees it.
pub(crate) fn take_text(given: NonNull<c_char>) -> String {
    let copy = unsafe { text(given.as_ptr()) };
    unsafe { sys::sumac_free(given.as_ptr().cast()) };
    copy
}

/// The choices that the library makes for one call, in JSON: `{"name", "milliseconds", "numbers": {..}, "kinds": {..}, "bytes":
/// {..}}`. The header `sumac/experimental.h` explains the names, which may change between versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    json: String,
}

impl Plan {
    /// Returns the plan of an MSM whose bases do not exist yet. The options are those of the bases and of the MSM.
    pub fn new<'a>(context: &'a mut Context, curve: Curve, n: usize) -> Call<'a, (BasesConfig<'a>, MsmConfig<'a>), Result<Plan>> {
        Call::new(context, move |context, (bases, msm): &(BasesConfig<'_>, MsmConfig<'_>)| {
            let mut keep = Keep::default();
            let (bases, msm) = (bases.raw(&mut keep)?, msm.raw(&mut keep)?);
            Ok(Plan::of(make!(context, sumac_plan_create, curve, n, &bases, &msm)?))
        })
    }

    pub(crate) fn of(json: NonNull<c_char>) -> Plan {
        Plan { json: take_text(json) }
    }

    /// Returns the whole plan.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns the value of a name in a part of the text. Names and values have no escapes.
    fn member(inside: &str, name: &str) -> Option<String> {
        let after = inside.split_once(&format!("\"{name}\": "))?.1;
        Some(after.split([',', '}']).next()?.trim_matches('"').to_string())
    }

    fn member_of(&self, object: &str, name: &str) -> Option<String> {
        let inside = self.json.split_once(&format!("\"{object}\": {{"))?.1;
        Plan::member(&inside[..=inside.find('}')?], name)
    }

    /// Returns the name of the plan, which is one of [`Context::plans`].
    pub fn name(&self) -> String {
        Plan::member(&self.json, "name").unwrap_or_default()
    }

    /// Returns the milliseconds that the cost model predicts.
    pub fn milliseconds(&self) -> f64 {
        Plan::member(&self.json, "milliseconds").and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    /// Returns a number by its name, such as "c".
    pub fn number(&self, name: &str) -> Option<f64> {
        self.member_of("numbers", name)?.parse().ok()
    }

    /// Returns the kind that was chosen for a stage: "recode", "sort", "accumulate", "reduce" or "combine".
    pub fn kind(&self, stage: &str) -> Option<String> {
        self.member_of("kinds", stage)
    }

    /// Returns the number of bytes for one purpose, such as "workspace".
    pub fn bytes(&self, row: &str) -> Option<u64> {
        self.member_of("bytes", row)?.parse().ok()
    }
}
