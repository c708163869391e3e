//! Table 2.2: making and unmaking moves.

use super::WORK;
use crate::boards::backend::{MAIN, copy_make};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::statistics::geometric_mean;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Race, Spread};
use tabiya_chess::Move;

pub(super) struct MakeUnmake;

/// The thesis's positions are lost, but the numbers of their captures and other moves are printed. These
/// have the same numbers and are from its games; the first is two plies away from one.
const POSITIONS: [(&str, &str); 8] = [
    ("mid 1", "r3r1k1/pp1bqppp/5n2/1P6/2Q5/3BPNP1/2P1KP1P/R6R w - - 3 20"),
    ("mid 2", "r4r1k/pp1bb3/1q2p2p/n2pPpp1/2pP4/P1P1PNB1/1P3QPP/R2B1RK1 b - - 1 21"),
    ("mid 3", "r1r3k1/pp1n1pbp/3ppnp1/8/P1qPP3/1RN2N1P/2PB1PP1/3QR1K1 b - - 1 17"),
    ("mid 4", "r4rk1/npq1bppp/3pbn2/p3p3/B3P3/1NN1BP2/PPP1Q1PP/1K1R3R b - - 7 14"),
    ("end 1", "8/pp2nb2/4p2k/3pPp2/2pP1N2/2P1K3/1P6/3B4 b - - 13 49"),
    ("end 2", "3bn3/1q2kp1p/3p2pP/1r2p1P1/QPN1P3/P3BP2/2R5/K7 w - - 1 43"),
    ("end 3", "8/5k2/pp4pQ/n2p4/P4N2/4P3/6PK/2r5 b - - 0 48"),
    ("end 4", "8/1p6/p1k1p3/P1P1b2p/1PK1p1p1/4B1P1/5P1P/8 b - - 2 42"),
];

const MAILBOX: usize = 0;
const ROTATED: usize = 1;
const MAGIC: usize = 2;

impl Experiment for MakeUnmake {
    fn card(&self) -> Card {
        Card {
            id: "make-unmake",
            work: WORK,
            title: "Making and unmaking moves",
            question: "Every legal move of a position is made and unmade, over and over. The thesis finds \
                       its mailbox about 17 % faster than rotated bitboards; it never compared it with \
                       magic ones.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (times, rounds) = lab.effort.pick((8_000, 5), (60_000, 15));
        let printed_gain = lab.printed("2.2").column("gain %");
        let mut findings = Findings::default();
        let mut columns = vec![
            ("position", Origin::Label),
            ("captures", Origin::Counted),
            ("others", Origin::Counted),
            ("rotated : mailbox", Origin::Printed),
            ("rotated : mailbox", Origin::Timed),
            ("magic : mailbox", Origin::Timed),
        ];
        columns.extend(MAIN.iter().map(|backend| (backend.name, Origin::Timed)));
        columns.push(("copied", Origin::Timed));
        let mut table =
            Table::new("table-2-2", "Table 2.2: nanoseconds to make and unmake a move", &columns);
        table.note = format!(
            "Medians of {rounds} rounds in which the boards took turns, and their ranges. \"Copied\" is the \
             project's own position, which is copied rather than unmade and keeps hash keys and checkers \
             up to date besides."
        );
        let (mut rotated, mut magic, mut profiles) = (Vec::new(), Vec::new(), Vec::new());
        for ((name, fen), printed) in POSITIONS.into_iter().zip(&printed_gain) {
            let position = known_position(fen)?;
            let moves = position.legal_moves();
            let captures =
                moves.iter().filter(|&&mv: &&Move| position.captured(mv).is_some()).count() as u64;
            let others = moves.len() as u64 - captures;
            profiles.extend([captures as f64, others as f64]);
            let race: Race = lab.step(name, |stop| {
                let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
                for backend in MAIN {
                    let position = &position;
                    contenders.push(Box::new(move || (backend.make_unmake)(position, times)));
                }
                contenders.push(Box::new(|| copy_make(&position, times)));
                Race::run(rounds, &mut contenders, stop)
            })?;
            let each = 1e9 / (times * moves.len() as u64) as f64;
            let nanoseconds = |contender: usize| -> Spread { race.of(contender).times(each) };
            rotated.push(race.ratio(ROTATED, MAILBOX));
            magic.push(race.ratio(MAGIC, MAILBOX));
            let mut row: Vec<Cell> = vec![
                name.into(),
                captures.into(),
                others.into(),
                (1.0 + printed / 100.0).into(),
                rotated[rotated.len() - 1].cell(2),
                magic[magic.len() - 1].cell(2),
            ];
            row.extend((0..=MAIN.len()).map(|contender| nanoseconds(contender).cell(1)));
            table.row(row);
        }
        findings.plots.push(Plot::bars(
            "ratios",
            "Bitboards against the mailbox: making and unmaking",
            "Time of each divided by the mailbox's; above 1 the mailbox is faster. Whiskers: all rounds.",
            POSITIONS.iter().map(|(name, _)| (*name).to_owned()).collect(),
            vec![
                Series::printed(
                    "rotated, as printed",
                    printed_gain.iter().map(|gain| Some(1.0 + gain / 100.0)).collect(),
                ),
                Series::timed("rotated, here", rotated.clone()),
                Series::timed("magic, here", magic.clone()),
            ],
            Some(1.0),
        ));
        findings.tables.push(table);
        findings.numbers("moves of the positions", profiles);
        for (name, ratios) in [("rotated over mailbox", &rotated), ("magic over mailbox", &magic)] {
            let mean = geometric_mean(ratios.iter().map(|ratio| ratio.median));
            let low = geometric_mean(ratios.iter().map(|ratio| ratio.low));
            let high = geometric_mean(ratios.iter().map(|ratio| ratio.high));
            findings.measured(name, mean, low, high);
        }
        let of_endings =
            POSITIONS.iter().zip(&rotated).filter(|((name, _), _)| name.starts_with("end"));
        let mean = geometric_mean(of_endings.map(|(_, ratio)| ratio.median));
        findings.number("rotated over mailbox, endings", mean);
        Ok(findings)
    }
}
