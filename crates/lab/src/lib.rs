//! The laboratory: published experiments in computer chess, measured again.
//!
//! - [`frame`] is what all experiments share: steps that can be interrupted and resumed, tables, plots,
//!   claims kept as data, verdicts, and the report.
//! - [`boards`], [`sliders`], [`boards::exchange`] and [`classic`] are what is measured.
//! - [`reul`], [`algobrain`] and [`rasmussen`] are the experiments of three works; [`experiments()`] lists them
//!   all.

pub mod algobrain;
pub mod boards;
pub mod classic;
pub mod frame;
pub mod games;
pub mod rasmussen;
pub mod reul;
pub mod sliders;
pub mod specimen;

use frame::experiment::Experiment;

/// All experiments, work by work.
pub fn experiments() -> Vec<&'static dyn Experiment> {
    [reul::EXPERIMENTS, algobrain::EXPERIMENTS, rasmussen::EXPERIMENTS].concat()
}
