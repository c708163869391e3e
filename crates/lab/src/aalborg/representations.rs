//! Section 5.3: five ways to represent a board.

use super::WORK;
use crate::boards::backend::DESCRIBED;
use crate::boards::grid::{Edges, Grid0x88, Grid8x8, Grid64, Grid120};
use crate::boards::suite::{CLOSED, OPEN, QUICK};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::statistics::geometric_mean;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Race, Spread};
use tabiya_chess::Square;

pub(super) struct Representations;

const BORDER: usize = 2;
const HEX: usize = 3;
const BITBOARDS: usize = 4;

const CASES: [(&str, &str); 3] = [("start", QUICK[0].fen), ("closed", CLOSED), ("open", OPEN)];

impl Experiment for Representations {
    fn card(&self) -> Card {
        Card {
            id: "representations",
            work: WORK,
            title: "Five ways to represent a board",
            question: "The report describes an array of two dimensions, of one, of one with a border, the 0x88 board and \
                       bitboards, and chooses bitboards for their speed without timing any. Here all five play the same \
                       chess, and are timed at generating, making and unmaking moves.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, rounds) = lab.effort.pick((3_u8, 3), (5, 7));
        let mut findings = Findings::default();
        cell_numbers(&mut findings);
        let mut columns = vec![("position", Origin::Label), ("leaves", Origin::Counted)];
        columns.extend(DESCRIBED.iter().map(|backend| (backend.name, Origin::Timed)));
        columns.push(("slowest : bitboards", Origin::Timed));
        let mut table =
            Table::new("recursion", "Million leaves per second, by brute force", &columns);
        table.note = format!(
            "Depth {depth}; medians of {rounds} rounds in which the boards took turns, and their ranges. Each generates \
             pseudo-legal moves, makes and unmakes them, and asks whether the king is attacked. The bitboards look \
             sliders up by magic multiplication; the report's projection of a line onto a rank is an older way."
        );
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); DESCRIBED.len()];
        let mut hex_to_border = Vec::new();
        for (name, fen) in CASES {
            let position = known_position(fen)?;
            let leaves = tabiya_chess::perft(&position, depth);
            let race: Race = lab.step(name, |stop| {
                let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
                for backend in DESCRIBED {
                    let position = &position;
                    contenders.push(Box::new(move || (backend.basic)(position, depth.into())));
                }
                Race::run(rounds, &mut contenders, stop)
            })?;
            let mut row: Vec<Cell> = vec![name.into(), leaves.into()];
            for (contender, ratios) in ratios.iter_mut().enumerate() {
                let seconds = race.seconds[contender].iter();
                row.push(Spread::of(seconds.map(|s| leaves as f64 / s / 1e6)).cell(1));
                ratios.push(race.ratio(contender, BITBOARDS).median);
            }
            hex_to_border.push(race.ratio(BORDER, HEX).median);
            let slowest = (0..BITBOARDS)
                .map(|contender| race.ratio(contender, BITBOARDS))
                .max_by(|a, b| a.median.total_cmp(&b.median));
            row.push(slowest.map_or_else(Cell::none, |spread| spread.cell(2)));
            table.row(row);
        }
        findings.tables.push(table);
        let means: Vec<f64> =
            ratios.iter().map(|ratios| geometric_mean(ratios.iter().copied())).collect();
        findings.plots.push(Plot::bars(
            "times",
            "Time of the five representations",
            "Times that of bitboards, geometric means over three positions.",
            DESCRIBED.map(|backend| backend.name.to_owned()).into(),
            vec![Series::counted("time", means.iter().map(|&mean| Some(mean)).collect())],
            Some(1.0),
        ));
        let arrays = &means[..BITBOARDS];
        let best = arrays.iter().copied().fold(f64::INFINITY, f64::min);
        findings.number("best array over bitboards", best);
        findings.number("border over 0x88", geometric_mean(hex_to_border));
        findings.number("two dimensions over 0x88", means[0] / means[HEX]);
        Ok(findings)
    }
}

/// The numbers that the report gives to cells, and what becomes of steps over the edge.
fn cell_numbers(findings: &mut Findings) {
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    let of = |cell: fn(Square) -> u8| corners.map(|square| f64::from(cell(square)));
    findings.numbers("corners: 64", of(Grid64::cell));
    findings.numbers("corners: 120", of(Grid120::cell));
    findings.numbers("corners: 0x88", of(Grid0x88::cell));
    findings.numbers("corners: two dimensions", of(Grid8x8::cell));
    let next = 23u8 + 1;
    let wraps = next < 64 && Grid64::step(23, (1, 0)).is_none();
    findings.truth("a step to the right of h3 stays within 0 to 63", wraps);
    const KNIGHT: [i32; 8] = [21, 12, -8, -19, -21, -12, 8, 19];
    const KING: [i32; 8] = [1, 11, 10, 9, -1, -11, -10, -9];
    let outside = |steps: [i32; 8], columns: i32| {
        let leaves = |square: Square| {
            // The width of the border on the left decides where a1 is.
            let cell = i32::from(Grid120::cell(square)) + columns;
            steps.into_iter().filter(|step| !(0..120).contains(&(cell + step))).count()
        };
        Square::ALL.into_iter().map(leaves).sum::<usize>() as f64
    };
    findings.number("border: steps that leave the array", outside(KNIGHT, 0) + outside(KING, 0));
    findings
        .number("border: steps that leave it if a1 is 21", outside(KNIGHT, 1) + outside(KING, 1));
}
