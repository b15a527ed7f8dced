# Recipes for everyday work; `just` lists them. The README needs none of them.

# List the recipes.
default:
    @just --list

# Build the program.
build:
    cargo build --release --locked

# The quick tests, dev profile: seconds.
quick:
    cargo test --locked

# All tests as CI runs them: minutes.
test:
    cargo test --profile ci --locked

# Everything CI runs: format, tests, lints, docs, benches.
ci:
    .ci/run

# Tables recomputed beside the published values, with small samples.
reproduce-quick:
    cargo run --release --locked -- reproduce --quick

# The same at the published sample sizes: hours; a killed run goes on where it was.
reproduce:
    cargo run --release --locked -- reproduce

# Measure what must stay fast.
bench *filter:
    cargo bench --locked -- {{filter}}

# Every published perft row up to 1e11 nodes: hours.
perft-deep:
    LUDOMETER_TESTS=deep cargo test --profile ci --locked --test perft -- --nocapture

# Connect Four 5x5 counted exactly: 2 GB of memory.
exact-deep:
    cargo test --profile ci --locked --test tree_size_exact -- --ignored

# Damaged games of draughts read for ten minutes, or for as many seconds as given.
pdn-damaged seconds="600":
    LUDOMETER_SECONDS={{seconds}} cargo test --profile ci --locked --test pdn_damaged -- --ignored --nocapture

# Format and lint.
lint:
    cargo fmt
    cargo clippy --all-targets --locked -- -D warnings

# The documentation, opened.
doc:
    cargo doc --no-deps --locked --open
