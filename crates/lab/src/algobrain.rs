//! Ashraf and others, *Computer Chess* (2019): the attack sets of sliders.

mod instructions;
mod paper;
mod sliders;

use crate::frame::experiment::Experiment;

const WORK: &str = "algobrain-2019";

/// The paper's experiments.
pub const EXPERIMENTS: &[&dyn Experiment] =
    &[&paper::Paper, &sliders::SliderRace, &instructions::Instructions];
