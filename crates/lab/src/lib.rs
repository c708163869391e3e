//! The laboratory: published experiments in computer chess, measured again.
//!
//! - [`frame`] is what all experiments share: steps that can be interrupted and resumed, tables, plots,
//!   claims kept as data, verdicts, and the report.
//! - [`boards`], [`sliders`], [`boards::exchange`], and the programs [`fixafan`] and [`classic`] are what is
//!   measured.
//! - [`reul`], [`algobrain`], [`the`] and [`rasmussen`] are the experiments of the works; [`experiments()`] lists
//!   them all.

pub mod algobrain;
pub mod boards;
pub mod classic;
pub mod fixafan;
pub mod frame;
pub mod games;
pub mod rasmussen;
pub mod reul;
pub mod sliders;
pub mod specimen;
pub mod the;
mod thinking;

use frame::experiment::Experiment;

/// All experiments, work by work.
pub fn experiments() -> Vec<&'static dyn Experiment> {
    [reul::EXPERIMENTS, algobrain::EXPERIMENTS, the::EXPERIMENTS, rasmussen::EXPERIMENTS].concat()
}
