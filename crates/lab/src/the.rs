//! Eric Thé, *An Analysis of Move Ordering on the Efficiency of Alpha-Beta Search* (1992).

mod depth;
mod evaluation;
mod golden;
pub mod ordering;
mod positions;
mod profile;
mod theory;
mod today;
mod trial;
mod variants;

use crate::frame::experiment::Experiment;

const WORK: &str = "the-1992";

/// The thesis's experiments, and what it left open.
pub const EXPERIMENTS: &[&dyn Experiment] = &[
    &golden::Golden,
    &ordering::Ordering,
    &depth::Depth,
    &variants::Variants,
    &evaluation::OtherEvaluation,
    &today::Today,
    &profile::Profile,
    &theory::Theory,
];
