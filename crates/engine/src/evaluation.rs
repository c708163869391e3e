//! The evaluation that a search asks: the network (NNUE), the classical evaluation, or material alone.

use crate::eval::{DEFAULT, Evaluator, Explanation, Points, Term, Terms, certain_value};
use crate::nnue::{Accumulators, Network};
use crate::value::Value;
use core::fmt;
use std::sync::{Arc, OnceLock};
use tabiya_chess::{Color, Move, Position};

/// The file of the network that comes with the program.
const BUILT_IN: Option<&[u8]> = Some(include_bytes!("../../../nets/default.nnue"));

/// The network that comes with the program. It is read once.
pub(crate) fn built_in() -> Option<Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    let read = |bytes| Network::from_bytes(bytes).expect("the built-in network is sound");
    NETWORK.get_or_init(|| BUILT_IN.map(read).map(Arc::new)).clone()
}

/// What an engine is to evaluate by, as the option `Eval Mode` has it. Without any network it is the
/// classical evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum EvalMode {
    #[default]
    Network,
    Classical,
    /// Material alone: where the lineage of networks can begin.
    Material,
}

impl EvalMode {
    pub(crate) const ALL: [EvalMode; 3] =
        [EvalMode::Network, EvalMode::Classical, EvalMode::Material];

    pub(crate) fn name(self) -> &'static str {
        match self {
            EvalMode::Network => "network",
            EvalMode::Classical => "classical",
            EvalMode::Material => "material",
        }
    }

    pub(crate) fn named(name: &str) -> Option<EvalMode> {
        EvalMode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// What that comes to with such a network, if there is one, and these terms.
    pub(crate) fn eval_source(self, network: Option<&Arc<Network>>, terms: Terms) -> EvalSource {
        match (self, network) {
            (EvalMode::Network, Some(network)) => EvalSource::Network(Arc::clone(network)),
            (EvalMode::Material, _) => EvalSource::Rules(Terms::NONE.with(Term::Material)),
            _ => EvalSource::Rules(terms),
        }
    }
}

/// What positions are judged by.
#[derive(Clone)]
pub(crate) enum EvalSource {
    /// Some terms of the classical evaluation.
    Rules(Terms),
    /// A network.
    Network(Arc<Network>),
}

impl EvalSource {
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        match self {
            EvalSource::Rules(_) => None,
            EvalSource::Network(network) => Some(network),
        }
    }

    /// Are they one and the same?
    pub(crate) fn is(&self, other: &EvalSource) -> bool {
        match (self, other) {
            (EvalSource::Rules(terms), EvalSource::Rules(others)) => terms == others,
            (EvalSource::Network(network), EvalSource::Network(other)) => {
                Arc::ptr_eq(network, other)
            }
            _ => false,
        }
    }
}

/// What one thread evaluates positions by, along a line of play.
pub(crate) enum SearchEvaluator {
    /// By rules.
    Classical(Evaluator),
    /// By a network, except where the value is certain.
    Network(Box<Accumulators>),
}

impl SearchEvaluator {
    pub(crate) fn new(source: EvalSource) -> SearchEvaluator {
        match source {
            EvalSource::Network(network) => {
                let accumulators = Accumulators::new(network, &Position::start());
                SearchEvaluator::Network(Box::new(accumulators))
            }
            EvalSource::Rules(terms) => {
                SearchEvaluator::Classical(Evaluator::with_terms(&DEFAULT, terms))
            }
        }
    }

    /// One of the same kind, for another line of play.
    pub(crate) fn another(&self) -> SearchEvaluator {
        match self {
            SearchEvaluator::Classical(evaluator) => {
                SearchEvaluator::new(EvalSource::Rules(evaluator.terms()))
            }
            SearchEvaluator::Network(accumulators) => {
                SearchEvaluator::new(EvalSource::Network(Arc::clone(accumulators.network())))
            }
        }
    }

    /// Starts anew at a root.
    pub(crate) fn reset(&mut self, root: &Position) {
        if let SearchEvaluator::Network(accumulators) = self {
            accumulators.reset(root);
        }
    }

    /// Goes on from a position by a move or a pass; [`SearchEvaluator::leave`] comes back.
    #[inline(always)]
    pub(crate) fn enter(&mut self, position: &Position, mv: Option<Move>) {
        if let SearchEvaluator::Network(accumulators) = self {
            accumulators.push(position, mv);
        }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        if let SearchEvaluator::Network(accumulators) = self {
            accumulators.pop();
        }
    }

    /// What the current position is worth to the side to move.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Value {
        match self {
            SearchEvaluator::Classical(evaluator) => evaluator.evaluate(position),
            SearchEvaluator::Network(accumulators) => match certain_value(position) {
                Some(value) => value,
                None => {
                    let value = accumulators.evaluate(position);
                    debug_assert_eq!(value, accumulators.network().evaluate(position));
                    value
                }
            },
        }
    }
}

/// What is to be seen of a position's value: the reasons of the classical evaluation, and what a network
/// says.
///
/// Its [`Display`](fmt::Display) is a table; the alternate form `{:#}` lists the rules under each term.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Assessment {
    /// The classical evaluation.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub classical: Explanation,
    /// The network's value, if there is a network.
    pub network: Option<NetworkValue>,
}

/// What a network says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NetworkValue {
    /// The network's neurons a side.
    pub hidden: usize,
    /// Its output buckets.
    pub buckets: usize,
    /// The value for White.
    pub white_value: i32,
    /// The value for the side to move.
    pub value: i32,
    /// Does a search ask the network here? Not in endings whose value is certain.
    pub asked: bool,
}

impl Assessment {
    /// Of a position, by these terms of the classical evaluation and by a network if there is one.
    pub fn new(position: &Position, terms: Terms, network: Option<&Network>) -> Assessment {
        let classical = Evaluator::with_terms(&DEFAULT, terms).explain(position);
        let network = network.map(|network| {
            let value = network.evaluate(position);
            NetworkValue {
                hidden: network.hidden(),
                buckets: network.buckets(),
                white_value: if position.side_to_move() == Color::White { value } else { -value },
                value,
                asked: certain_value(position).is_none(),
            }
        });
        Assessment { classical, network }
    }
}

impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.classical.fmt(f)?;
        let Some(network) = &self.network else { return Ok(()) };
        let mover = self.classical.side_to_move;
        writeln!(
            f,
            "Network: {} for White, {} for the side to move ({mover})",
            Points(network.white_value),
            Points(network.value)
        )?;
        if !network.asked {
            writeln!(f, "A search does not ask the network here: the ending is known")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_network_is_sound() {
        assert!(built_in().is_some());
    }
}
