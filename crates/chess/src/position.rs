//! A legal chess position.

use crate::attacks::sliders::SliderTable;
use crate::board::{Board, castling_targets, code};
use crate::movegen::cpu::with_cpu;
use crate::movegen::generate::attacked_by;
use crate::side::{Side, for_side};
use crate::zobrist::Keys;
use crate::{Bitboard, Color, File, MAX_CLOCK, Move, MoveKind, Piece, PieceKind, Rank, Square};
use core::hash::{Hash, Hasher};

/// A side of the board to castle to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastlingSide {
    /// The king goes to the g-file.
    King,
    /// The king goes to the c-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];
}

/// A legal position of chess or Chess960, with all that decides how play may go on.
///
/// There is no way to build an illegal one: positions come from [`Setup`](crate::Setup), from FEN, or
/// from a legal move in another. A position is cheap to copy, and copying is how a search goes back:
/// there is no unmake.
///
/// ```
/// use tabiya_chess::{Move, Position, Square};
///
/// let start = Position::start();
/// assert_eq!(start.legal_moves().len(), 20);
///
/// let mut next = start.clone();
/// next.play(Move::normal(Square::E2, Square::E4)).unwrap();
/// assert_eq!(next.diagram(), "\
/// r n b q k b n r
/// p p p p p p p p
/// . . . . . . . .
/// . . . . . . . .
/// . . . . P . . .
/// . . . . . . . .
/// P P P P . P P P
/// R N B Q K B N R
/// ");
/// ```
#[derive(Clone)]
pub struct Position {
    pub(crate) board: Board,
    men: [Option<Piece>; 64],
    keys: Keys,
    checkers: Bitboard,
    /// The square behind a pawn that has just made a double step, whether it can be taken or not:
    /// Polyglot's key wants to know.
    double_step: Option<Square>,
    halfmove_clock: u32,
    move_number: u32,
}

/// Why a move was not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a legal move here")]
pub struct IllegalMove(pub Move);

impl Position {
    /// The start of a game.
    pub fn start() -> Position {
        Position::chess960(518).expect("518 is the number of the usual start")
    }

    /// The Chess960 starting position with this number, 0 to 959.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::start()));
    /// let first = Position::chess960(0).unwrap();
    /// assert_eq!(first.diagram().lines().last(), Some("B B Q N N R K R"));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        let home = chess960_home(number)?;
        let mut board = Board::EMPTY;
        for (file, piece) in File::ALL.into_iter().zip(home) {
            for color in Color::ALL {
                let square = |rank: Rank| Square::from_coords(file, rank.relative_to(color));
                board.put(square(Rank::First), Piece::new(color, piece));
                board.put(square(Rank::Second), Piece::new(color, PieceKind::Pawn));
            }
        }
        board.castling = board.rooks();
        Some(Position::assemble(board, None, 0, 1))
    }

    /// A position around a board that has been found legal.
    pub(crate) fn assemble(
        board: Board,
        double_step: Option<Square>,
        halfmove_clock: u32,
        move_number: u32,
    ) -> Position {
        let mut men = [None; 64];
        for color in Color::ALL {
            for piece in PieceKind::ALL {
                for square in board.pieces(piece) & board.colors(color) {
                    men[square.index()] = Some(Piece::new(color, piece));
                }
            }
        }
        let mut position = Position {
            board,
            men,
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            double_step,
            halfmove_clock,
            move_number,
        };
        position.keys = position.recomputed_keys();
        position.checkers = position.find_checkers();
        position
    }

    /// Who is to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.board.turn
    }

    /// All squares with a man on them.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The men of a color.
    #[inline(always)]
    pub fn colors(&self, color: Color) -> Bitboard {
        self.board.colors(color)
    }

    /// The men of a kind, of both colors.
    #[inline(always)]
    pub fn pieces(&self, piece: PieceKind) -> Bitboard {
        self.board.pieces(piece)
    }

    /// The men of a color and kind.
    #[inline(always)]
    pub fn colored_pieces(&self, color: Color, piece: PieceKind) -> Bitboard {
        self.board.pieces(piece) & self.board.colors(color)
    }

    /// Bishops and queens of both colors.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.board.diagonal()
    }

    /// Rooks and queens of both colors.
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.board.orthogonal()
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    /// The kind of man on a square.
    #[inline(always)]
    pub fn kind_at(&self, square: Square) -> Option<PieceKind> {
        self.men[square.index()].map(Piece::kind)
    }

    /// Where the king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The men that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The rooks that may still castle, of both colors.
    #[inline(always)]
    pub fn castling_rooks(&self) -> Bitboard {
        self.board.castling
    }

    /// The rook that a color may still castle with to a side.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let home = Bitboard::rank(Rank::First.relative_to(color));
        let king = self.king(color);
        (self.board.castling & home)
            .into_iter()
            .find(|&rook| (rook > king) == (side == CastlingSide::King))
    }

    /// Does anyone still have a right to castle that ordinary chess does not know: with a king off the
    /// e-file, or a rook off its corner?
    pub fn is_chess960(&self) -> bool {
        let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
        self.board.castling.into_iter().any(|rook| {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            !corners.contains(rook) || self.king(color).file() != File::E
        })
    }

    /// Where a pawn may be taken in passing; only if a legal move does it.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.board.en_passant
    }

    /// The square behind a pawn that has just made a double step, whether it can be taken or not.
    #[inline(always)]
    pub fn double_step(&self) -> Option<Square> {
        self.double_step
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the move to come, as a score sheet counts them.
    #[inline(always)]
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The Zobrist keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The keys computed from nothing; always equal to [`Position::keys`].
    pub fn recomputed_keys(&self) -> Keys {
        let men =
            Square::ALL.into_iter().filter_map(|square| Some((square, self.piece_at(square)?)));
        Keys::of(men, self.side_to_move(), self.board.castling, self.board.en_passant)
    }

    /// What the key will most likely be after a legal move, before it is played: right unless the move
    /// castles, promotes, captures in passing or changes castling or en-passant rights. It serves to ask
    /// ahead for the memory of a table.
    ///
    /// ```
    /// use tabiya_chess::{Move, Position, Square};
    /// let mut position = Position::start();
    /// let mv = Move::normal(Square::G1, Square::F3);
    /// let expected = position.key_after(mv);
    /// position.play(mv).unwrap();
    /// assert_eq!(position.keys().position, expected);
    /// ```
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let Some(man) = self.piece_at(mv.from()) else { return self.keys.position };
        let mut keys = Keys { position: self.keys.position, ..Keys::default() };
        keys.position ^= Keys::reversible_move(man, mv.from(), mv.to());
        if let Some(taken) = self.piece_at(mv.to()) {
            keys.toggle_man(taken, mv.to());
        }
        if let Some(square) = self.board.en_passant {
            keys.toggle_en_passant(square.file());
        }
        keys.position
    }

    /// The men of both colors that attack a square, when `occupied` squares are in the way.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.board.attackers(SliderTable::get(), square, occupied)
    }

    fn find_checkers(&self) -> Bitboard {
        self.attackers(self.king(self.side_to_move()), self.occupied())
            & self.colors(!self.side_to_move())
    }

    /// Plays a move, if it is legal; if not, nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal here. Any other leaves a position that makes no sense:
    /// asking it things may panic, though nothing worse.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        for_side!(self.board.turn, S => self.play_as::<S>(mv));
    }

    fn play_as<S: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(man) = self.piece_at(from) else { return };
        let before = self.board;
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);
        self.double_step = None;
        match mv.kind() {
            MoveKind::Normal => {
                if self.men[to.index()].is_some() {
                    self.halfmove_clock = 0;
                    self.lift(to);
                }
                self.lift(from);
                self.drop(to, man);
                let code = code::OF_PIECE[man.kind().index()];
                if man.kind() == PieceKind::Pawn {
                    self.halfmove_clock = 0;
                    if to as i32 - from as i32 == 2 * S::FORWARD {
                        self.double_step =
                            Some(Square::wrapping((from as i32 + S::FORWARD) as u32));
                        self.board = before.after_double_step::<S>(SliderTable::get(), from, to);
                    } else {
                        self.board = before.after::<S>(code::PAWN, from, to);
                    }
                } else {
                    self.board = before.after::<S>(code, from, to);
                }
            }
            MoveKind::Promotion => {
                self.halfmove_clock = 0;
                self.lift(to);
                self.lift(from);
                let piece = mv.promoted().unwrap_or(PieceKind::Queen);
                self.drop(to, Piece::new(S::COLOR, piece));
                self.board = before.after::<S>(code::OF_PIECE[piece.index()], from, to);
            }
            MoveKind::EnPassant => {
                self.halfmove_clock = 0;
                self.lift(Square::wrapping((to as i32 - S::FORWARD) as u32));
                self.lift(from);
                self.drop(to, man);
                self.board = before.after_en_passant::<S>(from, to);
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                self.lift(from);
                self.lift(to);
                self.drop(king_to, man);
                self.drop(rook_to, Piece::new(S::COLOR, PieceKind::Rook));
                self.board = before.after_castling::<S>(from, to);
            }
        }
        self.finish_turn::<S>(&before);
    }

    /// Brings the keys' other parts, the move number and the checkers up to date.
    #[inline(always)]
    fn finish_turn<S: Side>(&mut self, before: &Board) {
        self.keys.toggle_turn();
        self.keys.toggle_castling(before.castling ^ self.board.castling);
        for square in [before.en_passant, self.board.en_passant].into_iter().flatten() {
            self.keys.toggle_en_passant(square.file());
        }
        if S::COLOR == Color::Black {
            self.move_number = (self.move_number + 1).min(MAX_CLOCK);
        }
        self.checkers = self.find_checkers();
    }

    /// Passes the turn without a move, as search's null move does. In check that is impossible, and
    /// nothing changes.
    ///
    /// ```
    /// use tabiya_chess::{Color, Position};
    /// let mut position = Position::start();
    /// assert!(position.null_move());
    /// assert_eq!(position.side_to_move(), Color::Black);
    /// ```
    #[inline]
    pub fn null_move(&mut self) -> bool {
        if self.in_check() {
            return false;
        }
        let before = self.board;
        self.board.en_passant = None;
        self.board.turn = !self.board.turn;
        self.double_step = None;
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);
        for_side!(before.turn, S => self.finish_turn::<S>(&before));
        true
    }

    #[inline(always)]
    fn lift(&mut self, square: Square) {
        if let Some(man) = self.men[square.index()].take() {
            self.keys.toggle_man(man, square);
        }
    }

    #[inline(always)]
    fn drop(&mut self, square: Square, man: Piece) {
        self.men[square.index()] = Some(man);
        self.keys.toggle_man(man, square);
    }

    /// The same position with the colors changed and the board upside down.
    ///
    /// ```
    /// use tabiya_chess::{Color, Position};
    /// let flipped = Position::start().flip_colors();
    /// assert_eq!(flipped.side_to_move(), Color::Black);
    /// assert_eq!(flipped.flip_colors(), Position::start());
    /// ```
    pub fn flip_colors(&self) -> Position {
        let mut board =
            self.rebuilt(|square, man| (square.flip_ranks(), Piece::new(!man.color(), man.kind())));
        board.turn = !self.side_to_move();
        board.castling = self.board.castling.flip_ranks();
        board.en_passant = self.board.en_passant.map(Square::flip_ranks);
        let double_step = self.double_step.map(Square::flip_ranks);
        Position::assemble(board, double_step, self.halfmove_clock, self.move_number)
    }

    /// The mirror image, a-file and h-file exchanged; none while anyone may castle, since castling has
    /// no mirror image.
    pub fn mirror(&self) -> Option<Position> {
        if !self.board.castling.is_empty() {
            return None;
        }
        let mut board = self.rebuilt(|square, man| (square.flip_files(), man));
        board.turn = self.side_to_move();
        board.en_passant = self.board.en_passant.map(Square::flip_files);
        let double_step = self.double_step.map(Square::flip_files);
        Some(Position::assemble(board, double_step, self.halfmove_clock, self.move_number))
    }

    fn rebuilt(&self, place: impl Fn(Square, Piece) -> (Square, Piece)) -> Board {
        let mut board = Board::EMPTY;
        for square in self.occupied() {
            if let Some(man) = self.piece_at(square) {
                let (square, man) = place(square, man);
                board.put(square, man);
            }
        }
        board
    }

    /// The board as a picture, White below.
    pub fn diagram(&self) -> String {
        let mut drawing = String::with_capacity(128);
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let man = self.piece_at(Square::from_coords(file, rank));
                drawing.push(man.map_or('.', Piece::letter));
                drawing.push(if file == File::H { '\n' } else { ' ' });
            }
        }
        drawing
    }

    /// What a move takes, if it takes anything.
    ///
    /// ```
    /// use tabiya_chess::{PieceKind, Position};
    /// let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    /// let passing = position.parse_san("exd6").unwrap();
    /// assert_eq!(position.captured(passing), Some(PieceKind::Pawn));
    /// ```
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<PieceKind> {
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion => self.kind_at(mv.to()),
            MoveKind::EnPassant => Some(PieceKind::Pawn),
            MoveKind::Castling => None,
        }
    }

    /// The squares attacked by a color.
    #[inline]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let board = &self.board;
        with_cpu!(cpu => for_side!(color, S => attacked_by::<S>(board, cpu, board.occupied())))
    }
}

/// The pieces on the first rank of a Chess960 start, from the a-file, by Scharnagl's numbering.
fn chess960_home(number: u16) -> Option<[PieceKind; 8]> {
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut home: [Option<PieceKind>; 8] = [None; 8];
    home[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
    home[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
    let mut fill = |nth: usize, piece: PieceKind| {
        if let Some(slot) = home.iter_mut().filter(|slot| slot.is_none()).nth(nth) {
            *slot = Some(piece);
        }
    };
    fill(number / 16 % 6, PieceKind::Queen);
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = KNIGHTS[number / 96];
    fill(first, PieceKind::Knight);
    // One free square less once the first knight stands.
    fill(second - 1, PieceKind::Knight);
    for piece in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        fill(0, piece);
    }
    let mut pieces = [PieceKind::Pawn; 8];
    for (piece, slot) in pieces.iter_mut().zip(home) {
        *piece = slot?;
    }
    Some(pieces)
}

/// Equal positions have the same men, rights, clocks and legal moves. Whether a pawn that nobody can
/// take has just made a double step does not count, though Polyglot's key knows it.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
            && self.halfmove_clock == other.halfmove_clock
            && self.move_number == other.move_number
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.keys.position.hash(state);
    }
}
