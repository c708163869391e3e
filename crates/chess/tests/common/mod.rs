//! Random games, the same on every machine, played here and by shakmaty side by side.

#![allow(dead_code, reason = "each test crate uses its share")]

use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Bitboard, Color, File, Piece, PieceKind, Position, Rank, Setup, Square};

/// The same position for shakmaty.
pub(crate) fn to_shakmaty(position: &Position) -> Chess {
    let fen: Fen = position.shredder_fen().parse().expect("shakmaty reads our FEN");
    fen.into_position(CastlingMode::Chess960).expect("shakmaty finds our position legal")
}

/// A move's name that both sides write the same way.
pub(crate) fn name(position: &Position, mv: tabiya_chess::Move) -> String {
    mv.uci(position, tabiya_chess::CastlingStyle::KingTakesRook).to_string()
}

/// The legal moves as shakmaty sees them, by name and sorted.
pub(crate) fn shakmaty_moves(position: &Chess) -> Vec<String> {
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|mv| mv.to_uci(CastlingMode::Chess960).to_string())
        .collect();
    moves.sort();
    moves
}

/// The legal moves as we see them, by name and sorted.
pub(crate) fn our_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves().iter().map(|&mv| name(position, mv)).collect();
    moves.sort();
    moves
}

/// shakmaty's FEN, en passant only where legal.
pub(crate) fn shakmaty_fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Calls `visit` with every position of random games from `start`.
pub(crate) fn random_games(
    random: &mut SplitMix64,
    games: usize,
    plies: usize,
    start: impl Fn(&mut SplitMix64) -> Position,
    mut visit: impl FnMut(&Position),
) {
    for _ in 0..games {
        let mut position = start(random);
        for _ in 0..plies {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.index(moves.len())]).expect("a move from the list");
        }
    }
}

/// The usual start.
pub(crate) fn standard(_: &mut SplitMix64) -> Position {
    Position::start()
}

/// Any Chess960 start.
pub(crate) fn chess960(random: &mut SplitMix64) -> Position {
    Position::chess960(random.index(960) as u16).expect("a number below 960")
}

/// A few pieces thrown on the board, tried until the position is legal: full of pins, checks and pawns
/// about to promote or to be taken en passant.
pub(crate) fn scattered(random: &mut SplitMix64) -> Position {
    loop {
        let mut setup = Setup::EMPTY;
        let mut put = |random: &mut SplitMix64, piece: Piece| {
            let mut rank = random.index(8);
            if piece.kind() == PieceKind::Pawn {
                rank = 1 + random.index(6);
            }
            let square = Square::from_coords(File::ALL[random.index(8)], Rank::ALL[rank]);
            setup.pieces[square.index()] = Some(piece);
        };
        for _ in 0..4 + random.index(16) {
            let piece = Piece::ALL[random.index(12)];
            if piece.kind() != PieceKind::King {
                put(random, piece);
            }
        }
        for piece in Piece::ALL.into_iter().filter(|piece| piece.kind() == PieceKind::King) {
            put(random, piece);
        }
        if random.index(2) == 0 {
            setup.side_to_move = Color::Black;
        }
        setup.castling = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        let sixth = Rank::Sixth.relative_to(setup.side_to_move);
        setup.en_passant = Some(Square::from_coords(File::ALL[random.index(8)], sixth));
        // Too much material is tolerated here, but shakmaty refuses it.
        if let Ok((position, notes)) = setup.position()
            && notes.surplus_promotions == [0, 0]
        {
            return position;
        }
    }
}

/// A double step has just been made beside an enemy pawn, somewhere among kings and sliders.
pub(crate) fn about_to_pass(random: &mut SplitMix64) -> Position {
    loop {
        let mut setup = Setup::EMPTY;
        for _ in 0..2 + random.index(4) {
            let kind = [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen][random.index(3)];
            let piece = Piece::new(Color::ALL[random.index(2)], kind);
            setup.pieces[random.index(64)] = Some(piece);
        }
        for color in Color::ALL {
            setup.pieces[random.index(64)] = Some(Piece::new(color, PieceKind::King));
        }
        setup.side_to_move = Color::ALL[random.index(2)];
        let file = random.index(7);
        // The pawn that has moved stands to the left or to the right of the one that may take it.
        let (moved, taker) = if random.index(2) == 0 { (file, file + 1) } else { (file + 1, file) };
        let on = |file: usize, rank: Rank| {
            Square::from_coords(File::ALL[file], rank.relative_to(setup.side_to_move))
        };
        let pawn = |color| Some(Piece::new(color, PieceKind::Pawn));
        setup.pieces[on(moved, Rank::Fifth).index()] = pawn(!setup.side_to_move);
        setup.pieces[on(taker, Rank::Fifth).index()] = pawn(setup.side_to_move);
        setup.pieces[on(moved, Rank::Sixth).index()] = None;
        setup.pieces[on(moved, Rank::Seventh).index()] = None;
        setup.en_passant = Some(on(moved, Rank::Sixth));
        if let Ok((position, notes)) = setup.position()
            && notes.surplus_promotions == [0, 0]
            && position.double_step().is_some()
        {
            return position;
        }
    }
}
