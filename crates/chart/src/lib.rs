//! Every picture of the program, as an SVG document that needs nothing else.
//!
//! A [`Chart`] is data: a title, a subtitle and a [`Drawing`]. [`Chart::svg`] draws it; scales, ticks,
//! legends and the escaping of texts are the same for all kinds of drawing. Whatever the numbers and the
//! texts are, the document is well-formed: a value that cannot be drawn is left out.

#![forbid(unsafe_code)]

mod bars;
mod dot_plot;
mod grid;
mod line_chart;
mod number;
mod scale;
mod svg;
pub mod text;

pub use bars::{BarSeries, Bars};
pub use dot_plot::{DotPlot, DotRow};
pub use grid::Grid;
pub use line_chart::{Curve, LineChart, Point, YScale};
pub use number::{grouped, natural, plain};
pub use svg::{FAINT, GRID, INK, escape};

use svg::{FONT, MARGIN, SMALL, Svg, TITLE, WIDTH};

/// A picture.
///
/// ```
/// use tabiya_chart::{Chart, Curve, Drawing, LineChart, Point, YScale};
///
/// let points = vec![Point::exact(1.0, 0.02), Point::exact(2.0, 0.01)];
/// let chart = Chart {
///     title: "Loss".into(),
///     subtitle: "mean squared error".into(),
///     drawing: Drawing::Lines(LineChart {
///         x: "epoch".into(),
///         y: "loss".into(),
///         axis: YScale::Close,
///         curves: vec![Curve { name: "training & validation".into(), reference: false, points }],
///     }),
/// };
/// let svg = chart.svg();
/// assert!(svg.starts_with("<svg ") && svg.contains("training &amp; validation"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// In which units, and what else has to be said.
    pub subtitle: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// What is drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Drawing {
    /// Curves.
    Lines(LineChart),
    /// Bars side by side.
    Bars(Bars),
    /// Numbers in a grid.
    Grid(Grid),
    /// A table of points with error bars.
    Dots(DotPlot),
}

impl Chart {
    /// The picture as an SVG document.
    pub fn svg(&self) -> String {
        let mut body = Svg::new();
        let (width, height) = match &self.drawing {
            Drawing::Lines(lines) => (WIDTH, lines.draw(&mut body)),
            Drawing::Bars(bars) => (WIDTH, bars.draw(&mut body)),
            Drawing::Dots(points) => (WIDTH, points.draw(&mut body)),
            Drawing::Grid(grid) => {
                let (width, height) = grid.draw(&mut body);
                let titles = text::width(&self.title, svg::BOLD * TITLE);
                let titles = titles.max(text::width(&self.subtitle, SMALL));
                (width.max(titles + 2.0 * MARGIN).min(WIDTH), height)
            }
        };
        let room = width - 2.0 * MARGIN;
        let title = escape(&text::fit(&self.title, room, |c| text::letter(c, svg::BOLD * TITLE)));
        let subtitle = escape(&text::fit(&self.subtitle, room, |c| text::letter(c, SMALL)));
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{title}" font-family="'Inter', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" font-size="{FONT}" fill="{INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{MARGIN}" y="26" font-size="{TITLE}" font-weight="600">{title}</text>
<text x="{MARGIN}" y="45" font-size="{SMALL}" fill="{FAINT}">{subtitle}</text>
{}</svg>
"##,
            body.into_text()
        )
    }
}

/// Can a value be drawn to scale? Infinities, NaN and what is far beyond anything measured cannot.
fn can_be_drawn(value: f64) -> bool {
    value.abs() < 1e15
}

#[cfg(test)]
mod tests;
