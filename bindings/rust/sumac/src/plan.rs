// SPDX-License-Identifier: Apache-2.0 OR MIT
use crate::context::Context;
use crate::curve::Curve;
use crate::error::{c_string, text, text_or_none, Keep, Result};
use crate::options::{BasesConfig, MsmConfig};
use crate::pass::{make, raw};
use std::ffi::c_char;
use sumac_sys as sys;

crate::handle! {
    /// All choices for one call. A plan needs no context.
    Plan(sumac_plan, sumac_plan_destroy)
}

impl Plan {
    /// The plan of an MSM without bases.
    pub fn new(context: &mut Context, curve: Curve, n: usize, bases: &BasesConfig, msm: &MsmConfig<'_>) -> Result<Plan> {
        let mut keep = Keep::default();
        let (bases, msm) = (bases.raw(&mut keep)?, msm.raw(&mut keep)?);
        let raw = make!(context, sumac_plan_create, curve, n, &bases, &msm)?;
        Ok(Plan { raw })
    }

    /// The name of the plan, one of [`Context::plan_names`].
    pub fn name(&self) -> String {
        unsafe { text(sys::sumac_plan_name(self.raw.as_ptr())) }
    }

    /// The milliseconds that the cost model predicts.
    pub fn milliseconds(&self) -> f64 {
        raw!(sumac_plan_milliseconds, self)
    }

    /// The bits of a window, c.
    pub fn window_bits(&self) -> u32 {
        raw!(sumac_plan_window_bits, self)
    }

    /// How many multiples of each base are used.
    pub fn precompute_factor(&self) -> u32 {
        raw!(sumac_plan_precompute_factor, self)
    }

    /// The bytes of workspace that the call takes.
    pub fn workspace_bytes(&self) -> u64 {
        raw!(sumac_plan_workspace_bytes, self)
    }

    fn names(&self, at: unsafe extern "C" fn(*const sys::sumac_plan, usize) -> *const c_char) -> Vec<String> {
        (0..).map_while(|i| unsafe { text_or_none(at(self.raw.as_ptr(), i)) }).collect()
    }

    /// All numbers of the plan, by name.
    pub fn numbers(&self) -> Vec<(String, f64)> {
        let value = |name: &String| self.number(name).unwrap_or_default();
        self.names(sys::sumac_plan_number_name).into_iter().map(|name| (name.clone(), value(&name))).collect()
    }

    /// A number by its name; 0 if there is no such number.
    pub fn number(&self, name: &str) -> Result<f64> {
        let name = c_string(name)?;
        Ok(unsafe { sys::sumac_plan_number(self.raw.as_ptr(), name.as_ptr()) })
    }

    /// The stages, in the order in which they run.
    pub fn stages(&self) -> Vec<String> {
        self.names(sys::sumac_plan_stage)
    }

    /// The kind that was chosen for a stage.
    pub fn kind(&self, stage: &str) -> Result<Option<String>> {
        let stage = c_string(stage)?;
        Ok(unsafe { text_or_none(sys::sumac_plan_kind(self.raw.as_ptr(), stage.as_ptr())) })
    }

    /// The names of the rows of its memory.
    pub fn rows(&self) -> Vec<String> {
        self.names(sys::sumac_plan_row)
    }

    /// The bytes of a row by its name; 0 if there is no such row.
    pub fn bytes(&self, row: &str) -> Result<u64> {
        let row = c_string(row)?;
        Ok(unsafe { sys::sumac_plan_bytes(self.raw.as_ptr(), row.as_ptr()) })
    }
}
