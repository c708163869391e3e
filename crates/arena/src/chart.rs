//! Ratings as a picture.

use std::fmt::Write;

use crate::label;
use crate::stats::ratings::{PlayerRating, Ratings};

const MARGIN: f64 = 24.0;
const GAP: f64 = 18.0;
const HEAD: f64 = 74.0;
const FOOT: f64 = 40.0;
const ROW: f64 = 30.0;
const PLOT: f64 = 480.0;
const FONT: f64 = 14.0;
const SMALL_FONT: f64 = 12.0;
const TITLE_FONT: f64 = 18.0;
const MAX_NAME: f64 = 300.0;
const DOT: f64 = 5.0;
const CAP: f64 = 5.0;

/// About as many lines as the scale should have.
const SCALE_LINES: f64 = 7.0;

/// What a scale without any width is widened by, in Elo.
const LEAST_WIDTH: f64 = 20.0;

/// A chart of the ratings, strongest on top, each with its 95 % interval, as an SVG document.
///
/// ```
/// use tabiya_arena::chart::ratings_svg;
/// use tabiya_arena::results::{ResultTable, Wdl};
/// use tabiya_arena::stats::ratings::{Anchor, Ratings};
///
/// let mut table = ResultTable::new(["new <fast>", "old"])?;
/// table.add(0, 1, Wdl { wins: 60, draws: 30, losses: 10 })?;
/// let ratings = Ratings::fit(&table, Anchor::Player { player: 1, rating: 2000.0 })?;
/// let svg = ratings_svg("Two engines", &ratings);
/// assert!(svg.starts_with("<svg ") && svg.contains("new &lt;fast&gt;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn ratings_svg(title: &str, ratings: &Ratings) -> String {
    let rows: Vec<Row> =
        ratings.ranking().into_iter().map(|player| Row::new(&ratings.players[player])).collect();
    let widest = |text: fn(&Row) -> &str| {
        rows.iter().map(|row| text_width(text(row), FONT)).fold(0.0, f64::max)
    };
    let left = MARGIN + widest(|row| &row.name) + GAP;
    let right = left + PLOT;
    let rating_end = right + GAP + widest(|row| &row.rating_text);
    let width = rating_end + widest(|row| &row.error_text) + MARGIN;
    let bottom = HEAD + ROW * rows.len() as f64;
    let height = bottom + FOOT;
    let scale = Scale::new(&rows, left, right);
    let title = escape(&label::fit(title, width - 2.0 * MARGIN, |c| {
        TITLE_FONT * BOLD * character_width(c)
    }));

    let mut svg = Svg(String::new());
    svg.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-label="{title}" font-family="'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" font-size="{FONT}" fill="{INK}">"#
    ));
    svg.line(format_args!(r##"<rect width="100%" height="100%" fill="#ffffff"/>"##));
    svg.line(format_args!(
        r#"<text x="{MARGIN}" y="34" font-size="{TITLE_FONT}" font-weight="bold">{title}</text>"#
    ));
    svg.line(format_args!(
        r#"<text x="{MARGIN}" y="54" font-size="{SMALL_FONT}" fill="{FAINT_INK}">{}</text>"#,
        if rows.iter().any(|row| row.error.is_none()) {
            "Elo with 95 % intervals; the hollow point is the anchor"
        } else {
            "Elo with 95 % intervals, about the mean of the field"
        }
    ));
    for value in scale.lines() {
        let x = scale.x(value);
        svg.line(format_args!(
            r#"<path d="M{x:.1} {HEAD}V{bottom:.1}" stroke="{GRID}"/><text x="{x:.1}" y="{:.1}" font-size="{SMALL_FONT}" fill="{FAINT_INK}" text-anchor="middle">{}</text>"#,
            bottom + 20.0,
            whole(value),
        ));
    }
    for (place, row) in rows.iter().enumerate() {
        let y = HEAD + ROW * (place as f64 + 0.5);
        svg.row(row, y, &scale, rating_end, width - MARGIN);
    }
    svg.line(format_args!("</svg>"));
    svg.0
}

const INK: &str = "#1c2733";
const FAINT_INK: &str = "#5b6875";
const GRID: &str = "#dfe4e9";
const FAINT_GRID: &str = "#f0f3f5";
const ACCENT: &str = "#1d5fa8";

/// How much wider bold type runs.
const BOLD: f64 = 1.1;

/// What is written and drawn for one player.
struct Row {
    name: String,
    rating_text: String,
    error_text: String,
    rating: f64,
    error: Option<f64>,
}

impl Row {
    fn new(player: &PlayerRating) -> Self {
        Self {
            name: label::fit(&player.name, MAX_NAME, |c| FONT * character_width(c)),
            rating_text: whole(player.rating),
            error_text: player.error.map_or_else(String::new, |error| format!(" ± {error:.0}")),
            rating: player.rating,
            error: player.error,
        }
    }
}

/// Where a rating lies in the picture.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
    left: f64,
    right: f64,
}

impl Scale {
    fn new(rows: &[Row], left: f64, right: f64) -> Self {
        let ends =
            |sign: f64| rows.iter().map(move |row| row.rating + sign * row.error.unwrap_or(0.0));
        let low = ends(-1.0).reduce(f64::min).unwrap_or(0.0);
        let high = ends(1.0).reduce(f64::max).unwrap_or(0.0);
        let room = (0.03 * (high - low)).max(LEAST_WIDTH / 2.0);
        let (low, high) = (low - room, high + room);
        Self { low, high, step: round_step((high - low) / SCALE_LINES), left, right }
    }

    fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)
    }

    fn lines(&self) -> impl Iterator<Item = f64> {
        let (low, high, step) = (self.low, self.high, self.step);
        let first = (low / step).ceil();
        (0..=2 * SCALE_LINES as u32)
            .map(move |line| (first + f64::from(line)) * step)
            .take_while(move |&value| value <= high)
    }
}

/// The next of 1, 2, 5, 10, 20, 50, … that is not less than `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor()).max(1.0);
    [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(10.0 * power)
}

struct Svg(String);

impl Svg {
    fn line(&mut self, content: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{content}").expect("a string takes everything");
    }

    fn row(&mut self, row: &Row, y: f64, scale: &Scale, rating_end: f64, error_end: f64) {
        let Scale { left, right, .. } = scale;
        let x = scale.x(row.rating);
        self.line(format_args!(r#"<path d="M{left:.1} {y}H{right:.1}" stroke="{FAINT_GRID}"/>"#));
        if let Some(error) = row.error {
            let (low, high) = (scale.x(row.rating - error), scale.x(row.rating + error));
            let (top, bottom) = (y - CAP, y + CAP);
            self.line(format_args!(
                r#"<path d="M{low:.1} {y}H{high:.1}M{low:.1} {top}V{bottom}M{high:.1} {top}V{bottom}" stroke="{ACCENT}" stroke-width="1.6" fill="none"/>"#
            ));
        }
        let fill = if row.error.is_some() { ACCENT } else { "#ffffff" };
        self.line(format_args!(
            r#"<circle cx="{x:.1}" cy="{y}" r="{DOT}" fill="{fill}" stroke="{ACCENT}" stroke-width="1.6"/>"#
        ));
        // Letters stand on their baseline; this much lower their middle is at y.
        let baseline = y + 0.35 * FONT;
        for (end, text) in
            [(left - GAP, &row.name), (rating_end, &row.rating_text), (error_end, &row.error_text)]
        {
            let text = escape(text);
            self.line(format_args!(
                r#"<text x="{end:.1}" y="{baseline:.1}" text-anchor="end">{text}</text>"#
            ));
        }
    }
}

/// A rating without fraction, with a true minus sign, and without one before 0.
fn whole(value: f64) -> String {
    match format!("{value:.0}").strip_prefix('-') {
        None => format!("{value:.0}"),
        Some("0") => "0".into(),
        Some(digits) => format!("−{digits}"),
    }
}

fn text_width(text: &str, font: f64) -> f64 {
    text.chars().map(|c| font * character_width(c)).sum()
}

/// How wide a letter is at most, in units of the font's size, in the usual sans-serif typefaces. The
/// viewer chooses the typeface, so this errs on the wide side.
fn character_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' | '&' | '+' | '−' | '=' | '<' | '>' | '~' | '±' | '_' | '#' | '^' => 0.84,
        c if c.is_ascii() => 0.64,
        // Neither how wide other scripts run nor which font stands in for them is known.
        _ => 1.0,
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratings(players: &[(&str, f64, Option<f64>)]) -> Ratings {
        Ratings {
            players: players
                .iter()
                .map(|&(name, rating, error)| PlayerRating { name: name.into(), rating, error })
                .collect(),
            superiority: Vec::new(),
            regularised: false,
        }
    }

    #[test]
    fn every_player_is_drawn_inside_the_picture() {
        let svg = ratings_svg(
            "A \"quoted\" title & more",
            &ratings(&[
                ("weak", -250.0, Some(300.0)),
                ("strong", 812.5, Some(44.0)),
                ("anchor", 100.0, None),
            ]),
        );
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("A &quot;quoted&quot; title &amp; more"));
        assert!(svg.find(">strong<").unwrap() < svg.find(">weak<").unwrap());
        let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
        let width = number(svg.split("width=\"").nth(1).unwrap());
        for circle in svg.split("cx=\"").skip(1) {
            assert!((0.0..=width).contains(&number(circle)));
        }
    }

    #[test]
    fn names_cannot_break_the_document() {
        let svg = ratings_svg(
            "t",
            &ratings(&[("</text><script>&\u{0}\u{1b}", 0.0, Some(1.0)), ("b", 1.0, Some(1.0))]),
        );
        assert!(!svg.contains("<script") && !svg.contains('\u{0}') && !svg.contains('\u{1b}'));
    }

    #[test]
    fn long_names_are_cut() {
        let long = "Z".repeat(500);
        let svg = ratings_svg(&long, &ratings(&[(&long, 0.0, Some(1.0)), ("b", 1.0, Some(1.0))]));
        assert!(!svg.contains(&"Z".repeat(60)) && svg.contains('…'));
    }

    #[test]
    fn odd_ratings_make_a_chart_all_the_same() {
        for players in [
            vec![],
            vec![("a", 0.0, None)],
            vec![("a", 5.0, Some(0.0)), ("b", 5.0, Some(0.0))],
            vec![("a", -1e12, Some(1e12)), ("b", 1e12, Some(3.0))],
        ] {
            let svg = ratings_svg("t", &ratings(&players));
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
            assert!(svg.matches("<path").count() < 40);
        }
    }

    #[test]
    fn numbers_are_set_with_care() {
        assert_eq!([-12.4, -0.2, 0.2, 12.6].map(whole), ["−12", "0", "0", "13"]);
    }

    #[test]
    fn scales_have_round_steps() {
        for (least, step) in [(0.3, 1.0), (1.0, 1.0), (1.1, 2.0), (17.0, 20.0), (51.0, 100.0)] {
            assert_eq!(round_step(least), step);
        }
    }
}
