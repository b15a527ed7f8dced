//! The Schaeffer-Lake bound stays far below the time a reader waits for a table.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ludometer::state_space::formula::Formula;

fn bound(c: &mut Criterion) {
    // The number of digits of Table 1's 14 x 14 entry, and of slices: (43 * 44 / 2)^2 - 1.
    c.bench_function("ssc 14x14 total", |b| {
        b.iter(|| {
            let total = Formula::new(black_box(14)).expect("an even board").total();
            assert_eq!(total.to_string().len(), 67);
        });
    });
    c.bench_function("ssc 14x14 by pieces", |b| {
        b.iter(|| {
            let by_pieces = Formula::new(black_box(14)).expect("an even board").by_pieces();
            assert_eq!(by_pieces.len(), 84);
        });
    });
    let formula = Formula::new(14).expect("an even board");
    c.bench_function("ssc 14x14 slices", |b| {
        b.iter(|| {
            let filled = formula.slices().filter(|(_, placements)| placements.bits() > 0).count();
            assert_eq!(filled, 946 * 946 - 1);
        });
    });
}

criterion_group!(benches, bound);
criterion_main!(benches);
