//! The padded board: is the border as wide as it has to be, and no wider?

use super::WORK;
use crate::boards::mailbox::cells::{LEAPS, RELATIONS, WIDTH, cell, difference, flag};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Origin, Table};
use std::collections::BTreeMap;
use tabiya_chess::{Square, attacks};

pub(super) struct Geometry;

/// Boards on which something like chess is played: name, files, ranks.
const SIZES: [(&str, i32, i32); 5] = [
    ("chess", 8, 8),
    ("Capablanca, Gothic", 10, 8),
    ("shogi", 9, 9),
    ("Chinese chess", 9, 10),
    ("Wildebeest", 11, 10),
];

/// Do all pairs of cells with the same difference stand in the same relation, with rows of this length?
fn is_unique(files: i32, ranks: i32, pitch: i32) -> bool {
    let mut relations = BTreeMap::new();
    (1 - files..files).all(|df| {
        (1 - ranks..ranks)
            .all(|dr| *relations.entry(pitch * dr + df).or_insert((df, dr)) == (df, dr))
    })
}

/// The narrowest border, left and right together, with which differences tell relations.
fn least_border(files: i32, ranks: i32) -> i32 {
    (0..2 * files).find(|&border| is_unique(files, ranks, files + border)).unwrap_or(2 * files)
}

impl Experiment for Geometry {
    fn card(&self) -> Card {
        Card {
            id: "geometry",
            work: WORK,
            title: "The padded board",
            question: "The thesis keeps a board of 15 x 12 cells and looks up what two squares have to do \
                       with each other by the difference of their cells. How wide must the border be for \
                       that, and does it work on boards of other sizes?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let borders: Vec<i32> = lab.step("borders", |_| {
            Ok(SIZES.iter().map(|&(_, files, ranks)| least_border(files, ranks)).collect())
        })?;
        let mut table = Table::new(
            "sizes",
            "Borders and tables for boards of several sizes",
            &[
                ("board", Origin::Label),
                ("files", Origin::Counted),
                ("ranks", Origin::Counted),
                ("least border", Origin::Counted),
                ("table entries", Origin::Counted),
                ("2-D table", Origin::Counted),
            ],
        );
        let mut rule = Vec::new();
        for (&(name, files, ranks), &border) in SIZES.iter().zip(&borders) {
            let pitch = files + border;
            let entries = 2 * ((ranks - 1) * pitch + files - 1) + 1;
            rule.push(f64::from(border - (files - 1)));
            rule.push(f64::from(entries - (2 * files - 1) * (2 * ranks - 1)));
            let counts = [files, ranks, border, entries, (files * ranks).pow(2)];
            let mut row = vec![name.into()];
            row.extend(counts.map(|count| (count as u64).into()));
            table.row(row);
        }
        table.note =
            "A table by difference has (2·files − 1)(2·ranks − 1) entries, a table by both \
                      squares the square of their number."
                .to_owned();
        findings.tables.push(table);
        findings.number("least border", borders[0].into());
        findings.numbers("rule for other sizes", rule);

        let rows = least_rows();
        findings.number("least rows", f64::from(rows));
        let (files, ranks) = (SIZES[0].1, SIZES[0].2);
        findings.number("cells", f64::from((files + borders[0]) * (ranks + 2 * rows)));
        let squares = [Square::A1, Square::H1, Square::A8, Square::H8, Square::F5, Square::H6];
        findings.numbers("addresses", squares.map(|square| f64::from(cell(square))));
        let pairs = || Square::ALL.into_iter().flat_map(|a| Square::ALL.map(|b| (a, b)));
        let greatest = pairs().map(|(a, b)| i32::from(cell(a)) - i32::from(cell(b))).max();
        let offset = greatest.unwrap_or(0);
        findings.number("offset", f64::from(offset));
        findings.number("table entries", f64::from(2 * offset + 1));

        findings.number("distances that differences do not tell", untold(pairs()) as f64);
        let mut steps: Vec<i8> =
            RELATIONS.queen.iter().copied().filter(|&step| step != 0).collect();
        steps.sort_unstable();
        steps.dedup();
        findings.numbers("slider steps", steps.into_iter().map(f64::from));
        let mut leaps: Vec<i32> = pairs()
            .filter(|&(a, b)| attacks::knight(a).contains(b))
            .map(|(a, b)| i32::from(cell(b)) - i32::from(cell(a)))
            .collect();
        leaps.sort_unstable();
        leaps.dedup();
        findings.numbers("knight leaps", leaps.into_iter().map(f64::from));
        let white = |kind: u8| f64::from(kind | flag::COLORS[0]);
        let kinds = [flag::PAWN, flag::KNIGHT, flag::BISHOP, flag::ROOK, flag::QUEEN, flag::KING];
        findings.numbers("white flags", kinds.map(white));
        let black = |kind: u8| f64::from(kind | flag::COLORS[1]);
        findings.numbers("black flags", kinds.map(black).into_iter().chain([flag::BORDER.into()]));
        let slides = |kind: u8| kind & flag::QUEEN != 0;
        let sliders = kinds.map(|kind| f64::from(u8::from(slides(kind))));
        findings.numbers("kinds that slide by their flags", sliders);
        findings.note(format!(
            "With rows of 8 + {} cells no two relations share a difference; with one cell less a step \
             along the rank past the edge looks like a step to the next rank.",
            borders[0]
        ));
        Ok(findings)
    }
}

/// The fewest rows above and below the board with which no leap of a knight leaves the array.
fn least_rows() -> i32 {
    let stays = |rows: i32| {
        let cells = 0..WIDTH * (8 + 2 * rows);
        // The thesis's cells have two rows below them.
        let begin = WIDTH * (rows - 2);
        let from = Square::ALL.map(|square| begin + i32::from(cell(square)));
        from.iter().all(|from| LEAPS.iter().all(|&leap| cells.contains(&(from + i32::from(leap)))))
    };
    (0..8).find(|&rows| stays(rows)).unwrap_or(8)
}

/// How many pairs of squares have a distance of files, of ranks, of king's steps or of rook's steps that
/// another pair with the same difference has not.
fn untold(pairs: impl Iterator<Item = (Square, Square)>) -> usize {
    let mut known = BTreeMap::new();
    let wrong = pairs.filter(|&(a, b)| {
        let files = (a.file().index()).abs_diff(b.file().index());
        let ranks = (a.rank().index()).abs_diff(b.rank().index());
        let distances = (files, ranks, files.max(ranks), files + ranks);
        *known.entry(difference(cell(a), cell(b))).or_insert(distances) != distances
    });
    wrong.count()
}
