//! Listing 8.5: the knight's table, and the rule that it comes from.

use super::WORK;
use super::evaluation::{Evaluation, Settings, Term, centre_value};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::Plot;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::works::Entry;
use tabiya_chess::{Color, Piece, PieceKind, Square};

pub(super) struct Centre;

/// A position with what is known of the report's second one: White is mated; queen, rook and three pawns before
/// the king against rook and two pawns that are almost through.
const LIKE_C: &str = "Q2R4/8/8/4k3/8/1p6/p4PPP/4r1K1 w - - 0 1";

impl Experiment for Centre {
    fn card(&self) -> Card {
        Card {
            id: "centre-table",
            work: WORK,
            title: "The knight's table, and the six terms",
            question: "A square is worth 5 points for each of the four middle squares that a man attacks from it, 1 for \
                       each of the twelve around, and twice as much for the one that he stands on. The report prints \
                       what that gives for knights. Does it? And how near do the weights come that had to be chosen here?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let piece = |kind| Piece::new(Color::White, kind);
        let by_rule = Square::ALL.map(|square| centre_value(piece(PieceKind::Knight), square));
        // The report prints rows from the first rank on; the table is its own mirror image.
        let printed: Vec<f64> = lab
            .printed("8.5")
            .rows
            .iter()
            .flat_map(|row| row[1..].iter().filter_map(Entry::number))
            .collect();
        let wrong: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|square| {
                printed.get(square.index()) != Some(&f64::from(by_rule[square.index()]))
            })
            .collect();
        let mut table = Table::new(
            "corrected",
            "Listing 8.5: cells that differ from the rule",
            &[
                ("square", Origin::Label),
                ("printed", Origin::Printed),
                ("by the rule", Origin::Counted),
            ],
        );
        for &square in &wrong {
            let value = printed.get(square.index()).copied().unwrap_or(0.0);
            let whole = |value| Cell::Number { value, decimals: 0 };
            table.row(vec![
                square.to_string().into(),
                whole(value),
                whole(f64::from(by_rule[square.index()])),
            ]);
        }
        findings.tables.push(table);
        for kind in [
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Queen,
            PieceKind::Pawn,
        ] {
            let values = Square::ALL.map(|square| f64::from(centre_value(piece(kind), square)));
            findings.plots.push(Plot::board(
                kind.name(),
                &format!("Centre control: {}", kind.name()),
                "Points by the rule of section 8.2.2; for pawns as White sees them.",
                &values,
                0,
            ));
        }
        findings.number("cells", printed.len() as f64);
        findings.number("cells that differ from the rule", wrong.len() as f64);
        let corner = wrong.iter().map(|square| f64::from(by_rule[square.index()]));
        findings.numbers("the rule's values there", corner);
        findings.note(format!(
            "Corrected, the four cells {} hold 12.",
            wrong.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
        ));
        findings.tables.push(six_terms(lab)?);
        Ok(findings)
    }
}

/// What each term gives, beside the report's second position.
fn six_terms(lab: &Lab<'_>) -> Result<Table, Halt> {
    let position = known_position(LIKE_C)?;
    let evaluation = Evaluation::new(Settings::LAST);
    let [white, black] = Color::ALL.map(|color| evaluation.terms(&position, color));
    let mut table = Table::new(
        "terms",
        "Snapshot c, and a position like it",
        &[
            ("term", Origin::Label),
            ("White", Origin::Printed),
            ("Black", Origin::Printed),
            ("White", Origin::Counted),
            ("Black", Origin::Counted),
        ],
    );
    let printed = lab.printed("snapshots");
    let whole = |value: i32| Cell::Number { value: value.into(), decimals: 0 };
    for (i, term) in Term::ALL.into_iter().enumerate() {
        table.row(vec![
            term.name().into(),
            printed.cell(term.name(), "c White"),
            printed.cell(term.name(), "c Black"),
            whole(white[i]),
            whole(black[i]),
        ]);
    }
    table.note = format!(
        "The board is lost; this one is {LIKE_C}. No rule for shields explains why Black's king has 10 with both pawns \
         far away, nor a count of files why his structure costs as much as White's; a loop that leaves out one file \
         would."
    );
    Ok(table)
}
