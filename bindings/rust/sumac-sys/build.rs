// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles the library or finds an installed one. Says where the declarations of its interface are.
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn variable(name: &str) -> PathBuf {
    PathBuf::from(env::var_os(name).expect("cargo"))
}

/// Returns a folder that the packaged crate contains. In the repository this folder does not exist, so that a program writes it to
/// OUT_DIR.
fn generated(name: &str, program: &[&str], watched: &[&str]) -> PathBuf {
    let (own, made) = (variable("CARGO_MANIFEST_DIR"), variable("OUT_DIR").join(name));
    if own.join(name).exists() {
        return own.join(name);
    }
    let root = own.join("../../..");
    let _ = std::fs::remove_dir_all(&made);
    let output = Command::new("python3").current_dir(&root).arg("-B").args(program).arg(&made).output().expect("python3");
    assert!(output.status.success(), "{program:?}\n{}", String::from_utf8_lossy(&output.stderr));
    for path in watched {
        println!("cargo:rerun-if-changed={}", root.join(path).display());
    }
    made
}

/// Fails with one line, which cargo shows.
fn give_up(why: &str) -> ! {
    eprintln!(
        "{why}: install sumac, or set PKG_CONFIG_PATH to the folder of its sumac.pc or SUMAC_LIB_DIR to that of libsumac.so, or \
         compile it with the feature `vendored`"
    );
    std::process::exit(1);
}

/// Links the library in a folder that the caller has chosen.
fn link(folder: &Path) {
    if !["libsumac.so", "libsumac.a", "libsumac.dylib"].iter().any(|name| folder.join(name).exists()) {
        give_up(&format!("there is no libsumac in the folder that SUMAC_LIB_DIR names, {}", folder.display()));
    }
    println!("cargo:rustc-link-lib=sumac");
    println!("cargo:rustc-link-search=native={}", folder.display());
}

/// Links an installed library that has the minor version of this crate, because it has the functions of the crate. Before 1.0 the
/// next minor version has another interface. From 1.0 on, the next major version does.
#[cfg(not(feature = "vendored"))]
fn link_installed() {
    let part = |name| env::var(format!("CARGO_PKG_VERSION_{name}")).expect("cargo").parse::<u32>().expect("a number");
    let (major, minor) = (part("MAJOR"), part("MINOR"));
    let wanted = format!("sumac {major}.{minor}");
    let next = if major == 0 { format!("0.{}", minor + 1) } else { format!("{}", major + 1) };
    let bounds = [format!("sumac >= {major}.{minor}"), format!("sumac < {next}")];
    let flags = match Command::new("pkg-config").arg("--libs-only-L").args(bounds).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(_) => give_up(&format!("pkg-config finds no {wanted}")),
        Err(_) => give_up("there is no pkg-config to find sumac"),
    };
    println!("cargo:rustc-link-lib=sumac");
    for folder in flags.split_whitespace().filter_map(|flag| flag.strip_prefix("-L")) {
        println!("cargo:rustc-link-search=native={folder}");
    }
}

/// Compiles the chosen curves of packages/flat.py's layout, which contains its description.
#[cfg(feature = "vendored")]
mod vendored {
    use super::{generated, variable};
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{env, fs, thread};

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Says whether a file, or a line of the registry, belongs to a chosen curve or to no curve. The name of a curve's file begins
    /// with the name of the curve and an underscore.
    fn is_chosen(name: &str, curves: &BTreeMap<String, bool>) -> bool {
        let of = curves.iter().filter(|(curve, _)| name.starts_with(&format!("{curve}_")));
        of.map(|(_, chosen)| *chosen).next().unwrap_or(true)
    }

    /// Writes the registry without the curves that were not chosen.
    fn registry(common: &Path, curves: &BTreeMap<String, bool>) -> PathBuf {
        let text = read(&common.join("registry.c"));
        let of = |line: &str| line.split_once("sumac_group_").map(|(_, name)| name.to_string());
        let lines: Vec<_> = text.lines().filter(|line| of(line).map_or(true, |name| is_chosen(&name, curves))).collect();
        let count = lines.iter().filter(|line| line.trim_start().starts_with("&sumac_group_")).count();
        assert!(count > 0, "no curve was chosen: the features `curves` and `bn254`, `bls12-381` .. choose them");
        let (before, _) = lines.iter().enumerate().find(|(_, line)| line.contains("sumac_registry_count")).expect("a count");
        let path = variable("OUT_DIR").join("registry.c");
        let text = format!("{}\nconst size_t sumac_registry_count = {count};\n", lines[..before].join("\n"));
        fs::write(&path, text).expect("OUT_DIR can be written");
        path
    }

    pub fn compile() {
        let program = ["packages/flat.py", "--ckzg", "--layout", "rust"];
        let source = generated("csrc", &program, &["packages/flat.py", "src", "include", "compat/ckzg"]);
        let (is_x86_64, is_aarch64) = match env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
            Ok("x86_64") => (true, false),
            Ok("aarch64") => (false, true),
            _ => (false, false),
        };
        let curves: BTreeMap<String, bool> = read(&source.join("common/registry.c"))
            .lines()
            .filter_map(|line| Some(line.split_once("&sumac_group_")?.1.rsplit_once("_g")?.0.to_string()))
            .map(|curve| (curve.clone(), env::var_os(format!("CARGO_FEATURE_{}", curve.to_uppercase())).is_some()))
            .collect();
        let mut files = Vec::new();
        let ckzg = cfg!(feature = "ckzg").then_some("ckzg");
        for name in ["common", "portable", "adx", "avx2", "avx512"].into_iter().chain(ckzg) {
            let folder = source.join(name);
            let flags = read(&folder.join("flags.txt"));
            let (any, x86_64) = flags.split_once("\n\n").expect("an empty line");
            let flags: Vec<_> = any.lines().chain(x86_64.lines().filter(|_| is_x86_64)).map(String::from).collect();
            for file in fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()) {
                let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
                let is_source = file.extension().is_some_and(|end| end == "c" || end == "S") && stem != "registry";
                let is_wanted = (is_x86_64 || !stem.ends_with("_amd64")) && (is_aarch64 || !stem.ends_with("_arm64"));
                let curve = stem.trim_start_matches("describe_").trim_start_matches("scalars_");
                if is_source && is_wanted && is_chosen(curve, &curves) {
                    files.push((file.clone(), flags.clone()));
                }
            }
            if name == "common" {
                let own = format!("-I{}", folder.display());
                files.push((registry(&folder, &curves), [flags, vec![own]].concat()));
            }
        }
        // Files of curves come first, because they take longest.
        files.sort_by_key(|(file, _)| (!file.with_extension("").to_string_lossy().contains("_g"), file.clone()));
        let mut build = cc::Build::new();
        build.warnings(false).debug(false).opt_level(2);
        let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut objects = Vec::new();
            while let Some((file, flags)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                objects.extend(build.clone().flags(flags).file(file).compile_intermediates());
            }
            objects
        };
        // The crate cc compiles in parallel only if it has crates that need a newer Rust.
        let objects: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("objects")).collect()
        });
        build.objects(objects).compile("sumac");
        for library in ["m", "pthread", "dl"] {
            println!("cargo:rustc-link-lib={library}");
        }
    }
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["SUMAC_LIB_DIR", "PKG_CONFIG_PATH", "DOCS_RS"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let watched = ["include/sumac", "src/curves/generated", "tools/gen_bindings.py", "tools/headers.py"];
    let folder = generated("generated", &["tools/gen_bindings.py", "rust"], &watched);
    println!("cargo:rustc-env=SUMAC_INTERFACE={}", folder.join("interface.rs").display());
    // The crate `sumac` gets this path as DEP_SUMAC_OPTIONS.
    println!("cargo:options={}", folder.join("options.rs").display());
    if env::var_os("DOCS_RS").is_some() {
        return; // Documentation needs no library.
    }
    if let Some(folder) = env::var_os("SUMAC_LIB_DIR") {
        return link(Path::new(&folder));
    }
    #[cfg(feature = "vendored")]
    vendored::compile();
    #[cfg(not(feature = "vendored"))]
    link_installed();
}
