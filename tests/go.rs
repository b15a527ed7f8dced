//! Go against a slow second set of rules, published numbers of games and hand-made positions.

#![allow(clippy::unwrap_used)]

mod sweep;

use std::collections::{BTreeSet, HashMap, HashSet};

use ludometer::game::{Game, Notation, Outcome, Scored};
use ludometer::games::go::Go;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use sweep::sweep;

/// A board as rows of '.', 'X' and 'O', row 0 at the bottom.
type Rows = Vec<Vec<char>>;

fn beside(rows: &Rows, (column, row): (usize, usize)) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    if column > 0 {
        found.push((column - 1, row));
    }
    if row > 0 {
        found.push((column, row - 1));
    }
    if column + 1 < rows[0].len() {
        found.push((column + 1, row));
    }
    if row + 1 < rows.len() {
        found.push((column, row + 1));
    }
    found
}

/// The chain of the stone or empty point, and whether it touches what `touched` is.
fn chain(rows: &Rows, start: (usize, usize), touched: char) -> (HashSet<(usize, usize)>, bool) {
    let colour = rows[start.1][start.0];
    let mut seen = HashSet::from([start]);
    let mut pending = vec![start];
    let mut touches = false;
    while let Some(point) = pending.pop() {
        for next in beside(rows, point) {
            let there = rows[next.1][next.0];
            touches |= there == touched;
            if there == colour && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    (seen, touches)
}

/// The board after the placement; `None` when that is suicide or the point is taken.
fn placed(rows: &Rows, (column, row): (usize, usize), colour: char) -> Option<Rows> {
    if rows[row][column] != '.' {
        return None;
    }
    let mut after = rows.clone();
    after[row][column] = colour;
    for next in beside(rows, (column, row)) {
        let there = after[next.1][next.0];
        if there != '.' && there != colour {
            let (stones, is_free) = chain(&after, next, '.');
            if !is_free {
                stones.into_iter().for_each(|(column, row)| after[row][column] = '.');
            }
        }
    }
    chain(&after, (column, row), '.').1.then_some(after)
}

fn areas(rows: &Rows) -> (usize, usize) {
    let points = (0..rows.len()).flat_map(|row| (0..rows[0].len()).map(move |c| (c, row)));
    let owner = |point: (usize, usize)| match rows[point.1][point.0] {
        '.' => match (chain(rows, point, 'X').1, chain(rows, point, 'O').1) {
            (true, false) => 'X',
            (false, true) => 'O',
            _ => '.',
        },
        colour => colour,
    };
    let owners: Vec<char> = points.map(owner).collect();
    let count = |colour| owners.iter().filter(|owner| **owner == colour).count();
    (count('X'), count('O'))
}

fn text(rows: &Rows) -> String {
    let lines: Vec<String> = rows.iter().rev().map(|row| row.iter().collect()).collect();
    lines.join("/")
}

#[test]
fn moves_and_results_are_those_of_the_slow_rules() {
    let mut repetitions_refused = 0;
    for (columns, rows, games) in [
        (1, 1, 2),
        (2, 1, 20),
        (1, 4, 40),
        (2, 2, 100),
        (3, 2, 60),
        (3, 3, 60),
        (5, 4, 20),
        (7, 7, 6),
    ] {
        let game = Go::new(columns, rows).unwrap();
        for seed in 0..games {
            let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut position = game.initial();
            let mut board: Rows = vec![vec!['.'; columns as usize]; rows as usize];
            let mut earlier = HashSet::from([board.clone()]);
            let (mut mover, mut passes) = ('X', 0);
            loop {
                let written = game.write_position(&position);
                let expected = format!("{} {mover}{}", text(&board), " pass".repeat(passes));
                assert_eq!(written, expected);
                let mut moves = Vec::new();
                game.legal_moves(&position, &mut moves);
                if passes == 2 {
                    assert!(moves.is_empty());
                    let (black, white) = areas(&board);
                    let outcome = match black.cmp(&white) {
                        std::cmp::Ordering::Greater => Outcome::FirstWins,
                        std::cmp::Ordering::Less => Outcome::SecondWins,
                        std::cmp::Ordering::Equal => Outcome::Draw,
                    };
                    assert_eq!(game.outcome(&position), outcome, "{written}");
                    break;
                }
                let mut expected = Vec::new();
                for row in 0..rows as usize {
                    for column in 0..columns as usize {
                        let Some(after) = placed(&board, (column, row), mover) else { continue };
                        if earlier.contains(&after) {
                            repetitions_refused += 1;
                        } else {
                            let name = format!("{}{}", (b'a' + column as u8) as char, row + 1);
                            expected.push((name, Some(after)));
                        }
                    }
                }
                expected.push(("pass".to_owned(), None));
                let names: Vec<String> =
                    moves.iter().map(|mv| game.write_move(&position, *mv)).collect();
                let expected_names: Vec<&String> = expected.iter().map(|(name, _)| name).collect();
                assert_eq!(names.iter().collect::<Vec<_>>(), expected_names, "{written}");
                let n = (generator.next_u64() % moves.len() as u64) as usize;
                game.play(&mut position, moves[n]);
                mover = if mover == 'X' { 'O' } else { 'X' };
                match expected.swap_remove(n).1 {
                    Some(after) => {
                        passes = 0;
                        earlier.insert(after.clone());
                        board = after;
                    }
                    None => passes += 1,
                }
            }
        }
    }
    assert!(repetitions_refused > 100, "superko was hardly tried: {repetitions_refused}");
}

#[test]
fn the_smallest_boards_have_the_published_numbers_of_games() {
    // Source: J. Tromp and G. Farneback, Combinatorics of Go, numbers of games on 1 x n. There suicide
    // is legal; on these boards it never leads to a new board.
    for (length, games) in [(1, 1), (2, 9), (3, 907)] {
        assert_eq!(sweep(&Go::new(length, 1).unwrap()).games, games);
        assert_eq!(sweep(&Go::new(1, length).unwrap()).games, games);
    }
}

#[test]
fn paths_of_boards_on_2x2_estimate_the_published_number_of_games() {
    // Source: as above; suicide on 2 x 2 leads back to the empty board. Each game is a path of boards
    // along placements of either colour, with a pass before a placement out of turn: a walk that
    // chooses among all of them estimates the number of paths by its partial products.
    let published = 386_356_909_593.0;
    let game = Go::new(2, 2).unwrap();
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut own, mut out_of_turn) = (Vec::new(), Vec::new());
    let (mut sum, mut squares, walks) = (0.0, 0.0, 300_000);
    for _ in 0..walks {
        let mut position = game.initial();
        let (mut product, mut paths) = (1.0, 1.0);
        loop {
            game.legal_moves(&position, &mut own);
            let pass = own.pop().unwrap();
            let mut passed = position.clone();
            game.play(&mut passed, pass);
            game.legal_moves(&passed, &mut out_of_turn);
            out_of_turn.pop().unwrap();
            let choices = own.len() + out_of_turn.len();
            if choices == 0 {
                break;
            }
            product *= choices as f64;
            paths += product;
            let n = (generator.next_u64() % choices as u64) as usize;
            match own.get(n) {
                Some(mv) => game.play(&mut position, *mv),
                None => {
                    game.play(&mut passed, out_of_turn[n - own.len()]);
                    position = passed;
                }
            }
        }
        sum += paths;
        squares += paths * paths;
    }
    let walks = f64::from(walks);
    let mean = sum / walks;
    let error = ((squares / walks - mean * mean) / walks).sqrt();
    println!("{mean} +- {error}");
    assert!(error < 0.05 * published, "{mean} +- {error}");
    assert!((mean - published).abs() < 4.0 * error, "{mean} +- {error}");
}

/// The position after the moves, from the start.
fn played(game: &Go, moves: &str) -> <Go as Game>::Position {
    let mut position = game.initial();
    for text in moves.split_whitespace() {
        let mv = game.read_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
        game.play(&mut position, mv);
    }
    position
}

#[test]
fn a_ko_may_be_taken_back_only_after_the_board_has_changed() {
    let game = Go::new(5, 5).unwrap();
    // Black takes the stone at b2 from c2; White may not take back at once.
    let ko = "b1 c1 a2 d2 b3 c3 e5 b2 c2";
    let after = played(&game, ko);
    assert!(game.read_move(&after, "b2").is_err(), "{}", game.write_position(&after));
    // The same placement on the same board is legal where nothing came before.
    let fresh = game.read_position(&game.write_position(&after)).unwrap();
    assert!(game.read_move(&fresh, "b2").is_ok());
    let threat = played(&game, &format!("{ko} a5 d5"));
    assert!(game.read_move(&threat, "b2").is_ok());
    // Passes change nothing on the board.
    let passed = played(&game, &format!("{ko} pass e1"));
    assert!(game.read_move(&passed, "b2").is_ok());
    let idle = played(&game, &format!("{ko} pass"));
    assert_eq!(game.write_position(&idle).split_once(' ').unwrap().1, "X pass");
}

/// Every position of the games on 1 x 3 with the sequence of its boards, in the order of the game.
fn with_boards(
    game: &Go,
    position: &<Go as Game>::Position,
    boards: &mut Vec<String>,
    found: &mut HashMap<<Go as Game>::Position, HashSet<Vec<String>>>,
) {
    let board = game.write_position(position).split(' ').next().unwrap().to_owned();
    boards.push(board);
    boards.dedup();
    let length = boards.len();
    found.entry(position.clone()).or_default().insert(boards.clone());
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    for mv in moves {
        let mut child = position.clone();
        game.play(&mut child, mv);
        with_boards(game, &child, boards, found);
        boards.truncate(length);
    }
}

#[test]
fn positions_are_equal_when_the_same_boards_have_occurred_in_any_order() {
    let game = Go::new(3, 1).unwrap();
    let mut found = HashMap::new();
    with_boards(&game, &game.initial(), &mut Vec::new(), &mut found);
    let mut merged = 0;
    let mut by_set = HashMap::new();
    for (position, sequences) in &found {
        let set = |boards: &Vec<String>| boards.iter().cloned().collect::<BTreeSet<_>>();
        let sets: HashSet<_> = sequences.iter().map(set).collect();
        assert_eq!(sets.len(), 1, "{}", game.write_position(position));
        merged += usize::from(sequences.len() > 1);
        let set = sets.into_iter().next().unwrap();
        assert_eq!(by_set.insert((game.write_position(position), set), position), None);
    }
    assert!(merged > 10, "{merged} of {} positions are reached in two orders", found.len());
}

#[test]
fn go_names_what_is_wrong_with_a_position() {
    let game = Go::new(3, 3).unwrap();
    for (text, problem) in [
        (".../.../...", "is no position"),
        (".../... X", "has 2 rows, the board has 3"),
        (".../..../... X", "'....': has 4 cells, the board has 3 columns"),
        (".../.Z./... X", "'Z': is no cell"),
        (".../.../... Z", "'Z': is no side to move"),
        (".../X../OX. X", "the chain of a1 has no liberty"),
        (".../.../... X passed", "'passed': is out of place"),
        (".../.../... X pass pass pass", "'pass': is out of place"),
    ] {
        let error = match game.read_position(text) {
            Ok(position) => panic!("'{text}' was read as {}", game.write_position(&position)),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(problem), "{text}: {error}");
    }
    assert!(Go::new(0, 1).is_none() && Go::new(8, 7).is_none() && Go::new(7, 8).is_none());
}
