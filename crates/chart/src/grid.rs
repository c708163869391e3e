//! Numbers in a grid.

use crate::number::grouped;
use crate::svg::{FONT, HEAD, INK, MARGIN, MIDDLE, SMALL, Svg, TextAnchor, WIDTH};
use crate::text;

/// Numbers in a grid, the more the darker (a heat map).
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// Names of the rows, from the top.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// By row, by column.
    pub values: Vec<Vec<f64>>,
    /// How many decimals are meant.
    pub decimals: usize,
}

impl Grid {
    /// Draws it, and says how wide and how tall the picture is.
    pub(crate) fn draw(&self, svg: &mut Svg) -> (f64, f64) {
        let widest = self.rows.iter().map(|name| text::width(name, SMALL)).fold(10.0, f64::max);
        let left = MARGIN + widest + 10.0;
        let size = ((WIDTH - MARGIN - left) / self.columns.len().max(1) as f64).clamp(4.0, 38.0);
        let tall = size.min(34.0);
        let all = || self.values.iter().flatten().copied().filter(|value| value.is_finite());
        let low = all().fold(f64::INFINITY, f64::min);
        let high = all().fold(f64::NEG_INFINITY, f64::max);
        for (place, row) in self.values.iter().enumerate() {
            let y = HEAD + place as f64 * tall;
            let name = self.rows.get(place).map_or("", String::as_str);
            svg.small((left - 8.0, y + tall / 2.0 + MIDDLE * SMALL), TextAnchor::End, name);
            for (column, &value) in row.iter().enumerate().filter(|(_, value)| value.is_finite()) {
                let x = left + column as f64 * size;
                let share = if high > low { (value - low) / (high - low) } else { 0.5 };
                let (fill, ink) = shade(share);
                svg.put(format_args!(
                    r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="2" fill="{fill}"/>"#,
                    x + 1.0,
                    y + 1.0,
                    size - 2.0,
                    tall - 2.0
                ));
                let middle = (x + size / 2.0, y + tall / 2.0 + MIDDLE * FONT);
                svg.sized(middle, TextAnchor::Middle, FONT, ink, &grouped(value, self.decimals));
            }
        }
        let bottom = HEAD + self.values.len() as f64 * tall;
        for (column, name) in self.columns.iter().enumerate() {
            let x = left + (column as f64 + 0.5) * size;
            svg.small((x, bottom + 16.0), TextAnchor::Middle, name);
        }
        (left + self.columns.len() as f64 * size + MARGIN, bottom + 28.0)
    }
}

/// From pale to dark blue, and an ink that can be read on it.
fn shade(share: f64) -> (String, &'static str) {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    let fill =
        format!("#{:02x}{:02x}{:02x}", mix(233.0, 29.0), mix(240.0, 95.0), mix(247.0, 168.0));
    (fill, if share > 0.55 { "#ffffff" } else { INK })
}
