//! `ludometer games stats`: branching factor, length and results of collections of games.

use std::collections::{BTreeMap, HashMap};

use clap::{Args, ValueEnum};

use super::super::failure::{Failure, Result};
use super::super::table::{Format, FormatArgument, print};
use super::super::talk::Talk;
use super::files::FilesArguments;
use crate::games::catalog::{DraughtsVisitor, GameSpec};
use crate::games::draughts::{Board, Draughts, Rules, Side};
use crate::pdn::{DEPTH_TAG, GameResult, Source, TextGame, Warning, replay};
use crate::self_play::{
    AtPly, Estimate, GameTree, Profile, StopAt, Tally, as_published, mean_at_ply, pooled,
};

/// Measure games: branching factor b, length d, b^d, captures and results
///
/// Games are cut off at the first position with so few pieces, then duplicates are removed. b is the
/// mean number of legal moves over all positions in which a move was made, d the mean number of
/// plies of a game. The game is the unit of the sample: errors are those of a mean (d) and of a ratio
/// (b) over games, intervals have 95 %. Where games say at what depth they were searched, a row
/// `published` takes b from depths 3 and up and d from the three greatest depths.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer games stats human/*.pdn
  ludometer games stats --game checkers-8 --stop-at-pieces none old.pdn
  ludometer games stats selfplay/*.pdn.zst --by ply --format csv
  ludometer games stats human/*.pdn --group none --by length")]
pub struct Stats {
    #[command(flatten)]
    files: FilesArguments,
    /// Pieces at which a game is over, or none [default: 6x6 6, 8x8 10, 10x10 8, 12x12 7, 14x14 6]
    #[arg(long, value_name = "N", value_parser = parse_stop)]
    stop_at_pieces: Option<StopAt>,
    /// Count games again that were there before
    #[arg(long)]
    keep_duplicates: bool,
    /// What makes a group of games [default: depth if the first game has that tag, else file]
    #[arg(long, value_name = "WHAT")]
    group: Option<Grouping>,
    /// What the rows tell
    #[arg(long, value_name = "WHAT", default_value = "group")]
    by: By,
    #[command(flatten)]
    format: FormatArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Grouping {
    /// The tag Depth
    Depth,
    /// The file
    File,
    /// No groups, all games of a kind together
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// One row for each group
    Group,
    /// Legal moves and captures at each ply
    Ply,
    /// Games of each length
    Length,
    /// Positions with each number of legal moves
    Mobility,
    /// Captures of each number of pieces
    Taken,
    /// Games by result and reason
    Result,
}

fn parse_stop(text: &str) -> std::result::Result<StopAt, String> {
    match text.parse() {
        Ok(pieces @ 0..=100) => Ok(StopAt::pieces(pieces)),
        _ if text == "none" => Ok(StopAt::NEVER),
        _ => Err("allowed: 0 to 100, or none".into()),
    }
}

/// What a group has in common; in the order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Depth(u64),
    NoDepth,
    File(usize),
    All,
}

/// Games of a kind with something in common.
#[derive(Debug, Default)]
struct Group {
    tally: Tally,
    duplicates: u64,
    /// Games that are not legal to their end.
    broken: u64,
}

/// All games of a kind.
#[derive(Debug, Default)]
struct Kind {
    groups: BTreeMap<Key, Group>,
    /// The groups in which each game has been seen.
    seen: HashMap<Box<[u8]>, Vec<Key>>,
}

impl Stats {
    /// Runs the verb.
    ///
    /// # Errors
    /// When a file cannot be read, for a warning when reading is strict, and when no game can be
    /// replayed.
    pub fn run(&self, talk: &Talk) -> Result {
        let files = self.files.settle(talk)?;
        let mut grouping = self.group;
        // By name: the specification with what was read of it.
        let mut kinds: BTreeMap<String, (GameSpec, Kind)> = BTreeMap::new();
        let mut unknown = 0u64;
        for (number, name) in files.names().iter().enumerate() {
            files.read(name, |source, text, warnings| {
                let depth = text.tag(DEPTH_TAG).and_then(|depth| depth.trim().parse().ok());
                let grouping = *grouping.get_or_insert(match depth {
                    Some(_) => Grouping::Depth,
                    None => Grouping::File,
                });
                let game = match text.game(source, files.asked.as_ref()) {
                    Ok((game, warning)) => {
                        warnings.extend(warning);
                        game
                    }
                    Err(warning) => {
                        warnings.push(warning);
                        unknown += 1;
                        return Ok(());
                    }
                };
                let key = match grouping {
                    Grouping::Depth => depth.map_or(Key::NoDepth, Key::Depth),
                    Grouping::File => Key::File(number),
                    Grouping::None => Key::All,
                };
                let stop = self.stop(&game);
                let profile = game
                    .visit_draughts(Measure { source, text: &text, stop, warnings })
                    .expect("PDN holds games of draughts");
                let (_, kind) = kinds.entry(game.id()).or_insert_with(|| (game, Kind::default()));
                kind.add(key, profile, self.keep_duplicates);
                Ok(())
            })?;
        }
        if unknown > 0 {
            talk.line(&format!(
                "warning: {unknown} games left out: nothing says what game they are"
            ));
        }
        if kinds.values().all(|(_, kind)| kind.groups[&Key::All].tally.games == 0) {
            return Err(Failure::work("there is no game that could be replayed; see --game"));
        }
        self.print(&kinds, files.names())
    }

    /// Where games of `game` are cut off.
    fn stop(&self, game: &GameSpec) -> StopAt {
        let (_, size) = game.draughts().expect("PDN holds games of draughts");
        self.stop_at_pieces.unwrap_or(StopAt::published(size))
    }

    fn print(&self, kinds: &BTreeMap<String, (GameSpec, Kind)>, names: &[String]) -> Result {
        let format = self.format.settle();
        if self.by == By::Group {
            let mut rows = Vec::new();
            for (id, (game, kind)) in kinds {
                let stop = self.stop(game).to_string();
                rows.extend(kind.groups.iter().map(|(key, group)| {
                    group.row(vec![id.clone(), key.name(names), stop.clone()])
                }));
                rows.extend(kind.published().map(|tree| {
                    let mut row = vec![id.clone(), "published".to_owned(), stop.clone()];
                    row.extend([(); 4].map(|()| String::new()));
                    row.extend(tree_fields(&tree));
                    row.resize(GROUP_HEADER.len(), String::new());
                    row
                }));
            }
            return Ok(print_turned(format, &GROUP_HEADER, &rows)?);
        }
        let header = ["game", "group"].into_iter().chain(self.by.columns().iter().copied());
        let header: Vec<&str> = header.collect();
        let mut rows = Vec::new();
        for (id, (_, kind)) in kinds {
            for (key, group) in &kind.groups {
                let front = [id.clone(), key.name(names)];
                rows.extend(
                    self.by.rows(&group.tally).into_iter().map(|row| [&front[..], &row].concat()),
                );
            }
        }
        Ok(print(format, &header, &rows)?)
    }
}

impl Key {
    fn name(self, files: &[String]) -> String {
        match self {
            Key::Depth(depth) => format!("depth {depth}"),
            Key::NoDepth => "no depth".to_owned(),
            Key::File(number) => files[number].clone(),
            Key::All => "all".to_owned(),
        }
    }
}

impl Kind {
    /// Adds a game, or one that is broken, to its group and to all.
    fn add(&mut self, key: Key, profile: Option<Profile>, keep_duplicates: bool) {
        let mut keys = vec![key, Key::All];
        keys.dedup();
        let Some(profile) = profile else {
            keys.iter().for_each(|key| self.groups.entry(*key).or_default().broken += 1);
            return;
        };
        for key in keys {
            let group = self.groups.entry(key).or_default();
            if !keep_duplicates {
                // The map is asked with a borrowed key first, so that duplicates cost no memory.
                let seen = match self.seen.get_mut(&profile.key) {
                    Some(seen) => seen,
                    None => self.seen.entry(profile.key.clone()).or_default(),
                };
                if seen.contains(&key) {
                    group.duplicates += 1;
                    continue;
                }
                seen.push(key);
            }
            group.tally.add(&profile);
        }
    }

    /// The estimates as published, where the games say their depths.
    fn published(&self) -> Option<GameTree> {
        let by_depth: BTreeMap<u64, &Tally> = self
            .groups
            .iter()
            .filter_map(|(key, group)| match key {
                Key::Depth(depth) => Some((*depth, &group.tally)),
                _ => None,
            })
            .collect();
        (!by_depth.is_empty()).then(|| as_published(&by_depth))
    }
}

const GROUP_HEADER: [&str; 32] = [
    "game",
    "group",
    "stop_at_pieces",
    "games_read",
    "games_broken",
    "duplicates",
    "games",
    "b",
    "b_standard_error",
    "b_low",
    "b_high",
    "d_plies",
    "d_standard_error_plies",
    "d_low_plies",
    "d_high_plies",
    "log10_gtc",
    "log10_gtc_standard_error",
    "log10_gtc_low",
    "log10_gtc_high",
    "shortest_plies",
    "longest_plies",
    "games_cut",
    "positions",
    "positions_with_one_move",
    "captures",
    "pieces_taken",
    "most_pieces_taken",
    "white_wins",
    "black_wins",
    "draws",
    "double_forfeits",
    "unfinished",
];

impl Group {
    /// The row of the group after its first fields.
    fn row(&self, mut row: Vec<String>) -> Vec<String> {
        let tally = &self.tally;
        let read = tally.games + self.duplicates + self.broken;
        row.extend([read, self.broken, self.duplicates, tally.games].map(|n| n.to_string()));
        row.extend(tree_fields(&pooled(&[tally])));
        let length = |entry: Option<(&u64, &u64)>| entry.map(|(plies, _)| plies.to_string());
        row.push(length(tally.lengths.first_key_value()).unwrap_or_default());
        row.push(length(tally.lengths.last_key_value()).unwrap_or_default());
        row.push(tally.cut.to_string());
        row.push(tally.plies.to_string());
        row.push(tally.forced.to_string());
        row.push(tally.captures().to_string());
        let taken = tally.taken.iter().map(|(taken, times)| u64::from(*taken) * times);
        row.push(taken.sum::<u64>().to_string());
        row.push(tally.most_taken().map(|taken| taken.to_string()).unwrap_or_default());
        row.extend(RESULTS.map(|(result, _)| tally.ended(result).to_string()));
        row
    }
}

const RESULTS: [(GameResult, &str); 5] = [
    (GameResult::Won(Side::White), "white"),
    (GameResult::Won(Side::Black), "black"),
    (GameResult::Draw, "draw"),
    (GameResult::DoubleForfeit, "double forfeit"),
    (GameResult::Unfinished, "unfinished"),
];

fn tree_fields(tree: &GameTree) -> Vec<String> {
    [tree.branching, tree.length, tree.log10_size].into_iter().flat_map(fields).collect()
}

/// Value, standard error and interval; empty where there is none.
fn fields(estimate: Option<Estimate>) -> [String; 4] {
    let number = |number: Option<f64>| number.map(|x| format!("{x:.4}")).unwrap_or_default();
    [
        number(estimate.map(|e| e.value)),
        number(estimate.and_then(|e| e.standard_error)),
        number(estimate.and_then(|e| e.interval).map(|(low, _)| low)),
        number(estimate.and_then(|e| e.interval).map(|(_, high)| high)),
    ]
}

impl By {
    fn columns(self) -> &'static [&'static str] {
        match self {
            By::Group => &[],
            By::Ply => &["ply", "games", "b", "b_standard_error", "b_low", "b_high", "captures"],
            By::Length => &["plies", "games"],
            By::Mobility => &["legal_moves", "positions"],
            By::Taken => &["pieces_taken", "captures"],
            By::Result => &["result", "reason", "games"],
        }
    }

    fn rows(self, tally: &Tally) -> Vec<Vec<String>> {
        fn histogram<K: ToString>(counts: &BTreeMap<K, u64>) -> Vec<Vec<String>> {
            counts.iter().map(|(value, n)| vec![value.to_string(), n.to_string()]).collect()
        }
        match self {
            By::Group => Vec::new(),
            By::Ply => {
                let ply = |(ply, at): (usize, &AtPly)| {
                    let mut row = vec![(ply + 1).to_string(), at.games.to_string()];
                    row.extend(fields(mean_at_ply(at)));
                    row.push(at.captures.to_string());
                    row
                };
                tally.at_ply.iter().enumerate().map(ply).collect()
            }
            By::Length => histogram(&tally.lengths),
            By::Mobility => histogram(&tally.mobilities),
            By::Taken => histogram(&tally.taken),
            By::Result => {
                let name = |result| RESULTS.iter().find(|(other, _)| *other == result);
                let row = |((result, reason), games): (&(GameResult, String), &u64)| {
                    let name = name(*result).map_or("", |(_, name)| *name);
                    vec![name.to_owned(), reason.clone(), games.to_string()]
                };
                tally.endings.iter().map(row).collect()
            }
        }
    }
}

/// Columns of text that fit beside one another on a wide terminal.
const MOST_TURNED: usize = 10;

/// Prints a table, as text with a line for each column where there are few rows.
fn print_turned(format: Format, header: &[&str], rows: &[Vec<String>]) -> std::io::Result<()> {
    if format == Format::Csv || rows.len() > MOST_TURNED {
        return print(format, header, rows);
    }
    let turned = |column: usize| -> Vec<String> {
        std::iter::once(header[column].to_owned())
            .chain(rows.iter().map(|row| row[column].clone()))
            .collect()
    };
    let (first, rest) = (turned(0), (1..header.len()).map(turned).collect::<Vec<_>>());
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    print(format, &first, &rest)
}

/// Replays a game and measures it; `None` when it is not legal to its end.
struct Measure<'a> {
    source: &'a Source,
    text: &'a TextGame<'a>,
    stop: StopAt,
    warnings: &'a mut Vec<Warning>,
}

impl DraughtsVisitor for Measure<'_> {
    type Output = Option<Profile>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Option<Profile> {
        match replay(game, self.source, self.text) {
            Err(warning) => {
                self.warnings.push(warning);
                None
            }
            Ok(replay) => {
                self.warnings.extend(replay.warnings);
                replay.whole.then(|| Profile::of(game, &replay.record, self.stop))
            }
        }
    }
}
