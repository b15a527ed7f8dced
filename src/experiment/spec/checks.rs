//! What a spec may say: every check of its keys and values.

use super::{
    Case, DEEPEST, Expect, GameTable, Known, Measure, Published, Question, Quick, Spec, Study,
};
use crate::endgame::slices::most_pieces;
use crate::experiment::measure::egdb::{FEWEST, label};
use crate::experiment::measure::estimators::label as estimate_label;
use crate::experiment::measure::solve::{VALUE, VALUES};
use crate::experiment::provenance::check_memory;
use crate::game::{Game, Notation};
use crate::games::catalog::{DraughtsVisitor, GameSpec};
use crate::games::draughts::{Board, Draughts, Rules};
use crate::self_play::{Description, Thinking};
use crate::solve::Method;
use crate::solve::lines::{Line, write_moves};
use crate::state_space::formula::{MAX_SIZE, MIN_SIZE};
use crate::tree_size::{
    MOST_REPLICATES, Method as Sampling, Plan as Sample, ReplicatePlan, ReplicatePlanError,
};

/// The engines of a match, which ask for at most `most_pieces`.
pub(super) fn players(
    spec: &Spec,
    table: &GameTable,
    case: &Case,
    most_pieces: u32,
) -> Result<[Description; 2], String> {
    let games = case.games;
    if !games.is_multiple_of(2) {
        return Err(format!(
            "games {games}: games of a match come in pairs (allowed: even numbers)"
        ));
    }
    let read = |key: &str, text: &Option<String>| {
        let text = text.as_ref().ok_or_else(|| needs(spec, &format!("game.{key}")))?;
        let mut player = Description::parse(text).map_err(|error| format!("{key} {error}"))?;
        if let Some(bytes) = player.table_bytes {
            check_memory("a table", bytes as u64)
                .map_err(|problem| format!("{key} '{text}': {problem}"))?;
        }
        if let Some(dir) = &player.egdb {
            return Err(format!(
                "{key} '{text}': egdb={} (a spec says pieces=K only; the folder is that of --egdb)",
                dir.display()
            ));
        }
        if let Some(pieces) = &mut player.pieces {
            *pieces = most_pieces.min(*pieces);
            check_pieces(&case.game, *pieces)
                .map_err(|problem| format!("{key} '{text}': {problem}"))?;
        }
        match player.thinking {
            Thinking::Time(_) => Err(format!(
                "{key} '{text}': what is found in a time depends on the machine (allowed: depth, nodes)"
            )),
            Thinking::Depth(_) | Thinking::Nodes(_) => Ok(player),
        }
    };
    Ok([read("a", &table.a)?, read("b", &table.b)?])
}

/// Gives `method` the parameters that a spec states.
fn settle(spec: &Spec, method: &mut Sampling) -> Result<(), String> {
    match method {
        Sampling::Uniform | Sampling::LeafRaoBlackwell => {}
        Sampling::Smc { threshold } => *threshold = spec.threshold.unwrap_or(*threshold),
        Sampling::TwistedSmc { threshold, pilots } => {
            *threshold = spec.threshold.unwrap_or(*threshold);
            *pilots = spec.pilots.unwrap_or(*pilots);
        }
        Sampling::Stratified { plies } => *plies = spec.prefix.unwrap_or(*plies),
        Sampling::Policy { temperature, look_ahead, margin } => {
            *temperature = spec.temperature.unwrap_or(*temperature);
            *look_ahead = spec.look_ahead.unwrap_or(*look_ahead);
            *margin = spec.margin;
        }
        Sampling::SensibleSmc { threshold, look_ahead, margin } => {
            *threshold = spec.threshold.unwrap_or(*threshold);
            *look_ahead = spec.look_ahead.unwrap_or(*look_ahead);
            *margin = spec.margin.unwrap_or(*margin);
        }
    }
    method.check().map_err(|error| error.to_string())
}

/// Refuses parameters that none of `methods` takes, and says which of `others` do; `what` names the
/// methods.
fn check_parameters(
    spec: &Spec,
    methods: &[Sampling],
    others: &[Sampling],
    what: &str,
) -> Result<(), String> {
    let given = [
        ("threshold", spec.threshold.is_some()),
        ("pilots", spec.pilots.is_some()),
        ("prefix", spec.prefix.is_some()),
        ("temperature", spec.temperature.is_some()),
        ("look_ahead", spec.look_ahead.is_some()),
        ("margin", spec.margin.is_some()),
    ];
    for (key, _) in given.iter().filter(|(_, given)| *given) {
        let takes = |method: &&Sampling| method.keys().contains(key);
        if !methods.iter().any(|method| takes(&method)) {
            let only: Vec<_> = others.iter().filter(takes).map(|method| method.name()).collect();
            return Err(format!("'{key}' means nothing for {what} (only: {})", only.join(", ")));
        }
    }
    Ok(())
}

/// What a spec studies of methods, with `quick` repetitions where they are fewer.
pub(super) fn study(
    spec: &Spec,
    cases: &[Case],
    quick: Option<u64>,
    confidence: f64,
) -> Result<Study, String> {
    let names = spec.methods.as_ref().ok_or_else(|| needs(spec, "methods"))?;
    let mut methods: Vec<Sampling> = Vec::new();
    for name in names {
        let mut method = name.parse().map_err(|problem| format!("methods {problem}"))?;
        settle(spec, &mut method)?;
        if method.is_of_sensible_games() {
            return Err(format!(
                "methods: '{name}' counts sensible games, not all (allowed: {})",
                Sampling::ALL.map(Sampling::name).join(", ")
            ));
        }
        if methods.contains(&method) {
            return Err(format!("methods: '{name}' is listed twice"));
        }
        methods.push(method);
    }
    if methods.is_empty() {
        return Err(needs(spec, "methods"));
    }
    let full = spec.repetitions.ok_or_else(|| needs(spec, "repetitions"))?;
    let repetitions = quick.map_or(full, |quick| quick.min(full));
    let replicates = spec.replicates.ok_or_else(|| needs(spec, "replicates"))?;
    at_least("repetitions", repetitions, 1)?;
    at_least("replicates", replicates, 2)?;
    check_parameters(spec, &methods, &Sampling::ALL, "these methods")?;
    let all = repetitions.saturating_mul(replicates);
    for case in cases {
        for method in &methods {
            ReplicatePlan::new(*method, case.games, all, 0).map_err(|error| match error {
                ReplicatePlanError::Replicates { .. } => format!(
                    "{repetitions} repetitions of {replicates} replicates (allowed: \
                     {MOST_REPLICATES} replicates in all)"
                ),
                error => error.to_string(),
            })?;
        }
    }
    Ok(Study { methods, repetitions, replicates, exact: spec.exact.unwrap_or(true), confidence })
}

/// MiB for a proof unless something else is said.
const DEFAULT_MEMORY_MIB: u64 = 1024;
/// The most MiB for a proof.
const MOST_MEMORY_MIB: u64 = 1 << 20;
/// The most plies after which every position is solved.
const MOST_PLIES: u32 = 6;

/// What a spec asks of a position, with at most `most_pieces` in a database.
pub(super) fn question(
    table: &GameTable,
    case: &Case,
    most_pieces: u32,
) -> Result<Question, String> {
    let pieces = match table.pieces {
        None => 0,
        Some(pieces) => {
            let pieces = pieces.min(most_pieces);
            check_pieces(&case.game, pieces)?;
            pieces
        }
    };
    let method = match &table.solver {
        None => Method::DepthFirst,
        Some(text) => text.parse().map_err(|problem| format!("solver {problem}"))?,
    };
    let memory = table.memory_mib.unwrap_or(DEFAULT_MEMORY_MIB);
    if !(1..=MOST_MEMORY_MIB).contains(&memory) {
        return Err(format!("memory_mib {memory} (allowed: 1 to {MOST_MEMORY_MIB})"));
    }
    let plies = table.plies.unwrap_or(0);
    if plies > MOST_PLIES {
        return Err(format!("plies {plies} (allowed: 0 to {MOST_PLIES})"));
    }
    let nodes = at_least("nodes", table.nodes.unwrap_or(u64::MAX), 1)?;
    let read = Moves { start: case.start.as_deref(), text: table.play.as_deref().unwrap_or("") };
    let play = case.game.visit_draughts(read).ok_or_else(|| not_draughts(&case.game))??;
    Ok(Question { pieces, method, play, plies, nodes, memory: memory << 20 })
}

/// Reads moves from a position that was checked, and writes them canonically.
struct Moves<'a> {
    start: Option<&'a str>,
    text: &'a str,
}

impl DraughtsVisitor for Moves<'_> {
    type Output = Result<String, String>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Self::Output {
        let root = match self.start {
            Some(text) => game.read_position(text).expect("it was written canonically"),
            None => game.initial(),
        };
        let mut line = Line::from(root);
        for text in self.text.split_whitespace() {
            let mv = game.read_move(&line.position, text);
            line = line.with(game, mv.map_err(|error| format!("play {error}"))?);
        }
        Ok(write_moves(game, &root, &line.moves))
    }
}

fn not_draughts(game: &GameSpec) -> String {
    format!("{} has no endgame databases and no solver (allowed: checkers and draughts)", game.id())
}

/// Refuses games without databases, and numbers of pieces that no position has.
pub(super) fn check_pieces(game: &GameSpec, pieces: u32) -> Result<(), String> {
    let most = game.visit_draughts(MostPieces).ok_or_else(|| not_draughts(game))?;
    if !(FEWEST..=most).contains(&pieces) {
        return Err(format!("pieces {pieces} of {} (allowed: {FEWEST} to {most})", game.id()));
    }
    Ok(())
}

struct MostPieces;

impl DraughtsVisitor for MostPieces {
    type Output = u32;

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) -> u32 {
        most_pieces::<B>()
    }
}

/// Refuses games that the engine does not play, and draw rules under which games need not end.
pub(super) fn check_played(table: &GameTable, game: &GameSpec) -> Result<(), String> {
    let id = game.id();
    if let (Some(text), None) = (&table.draw_rule, game.draw_rule()) {
        return Err(format!("draw_rule '{text}' of {id}: games need not end"));
    }
    if game.visit_draughts(IsDraughts).is_none() {
        return Err(format!("{id} is not played by the engine (allowed: checkers and draughts)"));
    }
    match game.draw_rule() {
        Some(rule) if !rule.ends_every_game() => {
            Err(format!("draw_rule '{rule}' of {id}: games need not end"))
        }
        _ => Ok(()),
    }
}

struct IsDraughts;

impl DraughtsVisitor for IsDraughts {
    type Output = ();

    fn visit<R: Rules, B: Board>(self, _game: &Draughts<R, B>) {}
}

pub(super) fn check_depths(depths: &[u32]) -> Result<(), String> {
    match depths {
        [] => Err("measure self-play needs 'depths'".to_owned()),
        _ if !depths.is_sorted_by(|a, b| a < b) => Err("depths must rise".to_owned()),
        [.., deepest] if *deepest > DEEPEST => {
            Err(format!("depths: {deepest} (allowed: 0 to {DEEPEST})"))
        }
        _ => Ok(()),
    }
}

pub(super) fn check_name(key: &str, name: &str) -> Result<(), String> {
    let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(fine) {
        return Err(format!("{key} '{name}' (allowed: lower-case letters, digits and hyphens)"));
    }
    Ok(())
}

/// Refuses keys that say nothing under the spec's measure.
pub(super) fn check_places(spec: &Spec) -> Result<(), String> {
    use Measure::{Egdb, Estimators, Exact, Match, Perft, SelfPlay, Solve, Ssc, States, TreeSize};
    let quick = &spec.quick;
    let any = |is: fn(&GameTable) -> bool| spec.game.iter().any(is);
    let games = [TreeSize, Exact, Perft, States, SelfPlay, Match, Egdb, Solve, Estimators];
    let places: [(&str, bool, &[Measure]); 48] = [
        ("seed", spec.seed.is_some(), &[TreeSize, SelfPlay, Match, Estimators]),
        ("methods", spec.methods.is_some(), &[Estimators]),
        ("repetitions", spec.repetitions.is_some(), &[Estimators]),
        ("exact", spec.exact.is_some(), &[Estimators]),
        ("quick.repetitions", quick.repetitions.is_some(), &[Estimators]),
        ("depths", spec.depths.is_some(), &[SelfPlay]),
        ("game.games", any(|game| game.games.is_some()), &[SelfPlay, Match, Estimators]),
        ("game.evaluation", any(|game| game.evaluation.is_some()), &[SelfPlay]),
        ("game.a", any(|game| game.a.is_some()), &[Match]),
        ("game.b", any(|game| game.b.is_some()), &[Match]),
        ("quick.depths", quick.depths.is_some(), &[SelfPlay]),
        ("trials", spec.trials.is_some(), &[TreeSize]),
        ("games", spec.games.is_some(), &[TreeSize, SelfPlay, Match, Estimators]),
        ("batches", spec.batches.is_some(), &[TreeSize]),
        ("method", spec.method.is_some(), &[TreeSize]),
        ("replicates", spec.replicates.is_some(), &[TreeSize, Estimators]),
        ("particles", spec.particles.is_some(), &[TreeSize]),
        ("threshold", spec.threshold.is_some(), &[TreeSize, Estimators]),
        ("pilots", spec.pilots.is_some(), &[TreeSize, Estimators]),
        ("prefix", spec.prefix.is_some(), &[TreeSize, Estimators]),
        ("temperature", spec.temperature.is_some(), &[TreeSize, Estimators]),
        ("look_ahead", spec.look_ahead.is_some(), &[TreeSize, Estimators]),
        ("margin", spec.margin.is_some(), &[TreeSize]),
        ("quick.replicates", quick.replicates.is_some(), &[TreeSize]),
        ("quick.particles", quick.particles.is_some(), &[TreeSize]),
        ("confidence", spec.confidence.is_some(), &[TreeSize, Estimators]),
        ("depth", spec.depth.is_some(), &[Perft]),
        ("game.depth", any(|game| game.depth.is_some()), &[Perft]),
        ("game.fen", any(|game| game.fen.is_some()), &[States, Solve]),
        ("pieces", spec.pieces.is_some(), &[Egdb]),
        ("openings", spec.openings.is_some(), &[Match]),
        ("game.pieces", any(|game| game.pieces.is_some()), &[Egdb, Solve]),
        ("game.solver", any(|game| game.solver.is_some()), &[Solve]),
        ("game.play", any(|game| game.play.is_some()), &[Solve]),
        ("game.plies", any(|game| game.plies.is_some()), &[Solve]),
        ("game.nodes", any(|game| game.nodes.is_some()), &[Solve]),
        ("game.memory_mib", any(|game| game.memory_mib.is_some()), &[Solve]),
        ("quick.pieces", quick.pieces.is_some(), &[Egdb, Solve, Match]),
        ("max_positions", spec.max_positions.is_some(), &[Exact, States, Estimators]),
        ("order", spec.order.is_some(), &[States]),
        ("symmetry", spec.symmetry.is_some(), &[States]),
        ("boards", spec.boards.is_some(), &[Ssc]),
        ("[[game]]", !spec.game.is_empty(), &games),
        ("quick.trials", quick.trials.is_some(), &[TreeSize]),
        ("quick.games", quick.games.is_some(), &[TreeSize, SelfPlay, Match, Estimators]),
        ("quick.batches", quick.batches.is_some(), &[TreeSize]),
        ("quick.depth", quick.depth.is_some(), &[Perft]),
        ("quick.first_games", quick.first_games.is_some(), &games),
    ];
    for (key, present, allowed) in places {
        if present && !allowed.contains(&spec.measure) {
            let names: Vec<_> = allowed.iter().map(|measure| measure.name()).collect();
            let measure = spec.measure.name();
            let names = names.join(", ");
            return Err(format!("'{key}' means nothing for measure {measure} (only: {names})"));
        }
    }
    Ok(())
}

/// The trials of walks that a spec of measure tree-size asks for.
pub(super) fn sample(spec: &Spec, overrides: &Quick) -> Result<Sample, String> {
    let seed = spec.seed.ok_or_else(|| needs(spec, "seed"))?;
    let trials = overrides.trials.or(spec.trials).ok_or_else(|| needs(spec, "trials"))?;
    let games = overrides.games.or(spec.games).ok_or_else(|| needs(spec, "games"))?;
    let full = if overrides.games.is_some() { None } else { spec.batches };
    let batches = overrides.batches.or(full).unwrap_or(Sample::default_batches(games));
    Sample::new(seed, trials, games, batches).map_err(|error| error.to_string())
}

/// The replicates that a spec of measure tree-size asks for; `None` where it asks for trials.
pub(super) fn replicates(spec: &Spec, overrides: &Quick) -> Result<Option<ReplicatePlan>, String> {
    let mut method = match &spec.method {
        Some(text) => text.parse().map_err(|problem| format!("method {problem}"))?,
        None => Sampling::Uniform,
    };
    let of_trials = method == Sampling::Uniform && spec.replicates.is_none();
    let by_particles = method.has_particles();
    let quick = &spec.quick;
    let trials = "uniform walks without replicates";
    let all = Sampling::all();
    let populations: Vec<_> =
        all.iter().filter(|method| method.has_particles()).map(|method| method.name()).collect();
    let populations = populations.join(", ");
    let places = [
        ("trials", spec.trials.is_some() || quick.trials.is_some(), of_trials, trials),
        ("batches", spec.batches.is_some() || quick.batches.is_some(), of_trials, trials),
        ("quick.replicates", quick.replicates.is_some(), !of_trials, "replicates"),
        (
            "particles",
            spec.particles.is_some() || quick.particles.is_some(),
            by_particles,
            populations.as_str(),
        ),
        ("games", spec.games.is_some() || quick.games.is_some(), !by_particles, "walks"),
    ];
    let with = if spec.replicates.is_some() { " with replicates" } else { "" };
    let what = format!("method {}{with}", method.name());
    for (key, present, allowed, only) in places {
        if present && !allowed {
            return Err(format!("'{key}' means nothing for {what} (only: {only})"));
        }
    }
    check_parameters(spec, &[method], &all, &what)?;
    if of_trials {
        return Ok(None);
    }
    settle(spec, &mut method)?;
    let seed = spec.seed.ok_or_else(|| needs(spec, "seed"))?;
    let count = overrides.replicates.or(spec.replicates);
    let count = count.ok_or_else(|| needs(spec, "replicates"))?;
    let (key, games) = match by_particles {
        true => ("particles", overrides.particles.or(spec.particles)),
        false => ("games", overrides.games.or(spec.games)),
    };
    let games = games.ok_or_else(|| needs(spec, key))?;
    ReplicatePlan::new(method, games, count, seed).map(Some).map_err(|error| error.to_string())
}

pub(super) fn check_expect(spec: &Spec, expect: &Expect) -> Result<(), String> {
    if expect.value.is_empty() || !expect.value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("expect.value '{}' is no whole number", expect.value));
    }
    if let Some(table) = expect.game.as_ref().or(spec.game.first()) {
        let game = match expect.quantity {
            Known::States => table.settle_start()?.0,
            _ if expect.game.is_some() && table.fen.is_some() => {
                return Err("expect.game.fen is for states only".into());
            }
            _ => table.settle()?,
        };
        if expect.quantity == Known::Games {
            check_end(&game)?;
        }
    }
    if let Some(board) = expect.board {
        check_board(board)?;
    }
    let has_game = expect.game.is_some() || !spec.game.is_empty();
    match expect.quantity {
        Known::Perft if expect.depth.is_none() => Err("expect of a perft needs 'depth'".into()),
        Known::Perft | Known::Games | Known::States if !has_game => {
            Err("expect needs 'game'".into())
        }
        Known::Ssc if expect.board.is_none() => Err("expect of an ssc needs 'board'".into()),
        _ => Ok(()),
    }
}

/// Refuses a game whose tree is infinite.
pub(super) fn check_end(game: &GameSpec) -> Result<(), String> {
    if game.ends() {
        return Ok(());
    }
    Err(format!(
        "{} has endless games, since kings can move to and fro: add a draw rule that ends every \
         game, for example --draw-rule fmjd (in a spec draw_rule = \"fmjd\")",
        game.id()
    ))
}

pub(super) fn check_board(board: u32) -> Result<(), String> {
    if (MIN_SIZE..=MAX_SIZE).contains(&board) && board.is_multiple_of(2) {
        return Ok(());
    }
    Err(format!("board {board} (allowed: even sizes from {MIN_SIZE} to {MAX_SIZE})"))
}

/// What the rows of results of a full run are called.
pub(super) fn labels(spec: &Spec) -> Result<Vec<String>, String> {
    let boards = spec.boards.iter().flatten().map(|board| Ok(format!("{board}x{board}")));
    let games = spec.game.iter().map(|table| match &table.label {
        Some(label) => Ok(label.clone()),
        None => table.settle().map(|game| game.id()),
    });
    let labels: Vec<String> = boards.chain(games).collect::<Result<_, String>>()?;
    if spec.measure == Measure::Estimators {
        let methods = spec.methods.as_deref().unwrap_or_default();
        let of_game = |game: &String| methods.iter().map(|m| estimate_label(game, m)).collect();
        return Ok(labels.iter().flat_map(|game| -> Vec<String> { of_game(game) }).collect());
    }
    if spec.measure != Measure::Egdb {
        return Ok(labels);
    }
    let pieces = spec.game.iter().map(|table| table.pieces.or(spec.pieces).unwrap_or(FEWEST));
    let of_game = |(game, most): (&String, u32)| {
        (FEWEST..=most).map(|pieces| label(game, pieces)).collect::<Vec<_>>()
    };
    Ok(labels.iter().zip(pieces).flat_map(of_game).collect())
}

pub(super) fn check_published(
    measure: Measure,
    labels: &[String],
    published: &Published,
) -> Result<(), String> {
    let Published { quantity, value, .. } = published;
    if let Some(game) = &published.game
        && !labels.contains(game)
    {
        let labels = labels.join(", ");
        return Err(format!("published.game '{game}' is not measured (allowed: {labels})"));
    }
    let quantities = measure.quantities();
    if !quantities.contains(&quantity.as_str()) {
        let (measure, allowed) = (measure.name(), quantities.join(", "));
        return Err(format!(
            "published.quantity '{quantity}' is not one of measure {measure} (allowed: {allowed})"
        ));
    }
    let is_word = quantity == VALUE;
    if is_word && !VALUES.contains(&value.as_str()) {
        let allowed = VALUES.join(", ");
        return Err(format!("published.value '{value}' of a position (allowed: {allowed})"));
    }
    if !is_word && !is_printed_number(value) {
        return Err(format!("published.value '{value}' is no number as printed, like 8.34e28"));
    }
    let sizes = [("plus_minus", &published.plus_minus), ("rounding", &published.rounding)];
    for (key, size) in sizes {
        if let Some(size) = size {
            let mantissa = size.split(['e', 'E']).next().unwrap_or_default();
            let positive = mantissa.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            if !is_printed_number(size) || !positive || size.starts_with('-') {
                return Err(format!("published.{key} '{size}' (allowed: a number above 0)"));
            }
        }
    }
    if let Some(percent) = published.tolerance_percent
        && !(percent > 0.0 && percent < 100.0)
    {
        return Err(format!("published.tolerance_percent {percent} (allowed: above 0, below 100)"));
    }
    match published.unit.as_deref() {
        None | Some("percent") => Ok(()),
        Some(unit) => Err(format!("published.unit '{unit}' is unknown (allowed: percent)")),
    }
}

/// Whether `text` is digits with at most a sign, a point and an exponent.
fn is_printed_number(text: &str) -> bool {
    let unsigned = |text: &str| text.strip_prefix(['+', '-']).unwrap_or(text).to_owned();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, unsigned(exponent)),
        None => (text, "0".to_owned()),
    };
    let mantissa = unsigned(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((&mantissa, "0"));
    digits(whole) && digits(fraction) && digits(&exponent)
}

pub(super) fn needs(spec: &Spec, key: &str) -> String {
    format!("measure {} needs '{key}'", spec.measure.name())
}

pub(super) fn at_least(key: &str, value: u64, least: u64) -> Result<u64, String> {
    if value < least {
        return Err(format!("{key} {value} is too small (allowed: {least} or more)"));
    }
    Ok(value)
}
