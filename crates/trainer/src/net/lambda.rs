//! TD(lambda): what the rest of a game says about a position.

use crate::maths::{ln, sigmoid};
use crate::record::PackedGame;

/// TD(lambda): how much of a position's target comes from the later scores of its game.
///
/// A search of few nodes is often wrong, and the searches of the next plies see what it overlooked; but
/// the longer a game goes on, the more of it is later mistakes. So each position takes a share of its
/// expected points from the position after it, and the last one from the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TdLambda {
    /// How much comes from the position after it, 0 to 0.99.
    pub lambda: f64,
    /// The value at which 73 % of the points are expected.
    pub scale: f64,
}

/// No expectation is taken for more certain than this.
const CERTAIN: f64 = 1.0 - 1e-6;

impl TdLambda {
    /// Every position has the score that its own search gave it.
    pub const NONE: TdLambda = TdLambda { lambda: 0.0, scale: 1.0 };

    /// What each scored ply of a game is worth to White.
    pub(crate) fn scores(&self, game: &PackedGame) -> Vec<i16> {
        let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
        if self.lambda > 0.0 {
            let mut ahead = game.result.white_points();
            for score in scores.iter_mut().rev() {
                let here = sigmoid(f64::from(*score) / self.scale);
                ahead = here + self.lambda * (ahead - here);
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
    use crate::record::tests::random_game;
    use tabiya_chess::GameResult;

    fn game(scores: &[i16], result: GameResult) -> PackedGame {
        let mut game = random_game(1, 100);
        assert!(game.plies.len() >= scores.len());
        game.plies.truncate(scores.len());
        game.plies.iter_mut().zip(scores).for_each(|(ply, &score)| ply.score = score);
        game.result = result;
        game
    }

    #[test]
    fn with_lambda_0_nothing_changes() {
        let scores = [0, -17, 2999, -31000];
        assert_eq!(TdLambda::NONE.scores(&game(&scores, GameResult::Draw)), scores);
    }

    #[test]
    fn what_comes_later_is_seen_before_and_fades() {
        let td_lambda = TdLambda { lambda: 0.5, scale: 200.0 };
        let scores = td_lambda.scores(&game(&[0, 0, 0, 0], GameResult::White));
        // Chances of a half, and a half of the rest each ply nearer to the win.
        assert_eq!(scores, [25, 50, 102, 220]);
        let black = td_lambda.scores(&game(&[0, 0, 0, 0], GameResult::Black));
        assert!(scores.iter().zip(&black).all(|(white, black)| *white == -black));
    }

    #[test]
    fn certainty_stays_within_bounds() {
        let td_lambda = TdLambda { lambda: 0.9, scale: 10_000.0 };
        let scores = td_lambda.scores(&game(&[32_000, 32_000, -32_000], GameResult::White));
        assert!(scores[0] > 0, "{scores:?}");
    }
}
