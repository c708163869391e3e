//! Good and bad marks for moves, after what came of them.

use super::thread::ThreadData;
use crate::history::{OrderingContext, QuietIndex};
use crate::movepick::is_tactical;
use tabiya_chess::{Move, Position};

impl ThreadData {
    /// A move cut off: it gets better marks, and those tried before it worse ones.
    #[expect(clippy::too_many_arguments, reason = "they are what the node has seen")]
    pub(crate) fn reward(
        &mut self,
        position: &Position,
        setting: &OrderingContext,
        best: Move,
        depth: i32,
        ply: usize,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let (bonus, malus) = (self.bonus(depth), -self.malus(depth));
        if is_tactical(position, best) {
            self.histories.update_capture(position, best, bonus);
        } else {
            self.frame_mut(ply).killer = Some(best);
            let mut update = |mv, bonus| {
                let name = QuietIndex::new(position, setting, mv);
                self.histories.update_quiet(&name, &setting.recent, bonus);
            };
            update(best, bonus);
            for &mv in quiets {
                update(mv, malus);
            }
        }
        for &mv in captures {
            self.histories.update_capture(position, mv, malus);
        }
    }

    /// Good marks after a search to this depth.
    pub(crate) fn bonus(&self, depth: i32) -> i32 {
        (self.params.bonus_slope * depth).min(self.params.bonus_max)
    }

    /// Bad marks after a search to this depth.
    pub(crate) fn malus(&self, depth: i32) -> i32 {
        (self.params.malus_slope * depth).min(self.params.malus_max)
    }
}
