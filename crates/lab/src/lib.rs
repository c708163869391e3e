//! The laboratory: published experiments in computer chess, measured again.
//!
//! - [`frame`] is what all experiments share: steps that can be interrupted and resumed, tables, plots,
//!   claims kept as data, verdicts, and the report.
//! - [`boards`], [`sliders`] and [`boards::exchange`] are what is measured.
//! - [`reul`], [`aalborg`] and [`algobrain`] are the experiments of three works; [`experiments()`] lists them
//!   all.

pub mod aalborg;
pub mod algobrain;
pub mod boards;
pub mod frame;
pub mod games;
pub mod reul;
pub mod sliders;
pub mod specimen;
mod thinking;

use frame::experiment::Experiment;

/// All experiments, work by work.
pub fn experiments() -> Vec<&'static dyn Experiment> {
    [reul::EXPERIMENTS, aalborg::EXPERIMENTS, algobrain::EXPERIMENTS].concat()
}
