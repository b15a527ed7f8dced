//! A temporary folder with a spec in it, the commands that are run there, and what they leave.
//!
//! Every test file that includes this module uses its own part of it.
#![allow(dead_code)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ludometer");

/// What a command has left.
pub struct Ran {
    command: String,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    fn new(command: &Command, Output { status, stdout, stderr }: Output) -> Ran {
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Ran { command: format!("{command:?}"), code: status.code(), stdout, stderr }
    }

    /// Holds that the command has ended with `code` and told every word.
    pub fn told(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}: {}", self.command, self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "no '{word}' in: {}", self.stderr);
        }
    }

    /// Holds that the command has done its work.
    pub fn done(self) -> Ran {
        self.told(0, &[]);
        self
    }

    /// Holds that the command has failed with one line, which has every word.
    pub fn failed(&self, code: i32, words: &[&str]) {
        self.told(code, words);
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "more than one line: {}", self.stderr);
    }

    /// Holds that the command has failed so before it has put anything out.
    pub fn refused(&self, code: i32, words: &[&str]) {
        self.failed(code, words);
        assert_eq!(self.stdout, "", "{}", self.command);
    }
}

/// The program with these arguments, in which quotes keep blanks.
pub fn ludometer(arguments: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    for (n, part) in arguments.split(['"', '\'']).enumerate() {
        match n % 2 {
            0 => command.args(part.split_whitespace()),
            _ => command.arg(part),
        };
    }
    command
}

/// A command runs to its end.
pub fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran::new(command, output)
}

/// The program runs to its end where the tests are run.
pub fn run(arguments: &str) -> Ran {
    ran(&mut ludometer(arguments))
}

/// The finished lines of a file, none before there is a file.
pub fn lines(path: PathBuf) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.matches('\n').count())
}

/// A row of a table, by column.
pub type Row = HashMap<String, String>;

/// The rows of a table in CSV.
pub fn rows(csv: &str) -> Vec<Row> {
    csv::Reader::from_reader(csv.as_bytes()).into_deserialize().map(Result::unwrap).collect()
}

/// The row of a quantity of a game.
pub fn quantity<'a>(summary: &'a [Row], game: &str, name: &str) -> &'a Row {
    let row = summary.iter().find(|row| row["game"] == game && row["quantity"] == name);
    row.unwrap_or_else(|| panic!("no {name} of {game} in {summary:?}"))
}

/// Holds that a spec is refused with these words where it says `to` instead of `from`.
pub fn refuses(spec: &str, from: &str, to: &str, words: &[&str]) {
    assert!(spec.contains(from), "{from}");
    let lab = Lab::new(&spec.replacen(from, to, 1));
    lab.run("run sample.toml").refused(2, words);
    assert_eq!(lab.count("", ""), 1, "{to}: something has been written");
}

/// A folder where commands are run; a spec in it has the id `sample`.
pub struct Lab(pub tempfile::TempDir);

impl Lab {
    pub fn empty() -> Lab {
        Lab(tempfile::tempdir().unwrap())
    }

    pub fn new(spec: &str) -> Lab {
        let lab = Lab::empty();
        lab.write("sample.toml", spec);
        lab
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file of results, or with "" of their folder.
    pub fn results(&self, name: &str) -> PathBuf {
        self.path("results/sample").join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }

    /// The text of a file of results.
    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.results(name)).unwrap()
    }

    /// The rows of a file of results.
    pub fn table(&self, name: &str) -> Vec<Row> {
        rows(&self.file(name))
    }

    /// The files of results that nothing but the plan may change.
    pub fn files(&self) -> [String; 3] {
        ["batches.csv", "histograms.csv", "summary.csv"].map(|name| self.file(name))
    }

    /// How many names in a folder end with `ending`, none before there is a folder.
    pub fn count(&self, folder: &str, ending: &str) -> usize {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else { return 0 };
        let names = entries.flatten().map(|entry| entry.file_name());
        names.filter(|name| name.to_string_lossy().ends_with(ending)).count()
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = ludometer(arguments);
        command.current_dir(self.0.path());
        command
    }

    pub fn run(&self, arguments: &str) -> Ran {
        ran(&mut self.command(arguments))
    }

    pub fn done(&self, arguments: &str) -> Ran {
        self.run(arguments).done()
    }

    /// A command that gets a signal, as `kill` takes it, once `ready`, unless it has ended by then. It
    /// must not write more than a pipe holds.
    pub fn stopped(&self, arguments: &str, signal: &str, ready: impl Fn() -> bool) -> Ran {
        let mut command = self.command(arguments);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut signalled = false;
        let mut start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if !signalled && ready() {
                let mut kill = Command::new("kill");
                match signal {
                    "-KILL" => child.kill().unwrap(),
                    _ => _ = kill.args([signal, &child.id().to_string()]).status().unwrap(),
                }
                (signalled, start) = (true, Instant::now());
            }
            if start.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                panic!("{arguments}: still at work after a minute");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ran::new(command, child.wait_with_output().unwrap())
    }

    /// A script for `shell`, which finds the program by its name.
    pub fn script(&self, shell: &str, text: &str) -> Ran {
        let folder = Path::new(PROGRAM).parent().unwrap().display();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
        let mut command = Command::new(shell);
        ran(command.args(["-c", text]).env("PATH", path).current_dir(self.0.path()))
    }
}
