//! results/README.md describes every column of every file of results.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use ludometer::experiment::journal::{HISTOGRAM_COLUMNS, batch_header};
use ludometer::experiment::measure::REPLICATE_COLUMNS;
use ludometer::experiment::quantity::{Quantity, to_csv};
use ludometer::experiment::spec::MEASURES;
use ludometer::report::table::COLUMNS as TABLE_COLUMNS;

#[test]
fn every_column_of_the_results_is_described() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let described: BTreeSet<&str> = readme.split('`').skip(1).step_by(2).collect();
    let summary = to_csv(&[Quantity::default()]);
    let mut columns: Vec<&str> = summary.lines().next().unwrap().split(',').collect();
    columns.extend(HISTOGRAM_COLUMNS);
    columns.extend(TABLE_COLUMNS);
    for measure in MEASURES {
        assert!(described.contains(measure.name()), "{}", measure.name());
        columns.extend(batch_header(&measure.columns()));
    }
    columns.extend(REPLICATE_COLUMNS);
    let missing: Vec<&str> =
        columns.into_iter().filter(|column| !described.contains(column)).collect();
    assert!(missing.is_empty(), "not in results/README.md: {missing:?}");
}
