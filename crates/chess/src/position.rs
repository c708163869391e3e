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
    /// The piece on each square, a1 first.
    mailbox: [Option<Piece>; 64],
    keys: Keys,
    checkers: Bitboard,
    /// The square behind a pawn that has just made a double step, whether it can be taken or not:
    /// the Polyglot key depends on it.
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
        for (file, kind) in File::ALL.into_iter().zip(home) {
            for color in Color::ALL {
                let square = |rank: Rank| Square::from_coords(file, rank.relative_to(color));
                board.put(square(Rank::First), Piece::new(color, kind));
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
        let mut mailbox = [None; 64];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for square in board.pieces(kind) & board.colors(color) {
                    mailbox[square.index()] = Some(Piece::new(color, kind));
                }
            }
        }
        let mut position = Position {
            board,
            mailbox,
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

    /// The color that is to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// All pieces of a color, pawns and king included.
    #[inline(always)]
    pub fn colors(&self, color: Color) -> Bitboard {
        self.board.colors(color)
    }

    /// The pieces of a kind, of both colors.
    #[inline(always)]
    pub fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.board.pieces(kind)
    }

    /// The pieces of a color and kind.
    #[inline(always)]
    pub fn colored_pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.board.pieces(kind) & self.board.colors(color)
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

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// The kind of the piece on a square.
    #[inline(always)]
    pub fn kind_at(&self, square: Square) -> Option<PieceKind> {
        self.mailbox[square.index()].map(Piece::kind)
    }

    /// Where the king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The pieces that give check to the side to move.
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

    /// Is there a castling right that standard chess does not know: with a king off the e-file, or a rook
    /// off its corner?
    pub fn is_chess960(&self) -> bool {
        let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
        self.board.castling.into_iter().any(|rook| {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            !corners.contains(rook) || self.king(color).file() != File::E
        })
    }

    /// The en-passant square; only if an en-passant capture is legal.
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
        let pieces =
            Square::ALL.into_iter().filter_map(|square| Some((square, self.piece_at(square)?)));
        Keys::of(pieces, self.side_to_move(), self.board.castling, self.board.en_passant)
    }

    /// The key after a legal move, without playing it: exact unless the move castles, promotes, captures
    /// en passant or changes castling or en-passant rights. It serves to prefetch the entry of a
    /// transposition table.
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
        let Some(piece) = self.piece_at(mv.from()) else { return self.keys.position };
        let mut keys = Keys { position: self.keys.position, ..Keys::default() };
        keys.position ^= Keys::reversible_move(piece, mv.from(), mv.to());
        if let Some(taken) = self.piece_at(mv.to()) {
            keys.toggle_piece(taken, mv.to());
        }
        if let Some(square) = self.board.en_passant {
            keys.toggle_en_passant(square.file());
        }
        keys.position
    }

    /// The pieces of both colors that attack a square, when `occupied` squares are in the way.
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
        for_side!(self.board.side_to_move, S => self.play_as::<S>(mv));
    }

    fn play_as<S: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return };
        let before = self.board;
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);
        self.double_step = None;
        match mv.kind() {
            MoveKind::Normal => {
                if self.mailbox[to.index()].is_some() {
                    self.halfmove_clock = 0;
                    self.remove(to);
                }
                self.remove(from);
                self.put(to, piece);
                let code = code::OF_KIND[piece.kind().index()];
                if piece.kind() == PieceKind::Pawn {
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
                self.remove(to);
                self.remove(from);
                let kind = mv.promoted().unwrap_or(PieceKind::Queen);
                self.put(to, Piece::new(S::COLOR, kind));
                self.board = before.after::<S>(code::OF_KIND[kind.index()], from, to);
            }
            MoveKind::EnPassant => {
                self.halfmove_clock = 0;
                self.remove(Square::wrapping((to as i32 - S::FORWARD) as u32));
                self.remove(from);
                self.put(to, piece);
                self.board = before.after_en_passant::<S>(from, to);
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                self.remove(from);
                self.remove(to);
                self.put(king_to, piece);
                self.put(rook_to, Piece::new(S::COLOR, PieceKind::Rook));
                self.board = before.after_castling::<S>(from, to);
            }
        }
        self.finish_move::<S>(&before);
    }

    /// Brings the keys' other parts, the move number and the checkers up to date.
    #[inline(always)]
    fn finish_move<S: Side>(&mut self, before: &Board) {
        self.keys.toggle_side_to_move();
        self.keys.toggle_castling(before.castling ^ self.board.castling);
        for square in [before.en_passant, self.board.en_passant].into_iter().flatten() {
            self.keys.toggle_en_passant(square.file());
        }
        if S::COLOR == Color::Black {
            self.move_number = (self.move_number + 1).min(MAX_CLOCK);
        }
        self.checkers = self.find_checkers();
    }

    /// Null move: passes without moving a piece. In check that is impossible; nothing changes then, and
    /// the answer is `false`.
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
        self.board.side_to_move = !self.board.side_to_move;
        self.double_step = None;
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);
        for_side!(before.side_to_move, S => self.finish_move::<S>(&before));
        true
    }

    #[inline(always)]
    fn remove(&mut self, square: Square) {
        if let Some(piece) = self.mailbox[square.index()].take() {
            self.keys.toggle_piece(piece, square);
        }
    }

    #[inline(always)]
    fn put(&mut self, square: Square, piece: Piece) {
        self.mailbox[square.index()] = Some(piece);
        self.keys.toggle_piece(piece, square);
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
        let mut board = self.rebuilt(|square, piece| {
            (square.flip_ranks(), Piece::new(!piece.color(), piece.kind()))
        });
        board.side_to_move = !self.side_to_move();
        board.castling = self.board.castling.flip_ranks();
        board.en_passant = self.board.en_passant.map(Square::flip_ranks);
        let double_step = self.double_step.map(Square::flip_ranks);
        Position::assemble(board, double_step, self.halfmove_clock, self.move_number)
    }

    /// The mirror image, a-file and h-file exchanged; none while a side may castle, since castling has no
    /// mirror image.
    pub fn mirror(&self) -> Option<Position> {
        if !self.board.castling.is_empty() {
            return None;
        }
        let mut board = self.rebuilt(|square, piece| (square.flip_files(), piece));
        board.side_to_move = self.side_to_move();
        board.en_passant = self.board.en_passant.map(Square::flip_files);
        let double_step = self.double_step.map(Square::flip_files);
        Some(Position::assemble(board, double_step, self.halfmove_clock, self.move_number))
    }

    fn rebuilt(&self, place: impl Fn(Square, Piece) -> (Square, Piece)) -> Board {
        let mut board = Board::EMPTY;
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                let (square, piece) = place(square, piece);
                board.put(square, piece);
            }
        }
        board
    }

    /// The board as a picture, White below.
    pub fn diagram(&self) -> String {
        let mut drawing = String::with_capacity(128);
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.piece_at(Square::from_coords(file, rank));
                drawing.push(piece.map_or('.', Piece::letter));
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

    /// Has the side to move a legal move?
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Is it checkmate?
    #[inline]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Is it stalemate?
    #[inline]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Can neither side ever give mate, judging by material alone? Bare kings, a single minor piece, or
    /// nothing but bishops all on squares of one color.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// let dead = |fen| Position::from_fen(fen).unwrap().is_insufficient_material();
    /// assert!(dead("8/8/4k3/8/8/3NK3/8/8 w - - 0 1"));
    /// assert!(dead("8/5b2/4k3/8/4B3/4K3/2B5/8 w - - 0 1"));
    /// // Two knights cannot force mate, but they can give it.
    /// assert!(!dead("8/8/4k3/8/8/3NKN2/8/8 w - - 0 1"));
    /// assert!(!dead("8/4nk2/8/8/8/3NK3/8/8 w - - 0 1"));
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        let rest = self.occupied() - self.pieces(PieceKind::King);
        let bishops = self.pieces(PieceKind::Bishop);
        let lone_knight = rest.is_subset(self.pieces(PieceKind::Knight)) && !rest.has_several();
        let one_color = bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK);
        lone_knight || rest.is_subset(bishops) && one_color
    }

    /// All squares that a color attacks.
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
    let mut fill = |nth: usize, kind: PieceKind| {
        if let Some(slot) = home.iter_mut().filter(|slot| slot.is_none()).nth(nth) {
            *slot = Some(kind);
        }
    };
    fill(number / 16 % 6, PieceKind::Queen);
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = KNIGHTS[number / 96];
    fill(first, PieceKind::Knight);
    // One free square less once the first knight stands.
    fill(second - 1, PieceKind::Knight);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        fill(0, kind);
    }
    let mut kinds = [PieceKind::Pawn; 8];
    for (kind, slot) in kinds.iter_mut().zip(home) {
        *kind = slot?;
    }
    Some(kinds)
}

/// Equal positions have the same pieces, rights, clocks and legal moves. A double step of a pawn that
/// cannot be taken en passant does not count, though the Polyglot key depends on it.
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
