//! Curves.

use crate::can_be_drawn;
use crate::scale::{Scale, extent};
use crate::svg::{HEAD, MARGIN, MIDDLE, SMALL, Svg, TextAnchor, WIDTH, colors};
use crate::text;

/// How tall the drawing is.
const HEIGHT: f64 = 300.0;

/// Curves over one axis.
#[derive(Clone, PartialEq, Debug)]
pub struct LineChart {
    /// What goes to the right.
    pub x: String,
    /// What goes up.
    pub y: String,
    /// The scale upwards.
    pub axis: YScale,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A scale upwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum YScale {
    /// As close around the values as can be, so that small differences are seen.
    Close,
    /// From 0, so that heights can be compared.
    FromZero,
    /// Equal steps upwards are equal factors.
    Logarithmic,
}

/// A curve.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// Is it what the others are compared with? It has a color of its own and is dashed.
    pub reference: bool,
    /// From left to right.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// How far to the right.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// How uncertain the height is, either way; 0 draws no error bar.
    pub error: f64,
}

impl Point {
    /// A point without an error bar.
    pub fn exact(x: f64, y: f64) -> Point {
        Point { x, y, error: 0.0 }
    }

    fn can_be_drawn(&self) -> bool {
        [self.x, self.y, self.error].into_iter().all(can_be_drawn)
    }
}

impl LineChart {
    /// Draws them, and says how tall the picture is.
    pub(crate) fn draw(&self, svg: &mut Svg) -> f64 {
        let colors = colors(self.curves.iter().map(|line| line.reference));
        let names: Vec<&str> = self.curves.iter().map(|line| line.name.as_str()).collect();
        let top = svg.legend(&names, &colors).max(HEAD) + 6.0;
        let bottom = top + HEIGHT;
        let shown = || self.curves.iter().flat_map(Curve::shown);
        let heights =
            extent(shown().flat_map(|point| [point.y - point.error, point.y + point.error]));
        let ys = match self.axis {
            YScale::Close => Scale::close(heights, (bottom, top)),
            YScale::FromZero => Scale::from_zero(heights, (bottom, top)),
            YScale::Logarithmic => Scale::logarithmic(heights, (bottom, top)),
        };
        let ticks = ys.ticks();
        let widest = ticks.iter().map(|(_, text)| text::width(text, SMALL)).fold(20.0, f64::max);
        let (left, right) = (MARGIN + 24.0 + widest, WIDTH - MARGIN - 8.0);
        for (value, text) in ticks {
            let y = ys.at(value);
            svg.grid_line((left, y), (right, y));
            svg.small((left - 6.0, y + MIDDLE * SMALL), TextAnchor::End, &text);
        }
        let are_whole = shown().all(|point| point.x == point.x.round());
        let widths = extent(shown().map(|point| point.x));
        let xs = if are_whole { Scale::whole } else { Scale::close }(widths, (left, right));
        for (value, text) in xs.ticks() {
            svg.small((xs.at(value), bottom + 16.0), TextAnchor::Middle, &text);
        }
        svg.small(((left + right) / 2.0, bottom + 34.0), TextAnchor::Middle, &self.x);
        let (x, y) = (MARGIN + 4.0, (top + bottom) / 2.0);
        svg.put(format_args!(r#"<g transform="rotate(-90 {x:.1} {y:.1})">"#));
        svg.small((x, y), TextAnchor::Middle, &self.y);
        svg.put(format_args!("</g>"));
        for (line, color) in self.curves.iter().zip(&colors) {
            line.draw(svg, &xs, &ys, color);
        }
        bottom + 46.0
    }
}

impl Curve {
    /// The points that can be drawn.
    fn shown(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.can_be_drawn())
    }

    fn draw(&self, svg: &mut Svg, xs: &Scale, ys: &Scale, color: &str) {
        let path: Vec<String> =
            self.shown().map(|p| format!("{:.1},{:.1}", xs.at(p.x), ys.at(p.y))).collect();
        let dash = if self.reference { r#" stroke-dasharray="6 4""# } else { "" };
        svg.put(format_args!(
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2"{dash}/>"#,
            path.join(" ")
        ));
        for point in self.shown() {
            let (x, y) = (xs.at(point.x), ys.at(point.y));
            if point.error != 0.0 {
                let ends = [point.y - point.error, point.y + point.error].map(|end| ys.at(end));
                svg.put(format_args!(
                    r#"<path d="M{x:.1} {:.1}V{:.1}" stroke="{color}"/>"#,
                    ends[0], ends[1]
                ));
            }
            svg.put(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{color}"/>"#));
        }
    }
}
