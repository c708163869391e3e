//! What the paper prints: an example, sizes, and code.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Origin, Table};
use crate::sliders::{Finder, OCCUPANCIES, count_right};
use tabiya_chess::attacks::magic::{Puzzle, verify};
use tabiya_chess::attacks::rays::{Slider, walk};
use tabiya_chess::{Bitboard, Square};

pub(super) struct Paper;

/// The multiplier of the example, for a rook on f6.
const MULTIPLIER: u64 = 0x0012_0008_1002_0004;

/// The ray scan as the paper prints it: the first man is looked for from the lowest square upwards, even on
/// rays that go down.
#[derive(Clone, Copy)]
struct ForwardOnly;

impl ForwardOnly {
    fn reach(self, slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
        slider.directions().into_iter().fold(Bitboard::EMPTY, |attacked, direction| {
            let ray = walk(square, direction, Bitboard::EMPTY);
            let mut attacked = attacked | ray;
            if let Some(first) = (ray & occupied).first() {
                attacked -= walk(first, direction, Bitboard::EMPTY);
            }
            attacked
        })
    }
}

impl Finder for ForwardOnly {
    type Board = Bitboard;

    fn board(self, occupied: Bitboard) -> Bitboard {
        occupied
    }

    fn rook(self, square: Square, board: &Bitboard) -> Bitboard {
        self.reach(Slider::Rook, square, *board)
    }

    fn bishop(self, square: Square, board: &Bitboard) -> Bitboard {
        self.reach(Slider::Bishop, square, *board)
    }
}

impl Experiment for Paper {
    fn card(&self) -> Card {
        Card {
            id: "paper",
            work: WORK,
            title: "The paper's example, sizes and code",
            question: "Is the printed multiplier magic, does the printed key come out, are the tables as \
                       large as told, and does the printed code find the right squares?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let north_east = walk(Square::B4, (1, 1), Bitboard::EMPTY);
        let north = walk(Square::C2, (0, 1), Bitboard::EMPTY);
        let east = walk(Square::E1, (1, 0), Bitboard::EMPTY);
        let printed: [Bitboard; 3] = [
            [Square::C5, Square::D6, Square::E7, Square::F8].into_iter().collect(),
            [Square::C3, Square::C4, Square::C5, Square::C6, Square::C7, Square::C8]
                .into_iter()
                .collect(),
            [Square::F1, Square::G1, Square::H1].into_iter().collect(),
        ];
        findings.truth("printed rays", [north_east, north, east] == printed);

        let puzzle = Puzzle::new(Slider::Rook, Square::F6);
        findings.number("bits of f6", f64::from(puzzle.bits()));
        let fit = verify(Slider::Rook, Square::F6, MULTIPLIER, puzzle.bits());
        findings.truth("example is magic", fit.is_ok());
        let men: Bitboard = [Square::B6, Square::D6, Square::F2].into_iter().collect();
        let key = men.0.wrapping_mul(MULTIPLIER) >> (64 - puzzle.bits());
        findings.number("example key", key as f64);

        let kib = |slider: Slider| {
            let slots = |square| 1u64 << Puzzle::new(slider, square).bits();
            Square::ALL.into_iter().map(slots).sum::<u64>() as f64 * 8.0 / 1024.0
        };
        findings.number("rook KiB", kib(Slider::Rook));
        findings.number("bishop KiB", kib(Slider::Bishop));
        // A set of eight bytes for each of 2^64 occupancies on each of 64 squares.
        findings.number("exabytes", 64.0 * 2f64.powi(64) * 8.0 / 1e18);

        let right: u64 = lab.step("the printed code", |_| Ok(count_right(ForwardOnly)))?;
        let columns = [("", Origin::Label), ("occupancies", Origin::Counted)];
        let mut table = Table::new(
            "printed-code",
            "The printed ray scan, on all occupancies of all squares",
            &columns,
        );
        table.row(vec!["attack set right".into(), right.into()]);
        table.row(vec!["attack set wrong".into(), (OCCUPANCIES - right).into()]);
        table.note = "It looks for the first man from the lowest square upwards in all eight directions; on \
                      the four that go down, that is the last man."
            .to_owned();
        findings.tables.push(table);
        findings.number(
            "printed code wrong",
            100.0 * (OCCUPANCIES - right) as f64 / OCCUPANCIES as f64,
        );
        Ok(findings)
    }
}
