//! Adjudication by scores: games that the players themselves call decided end early.
//!
//! One umpire for the arena's games and for self-play. It hears the score of every ply, White's, and counts
//! for how many plies in a row the scores have agreed. The rules of chess come first; they are
//! [`Game::outcome_with_claims`](tabiya_chess::Game::outcome_with_claims).

use tabiya_chess::{Color, GameResult};

/// When scores decide a game: so far from zero (a win) or so near to it (a draw), so long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScoreRule {
    /// The score, in any unit, as long as it is the one of the scores that the umpire hears.
    pub score: u32,
    /// For how many plies in a row.
    pub plies: u32,
}

/// Counts for how many plies in a row the scores of a game have agreed.
///
/// ```
/// use tabiya_chess::GameResult;
/// use tabiya_engine::{ScoreRule, Umpire};
///
/// let mut umpire = Umpire::new(Some(ScoreRule { score: 500, plies: 2 }), None);
/// umpire.hear(Some(600));
/// assert_eq!(umpire.result(true), None);
/// umpire.hear(Some(550));
/// assert_eq!(umpire.result(true), Some(GameResult::White));
/// ```
#[derive(Clone, Debug)]
pub struct Umpire {
    win: Option<ScoreRule>,
    draw: Option<ScoreRule>,
    /// By color: for how many plies it has been far ahead.
    ahead: [u32; 2],
    /// For how many plies the game has been level.
    level: u32,
}

impl Umpire {
    /// An umpire of a new game; a rule that is not there decides nothing.
    pub fn new(win: Option<ScoreRule>, draw: Option<ScoreRule>) -> Umpire {
        Umpire { win, draw, ahead: [0; 2], level: 0 }
    }

    /// Hears the score of the next ply, White's; a player without a score agrees with nothing.
    pub fn hear(&mut self, white: Option<i64>) {
        let count = |plies: &mut u32, agrees: bool| {
            *plies = if agrees { plies.saturating_add(1) } else { 0 };
        };
        if let Some(rule) = self.win {
            let least = i64::from(rule.score);
            let [of_white, of_black] = &mut self.ahead;
            count(of_white, white.is_some_and(|score| score >= least));
            count(of_black, white.is_some_and(|score| score <= -least));
        }
        if let Some(rule) = self.draw {
            let most = u64::from(rule.score);
            count(&mut self.level, white.is_some_and(|score| score.unsigned_abs() <= most));
        }
    }

    /// The result, if the scores have decided the game. It is a draw only if the game `may_be_drawn` by now,
    /// which each user counts in a unit of its own.
    pub fn result(&self, may_be_drawn: bool) -> Option<GameResult> {
        let draw = (may_be_drawn && self.is_level()).then_some(GameResult::Draw);
        self.winner().map(GameResult::win).or(draw)
    }

    /// The color that has been far ahead for long enough.
    fn winner(&self) -> Option<Color> {
        let rule = self.win?;
        Color::ALL.into_iter().find(|color| self.ahead[color.index()] >= rule.plies)
    }

    /// Has the game been level for long enough?
    fn is_level(&self) -> bool {
        self.draw.is_some_and(|rule| self.level >= rule.plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn umpire() -> Umpire {
        let rule = |score, plies| Some(ScoreRule { score, plies });
        Umpire::new(rule(500, 3), rule(10, 4))
    }

    /// After how many plies there is a winner.
    fn won(scores: &[i64]) -> Option<(usize, Color)> {
        let mut umpire = umpire();
        (1..).zip(scores).find_map(|(ply, &score)| {
            umpire.hear(Some(score));
            umpire.winner().map(|winner| (ply, winner))
        })
    }

    #[test]
    fn a_win_takes_agreement_without_a_gap() {
        assert_eq!(won(&[500, 600, 700]), Some((3, Color::White)));
        assert_eq!(won(&[-500, -600, -700]), Some((3, Color::Black)));
        assert_eq!(won(&[500, 600, 499, 500, 600]), None);
        assert_eq!(won(&[500, 600, -700, -700, 500]), None);
    }

    #[test]
    fn silence_agrees_with_nothing() {
        let mut umpire = umpire();
        for score in [Some(0), Some(10), None, Some(-10), Some(0), Some(3)] {
            umpire.hear(score);
            assert!(!umpire.is_level() && umpire.winner().is_none());
        }
        umpire.hear(Some(i64::MAX));
        assert!(!umpire.is_level());
        (0..4).for_each(|_| umpire.hear(Some(0)));
        assert!(umpire.is_level());
    }

    #[test]
    fn a_draw_waits_until_the_game_may_be_drawn() {
        let mut umpire = umpire();
        (0..4).for_each(|_| umpire.hear(Some(0)));
        assert_eq!([false, true].map(|may| umpire.result(may)), [None, Some(GameResult::Draw)]);
        (0..3).for_each(|_| umpire.hear(Some(-500)));
        assert_eq!([false, true].map(|may| umpire.result(may)), [Some(GameResult::Black); 2]);
    }

    #[test]
    fn without_rules_nothing_is_decided() {
        let mut umpire = Umpire::new(None, None);
        (0..1000).for_each(|_| umpire.hear(Some(0)));
        assert!(!umpire.is_level() && umpire.winner().is_none());
    }
}
