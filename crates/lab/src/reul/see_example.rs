//! Table 4.1: one exchange, step by step.

use super::WORK;
use crate::boards::exchange::{Conditions, Iteration, iterative, recursive, windowed};
use crate::boards::{Bitboards, Board, BoardMove, Kind, Magic, Mailbox};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};
use tabiya_chess::{ExchangeValues, Move, Square};

pub(super) struct SeeExample;

/// Loop against Diep after 21 Qb2 a6; the rook on b3 takes on b6.
const FEN: &str = "r1r5/3n1pbk/ppqppnpp/8/P2PP3/1RN1B2P/1QPN1PP1/4R1K1 w - - 0 22";

fn trace<B: Board>(board: &mut B, conditions: Conditions) -> (i32, Vec<Iteration>) {
    let mv = capture::<B>();
    let mut steps = Vec::new();
    let values = ExchangeValues::default();
    let value = windowed(board, mv, &values, conditions, |step| steps.push(step));
    (value, steps)
}

fn capture<B: Board>() -> BoardMove {
    let (from, to) = (B::cell(Square::B3), B::cell(Square::B6));
    BoardMove { from, to, kind: Kind::Normal }
}

impl Experiment for SeeExample {
    fn card(&self) -> Card {
        Card {
            id: "see-example",
            work: WORK,
            title: "An exchange, step by step",
            question: "Rxb6 Nxb6 Qxb6 Qxb6: the window of the thesis's static exchange evaluation after each \
                       capture, until the sign is certain, and to the end.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let position = known_position(FEN)?;
        let values = ExchangeValues::default();
        let mut board = Bitboards::<Magic>::new(&position);
        let (sign_value, sign) = trace(&mut board, Conditions::ALL);
        let (exact_value, exact) = trace(&mut board, Conditions::EXACT);
        let columns = [
            ("iteration", Origin::Label),
            ("alpha", Origin::Printed),
            ("value", Origin::Printed),
            ("beta", Origin::Printed),
            ("alpha", Origin::Counted),
            ("value", Origin::Counted),
            ("beta", Origin::Counted),
        ];
        let mut table = Table::new("table-4-1", "Table 4.1: the window of Rxb6", &columns);
        let infinite = |alpha: Option<i32>| alpha.map_or(Cell::from("−∞"), whole);
        for (number, step) in (1..).zip(&exact) {
            let printed = lab.printed("4.1");
            let row = number.to_string();
            table.row(vec![
                row.clone().into(),
                printed.cell(&row, "alpha"),
                printed.cell(&row, "value"),
                printed.cell(&row, "beta"),
                infinite(step.alpha),
                whole(step.value),
                whole(step.beta),
            ]);
        }
        table.note = format!(
            "With the qualitative condition it stops after iteration {} and returns {sign_value}; without \
             it, after iteration {}, and returns {exact_value}.",
            sign.len(),
            exact.len()
        );
        findings.tables.push(table);
        // Before the opponent has taken anything, nothing is certain: the thesis's minus infinity.
        let flat = exact.iter().flat_map(|step| {
            [step.alpha.unwrap_or(-1_000_000), step.value, step.beta].map(f64::from)
        });
        findings.numbers("window", flat);
        findings.numbers("stops", [sign.len() as f64, f64::from(sign_value)]);
        findings.numbers("exact", [exact.len() as f64, f64::from(exact_value)]);
        let mv = capture::<Bitboards<Magic>>();
        let mut mailbox: Mailbox = Mailbox::new(&position);
        let others = [
            recursive(&mut board, mv, &values),
            iterative(&mut board, mv, &values),
            trace(&mut mailbox, Conditions::EXACT).0,
            position.see(Move::normal(Square::B3, Square::B6), &values),
        ];
        findings.numbers("other ways", others.map(f64::from));
        Ok(findings)
    }
}

fn whole(value: i32) -> Cell {
    Cell::Number { value: value.into(), decimals: 0 }
}
