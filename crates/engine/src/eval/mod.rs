//! The classical evaluation, hand-crafted (HCE): what a position is worth by terms that have names.
//!
//! Every rule is a number of times that a weight counts, the weights stand in one table
//! ([`DEFAULT`]), and each belongs to a [`Term`] that can be switched off. An [`Evaluator`] gives the
//! value that a search wants, an [`Explanation`] of it, or a [`Trace`] to fit the weights by, all from
//! the same code.
//!
//! ```
//! use tabiya_chess::Position;
//! use tabiya_engine::eval::Evaluator;
//!
//! let mut evaluator = Evaluator::default();
//! let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1").unwrap();
//! let value = evaluator.evaluate(&position);
//! assert!(value > 0, "White, to move, is a rook and a pawn up");
//! assert_eq!(evaluator.explain(&position).value, value);
//! ```

mod endings;
mod explain;
mod king;
mod kpk;
mod layout;
mod material;
mod pair;
mod passed;
mod pawn_cache;
mod pawns;
mod pieces;
mod scaling;
mod tally;
mod term;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
mod view;
mod weights;
mod weights_text;

pub use endings::Endgame;
pub(crate) use explain::Points;
pub use explain::{Explanation, Halves, Part, Row};
pub use layout::{Axis, FIELDS, Field, Role, Weights, WeightsError};
pub use pair::Pair;
pub use term::{Term, Terms, TermsError};
pub use trace::{Coefficient, RealPair, Trace};
pub use weights::DEFAULT;

use material::{FULL_PHASE, MaterialCounts};
use pawn_cache::PawnCache;
use pawns::PawnSummary;
use scaling::FULL_SCALE;
use std::sync::Arc;
#[cfg(target_arch = "x86_64")]
use tabiya_chess::attacks::sliders::Pext;
use tabiya_chess::attacks::sliders::{Reader, SliderTable, Sliders};
use tabiya_chess::{Bitboard, Color, Position, Rank};
use tally::{Record, Silent, Tally, Tracer};
use view::View;

/// Every value is strictly between minus this and this.
pub const VALUE_LIMIT: i32 = 15_000;

/// Evaluates positions for one thread.
///
/// It remembers what it has found out about pawns, which changes how fast it is and nothing else.
#[derive(Clone)]
pub struct Evaluator {
    weights: Arc<Weights>,
    terms: Terms,
    pawns: PawnCache,
}

impl Default for Evaluator {
    /// With the weights in use and every term on.
    fn default() -> Evaluator {
        Evaluator::new(Arc::new(DEFAULT))
    }
}

impl Evaluator {
    /// With these weights and every term on.
    pub fn new(weights: Arc<Weights>) -> Evaluator {
        Evaluator { weights, terms: Terms::ALL, pawns: PawnCache::new() }
    }

    /// With these weights and some terms only.
    ///
    /// A term that is off has nothing but zeros for weights; so switching costs the search nothing.
    pub fn with_terms(weights: &Weights, terms: Terms) -> Evaluator {
        let weights = Arc::new(weights.restricted_to(terms));
        Evaluator { weights, terms, pawns: PawnCache::new() }
    }

    /// The terms that are on.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// What a position is worth to the side to move, in hundredths of a pawn or nearly so; less than
    /// [`VALUE_LIMIT`] either way.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        value(&self.weights, self.terms, Some(&mut self.pawns), position)
    }

    /// The same value, with nothing looked up and nothing remembered.
    pub fn evaluate_afresh(&self, position: &Position) -> i32 {
        value(&self.weights, self.terms, None, position)
    }

    /// What a position is worth, and why.
    pub fn explain(&self, position: &Position) -> Explanation {
        match known(self.terms, position) {
            Some(known) => Explanation::of_known(position, known),
            None => {
                let (judgment, record) = self.record(position);
                Explanation::of_record(position, &self.weights, judgment, &record)
            }
        }
    }

    /// How a value comes from the weights; none where it does not, because the ending is known.
    pub fn trace(&self, position: &Position) -> Option<Trace> {
        if known(self.terms, position).is_some() {
            return None;
        }
        let (judgment, record) = self.record(position);
        Some(Trace::of_record(judgment, &record))
    }

    fn record(&self, position: &Position) -> (Judgment, Record) {
        let views = View::both(position);
        let mut record = Record::default();
        let summary = pawns::summarize(&views, &self.weights, &mut record);
        let sliders = SliderTable::get();
        let judgment =
            judge(position, &views, &self.weights, &summary, self.terms, sliders, &mut record);
        (judgment, record)
    }
}

/// The value for the side to move, by the compilation that suits the processor.
#[inline(always)]
fn value(
    weights: &Weights,
    terms: Terms,
    cache: Option<&mut PawnCache>,
    position: &Position,
) -> i32 {
    match SliderTable::get().reader() {
        Reader::Magic(magic) => value_with(weights, terms, cache, position, magic),
        #[cfg(target_arch = "x86_64")]
        Reader::Pext(pext) => value_wide(weights, terms, cache, position, pext),
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn value_wide(
    weights: &Weights,
    terms: Terms,
    cache: Option<&mut PawnCache>,
    position: &Position,
    pext: Pext<'_>,
) -> i32 {
    // Counting the squares of a set in one instruction makes the whole half as fast again.
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn compiled_for_it(
        weights: &Weights,
        terms: Terms,
        cache: Option<&mut PawnCache>,
        position: &Position,
        pext: Pext<'_>,
    ) -> i32 {
        value_with(weights, terms, cache, position, pext)
    }
    // SAFETY: a `Pext` exists only where the processor has these features.
    unsafe { compiled_for_it(weights, terms, cache, position, pext) }
}

#[inline(always)]
fn value_with<S: Sliders>(
    weights: &Weights,
    terms: Terms,
    cache: Option<&mut PawnCache>,
    position: &Position,
    sliders: S,
) -> i32 {
    if let Some(known) = known(terms, position) {
        return for_side_to_move(position, limited(known.value));
    }
    let views = View::both(position);
    let worked_out;
    let pawns = match cache {
        Some(cache) => cache.summary(position, || summarize(&views, weights)),
        None => {
            worked_out = summarize(&views, weights);
            &worked_out
        }
    };
    let judgment = judge(position, &views, weights, pawns, terms, sliders, &mut Silent);
    for_side_to_move(position, limited(judgment.value()))
}

#[inline(always)]
fn known(terms: Terms, position: &Position) -> Option<endings::KnownEndgame> {
    if terms.contains(Term::KnownEndings) { endings::known(position) } else { None }
}

/// The value for the side to move of an ending that is certain.
#[inline(always)]
pub(crate) fn certain_value(position: &Position) -> Option<i32> {
    let known = endings::known(position).filter(|known| known.ending.is_certain())?;
    Some(for_side_to_move(position, limited(known.value)))
}

/// Out of line: it runs once in a while only.
#[inline(never)]
fn summarize(views: &[View; 2], weights: &Weights) -> PawnSummary {
    pawns::summarize(views, weights, &mut Silent)
}

/// What all terms together say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Judgment {
    /// White's score less Black's.
    score: Pair,
    /// Up to [`FULL_PHASE`].
    phase: i32,
    /// Up to [`FULL_SCALE`].
    scale: i32,
}

impl Judgment {
    /// The value for White.
    #[inline(always)]
    fn value(&self) -> i32 {
        taper(self.score, self.phase, self.scale)
    }
}

/// Between the halves of a score by phase, the endgame's scaled.
#[inline(always)]
fn taper(score: Pair, phase: i32, scale: i32) -> i32 {
    let midgame = score.midgame() * phase * FULL_SCALE;
    let endgame = score.endgame() * (FULL_PHASE - phase) * scale;
    (midgame + endgame) / (FULL_PHASE * FULL_SCALE)
}

#[inline(always)]
fn limited(value: i32) -> i32 {
    value.clamp(1 - VALUE_LIMIT, VALUE_LIMIT - 1)
}

#[inline(always)]
fn for_side_to_move(position: &Position, white: i32) -> i32 {
    match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    }
}

/// Evaluates a position whose pawns have been looked at.
///
/// First each side's pieces are gone through, to know what they attack; then come the terms that want
/// to know it of both sides.
#[inline(always)]
fn judge<S: Sliders, T: Tracer>(
    position: &Position,
    views: &[View; 2],
    weights: &Weights,
    pawns: &PawnSummary,
    terms: Terms,
    sliders: S,
    tracer: &mut T,
) -> Judgment {
    let counts = views.map(|view| MaterialCounts::of(&view.own));
    let passed =
        [pawns.passed & views[0].own.pawns, pawns.passed.flip_ranks() & views[1].own.pawns];
    let mut scores = [Pair::ZERO; 2];
    let mut dangers = pawns.danger;

    let attacks = Color::ALL.map(|color| {
        let (us, them) = (color.index(), (!color).index());
        let mut tally = Tally::new(weights, color, tracer);
        material::material(&views[us].own, &counts[us], &counts[them], &mut tally);
        let attacks = pieces::survey(color, &views[us], pawns, sliders, &mut tally);
        scores[us] += tally.score;
        dangers[us] += tally.danger;
        dangers[them] += tally.menace;
        attacks
    });
    for color in Color::ALL {
        let (us, them) = (color.index(), (!color).index());
        let (view, own, enemy) = (&views[us], &attacks[us], &attacks[them].turned());
        let own_turn = position.side_to_move() == color;
        let mut tally = Tally::new(weights, color, tracer);
        king::danger(view, own, enemy, sliders, &mut tally);
        threats::threats(view, own, enemy, &mut tally);
        threats::space(view, enemy, &mut tally);
        passed::paths(view, passed[us], own, enemy, own_turn, &mut tally);
        let home = Bitboard::rank(Rank::First.relative_to(color));
        tally.add_times(&weights.castling_right, (position.castling_rooks() & home).len());
        tally.add_times(&weights.tempo, u32::from(own_turn));
        scores[us] += tally.score;
        dangers[us] += tally.danger;
    }

    let score =
        pawns.score + scores[0] - scores[1] - king::cost(dangers[0]) + king::cost(dangers[1]);
    let strong = if score.endgame() >= 0 { Color::White } else { Color::Black };
    let (us, them) = (strong.index(), (!strong).index());
    let scale = if terms.contains(Term::Scaling) {
        scaling::scale(&views[us], &counts[us], &counts[them], passed[us])
    } else {
        FULL_SCALE
    };
    Judgment { score, phase: material::phase(&counts[0], &counts[1]), scale }
}
