//! Which evaluation a search asks, and what is to be seen of it.

use crate::eval::{Evaluator, Explanation, Points, certain_value};
use crate::nnue::{Accumulators, Network};
use crate::value::Value;
use core::fmt;
use std::sync::{Arc, OnceLock};
use tabiya_chess::{Colour, Move, Position};

/// The file of the network that comes with the program.
const BUILT_IN: Option<&[u8]> = Some(include_bytes!("../../../nets/default.nnue"));

/// The network that comes with the program. It is read once.
pub(crate) fn built_in() -> Option<Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    let read = |bytes| Network::from_bytes(bytes).expect("the built-in network is sound");
    NETWORK.get_or_init(|| BUILT_IN.map(read).map(Arc::new)).clone()
}

/// What one thread evaluates positions by, along a line of play.
pub(crate) enum Evaluation {
    /// By rules.
    Classical(Evaluator),
    /// By a network, except where the value is beyond doubt.
    Network(Box<Accumulators>),
}

impl Evaluation {
    /// By a network if there is one.
    pub(crate) fn new(network: Option<Arc<Network>>) -> Evaluation {
        match network {
            Some(network) => {
                let accumulators = Accumulators::new(network, &Position::start());
                Evaluation::Network(Box::new(accumulators))
            }
            None => Evaluation::Classical(Evaluator::default()),
        }
    }

    /// One of the same kind, for another line of play.
    pub(crate) fn another(&self) -> Evaluation {
        match self {
            Evaluation::Classical(_) => Evaluation::new(None),
            Evaluation::Network(accumulators) => {
                Evaluation::new(Some(Arc::clone(accumulators.network())))
            }
        }
    }

    /// Starts anew at a root.
    pub(crate) fn reset(&mut self, root: &Position) {
        if let Evaluation::Network(accumulators) = self {
            accumulators.reset(root);
        }
    }

    /// Goes on from a position by a move or a pass; [`Evaluation::leave`] comes back.
    #[inline(always)]
    pub(crate) fn enter(&mut self, position: &Position, mv: Option<Move>) {
        if let Evaluation::Network(accumulators) = self {
            accumulators.push(position, mv);
        }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        if let Evaluation::Network(accumulators) = self {
            accumulators.pop();
        }
    }

    /// What the current position is worth to the side to move.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Value {
        match self {
            Evaluation::Classical(evaluator) => evaluator.evaluate(position),
            Evaluation::Network(accumulators) => match certain_value(position) {
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
    /// Does a search ask the network here? Not in endings whose value is beyond doubt.
    pub asked: bool,
}

impl Assessment {
    /// Of a position, by the classical evaluation and by a network if there is one.
    pub fn new(position: &Position, network: Option<&Network>) -> Assessment {
        let classical = Evaluator::default().explain(position);
        let network = network.map(|network| {
            let value = network.evaluate(position);
            NetworkValue {
                hidden: network.hidden(),
                buckets: network.buckets(),
                white_value: if position.turn() == Colour::White { value } else { -value },
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
        let mover = self.classical.turn;
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
        assert_eq!(built_in().is_some(), BUILT_IN.is_some());
    }
}
