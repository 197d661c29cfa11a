// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generates the calls that the test makes. It reads the headers and the source of the crate sumac.
use std::process::Command;

fn main() {
    let (generator, folder) = ("../../../tools/fuzz_calls.py", std::env::var("OUT_DIR").expect("cargo"));
    for watched in ["../sumac/src", "../../../include/sumac", "../../../tools"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let status = Command::new("python3").args(["-B", generator, "--rust-source", &format!("{folder}/calls.rs")]).status();
    assert!(status.expect("python3").success(), "{generator} failed");
}
