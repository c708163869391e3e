//! Curves as a picture.

use core::fmt;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 74.0;
const BOTTOM: f64 = 350.0;
const INK: &str = "#1c2733";
const FAINT_INK: &str = "#5b6875";
const GRID: &str = "#dfe4e9";
const COLORS: [&str; 4] = ["#1d5fa8", "#c2571a", "#3c7d3c", "#7a4b9a"];

/// About as many lines as a scale should have.
const SCALE_LINES: f64 = 6.0;

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// How far to the right.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// How uncertain the height is, either way.
    pub error: f64,
}

/// A curve.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// Curves as an SVG document. What is not a finite number is left out.
///
/// ```
/// use tabiya_trainer::chart::{Curve, Point, curves_svg};
///
/// let points = vec![Point { x: 1.0, y: 0.02, error: 0.0 }, Point { x: 2.0, y: 0.01, error: 0.0 }];
/// let svg = curves_svg("Errors", "epoch", &[Curve { name: "learnt & held out".into(), points }]);
/// assert!(svg.starts_with("<svg ") && svg.contains("learnt &amp; held out"));
/// ```
pub fn curves_svg(title: &str, across: &str, curves: &[Curve]) -> String {
    let finite = |point: &&Point| {
        [point.x, point.y, point.error].into_iter().all(|value| value.abs() < 1e12)
    };
    let shown = || curves.iter().flat_map(|curve| curve.points.iter().filter(finite));
    let xs = Scale::new(shown().map(|point| (point.x, 0.0)), (LEFT, RIGHT));
    let ys = Scale::new(shown().map(|point| (point.y, point.error)), (BOTTOM, TOP));
    let mut svg = Svg(String::new());
    let title = escape(title);
    svg.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}" font-family="'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" font-size="12" fill="{FAINT_INK}">"#
    ));
    svg.line(format_args!(r##"<rect width="100%" height="100%" fill="#ffffff"/>"##));
    svg.line(format_args!(
        r#"<text x="24" y="34" font-size="18" font-weight="bold" fill="{INK}">{title}</text>"#
    ));
    for value in ys.lines() {
        let (y, text) = (ys.place(value), ys.told(value));
        svg.line(format_args!(
            r#"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="{GRID}"/><text x="{:.1}" y="{:.1}" text-anchor="end">{text}</text>"#,
            LEFT - 8.0,
            y + 4.0,
        ));
    }
    for value in xs.lines() {
        let (x, text) = (xs.place(value), xs.told(value));
        svg.line(format_args!(
            r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{text}</text>"#,
            BOTTOM + 18.0
        ));
    }
    svg.line(format_args!(
        r#"<text x="{RIGHT}" y="{:.1}" text-anchor="end">{}</text>"#,
        BOTTOM + 38.0,
        escape(across)
    ));
    for (number, curve) in curves.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let points: Vec<_> = curve.points.iter().filter(finite).collect();
        svg.line(format_args!(
            r#"<text x="{:.1}" y="56" fill="{color}">{}</text>"#,
            24.0 + 160.0 * number as f64,
            escape(&curve.name)
        ));
        let place = |point: &Point| format!("{:.1},{:.1}", xs.place(point.x), ys.place(point.y));
        let path: Vec<String> = points.iter().map(|point| place(point)).collect();
        svg.line(format_args!(
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="1.6"/>"#,
            path.join(" ")
        ));
        for point in points {
            let (x, y) = (xs.place(point.x), ys.place(point.y));
            let (low, high) = (ys.place(point.y - point.error), ys.place(point.y + point.error));
            svg.line(format_args!(
                r#"<path d="M{x:.1} {low:.1}V{high:.1}" stroke="{color}"/><circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{color}"/>"#
            ));
        }
    }
    svg.line(format_args!("</svg>"));
    svg.0
}

/// Where a value lies in the picture.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
    ends: (f64, f64),
}

impl Scale {
    fn new(values: impl Iterator<Item = (f64, f64)> + Clone, ends: (f64, f64)) -> Scale {
        let low = values.clone().map(|(value, error)| value - error).reduce(f64::min);
        let high = values.map(|(value, error)| value + error).reduce(f64::max);
        let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(1.0));
        let room = if high > low { 0.04 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        let (low, high) = (low - room, high + room);
        Scale { low, high, step: round_step((high - low) / SCALE_LINES), ends }
    }

    fn place(&self, value: f64) -> f64 {
        let (from, to) = self.ends;
        from + (to - from) * (value - self.low) / (self.high - self.low)
    }

    fn lines(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil();
        (0..=2 * SCALE_LINES as u32)
            .map(move |line| (first + f64::from(line)) * self.step)
            .take_while(|&value| value <= self.high)
    }

    /// A value with as many digits as the step has.
    fn told(&self, value: f64) -> String {
        let digits = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        format!("{value:.digits$}").replace('-', "−")
    }
}

/// The next of ... 0.1, 0.2, 0.5, 1, 2, 5, 10 ... that is not less than `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    steps.into_iter().find(|&step| step >= least).unwrap_or(10.0 * power)
}

struct Svg(String);

impl Svg {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        writeln!(self.0, "{content}").expect("a string takes everything");
    }
}

fn escape(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    clean.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, ys: &[f64]) -> Curve {
        let points = (1..).zip(ys).map(|(x, &y)| Point { x: f64::from(x), y, error: 0.1 });
        Curve { name: name.into(), points: points.collect() }
    }

    #[test]
    fn every_point_is_drawn_inside_the_picture() {
        let svg = curves_svg("t", "x", &[curve("a", &[-3.0, 8.0, 2.0]), curve("b", &[1.0])]);
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (4, 2));
        for circle in svg.split("cx=\"").skip(1) {
            let x: f64 = circle.split('"').next().unwrap().parse().unwrap();
            assert!((LEFT..=RIGHT).contains(&x));
        }
        for circle in svg.split("cy=\"").skip(1) {
            let y: f64 = circle.split('"').next().unwrap().parse().unwrap();
            assert!((TOP..=BOTTOM).contains(&y));
        }
    }

    #[test]
    fn odd_values_make_a_picture_all_the_same() {
        for values in [&[][..], &[0.0], &[f64::NAN, f64::INFINITY, 1.0], &[1e-9, 1e11]] {
            let svg = curves_svg("<t>\u{1b}", "x", &[curve("</svg>", values)]);
            assert!(svg.ends_with("</svg>\n") && svg.matches("</svg>").count() == 1, "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains('\u{1b}'));
        }
    }
}
