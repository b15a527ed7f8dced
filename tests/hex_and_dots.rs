//! Hex and Dots and Boxes against slow second ways, their symmetries and their texts.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use ludometer::game::{Game, Notation, Outcome, Scored, perft};
use ludometer::games::dots_and_boxes::{self, DotsAndBoxes};
use ludometer::games::hex::Hex;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Calls `see` with the moves made and the position after each ply of seeded random games.
fn games<G: Notation>(game: &G, count: u64, mut see: impl FnMut(&[String], &G::Position)) {
    let mut moves = Vec::new();
    for seed in 0..count {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = game.initial();
        let mut made = Vec::new();
        loop {
            see(&made, &position);
            game.legal_moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[(generator.next_u64() % moves.len() as u64) as usize];
            made.push(game.write_move(&position, mv));
            game.play(&mut position, mv);
        }
    }
}

fn refusal<G: Notation>(game: &G, text: &str) -> String {
    match game.read_position(text) {
        Ok(position) => panic!("'{text}' was read as {}", game.write_position(&position)),
        Err(error) => error.to_string(),
    }
}

/// Whether the cells, column and row from 0, hold a chain from row 0 to the last row.
fn crosses(cells: &HashSet<(i32, i32)>, size: i32) -> bool {
    let mut pending: Vec<_> = cells.iter().copied().filter(|cell| cell.1 == 0).collect();
    let mut seen: HashSet<_> = pending.iter().copied().collect();
    while let Some((column, row)) = pending.pop() {
        if row == size - 1 {
            return true;
        }
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let next = (column + right, row + down);
            if cells.contains(&next) && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

fn cell(text: &str) -> (i32, i32) {
    let column = i32::from(text.as_bytes()[0] - b'a');
    (column, text[1..].parse::<i32>().unwrap() - 1)
}

#[test]
fn a_game_of_hex_ends_with_the_stone_that_a_search_sees_join_two_sides() {
    for size in 2..=11 {
        let game = Hex::new(size).unwrap();
        let side = size as i32;
        games(&game, 60, |moves, position| {
            let of = |player: usize| moves.iter().skip(player).step_by(2).map(|mv| cell(mv));
            let first: HashSet<_> = of(0).collect();
            // Exchanging rows and columns turns the second player's sides into the first's.
            let second: HashSet<_> = of(1).map(|(column, row)| (row, column)).collect();
            let won = [crosses(&first, side), crosses(&second, side)];
            let mobility = game.mobility(position, &mut Vec::new());
            if won == [false, false] {
                assert_eq!(mobility, (size * size) as usize - moves.len());
            } else {
                assert_eq!(mobility, 0);
                let expected = if won[0] { Outcome::FirstWins } else { Outcome::SecondWins };
                assert_eq!(game.outcome(position), expected);
                assert!(won != [true, true]);
            }
        });
    }
}

#[test]
fn hex_positions_turn_by_half_a_turn() {
    for size in [2, 3, 5, 8, 11] {
        let game = Hex::new(size).unwrap();
        games(&game, 10, |_, position| {
            let text = game.write_position(position);
            let turned = game.read_position(&text.chars().rev().collect::<String>()).unwrap();
            let representative = game.representative(position);
            assert_eq!(representative, game.representative(&turned));
            assert!([Some(*position), Some(turned)].contains(&representative));
        });
    }
}

#[test]
fn hex_knows_its_neighbours_by_name() {
    let game = Hex::new(3).unwrap();
    // X joins top and bottom through b2 and the cell below to the left of it, a3.
    for (text, over) in [("OX./OX./X..", true), ("XO./XO./.X.", false), ("XX./OOO/XX.", false)] {
        let position = game.read_position(text);
        match (position, over) {
            (Ok(position), _) => {
                assert_eq!(game.mobility(&position, &mut Vec::new()) == 0, over, "{text}");
                assert_eq!(game.write_position(&position), text);
            }
            (Err(error), _) => assert!(text.starts_with("XX.") && !over, "{text}: {error}"),
        }
    }
    let mut moves = Vec::new();
    game.legal_moves(&game.initial(), &mut moves);
    let names: Vec<String> = moves.iter().map(|mv| game.write_move(&game.initial(), *mv)).collect();
    assert_eq!(names, ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
}

#[test]
fn hex_names_what_is_wrong_with_a_position() {
    let game = Hex::new(3).unwrap();
    for (text, problem) in [
        ("...", "has 1 rows, the board has 3"),
        (".../../...", "'..': has 2 cells, the board has 3 columns"),
        (".../.Z./...", "'Z': is no cell"),
        (".../.O./...", "has 0 X and 1 O"),
        ("X.O/X.O/X.O", "the game was over before"),
        ("XO./XO./XO.", "the game was over before"),
    ] {
        let refused = refusal(&game, text);
        assert!(refused.contains(problem), "{text}: {refused}");
    }
    let twice = refusal(&Hex::new(4).unwrap(), "XOOX/XOOX/XOOX/XO.X");
    assert!(twice.contains("a way that no last move completes"), "{twice}");
    let start = game.initial();
    for text in ["d1", "a4", "a0", "A1", "a01", "", "é1", "a"] {
        assert!(game.read_move(&start, text).is_err(), "{text}");
    }
}

#[test]
fn boxes_belong_to_the_players_that_a_replay_gives_them_to() {
    for (columns, rows) in
        [(1, 1), (1, 2), (2, 1), (3, 2), (2, 3), (5, 5), (21, 1), (1, 21), (4, 6)]
    {
        let game = DotsAndBoxes::new(columns, rows).unwrap();
        let edges = columns * (rows + 1) + rows * (columns + 1);
        games(&game, 60, |moves, position| {
            let text =
                |column: u32, row: u32| format!("{}{}", (b'a' + column as u8) as char, row + 1);
            let mut drawn = HashSet::new();
            let (mut shares, mut mover) = ([0, 0], 0);
            for mv in moves {
                let closed = |drawn: &HashSet<String>| {
                    let boxes = (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r)));
                    let is_closed = |(c, r): &(u32, u32)| {
                        let corners =
                            [text(*c, *r), text(c + 1, *r), text(*c, r + 1), text(c + 1, r + 1)];
                        [(0, 1), (2, 3), (0, 2), (1, 3)]
                            .iter()
                            .all(|(a, b)| drawn.contains(&(corners[*a].clone() + &corners[*b])))
                    };
                    boxes.filter(is_closed).count()
                };
                let before = closed(&drawn);
                assert!(drawn.insert(mv.clone()));
                let made = closed(&drawn) - before;
                shares[mover] += made;
                if made == 0 {
                    mover = 1 - mover;
                }
            }
            let end = format!(" {} {}-{}", ["X", "O"][mover], shares[0], shares[1]);
            let written = game.write_position(position);
            assert!(written.ends_with(&end), "{written} has not {end}");
            assert_eq!(game.read_position(&written).unwrap(), *position);
            let left = edges as usize - moves.len();
            assert_eq!(game.mobility(position, &mut Vec::new()), left);
            let expected = match shares[0].cmp(&shares[1]) {
                std::cmp::Ordering::Greater => Outcome::FirstWins,
                std::cmp::Ordering::Less => Outcome::SecondWins,
                std::cmp::Ordering::Equal => Outcome::Draw,
            };
            assert!(left > 0 || game.outcome(position) == expected);
        });
    }
}

#[test]
fn dots_and_boxes_has_as_many_paths_as_orders_of_the_edges() {
    let game = DotsAndBoxes::new(2, 1).unwrap();
    let counts: Vec<u64> = (0..=8).map(|depth| perft(&game, &game.initial(), depth)).collect();
    assert_eq!(counts, [1, 7, 42, 210, 840, 2520, 5040, 5040, 0]);
}

#[test]
fn one_edge_stands_for_its_images_on_the_board_of_boxes() {
    // Of 12 edges on 2 x 2 boxes 8 are outer and 4 inner ones; on 3 x 2 boxes rows and columns differ.
    for (columns, rows, classes) in [(2, 2, 2), (3, 2, 6), (1, 1, 1), (3, 3, 4)] {
        let game = DotsAndBoxes::new(columns, rows).unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&game.initial(), &mut moves);
        let after = |mv: &_| {
            let mut position = game.initial();
            game.play(&mut position, *mv);
            game.representative(&position)
        };
        let found: HashSet<_> = moves.iter().map(after).collect();
        assert_eq!(found.len(), classes, "{columns} x {rows}");
    }
    // The image of an image has the same representative.
    let game = DotsAndBoxes::new(3, 3).unwrap();
    games(&game, 5, |_, position| {
        let representative = game.representative(position).unwrap();
        assert_eq!(game.representative(&representative), Some(representative));
        let (text, image) = (game.write_position(position), game.write_position(&representative));
        assert_eq!(text.split_once(' ').unwrap().1, image.split_once(' ').unwrap().1);
    });
}

#[test]
fn dots_and_boxes_names_what_is_wrong_with_a_position() {
    let game = DotsAndBoxes::new(2, 1).unwrap();
    for (text, problem) in [
        ("../.../..", "is no position"),
        ("../... X 0-0", "has 2 lines, the board has 3"),
        ("../../.. X 0-0", "'..': has 2 edges, this line of the board has 3"),
        (".|/.../.. X 0-0", "'|': is no edge here (allowed: - .)"),
        ("../.../.. Z 0-0", "'Z': is no side to move"),
        ("../.../.. O 0-0", "0 edges and no box: the other side is to move"),
        ("../.../.. X 1-0", "'1-0': the board has 0 closed boxes"),
        ("../.../.. X x", "'x': is no share of boxes"),
        ("../.../.. X 4294967295-1", "closed boxes"),
    ] {
        let refused = refusal(&game, text);
        assert!(refused.contains(problem), "{text}: {refused}");
    }
    let closed = game.read_position("-./||./-. O 1-0").unwrap();
    assert_eq!(game.write_position(&closed), "-./||./-. O 1-0");
}

#[test]
fn boards_out_of_range_do_not_exist() {
    assert!(Hex::new(1).is_none() && Hex::new(12).is_none());
    for (columns, rows) in
        [(0, 1), (1, 0), (22, 1), (1, 22), (6, 5), (5, 6), (u32::MAX, 1), (1, u32::MAX)]
    {
        assert!(DotsAndBoxes::new(columns, rows).is_none(), "{columns} x {rows}");
    }
    for columns in 1..=dots_and_boxes::MAX_SIDE {
        let most = dots_and_boxes::most_rows(columns);
        assert!(DotsAndBoxes::new(columns, most).is_some(), "{columns} x {most}");
        assert!(DotsAndBoxes::new(columns, most + 1).is_none(), "{columns} x {}", most + 1);
    }
}
