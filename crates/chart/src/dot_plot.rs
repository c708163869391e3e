//! A table of points with their error bars.

use crate::can_be_drawn;
use crate::number::plain;
use crate::scale::{Scale, extent};
use crate::svg::{ACCENT, FONT, HEAD, MARGIN, MIDDLE, Svg, TextAnchor, WIDTH};
use crate::text;

const ROW: f64 = 28.0;
const GAP: f64 = 16.0;
const DOT: f64 = 5.0;
const CAP: f64 = 5.0;
/// Longer names are cut.
const MAX_NAME: f64 = 260.0;

/// A table of points with their error bars, a row for each.
#[derive(Clone, PartialEq, Debug)]
pub struct DotPlot {
    /// From the top.
    pub rows: Vec<DotRow>,
}

/// A row: a name, a point with its error bar, and both as numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct DotRow {
    /// Whose point it is.
    pub name: String,
    /// Where it is.
    pub value: f64,
    /// How uncertain that is, either way; a point that is exact, by definition, is hollow.
    pub error: Option<f64>,
}

impl DotPlot {
    /// Draws them, and says how tall the picture is.
    pub(crate) fn draw(&self, svg: &mut Svg) -> f64 {
        let can_be_drawn =
            |row: &&DotRow| can_be_drawn(row.value) && can_be_drawn(row.error.unwrap_or(0.0));
        let rows: Vec<&DotRow> = self.rows.iter().filter(can_be_drawn).collect();
        let texts: Vec<[String; 3]> = rows.iter().map(|row| row.texts()).collect();
        let widest = |column: usize| {
            texts.iter().map(|texts| text::width(&texts[column], FONT)).fold(0.0, f64::max)
        };
        let left = MARGIN + widest(0) + GAP;
        let error_end = WIDTH - MARGIN;
        let value_end = error_end - widest(2);
        let right = (value_end - widest(1) - GAP).max(left + 4.0 * GAP);
        let bottom = HEAD + ROW * rows.len() as f64;
        let ends = rows.iter().flat_map(|row| {
            let error = row.error.unwrap_or(0.0);
            [row.value - error, row.value + error]
        });
        let scale = Scale::close(extent(ends), (left, right));
        for (value, text) in scale.ticks() {
            let x = scale.at(value);
            svg.grid_line((x, HEAD), (x, bottom));
            // Without commas, as the numbers beside the points.
            svg.small((x, bottom + 18.0), TextAnchor::Middle, &text.replace(',', ""));
        }
        for (place, (row, texts)) in rows.iter().zip(&texts).enumerate() {
            let y = HEAD + ROW * (place as f64 + 0.5);
            row.draw(svg, &scale, y);
            let baseline = y + MIDDLE * FONT;
            for (end, text) in [left - GAP, value_end, error_end].into_iter().zip(texts) {
                svg.text((end, baseline), TextAnchor::End, text);
            }
        }
        bottom + 34.0
    }
}

impl DotRow {
    /// The name, the value and the error.
    fn texts(&self) -> [String; 3] {
        let name = text::fit(&self.name, MAX_NAME, |c| text::letter(c, FONT));
        let error = self.error.map_or_else(String::new, |error| format!(" ± {}", plain(error, 0)));
        [name, plain(self.value, 0), error]
    }

    fn draw(&self, svg: &mut Svg, scale: &Scale, y: f64) {
        if let Some(error) = self.error {
            let [low, high] = [self.value - error, self.value + error].map(|end| scale.at(end));
            let (top, bottom) = (y - CAP, y + CAP);
            svg.put(format_args!(
                r#"<path d="M{low:.1} {y:.1}H{high:.1}M{low:.1} {top:.1}V{bottom:.1}M{high:.1} {top:.1}V{bottom:.1}" stroke="{ACCENT}" stroke-width="1.6" fill="none"/>"#
            ));
        }
        let fill = if self.error.is_some() { ACCENT } else { "#ffffff" };
        svg.put(format_args!(
            r#"<circle cx="{:.1}" cy="{y:.1}" r="{DOT}" fill="{fill}" stroke="{ACCENT}" stroke-width="1.6"/>"#,
            scale.at(self.value)
        ));
    }
}
