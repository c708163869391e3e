//! Drawing plots as SVG that needs nothing else.

use super::plot::{Curve, Drawing, Plot, Series};
use super::table::{natural, number};
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 62.0;
const LEGEND: f64 = 26.0;
const FONT: f64 = 13.0;
const SMALL: f64 = 11.5;
const TITLE: f64 = 15.5;
/// The colors that a dark page changes, by what they are here.
pub(super) const INK: &str = "#1c2733";
pub(super) const FAINT: &str = "#5b6875";
pub(super) const GRID: &str = "#e3e7eb";
/// What the works print is always in this color, what was found here in one of the others.
const PRINTED: [&str; 2] = ["#c9952f", "#e0bf7d"];
const FOUND: [&str; 7] =
    ["#1d5fa8", "#2f9187", "#8a5fb0", "#c2574f", "#6c7a89", "#7fa650", "#d487a5"];

/// About as many lines as a scale should have.
const SCALE_LINES: f64 = 6.0;

pub(super) fn draw(plot: &Plot) -> String {
    let (title, subtitle) = (escape(&plot.title), escape(&plot.subtitle));
    let (body, width, height) = match &plot.drawing {
        Drawing::Bars { groups, series, mark } => {
            let (body, height) = bars(groups, series, *mark);
            (body, WIDTH, height)
        }
        Drawing::Lines { x, y, logarithmic, curves } => {
            let (body, height) = lines(x, y, *logarithmic, curves);
            (body, WIDTH, height)
        }
        Drawing::Heat { rows, columns, values, decimals } => {
            let (body, width, height) = heat(rows, columns, values, *decimals);
            let title = 1.15 * text_width(&plot.title, TITLE);
            let text = title.max(text_width(&plot.subtitle, SMALL));
            (body, width.max(text + 2.0 * MARGIN).min(WIDTH), height)
        }
    };
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{title}" font-family="'Inter', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" font-size="{FONT}" fill="{INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{MARGIN}" y="26" font-size="{TITLE}" font-weight="600">{title}</text>
<text x="{MARGIN}" y="45" font-size="{SMALL}" fill="{FAINT}">{subtitle}</text>"##
    );
    svg + &body + "</svg>\n"
}

/// Colors for series, in their order.
fn colors<'a>(printed: impl Iterator<Item = bool> + 'a) -> Vec<&'static str> {
    let (mut theirs, mut ours) = (0, 0);
    printed
        .map(|printed| {
            if printed {
                theirs += 1;
                PRINTED[(theirs - 1) % PRINTED.len()]
            } else {
                ours += 1;
                FOUND[(ours - 1) % FOUND.len()]
            }
        })
        .collect()
}

/// A legend; returns where it ends.
fn legend(out: &mut String, names: &[&str], colors: &[&str], top: f64) -> f64 {
    if names.len() < 2 && names.iter().all(|name| name.is_empty()) {
        return top;
    }
    let (mut x, mut y) = (MARGIN, top + 8.0);
    for (name, color) in names.iter().zip(colors) {
        let width = 22.0 + text_width(name, SMALL) + 16.0;
        if x + width > WIDTH - MARGIN && x > MARGIN {
            x = MARGIN;
            y += 18.0;
        }
        let _ = writeln!(
            out,
            r#"<rect x="{x:.1}" y="{:.1}" width="12" height="12" rx="2" fill="{color}"/><text x="{:.1}" y="{:.1}" font-size="{SMALL}">{}</text>"#,
            y - 10.0,
            x + 17.0,
            y,
            escape(name)
        );
        x += width;
    }
    y + LEGEND - 8.0
}

/// The next of 1, 2, 5, 10, ... times a power of ten that is not less.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-12).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|&step| step >= least * 0.999)
        .unwrap_or(10.0 * power)
}

fn bars(groups: &[String], series: &[Series], mark: Option<f64>) -> (String, f64) {
    const BAR: f64 = 13.0;
    const GAP: f64 = 12.0;
    let mut out = String::new();
    let colors = colors(series.iter().map(|series| series.printed));
    let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
    let top = legend(&mut out, &names, &colors, HEAD) + 4.0;
    let widest = groups.iter().map(|name| text_width(name, FONT)).fold(40.0, f64::max);
    let left = MARGIN + widest.min(250.0) + 12.0;
    let right = WIDTH - MARGIN - 76.0;
    let values = series.iter().flat_map(|s| s.values.iter().flatten().copied());
    let greatest = values.chain(mark).fold(0.0, f64::max);
    let ranges = series.iter().flat_map(|s| s.ranges.iter().flatten().map(|range| range.1));
    // One bad moment of the machine must not squeeze all the rest: its whisker is cut.
    let highest = ranges.fold(greatest, f64::max).min(1.5 * greatest);
    let step = round_step(highest.max(1e-9) / SCALE_LINES);
    let limit = (highest / step).ceil().max(1.0) * step;
    let x = |value: f64| left + (right - left) * (value / limit).clamp(0.0, 1.0);
    let each = series.len() as f64 * BAR + GAP;
    let bottom = top + each * groups.len() as f64;
    for line in 0..=(limit / step).round() as u32 {
        let value = f64::from(line) * step;
        let at = x(value);
        let _ = writeln!(
            out,
            r#"<path d="M{at:.1} {top:.1}V{bottom:.1}" stroke="{GRID}"/><text x="{at:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="middle">{}</text>"#,
            bottom + 16.0,
            natural(value)
        );
    }
    for (g, group) in groups.iter().enumerate() {
        let y = top + each * g as f64 + GAP / 2.0;
        let middle = y + series.len() as f64 * BAR / 2.0 + 0.35 * FONT;
        let _ = writeln!(
            out,
            r#"<text x="{:.1}" y="{middle:.1}" text-anchor="end">{}</text>"#,
            left - 10.0,
            escape(group)
        );
        for (i, s) in series.iter().enumerate() {
            let Some(Some(value)) = s.values.get(g).copied() else { continue };
            let y = y + i as f64 * BAR;
            let end = x(value);
            let _ = writeln!(
                out,
                r#"<rect x="{left:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="1.5" fill="{}"/>"#,
                y + 1.0,
                (end - left).max(0.5),
                BAR - 2.0,
                colors[i]
            );
            let mut label = end;
            if let Some(Some((low, high))) = s.ranges.get(g).copied() {
                let (low, high, middle) = (x(low), x(high), y + BAR / 2.0);
                label = label.max(high);
                let _ = writeln!(
                    out,
                    r#"<path d="M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6" stroke="{INK}" stroke-width="1" fill="none" opacity="0.75"/>"#,
                    middle - 3.0,
                    middle - 3.0
                );
            }
            let _ = writeln!(
                out,
                r#"<text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}">{}</text>"#,
                label + 5.0,
                y + BAR / 2.0 + 0.35 * SMALL,
                short(value)
            );
        }
    }
    if let Some(mark) = mark {
        let at = x(mark);
        let _ = writeln!(
            out,
            r#"<path d="M{at:.1} {:.1}V{bottom:.1}" stroke="{INK}" stroke-dasharray="4 3" opacity="0.7"/>"#,
            top - 2.0
        );
    }
    (out, bottom + 30.0)
}

/// A number for a label.
fn short(value: f64) -> String {
    let decimals = match value.abs() {
        v if v == v.round() => 0,
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    number(value, decimals)
}

fn lines(x_name: &str, y_name: &str, logarithmic: bool, curves: &[Curve]) -> (String, f64) {
    const HEIGHT: f64 = 300.0;
    let mut out = String::new();
    let colors = colors(curves.iter().map(|curve| curve.printed));
    let names: Vec<&str> = curves.iter().map(|curve| curve.name.as_str()).collect();
    let top = legend(&mut out, &names, &colors, HEAD) + 6.0;
    let (right, bottom) = (WIDTH - MARGIN - 8.0, top + HEIGHT);
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let extent = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (x_low, x_high) = extent(&mut points().map(|point| point.0));
    let (y_low, y_high) = extent(&mut points().map(|point| point.1));
    if !x_low.is_finite() || !y_low.is_finite() {
        return (out, bottom);
    }
    let height_of = |value: f64| if logarithmic { value.max(1e-9).log10() } else { value };
    let (low, high) = if logarithmic {
        (y_low.max(1e-9).log10().floor(), y_high.max(1e-9).log10().ceil())
    } else {
        let step = round_step((y_high - y_low.min(0.0)).max(1e-9) / SCALE_LINES);
        ((y_low.min(0.0) / step).floor() * step, (y_high / step).ceil() * step)
    };
    let span = (high - low).max(1e-9);
    let ticks: Vec<f64> = if logarithmic {
        let decades = low as i32..=high as i32;
        decades.map(|power| 10f64.powi(power)).collect()
    } else {
        let step = round_step(span / SCALE_LINES);
        (0..=(span / step).round() as i32).map(|i| low + f64::from(i) * step).collect()
    };
    let widest = ticks.iter().map(|&tick| text_width(&natural(tick), SMALL)).fold(20.0, f64::max);
    let left = MARGIN + 24.0 + widest;
    let x = |v: f64| left + (right - left) * (v - x_low) / (x_high - x_low).max(1e-9);
    let y = |v: f64| bottom - HEIGHT * (height_of(v) - low) / span;
    for tick in ticks {
        let at = y(tick);
        let _ = writeln!(
            out,
            r#"<path d="M{left:.1} {at:.1}H{right:.1}" stroke="{GRID}"/><text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="end">{}</text>"#,
            left - 6.0,
            at + 0.35 * SMALL,
            natural(tick)
        );
    }
    let step = round_step((x_high - x_low).max(1.0) / 12.0).max(1.0);
    let (first, last) = ((x_low / step).ceil(), (x_high / step + 1e-6).floor());
    let ticks = (last - first + 1.0).max(0.0) as u32;
    for tick in (0..ticks).map(|i| (first + f64::from(i)) * step) {
        let _ = writeln!(
            out,
            r#"<text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="middle">{}</text>"#,
            x(tick),
            bottom + 16.0,
            natural(tick)
        );
    }
    let _ = writeln!(
        out,
        r#"<text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="middle">{}</text><text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="middle" transform="rotate(-90 {:.1} {:.1})">{}</text>"#,
        (left + right) / 2.0,
        bottom + 34.0,
        escape(x_name),
        MARGIN + 4.0,
        (top + bottom) / 2.0,
        MARGIN + 4.0,
        (top + bottom) / 2.0,
        escape(y_name)
    );
    for (curve, color) in curves.iter().zip(&colors) {
        let path: String = curve
            .points
            .iter()
            .enumerate()
            .map(|(i, &(px, py))| {
                format!("{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, x(px), y(py))
            })
            .collect();
        let dash = if curve.printed { r#" stroke-dasharray="6 4""# } else { "" };
        let _ = writeln!(
            out,
            r#"<path d="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>"#
        );
        for &(px, py) in &curve.points {
            let _ = writeln!(
                out,
                r#"<circle cx="{:.1}" cy="{:.1}" r="3" fill="{color}"/>"#,
                x(px),
                y(py)
            );
        }
    }
    (out, bottom + 46.0)
}

fn heat(
    rows: &[String],
    columns: &[String],
    values: &[Vec<f64>],
    decimals: usize,
) -> (String, f64, f64) {
    let widest = rows.iter().map(|name| text_width(name, SMALL)).fold(10.0, f64::max);
    let left = MARGIN + widest + 10.0;
    let size = ((WIDTH - MARGIN - left) / columns.len().max(1) as f64).min(38.0);
    let tall = size.min(34.0);
    let all = || values.iter().flatten().copied().filter(|value| value.is_finite());
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(f64::NEG_INFINITY, f64::max);
    let mut out = String::new();
    for (r, row) in values.iter().enumerate() {
        let y = HEAD + r as f64 * tall;
        let _ = writeln!(
            out,
            r#"<text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="end">{}</text>"#,
            left - 8.0,
            y + tall / 2.0 + 0.35 * SMALL,
            escape(rows.get(r).map_or("", String::as_str))
        );
        for (c, &value) in row.iter().enumerate() {
            let x = left + c as f64 * size;
            let share = if high > low { (value - low) / (high - low) } else { 0.5 };
            let (fill, ink) = shade(share);
            let _ = writeln!(
                out,
                r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="2" fill="{fill}"/><text x="{:.1}" y="{:.1}" text-anchor="middle" fill="{ink}">{}</text>"#,
                x + 1.0,
                y + 1.0,
                size - 2.0,
                tall - 2.0,
                x + size / 2.0,
                y + tall / 2.0 + 0.35 * FONT,
                number(value, decimals)
            );
        }
    }
    let bottom = HEAD + values.len() as f64 * tall;
    for (c, name) in columns.iter().enumerate() {
        let _ = writeln!(
            out,
            r#"<text x="{:.1}" y="{:.1}" font-size="{SMALL}" fill="{FAINT}" text-anchor="middle">{}</text>"#,
            left + (c as f64 + 0.5) * size,
            bottom + 16.0,
            escape(name)
        );
    }
    (out, left + columns.len() as f64 * size + MARGIN, bottom + 28.0)
}

/// From pale to dark blue, and an ink that can be read on it.
fn shade(share: f64) -> (String, &'static str) {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    let fill =
        format!("#{:02x}{:02x}{:02x}", mix(233.0, 29.0), mix(240.0, 95.0), mix(247.0, 168.0));
    (fill, if share > 0.55 { "#ffffff" } else { INK })
}

/// About how wide a text is.
fn text_width(text: &str, font: f64) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.31,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.88,
        'A'..='Z' | '+' | '=' | '<' | '>' => 0.68,
        _ => 0.56,
    };
    text.chars().map(|c| font * width(c)).sum()
}

/// Text that cannot be mistaken for markup.
pub(super) fn escape(text: &str) -> String {
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

    #[test]
    fn everything_is_drawn_and_nothing_breaks_out() {
        let bars = Plot::bars(
            "b",
            "A <b> & \"c\"",
            "s",
            vec!["one".into(), "two".into()],
            vec![
                Series::printed("then", vec![Some(1.0), None]),
                Series::counted("now", vec![Some(2.0), Some(0.0)]),
            ],
            Some(1.0),
        );
        let svg = bars.svg();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("A &lt;b&gt; &amp; &quot;c&quot;") && !svg.contains("NaN"));
        assert_eq!(svg.matches(r#"rx="1.5""#).count(), 3, "a bar for each value");

        let curve = |points: &[(f64, f64)]| Curve {
            name: "c".into(),
            printed: false,
            points: points.to_vec(),
        };
        for logarithmic in [false, true] {
            for points in [
                &[][..],
                &[(1.0, 0.0)],
                &[(1.0, 5.0), (2.0, 50_000.0)],
                &[(1e14, 1.0)],
                &[(-3.0, 1.0), (-1.0, 2.0)],
                &[(0.2, 1.0), (0.7, 2.0)],
            ] {
                let drawing = Drawing::Lines {
                    x: "x".into(),
                    y: "y".into(),
                    logarithmic,
                    curves: vec![curve(points)],
                };
                let svg = Plot::new("l", "t", "s", drawing).svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert_eq!(svg.matches("<circle").count(), points.len());
            }
        }
        let drawing = Drawing::Lines {
            x: "x".into(),
            y: "y".into(),
            logarithmic: false,
            curves: vec![curve(&[(100_001.0, 1.0), (100_003.0, 2.0)])],
        };
        let svg = Plot::new("l", "t", "s", drawing).svg();
        assert!(svg.contains(">100,003<") && !svg.contains(">100,004<"), "{svg}");
        let svg = Plot::board("h", "t", "s", &[4.0; 64], 0).svg();
        assert_eq!(svg.matches(r#"rx="2""#).count(), 64);
    }
}
