//! `ludometer solve` and `ludometer perfect` as their users meet them, and players that ask a database.
#![allow(clippy::unwrap_used)]

mod lab;

use std::time::Duration;

use lab::{Lab, rows};

fn column(csv: &str, name: &str) -> Vec<String> {
    rows(csv).into_iter().map(|row| row[name].clone()).collect()
}

#[test]
fn both_solvers_and_both_4x4_games_make_a_draw() {
    let lab = Lab::empty();
    for game in ["checkers-4", "draughts-4"] {
        for solver in ["dfpn", "pns", "pns-mobility"] {
            let table = lab.done(&format!("solve {game} --solver {solver}")).stdout;
            let [row] = rows(&table).try_into().unwrap();
            for (name, expected) in [
                ("game", game),
                ("solver", solver),
                ("pieces", "0"),
                ("value", "draw"),
                ("win", "disproved"),
                ("loss", "disproved"),
                ("plies_to_end", ""),
            ] {
                assert_eq!(row[name], expected, "{game} {solver}");
            }
            assert!(row["win_nodes"].parse::<u64>().unwrap() > 100);
            let mean: f64 = row["mean_depth"].parse().unwrap();
            assert!(mean > 1.0 && mean < row["greatest_depth"].parse().unwrap());
        }
    }
}

#[test]
fn a_database_is_asked_as_far_as_it_may_be() {
    let lab = Lab::empty();
    lab.done("egdb build draughts-6 --pieces 3 --dir egdb");
    let solve = |pieces: &str| {
        let arguments = "solve draughts-6 --fen W:W10,13:B2,6 --egdb egdb --pieces";
        let table = lab.done(&format!("{arguments} {pieces}")).stdout;
        let nodes: u64 = column(&table, "win_nodes")[0].parse().unwrap();
        (column(&table, "value"), column(&table, "pieces"), nodes)
    };
    let (three, two) = (solve("3"), solve("2"));
    assert_eq!(three.0, two.0);
    assert_eq!((three.1[0].as_str(), two.1[0].as_str()), ("3", "2"));
    assert!(three.2 < two.2, "{} {}", three.2, two.2);
    for (arguments, code, word) in [
        ("solve draughts-6 --egdb egdb --pieces 4", 1, "egdb"),
        ("solve draughts-6 --egdb nowhere", 1, "nowhere"),
        ("solve draughts-6 --pieces 3", 2, "--egdb"),
        ("match draughts-6 perfect,egdb=nowhere depth=1", 1, "nowhere"),
    ] {
        lab.run(arguments).refused(code, &[word]);
    }
    // A player with a database shows it in the games it signs.
    let engine = "depth=2,evaluation=material,egdb=egdb,pieces=3";
    lab.done(&format!("match draughts-6 {engine} depth=2 --games 2 --out match.pdn"));
    let games = std::fs::read_to_string(lab.path("match.pdn")).unwrap();
    assert!(games.contains(engine), "{games}");
}

/// Case O-EG2 of public bug reports, and the eleven plies that it takes.
#[test]
fn what_is_won_is_counted_and_played_as_a_database_does_and_what_is_drawn_is_not() {
    let lab = Lab::empty();
    let solve = |fen: &str| {
        let table = lab.done(&format!("solve checkers-8 --fen {fen} --distance")).stdout;
        ["value", "plies_to_end", "best_play"].map(|name| column(&table, name).remove(0))
    };
    lab.done("egdb build checkers-8 --pieces 2 --dir egdb");
    for (fen, value, plies) in [("W:WK29:BK4", "win", 11), ("B:WK25:BK4", "loss", 10)] {
        let line = lab.done(&format!("egdb probe checkers-8 --dir egdb --fen {fen} --line"));
        let moves = column(&line.stdout, "move");
        assert_eq!(moves.len(), plies);
        assert_eq!(solve(fen), [value.into(), plies.to_string(), moves.join(" ")]);
    }
    assert_eq!(solve("W:WK32:BK1"), ["draw", "", ""]);
}

/// Case O-EG1 of public bug reports.
#[test]
fn every_move_is_judged() {
    let lab = Lab::empty();
    let table = lab.done("perfect checkers-8 --fen W:WK2,K12:BK11").stdout;
    let analysed = lab.done("analyse checkers-8 --fen W:WK2,K12:BK11 --perfect");
    assert_eq!(analysed.stdout, table);
    let mut judged: Vec<(String, String)> =
        column(&table, "move").into_iter().zip(column(&table, "value")).collect();
    judged.sort();
    let expected = [("12-16", "draw"), ("12-8", "draw"), ("2-6", "win"), ("2-7", "draw")];
    assert_eq!(judged, expected.map(|(mv, value)| (mv.to_owned(), value.to_owned())));
    let each = lab.done("solve checkers-8 --fen W:WK2,K12:BK11 --plies 1 --distance");
    let table = each.stdout;
    let lines = column(&table, "line").into_iter().zip(column(&table, "plies_to_end"));
    let counted: Vec<_> = lines.filter(|(_, plies)| !plies.is_empty()).collect();
    assert_eq!(counted, [("2-6".to_owned(), "12".to_owned())]);
}

#[test]
fn limits_and_interrupts_end_as_unknown() {
    let lab = Lab::empty();
    for limit in ["--nodes 1000", "--memory 1MiB", "--time 0.05"] {
        let table = lab.done(&format!("solve checkers-8 --solver pns {limit}")).stdout;
        assert_eq!(column(&table, "value"), ["unknown"], "{limit}");
        assert_eq!(column(&table, "win"), ["unknown"], "{limit}");
    }
    let at_work = || {
        std::thread::sleep(Duration::from_millis(300));
        true
    };
    let interrupted = lab.stopped("solve checkers-8", "-INT", at_work);
    interrupted.told(130, &[]);
    assert_eq!(column(&interrupted.stdout, "value"), ["unknown"]);
}

/// Each limit of nodes holds for the proofs, and again for the search of the distance with its own.
#[test]
fn a_limit_ends_the_count_of_plies_and_says_so() {
    let lab = Lab::empty();
    let arguments = "solve checkers-8 --fen W:WK2,K12:BK11 --distance";
    let whole = lab.done(arguments).stdout;
    let nodes =
        ["win_nodes", "loss_nodes"].map(|name| column(&whole, name)[0].parse::<u64>().unwrap_or(0));
    let enough = nodes[0].max(nodes[1]) + 1;
    let limited = lab.run(&format!("{arguments} --nodes {enough}"));
    limited.told(0, &["plies are not counted: the limit of nodes"]);
    assert_eq!(column(&limited.stdout, "value"), ["win"]);
    assert_eq!(column(&limited.stdout, "plies_to_end"), [""]);
    let hurried = lab.run("solve checkers-8 --time 0.01");
    hurried.told(0, &["a proof ended at the limit of time"]);
}

#[test]
fn whoever_asks_a_damaged_database_names_the_damage() {
    let lab = Lab::empty();
    lab.done("egdb build checkers-6 --pieces 3 --dir egdb");
    for slice in ["1.0.0.2", "0.1.0.2", "0.1.1.1", "0.1.2.0", "1.0.1.1", "1.0.2.0"] {
        let path = lab.path(&format!("egdb/checkers-6_{slice}.egdb"));
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        bytes[last / 2] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    // Four pieces, so that every verb searches before it asks.
    for arguments in [
        "solve checkers-6 --fen W:WK16,17:BK3,5 --egdb egdb",
        "solve checkers-6 --solver pns --fen W:WK16,17:BK3,5 --egdb egdb",
        "perfect checkers-6 --fen W:WK16,17:BK3,5 --egdb egdb",
        "analyse checkers-6 --depth 13 --fen W:WK16,17:BK3,5 --egdb egdb",
        "selfplay checkers-6 --depth 4 --games 6 --out games --egdb egdb --perfect",
        "selfplay checkers-6 --depth 4 --games 6 --out games --egdb egdb",
        "match checkers-6 perfect,egdb=egdb depth=1 --games 4",
        "match checkers-6 depth=4,egdb=egdb depth=1 --games 4",
    ] {
        lab.run(arguments).failed(1, &["checkers-6_", "is damaged: block"]);
    }
}

#[test]
fn what_has_no_solver_is_refused() {
    let lab = Lab::empty();
    lab.done("egdb build checkers-6 --pieces 2 --dir egdb");
    for verb in ["solve", "perfect", "analyse"] {
        let asking = lab.run(&format!("{verb} checkers-6 --egdb egdb --pieces 13"));
        asking.refused(2, &["--pieces", "13 pieces", "2 to 12"]);
    }
    for (arguments, words) in [
        ("match checkers-6 perfect,egdb=egdb,pieces=13 depth=1", ["pieces=13", "2 to 12"]),
        ("match checkers-6 perfect,pieces=3 depth=1", ["pieces=", "egdb="]),
        ("solve checkers-6 --memory 3KiB", ["3KiB", "1MiB"]),
        ("solve checkers-6 --memory 9000000GiB", ["--memory", "free memory"]),
    ] {
        lab.run(arguments).refused(2, &words);
    }
    for verb in ["solve", "perfect"] {
        let othello = lab.run(&format!("{verb} othello"));
        othello.refused(2, &["othello", "checkers and draughts"]);
        lab.run(&format!("{verb} checkers-6 --fen W:W99:B1")).refused(2, &["99"]);
        lab.run(&format!("{verb} checkers-6 --play 1-9")).refused(2, &["1-9"]);
    }
}

/// 4x4 is a draw, and both colours are played.
#[test]
fn the_perfect_player_does_not_lose_and_plays_the_same_on_any_number_of_threads() {
    let lab = Lab::empty();
    for game in ["checkers-4", "draughts-4"] {
        let play = |threads: &str| {
            let out = format!("{game}-{threads}.pdn");
            let players = format!("match {game} perfect depth=3 --games 60 --openings start");
            let table = lab.done(&format!("{players} --threads {threads} --out {out}")).stdout;
            assert_eq!(column(&table, "losses")[0], "0", "{table}");
            (table, std::fs::read(lab.path(&out)).unwrap())
        };
        assert_eq!(play("1"), play("3"));
    }
}

/// Between two perfect players every game of 4x4 is drawn; the games tell who played.
#[test]
fn the_perfect_player_plays_itself() {
    let lab = Lab::empty();
    lab.done("egdb build draughts-4 --pieces 3 --dir egdb");
    let play = "selfplay draughts-4 --depth 2 --games 20 --out games";
    let perfect = format!("{play} --perfect --egdb egdb");
    let table = lab.done(&perfect).stdout;
    assert_eq!(column(&table, "draws"), ["20"], "{table}");
    let games = std::fs::read_to_string(lab.path("games/draughts-4-depth-2.pdn")).unwrap();
    assert!(games.contains("[Engine \"perfect,evaluation=positional,pieces=3\"]"), "{games}");
    assert_eq!(column(&lab.done(&perfect).stdout, "new_games"), ["0"]);
    // Others have played these.
    lab.run(play).failed(2, &["draughts-4-depth-2.pdn"]);
}
