//! `ludometer egdb` as its users meet it: tables, bad input, kills, full disks, damage.
#![allow(clippy::unwrap_used)]

mod lab;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use lab::{Lab, ran};

/// The files of a database with their bytes.
fn files(folder: PathBuf) -> Vec<(OsString, Vec<u8>)> {
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
    let lab = Lab::empty();
    let names = |dir: &str| {
        let entries = std::fs::read_dir(lab.path(dir)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    std::fs::create_dir(lab.path("home")).unwrap();
    let slices = "0.1.0.1 0.1.0.2 0.1.1.1 0.1.2.0 1.0.0.1 1.0.0.2 1.0.1.0 1.0.1.1 1.0.2.0";
    let mut expected: Vec<String> =
        slices.split(' ').map(|slice| format!("draughts-6_{slice}.egdb")).collect();
    expected.insert(0, "draughts-6.lock".into());
    for (dir, more) in [("egdb", ""), ("plain", "--uncompressed")] {
        let build = format!("egdb build draughts-6 --pieces 3 --dir {dir} {more}");
        let mut command = lab.command(&build);
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env(variable, lab.path("home"));
        }
        ran(&mut command).done();
        assert_eq!(names(dir), expected);
    }
    assert_eq!(names("home"), [""; 0]);
    assert_eq!(names(""), ["egdb", "home", "plain"]);
}

#[test]
fn a_database_is_built_counted_probed_and_verified() {
    let lab = Lab::empty();
    let build = "egdb build checkers-6 --pieces 3 --dir egdb";
    let table = lab.done(build).stdout;
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
    let info = lab.done("egdb info checkers-6 --dir egdb").stdout;
    assert_eq!(info.lines().collect::<Vec<_>>(), expected);
    let slices = lab.done("egdb info checkers-6 --dir egdb --pieces 2 --by slices").stdout;
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
    let plies = lab.done("egdb info checkers-6 --dir egdb --pieces 2 --by plies").stdout;
    assert!(plies.contains("\ncheckers-6,2,draw,,648\n"), "{plies}");
    assert!(plies.contains("\ncheckers-6,2,win,9,1\n"), "{plies}");
    let moves = lab.run("egdb probe checkers-6 --dir egdb --fen W:WK16:BK3,4");
    moves.told(0, &["W:WK16:BK3,4: loss in 32 plies"]);
    assert_eq!(moves.stdout, "move,value,plies,position\n16-13,loss,32,\"B:WK13:BK3,4\"\n");
    let line = lab.done("egdb probe checkers-6 --dir egdb --fen W:WK16:BK3,4 --line").stdout;
    let rows: Vec<&str> = line.lines().collect();
    assert_eq!(rows.len(), 33);
    assert_eq!(rows[1], "1,16-13,loss,32,\"B:WK13:BK3,4\"");
    assert!(rows[32].starts_with("32,") && rows[32].contains(",win,1,"), "{line}");
    let longest = lab.done("egdb longest checkers-6 --dir egdb").stdout;
    let rows: Vec<&str> = longest.lines().collect();
    assert_eq!(rows[0], "game,pieces,longest_win_plies,position,king_moves_in_a_row,line");
    // As many as the table counts, and each line as long as its win.
    assert_eq!(rows.len(), 3);
    for (row, plies) in rows[1..].iter().zip([9, 45]) {
        let moves = row.rsplit(',').next().unwrap();
        assert!(row.contains(&format!(",{plies},")), "{row}");
        assert_eq!(moves.split(' ').count(), plies, "{row}");
    }
    let verified = lab.done("egdb verify checkers-6 --dir egdb").stdout;
    assert_eq!(
        verified,
        "game,pieces,slices,positions_verified,wins,draws,losses,known_counts\n\
         checkers-6,2,3,1029,256,648,125,equal\n\
         checkers-6,3,6,30126,15579,1907,12640,equal\n"
    );
    // Nothing is left to do.
    let again = lab.done(build).stdout;
    assert!(again.lines().nth(2).unwrap().starts_with("checkers-6,3,6,6,30126,31155,"), "{again}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let lab = Lab::empty();
    lab.done("egdb build draughts-4 --pieces 3 --dir egdb");
    let usage: [(&str, &[&str]); 10] = [
        ("build othello --pieces 3 --dir x", &["othello", "draughts"]),
        ("build draughts-7 --pieces 3 --dir x", &["draughts-7"]),
        ("build draughts-14 --pieces 9 --dir x", &["too large"]),
        ("build draughts-4 --dir egdb --pieces 5", &["--pieces", "5", "2 to 4"]),
        ("build draughts-4 --dir egdb --pieces 1", &["--pieces", "1", "2 to 4"]),
        ("build draughts-4 --dir egdb --pieces -3", &["-3"]),
        ("probe draughts-4 --dir egdb --fen W:W7,8:B1,2", &["W:W7,8:B1,2", "up to 3 pieces"]),
        ("probe draughts-4 --dir egdb --fen W:W9:B1", &["9", "expected: FEN"]),
        ("info draughts-4 --dir egdb --draw-rule fmjd", &["--draw-rule"]),
        ("info draughts-4 --dir egdb --by depth", &["depth", "pieces", "slices", "plies"]),
    ];
    for (arguments, words) in usage {
        lab.run(&format!("egdb {arguments}")).refused(2, words);
    }
    let work: [(&str, &[&str]); 4] = [
        ("info draughts-4 --dir nowhere", &["nowhere"]),
        ("info checkers-4 --dir egdb", &["checkers-4", "egdb"]),
        ("info draughts-4 --dir egdb --pieces 4", &["draughts-4_", "is missing"]),
        ("build draughts-10 --pieces 6 --dir x", &["bytes of free memory"]),
    ];
    for (arguments, words) in work {
        lab.run(&format!("egdb {arguments}")).refused(1, words);
    }
    assert!(!lab.path("x").exists());
    // Opening a pipe would wait for ever.
    let slice = lab.path("egdb/draughts-4_1.0.1.0.egdb");
    std::fs::remove_file(&slice).unwrap();
    assert!(Command::new("mkfifo").arg(&slice).status().unwrap().success());
    let info = lab.run("egdb info draughts-4 --dir egdb");
    info.refused(1, &["1.0.1.0.egdb is no regular file"]);
    let file = lab.run("egdb build draughts-4 --pieces 2 --dir egdb/draughts-4.lock");
    file.failed(1, &["egdb/draughts-4.lock is no folder"]);
}

#[test]
fn a_damaged_byte_is_named_by_file_and_block() {
    let lab = Lab::empty();
    let (build, info) =
        ("egdb build checkers-6 --pieces 3 --dir egdb", "egdb info checkers-6 --dir egdb");
    lab.done(build);
    let path = lab.path("egdb/checkers-6_0.1.0.2.egdb");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    // 18 x 17 x 16 / 2 placements, White to move and Black to move: 4896 bytes in 2 blocks.
    let words = ["checkers-6_0.1.0.2.egdb is damaged: block 1 of 2"];
    lab.run(info).refused(1, &words);
    lab.run("egdb verify checkers-6 --dir egdb").refused(1, &words);
    lab.run("egdb build checkers-6 --pieces 4 --dir egdb").told(1, &words);
    std::fs::write(&path, &bytes[..100]).unwrap();
    lab.run(info).refused(1, &["checkers-6_0.1.0.2.egdb has 100 bytes instead of"]);
    std::fs::remove_file(&path).unwrap();
    lab.run(info).refused(1, &["checkers-6_0.1.0.2.egdb is missing"]);
    // Only what is missing is built again.
    let table = lab.done(build).stdout;
    assert!(table.contains("\ncheckers-6,3,6,5,"), "{table}");
    lab.done("egdb verify checkers-6 --dir egdb");
}

/// A build of half a million positions, long enough to be killed.
const BUILD: &str = "egdb build draughts-6 --pieces 4 --dir egdb --threads=1";

#[cfg(unix)]
#[test]
fn a_killed_and_an_interrupted_build_go_on_to_the_same_files() {
    let (whole, lab) = (Lab::empty(), Lab::empty());
    whole.done(BUILD);
    let mut hit = 0;
    for (slices, signal) in [(2, "-KILL"), (6, "-INT"), (12, "-KILL")] {
        let stopped = lab.stopped(BUILD, signal, || lab.count("egdb", ".egdb") >= slices);
        if signal == "-INT" && stopped.code != Some(0) {
            stopped.told(130, &["the same command goes on"]);
        }
        hit += usize::from(stopped.code != Some(0));
    }
    assert!(hit > 0, "every build was over too soon");
    lab.done(BUILD);
    assert_eq!(files(lab.path("egdb")), files(whole.path("egdb")));
    assert_eq!(lab.count("egdb", ".egdb"), 23);
}

#[cfg(unix)]
#[test]
fn a_full_disk_fails_in_one_line_and_the_build_goes_on_later() {
    let lab = Lab::empty();
    // Files of at most 20 blocks of 512 bytes stand in for a full disk.
    let limited = lab.script("sh", &format!("trap '' XFSZ; ulimit -f 20; exec ludometer {BUILD}"));
    limited.failed(1, &["cannot write egdb/draughts-6_", "File too large"]);
    let kept = lab.count("egdb", ".egdb");
    assert!((9..23).contains(&kept), "{kept}");
    assert_eq!(lab.count("egdb", ".tmp"), 0);
    lab.done(BUILD);
    lab.done("egdb verify draughts-6 --dir egdb");
}
