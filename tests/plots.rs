//! Plots: whole and valid files whatever the data, text that a reader can search, the same bytes.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::time::{Duration, Instant};

use ludometer::report::plot::{Axis, Plot, PlotError};

/// Width and height that the header of a PNG file states, after its signature and structure are
/// checked (PNG specification, sections 5.2 to 5.6).
fn png_size(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(bytes[12..16], *b"IHDR");
    let mut at = 8;
    let mut last = [0; 4];
    while at < bytes.len() {
        last = bytes[at + 4..at + 8].try_into().unwrap();
        at += 12 + number(at) as usize;
    }
    assert_eq!((at, last), (bytes.len(), *b"IEND"), "chunks end where the file ends");
    (number(16), number(20))
}

/// The texts of an SVG file, entities resolved; panics where tags do not match.
fn svg_texts(svg: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
            if name == "text" {
                let text = text.trim().replace("&lt;", "<").replace("&gt;", ">");
                texts.push(text.replace("&quot;", "\"").replace("&amp;", "&"));
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    texts
}

fn plot(axis: Axis, values: &[f64]) -> Plot {
    let points = (0u32..).zip(values).map(|(i, y)| (f64::from(i), *y, *y, *y)).collect();
    Plot::new("Values", Axis::linear("index"), axis).points("data", points)
}

fn convergence() -> Plot {
    let points = (1..=40u32).map(|n| {
        let (x, error) = (f64::from(n) * 1e6, 0.4 / f64::from(n).sqrt());
        (x, 8.34 + error / 3.0, 8.34 - error, 8.34 + error)
    });
    Plot::new(
        "Connect Four 7 × 6: games",
        Axis::log10("sampled games"),
        Axis::linear("gts (10²⁸ games)"),
    )
    .band("estimate & 95 % interval", points.collect())
    .level("published: 8.34 ± 0.05", 8.34, 8.29, 8.39)
    .footnote("seed < 1 > \"quoted\"")
}

#[test]
fn an_svg_says_its_titles_labels_and_legend_as_text() {
    let (svg, notes) = convergence().to_svg().unwrap();
    assert_eq!(notes, Vec::<String>::new());
    let texts = svg_texts(&svg);
    for text in [
        "Connect Four 7 × 6: games",
        "sampled games",
        "gts (10²⁸ games)",
        "estimate & 95 % interval",
        "published: 8.34 ± 0.05",
        "10⁶",
        "10⁷",
        "8.4",
        "seed < 1 > \"quoted\"",
    ] {
        assert!(texts.iter().any(|t| t == text), "{text} is not among {texts:?}");
    }
}

#[test]
fn an_svg_falls_back_to_a_generic_font() {
    let (svg, _) = convergence().to_svg().unwrap();
    let families = svg.matches("font-family=").count();
    assert!(families > 10);
    assert_eq!(svg.matches("font-family=\"DejaVu Sans, Verdana, sans-serif\"").count(), families);
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| {
        let path = folder.path().join(name);
        if name.ends_with("svg") {
            convergence().write_svg(&path).unwrap();
        } else {
            convergence().write_png(&path).unwrap();
        }
        std::fs::read(path).unwrap()
    };
    assert_eq!(of("a.svg"), of("b.svg"));
    assert_eq!(of("a.png"), of("b.png"));
}

#[test]
fn a_png_has_its_size_and_shows_its_texts() {
    let folder = tempfile::tempdir().unwrap();
    let (texts, bare) = (folder.path().join("texts.png"), folder.path().join("bare.png"));
    plot(Axis::linear("y"), &[1.0, 2.0]).write_png(&texts).unwrap();
    Plot::new("", Axis::linear(""), Axis::linear(""))
        .points("", vec![(0.0, 1.0, 1.0, 1.0), (1.0, 2.0, 2.0, 2.0)])
        .write_png(&bare)
        .unwrap();
    assert_eq!(png_size(&texts), (1440, 900));
    assert_eq!(png_size(&bare), (1440, 900));
    assert_ne!(std::fs::read(&texts).unwrap(), std::fs::read(&bare).unwrap());
}

/// Case O-PL1: zero on a logarithmic axis, constant data, one point, a range within a decade.
#[test]
fn odd_data_give_whole_files_in_time() {
    let cases: [(&str, Axis, &[f64], usize); 8] = [
        ("zeros", Axis::log10("y"), &[0.0, 5.0, 25.0], 1),
        ("constant", Axis::linear("y"), &[3.0, 3.0, 3.0], 0),
        ("constant-log", Axis::log10("y"), &[3.0, 3.0, 3.0], 0),
        ("one", Axis::linear("y"), &[7.0], 0),
        ("small-log", Axis::log10("y"), &[2.0, 8.0], 0),
        ("not-finite", Axis::linear("y"), &[f64::NAN, 1.0, f64::INFINITY, 2.0], 2),
        ("huge", Axis::powers_of_ten("y"), &[367.2, 12.0, 404.0], 0),
        ("wide", Axis::linear("y"), &[-1e299, 1e-299, 1e299], 0),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, axis, values, left_out) in cases {
        let start = Instant::now();
        let plot = plot(axis, values);
        let (svg, png) = (
            folder.path().join(name).with_extension("svg"),
            folder.path().join(name).with_extension("png"),
        );
        let notes = plot.write_svg(&svg).unwrap();
        assert_eq!(plot.write_png(&png).unwrap(), notes);
        assert_eq!(png_size(&png), (1440, 900), "{name}");
        let svg = std::fs::read_to_string(&svg).unwrap();
        let circles = svg.matches("<circle").count();
        assert_eq!(circles, values.len() - left_out + 1, "{name}: one disc is the legend's");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        assert!(start.elapsed() < Duration::from_secs(5), "{name}");
        match left_out {
            0 => assert_eq!(notes, Vec::<String>::new(), "{name}"),
            n => assert!(notes[0].contains(&format!("{n} value")), "{name}: {notes:?}"),
        }
    }
}

#[test]
fn a_plot_of_nothing_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for values in [&[][..], &[0.0, -1.0], &[f64::NAN]] {
        let plot = plot(Axis::log10("y"), values);
        let error = plot.write_svg(&folder.path().join("a.svg")).unwrap_err();
        assert!(matches!(&error, PlotError::Empty(title) if title == "Values"));
        assert!(error.to_string().contains("'Values'"));
        assert!(plot.write_png(&folder.path().join("a.png")).is_err());
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken.svg");
    std::fs::create_dir(&taken).unwrap();
    for path in [folder.path().join("missing/a.svg"), taken] {
        let error = convergence().write_svg(&path).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
        assert!(convergence().write_png(&path.with_extension("svg.png")).is_err() || path.is_dir());
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("partial")), "{left:?}");
}

#[test]
fn touching_bars_share_an_outline_and_gaps_part_them() {
    let bars = |list: &[(f64, f64, f64)]| {
        Plot::new("Lengths", Axis::linear("plies"), Axis::linear("games").from_zero())
            .bars("all", list.to_vec())
            .to_svg()
            .unwrap()
            .0
    };
    let touching = bars(&[(0.0, 1.0, 2.0), (1.0, 2.0, 5.0)]);
    let apart = bars(&[(0.0, 1.0, 2.0), (3.0, 4.0, 5.0)]);
    assert_eq!(touching.matches("<polygon").count(), 1);
    assert_eq!(apart.matches("<polygon").count(), 2);
}

#[test]
fn long_legends_take_further_rows() {
    let mut plot = Plot::new("Rows", Axis::linear("x"), Axis::linear("y"));
    for index in 0..8u32 {
        let y = f64::from(index);
        plot = plot.line(format!("a series with the long name {index}"), vec![(0.0, y), (1.0, y)]);
    }
    let (svg, _) = plot.to_svg().unwrap();
    let rows: std::collections::BTreeSet<&str> = svg
        .split("<text ")
        .filter(|text| text.contains("long name"))
        .map(|text| text.split("y=\"").nth(1).unwrap().split('"').next().unwrap())
        .collect();
    assert!((2..=8).contains(&rows.len()), "{rows:?}");
    assert_eq!(svg_texts(&svg).iter().filter(|t| t.contains("long name")).count(), 8);
}
