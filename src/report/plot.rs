//! Plots as SVG and PNG, drawn through plotters with an embedded font.
//!
//! A [`Plot`] holds data and says nothing of their origin. The same data give the same bytes. SVG text
//! stays text: it asks for DejaVu Sans or Verdana, whose widths the layout assumes, and falls back
//! to whatever sans-serif the viewer has. The legend stands above the data, never on them.
//!
//! Values that cannot be shown (not finite, or not positive on a logarithmic axis) are left out and
//! counted in the notes that rendering returns; a plot of which nothing is left is an error, and no
//! file is written.

mod axis;
mod canvas;
mod picture;

use std::io;
use std::path::{Path, PathBuf};

use plotters::prelude::{BitMapBackend, DrawingBackend, SVGBackend};
use thiserror::Error;

pub(super) use axis::power_of_ten;
pub use axis::{Axis, Scale};
use canvas::{Canvas, Medium};
use picture::{HEIGHT, Picture, WIDTH};

/// Units of an SVG file in a point; coordinates are whole numbers of units.
const VECTOR_SCALE: u32 = 10;
/// Pixels of a PNG file in a point.
const PIXEL_SCALE: u32 = 2;
/// Pixels drawn in each direction for every pixel written, for smooth edges.
const OVERSAMPLING: u32 = 2;

/// Why a plot could not be made.
#[derive(Debug, Error)]
pub enum PlotError {
    /// No value can be shown.
    #[error("plot '{0}' has no value that can be shown")]
    Empty(String),
    /// The file could not be written.
    #[error("cannot write plot {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The drawing library gave up.
    #[error("cannot draw plot '{title}': {reason}")]
    Draw {
        /// The title of the plot.
        title: String,
        /// What the library said.
        reason: String,
    },
}

/// How one set of values is drawn.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// Points joined by a line.
    Line(Vec<(f64, f64)>),
    /// (x, y, low, high): a line within a shaded band.
    Band(Vec<(f64, f64, f64, f64)>),
    /// (from, to, height): touching bars over zero.
    Bars(Vec<(f64, f64, f64)>),
    /// (x, y, low, high) drawn as a disc with an error bar; no bar where low = high.
    Points(Vec<(f64, f64, f64, f64)>),
    /// A dashed horizontal line with a band from low to high, over the whole width.
    Level { value: f64, low: f64, high: f64 },
}

#[derive(Clone, Debug, PartialEq)]
struct Series {
    label: String,
    shape: Shape,
}

/// A plot: two axes and the series drawn on them, told apart by colours and dashes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    footnote: String,
}

impl Plot {
    /// A plot without data.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, series: Vec::new(), footnote: String::new() }
    }

    /// Small print below the plot: what the data rest on.
    pub fn footnote(mut self, text: impl Into<String>) -> Self {
        self.footnote = text.into();
        self
    }

    /// Adds points (x, y) joined by a line.
    pub fn line(self, label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        self.with(label, Shape::Line(points))
    }

    /// Adds points (x, y, low, high): a line through the y within a band from low to high.
    pub fn band(self, label: impl Into<String>, points: Vec<(f64, f64, f64, f64)>) -> Self {
        self.with(label, Shape::Band(points))
    }

    /// Adds bars (from, to, height), which touch where one ends as the next begins.
    pub fn bars(self, label: impl Into<String>, bars: Vec<(f64, f64, f64)>) -> Self {
        self.with(label, Shape::Bars(bars))
    }

    /// Adds points (x, y, low, high) with error bars from low to high; none where low = high.
    pub fn points(self, label: impl Into<String>, points: Vec<(f64, f64, f64, f64)>) -> Self {
        self.with(label, Shape::Points(points))
    }

    /// Adds a horizontal line at `value` with a band from `low` to `high`.
    pub fn level(self, label: impl Into<String>, value: f64, low: f64, high: f64) -> Self {
        self.with(label, Shape::Level { value, low, high })
    }

    fn with(mut self, label: impl Into<String>, shape: Shape) -> Self {
        self.series.push(Series { label: label.into(), shape });
        self
    }

    /// The plot as the text of an SVG file, with notes on what was left out.
    ///
    /// # Errors
    /// When nothing can be shown.
    pub fn to_svg(&self) -> Result<(String, Vec<String>), PlotError> {
        let picture = Picture::of(self)?;
        let size = (WIDTH as u32 * VECTOR_SCALE, HEIGHT as u32 * VECTOR_SCALE);
        let mut svg = String::new();
        {
            let backend = SVGBackend::with_string(&mut svg, size);
            let canvas = Canvas::new(backend, Medium::Vector, f64::from(VECTOR_SCALE));
            picture.draw(canvas).map_err(|e| self.draw_error(e))?;
        }
        let drawn = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
        let shown = format!("width=\"{WIDTH}\" height=\"{HEIGHT}\" stroke-linejoin=\"round\"");
        let svg = svg.replacen(&drawn, &shown, 1).replace(
            "font-family=\"sans-serif\"",
            "font-family=\"DejaVu Sans, Verdana, sans-serif\"",
        );
        Ok((svg, picture.notes))
    }

    /// Writes the plot to `path` as SVG and returns notes on what was left out.
    ///
    /// The file appears under its name only when it is whole.
    ///
    /// # Errors
    /// When nothing can be shown or the file cannot be written.
    pub fn write_svg(&self, path: &Path) -> Result<Vec<String>, PlotError> {
        let (svg, notes) = self.to_svg()?;
        write_whole(path, |partial| std::fs::write(partial, &svg))?;
        Ok(notes)
    }

    /// Writes the plot to `path` as PNG and returns notes on what was left out.
    ///
    /// The file appears under its name only when it is whole.
    ///
    /// # Errors
    /// When nothing can be shown or the file cannot be written.
    pub fn write_png(&self, path: &Path) -> Result<Vec<String>, PlotError> {
        let picture = Picture::of(self)?;
        let (width, height) = (WIDTH as u32 * PIXEL_SCALE, HEIGHT as u32 * PIXEL_SCALE);
        let fine = (width * OVERSAMPLING, height * OVERSAMPLING);
        let mut pixels = vec![0; fine.0 as usize * fine.1 as usize * 3];
        {
            let backend = BitMapBackend::with_buffer(&mut pixels, fine);
            let scale = f64::from(PIXEL_SCALE * OVERSAMPLING);
            let canvas = Canvas::new(backend, Medium::Pixels, scale);
            picture.draw(canvas).map_err(|e| self.draw_error(e))?;
        }
        let smooth = average(&pixels, fine.0 as usize, OVERSAMPLING as usize);
        write_whole(path, |partial| {
            let mut backend = BitMapBackend::new(partial, (width, height));
            backend.blit_bitmap((0, 0), (width, height), &smooth).map_err(io::Error::other)?;
            backend.present().map_err(io::Error::other)
        })?;
        Ok(picture.notes)
    }

    fn draw_error(&self, reason: String) -> PlotError {
        PlotError::Draw { title: self.title.clone(), reason }
    }
}

/// The means of squares of `factor` x `factor` pixels of three bytes, `width` of them on a row.
fn average(pixels: &[u8], width: usize, factor: usize) -> Vec<u8> {
    let rows = pixels.len() / (3 * width);
    let mut means = Vec::with_capacity(pixels.len() / (factor * factor));
    let full = (factor * factor) as u32;
    for row in (0..rows).step_by(factor) {
        for column in (0..width).step_by(factor) {
            for channel in 0..3 {
                let cell = |i: usize| {
                    let (r, c) = (row + i / factor, column + i % factor);
                    u32::from(pixels[(r * width + c) * 3 + channel])
                };
                let sum: u32 = (0..factor * factor).map(cell).sum();
                means.push(((sum + full / 2) / full) as u8);
            }
        }
    }
    means
}

/// Lets `write` fill a file beside `path`, then gives it its name; on failure nothing stays behind.
fn write_whole(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), PlotError> {
    let failed = |source| PlotError::Write { path: path.to_path_buf(), source };
    let name = path.file_name().ok_or_else(|| {
        failed(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))
    })?;
    // The extension stays last: the encoder goes by it.
    let partial = path.with_file_name(format!(".partial-{}", name.to_string_lossy()));
    write(&partial).and_then(|()| std::fs::rename(&partial, path)).map_err(|source| {
        // What could not be created cannot be removed either; the first error is the one to tell.
        let _ = std::fs::remove_file(&partial);
        failed(source)
    })
}
