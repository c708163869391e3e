//! Moves as the UCI protocol writes them.

use crate::board::castling_targets;
use crate::side::for_side;
use crate::{Bitboard, Excerpt, Move, MoveKind, Piece, PieceKind, Position, Rank, Square, attacks};
use core::fmt;
use core::ops::Range;

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastlingStyle {
    /// The king's square and the one he comes to, as in `e1g1`: what UCI has for standard chess.
    KingToTarget,
    /// The king's square and the rook's, as in `e1h1`: what UCI has for Chess960.
    KingTakesRook,
}

/// A move in UCI's notation, ready to be printed; [`Move::uci`] makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promoted: Option<PieceKind>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promoted {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl Move {
    /// This move as UCI writes it, for a position in which it is legal.
    ///
    /// What is written always reads back as the same move: where a Chess960 king could also step to the
    /// square that castling brings him to, castling is written as king takes rook in either style.
    ///
    /// ```
    /// use tabiya_chess::{CastlingStyle, Move, Position, Square};
    /// let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    /// let castling = Move::castling(Square::E1, Square::H1);
    /// assert_eq!(castling.uci(&position, CastlingStyle::KingToTarget).to_string(), "e1g1");
    /// assert_eq!(castling.uci(&position, CastlingStyle::KingTakesRook).to_string(), "e1h1");
    /// ```
    pub fn uci(self, position: &Position, style: CastlingStyle) -> UciMove {
        let (from, mut to) = (self.from(), self.to());
        if self.is_castling() && style == CastlingStyle::KingToTarget {
            let (king_to, _) = castling_targets(from, to);
            if !position.is_legal(Move::normal(from, king_to)) {
                to = king_to;
            }
        }
        UciMove { from, to, promoted: self.promoted() }
    }
}

/// Why a text is not a legal move in UCI's notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciMoveError {
    /// Not a move in any position.
    #[error(
        "{0} is not a move: two squares and perhaps a piece to promote to, as in e2e4 or a7a8q"
    )]
    Malformed(Excerpt),
    /// The null move.
    #[error("0000 is the null move, which is never legal")]
    Null,
    /// A move, but not one that may be played here.
    #[error("{mv} is illegal here: {reason}")]
    Illegal {
        /// The move as it was written.
        mv: UciMove,
        /// What is wrong with it.
        reason: IllegalReason,
    },
}

/// What is wrong with a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum IllegalReason {
    /// No piece on the start square.
    #[error("no piece stands on {0}")]
    EmptySquare(Square),
    /// A piece of the side that is not to move.
    #[error("the {piece} on {square} is not the mover's: {turn} is to move", turn = !piece.color())]
    NotYours {
        /// The piece on the start square.
        piece: Piece,
        /// The start square.
        square: Square,
    },
    /// An own piece on the target square.
    #[error("the mover's own {kind} stands on {square}")]
    OwnPieceOnTarget {
        /// The piece on the target square.
        kind: PieceKind,
        /// The target square.
        square: Square,
    },
    /// Not how this piece moves, or something is in its way.
    #[error("the {kind} on {from} cannot go to {to}")]
    CannotReach {
        /// The piece on the start square.
        kind: PieceKind,
        /// The start square.
        from: Square,
        /// The target square.
        to: Square,
    },
    /// The king was not in check but would be.
    #[error("it leaves the king in check")]
    LeavesKingInCheck,
    /// The king is in check and would still be.
    #[error("the king is in check and stays so")]
    KeepsKingInCheck,
    /// Castling with no right left, a piece in the way, or through check.
    #[error("castling is not possible: {0}")]
    Castling(CastlingObstacle),
    /// A pawn reaches the last rank, and the piece it becomes is missing.
    #[error("the pawn promotes: add q, r, b or n for what it becomes")]
    PromotionMissing,
    /// A promotion of something that does not promote.
    #[error("only a pawn that reaches the last rank promotes")]
    PromotionImpossible,
}

/// What keeps a side from castling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum CastlingObstacle {
    /// King or rook has moved.
    #[error("the right to it is gone")]
    NoRight,
    /// The king is in check.
    #[error("the king is in check")]
    InCheck,
    /// A piece stands where king or rook must pass.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// The king's way is under attack, or the square he comes to.
    #[error("the king would pass through check or end in it")]
    ThroughCheck,
}

impl Position {
    /// Reads a move in UCI's notation.
    ///
    /// Both styles of castling are understood in every position. In Chess960 the king's target may be a
    /// square that he could also just step to; then the step is meant.
    ///
    /// ```
    /// use tabiya_chess::{IllegalReason, Move, Position, Square, UciMoveError};
    /// let position = Position::from_fen("4k3/4r3/8/8/8/8/4B3/4K2R w K - 0 1").unwrap();
    /// let castling = Ok(Move::castling(Square::E1, Square::H1));
    /// assert_eq!(position.parse_uci("e1g1"), castling);
    /// assert_eq!(position.parse_uci("e1h1"), castling);
    ///
    /// let error = position.parse_uci("e2d3").unwrap_err();
    /// assert_eq!(error.to_string(), "e2d3 is illegal here: it leaves the king in check");
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let written = parse(text)?;
        let UciMove { from, to, promoted } = written;
        let illegal = |reason| UciMoveError::Illegal { mv: written, reason };

        let piece = self.piece_at(from).ok_or(illegal(IllegalReason::EmptySquare(from)))?;
        if piece.color() != self.side_to_move() {
            return Err(illegal(IllegalReason::NotYours { piece, square: from }));
        }
        let mv = match self.castling_meant(piece, from, to) {
            Some(castling) => castling,
            None => {
                if let Some(target) = self.piece_at(to)
                    && target.color() == piece.color()
                {
                    let kind = target.kind();
                    return Err(illegal(IllegalReason::OwnPieceOnTarget { kind, square: to }));
                }
                self.plain_move(piece, from, to, promoted.unwrap_or(PieceKind::Queen))
            }
        };
        self.check(piece, mv).map_err(illegal)?;
        match (mv.kind(), promoted) {
            (MoveKind::Promotion, None) => Err(illegal(IllegalReason::PromotionMissing)),
            (MoveKind::Promotion, Some(_)) | (_, None) => Ok(mv),
            (_, Some(_)) => Err(illegal(IllegalReason::PromotionImpossible)),
        }
    }

    /// The castling, legal or not, that two squares mean for a piece of the side to move.
    fn castling_meant(&self, piece: Piece, from: Square, to: Square) -> Option<Move> {
        if piece.kind() != PieceKind::King {
            return None;
        }
        let home = Rank::First.relative_to(piece.color());
        let own_rook = Piece::new(piece.color(), PieceKind::Rook);
        if to.rank() == home && self.piece_at(to) == Some(own_rook) {
            return Some(Move::castling(from, to));
        }
        if attacks::king(from).contains(to) {
            return None;
        }
        (self.castling_rooks() & Bitboard::rank(home))
            .into_iter()
            .find(|&rook| castling_targets(from, rook).0 == to)
            .map(|rook| Move::castling(from, rook))
    }

    /// The move other than castling that two squares mean for a piece of the side to move.
    fn plain_move(&self, piece: Piece, from: Square, to: Square, promoted: PieceKind) -> Move {
        match piece.kind() {
            PieceKind::Pawn if to.rank() == Rank::Eighth.relative_to(piece.color()) => {
                Move::promotion(from, to, promoted)
            }
            PieceKind::Pawn if self.double_step() == Some(to) && to.file() != from.file() => {
                Move::en_passant(from, to)
            }
            _ => Move::normal(from, to),
        }
    }

    /// Is the move legal, and if not, why? The piece belongs to the side to move, and no other piece of
    /// that side stands on the target square.
    fn check(&self, piece: Piece, mv: Move) -> Result<(), IllegalReason> {
        if self.is_legal(mv) {
            return Ok(());
        }
        let (from, to, kind) = (mv.from(), mv.to(), piece.kind());
        let reaches = match (kind, mv.kind()) {
            (_, MoveKind::Castling) => {
                return Err(IllegalReason::Castling(self.castling_obstacle(from, to)));
            }
            (PieceKind::Pawn, MoveKind::Normal | MoveKind::Promotion) => {
                for_side!(piece.color(), S => self.pawn_reaches::<S>(from, to))
            }
            _ => attacks::of(piece, from, self.occupied()).contains(to),
        };
        Err(if !reaches {
            IllegalReason::CannotReach { kind, from, to }
        } else if self.in_check() {
            IllegalReason::KeepsKingInCheck
        } else {
            IllegalReason::LeavesKingInCheck
        })
    }

    fn castling_obstacle(&self, king: Square, rook: Square) -> CastlingObstacle {
        if !self.castling_rooks().contains(rook) {
            return CastlingObstacle::NoRight;
        }
        if self.in_check() {
            return CastlingObstacle::InCheck;
        }
        let (king_to, rook_to) = castling_targets(king, rook);
        let ways = attacks::between(king, king_to).with(king_to)
            | attacks::between(rook, rook_to).with(rook_to);
        match (ways & self.occupied().without(king).without(rook)).first() {
            Some(square) => CastlingObstacle::Occupied(square),
            None => CastlingObstacle::ThroughCheck,
        }
    }
}

fn parse(text: &str) -> Result<UciMove, UciMoveError> {
    let malformed = || UciMoveError::Malformed(Excerpt::of(text));
    if text == "0000" {
        return Err(UciMoveError::Null);
    }
    let square = |range: Range<usize>| text.get(range)?.parse().ok();
    let (Some(from), Some(to)) = (square(0..2), square(2..4)) else {
        return Err(malformed());
    };
    let promoted = match text.as_bytes()[4..] {
        [] => None,
        [letter] => match PieceKind::from_letter(letter.into()) {
            Some(kind) if PieceKind::PROMOTIONS.contains(&kind) => Some(kind),
            _ => return Err(malformed()),
        },
        _ => return Err(malformed()),
    };
    Ok(UciMove { from, to, promoted })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    fn reason(fen: &str, text: &str) -> IllegalReason {
        match Position::from_fen(fen).unwrap().parse_uci(text) {
            Err(UciMoveError::Illegal { reason, .. }) => reason,
            other => panic!("{text} in {fen}: {other:?}"),
        }
    }

    #[test]
    fn step_goes_before_castling_and_castling_is_written_to_suit() {
        // The king on b1 may castle with the rook on a1, which brings him to c1, or step there.
        let position = Position::from_fen("4k3/8/8/8/8/8/8/RK6 w Q - 0 1").unwrap();
        let castling = Move::castling(Square::B1, Square::A1);
        assert_eq!(position.parse_uci("b1c1"), Ok(Move::normal(Square::B1, Square::C1)));
        assert_eq!(position.parse_uci("b1a1"), Ok(castling));
        for style in [CastlingStyle::KingToTarget, CastlingStyle::KingTakesRook] {
            assert_eq!(castling.uci(&position, style).to_string(), "b1a1");
        }
    }

    #[test]
    fn king_may_castle_on_the_spot() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/6KR w K - 0 1").unwrap();
        let castling = Move::castling(Square::G1, Square::H1);
        assert_eq!(castling.uci(&position, CastlingStyle::KingToTarget).to_string(), "g1g1");
        assert_eq!(position.parse_uci("g1g1"), Ok(castling));
    }

    #[test]
    fn promotion_letters_in_either_case() {
        let position = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let promotion = Move::promotion(Square::A7, Square::A8, PieceKind::Knight);
        assert_eq!(position.parse_uci("a7a8n"), Ok(promotion));
        assert_eq!(position.parse_uci("a7a8N"), Ok(promotion));
    }

    #[test]
    fn illegal_moves_have_their_reasons() {
        use IllegalReason::*;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let black_pawn = Piece::new(Color::Black, PieceKind::Pawn);
        assert_eq!(reason(start, "e3e4"), EmptySquare(Square::E3));
        assert_eq!(reason(start, "e7e5"), NotYours { piece: black_pawn, square: Square::E7 });
        let own = OwnPieceOnTarget { kind: PieceKind::Knight, square: Square::B1 };
        assert_eq!(reason(start, "a1b1"), own);
        let itself = OwnPieceOnTarget { kind: PieceKind::Rook, square: Square::A1 };
        assert_eq!(reason(start, "a1a1"), itself);
        let blocked = CannotReach { kind: PieceKind::Bishop, from: Square::F1, to: Square::B5 };
        assert_eq!(reason(start, "f1b5"), blocked);
        let sideways = CannotReach { kind: PieceKind::Pawn, from: Square::E2, to: Square::D3 };
        assert_eq!(reason(start, "e2d3"), sideways);
        assert_eq!(reason(start, "e2e4q"), PromotionImpossible);
        assert_eq!(reason("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"), PromotionMissing);
        let straight_ahead = "r3k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        let stopped = CannotReach { kind: PieceKind::Pawn, from: Square::A7, to: Square::A8 };
        assert_eq!(reason(straight_ahead, "a7a8"), stopped);
        let check = "4k3/8/8/8/8/8/r7/1r1K3R w - - 0 1";
        assert_eq!(reason(check, "h1h2"), KeepsKingInCheck);
        assert_eq!(reason("4k3/8/8/8/8/8/r7/3K3R w - - 0 1", "d1d2"), LeavesKingInCheck);
        // The en-passant capture would uncover the king on the fifth rank.
        let pinned = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1";
        assert_eq!(reason(pinned, "e5d6"), LeavesKingInCheck);
    }

    #[test]
    fn castling_has_its_obstacles() {
        use CastlingObstacle::*;
        for (fen, text, obstacle) in [
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1h1", NoRight),
            ("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1", InCheck),
            ("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "e1g1", Occupied(Square::G1)),
            ("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "e1h1", ThroughCheck),
        ] {
            assert_eq!(reason(fen, text), IllegalReason::Castling(obstacle), "{fen}");
        }
    }

    #[test]
    fn malformed_moves_differ_from_illegal_ones() {
        let position = Position::start();
        for text in ["", "e2", "e2e", "e2e9", "E2E4", "e2e4k", "e2e4qq", "e2-e4", "é2e4", "e2é4"]
        {
            let malformed = UciMoveError::Malformed(Excerpt::of(text));
            assert_eq!(position.parse_uci(text), Err(malformed));
        }
        assert_eq!(position.parse_uci("0000"), Err(UciMoveError::Null));
    }
}
