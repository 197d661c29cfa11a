// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Passes the path of the options that sumac-sys generates from the headers to the compiler.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=SUMAC_OPTIONS={}", std::env::var("DEP_SUMAC_OPTIONS").expect("sumac-sys says it"));
}
