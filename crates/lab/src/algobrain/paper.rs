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

/// The product that the paper prints for it.
const PRODUCT: u64 = 0x5401_2A00_4000_8000;

/// The pieces of the example, and what the paper lets the rook on f6 attack.
const BLOCKERS: [Square; 16] = [
    Square::A8,
    Square::B8,
    Square::F8,
    Square::B7,
    Square::C7,
    Square::D7,
    Square::E7,
    Square::H7,
    Square::B6,
    Square::D6,
    Square::H6,
    Square::B4,
    Square::G4,
    Square::D3,
    Square::F2,
    Square::A1,
];
const REACHED: [Square; 7] =
    [Square::F7, Square::E6, Square::G6, Square::F5, Square::F4, Square::F3, Square::F2];

/// The pieces of the other example, without the row that is printed too many, and what the bishop on c3 attacks.
const BISHOP_BLOCKERS: [Square; 9] = [
    Square::B8,
    Square::D8,
    Square::H8,
    Square::A6,
    Square::E6,
    Square::F6,
    Square::G6,
    Square::A2,
    Square::D2,
];
const BISHOP_REACHED: [Square; 8] = [
    Square::F6,
    Square::A5,
    Square::E5,
    Square::B4,
    Square::D4,
    Square::B2,
    Square::D2,
    Square::A1,
];

/// The ray scan as the paper prints it: the first piece is looked for from the lowest square upwards, even on
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
        let pieces: Bitboard = [Square::B6, Square::D6, Square::F2].into_iter().collect();
        let product = pieces.0.wrapping_mul(MULTIPLIER);
        findings.truth("printed product", product == PRODUCT);
        let key = product >> (64 - puzzle.bits());
        findings.number("example key", key as f64);
        let blockers: Bitboard = BLOCKERS.into_iter().collect();
        findings.truth("printed mask", blockers & Slider::Rook.mask(Square::F6) == pieces);
        let reached: Bitboard = REACHED.into_iter().collect();
        let wrong = Slider::Rook.attacks(Square::F6, pieces) ^ reached;
        findings.number("squares wrong in the rook's example", f64::from(wrong.len()));
        let blockers: Bitboard = BISHOP_BLOCKERS.into_iter().collect();
        let reached: Bitboard = BISHOP_REACHED.into_iter().collect();
        let wrong = Slider::Bishop.attacks(Square::C3, blockers) ^ reached;
        findings.number("squares wrong in the bishop's example", f64::from(wrong.len()));

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
