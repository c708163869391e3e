//! Ruder, Christensen, Andersen, Kirk and Nilausen, *Chess Engine* (Aalborg 2012).

mod ablation;
mod centre;
mod distribution;
mod endings;
mod evaluation;
mod ladder;
mod numbers;
mod play;
mod ratings;
mod repetition;
mod representations;
mod search;
mod solver;

use crate::frame::experiment::Experiment;

const WORK: &str = "aalborg-2012";

/// The report's experiments, in its order.
pub const EXPERIMENTS: &[&dyn Experiment] = &[
    &numbers::Numbers,
    &representations::Representations,
    &repetition::Repetition,
    &ladder::Ladder,
    &distribution::Distribution,
    &centre::Centre,
    &ablation::Ablation,
    &endings::Endings,
    &ratings::Ratings,
];
