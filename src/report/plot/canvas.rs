//! Drawing in points, the same on the vector and on the pixel backend of plotters.
//!
//! Text is set in the embedded font, so nothing depends on what is installed. The pixel backend draws
//! thick lines as bare rectangles and puts text a little too high; both are evened out here.

use std::fmt::Display;
use std::sync::Once;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{RGBAColor, register_font};

/// Red, green, blue.
pub(super) type Rgb = (u8, u8, u8);

/// DejaVu Sans: Latin-1, Greek, raised and lowered digits, mathematics.
static FONT: &[u8] = include_bytes!("../font/DejaVuSans-subset.ttf");
/// Ascent plus descent of the font in ems, by which the pixel backend measures text size.
const FONT_HEIGHT: f64 = (1901.0 + 483.0) / 2048.0;
/// What the vector backend divides text size by to get ems.
const VECTOR_HEIGHT: f64 = 1.24;

/// Where a text stands relative to its anchor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// The anchor is at the left end.
    Left,
    /// The anchor is in the middle.
    Centre,
    /// The anchor is at the right end.
    Right,
}

/// What kind of backend is drawn on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// SVG.
    Vector,
    /// RGB pixels.
    Pixels,
}

/// A plotters backend seen in points; x grows to the right, y downwards.
pub(super) struct Canvas<B: DrawingBackend> {
    backend: B,
    medium: Medium,
    scale: f64,
}

/// The outcome of drawing: nothing, or what the library said.
pub(super) type Drawn = Result<(), String>;

impl<B: DrawingBackend> Canvas<B> {
    /// A canvas on `backend`, `scale` of whose units make a point.
    pub(super) fn new(backend: B, medium: Medium, scale: f64) -> Self {
        register();
        Self { backend, medium, scale }
    }

    /// Ends the drawing.
    pub(super) fn finish(mut self) -> Drawn {
        self.backend.present().map_err(told)
    }

    /// A line through `points`.
    pub(super) fn path(&mut self, points: &[(f64, f64)], colour: Rgb, width: f64) -> Drawn {
        let style = self.stroke(colour, width);
        let points: Vec<_> = points.iter().map(|p| self.unit(*p)).collect();
        if self.medium == Medium::Vector || style.stroke_width <= 1 {
            return self.backend.draw_path(points, &style).map_err(told);
        }
        for ends in points.windows(2) {
            self.backend.draw_line(ends[0], ends[1], &style).map_err(told)?;
        }
        let joints = points.get(1..points.len().saturating_sub(1)).unwrap_or_default();
        let radius = (style.stroke_width - 1) / 2;
        for joint in joints {
            self.backend.draw_circle(*joint, radius, &style.filled(), true).map_err(told)?;
        }
        Ok(())
    }

    /// A dashed line through `points`; `dash` and `gap` in points.
    pub(super) fn dashes(
        &mut self,
        points: &[(f64, f64)],
        colour: Rgb,
        width: f64,
        (dash, gap): (f64, f64),
    ) -> Drawn {
        let mut travelled = 0.0;
        for ends in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            let at = |s: f64| (x0 + (x1 - x0) * s / length, y0 + (y1 - y0) * s / length);
            let mut from = 0.0;
            while from < length {
                let phase = (travelled + from) % (dash + gap);
                let (drawn, rest) =
                    if phase < dash { (true, dash - phase) } else { (false, dash + gap - phase) };
                let to = (from + rest.max(0.01)).min(length);
                if drawn {
                    self.path(&[at(from), at(to)], colour, width)?;
                }
                from = to;
            }
            travelled += length;
        }
        Ok(())
    }

    /// The filled area within `points`, `opacity` from 0 to 1.
    pub(super) fn area(&mut self, points: &[(f64, f64)], colour: Rgb, opacity: f64) -> Drawn {
        let points: Vec<_> = points.iter().map(|p| self.unit(*p)).collect();
        if points.is_empty() {
            return Ok(());
        }
        self.backend.fill_polygon(points, &rgba(colour, opacity)).map_err(told)
    }

    /// The filled rectangle between two corners.
    pub(super) fn rectangle(
        &mut self,
        (x0, y0): (f64, f64),
        (x1, y1): (f64, f64),
        colour: Rgb,
        opacity: f64,
    ) -> Drawn {
        let (a, b) = (self.unit((x0.min(x1), y0.min(y1))), self.unit((x0.max(x1), y0.max(y1))));
        self.backend.draw_rect(a, b, &rgba(colour, opacity), true).map_err(told)
    }

    /// A filled disc.
    pub(super) fn disc(&mut self, centre: (f64, f64), radius: f64, colour: Rgb) -> Drawn {
        let (centre, radius) = (self.unit(centre), (radius * self.scale).round() as u32);
        self.backend.draw_circle(centre, radius, &rgba(colour, 1.0), true).map_err(told)
    }

    /// A line of text `size` points high whose base line passes through `at`.
    pub(super) fn text(
        &mut self,
        text: &str,
        (x, y): (f64, f64),
        align: Align,
        size: f64,
        colour: Rgb,
    ) -> Drawn {
        let (style, drop) = self.text_style(align, size, colour);
        let at = self.unit((x, y - drop));
        self.backend.draw_text(text, &style, at).map_err(told)
    }

    /// As [`Canvas::text`], turned to run upwards.
    pub(super) fn text_upwards(
        &mut self,
        text: &str,
        (x, y): (f64, f64),
        size: f64,
        colour: Rgb,
    ) -> Drawn {
        let (style, drop) = self.text_style(Align::Centre, size, colour);
        let at = self.unit((x - drop, y));
        self.backend.draw_text(text, &style.transform(FontTransform::Rotate270), at).map_err(told)
    }

    /// The style of a text and the distance from the top of its box to its base line.
    fn text_style(&self, align: Align, size: f64, colour: Rgb) -> (TextStyle<'static>, f64) {
        let (height, drop) = match self.medium {
            Medium::Vector => (VECTOR_HEIGHT, 0.76),
            Medium::Pixels => (FONT_HEIGHT, FONT_HEIGHT / 2.0),
        };
        let h_pos = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let style = font(size * self.scale * height)
            .color(&rgba(colour, 1.0))
            .pos(Pos::new(h_pos, VPos::Top));
        (style, drop * size)
    }

    fn stroke(&self, colour: Rgb, width: f64) -> ShapeStyle {
        let stroke_width = (width * self.scale).round().max(1.0) as u32;
        ShapeStyle { color: rgba(colour, 1.0), filled: false, stroke_width }
    }

    fn unit(&self, (x, y): (f64, f64)) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }
}

/// The width in points of `text`, `size` points high.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    register();
    let (width, _) = font(1000.0 * FONT_HEIGHT).box_size(text).unwrap_or_default();
    f64::from(width) * size / 1000.0
}

fn font(size: f64) -> FontDesc<'static> {
    FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal)
}

fn rgba((r, g, b): Rgb, opacity: f64) -> RGBAColor {
    RGBAColor(r, g, b, opacity)
}

/// Hands the embedded font to plotters under the name that stands for it in SVG files.
fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let valid = register_font("sans-serif", FontStyle::Normal, FONT).is_ok();
        assert!(valid, "the embedded font is a font");
    });
}

fn told(error: impl Display) -> String {
    error.to_string()
}
