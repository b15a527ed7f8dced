//! The shape of the house, read off the source text: imports only go down the ladder, every
//! dependency enters at its floor, algorithms neither print nor read the clock nor open files, and
//! no file name, marker or stub that the design forbids.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors, lowest first. A floor may name itself and the floors below it.
const LADDER: [&str; 13] = [
    "game",
    "games",
    "pdn",
    "state_space",
    "stream",
    "engine",
    "endgame",
    "solve",
    "self_play",
    "tree_size",
    "experiment",
    "report",
    "cli",
];

/// The lowest floor at which each dependency may be named.
const ENTERS_AT: [(&str, &str); 27] = [
    ("cozy_chess", "games"),
    ("bytemuck", "state_space"),
    ("crc32fast", "state_space"),
    ("fs4", "state_space"),
    ("memmap2", "state_space"),
    ("num_bigint", "state_space"),
    ("rayon", "state_space"),
    ("rustc_hash", "state_space"),
    ("thiserror", "pdn"),
    ("winnow", "pdn"),
    ("zstd", "pdn"),
    ("rand", "stream"),
    ("rand_xoshiro", "stream"),
    ("memchr", "endgame"),
    ("statrs", "self_play"),
    ("csv", "experiment"),
    ("serde", "experiment"),
    ("sha2", "experiment"),
    ("toml", "experiment"),
    ("plotters", "report"),
    ("anyhow", "cli"),
    ("clap", "cli"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("signal_hook", "cli"),
    ("indicatif", "cli"),
    ("libm", "tree_size"),
];

/// From this floor up, code may print, read the clock and open files.
const EFFECTS_FROM: &str = "experiment";

/// Below that floor, the files that may open files: what the exact counter keeps on disk, and endgame
/// databases, are too large to be passed up.
const OPEN_FILES: [&str; 4] = [
    "state_space/reachable/checkpoint.rs",
    "state_space/reachable/seeds.rs",
    "endgame/database.rs",
    "endgame/file.rs",
];

const NAMES_THAT_SAY_NOTHING: [&str; 9] =
    ["util", "utils", "common", "types", "helper", "helpers", "misc", "shared", "mod"];

fn height(floor: &str) -> usize {
    LADDER.iter().position(|name| *name == floor).unwrap_or_else(|| panic!("no floor {floor}"))
}

/// The identifiers and punctuation of Rust source, without comments and literals; `::` is one token.
fn tokens(source: &str) -> Vec<String> {
    let text: Vec<char> = source.chars().collect();
    let at = |i: usize| text.get(i).copied().unwrap_or('\0');
    let mut found = Vec::new();
    let mut i = 0;
    while i < text.len() {
        let c = text[i];
        if c == '/' && at(i + 1) == '/' {
            while i < text.len() && text[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            let mut depth = 0;
            loop {
                if at(i) == '/' && at(i + 1) == '*' {
                    depth += 1;
                    i += 2;
                } else if at(i) == '*' && at(i + 1) == '/' {
                    depth -= 1;
                    i += 2;
                } else {
                    i += 1;
                }
                if depth == 0 || i >= text.len() {
                    break;
                }
            }
        } else if c == 'r'
            && (at(i + 1) == '"' || (at(i + 1) == '#' && matches!(at(i + 2), '"' | '#')))
        {
            let mut hashes = 0;
            while at(i + 1 + hashes) == '#' {
                hashes += 1;
            }
            i += 2 + hashes;
            while i < text.len() && !(text[i] == '"' && (1..=hashes).all(|k| at(i + k) == '#')) {
                i += 1;
            }
            i += 1 + hashes;
        } else if c == '"' {
            i += 1;
            while i < text.len() && text[i] != '"' {
                i += if text[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c == '\'' {
            // A character literal closes soon; a lifetime does not.
            if at(i + 1) == '\\' {
                i += 3;
                while i < text.len() && text[i] != '\'' {
                    i += 1;
                }
                i += 1;
            } else if at(i + 2) == '\'' {
                i += 3;
            } else {
                i += 1;
            }
        } else if c.is_alphanumeric() || c == '_' {
            let start = i;
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            found.push(text[start..i].iter().collect());
        } else if c == ':' && at(i + 1) == ':' {
            found.push("::".into());
            i += 2;
        } else {
            if !c.is_whitespace() {
                found.push(c.into());
            }
            i += 1;
        }
    }
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names that may follow a path prefix which ends before `start`: one name, or the first names
/// of a braced group.
fn heads(tokens: &[String], start: usize) -> Vec<&str> {
    match tokens.get(start).map(String::as_str) {
        Some("{") => {
            let (mut depth, mut names) = (0, Vec::new());
            for i in start..tokens.len() {
                match tokens[i].as_str() {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    name if depth == 1
                        && is_name(name)
                        && matches!(tokens[i - 1].as_str(), "{" | ",") =>
                    {
                        names.push(name);
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            names
        }
        Some(name) if is_name(name) => vec![name],
        _ => Vec::new(),
    }
}

/// What is wrong with `source`, the text of `path` (relative to `src`); empty when nothing is.
fn faults(path: &str, source: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut fault = |what: String| wrong.push(format!("src/{path}: {what}"));
    let modules: Vec<&str> = path.strip_suffix(".rs").unwrap().split('/').collect();
    for name in &modules {
        if NAMES_THAT_SAY_NOTHING.contains(name) {
            fault(format!("the name '{name}' says nothing"));
        }
    }
    if !source.starts_with("//!") {
        fault("does not begin with a module doc".into());
    }
    for marker in ["TODO", "FIXME", "XXX"] {
        if source.contains(marker) {
            fault(format!("{marker} left in"));
        }
    }
    let tokens = tokens(source);
    if tokens.iter().any(|token| token == "unsafe") && !source.contains("SAFETY") {
        fault("unsafe without a SAFETY note".into());
    }
    let floor = modules[0];
    let on_ladder = LADDER.contains(&floor);
    if !on_ladder && !matches!(path, "lib.rs" | "main.rs") {
        fault(format!("'{floor}' is no floor of the ladder {LADDER:?}"));
        return wrong;
    }
    // Inline modules open at this point, with the brace depth at which each closes.
    let mut inline: Vec<(&str, usize)> = Vec::new();
    let mut depth = 0;
    for i in 0..tokens.len() {
        let token = tokens[i].as_str();
        let next = tokens.get(i + 1).map_or("", String::as_str);
        let starts_path = i == 0 || tokens[i - 1] != "::";
        match token {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if inline.last().is_some_and(|(_, closes)| *closes == depth) {
                    inline.pop();
                }
            }
            "mod" if tokens.get(i + 2).is_some_and(|t| t == "{") => {
                inline.push((&tokens[i + 1], depth))
            }
            "todo" | "unimplemented" | "dbg" if next == "!" => fault(format!("{token}! left in")),
            _ => {}
        }
        if !on_ladder {
            continue;
        }
        let in_tests = inline.iter().any(|(name, _)| *name == "tests");
        // Paths from the root of the crate, spelled with `crate` or with enough `super`s.
        let mut after = i + 2;
        let from_root = starts_path
            && next == "::"
            && match token {
                "crate" => true,
                "super" => {
                    let mut levels = 1;
                    while tokens.get(after).is_some_and(|t| t == "super") {
                        levels += 1;
                        after += 2;
                    }
                    levels == modules.len() + inline.len()
                }
                _ => false,
            };
        if from_root {
            for head in heads(&tokens, after) {
                if LADDER.contains(&head) && height(head) > height(floor) {
                    fault(format!("{floor} may not name {head}, which is above it"));
                }
            }
        }
        let named_crate = starts_path && (next == "::" || (i > 0 && tokens[i - 1] == "use"));
        if named_crate {
            let lowest =
                ENTERS_AT.iter().find(|(name, _)| *name == token).map(|(_, enters)| *enters);
            if let Some(lowest) = lowest
                && height(lowest) > height(floor)
            {
                fault(format!("{floor} may not use the crate {token}, which enters at {lowest}"));
            }
        }
        if height(floor) < height(EFFECTS_FROM) && !in_tests {
            let prints =
                matches!(token, "print" | "println" | "eprint" | "eprintln") && next == "!";
            let clock = matches!(token, "Instant" | "SystemTime");
            let files = !OPEN_FILES.contains(&path)
                && token == "std"
                && next == "::"
                && heads(&tokens, i + 2)
                    .iter()
                    .any(|head| matches!(*head, "fs" | "env" | "process"));
            if prints || clock || files {
                fault(format!("{floor} may not print, read the clock or open files ({token})"));
            }
        }
    }
    wrong
}

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut pending = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                found.push((relative.replace('\\', "/"), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_source_keeps_to_the_ladder() {
    let sources = sources();
    for floor in LADDER {
        let file = format!("{floor}.rs");
        assert!(sources.iter().any(|(path, _)| *path == file), "src/{file} is missing");
    }
    let wrong: Vec<String> = sources.iter().flat_map(|(path, text)| faults(path, text)).collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_dependency_has_a_floor() {
    let manifest: toml::Table =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .unwrap()
            .parse()
            .unwrap();
    let declared: BTreeSet<String> = manifest["dependencies"]
        .as_table()
        .unwrap()
        .keys()
        .map(|name| name.replace('-', "_"))
        .collect();
    let placed: BTreeSet<String> = ENTERS_AT.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(declared, placed);
}

/// The checker itself: each of these lines is a fault, and must be seen.
#[test]
fn the_checker_sees_each_kind_of_fault() {
    let bad = [
        ("game.rs", "use crate::games::draughts;", "may not name games"),
        (
            "games/othello.rs",
            "use crate::{game::Game, tree_size::Batch};",
            "may not name tree_size",
        ),
        ("tree_size/walk.rs", "fn f() { crate::report::plot() }", "may not name report"),
        ("tree_size/walk.rs", "use super::super::cli::Args;", "may not name cli"),
        (
            "state_space.rs",
            "mod inner { use super::super::experiment::Spec; }",
            "may not name experiment",
        ),
        ("games/othello.rs", "use rayon::prelude::*;", "may not use the crate rayon"),
        ("state_space.rs", "use rand;", "may not use the crate rand"),
        ("report.rs", "#[derive(clap::Parser)] struct A;", "may not use the crate clap"),
        ("tree_size.rs", "fn f() { println!(\"x\") }", "may not print"),
        ("tree_size.rs", "use std::{fmt, fs};", "may not print"),
        ("games.rs", "use std::time::Instant;", "may not print"),
        ("games/utils.rs", "fn f() {}", "says nothing"),
        ("games/mod.rs", "fn f() {}", "says nothing"),
        ("wing.rs", "fn f() {}", "is no floor"),
        ("cli.rs", "fn f() { todo!() }", "todo! left in"),
        ("cli.rs", "fn f() { unimplemented!() }", "unimplemented! left in"),
        ("cli.rs", "fn f() { dbg!(1); }", "dbg! left in"),
        ("cli.rs", "// TODO later", "TODO left in"),
        ("cli.rs", "fn f() { unsafe { g() } }", "SAFETY"),
    ];
    for (path, line, expected) in bad {
        let found = faults(path, &format!("//! Doc.\n{line}\n"));
        assert!(
            found.len() == 1 && found[0].contains(expected),
            "{path}: {line}\nexpected one fault with '{expected}', found {found:?}"
        );
    }
    assert_eq!(faults("cli.rs", "fn f() {}").len(), 1, "a missing module doc");
}

/// The checker is not fooled by text that only looks like a fault.
#[test]
fn the_checker_lets_good_source_pass() {
    let good = "//! Doc, see [`crate::cli`].\n\
        // crate::report in a comment, and /* use rayon */ too\n\
        use crate::game::Game;\nuse crate::{games::{self, draughts}, tree_size};\n\
        fn f<'a>(x: &'a str) -> char { let _ = \"crate::cli println! {\"; let _ = r#\"\"rayon::\"#; '{' }\n\
        mod tests { use super::*; fn g() { println!(\"x\"); } }\n";
    assert_eq!(faults("tree_size.rs", good), Vec::<String>::new());
}
