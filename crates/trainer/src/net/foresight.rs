//! TD(lambda): what the rest of a game says about a position.

use crate::maths::{ln, sigmoid};
use crate::record::GameRecord;

/// How far a position's score looks ahead in its game.
///
/// A search of few nodes is often wrong, and the searches of the next plies see what it overlooked; but
/// the longer a game goes on, the more of it is later mistakes. So each position takes a share of its
/// expected points from the position after it, and the last one from the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Foresight {
    /// How much comes from the position after it, 0 to 0.99.
    pub share: f64,
    /// The value at which 73 % of the points are expected.
    pub scale: f64,
}

/// Chances beyond this are told as this.
const CERTAIN: f64 = 1.0 - 1e-6;

impl Foresight {
    /// Every position has the score that its own search gave it.
    pub const NONE: Foresight = Foresight { share: 0.0, scale: 1.0 };

    /// What each scored ply of a game is worth to White.
    pub(crate) fn scores(&self, game: &GameRecord) -> Vec<i16> {
        let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
        if self.share > 0.0 {
            let mut ahead = game.result.points();
            for score in scores.iter_mut().rev() {
                let here = sigmoid(f64::from(*score) / self.scale);
                ahead = here + self.share * (ahead - here);
                let chance = ahead.clamp(1.0 - CERTAIN, CERTAIN);
                *score = (self.scale * ln(chance / (1.0 - chance))).round() as i16;
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::record::tests::random_game;

    fn game(scores: &[i16], result: GameResult) -> GameRecord {
        let mut game = random_game(1, 100);
        assert!(game.plies.len() >= scores.len());
        game.plies.truncate(scores.len());
        game.plies.iter_mut().zip(scores).for_each(|(ply, &score)| ply.score = score);
        game.result = result;
        game
    }

    #[test]
    fn without_foresight_nothing_changes() {
        let scores = [0, -17, 2999, -31000];
        assert_eq!(Foresight::NONE.scores(&game(&scores, GameResult::Draw)), scores);
    }

    #[test]
    fn what_comes_later_is_seen_before_and_fades() {
        let foresight = Foresight { share: 0.5, scale: 200.0 };
        let scores = foresight.scores(&game(&[0, 0, 0, 0], GameResult::WhiteWins));
        // Chances of a half, and a half of the rest each ply nearer to the win.
        assert_eq!(scores, [25, 50, 102, 220]);
        let black = foresight.scores(&game(&[0, 0, 0, 0], GameResult::BlackWins));
        assert!(scores.iter().zip(&black).all(|(white, black)| *white == -black));
    }

    #[test]
    fn certainty_stays_within_bounds() {
        let foresight = Foresight { share: 0.9, scale: 10_000.0 };
        let scores = foresight.scores(&game(&[32_000, 32_000, -32_000], GameResult::WhiteWins));
        assert!(scores[0] > 0, "{scores:?}");
    }
}
