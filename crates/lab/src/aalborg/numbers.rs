//! What the report says of chess in numbers, and what its listings do as they are printed.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Origin, Table, natural};
use crate::games;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks, perft};

pub(super) struct Numbers;

impl Experiment for Numbers {
    fn card(&self) -> Card {
        Card {
            id: "numbers",
            work: WORK,
            title: "Numbers and listings",
            question: "How many moves, positions and states are there really? Is the FEN that is printed one, are the \
                       draws draws, and do the printed listings of minimax and alpha-beta find what minimax finds?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        trees(lab, &mut findings)?;
        rules(&mut findings);
        moves(&mut findings);
        listings(lab, &mut findings)?;
        let mut table = Table::new(
            "numbers",
            "All of them",
            &[("what", Origin::Label), ("found", Origin::Counted)],
        );
        for (name, figure) in &findings.figures {
            let values: Vec<String> = figure.values.iter().map(|&value| natural(value)).collect();
            table.row(vec![name.as_str().into(), values.join(" ").into()]);
        }
        findings.tables.push(table);
        Ok(findings)
    }
}

/// Sizes of trees.
fn trees(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let counts: Vec<u64> = lab.step("positions after four plies", |_| {
        Ok((1..=4).map(|depth| perft(&Position::start(), depth)).collect())
    })?;
    findings.numbers("ways to play the first plies", counts.iter().map(|&count| count as f64));
    findings.number("four plies over the estimate", counts[3] as f64 / (20.0 * 20.0 * 25.0 * 25.0));
    findings.number("first moves", counts[0] as f64);
    findings.number("the estimate for four plies", 20.0 * 20.0 * 25.0 * 25.0);
    findings
        .number("powers of ten in two to the 155th", (155.0 * 2f64.log10() * 10.0).round() / 10.0);
    let positions = games::positions();
    let total: usize = positions.iter().map(Position::count_legal_moves).sum();
    findings.number("average number of moves", total as f64 / positions.len() as f64);
    Ok(())
}

fn rules(findings: &mut Findings) {
    // With nine pawns in a row, as printed.
    let printed = "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPPP/RNBQKBNR w KQkq - 0 1";
    findings.truth("the printed FEN is one", Position::from_fen(printed).is_ok());
    let dead = |fen: &str| {
        Position::from_fen(fen).is_ok_and(|position| position.is_insufficient_material())
    };
    let draws = [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/4b3/4k3/8/8/3KB3/8/8 w - - 0 1",
    ];
    findings.numbers("draws by material", draws.map(|fen| f64::from(u8::from(dead(fen)))));
    let mut position = Position::start();
    for text in ["g1f3", "g8f6", "e2e4"] {
        if let Ok(mv) = position.parse_uci(text) {
            position.play_unchecked(mv);
        }
    }
    // By the rule as printed, only captures would set the clock back.
    findings.number("clock after a pawn's move", f64::from(position.halfmove_clock()));
}

/// Bounds of the appendix, and lists in the text.
fn moves(findings: &mut Findings) {
    let reach = |kind: PieceKind| {
        let piece = Piece::new(Color::White, kind);
        let count = |square: Square| attacks::of(piece, square, Bitboard::EMPTY).len();
        f64::from(Square::ALL.into_iter().map(count).max().unwrap_or(0))
    };
    let pieces =
        [PieceKind::Knight, PieceKind::King, PieceKind::Bishop, PieceKind::Queen, PieceKind::Rook];
    findings.numbers("most moves of a man: N K B Q R", pieces.map(reach));
    // A pawn that has not moved, with something to take on both sides; and one about to promote.
    let most = ["4k3/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1", "3r1r1k/4P3/8/8/8/8/8/4K3 w - - 0 1"]
        .into_iter()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .map(|position| {
            let pawn = position.colored_pieces(Color::White, PieceKind::Pawn);
            position.legal_moves().iter().filter(|mv| pawn.contains(mv.from())).count()
        });
    findings.numbers("most moves of a pawn", most.map(|count| count as f64));
    let list = |square: Square| {
        let mut names: Vec<String> =
            attacks::knight(square).into_iter().map(|to| to.to_string()).collect();
        names.sort();
        names.join(" ")
    };
    findings.truth("a knight on a1 goes to b3 and c2", list(Square::A1) == "b3 c2");
    findings.truth(
        "a knight on e4 goes where the text says",
        list(Square::E4) == "c3 c6 d2 d6 f2 f6 g3 g6",
    );
    // Diagonals are told apart by the sum and the difference of file and rank.
    let distinct = |of: fn(Square) -> i32| {
        let mut numbers = Square::ALL.map(of).to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len() as f64
    };
    findings.numbers(
        "diagonals",
        [
            distinct(|square| square.file().index() as i32 + square.rank().index() as i32),
            distinct(|square| square.file().index() as i32 - square.rank().index() as i32),
        ],
    );
    findings.number("states of a line without its own square", f64::from(1 << 7));
    // The queen is taken for a pawn or escapes, the rook likewise: what the opponent chooses.
    let backed_up =
        [[1, 0], [-4, -5]].map(|replies: [i32; 2]| f64::from(replies[0].min(replies[1])));
    findings.numbers("the worked example backed up", backed_up);
}

/// A made-up tree.
enum Tree {
    Leaf(i32),
    Inner(Vec<Tree>),
}

impl Tree {
    fn grow(random: &mut SplitMix64, depth: u32) -> Tree {
        if depth == 0 {
            return Tree::Leaf(random.below(201) as i32 - 100);
        }
        Tree::Inner((0..3).map(|_| Tree::grow(random, depth - 1)).collect())
    }

    fn minimax(&self, maximise: bool) -> i32 {
        match self {
            Tree::Leaf(value) => *value,
            Tree::Inner(children) => {
                let values = children.iter().map(|child| child.minimax(!maximise));
                if maximise { values.max() } else { values.min() }.unwrap_or(0)
            }
        }
    }

    /// Listing 8.1: below the root, what came last is returned, not the best.
    fn printed_minimax(&self) -> i32 {
        match self {
            Tree::Leaf(value) => *value,
            Tree::Inner(children) => children.iter().map(Tree::last_of_all).max().unwrap_or(0),
        }
    }

    fn last_of_all(&self) -> i32 {
        match self {
            Tree::Leaf(value) => *value,
            Tree::Inner(children) => children.last().map_or(0, Tree::last_of_all),
        }
    }

    /// Listing 8.2.
    fn negamax(&self, color: i32) -> i32 {
        match self {
            Tree::Leaf(value) => color * value,
            Tree::Inner(children) => {
                children.iter().map(|child| -child.negamax(-color)).max().unwrap_or(0)
            }
        }
    }

    /// Alpha-beta as in listing 8.3: the maximiser leaves when a result is *at most* beta, the minimiser when
    /// it is *at least* alpha. With `printed` off, the other way round, as it should be.
    fn alpha_beta(&self, maximise: bool, (mut alpha, mut beta): (i32, i32), printed: bool) -> i32 {
        let children = match self {
            Tree::Leaf(value) => return *value,
            Tree::Inner(children) => children,
        };
        for child in children {
            let result = child.alpha_beta(!maximise, (alpha, beta), printed);
            if maximise {
                if if printed { result <= beta } else { result >= beta } {
                    return beta;
                }
                alpha = alpha.max(result);
            } else {
                if if printed { result >= alpha } else { result <= alpha } {
                    return alpha;
                }
                beta = beta.min(result);
            }
        }
        if maximise { alpha } else { beta }
    }
}

/// What the printed listings find in made-up trees.
fn listings(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    const TREES: u64 = 1000;
    const OPEN: (i32, i32) = (i32::MIN, i32::MAX);
    let right: [u64; 4] = lab.step("listings on made-up trees", |_| {
        let mut right = [0; 4];
        for number in 0..TREES {
            let tree = Tree::grow(&mut SplitMix64::stream(2012, number), 4);
            let value = tree.minimax(true);
            right[0] += u64::from(tree.printed_minimax() == value);
            right[1] += u64::from(tree.alpha_beta(true, OPEN, true) == value);
            right[2] += u64::from(tree.alpha_beta(true, OPEN, false) == value);
            right[3] += u64::from(tree.negamax(1) == value);
        }
        Ok(right)
    })?;
    let names = ["listing 8.1", "listing 8.3", "alpha-beta put right", "listing 8.2"];
    for (name, right) in names.into_iter().zip(right) {
        findings.number(&format!("{name}: right values, %"), 100.0 * right as f64 / TREES as f64);
    }
    Ok(())
}
