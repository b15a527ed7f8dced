//! A plot with every value in its place, drawn from the back to the front.

use plotters::prelude::DrawingBackend;

use super::axis::{Axis, Layout, Scale};
use super::canvas::{Align, Canvas, Drawn, Rgb, text_width};
use super::{Plot, PlotError, Shape};

/// Width of a plot in points.
pub(super) const WIDTH: f64 = 720.0;
/// Height of a plot in points.
pub(super) const HEIGHT: f64 = 450.0;
const TITLE_SIZE: f64 = 15.0;
const AXIS_TITLE_SIZE: f64 = 13.0;
const LABEL_SIZE: f64 = 12.0;
const FOOTNOTE_SIZE: f64 = 10.0;

const WHITE: Rgb = (255, 255, 255);
const INK: Rgb = (34, 34, 34);
const GREY: Rgb = (96, 96, 96);
const GRID: Rgb = (226, 226, 226);
/// M. Okabe and K. Ito's palette, told apart by colour-blind readers; yellow and black left out.
const PALETTE: [Rgb; 6] =
    [(0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233)];

/// Length and distance of dashes in points.
const DASHES: (f64, f64) = (7.0, 4.0);
/// Width of the sample of a series in the legend.
const SWATCH: f64 = 24.0;

/// A series whose values all have a place.
struct Placed<'a> {
    colour: Rgb,
    /// Whether its line is dashed, as that of a series whose colour has been used before.
    dashed: bool,
    label: &'a str,
    shape: Shape,
}

/// A plot whose values all have a place and whose axes are laid out.
pub(super) struct Picture<'a> {
    plot: &'a Plot,
    x: Layout,
    y: Layout,
    series: Vec<Placed<'a>>,
    /// What was left out.
    pub(super) notes: Vec<String>,
}

impl<'a> Picture<'a> {
    /// Places the values of `plot`.
    pub(super) fn of(plot: &'a Plot) -> Result<Self, PlotError> {
        let mut notes = Vec::new();
        let mut series = Vec::new();
        for (index, one) in plot.series.iter().enumerate() {
            let (shape, left_out) = placed(&one.shape, &plot.x, &plot.y);
            if left_out > 0 {
                let why = match (plot.x.scale, plot.y.scale) {
                    (Scale::Log10, _) | (_, Scale::Log10) => "not positive or not finite",
                    _ => "not finite",
                };
                notes.push(format!(
                    "plot '{}': {left_out} value{} of '{}' left out ({why})",
                    plot.title,
                    if left_out == 1 { "" } else { "s" },
                    one.label,
                ));
            }
            if let Some(shape) = shape {
                series.push(Placed {
                    colour: PALETTE[index % PALETTE.len()],
                    dashed: index >= PALETTE.len(),
                    label: &one.label,
                    shape,
                });
            }
        }
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for one in &series {
            extent(&one.shape, &mut xs, &mut ys);
        }
        if xs.is_empty() {
            return Err(PlotError::Empty(plot.title.clone()));
        }
        let x = plot.x.layout(xs.into_iter());
        let y = plot.y.layout(ys.into_iter());
        Ok(Self { plot, x, y, series, notes })
    }

    /// Draws everything.
    pub(super) fn draw<B: DrawingBackend>(&self, mut canvas: Canvas<B>) -> Drawn {
        let frame = self.frame();
        canvas.rectangle((0.0, 0.0), (WIDTH, HEIGHT), WHITE, 1.0)?;
        self.draw_grid(&mut canvas, &frame)?;
        for series in &self.series {
            self.draw_series(&mut canvas, &frame, series)?;
        }
        // What a chosen range cuts off is painted over.
        for (from, to) in [
            ((0.0, 0.0), (WIDTH, frame.top)),
            ((0.0, frame.bottom), (WIDTH, HEIGHT)),
            ((0.0, 0.0), (frame.left, HEIGHT)),
            ((frame.right, 0.0), (WIDTH, HEIGHT)),
        ] {
            canvas.rectangle(from, to, WHITE, 1.0)?;
        }
        self.draw_axes(&mut canvas, &frame)?;
        self.draw_legend(&mut canvas, &frame)?;
        canvas.finish()
    }

    /// The rectangle of the data: what titles, labels and legend leave free.
    fn frame(&self) -> Frame {
        let widest = self.y.labelled.iter().map(|(_, label)| text_width(label, LABEL_SIZE));
        let left = 14.0 + AXIS_TITLE_SIZE + 12.0 + widest.fold(0.0, f64::max) + 10.0;
        let legend_rows = self.legend(left).len() as f64;
        let foot = if self.plot.footnote.is_empty() { 0.0 } else { FOOTNOTE_SIZE + 8.0 };
        Frame {
            left,
            right: WIDTH - 24.0,
            top: 40.0 + 20.0 * legend_rows,
            bottom: HEIGHT - 52.0 - foot,
        }
    }

    fn draw_grid<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame) -> Drawn {
        for (place, _) in &self.x.labelled {
            let x = frame.x(self.x.fraction(*place));
            canvas.path(&[(x, frame.top), (x, frame.bottom)], GRID, 0.6)?;
        }
        for (place, _) in &self.y.labelled {
            let y = frame.y(self.y.fraction(*place));
            canvas.path(&[(frame.left, y), (frame.right, y)], GRID, 0.6)?;
        }
        Ok(())
    }

    fn draw_series<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        frame: &Frame,
        series: &Placed,
    ) -> Drawn {
        let colour = series.colour;
        let at = |x: f64, y: f64| (frame.x(self.x.fraction(x)), frame.y(self.y.fraction(y)));
        match &series.shape {
            Shape::Line(points) => {
                let line: Vec<_> = points.iter().map(|(x, y)| at(*x, *y)).collect();
                match series.dashed {
                    true => canvas.dashes(&line, colour, 1.6, DASHES)?,
                    false => canvas.path(&line, colour, 1.6)?,
                }
                if let [only] = line[..] {
                    canvas.disc(only, 3.0, colour)?;
                }
            }
            Shape::Band(points) => {
                let upper = points.iter().map(|(x, _, _, high)| at(*x, *high));
                let lower = points.iter().rev().map(|(x, _, low, _)| at(*x, *low));
                canvas.area(&upper.chain(lower).collect::<Vec<_>>(), colour, 0.2)?;
                let line: Vec<_> = points.iter().map(|(x, y, _, _)| at(*x, *y)).collect();
                canvas.path(&line, colour, 1.6)?;
                if let ([only], [(x, _, low, high)]) = (&line[..], &points[..]) {
                    canvas.path(&[at(*x, *low), at(*x, *high)], colour, 1.2)?;
                    canvas.disc(*only, 3.0, colour)?;
                }
            }
            Shape::Bars(bars) => {
                // On a logarithmic axis bars stand on its lower end, wherever that is.
                let base = if self.plot.y.scale == Scale::Linear { 0.0 } else { -1e300 };
                for outline in outlines(bars, base) {
                    let outline: Vec<_> = outline.iter().map(|(x, y)| at(*x, *y)).collect();
                    canvas.area(&outline, colour, 0.25)?;
                    canvas.path(&outline, colour, 1.2)?;
                }
            }
            Shape::Points(points) => {
                for (x, y, low, high) in points {
                    if low < high {
                        let ends = [at(*x, *low), at(*x, *high)];
                        canvas.path(&ends, colour, 1.2)?;
                        for (x, y) in ends {
                            canvas.path(&[(x - 4.0, y), (x + 4.0, y)], colour, 1.2)?;
                        }
                    }
                    canvas.disc(at(*x, *y), 3.5, colour)?;
                }
            }
            Shape::Level { value, low, high } => {
                let height = |place: f64| frame.y(self.y.fraction(place));
                if low < high {
                    let corners = ((frame.left, height(*high)), (frame.right, height(*low)));
                    canvas.rectangle(corners.0, corners.1, colour, 0.15)?;
                }
                let y = height(*value);
                canvas.dashes(&[(frame.left, y), (frame.right, y)], colour, 1.4, DASHES)?;
            }
        }
        Ok(())
    }

    fn draw_axes<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame) -> Drawn {
        let Frame { left, right, top, bottom } = *frame;
        canvas.path(
            &[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)],
            INK,
            1.0,
        )?;
        let rise = 0.36 * LABEL_SIZE;
        let mut free_from = f64::NEG_INFINITY;
        for (place, label) in &self.x.labelled {
            let x = frame.x(self.x.fraction(*place));
            canvas.path(&[(x, bottom), (x, bottom + 5.0)], INK, 1.0)?;
            let half = text_width(label, LABEL_SIZE) / 2.0;
            if x - half > free_from {
                canvas.text(label, (x, bottom + 19.0), Align::Centre, LABEL_SIZE, INK)?;
                free_from = x + half + 4.0;
            }
        }
        for place in &self.x.unlabelled {
            let x = frame.x(self.x.fraction(*place));
            canvas.path(&[(x, bottom), (x, bottom + 3.0)], INK, 0.7)?;
        }
        for (place, label) in &self.y.labelled {
            let y = frame.y(self.y.fraction(*place));
            canvas.path(&[(left - 5.0, y), (left, y)], INK, 1.0)?;
            canvas.text(label, (left - 9.0, y + rise), Align::Right, LABEL_SIZE, INK)?;
        }
        for place in &self.y.unlabelled {
            let y = frame.y(self.y.fraction(*place));
            canvas.path(&[(left - 3.0, y), (left, y)], INK, 0.7)?;
        }
        let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
        canvas.text(
            &self.x.title,
            (middle.0, bottom + 41.0),
            Align::Centre,
            AXIS_TITLE_SIZE,
            INK,
        )?;
        canvas.text_upwards(
            &self.y.title,
            (14.0 + AXIS_TITLE_SIZE, middle.1),
            AXIS_TITLE_SIZE,
            INK,
        )?;
        canvas.text(&self.plot.title, (left, 25.0), Align::Left, TITLE_SIZE, INK)?;
        if !self.plot.footnote.is_empty() {
            let at = (right, HEIGHT - 10.0);
            canvas.text(&self.plot.footnote, at, Align::Right, FOOTNOTE_SIZE, GREY)?;
        }
        Ok(())
    }

    /// The rows of the legend, each entry the index of a series and where it starts.
    fn legend(&self, left: f64) -> Vec<Vec<(usize, f64)>> {
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        let mut x = f64::INFINITY;
        for (index, Placed { label, .. }) in self.series.iter().enumerate() {
            if label.is_empty() {
                continue;
            }
            let width = SWATCH + 6.0 + text_width(label, LABEL_SIZE) + 18.0;
            if x + width > WIDTH {
                rows.push(Vec::new());
                x = left;
            }
            if let Some(row) = rows.last_mut() {
                row.push((index, x));
            }
            x += width;
        }
        rows
    }

    fn draw_legend<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame) -> Drawn {
        for (row, entries) in self.legend(frame.left).iter().enumerate() {
            let base = 47.0 + 20.0 * row as f64;
            let middle = base - 0.36 * LABEL_SIZE;
            for (index, x) in entries {
                let Placed { colour, dashed, label, shape } = &self.series[*index];
                let ends = [(*x, middle), (x + SWATCH, middle)];
                let block = ((*x, middle - 5.0), (x + SWATCH, middle + 5.0));
                match shape {
                    Shape::Line(_) if *dashed => canvas.dashes(&ends, *colour, 1.6, DASHES)?,
                    Shape::Line(_) => canvas.path(&ends, *colour, 1.6)?,
                    Shape::Band(_) => {
                        canvas.rectangle(block.0, block.1, *colour, 0.2)?;
                        canvas.path(&ends, *colour, 1.6)?;
                    }
                    Shape::Bars(_) => canvas.rectangle(block.0, block.1, *colour, 0.5)?,
                    Shape::Points(_) => canvas.disc((x + SWATCH / 2.0, middle), 3.5, *colour)?,
                    Shape::Level { low, high, .. } => {
                        if low < high {
                            canvas.rectangle(block.0, block.1, *colour, 0.15)?;
                        }
                        canvas.dashes(&ends, *colour, 1.4, DASHES)?;
                    }
                }
                let at = (x + SWATCH + 6.0, base);
                canvas.text(label, at, Align::Left, LABEL_SIZE, INK)?;
            }
        }
        Ok(())
    }
}

/// The rectangle of the data in points.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    fn x(&self, fraction: f64) -> f64 {
        self.left + fraction * (self.right - self.left)
    }

    fn y(&self, fraction: f64) -> f64 {
        self.bottom - fraction * (self.bottom - self.top)
    }
}

/// `shape` with places instead of values, `None` if nothing is left, and how many were left out.
fn placed(shape: &Shape, x: &Axis, y: &Axis) -> (Option<Shape>, usize) {
    fn all<T, U>(given: &[T], place: impl Fn(&T) -> Option<U>) -> (Vec<U>, usize) {
        let kept: Vec<U> = given.iter().filter_map(place).collect();
        let left_out = given.len() - kept.len();
        (kept, left_out)
    }
    // A bound that cannot be shown, such as a low end at zero on a logarithmic axis, shrinks to the
    // value; a value that cannot be shown takes its bounds with it.
    let bounded = |(at, value, low, high): &(f64, f64, f64, f64)| {
        let (at, value) = (x.place(*at)?, y.place(*value)?);
        Some((at, value, y.place(*low).unwrap_or(value), y.place(*high).unwrap_or(value)))
    };
    match shape {
        Shape::Line(points) => {
            let (kept, left_out) = all(points, |(a, b)| Some((x.place(*a)?, y.place(*b)?)));
            ((!kept.is_empty()).then_some(Shape::Line(kept)), left_out)
        }
        Shape::Band(points) => {
            let (kept, left_out) = all(points, bounded);
            ((!kept.is_empty()).then_some(Shape::Band(kept)), left_out)
        }
        Shape::Points(points) => {
            let (kept, left_out) = all(points, bounded);
            ((!kept.is_empty()).then_some(Shape::Points(kept)), left_out)
        }
        Shape::Bars(bars) => {
            let bar = |(from, to, height): &(f64, f64, f64)| {
                Some((x.place(*from)?, x.place(*to)?, y.place(*height)?))
            };
            let (kept, left_out) = all(bars, bar);
            ((!kept.is_empty()).then_some(Shape::Bars(kept)), left_out)
        }
        Shape::Level { value, low, high } => match y.place(*value) {
            Some(value) => {
                let (low, high) = (y.place(*low), y.place(*high));
                let (low, high) = (low.unwrap_or(value), high.unwrap_or(value));
                (Some(Shape::Level { value, low, high }), 0)
            }
            None => (None, 1),
        },
    }
}

/// Adds the places that the axes must span.
fn extent(shape: &Shape, xs: &mut Vec<f64>, ys: &mut Vec<f64>) {
    match shape {
        Shape::Line(points) => {
            xs.extend(points.iter().map(|p| p.0));
            ys.extend(points.iter().map(|p| p.1));
        }
        Shape::Band(points) | Shape::Points(points) => {
            xs.extend(points.iter().map(|p| p.0));
            ys.extend(points.iter().flat_map(|p| [p.1, p.2, p.3]));
        }
        Shape::Bars(bars) => {
            xs.extend(bars.iter().flat_map(|b| [b.0, b.1]));
            ys.extend(bars.iter().map(|b| b.2));
        }
        Shape::Level { value, low, high } => ys.extend([*value, *low, *high]),
    }
}

/// The outlines of runs of touching bars, each closed along `base`.
fn outlines(bars: &[(f64, f64, f64)], base: f64) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut end = f64::NAN;
    for (from, to, height) in bars {
        if *from != end {
            runs.push(vec![(*from, base)]);
        }
        if let Some(run) = runs.last_mut() {
            run.extend([(*from, *height), (*to, *height)]);
        }
        end = *to;
    }
    for run in &mut runs {
        let (first, last) = (run[0], run[run.len() - 1]);
        run.extend([(last.0, base), first]);
    }
    runs
}
