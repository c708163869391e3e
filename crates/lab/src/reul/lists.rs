//! Tables 2.3 and 2.4: how long are piece lists and blocker loops? And the legality test, counted.

use super::WORK;
use crate::boards::mailbox::Mailbox;
use crate::boards::mailbox::tally::{Census, Counts};
use crate::boards::{Board, BoardMove, Kind, Moves, leaves_king_safe, recursion};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, go_on};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::statistics::moments;
use crate::frame::table::{Cell, Origin, Table};
use crate::games::{self, Stage};
use tabiya_chess::{PieceKind, Position};

pub(super) struct Lists;

/// How deep the recursion goes whose loops are counted.
const DEPTH: u32 = 2;

const STAGES: [(Stage, &str); 2] = [(Stage::Middlegame, "mid"), (Stage::Ending, "end")];

/// What one stage gave.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Tally {
    positions: u64,
    lists: Vec<u64>,
    walks: Vec<u64>,
    walks_back: Vec<u64>,
    legality: Vec<u64>,
    tested: u64,
    disagreements: u64,
    wrong_color: u64,
    bishops: u64,
    captures_made: u64,
    moves_made: u64,
}

impl Tally {
    fn add(&mut self, counts: &Counts) {
        let pairs = [
            (&mut self.lists, &counts.lists[..]),
            (&mut self.walks, &counts.walks[..]),
            (&mut self.walks_back, &counts.walks_back[..]),
            (&mut self.legality, &counts.legality[..]),
        ];
        for (sum, more) in pairs {
            sum.resize(more.len(), 0);
            for (sum, more) in sum.iter_mut().zip(more) {
                *sum += more;
            }
        }
    }

    /// All walks, whichever way they went.
    fn loops(&self) -> Vec<u64> {
        self.walks.iter().zip(&self.walks_back).map(|(a, b)| a + b).collect()
    }
}

impl Experiment for Lists {
    fn card(&self) -> Card {
        Card {
            id: "lists",
            work: WORK,
            title: "Piece lists, blocker loops and the legality test",
            question: "A mailbox program spends its time in two kinds of loops: through piece lists and \
                       along lines. The thesis counts how long they are, in middlegames and endings, and \
                       gives a test that tells whether a move is legal without making it. Here both are \
                       counted while moves are picked, tested and made from the positions of its games.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut tallies: Vec<Tally> = Vec::new();
        for (stage, name) in STAGES {
            tallies.push(lab.step(name, |stop| {
                let mut tally = Tally::default();
                for position in &games::stage(stage) {
                    go_on(stop)?;
                    count(position, &mut tally);
                }
                Ok(tally)
            })?);
        }
        let mut findings = Findings::default();
        for (which, id, title) in [
            ("lists", "2.3", "Table 2.3: pieces per list, share of all list scans"),
            ("loops", "2.4", "Table 2.4: iterations per blocker loop, share of all loops"),
        ] {
            histogram(lab, &mut findings, &tallies, which, id, title);
        }
        legality(&mut findings, &tallies);
        both_loops(&mut findings, &tallies);
        let skipped: Vec<f64> = tallies
            .iter()
            .map(|tally| 100.0 * tally.wrong_color as f64 / tally.bishops.max(1) as f64)
            .collect();
        findings.numbers("bishops that need no test", skipped);
        for ((_, name), tally) in STAGES.iter().zip(&tallies) {
            let share = 100.0 * tally.captures_made as f64 / tally.moves_made.max(1) as f64;
            findings.number(&format!("captures among moves made, {name}"), share);
        }
        Ok(findings)
    }
}

fn histogram(
    lab: &Lab<'_>,
    findings: &mut Findings,
    tallies: &[Tally],
    which: &str,
    id: &str,
    title: &str,
) {
    let printed = lab.printed(id);
    let columns = [
        ("n", Origin::Label),
        ("middlegame", Origin::Printed),
        ("middlegame", Origin::Counted),
        ("ending", Origin::Printed),
        ("ending", Origin::Counted),
    ];
    let mut table = Table::new(which, title, &columns);
    let theirs = ["mid", "end"].map(|stage| {
        let counts = printed.column(stage);
        let sum: f64 = counts.iter().sum();
        counts.into_iter().map(|count| count / sum).collect::<Vec<f64>>()
    });
    let ours: Vec<Vec<f64>> = tallies
        .iter()
        .map(|tally| {
            let counts = if which == "lists" { tally.lists.clone() } else { tally.loops() };
            let sum: u64 = counts.iter().sum();
            counts.into_iter().map(|count| count as f64 / sum.max(1) as f64).collect()
        })
        .collect();
    let longest = theirs.iter().chain(&ours).map(Vec::len).max().unwrap_or(0);
    let share = |shares: &[f64], n: usize| shares.get(n).map_or_else(Cell::none, |s| (*s).into());
    for n in 0..longest.min(9) {
        table.row(vec![
            n.to_string().into(),
            share(&theirs[0], n),
            share(&ours[0], n),
            share(&theirs[1], n),
            share(&ours[1], n),
        ]);
    }
    let means = [&theirs[0], &ours[0], &theirs[1], &ours[1]].map(|shares| moments(shares));
    for (name, of) in [("mean", 0), ("deviation", 1)] {
        let mut row: Vec<Cell> = vec![name.into()];
        row.extend(means.map(|(mean, deviation)| Cell::from([mean, deviation][of])));
        table.row(row);
    }
    table.note =
        "Means and deviations of the printed counts are computed from them; those printed \
                  beside them differ."
            .to_owned();
    findings.tables.push(table);
    for (i, (_, stage)) in STAGES.iter().enumerate() {
        findings.number(&format!("mean {which}, {stage}"), moments(&ours[i]).0);
        for longest in 1..=4 {
            let share = 100.0 * ours[i].iter().take(longest + 1).sum::<f64>();
            findings.number(&format!("{which} up to {longest}, {stage}"), share);
        }
        findings.number(
            &format!("{which} from 6 on, {stage}"),
            100.0 * ours[i].iter().skip(6).sum::<f64>(),
        );
    }
    let means = |of: &[Vec<f64>]| moments(&of[1]).0 / moments(&of[0]).0.max(1e-12);
    findings.number(&format!("mean {which}, end over mid"), means(&ours));
    let curve = |name: &str, printed: bool, shares: &[f64]| Curve {
        name: name.to_owned(),
        printed,
        points: (0..9).zip(shares).map(|(n, share)| (f64::from(n), *share)).collect(),
    };
    findings.plots.push(Plot::new(
        &format!("{which}-shares"),
        title,
        "Share against length. Dashed: printed in the thesis.",
        Drawing::Lines {
            x: if which == "lists" { "pieces" } else { "empty cells" }.to_owned(),
            y: "share".to_owned(),
            logarithmic: false,
            curves: vec![
                curve("middlegame, printed", true, &theirs[0]),
                curve("ending, printed", true, &theirs[1]),
                curve("middlegame, here", false, &ours[0]),
                curve("ending, here", false, &ours[1]),
            ],
        },
    ));
}

/// The two kinds of loops, apart.
fn both_loops(findings: &mut Findings, tallies: &[Tally]) {
    let columns = [
        ("empty cells passed", Origin::Label),
        ("outwards, mid", Origin::Counted),
        ("outwards, end", Origin::Counted),
        ("back, mid", Origin::Counted),
        ("back, end", Origin::Counted),
    ];
    let mut table = Table::new("both-loops", "Both kinds of blocker loops, counted", &columns);
    let outwards = tallies.iter().map(|tally| &tally.walks);
    let kinds: Vec<&Vec<u64>> =
        outwards.chain(tallies.iter().map(|tally| &tally.walks_back)).collect();
    for n in 0..kinds.iter().map(|walks| walks.len()).max().unwrap_or(0) {
        let mut row: Vec<Cell> = vec![n.to_string().into()];
        row.extend(kinds.iter().map(|walks| Cell::from(walks.get(n).copied().unwrap_or(0))));
        table.row(row);
    }
    let means: Vec<f64> = kinds
        .iter()
        .map(|walks| moments(&walks.iter().map(|&n| n as f64).collect::<Vec<_>>()).0)
        .collect();
    let mut row: Vec<Cell> = vec!["mean".into()];
    row.extend(means.iter().map(|&mean| Cell::from(mean)));
    table.row(row);
    table.note =
        "Outwards (N12) a loop goes from a slider to the first man. Back (N13) it goes from the \
                  attacked cell towards the slider, and is only begun where both stand on one line."
            .to_owned();
    findings.tables.push(table);
}

fn legality(findings: &mut Findings, tallies: &[Tally]) {
    let columns = [
        ("the test ends because", Origin::Label),
        ("middlegame, %", Origin::Counted),
        ("ending, %", Origin::Counted),
    ];
    let mut table =
        Table::new("legality", "Where the incremental legality test (N5) ends", &columns);
    let ends = [
        "the man is on no line with his king",
        "he stays on that line",
        "another man stands between",
        "what stands behind had to be looked at",
    ];
    let shares = |step: usize| {
        tallies.iter().map(move |tally| {
            let all: u64 = tally.legality.iter().sum();
            100.0 * tally.legality[step] as f64 / all.max(1) as f64
        })
    };
    for (step, end) in ends.into_iter().enumerate() {
        let mut row: Vec<Cell> = vec![end.into()];
        row.extend(shares(step).map(Cell::from));
        table.row(row);
    }
    findings.tables.push(table);
    findings.number("legality disagreements", tallies.iter().map(|t| t.disagreements as f64).sum());
    findings.number("legality tests", tallies.iter().map(|t| t.tested as f64).sum());
    findings.numbers("legality without a walk", shares(0).zip(shares(1)).map(|(a, b)| a + b));
}

fn count(position: &Position, tally: &mut Tally) {
    let mut board: Mailbox<Census> = Mailbox::new(position);
    recursion::advanced(&mut board, DEPTH);
    tally.positions += 1;
    tally.add(&board.tally().counts());
    compare_legality(position, tally);
    let mut search = Search { board: Mailbox::new(position), captures: 0, moves: 0 };
    search.node(3, -INFINITY, INFINITY);
    tally.captures_made += search.captures;
    tally.moves_made += search.moves;
    for color in tabiya_chess::Color::ALL {
        let bishops = position.colored_pieces(!color, PieceKind::Bishop);
        let king = position.king(color);
        let parity =
            |square: tabiya_chess::Square| (square.file().index() + square.rank().index()) % 2;
        tally.bishops += u64::from(bishops.len());
        let wrong = bishops.into_iter().filter(|&bishop| parity(bishop) != parity(king));
        tally.wrong_color += wrong.count() as u64;
    }
}

/// The test without a move against the move itself.
fn compare_legality(position: &Position, tally: &mut Tally) {
    if position.in_check() {
        return;
    }
    let mut board: Mailbox = Mailbox::new(position);
    let mut moves = Moves::new();
    board.captures(&mut moves);
    board.quiets(&mut moves);
    for mv in moves {
        if mv.from == board.king(board.side_to_move()) || mv.kind == Kind::EnPassant {
            continue;
        }
        tally.tested += 1;
        let disagree = board.keeps_king_covered(mv.from, mv.to) != leaves_king_safe(&mut board, mv);
        tally.disagreements += u64::from(disagree);
    }
}

const INFINITY: i32 = 1_000_000;

/// A small search, of material alone, with captures searched to the end: what a program makes moves for.
struct Search {
    board: Mailbox,
    captures: u64,
    moves: u64,
}

impl Search {
    fn material(&self) -> i32 {
        let us = self.board.side_to_move();
        let side = |color| {
            let worth = [100, 325, 325, 325, 500, 1000];
            let lists = self.board.lists(color);
            lists
                .iter()
                .zip(worth)
                .map(|(list, worth)| list.cells().len() as i32 * worth)
                .sum::<i32>()
        };
        side(us) - side(!us)
    }

    fn worth(&self, mv: &BoardMove) -> i32 {
        let of = |cell| self.board.kind_at(cell).map_or(0, |kind| 10 * (1 + kind as i32));
        of(mv.to) * 10 - of(mv.from)
    }

    fn node(&mut self, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let us = self.board.side_to_move();
        let mut best = -INFINITY;
        if depth == 0 {
            best = self.material();
            alpha = alpha.max(best);
            if best >= beta {
                return best;
            }
        }
        let mut moves = Moves::new();
        self.board.captures(&mut moves);
        moves.sort_by_key(|mv| -self.worth(mv));
        let captures = moves.len();
        if depth > 0 {
            self.board.quiets(&mut moves);
        }
        for (i, mv) in moves.into_iter().enumerate() {
            let undo = self.board.make(mv);
            self.moves += 1;
            self.captures += u64::from(i < captures);
            let legal = !self.board.is_attacked(self.board.king(us), !us);
            let value =
                if legal { -self.node(depth.saturating_sub(1), -beta, -alpha) } else { best };
            self.board.unmake(mv, undo);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
