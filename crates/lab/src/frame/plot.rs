//! Plots, as data; [`Plot::svg`] draws them.

use super::table::{MOST_DECIMALS, can_be_shown};
use serde::{Deserialize, Serialize};
use tabiya_chart as chart;

/// A plot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plot {
    /// A word for its file.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// In which units, and what else has to be said.
    pub subtitle: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// What is drawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawing {
    /// Bars that lie side by side, a group for each thing that is compared.
    Bars {
        /// The groups.
        groups: Vec<String>,
        /// A bar in each group.
        series: Vec<Series>,
        /// A value to compare with.
        mark: Option<f64>,
    },
    /// Curves.
    Lines {
        /// What goes to the right.
        x: String,
        /// What goes up.
        y: String,
        /// Whether equal steps upwards are equal factors.
        logarithmic: bool,
        /// The curves.
        curves: Vec<Curve>,
    },
    /// Numbers in a grid, the more the darker.
    Heat {
        /// Names of the rows, from the top.
        rows: Vec<String>,
        /// Names of the columns.
        columns: Vec<String>,
        /// Per row, per column.
        values: Vec<Vec<f64>>,
        /// How many decimals are meant.
        decimals: usize,
    },
}

/// Bars of one kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Is it what the work prints, rather than what was found here?
    pub printed: bool,
    /// A value for each group, where there is one.
    pub values: Vec<Option<f64>>,
    /// The range of each, where it was measured several times.
    #[serde(default)]
    pub ranges: Vec<Option<(f64, f64)>>,
}

impl Series {
    /// What the work prints.
    pub fn printed(name: &str, values: Vec<Option<f64>>) -> Series {
        Series { name: name.to_owned(), printed: true, values, ranges: Vec::new() }
    }

    /// What was counted here.
    pub fn counted(name: &str, values: Vec<Option<f64>>) -> Series {
        Series { name: name.to_owned(), printed: false, values, ranges: Vec::new() }
    }

    /// What was timed here.
    pub fn timed(name: &str, spreads: Vec<super::timing::Spread>) -> Series {
        Series {
            name: name.to_owned(),
            printed: false,
            values: spreads.iter().map(|spread| Some(spread.median)).collect(),
            ranges: spreads.iter().map(|spread| Some((spread.low, spread.high))).collect(),
        }
    }
}

/// A curve.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Is it what the work prints, rather than what was found here?
    pub printed: bool,
    /// Points, from the left.
    pub points: Vec<(f64, f64)>,
}

impl Plot {
    /// A plot of some kind.
    pub fn new(id: &str, title: &str, subtitle: &str, drawing: Drawing) -> Plot {
        Plot { id: id.to_owned(), title: title.to_owned(), subtitle: subtitle.to_owned(), drawing }
    }

    /// Bars.
    pub fn bars(
        id: &str,
        title: &str,
        subtitle: &str,
        groups: Vec<String>,
        series: Vec<Series>,
        mark: Option<f64>,
    ) -> Plot {
        Plot::new(id, title, subtitle, Drawing::Bars { groups, series, mark })
    }

    /// A board of numbers: 64 of them, a1 first.
    pub fn board(id: &str, title: &str, subtitle: &str, values: &[f64], decimals: usize) -> Plot {
        let rows = (1..=8).rev().map(|rank: u8| rank.to_string()).collect();
        let columns = ('a'..='h').map(String::from).collect();
        let values = values.chunks(8).rev().map(<[f64]>::to_vec).collect();
        Plot::new(id, title, subtitle, Drawing::Heat { rows, columns, values, decimals })
    }

    /// Can its numbers be written, and drawn to scale? What is read from a file may make no sense.
    pub(super) fn is_sound(&self) -> bool {
        match &self.drawing {
            Drawing::Bars { series, mark, .. } => {
                let values = series.iter().flat_map(|series| series.values.iter().flatten());
                let ranges = series.iter().flat_map(|series| series.ranges.iter().flatten());
                let ends = ranges.flat_map(|(low, high)| [low, high]);
                values.chain(ends).chain(mark).copied().all(can_be_shown)
            }
            Drawing::Lines { curves, .. } => {
                let points = curves.iter().flat_map(|curve| &curve.points);
                points.flat_map(|(x, y)| [x, y]).copied().all(can_be_shown)
            }
            Drawing::Heat { values, decimals, .. } => {
                *decimals <= MOST_DECIMALS && values.iter().flatten().copied().all(can_be_shown)
            }
        }
    }

    /// The picture, as an SVG document. What a work prints is what the rest is compared with.
    pub fn svg(&self) -> String {
        let drawing = match &self.drawing {
            Drawing::Bars { groups, series, mark } => chart::Drawing::Bars(chart::Bars {
                groups: groups.clone(),
                series: series.iter().map(Series::chart).collect(),
                mark: *mark,
            }),
            Drawing::Lines { x, y, logarithmic, curves } => {
                chart::Drawing::Lines(chart::LineChart {
                    x: x.clone(),
                    y: y.clone(),
                    axis: if *logarithmic {
                        chart::YScale::Logarithmic
                    } else {
                        chart::YScale::FromZero
                    },
                    curves: curves.iter().map(Curve::chart).collect(),
                })
            }
            Drawing::Heat { rows, columns, values, decimals } => {
                chart::Drawing::Grid(chart::Grid {
                    rows: rows.clone(),
                    columns: columns.clone(),
                    values: values.clone(),
                    decimals: *decimals,
                })
            }
        };
        let (title, subtitle) = (self.title.clone(), self.subtitle.clone());
        chart::Chart { title, subtitle, drawing }.svg()
    }
}

impl Series {
    fn chart(&self) -> chart::BarSeries {
        chart::BarSeries {
            name: self.name.clone(),
            reference: self.printed,
            values: self.values.clone(),
            ranges: self.ranges.clone(),
        }
    }
}

impl Curve {
    fn chart(&self) -> chart::Curve {
        chart::Curve {
            name: self.name.clone(),
            reference: self.printed,
            points: self.points.iter().map(|&(x, y)| chart::Point::exact(x, y)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_work_prints_is_dashed_and_has_its_own_color() {
        let curve = |printed| Curve { name: "c".into(), printed, points: vec![(1.0, 2.0)] };
        let svg = |printed| {
            let curves = vec![curve(printed)];
            let (x, y) = ("x".into(), "y".into());
            Plot::new("l", "t", "s", Drawing::Lines { x, y, logarithmic: true, curves }).svg()
        };
        assert!(svg(true).contains("stroke-dasharray") && !svg(false).contains("stroke-dasharray"));
    }

    #[test]
    fn a_board_has_a1_at_the_bottom_left() {
        let values: Vec<f64> = (0..64).map(f64::from).collect();
        let svg = Plot::board("h", "t", "s", &values, 0).svg();
        assert_eq!(svg.matches(r#"rx="2""#).count(), 64);
        assert!(svg.find(">56<") < svg.find(">0<"), "a8 is drawn before a1");
    }
}
