//! Tells the crate which compiler and which source built it, for the manifests of experiments.

#[path = "src/experiment/source.rs"]
mod source;

fn main() {
    println!("cargo:rerun-if-env-changed=RUSTC");
    for part in source::PARTS {
        println!("cargo:rerun-if-changed={part}");
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo:rustc-env=LUDOMETER_RUSTC={}", version.unwrap_or_default().trim());
    let hash = source::hash(std::path::Path::new(".")).unwrap_or_default();
    println!("cargo:rustc-env=LUDOMETER_SOURCE={hash}");
}
