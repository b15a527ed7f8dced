//! The `ludometer` command; everything it does is in [`ludometer::cli`].

fn main() -> std::process::ExitCode {
    ludometer::cli::main()
}
