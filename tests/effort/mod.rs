//! How much work the heavy tests do: little in the dev profile, all of it in any other profile
//! (`cargo test --profile ci`). `LUDOMETER_TESTS=quick|full|deep` overrides the profile.

use std::io::Write;

/// How much work a heavy test does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Seconds, for the loop of edit and test.
    Quick,
    /// Minutes, what CI runs.
    Full,
    /// As long as it takes; `just perft-deep`.
    Deep,
}

/// The effort asked for.
pub fn effort() -> Effort {
    match std::env::var("LUDOMETER_TESTS").as_deref() {
        Ok("quick") => Effort::Quick,
        Ok("full") => Effort::Full,
        Ok("deep") => Effort::Deep,
        Ok(other) => panic!("LUDOMETER_TESTS={other}: allowed are quick, full and deep"),
        Err(_) => {
            // The test program is target/<profile>/deps/<name>; the dev profile's folder is debug.
            let program = std::env::current_exe().unwrap();
            let profile = program.ancestors().nth(2).and_then(|folder| folder.file_name()).unwrap();
            if profile == "debug" { Effort::Quick } else { Effort::Full }
        }
    }
}

/// Says on stderr, past the capture of the test harness, what a heavy test ran.
pub fn report(line: &str) {
    let _ = writeln!(std::io::stderr(), "    {line}");
}
