// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Finds the library, or builds it, and generates the declarations of its interface. It needs no other crates.
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}"));
    if !output.status.success() {
        panic!("{shown}\n{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).expect("text")
}

/// The folder of the source: in the packaged crate, or that of sumac's repository.
fn source() -> PathBuf {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo"));
    [own.join("vendor"), own.join("../../..")]
        .into_iter()
        .find(|folder| folder.join("include/sumac/sumac.h").exists())
        .expect("the source of sumac is neither in vendor/ nor around this crate")
}

fn build(source: &Path) {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo")).join("build");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(source).arg("-B").arg(&folder);
    configure.arg("-DCMAKE_BUILD_TYPE=Release");
    configure.args(["TESTS", "PROGRAM", "CUDA", "CKZG", "RAPIDSNARK", "MPI"].map(|part| format!("-DSUMAC_{part}=OFF")));
    if let Ok(curves) = env::var("SUMAC_CURVES") {
        configure.arg(format!("-DSUMAC_CURVES={curves}"));
    }
    run(&mut configure);
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "2".into());
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--target", "sumac_static", "--parallel", &jobs]));
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=sumac");
    for library in ["m", "pthread", "dl"] {
        println!("cargo:rustc-link-lib={library}");
    }
    for watched in ["include", "src", "cmake", "CMakeLists.txt"] {
        println!("cargo:rerun-if-changed={}", source.join(watched).display());
    }
}

/// In the repository the declarations are generated from the headers; in a packaged crate vendor.sh has put them.
/// The crate `sumac` gets the path of its options as DEP_SUMAC_OPTIONS.
fn declare() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo"));
    let mut folder = own.join("generated");
    let repository = own.join("../../..");
    let generator = repository.join("tools/gen_bindings.py");
    if generator.exists() {
        folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo"));
        run(Command::new("python3").arg("-B").arg(&generator).arg("rust").arg(&folder));
        for watched in ["include/sumac", "tools/gen_bindings.py", "tools/headers.py"] {
            println!("cargo:rerun-if-changed={}", repository.join(watched).display());
        }
    }
    println!("cargo:rustc-env=SUMAC_INTERFACE={}", folder.join("interface.rs").display());
    println!("cargo:options={}", folder.join("options.rs").display());
}

/// Fail with one line, which cargo shows.
fn give_up(why: &str) -> ! {
    eprintln!(
        "{why}: install sumac, or set PKG_CONFIG_PATH to the folder of its sumac.pc or SUMAC_LIB_DIR to that of libsumac.so, or \
         build it with the feature `vendored` (docs/embedding.md)"
    );
    std::process::exit(1);
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for variable in ["SUMAC_LIB_DIR", "SUMAC_CURVES", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    declare();
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return build(&source());
    }
    println!("cargo:rustc-link-lib=sumac");
    if let Some(folder) = env::var_os("SUMAC_LIB_DIR").map(PathBuf::from) {
        if !["libsumac.so", "libsumac.a", "libsumac.dylib"].iter().any(|name| folder.join(name).exists()) {
            give_up(&format!("there is no libsumac in the folder that SUMAC_LIB_DIR names, {}", folder.display()));
        }
        println!("cargo:rustc-link-search=native={}", folder.display());
        return;
    }
    // A library of the crate's own minor version has its functions. Before 1.0 the next minor version has another interface;
    // from 1.0 on the next major version has.
    let part = |name| env::var(format!("CARGO_PKG_VERSION_{name}")).expect("cargo").parse::<u32>().expect("a number");
    let (major, minor) = (part("MAJOR"), part("MINOR"));
    let wanted = format!("sumac {major}.{minor}");
    let next = if major == 0 { format!("0.{}", minor + 1) } else { format!("{}", major + 1) };
    let bounds = [format!("sumac >= {major}.{minor}"), format!("sumac < {next}")];
    let found = Command::new("pkg-config").arg("--libs-only-L").args(bounds).output();
    let flags = match found {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(_) => give_up(&format!("pkg-config finds no {wanted}")),
        Err(_) => give_up("there is no pkg-config to find sumac"),
    };
    for folder in flags.split_whitespace().filter_map(|flag| flag.strip_prefix("-L")) {
        println!("cargo:rustc-link-search=native={folder}");
    }
}
