//! The Polyglot key: the key of a position in opening books of the PolyGlot format.

mod numbers;

use crate::PieceKind;
use crate::{CastlingSide, Color, Position, attacks};
use numbers::NUMBERS;

/// Where the numbers for castling, en passant and the side to move begin, after 64 for each of twelve
/// pieces.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

impl Position {
    /// The key of this position in PolyGlot's book format.
    ///
    /// It differs from [`Position::keys`] not only in its numbers: the file of a double step counts as
    /// soon as an enemy pawn stands beside the pawn that made it, even if pinned. A position read back
    /// from [`Position::fen`] no longer knows of a double step that cannot legally be punished.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// assert_eq!(Position::start().polyglot_key(), 0x463B_9618_1691_FC9C);
    /// ```
    pub fn polyglot_key(&self) -> u64 {
        let mut key = 0;
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                // The format counts black pawn, white pawn, black knight and so on.
                let kind = 2 * piece.kind().index() + usize::from(piece.color() == Color::White);
                key ^= NUMBERS[64 * kind + square.index()];
            }
        }
        for color in Color::ALL {
            for (i, side) in CastlingSide::ALL.into_iter().enumerate() {
                if self.castling_rook(color, side).is_some() {
                    key ^= NUMBERS[CASTLING + 2 * color.index() + i];
                }
            }
        }
        if let Some(passed) = self.double_step() {
            let neighbours = attacks::pawn(!self.side_to_move(), passed);
            if neighbours.intersects(self.colored_pieces(self.side_to_move(), PieceKind::Pawn)) {
                key ^= NUMBERS[EN_PASSANT + passed.file().index()];
            }
        }
        if self.side_to_move() == Color::White {
            key ^= NUMBERS[WHITE_TO_MOVE];
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test positions of the format's description.
    #[test]
    fn published_keys() {
        for (fen, key) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463B_9618_1691_FC9C),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823C_9B50_FD11_4196),
            (
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
                0x0756_B944_61C5_0FB0,
            ),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662F_AFB9_65DB_29D4),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22A4_8B5A_8E47_FF78,
            ),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 1 3", 0x652A_607C_A3F2_42C1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 2 4", 0x00FD_D303_C946_BDD9),
            (
                "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
                0x3C81_23EA_7B06_7637,
            ),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 1 4", 0x5C3F_9B82_9B27_9560),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.polyglot_key(), key, "{fen}");
        }
    }

    /// The pawn on e5 is pinned and may not take, but the format does not ask.
    #[test]
    fn pinned_neighbour_counts() {
        let key = |fen| Position::from_fen(fen).unwrap().polyglot_key();
        let with = key("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let without = key("4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1");
        assert_eq!(with ^ without, NUMBERS[EN_PASSANT + 3]);
    }
}
