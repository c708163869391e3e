//! All boards, by name.

use super::{
    Bitboards, Board, BoardMove, Grid, Grid0x88, Grid8x8, Grid64, Grid120, Hyperbola, Magic,
    Mailbox, Moves, Pext, RayScans, Rotated, leaves_king_safe, recursion,
};
use tabiya_chess::Position;

/// A board, with what can be asked of all of them.
#[derive(Clone, Copy)]
pub struct Backend {
    /// Its name.
    pub name: &'static str,
    /// Counts leaves by the bare generator.
    pub basic: fn(&Position, u32) -> u64,
    /// Counts leaves as a search picks moves.
    pub advanced: fn(&Position, u32) -> u64,
    /// Makes and unmakes all legal moves so many times; returns how many moves that were.
    pub make_unmake: fn(&Position, u64) -> u64,
}

impl Backend {
    const fn of<B: Board>() -> Backend {
        Backend {
            name: B::NAME,
            basic: |position, depth| recursion::basic(&mut B::new(position), depth),
            advanced: |position, depth| recursion::advanced(&mut B::new(position), depth),
            make_unmake: make_unmake::<B>,
        }
    }

    /// A board by its name.
    pub fn find(name: &str) -> Option<Backend> {
        BACKENDS.into_iter().find(|backend| backend.name == name)
    }
}

/// The thesis's board, its rival, and the one it never met; then two simple ones.
pub const MAIN: [Backend; 5] = [
    Backend::of::<Mailbox>(),
    Backend::of::<Bitboards<Rotated>>(),
    Backend::of::<Bitboards<Magic>>(),
    Backend::of::<Grid<Grid0x88>>(),
    Backend::of::<Grid<Grid8x8>>(),
];

/// The five representations that the Aalborg report describes, in its order: two dimensions, one, one with
/// a border, 0x88, bitboards.
pub const DESCRIBED: [Backend; 5] =
    [MAIN[4], Backend::of::<Grid<Grid64>>(), Backend::of::<Grid<Grid120>>(), MAIN[3], MAIN[2]];

/// All of them: bitboards also with other look-ups.
pub const BACKENDS: [Backend; 9] = [
    MAIN[0],
    MAIN[1],
    MAIN[2],
    MAIN[3],
    MAIN[4],
    HOMOGENEOUS,
    Backend::of::<Bitboards<Pext>>(),
    Backend::of::<Bitboards<Hyperbola>>(),
    Backend::of::<Bitboards<RayScans>>(),
];

/// Magic bitboards whose tables have parts of one size.
pub const HOMOGENEOUS: Backend = Backend::of::<Bitboards<super::bitboards::HomogeneousMagic>>();

fn make_unmake<B: Board>(position: &Position, times: u64) -> u64 {
    let mut board = B::new(position);
    let mut moves = Moves::new();
    board.captures(&mut moves);
    board.quiets(&mut moves);
    moves.retain(|mv: &mut BoardMove| leaves_king_safe(&mut board, *mv));
    for _ in 0..times {
        for &mv in &moves {
            let undo = board.make(std::hint::black_box(mv));
            board.unmake(mv, undo);
        }
    }
    times * moves.len() as u64
}

/// The project's own way with moves: a copy of the position for each, nothing to unmake.
pub fn copy_make(position: &Position, times: u64) -> u64 {
    let moves = position.legal_moves();
    for _ in 0..times {
        for &mv in &moves {
            let mut next = position.clone();
            next.play_unchecked(std::hint::black_box(mv));
            std::hint::black_box(&next);
        }
    }
    times * moves.len() as u64
}

/// The project's own recursion: legal moves only, each played, leaves counted one by one.
pub fn own_recursion(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let count = |mv: &tabiya_chess::Move| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        own_recursion(&next, depth - 1)
    };
    position.legal_moves().iter().map(count).sum()
}
