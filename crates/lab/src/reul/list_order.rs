//! The defect of piece lists: exchanges that depend on how a position was reached.

use super::WORK;
use crate::boards::exchange::recursive;
use crate::boards::mailbox::Mailbox;
use crate::boards::{Bitboards, Board, BoardMove, Kind, Magic, Moves};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, go_on, known_position};
use crate::frame::findings::Findings;
use crate::frame::table::{Origin, Table};
use crate::games;
use tabiya_chess::{ExchangeValues, Position};

pub(super) struct ListOrder;

/// After the thesis's lost diagram: Black has taken on d4, and of the rooks on c4 and d2 only the first lets
/// the black rook behind it join in. A queen must wait for that: taking with the other rook is safe.
const EXAMPLE: &str = "3q2k1/8/8/4p3/r1RN4/8/3R4/6K1 b - - 0 1";

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Tally {
    captures: u64,
    mailbox: u64,
    bitboards: u64,
}

/// All captures of a board, pseudo-legal, without promotions and captures in passing.
fn captures<B: Board>(board: &B) -> Vec<BoardMove> {
    let mut moves = Moves::new();
    board.captures(&mut moves);
    moves.into_iter().filter(|mv| mv.kind == Kind::Normal).collect()
}

/// Counts the captures whose exchange is worth something else when lists are in another order, and the same
/// for bitboards, whose pieces are always found in the order of the squares.
fn compare(position: &Position, tally: &mut Tally) {
    let values = ExchangeValues::default();
    let mut board: Mailbox = Mailbox::new(position);
    let mut reversed: Mailbox = Mailbox::new(position);
    reversed.reverse_lists();
    for mv in captures(&board) {
        tally.captures += 1;
        let usual = recursive(&mut board, mv, &values);
        tally.mailbox += u64::from(usual != recursive(&mut reversed, mv, &values));
    }
    let mut board = Bitboards::<Magic>::new(position);
    let mut again = Bitboards::<Magic>::new(position);
    // Another past: what shuffles piece lists.
    for mv in captures(&board) {
        let undo = again.make(mv);
        again.unmake(mv, undo);
    }
    for mv in captures(&board) {
        let usual = recursive(&mut board, mv, &values);
        tally.bitboards += u64::from(usual != recursive(&mut again, mv, &values));
    }
}

impl Experiment for ListOrder {
    fn card(&self) -> Card {
        Card {
            id: "list-order",
            work: WORK,
            title: "Random piece arrangement",
            question: "A capture moves the last man of a list into the gap, and taking it back appends: the \
                       order of a list depends on the past. Where two men of a list can recapture and one \
                       of them opens a line, does the exchange's worth depend on it, too?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut example = Tally::default();
        compare(&known_position(EXAMPLE)?, &mut example);
        let games: Tally = lab.step("games", |stop| {
            let mut tally = Tally::default();
            for position in &games::positions() {
                go_on(stop)?;
                for mv in &position.legal_moves() {
                    let mut next = position.clone();
                    next.play_unchecked(*mv);
                    compare(&next, &mut tally);
                }
            }
            Ok(tally)
        })?;
        let mut findings = Findings::default();
        let columns = [
            ("", Origin::Label),
            ("captures", Origin::Counted),
            ("differ on the mailbox", Origin::Counted),
            ("per 100,000", Origin::Counted),
            ("differ on bitboards", Origin::Counted),
        ];
        let title = "Exchanges whose worth depends on the order of piece lists";
        let mut table = Table::new("differences", title, &columns);
        for (name, tally) in
            [("an example in the spirit of Fig. 2.8", &example), ("Loop's games, a ply on", &games)]
        {
            let rate = 1e5 * tally.mailbox as f64 / tally.captures.max(1) as f64;
            table.row(vec![
                name.into(),
                tally.captures.into(),
                tally.mailbox.into(),
                rate.into(),
                tally.bitboards.into(),
            ]);
        }
        findings.tables.push(table);
        findings.number("example", example.mailbox as f64);
        findings.number("games", games.mailbox as f64);
        findings.number("bitboards", games.bitboards as f64);
        Ok(findings)
    }
}
