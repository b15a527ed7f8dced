//! The catalog's own tests: names, identifiers, refusals.

#![allow(clippy::unwrap_used)]

use super::*;

struct Moves;

impl Visitor for Moves {
    type Output = usize;
    fn visit<G: Playable>(self, game: &G) -> usize {
        game.mobility(&game.initial(), &mut Vec::new())
    }
}

fn spec(name: &str) -> GameSpec {
    GameSpec::new(name, &Parameters::default()).unwrap()
}

#[test]
fn every_name_leads_to_its_game() {
    let expected = [
        ("tic-tac-toe", "tic-tac-toe", 9),
        ("connect-four", "connect-four-7x6", 7),
        ("othello", "othello-8", 4),
        ("hex", "hex-11", 121),
        ("go", "go-7", 50),
        ("dots-and-boxes", "dots-and-boxes-5x5", 60),
        ("chess", "chess", 20),
        ("uniform-tree", "uniform-tree-b3-d8", 3),
        ("comb", "comb-b2-d12", 2),
        ("checkers-4", "checkers-4", 3),
        ("checkers-6", "checkers-6", 5),
        ("checkers-8", "checkers-8", 7),
        ("checkers-10", "checkers-10", 9),
        ("checkers-12", "checkers-12", 11),
        ("checkers-14", "checkers-14", 13),
        ("draughts-4", "draughts-4", 3),
        ("draughts-6", "draughts-6", 5),
        ("draughts-8", "draughts-8", 7),
        ("draughts-10", "draughts-10", 9),
        ("draughts-12", "draughts-12", 11),
        ("draughts-14", "draughts-14", 13),
    ];
    let found: Vec<(&str, String, usize)> = names()
        .iter()
        .map(|entry| (entry.name, spec(entry.name).id(), spec(entry.name).visit(Moves)))
        .collect();
    let expected: Vec<(&str, String, usize)> =
        expected.into_iter().map(|(name, id, moves)| (name, id.to_owned(), moves)).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_id_tells_what_differs_from_the_default() {
    let id = |name: &str, parameters: Parameters| GameSpec::new(name, &parameters).unwrap().id();
    let ruled = |rule: &str| Parameters {
        draw_rule: Some(DrawRule::parse(rule).unwrap()),
        ..Parameters::default()
    };
    assert_eq!(id("draughts-6", ruled("fmjd+cap=2000")), "draughts-6-fmjd-cap-2000");
    assert_eq!(id("checkers-8", ruled("lone-king=32/10")), "checkers-8-lone-king-32-10");
    let keep = Duplicates::Keep;
    let both = Parameters { duplicates: Some(keep), ..ruled("english") };
    assert_eq!(id("checkers-8", both), "checkers-8-keep-english");
    let plies = Parameters { passes: Some(Passes::Plies), ..Parameters::default() };
    assert_eq!(id("othello", plies), "othello-8-plies");
}

#[test]
fn only_draughts_without_a_limit_go_on_for_ever() {
    let ends = |rule: &str| {
        let draw_rule = Some(DrawRule::parse(rule).unwrap());
        GameSpec::new("draughts-6", &Parameters { draw_rule, ..Parameters::default() })
            .unwrap()
            .ends()
    };
    for rule in ["fmjd", "english", "threefold", "quiet=9", "cap=100"] {
        assert!(ends(rule), "{rule}");
    }
    assert!(spec("chess").ends() && spec("chess").has_history());
    assert!(spec("go").ends() && spec("go").has_history() && !spec("hex").has_history());
    assert!(!ends("none") && !ends("lone-king=32/10") && spec("othello").ends());
}

#[test]
fn checkers_on_large_boards_counts_the_known_paths() {
    struct Counts;
    impl Visitor for Counts {
        type Output = Vec<u64>;
        fn visit<G: Playable>(self, game: &G) -> Vec<u64> {
            (1..=5).map(|depth| crate::game::perft(game, &game.initial(), depth)).collect()
        }
    }
    // Source: public bug report bcorfman/raven-checkers#8, rebuilt in tests/cases_draughts.rs; two
    // programs agree.
    for (name, counts) in [
        ("checkers-10", [9, 81, 658, 4265, 26875]),
        ("checkers-12", [11, 121, 1222, 10053, 78629]),
        ("checkers-14", [13, 169, 2042, 20513, 194687]),
    ] {
        assert_eq!(spec(name).visit(Counts), counts, "{name}");
    }
}

#[test]
fn an_alias_is_the_same_game() {
    for entry in names() {
        for alias in entry.aliases {
            assert_eq!(spec(alias), spec(entry.name));
        }
    }
    for (alias, id) in [
        ("english", "checkers-8"),
        ("brazilian", "draughts-8"),
        ("international", "draughts-10"),
        ("canadian", "draughts-12"),
    ] {
        assert_eq!(spec(alias).id(), id);
    }
}

#[test]
fn names_and_aliases_are_distinct() {
    let mut all: Vec<&str> = names()
        .iter()
        .flat_map(|entry| entry.aliases.iter().copied().chain([entry.name]))
        .collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn settled_parameters_are_the_ones_that_the_game_takes() {
    for entry in names() {
        let keys: Vec<&str> =
            spec(entry.name).parameters().into_iter().map(|(key, _)| key).collect();
        let taken: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.key()).collect();
        assert_eq!(keys, taken, "{}", entry.name);
    }
    let settled = [("duplicates", "drop".to_owned()), ("draw_rule", "none".to_owned())];
    assert_eq!(spec("draughts-10").parameters(), settled);
    let settled = [("size", "8".to_owned()), ("passes", "skipped".to_owned())];
    assert_eq!(spec("othello").parameters(), settled);
}

#[test]
fn a_refused_game_names_the_offender_and_what_is_allowed() {
    let none = Parameters::default();
    let refusal = |name: &str, parameters: Parameters| {
        GameSpec::new(name, &parameters).unwrap_err().to_string()
    };
    let unknown = refusal("shogi", none.clone());
    assert!(unknown.starts_with("unknown game 'shogi' (allowed: tic-tac-toe connect-four "));
    assert_eq!(
        refusal("othello", Parameters { columns: Some(7), ..none.clone() }),
        "othello does not take --columns (allowed: --size --passes)"
    );
    assert_eq!(
        refusal("tic-tac-toe", Parameters { size: Some(3), ..none.clone() }),
        "tic-tac-toe does not take --size (it has no parameters)"
    );
    let rule = Parameters { draw_rule: Some(DrawRule::FMJD), ..none.clone() };
    assert_eq!(
        refusal("comb", rule),
        "comb does not take --draw-rule (allowed: --branching --tree-depth)"
    );
    assert_eq!(
        refusal("connect-four", Parameters { rows: Some(9), ..none.clone() }),
        "--rows 9 is out of range (allowed: 1 to 8)"
    );
    assert_eq!(
        refusal("othello", Parameters { size: Some(5), ..none.clone() }),
        "--size 5 is out of range (allowed: 4, 6 or 8)"
    );
    assert_eq!(
        refusal("uniform-tree", Parameters { branching: Some(0), ..none }),
        "--branching 0 is out of range (allowed: 1 to 1000000)"
    );
}

#[test]
fn draughts_are_known_by_their_rules_and_board() {
    struct Names;
    impl DraughtsVisitor for Names {
        type Output = (&'static str, u32);
        fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> Self::Output {
            (R::NAME, B::N)
        }
    }
    for entry in names() {
        let (game, size) = entry.name.rsplit_once('-').unwrap_or((entry.name, ""));
        let expected = match game {
            "checkers" => Some((Checkers::NAME, size.parse().unwrap())),
            "draughts" => Some((International::NAME, size.parse().unwrap())),
            _ => None,
        };
        assert_eq!(spec(entry.name).visit_draughts(Names), expected, "{}", entry.name);
    }
}

#[test]
fn a_draw_rule_makes_a_game_with_history() {
    struct TypeName;
    impl Visitor for TypeName {
        type Output = &'static str;
        fn visit<G: Playable>(self, _game: &G) -> &'static str {
            std::any::type_name::<G>()
        }
    }
    let with = |draw_rule| Parameters { draw_rule: Some(draw_rule), ..Parameters::default() };
    let ruled = GameSpec::new("draughts-8", &with(DrawRule::FMJD)).unwrap();
    assert!(ruled.visit(TypeName).contains("Adjudicated") && ruled.has_draw_rule());
    let unruled = GameSpec::new("draughts-8", &with(DrawRule::NONE)).unwrap();
    assert!(!unruled.visit(TypeName).contains("Adjudicated") && !unruled.has_draw_rule());
    assert_eq!(unruled, spec("draughts-8"));
}
