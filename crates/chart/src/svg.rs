//! What all drawings are made of: the page's measures and colors, texts and legends.

use crate::text::{self, is_harmful};
use std::fmt::{Arguments, Write};

pub(crate) const WIDTH: f64 = 760.0;
pub(crate) const MARGIN: f64 = 20.0;
/// Where the drawing begins, below the titles.
pub(crate) const HEAD: f64 = 62.0;
pub(crate) const FONT: f64 = 13.0;
pub(crate) const SMALL: f64 = 11.5;
pub(crate) const TITLE: f64 = 15.5;
/// How much wider bold letters run.
pub(crate) const BOLD: f64 = 1.1;
/// Letters stand on their baseline; this much lower, in units of the font's size, their middle is level.
pub(crate) const MIDDLE: f64 = 0.35;

/// The color of texts. A page may change these three colors where it is dark.
pub const INK: &str = "#1c2733";
/// The color of what is written small.
pub const FAINT: &str = "#5b6875";
/// The color of the lines behind a drawing.
pub const GRID: &str = "#e3e7eb";

/// What a drawing compares with is in one of these colors, the rest in one of the others.
const REFERENCE: [&str; 2] = ["#c9952f", "#e0bf7d"];
const COLORS: [&str; 7] =
    ["#1d5fa8", "#2f9187", "#8a5fb0", "#c2574f", "#6c7a89", "#7fa650", "#d487a5"];

/// The first of the colors.
pub(crate) const ACCENT: &str = COLORS[0];

/// Where a text stands beside its place.
#[derive(Clone, Copy)]
pub(crate) enum TextAnchor {
    Start,
    Middle,
    End,
}

/// An SVG document that is being written.
pub(crate) struct Svg(String);

impl Svg {
    pub(crate) fn new() -> Svg {
        Svg(String::new())
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }

    /// A line of the document, as it is.
    pub(crate) fn put(&mut self, line: Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes everything");
    }

    /// A text in the usual size and the document's own color.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: TextAnchor, text: &str) {
        self.sized((x, y), anchor, FONT, "inherit", text);
    }

    /// A small text.
    pub(crate) fn small(&mut self, (x, y): (f64, f64), anchor: TextAnchor, text: &str) {
        self.sized((x, y), anchor, SMALL, FAINT, text);
    }

    pub(crate) fn sized(
        &mut self,
        (x, y): (f64, f64),
        anchor: TextAnchor,
        size: f64,
        fill: &str,
        text: &str,
    ) {
        let anchor = match anchor {
            TextAnchor::Start => "start",
            TextAnchor::Middle => "middle",
            TextAnchor::End => "end",
        };
        let text = escape(text);
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    /// A line behind the drawing.
    pub(crate) fn grid_line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let ((x, y), (to_x, to_y)) = (from, to);
        self.put(format_args!(r#"<path d="M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}" stroke="{GRID}"/>"#));
    }

    /// A legend under the titles; returns where it ends. Nothing if there is only one thing without a name.
    pub(crate) fn legend(&mut self, names: &[&str], colors: &[&str]) -> f64 {
        if names.len() < 2 && names.iter().all(|name| name.is_empty()) {
            return HEAD;
        }
        let (mut x, mut y) = (MARGIN, HEAD + 8.0);
        for (name, color) in names.iter().zip(colors) {
            let name = text::fit(name, WIDTH - 3.0 * MARGIN, |c| text::letter(c, SMALL));
            let width = 33.0 + text::width(&name, SMALL);
            if x + width > WIDTH - MARGIN && x > MARGIN {
                x = MARGIN;
                y += 18.0;
            }
            self.put(format_args!(
                r#"<rect x="{x:.1}" y="{:.1}" width="12" height="12" rx="2" fill="{color}"/>"#,
                y - 10.0
            ));
            self.sized((x + 17.0, y), TextAnchor::Start, SMALL, "inherit", &name);
            x += width;
        }
        y + 18.0
    }
}

/// Colors for series in their order, of which some are references.
pub(crate) fn colors(references: impl Iterator<Item = bool>) -> Vec<&'static str> {
    let mut used = [0; 2];
    let color = |is_reference: bool| {
        let palette: &[&str] = if is_reference { &REFERENCE } else { &COLORS };
        let number = &mut used[usize::from(is_reference)];
        *number += 1;
        palette[(*number - 1) % palette.len()]
    };
    references.map(color).collect()
}

/// A text that cannot be mistaken for markup, in SVG as in HTML.
///
/// ```
/// assert_eq!(tabiya_chart::escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
/// ```
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(c),
            c => escaped.push(if is_harmful(c) { '\u{fffd}' } else { c }),
        }
    }
    escaped
}
