//! The KPK bitbase: king and pawn against king, solved.
//!
//! For each place of the white king and the pawn, a set holds the squares of the black king with
//! which White wins; one set with White to move and one with Black. The sets are found backwards from
//! promotion, a whole set of black kings in one step, which takes less than a millisecond; with the
//! pawn mirrored onto the files a to d they fill 24 KB.

use super::view::{down, pawn_attacks, up};
use std::sync::LazyLock;
use tabiya_chess::{Bitboard, File, Rank, Square, attacks};

/// Pawns on files a to d, ranks 2 to 7.
const PAWNS: usize = 24;

/// The black kings against whom White wins, by pawn and white king.
type Wins = [[Bitboard; 64]; PAWNS];

struct Bitbase {
    white_to_move: Wins,
    black_to_move: Wins,
}

/// Does the side with the pawn win? Squares are in that side's view.
pub(super) fn is_won(king: Square, pawn: Square, enemy_king: Square, own_turn: bool) -> bool {
    static BITBASE: LazyLock<Box<Bitbase>> = LazyLock::new(solve);
    let mirror = |square: Square| if pawn.file() >= File::E { square.flip_files() } else { square };
    let wins = if own_turn { &BITBASE.white_to_move } else { &BITBASE.black_to_move };
    let pawn_index = index(mirror(pawn));
    // A pawn on an end rank does not exist: the answer for one is no.
    wins.get(pawn_index)
        .is_some_and(|by_king| by_king[mirror(king).index()].contains(mirror(enemy_king)))
}

fn index(pawn: Square) -> usize {
    (pawn.rank().index() * 4 + pawn.file().index()).wrapping_sub(4)
}

fn pawn_at(index: usize) -> Square {
    Square::from_coords(File::ALL[index % 4], Rank::ALL[1 + index / 4])
}

/// All squares next to one of a set.
fn beside(set: Bitboard) -> Bitboard {
    let sides = set.east() | set.west();
    let rows = set | sides;
    sides | up(rows) | down(rows)
}

fn solve() -> Box<Bitbase> {
    let nothing = [[Bitboard::EMPTY; 64]; PAWNS];
    let mut base = Box::new(Bitbase { white_to_move: nothing, black_to_move: nothing });
    loop {
        let mut grown = false;
        // Pawns far up first: their wins are what the others step into.
        for pawn in (0..PAWNS).rev().map(pawn_at) {
            for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                let white = white_wins(&base, king, pawn);
                let black = black_loses(&base, king, pawn);
                let i = index(pawn);
                grown |= white != base.white_to_move[i][king.index()];
                grown |= black != base.black_to_move[i][king.index()];
                base.white_to_move[i][king.index()] = white;
                base.black_to_move[i][king.index()] = black;
            }
        }
        if !grown {
            return base;
        }
    }
}

/// Squares where the black king can stand at all.
fn standing(king: Square, pawn: Square) -> Bitboard {
    !attacks::king(king).with(king).with(pawn)
}

/// The black kings that White, to move, beats as far as is known.
fn white_wins(base: &Bitbase, king: Square, pawn: Square) -> Bitboard {
    let legal = standing(king, pawn) - pawn_attacks(pawn.into());
    let mut wins = Bitboard::EMPTY;
    for step in attacks::king(king).without(pawn) {
        wins |= base.black_to_move[index(pawn)][step.index()] - attacks::king(step);
    }
    let ahead = Square::wrapping(pawn as u32 + 8);
    if ahead != king {
        let free = !Bitboard::square(ahead);
        if ahead.rank() == Rank::Eighth {
            // The new queen must not fall; and where a queen would stalemate, a rook does not.
            let held = attacks::king(king).contains(ahead);
            wins |= if held { free } else { free - attacks::king(ahead) };
        } else {
            wins |= base.black_to_move[index(ahead)][king.index()] & free;
            let further = Square::wrapping(ahead as u32 + 8);
            if pawn.rank() == Rank::Second && further != king {
                wins |= base.black_to_move[index(further)][king.index()] & free;
            }
        }
    }
    wins & legal
}

/// The black kings that lose, Black to move, as far as is known.
fn black_loses(base: &Bitbase, king: Square, pawn: Square) -> Bitboard {
    let standing = standing(king, pawn);
    let checked = pawn_attacks(pawn.into());
    let mut steps = standing - checked;
    let won = base.white_to_move[index(pawn)][king.index()];
    let mut escapes = steps - won;
    if !attacks::king(king).contains(pawn) {
        steps = steps.with(pawn);
        escapes = escapes.with(pawn);
    }
    let stalemate = standing - checked - beside(steps);
    standing - beside(escapes) - stalemate
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::{Color, Piece, PieceKind, Position, Setup};

    /// The same solved without a bitboard: legal moves of real positions, over and over.
    struct Slow {
        /// By pawn, white king, black king, and whether White moves; none if impossible.
        nodes: Vec<Option<Node>>,
    }

    struct Node {
        replies: Vec<usize>,
        won: bool,
        white_moves: bool,
        /// A move that gives the pawn away, or no move at all: no loss for Black.
        saved: bool,
    }

    fn place(pawn: Square, white: Square, black: Square, white_moves: bool) -> usize {
        let (pawn, white, black) = (pawn.index(), white.index(), black.index());
        ((pawn * 64 + white) * 64 + black) * 2 + usize::from(white_moves)
    }

    fn position(pawn: Square, white: Square, black: Square, white_moves: bool) -> Option<Position> {
        if pawn == white || pawn == black || white == black {
            return None;
        }
        let mut setup = Setup::EMPTY;
        setup.pieces[white.index()] = Some(Piece::new(Color::White, PieceKind::King));
        setup.pieces[black.index()] = Some(Piece::new(Color::Black, PieceKind::King));
        setup.pieces[pawn.index()] = Some(Piece::new(Color::White, PieceKind::Pawn));
        setup.side_to_move = if white_moves { Color::White } else { Color::Black };
        setup.position().ok().map(|(position, _)| position)
    }

    /// A new queen or rook wins unless it falls or stalemates.
    fn promotion_wins(position: &Position) -> bool {
        let moves = position.legal_moves();
        let taken = |mv: &tabiya_chess::Move| position.piece_at(mv.to()).is_some();
        !moves.iter().any(taken) && (!moves.is_empty() || position.in_check())
    }

    fn slow() -> Slow {
        let mut nodes: Vec<Option<Node>> = Vec::new();
        nodes.resize_with(64 * 64 * 64 * 2, || None);
        for pawn in (0..PAWNS).map(pawn_at) {
            for white in Square::ALL {
                for black in Square::ALL {
                    for white_moves in [false, true] {
                        let Some(here) = position(pawn, white, black, white_moves) else {
                            continue;
                        };
                        let moves = here.legal_moves();
                        let mut node = Node {
                            replies: Vec::new(),
                            won: false,
                            white_moves,
                            saved: moves.is_empty() && !here.in_check(),
                        };
                        for &mv in &moves {
                            let mut next = here.clone();
                            next.play(mv).unwrap();
                            match next.colored_pieces(Color::White, PieceKind::Pawn).first() {
                                Some(pawn) => node.replies.push(place(
                                    pawn,
                                    next.king(Color::White),
                                    next.king(Color::Black),
                                    !white_moves,
                                )),
                                None if white_moves => node.won |= promotion_wins(&next),
                                None => node.saved = true,
                            }
                        }
                        nodes[place(pawn, white, black, white_moves)] = Some(node);
                    }
                }
            }
        }
        loop {
            let mut grown = false;
            for i in 0..nodes.len() {
                let Some(node) = &nodes[i] else { continue };
                if node.won || node.saved {
                    continue;
                }
                let is_won = |&reply: &usize| nodes[reply].as_ref().is_some_and(|node| node.won);
                let won = if node.white_moves {
                    node.replies.iter().any(is_won)
                } else {
                    node.replies.iter().all(is_won)
                };
                if won {
                    grown = true;
                    nodes[i].as_mut().unwrap().won = true;
                }
            }
            if !grown {
                return Slow { nodes };
            }
        }
    }

    #[test]
    fn equals_a_slow_solution_of_every_position() {
        let slow = slow();
        let (mut wins, mut legal) = ([0; 2], [0; 2]);
        for pawn in (0..PAWNS).map(pawn_at) {
            for white in Square::ALL {
                for black in Square::ALL {
                    for white_moves in [false, true] {
                        let Some(node) = &slow.nodes[place(pawn, white, black, white_moves)] else {
                            continue;
                        };
                        let found = is_won(white, pawn, black, white_moves);
                        assert_eq!(found, node.won, "K{white} P{pawn} k{black} {white_moves}");
                        let mirrored = is_won(
                            white.flip_files(),
                            pawn.flip_files(),
                            black.flip_files(),
                            white_moves,
                        );
                        assert_eq!(found, mirrored);
                        legal[usize::from(white_moves)] += 1;
                        wins[usize::from(white_moves)] += u32::from(node.won);
                    }
                }
            }
        }
        // Black to move first; both numbers of wins are those of the literature, per half of the board.
        assert_eq!((wins, legal), ([48_802, 62_480], [84_012, 81_664]));
    }

    #[test]
    fn what_books_say() {
        // The king on the sixth rank ahead of his pawn wins with either side to move.
        assert!(is_won(Square::E6, Square::E5, Square::E8, true));
        assert!(is_won(Square::E6, Square::E5, Square::E8, false));
        // Opposition on the fifth: only if Black is to move.
        assert!(!is_won(Square::E5, Square::E4, Square::E7, true));
        assert!(is_won(Square::E5, Square::E4, Square::E7, false));
        // A rook pawn does not win against a king in its corner.
        assert!(!is_won(Square::B6, Square::A5, Square::A8, true));
    }
}
