//! Bars side by side.

use crate::can_be_drawn;
use crate::number::grouped;
use crate::scale::Scale;
use crate::svg::{FONT, INK, MARGIN, MIDDLE, SMALL, Svg, TextAnchor, WIDTH, colors};
use crate::text;

const BAR: f64 = 13.0;
const GAP: f64 = 12.0;
/// Longer names of groups are cut.
const MAX_NAME: f64 = 250.0;

/// Bars that lie side by side, a group for each thing that is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Bars {
    /// The groups.
    pub groups: Vec<String>,
    /// A bar in each group.
    pub series: Vec<BarSeries>,
    /// A value to compare with.
    pub mark: Option<f64>,
}

/// Bars of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct BarSeries {
    /// What they show.
    pub name: String,
    /// Are they what the others are compared with?
    pub reference: bool,
    /// A value for each group, where there is one.
    pub values: Vec<Option<f64>>,
    /// The range of each value, where it was measured several times.
    pub ranges: Vec<Option<(f64, f64)>>,
}

impl BarSeries {
    fn value(&self, group: usize) -> Option<f64> {
        self.values.get(group).copied().flatten().filter(|&value| can_be_drawn(value))
    }

    fn range(&self, group: usize) -> Option<(f64, f64)> {
        let range = self.ranges.get(group).copied().flatten();
        range.filter(|&(low, high)| can_be_drawn(low) && can_be_drawn(high))
    }
}

impl Bars {
    /// Draws them, and says how tall the picture is.
    pub(crate) fn draw(&self, svg: &mut Svg) -> f64 {
        let colors = colors(self.series.iter().map(|series| series.reference));
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let top = svg.legend(&names, &colors) + 4.0;
        let names: Vec<String> = self
            .groups
            .iter()
            .map(|name| text::fit(name, MAX_NAME, |c| text::letter(c, FONT)))
            .collect();
        let widest = names.iter().map(|name| text::width(name, FONT)).fold(40.0, f64::max);
        let (left, right) = (MARGIN + widest + 12.0, WIDTH - MARGIN - 76.0);
        let scale = Scale::from_zero((0.0, self.greatest()), (left, right));
        let each = self.series.len() as f64 * BAR + GAP;
        let bottom = top + each * self.groups.len() as f64;
        for (value, text) in scale.ticks() {
            let x = scale.at(value);
            svg.grid_line((x, top), (x, bottom));
            svg.small((x, bottom + 16.0), TextAnchor::Middle, &text);
        }
        for (group, name) in names.iter().enumerate() {
            let y = top + each * group as f64 + GAP / 2.0;
            let middle = y + self.series.len() as f64 * BAR / 2.0 + MIDDLE * FONT;
            svg.text((left - 10.0, middle), TextAnchor::End, name);
            for (place, (series, color)) in self.series.iter().zip(&colors).enumerate() {
                let y = y + place as f64 * BAR;
                series.draw(svg, group, color, &scale, y);
            }
        }
        if let Some(mark) = self.mark.filter(|&mark| can_be_drawn(mark)) {
            let x = scale.at(mark);
            svg.put(format_args!(
                r#"<path d="M{x:.1} {:.1}V{bottom:.1}" stroke="{INK}" stroke-dasharray="4 3" opacity="0.7"/>"#,
                top - 2.0
            ));
        }
        bottom + 30.0
    }

    /// Where the scale ends.
    fn greatest(&self) -> f64 {
        let groups = 0..self.groups.len();
        let each = || self.series.iter().flat_map(|s| groups.clone().map(move |group| (s, group)));
        let values = each().filter_map(|(series, group)| series.value(group));
        let mark = self.mark.filter(|&mark| can_be_drawn(mark));
        let greatest = values.chain(mark).fold(0.0, f64::max);
        let ranges = each().filter_map(|(series, group)| series.range(group));
        // One bad moment of the machine must not squeeze all the rest: its whisker is cut.
        ranges.map(|range| range.1).fold(greatest, f64::max).min(1.5 * greatest)
    }
}

impl BarSeries {
    fn draw(&self, svg: &mut Svg, group: usize, color: &str, scale: &Scale, y: f64) {
        let Some(value) = self.value(group) else { return };
        let (left, mut end) = (scale.at(0.0), scale.at(value));
        svg.put(format_args!(
            r#"<rect x="{left:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="1.5" fill="{color}"/>"#,
            y + 1.0,
            (end - left).max(0.5),
            BAR - 2.0,
        ));
        if let Some((low, high)) = self.range(group) {
            let (low, high, middle) = (scale.at(low), scale.at(high), y + BAR / 2.0);
            end = end.max(high);
            let cap = middle - 3.0;
            svg.put(format_args!(
                r#"<path d="M{low:.1} {middle:.1}H{high:.1}M{low:.1} {cap:.1}v6M{high:.1} {cap:.1}v6" stroke="{INK}" stroke-width="1" fill="none" opacity="0.75"/>"#
            ));
        }
        let baseline = y + BAR / 2.0 + MIDDLE * SMALL;
        svg.small((end + 5.0, baseline), TextAnchor::Start, &short(value));
    }
}

/// A number for a label.
fn short(value: f64) -> String {
    let decimals = match value.abs() {
        v if v == v.round() || v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    grouped(value, decimals)
}
