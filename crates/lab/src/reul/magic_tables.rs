//! Sections 3.6 to 3.8 and future work (b): how large the tables are, and how small they can be.

use super::WORK;
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::Plot;
use crate::frame::table::{Origin, Table};
use crate::frame::timing::Race;
use crate::games;
use crate::sliders::single_lines::{Axis, LineTables};
use std::hint::black_box;
use std::ops::ControlFlow;
use tabiya_chess::attacks::magic::{MagicFindError, MagicSharing, Puzzle, Thrift, climb, minimize};
use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::attacks::sliders::{Method, Reader, SliderTable};
use tabiya_chess::{Bitboard, PieceKind, Square};

pub(super) struct MagicTables;

/// How long a bishop's multiplier with one index bit less is looked for.
const CLIMBING: u64 = 200_000;

fn puzzles(slider: Slider) -> Vec<Puzzle> {
    Square::ALL.into_iter().map(|square| Puzzle::new(slider, square)).collect()
}

impl Experiment for MagicTables {
    fn card(&self) -> Card {
        Card {
            id: "magic-tables",
            work: WORK,
            title: "How large, and how small, tables can be",
            question: "Minimal and homogeneous tables, the different attack sets in them, and the thesis's \
                       open question: can better multipliers save an index bit, square by square? And are \
                       tables for single lines worth having?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let [bishops, rooks] = Slider::ALL.map(puzzles);
        let slots = |puzzles: &[Puzzle]| puzzles.iter().map(|p| 1u64 << p.bits()).sum::<u64>();
        let sets = |puzzles: &[Puzzle]| puzzles.iter().map(|p| p.distinct() as u64).sum::<u64>();
        let most = |puzzles: &[Puzzle]| puzzles.iter().map(Puzzle::bits).max().unwrap_or(0);
        let columns =
            [("", Origin::Label), ("bishops", Origin::Counted), ("rooks", Origin::Counted)];
        let mut table = Table::new("sizes", "Entries of the tables", &columns);
        let both = |f: &dyn Fn(&[Puzzle]) -> u64| [f(&bishops), f(&rooks)];
        let homogeneous = |puzzles: &[Puzzle]| 64 << most(puzzles);
        let rows: [(&str, &str, [u64; 2]); 3] = [
            ("minimal access: one slot per occupancy", "minimal", both(&slots)),
            ("homogeneous access: parts of one size", "homogeneous", both(&homogeneous)),
            ("different attack sets", "sets", both(&sets)),
        ];
        for (name, figure, counts) in rows {
            table.row(vec![name.into(), counts[0].into(), counts[1].into()]);
            findings.numbers(figure, counts.map(|count| count as f64));
        }
        let kib = |counts: [u64; 2]| counts.map(|count| count as f64 * 8.0 / 1024.0);
        let (minimal, homogeneous) = (both(&slots), both(&homogeneous));
        findings.numbers("KiB", kib(minimal).into_iter().chain(kib(homogeneous)));
        let saved = 100.0 * (1.0 - minimal[0] as f64 / homogeneous[0] as f64);
        findings.number("saved by minimal access, bishops", saved);
        findings.tables.push(table);
        let bits = |puzzles: &[Puzzle]| puzzles.iter().map(|p| f64::from(p.bits())).collect();
        let (bishop_bits, rook_bits): (Vec<f64>, Vec<f64>) = (bits(&bishops), bits(&rooks));
        // Corner, other edge, then inwards ring by ring.
        let samples = [Square::A1, Square::B1, Square::B2, Square::C3, Square::D4];
        let of = |bits: &[f64]| samples.map(|square| bits[square.index()]);
        findings.numbers("bishop widths", of(&bishop_bits));
        findings.numbers("rook widths", of(&rook_bits));
        let offsets: Vec<u64> = rooks
            .iter()
            .scan(0, |next, puzzle| Some(std::mem::replace(next, *next + (1 << puzzle.bits()))))
            .collect();
        let places = [Square::A1, Square::B1, Square::C1, Square::G8, Square::H8];
        findings.numbers("rook offsets", places.map(|square| offsets[square.index()] as f64));
        let distinct: Vec<f64> = rooks.iter().map(|puzzle| puzzle.distinct() as f64).collect();
        findings.plots.push(Plot::board(
            "distinct",
            "Table 3.2: different attack sets of a rook",
            "The product of a factor for the file and one for the rank.",
            &distinct,
            0,
        ));
        let factors = [7.0, 6.0, 10.0, 12.0, 12.0, 10.0, 6.0, 7.0];
        let product =
            |square: Square| factors[square.file().index()] * factors[square.rank().index()];
        let agree = Square::ALL.into_iter().all(|s| distinct[s.index()] == product(s));
        findings.truth("rook sets are products", agree);
        let least = distinct.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = distinct.iter().copied().fold(0.0, f64::max);
        findings.numbers("rook sets", [distinct[0], least, greatest]);
        findings.number("slots for the most sets", (greatest as u64).next_power_of_two() as f64);
        shrink(lab, &mut findings, &bishops)?;
        single_lines(lab, &mut findings)?;
        Ok(findings)
    }
}

/// Single lines of the sliders of Loop's games, from tables of their own and cut out of whole sets.
fn single_lines(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    const PASSES: u64 = 20;
    let rounds = lab.effort.pick(9, 41);
    let race: Race = lab.step("single lines", |stop| {
        let table = SliderTable::fill(Method::Magic);
        let Reader::Magic(magic) = table.reader() else {
            return Err(Halt::Wrong("there are no magic tables".to_owned()));
        };
        let lines = LineTables::default();
        let mut asked: Vec<(Axis, Square, Bitboard)> = Vec::new();
        for position in games::positions() {
            let occupied = position.occupied();
            let straight = position.pieces(PieceKind::Rook) | position.pieces(PieceKind::Queen);
            let oblique = position.pieces(PieceKind::Bishop) | position.pieces(PieceKind::Queen);
            for axis in Axis::ALL {
                let sliders = match axis {
                    Axis::File | Axis::Rank => straight,
                    Axis::Rising | Axis::Falling => oblique,
                };
                asked.extend(sliders.into_iter().map(|square| (axis, square, occupied)));
            }
        }
        let sum = |find: &dyn Fn() -> u64| (0..PASSES).fold(0, |_, _| find());
        let add = |total: u64, set: Bitboard| total.rotate_left(1) ^ set.0;
        let mut contenders: Vec<Box<dyn FnMut() -> u64>> = vec![
            Box::new(|| {
                sum(&|| {
                    let each = black_box(&asked).iter();
                    each.fold(0, |total, &(axis, s, o)| add(total, lines.look_up(axis, s, o)))
                })
            }),
            Box::new(|| {
                sum(&|| {
                    let each = black_box(&asked).iter();
                    each.fold(0, |total, &(axis, s, o)| {
                        add(total, lines.cut_out(magic, axis, s, o))
                    })
                })
            }),
        ];
        Race::run(rounds, &mut contenders, stop)
    })?;
    const FIGURE: &str = "own tables for lines";
    let ratio = race.ratio(0, 1).times(100.0);
    // The thesis speaks of a whole engine: quicker look-ups do not prove that one gains, slower ones that none does.
    if ratio.median >= 90.0 {
        findings.measured(FIGURE, ratio.median, ratio.low, ratio.high);
    } else {
        findings.lacks(
            FIGURE,
            &format!(
                "look-ups of single lines take {:.0} % of the time of whole sets cut down; what an engine \
                 gains by that depends on how often it asks, which the thesis does not say",
                ratio.median
            ),
        );
    }
    Ok(())
}

fn shrink(lab: &mut Lab<'_>, findings: &mut Findings, bishops: &[Puzzle]) -> Result<(), Halt> {
    let saved: Vec<bool> = lab.step("bishops with a bit less", |stop| {
        let saves = |puzzle: &Puzzle| {
            let watch =
                &mut |_| if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            match climb(puzzle, puzzle.bits() - 1, 1, CLIMBING, watch) {
                Ok(_) => Ok(true),
                Err(MagicFindError::Stopped { .. }) => Err(Halt::Interrupted),
                Err(_) => Ok(false),
            }
        };
        bishops.iter().map(saves).collect()
    })?;
    let values: Vec<f64> = saved.iter().map(|&saved| f64::from(u8::from(saved))).collect();
    findings.plots.push(Plot::board(
        "saved",
        "Future work (b): bishops whose tables can lose half their slots",
        "1 where a multiplier with one index bit less was found.",
        &values,
        0,
    ));
    findings.number("bishops that save a bit", values.iter().sum());
    let pack = |width: usize, sharing: MagicSharing, stop: &dyn Fn() -> bool| {
        let watch =
            &mut |_| if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match minimize(&Thrift { sharing, width, seed: 1 }, watch) {
            Ok(packing) => {
                let saving = |p: &&tabiya_chess::attacks::magic::MagicPlace| p.bits < p.mask.len();
                let rooks = packing.places.iter().skip(64).filter(saving).count();
                Ok((packing.entries.len(), rooks))
            }
            Err(MagicFindError::Stopped { .. }) => Err(Halt::Interrupted),
            Err(other) => Err(Halt::Wrong(other.to_string())),
        }
    };
    let mut columns = vec![("tables", Origin::Label)];
    columns.extend([("entries", Origin::Counted), ("KiB", Origin::Counted)]);
    let mut table = Table::new("shrunk", "All tables in one array", &columns);
    let mut row = |name: &str, entries: usize| {
        table.row(vec![name.into(), (entries as u64).into(), (entries as f64 / 128.0).into()]);
    };
    row("minimal access", 107_648);
    let (masked, _): (usize, usize) =
        lab.step("packing", |stop| pack(0, MagicSharing::Masked, stop))?;
    row("sharing entries where the lines of two squares do not meet", masked);
    findings.number("packed entries", masked as f64);
    if lab.effort == Effort::Full {
        let width = Thrift::default().width;
        let (entries, rooks): (usize, usize) =
            lab.step("packing with fewer bits", |stop| pack(width, MagicSharing::Masked, stop))?;
        row("the same, with multipliers that save a bit", entries);
        findings.number("smallest packing", entries as f64);
        findings.number("rooks that save a bit", rooks as f64);
    } else {
        for figure in ["smallest packing", "rooks that save a bit"] {
            findings.lacks(figure, "searched for in the full run only");
        }
    }
    findings.tables.push(table);
    Ok(())
}
