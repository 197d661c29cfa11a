// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles the C functions of this folder. The crate sumac-sys links the library that they call.
fn main() {
    let sources = ["cache.c", "call.c", "functions.c", "parameters.c", "prove.c"];
    println!("cargo:rerun-if-changed=build.rs");
    for watched in sources.iter().copied().chain(["supraseal.h", "parameters.h", "cache.h", "prove.h", "call.h", "../../include"]) {
        println!("cargo:rerun-if-changed={watched}");
    }
    cc::Build::new().std("c11").include("../../include").warnings(false).files(sources).compile("sumac_supraseal");
}
