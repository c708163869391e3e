//! Results for people: tables for the terminal, and ratings as a picture.

use crate::label;
use crate::results::ResultTable;
use crate::stats::ratings::{PlayerRating, Ratings};
use tabiya_chart::{Chart, DotPlot, DotRow, Drawing};

/// Longer names are cut, lest a table not fit a terminal.
const NAME_COLUMNS: usize = 32;

/// Where there is nothing to say.
const NOTHING: &str = "—";

/// A picture of the ratings, strongest on top, each with its 95 % interval.
///
/// ```
/// use tabiya_arena::crosstable::ratings_chart;
/// use tabiya_arena::results::{ResultTable, Wdl};
/// use tabiya_arena::stats::ratings::{Anchor, Ratings};
///
/// let mut table = ResultTable::new(["new <fast>", "old"])?;
/// table.add(0, 1, Wdl { wins: 60, draws: 30, losses: 10 })?;
/// let ratings = Ratings::fit(&table, Anchor::Player { player: 1, rating: 2000.0 })?;
/// let svg = ratings_chart("Two engines", &ratings).svg();
/// assert!(svg.starts_with("<svg ") && svg.contains("new &lt;fast&gt;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn ratings_chart(title: &str, ratings: &Ratings) -> Chart {
    let row = |player: &PlayerRating| DotRow {
        name: player.name.clone(),
        value: player.rating,
        error: player.error,
    };
    let rows: Vec<DotRow> =
        ratings.ranking().into_iter().map(|player| row(&ratings.players[player])).collect();
    let subtitle = if rows.iter().any(|row| row.error.is_none()) {
        "Elo with 95 % intervals; the hollow point is the anchor"
    } else {
        "Elo with 95 % intervals, about the mean of the field"
    };
    Chart {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        drawing: Drawing::Dots(DotPlot { rows }),
    }
}

/// The ratings of a tournament, strongest first. The last column is the likelihood that a player is
/// stronger than the one in the next line.
///
/// ```
/// use tabiya_arena::crosstable::ratings_table;
/// use tabiya_arena::results::{ResultTable, Wdl};
/// use tabiya_arena::stats::ratings::{Anchor, Ratings};
///
/// let mut table = ResultTable::new(["Ada", "Bob", "Cyd"])?;
/// table.add(0, 1, Wdl { wins: 20, draws: 60, losses: 20 })?;
/// table.add(1, 2, Wdl { wins: 50, draws: 40, losses: 10 })?;
/// let ratings = Ratings::fit(&table, Anchor::Player { player: 2, rating: 2000.0 })?;
/// assert_eq!(
///     ratings_table(&table, &ratings),
///     "\
/// ##  Player     Elo  ± 95 %  Games  Score  Draws     LOS
/// 1  Ada     2147.2    68.8    100  50.0%  60.0%   50.0%
/// 2  Bob     2147.2    53.5    200  60.0%  50.0%  100.0%
/// 3  Cyd     2000.0       —    100  30.0%  40.0%
/// "
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn ratings_table(table: &ResultTable, ratings: &Ratings) -> String {
    let order = ratings.ranking();
    let mut text = TextTable::new([
        ("#", Align::Right),
        ("Player", Align::Left),
        ("Elo", Align::Right),
        ("± 95 %", Align::Right),
        ("Games", Align::Right),
        ("Score", Align::Right),
        ("Draws", Align::Right),
        ("LOS", Align::Right),
    ]);
    for (place, &player) in order.iter().enumerate() {
        let rated = &ratings.players[player];
        let games = table.total(player);
        let likelihood = order
            .get(place + 1)
            .and_then(|&next| ratings.superiority.get(player)?.get(next).copied());
        text.rows.push(vec![
            (place + 1).to_string(),
            label::fit_columns(&rated.name, NAME_COLUMNS),
            format!("{:.1}", rated.rating),
            rated.error.map_or_else(|| NOTHING.into(), |error| format!("{error:.1}")),
            games.games().to_string(),
            games.score().map_or_else(|| NOTHING.into(), per_cent),
            games.draw_rate().map_or_else(|| NOTHING.into(), per_cent),
            likelihood.map_or_else(String::new, per_cent),
        ]);
    }
    let mut written = text.write();
    if ratings.regularised {
        written.push_str("Perfect scores: everybody was given half a virtual game, drawn.\n");
    }
    written
}

/// Who made how many points against whom, in the order given: [`Ratings::ranking`], or
/// [`ResultTable::ranking`] as long as there are no ratings.
///
/// ```
/// use tabiya_arena::crosstable::cross_table;
/// use tabiya_arena::results::{ResultTable, Wdl};
///
/// let mut table = ResultTable::new(["Ada", "Bob", "Cyd"])?;
/// table.add(0, 1, Wdl { wins: 5, draws: 5, losses: 0 })?;
/// table.add(1, 2, Wdl { wins: 4, draws: 1, losses: 5 })?;
/// assert_eq!(
///     cross_table(&table, &table.ranking()),
///     "\
/// ##  Player  Points    1    2    3
/// 1  Ada     7.5/10    ·       7.5
/// 2  Cyd     5.5/10         ·  5.5
/// 3  Bob     7.0/20  2.5  4.5    ·
/// "
/// );
/// # Ok::<(), tabiya_arena::results::ResultTableError>(())
/// ```
#[must_use]
pub fn cross_table(table: &ResultTable, order: &[usize]) -> String {
    let named: Vec<(usize, &String)> =
        order.iter().filter_map(|&player| Some((player, table.players().get(player)?))).collect();
    let places: Vec<String> = (1..=named.len()).map(|place| place.to_string()).collect();
    let headings = [("#", Align::Right), ("Player", Align::Left), ("Points", Align::Right)]
        .into_iter()
        .chain(places.iter().map(|place| (place.as_str(), Align::Right)));
    let mut text = TextTable::new(headings);
    for (&(player, name), place) in named.iter().zip(&places) {
        let total = table.total(player);
        let mut row = vec![
            place.clone(),
            label::fit_columns(name, NAME_COLUMNS),
            format!("{:.1}/{}", total.points(), total.games()),
        ];
        row.extend(named.iter().map(|&(opponent, _)| {
            let games = table.between(player, opponent);
            match games.games() {
                _ if player == opponent => "·".into(),
                0 => String::new(),
                _ => format!("{:.1}", games.points()),
            }
        }));
        text.rows.push(row);
    }
    text.write()
}

fn per_cent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

#[derive(Clone, Copy)]
enum Align {
    Left,
    Right,
}

struct TextTable {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    fn new<'a>(headings: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let (first, align) =
            headings.into_iter().map(|(heading, align)| (heading.to_string(), align)).unzip();
        Self { align, rows: vec![first] }
    }

    fn write(&self) -> String {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| label::columns(cell))
                .max()
        };
        let widths: Vec<usize> =
            (0..self.align.len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, align), width) in row.iter().zip(&self.align).zip(&widths) {
                let padding = " ".repeat(width - label::columns(cell));
                match align {
                    Align::Left => line.extend([cell, &padding, "  "]),
                    Align::Right => line.extend([&padding, cell, "  "]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Wdl;
    use crate::stats::ratings::Anchor;

    fn tournament() -> ResultTable {
        let mut table = ResultTable::new([
            "short",
            "an engine with a name that goes on and on and on",
            "将棋エンジン",
            "\x1b[31mred\x1b[0m",
        ])
        .unwrap();
        for (a, b, [wins, draws, losses]) in [
            (0, 1, [10, 20, 30]),
            (0, 2, [100, 2, 3]),
            (0, 3, [4, 4, 4]),
            (1, 2, [5, 5, 5]),
            (2, 3, [0, 1, 9]),
        ] {
            table.add(a, b, Wdl { wins, draws, losses }).unwrap();
        }
        table
    }

    /// Right-aligned columns all end at the same place, whatever the names look like.
    #[test]
    fn columns_are_aligned() {
        let table = tournament();
        let ratings = Ratings::fit(&table, Anchor::Average(0.0)).unwrap();
        let text = ratings_table(&table, &ratings);
        assert!(!text.contains('\x1b'));
        let end_of =
            |line: &str, mark: &str| label::columns(&line[..line.find(mark).unwrap() + mark.len()]);
        let (heading, rows) = text.split_once('\n').unwrap();
        let score = end_of(heading, "Score");
        assert!(rows.lines().all(|row| end_of(row, "%") == score), "{text}");
        assert_eq!(text.lines().count(), 5);
    }

    #[test]
    fn cross_tables_add_up() {
        let table = tournament();
        let text = cross_table(&table, &table.ranking());
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let points_at = words.iter().position(|word| word.contains('/')).unwrap();
            let total: f64 = words[points_at].split('/').next().unwrap().parse().unwrap();
            let cells = words[points_at + 1..].iter().filter_map(|word| word.parse::<f64>().ok());
            assert_eq!(cells.sum::<f64>(), total, "{text}");
        }
    }

    #[test]
    fn odd_requests_are_answered_all_the_same() {
        let table = ResultTable::new(["a", "b"]).unwrap();
        assert_eq!(cross_table(&table, &[]), "#  Player  Points\n");
        assert_eq!(cross_table(&table, &[1, 7]).lines().count(), 2);
        assert!(cross_table(&table, &[0, 1]).contains("0.0/0"));
    }

    #[test]
    fn virtual_games_are_owned_up_to() {
        let mut table = ResultTable::new(["a", "b"]).unwrap();
        table.add(0, 1, Wdl { wins: 3, draws: 0, losses: 0 }).unwrap();
        let ratings = Ratings::fit(&table, Anchor::Average(0.0)).unwrap();
        assert!(ratings_table(&table, &ratings).contains("virtual game"));
    }
}
