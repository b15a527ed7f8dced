//! How a verb ends when it does not end well, and the exit code that says so.

use std::io;
use std::process::ExitCode;

use super::talk;

/// Why a verb stopped.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Usage(String),
    /// The work failed: exit code 1.
    Work(anyhow::Error),
    /// The reader of the output has gone, which is success: exit code 0.
    ClosedPipe,
    /// An interrupt stopped the work: exit code 130.
    Stopped(String),
}

/// What every verb returns.
pub type Result<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    /// A usage failure that shows `error`.
    pub fn usage(error: impl ToString) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// A failure of the work that shows `error`.
    pub fn work(error: impl ToString) -> Failure {
        Failure::Work(anyhow::Error::msg(error.to_string()))
    }

    /// Says what happened on stderr, in one line, and gives the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::ClosedPipe => return ExitCode::SUCCESS,
            Failure::Usage(message) => (message, 2),
            Failure::Work(error) => (format!("{error:#}"), 1),
            Failure::Stopped(message) => (message, 130),
        };
        let one_line: Vec<&str> = message.lines().map(str::trim).collect();
        talk::say(&format!("error: {}", one_line.join(" ")));
        ExitCode::from(code)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Work(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Work(anyhow::Error::new(error).context("writing standard output")),
        }
    }
}
