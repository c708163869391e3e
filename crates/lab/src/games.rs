//! The games of the thesis: where its positions come from, and a measure of what is usual.

use std::sync::LazyLock;
use tabiya_chess::Position;

const GAMES: &str = include_str!("../data/loop-games.txt");

/// A game that was played.
#[derive(Debug)]
pub struct PlayedGame {
    /// Who played whom.
    pub title: &'static str,
    /// All positions, the first and the last included.
    pub positions: Vec<Position>,
}

static PLAYED: LazyLock<Vec<PlayedGame>> = LazyLock::new(|| {
    let lines = GAMES.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (title, moves) = line.split_once(": ").expect("a title before the moves");
            let mut positions = vec![Position::start()];
            for word in moves.split(' ') {
                let mut next = positions[positions.len() - 1].clone();
                next.play_unchecked(next.parse_san(word).expect("a legal move"));
                positions.push(next);
            }
            PlayedGame { title, positions }
        })
        .collect()
});

/// All games.
pub fn played() -> &'static [PlayedGame] {
    &PLAYED
}

/// All positions of all games in which somebody is to move.
pub fn positions() -> Vec<Position> {
    let all = played().iter().flat_map(|game| &game.positions);
    all.filter(|position| position.has_legal_move()).cloned().collect()
}

/// The stage of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Between the opening and the ending.
    Middlegame,
    /// Little material is left.
    Ending,
}

/// Positions of one stage: from the tenth move on with more than 20 pieces, or with 14 pieces at most.
pub fn stage(stage: Stage) -> Vec<Position> {
    let belongs = |position: &Position| match stage {
        Stage::Middlegame => position.move_number() >= 10 && position.occupied().len() > 20,
        Stage::Ending => position.occupied().len() <= 14,
    };
    positions().into_iter().filter(belongs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_s_positions_occur() {
        let all = positions();
        for fen in [
            "rnbqk2r/ppp2pp1/5b1p/3p4/3P4/2N2N2/PP2PPPP/R2QKB1R w KQkq - 0 8",
            crate::boards::suite::CLOSED,
            crate::boards::suite::OPEN,
            "r2r2k1/1pq1ppbp/p5p1/4p1B1/2n1P3/2PR1N2/PPQ2PPP/3R2K1 b - - 9 20",
            "r1r5/3n1pbk/ppqppnpp/8/P2PP3/1RN1B2P/1QPN1PP1/4R1K1 w - - 0 22",
        ] {
            assert!(all.iter().any(|position| position.fen() == fen), "{fen}");
        }
        assert_eq!(played().len(), 14);
        assert!(stage(Stage::Middlegame).len() > 400 && stage(Stage::Ending).len() > 200);
    }
}
