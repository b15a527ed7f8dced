//! Endgame databases of 6x6 checkers and draughts with up to six pieces: the build, and probes of
//! random positions by one thread. Every bench asserts its count of won positions.
//!
//! `cargo bench --bench endgame`; positions built and probes per second are printed as elements per
//! second. Warm probes ask for blocks that are at hand: of uncompressed files, or in the cache. For cold
//! ones the cache holds four blocks, so that nearly every probe unpacks one.
//!
//! `EGDB=DIR cargo bench --bench endgame` probes what DIR has of the two games instead, with as many
//! pieces as there are. The first pass, which depends on what the system has in memory, is told apart.

use std::path::Path;
use std::time::Instant;

use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput};
use criterion::{criterion_group, criterion_main, measurement::WallTime};
use ludometer::endgame::slices::Slices;
use ludometer::endgame::{DEFAULT_CACHE, Database, Folder, OpenError, Tables, build};
use ludometer::engine::{Probe, Value};
use ludometer::game::Unwatched;
use ludometer::games::draughts::{B6, Checkers, International, Position, Rules};
use ludometer::stream::{bounded, stream};

const PIECES: u32 = 6;
const PROBES: usize = 1_000_000;

fn built_and_probed<R: Rules>(criterion: &mut Criterion, wins: u64) {
    let mut group = criterion.benchmark_group(format!("{}-6, {PIECES} pieces", R::NAME));
    group.sample_size(10);
    let in_memory =
        |threads| build::<R, B6>(PIECES, None, threads, &Unwatched, &mut |_| ()).expect("it fits");
    let tables = in_memory(2);
    group.throughput(Throughput::Elements(tables.slices().size()));
    group.bench_function("build, one thread", |bencher| {
        bencher.iter_batched(|| (), |()| in_memory(1), BatchSize::PerIteration);
    });

    let positions = random_positions(tables.slices());
    let expected = positions.iter().filter(|position| is_won(&tables, position)).count();
    assert_eq!(wins_in_all(&tables), wins);
    assert_likely(expected, wins as f64 / tables.slices().size() as f64);

    let folder = tempfile::tempdir().expect("there is a place for files");
    for (name, compressed) in [("uncompressed", false), ("compressed", true)] {
        let dir = folder.path().join(name);
        let keep = Some(Folder { dir: &dir, compressed });
        build::<R, B6>(PIECES, keep, 2, &Unwatched, &mut |_| ()).expect("there is room");
        let database = Database::<R, B6>::open(&dir, None, DEFAULT_CACHE).expect("it was built");
        probes(&mut group, &format!("probes, {name}, warm"), &database, &positions, expected);
    }
    let dir = folder.path().join("compressed");
    let database = Database::<R, B6>::open(&dir, None, 0).expect("it was built");
    let few = &positions[..PROBES / 10];
    let expected = few.iter().filter(|position| is_won(&tables, position)).count();
    probes(&mut group, "probes, compressed, cold", &database, few, expected);
}

fn probes<R: Rules>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    database: &Database<R, B6>,
    positions: &[Position<B6>],
    expected: usize,
) {
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let won = positions.iter().filter(|position| is_won(database, position)).count();
            assert_eq!(won, expected);
        });
    });
    assert!(database.damage().is_none());
}

fn is_won(database: &impl Probe<B6>, position: &Position<B6>) -> bool {
    matches!(database.probe(position), Some(Value::Win(_)))
}

fn wins_in_all<R: Rules>(tables: &Tables<R, B6>) -> u64 {
    let won = |byte: &&u8| matches!(ludometer::endgame::bytes::value(**byte), Some(Value::Win(_)));
    let places = 0..tables.slices().entries().len();
    places.map(|place| tables.copy(place).iter().filter(won).count() as u64).sum()
}

/// Holds the wins among the random positions to the share of wins among all, within four standard
/// errors.
fn assert_likely(wins: usize, share: f64) {
    let mean = PROBES as f64 * share;
    let error = (mean * (1.0 - share)).sqrt();
    assert!((wins as f64 - mean).abs() <= 4.0 * error, "{wins} wins instead of {mean} +- {error}");
}

/// Positions drawn with equal chances from all that are kept, from seed 1.
fn random_positions(slices: &Slices<B6>) -> Vec<Position<B6>> {
    let mut generator = stream(1, 0);
    let entries = slices.entries();
    let mut cursors: Vec<_> = entries.iter().map(|entry| entry.ranking.cursor()).collect();
    let draw = |_| {
        let mut number = bounded(&mut generator, slices.size());
        let mut place = 0;
        while number >= entries[place].size() {
            number -= entries[place].size();
            place += 1;
        }
        let size = entries[place].ranking.size();
        let side = entries[place].sides()[(number / size) as usize];
        cursors[place].unrank(number % size, side)
    };
    (0..PROBES).map(draw).collect()
}

fn of_folder<R: Rules>(criterion: &mut Criterion, dir: &Path) {
    let database = match Database::<R, B6>::open(dir, None, DEFAULT_CACHE) {
        Err(OpenError::Nothing { .. }) => return,
        other => other.expect("it can be opened"),
    };
    let positions = random_positions(database.slices());
    let start = Instant::now();
    let expected = positions.iter().filter(|position| is_won(&database, position)).count();
    let seconds = start.elapsed().as_secs_f64();
    let name = format!("{}-6, {} pieces", R::NAME, database.slices().pieces());
    println!("{name}: first {PROBES} probes at {:.0} a second", PROBES as f64 / seconds);
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    probes(&mut group, "probes, again", &database, &positions, expected);
}

/// Source of the wins: two independent programs, tests/data/egdb/6x6.csv.
fn both_games(criterion: &mut Criterion) {
    if let Some(dir) = std::env::var_os("EGDB") {
        of_folder::<Checkers>(criterion, dir.as_ref());
        of_folder::<International>(criterion, dir.as_ref());
        return;
    }
    let wins = 256 + 15_579 + 216_518 + 2_714_672 + 21_437_585;
    built_and_probed::<Checkers>(criterion, wins);
    let wins = 407 + 11_126 + 192_404 + 2_162_960 + 18_115_994;
    built_and_probed::<International>(criterion, wins);
}

criterion_group!(benches, both_games);
criterion_main!(benches);
