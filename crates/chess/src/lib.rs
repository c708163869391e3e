//! Exact chess rules and a very fast legal move generator, Chess960 included.
//!
//! ```
//! use tabiya_chess::{Position, perft};
//!
//! let mut position = Position::start();
//! position.play(position.parse_san("e4").unwrap()).unwrap();
//! assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(perft(&position, 3), 13_160);
//! ```
//!
//! - A [`Bitboard`] is a set of squares, and set operations are its operators.
//! - A [`Position`] is always legal: a [`Setup`] or a FEN that is not is refused with the reason.
//! - Moves are played by copying: `let mut next = position.clone(); next.play(mv)?`.
//! - [`attacks`] has the geometry, [`Position::see`] the exchanges, [`Game`] the rules that need a
//!   past.

pub mod attacks;
mod bitboard;
mod board;
mod color;
#[cfg(target_arch = "x86_64")]
pub mod cpu;
mod epd;
mod excerpt;
mod fen;
mod game;
mod movegen;
mod mv;
mod perft;
mod piece;
mod polyglot;
mod position;
mod retro;
pub mod rng;
mod san;
mod see;
mod setup;
mod side;
mod square;
mod uci;
mod zobrist;

pub use bitboard::{Bitboard, ParseBitboardError, Squares};
pub use board::castling_targets;
pub use color::Color;
pub use epd::{Epd, EpdError, Operand, Operation};
pub use excerpt::{Excerpt, shortened};
pub use fen::{FenError, FenField, MAX_CLOCK};
pub use game::{Claim, Game, GameResult, Outcome};
pub use movegen::{CheckInfo, MoveList};
pub use mv::{Move, MoveKind};
pub use perft::{Perft, PerftError, divide, perft};
pub use piece::{Piece, PieceKind};
pub use position::{CastlingSide, IllegalMove, Position};
pub use san::{San, SanError};
pub use see::{ExchangeEnd, ExchangeStep, ExchangeTrace, ExchangeValues};
pub use setup::{Notes, PositionError, Setup};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::{CastlingObstacle, CastlingStyle, IllegalReason, UciMove, UciMoveError};
pub use zobrist::Keys;
