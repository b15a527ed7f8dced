//! `ludometer egdb` as its users meet it: tables, bad input, kills, full disks, damage.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn ludometer(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludometer"));
    command.arg("egdb").args(arguments).current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    ludometer(folder, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> Output {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    output
}

fn refused(output: &Output, code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.lines().count(), 1, "more than one line: {message}");
    for word in words {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}

/// Finished files of a database.
fn finished(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let names = entries.flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".egdb")).count()
}

/// The files of a database with their bytes.
fn files(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "egdb"))
        .map(|path| (path.file_name().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_writes_its_slices_and_a_lock_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let names = |dir: &str| {
        let entries = std::fs::read_dir(folder.path().join(dir)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    std::fs::create_dir(folder.path().join("home")).unwrap();
    let slices = "0.1.0.1 0.1.0.2 0.1.1.1 0.1.2.0 1.0.0.1 1.0.0.2 1.0.1.0 1.0.1.1 1.0.2.0";
    let mut expected: Vec<String> =
        slices.split(' ').map(|slice| format!("draughts-6_{slice}.egdb")).collect();
    expected.insert(0, "draughts-6.lock".into());
    for dir in ["egdb", "plain"] {
        let mut arguments = vec!["build", "draughts-6", "--pieces", "3", "--dir", dir];
        arguments.extend((dir == "plain").then_some("--uncompressed"));
        let mut command = ludometer(folder.path(), &arguments);
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env(variable, folder.path().join("home"));
        }
        assert!(command.output().unwrap().status.success());
        assert_eq!(names(dir), expected);
    }
    assert_eq!(names("home"), [""; 0]);
    assert_eq!(names(""), ["egdb", "home", "plain"]);
}

#[test]
fn a_database_is_built_counted_probed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let built = done(folder.path(), &["build", "checkers-6", "--pieces", "3", "--dir", "egdb"]);
    let table = stdout(&built);
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "game,pieces,slices,slices_found,positions,cumulative_positions,bytes,seconds,cpu_seconds"
    );
    assert!(rows[1].starts_with("checkers-6,2,3,0,1029,1029,"), "{table}");
    assert!(rows[2].starts_with("checkers-6,3,6,0,30126,31155,"), "{table}");
    // Source: tests/data/egdb/6x6.csv.
    let reference = include_str!("data/egdb/6x6.csv");
    let expected: Vec<&str> = reference.lines().take(3).collect();
    let info = stdout(&done(folder.path(), &["info", "checkers-6", "--dir", "egdb"]));
    assert_eq!(info.lines().collect::<Vec<_>>(), expected);
    let slices = ["info", "checkers-6", "--dir", "egdb", "--pieces", "2", "--by", "slices"];
    let slices = stdout(&done(folder.path(), &slices));
    assert_eq!(
        slices.lines().next().unwrap(),
        "game,white_men,white_kings,black_men,black_kings,wins,draws,losses,positions,\
         longest_win_plies,positions_with_longest_win"
    );
    let mut sums = [0; 4];
    for row in slices.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        for (sum, field) in sums.iter_mut().zip(&fields[5..9]) {
            *sum += field.parse::<u64>().unwrap();
        }
    }
    assert_eq!((slices.lines().count(), sums), (5, [256, 648, 125, 1029]));
    let plies = ["info", "checkers-6", "--dir", "egdb", "--pieces", "2", "--by", "plies"];
    let plies = stdout(&done(folder.path(), &plies));
    assert!(plies.contains("\ncheckers-6,2,draw,,648\n"), "{plies}");
    assert!(plies.contains("\ncheckers-6,2,win,9,1\n"), "{plies}");
    let position = ["probe", "checkers-6", "--dir", "egdb", "--fen", "W:WK16:BK3,4"];
    let moves = done(folder.path(), &position);
    assert_eq!(stdout(&moves), "move,value,plies,position\n16-13,loss,32,\"B:WK13:BK3,4\"\n");
    assert!(stderr(&moves).contains("W:WK16:BK3,4: loss in 32 plies"), "{}", stderr(&moves));
    let line = stdout(&done(folder.path(), &[&position[..], &["--line"]].concat()));
    let rows: Vec<&str> = line.lines().collect();
    assert_eq!(rows.len(), 33);
    assert_eq!(rows[1], "1,16-13,loss,32,\"B:WK13:BK3,4\"");
    assert!(rows[32].starts_with("32,") && rows[32].contains(",win,1,"), "{line}");
    let longest = stdout(&done(folder.path(), &["longest", "checkers-6", "--dir", "egdb"]));
    let rows: Vec<&str> = longest.lines().collect();
    assert_eq!(rows[0], "game,pieces,longest_win_plies,position,king_moves_in_a_row,line");
    // As many as the table counts, and each line as long as its win.
    assert_eq!(rows.len(), 3);
    for (row, plies) in rows[1..].iter().zip([9, 45]) {
        let moves = row.rsplit(',').next().unwrap();
        assert!(row.contains(&format!(",{plies},")), "{row}");
        assert_eq!(moves.split(' ').count(), plies, "{row}");
    }
    let verified = stdout(&done(folder.path(), &["verify", "checkers-6", "--dir", "egdb"]));
    assert_eq!(
        verified,
        "game,pieces,slices,positions_verified,wins,draws,losses,known_counts\n\
         checkers-6,2,3,1029,256,648,125,equal\n\
         checkers-6,3,6,30126,15579,1907,12640,equal\n"
    );
    // Nothing is left to do.
    let again = ["build", "checkers-6", "--pieces", "3", "--dir", "egdb"];
    let again = stdout(&done(folder.path(), &again));
    assert!(again.lines().nth(2).unwrap().starts_with("checkers-6,3,6,6,30126,31155,"), "{again}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["build", "draughts-4", "--pieces", "3", "--dir", "egdb"]);
    let there = ["draughts-4", "--dir", "egdb"];
    let with = |verb: &'static str, more: &[&'static str]| [&[verb], &there[..], more].concat();
    let usage: [(Vec<&str>, &[&str]); 10] = [
        (vec!["build", "othello", "--pieces", "3", "--dir", "x"], &["othello", "draughts"]),
        (vec!["build", "draughts-7", "--pieces", "3", "--dir", "x"], &["draughts-7"]),
        (vec!["build", "draughts-14", "--pieces", "9", "--dir", "x"], &["too large"]),
        (with("build", &["--pieces", "5"]), &["--pieces", "5", "2 to 4"]),
        (with("build", &["--pieces", "1"]), &["--pieces", "1", "2 to 4"]),
        (with("build", &["--pieces", "-3"]), &["-3"]),
        (with("probe", &["--fen", "W:W7,8:B1,2"]), &["W:W7,8:B1,2", "up to 3 pieces"]),
        (with("probe", &["--fen", "W:W9:B1"]), &["9", "expected: FEN"]),
        (with("info", &["--draw-rule", "fmjd"]), &["--draw-rule"]),
        (with("info", &["--by", "depth"]), &["depth", "pieces", "slices", "plies"]),
    ];
    for (arguments, words) in usage {
        let output = run(folder.path(), &arguments);
        refused(&output, 2, words);
        assert_eq!(stdout(&output), "");
    }
    let work: [(Vec<&str>, &[&str]); 4] = [
        (vec!["info", "draughts-4", "--dir", "nowhere"], &["nowhere"]),
        (vec!["info", "checkers-4", "--dir", "egdb"], &["checkers-4", "egdb"]),
        (with("info", &["--pieces", "4"]), &["draughts-4_", "is missing"]),
        (vec!["build", "draughts-10", "--pieces", "6", "--dir", "x"], &["bytes of free memory"]),
    ];
    for (arguments, words) in work {
        refused(&run(folder.path(), &arguments), 1, words);
    }
    assert!(!folder.path().join("x").exists());
    // Opening a pipe would wait for ever.
    let slice = folder.path().join("egdb/draughts-4_1.0.1.0.egdb");
    std::fs::remove_file(&slice).unwrap();
    assert!(Command::new("mkfifo").arg(&slice).status().unwrap().success());
    refused(&run(folder.path(), &with("info", &[])), 1, &["1.0.1.0.egdb is no regular file"]);
    let file = ["build", "draughts-4", "--pieces", "2", "--dir", "egdb/draughts-4.lock"];
    refused(&run(folder.path(), &file), 1, &["egdb/draughts-4.lock is no folder"]);
}

#[test]
fn a_damaged_byte_is_named_by_file_and_block() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["build", "checkers-6", "--pieces", "3", "--dir", "egdb"]);
    let path = folder.path().join("egdb/checkers-6_0.1.0.2.egdb");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    // 18 x 17 x 16 / 2 placements, White to move and Black to move: 4896 bytes in 2 blocks.
    let words = ["checkers-6_0.1.0.2.egdb is damaged: block 1 of 2"];
    for verb in ["info", "verify"] {
        refused(&run(folder.path(), &[verb, "checkers-6", "--dir", "egdb"]), 1, &words);
    }
    let larger = ["build", "checkers-6", "--pieces", "4", "--dir", "egdb"];
    let output = run(folder.path(), &larger);
    assert!(stderr(&output).contains(words[0]), "{}", stderr(&output));
    std::fs::write(&path, &bytes[..100]).unwrap();
    let output = run(folder.path(), &["info", "checkers-6", "--dir", "egdb"]);
    refused(&output, 1, &["checkers-6_0.1.0.2.egdb has 100 bytes instead of"]);
    std::fs::remove_file(&path).unwrap();
    let output = run(folder.path(), &["info", "checkers-6", "--dir", "egdb"]);
    refused(&output, 1, &["checkers-6_0.1.0.2.egdb is missing"]);
    // Only what is missing is built again.
    let output = done(folder.path(), &["build", "checkers-6", "--pieces", "3", "--dir", "egdb"]);
    assert!(stdout(&output).contains("\ncheckers-6,3,6,5,"), "{}", stdout(&output));
    done(folder.path(), &["verify", "checkers-6", "--dir", "egdb"]);
}

/// A build of half a million positions, long enough to be killed.
const BUILD: [&str; 7] = ["build", "draughts-6", "--pieces", "4", "--dir", "egdb", "--threads=1"];

#[cfg(unix)]
#[test]
fn a_killed_and_an_interrupted_build_go_on_to_the_same_files() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let whole = folders[0].path();
    done(whole, &BUILD);
    let folder = folders[1].path();
    let egdb = folder.join("egdb");
    let mut hit = 0;
    for (slices, signal) in [(2, "-KILL"), (6, "-INT"), (12, "-KILL")] {
        let mut command = ludometer(folder, &BUILD);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while finished(&egdb) < slices && start.elapsed() < Duration::from_secs(100) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        if signal == "-INT" && !output.status.success() {
            assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
            assert!(stderr(&output).contains("the same command goes on"), "{}", stderr(&output));
        }
        hit += usize::from(!output.status.success());
    }
    assert!(hit > 0, "every build was over too soon");
    done(folder, &BUILD);
    assert_eq!(files(&egdb), files(&whole.join("egdb")));
    assert_eq!(finished(&egdb), 23);
}

#[cfg(unix)]
#[test]
fn a_full_disk_fails_in_one_line_and_the_build_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    // Files of at most 20 blocks of 512 bytes stand in for a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 20; exec {} egdb {}",
        env!("CARGO_BIN_EXE_ludometer"),
        BUILD.join(" ")
    );
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    refused(&output, 1, &["cannot write egdb/draughts-6_", "File too large"]);
    let egdb = folder.path().join("egdb");
    let kept = finished(&egdb);
    assert!((9..23).contains(&kept), "{kept}");
    let names = std::fs::read_dir(&egdb).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")));
    done(folder.path(), &BUILD);
    done(folder.path(), &["verify", "draughts-6", "--dir", "egdb"]);
}
