//! The perft suite that every board has to pass.

/// A position and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is there for.
    pub name: &'static str,
    /// The position.
    pub fen: &'static str,
    /// How deep to count.
    pub depth: u32,
    /// How many leaves there are.
    pub leaves: u64,
}

const fn entry(name: &'static str, fen: &'static str, depth: u32, leaves: u64) -> Entry {
    Entry { name, fen, depth, leaves }
}

/// The closed position of the thesis's table 2.5.
pub const CLOSED: &str = "r1bqkb1r/3n1ppp/pp2pn2/2pp4/2PP4/1P1BPN2/PBQN1PPP/R3K2R b KQkq - 1 9";

/// The open position of the thesis's table 2.5.
pub const OPEN: &str = "3q1k2/p2r1p2/1p5p/2P1P2P/2R2P2/P7/4Q2K/8 w - - 1 47";

/// Some hundred thousand leaves in all: for tests, and before anything is measured.
pub const QUICK: [Entry; 9] = [
    entry("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8_902),
    entry(
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
        97_862,
    ),
    entry("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    entry(
        "many checks",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        3,
        9_467,
    ),
    entry("mirrored", "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 3, 9_467),
    entry("early trouble", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    entry("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3, 9_483),
    entry("closed", CLOSED, 3, 26_298),
    entry("open", OPEN, 3, 26_407),
];

/// Tens of millions of leaves.
pub const FULL: [Entry; 9] = [
    Entry { depth: 5, leaves: 4_865_609, ..QUICK[0] },
    Entry { depth: 4, leaves: 4_085_603, ..QUICK[1] },
    Entry { depth: 6, leaves: 11_030_083, ..QUICK[2] },
    Entry { depth: 4, leaves: 422_333, ..QUICK[3] },
    Entry { depth: 4, leaves: 422_333, ..QUICK[4] },
    Entry { depth: 4, leaves: 2_103_487, ..QUICK[5] },
    Entry { depth: 5, leaves: 3_605_103, ..QUICK[6] },
    Entry { depth: 4, leaves: 1_052_911, ..QUICK[7] },
    Entry { depth: 5, leaves: 22_708_558, ..QUICK[8] },
];
