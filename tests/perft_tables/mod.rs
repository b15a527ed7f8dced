//! Reader of the perft tables in `tests/perft/*.perft`.

use std::path::Path;

/// The known counts of one position under one duplicate policy.
#[derive(Clone, Debug)]
pub struct Table {
    /// FEN text, or `start`.
    pub position: String,
    /// Whether captures that differ only in their path count apart.
    pub keep: bool,
    /// (depth, nodes), depth ascending.
    pub rows: Vec<(u32, u128)>,
}

/// Every table of `game`, in file order.
pub fn tables(game: &str) -> Vec<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/perft/{game}.perft"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut tables: Vec<Table> = Vec::new();
    let mut sourced = false;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "#" => sourced |= rest.starts_with("Source: "),
            "position" => {
                assert!(sourced, "{game}: no source given for {rest}");
                sourced = false;
                tables.push(Table { position: rest.into(), keep: false, rows: Vec::new() });
            }
            "duplicates" => {
                let table = tables.last_mut().unwrap();
                table.keep = match rest {
                    "keep" => true,
                    "drop" => false,
                    other => panic!("{game}: duplicates {other}"),
                };
            }
            depth => {
                let table = tables.last_mut().unwrap();
                table.rows.push((depth.parse().unwrap(), rest.parse().unwrap()));
            }
        }
    }
    assert!(tables.iter().all(|table| !table.rows.is_empty()), "{game}: a table without rows");
    tables
}
