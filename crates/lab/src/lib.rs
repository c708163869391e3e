//! The laboratory: published experiments in computer chess, measured again.
//!
//! - [`frame`] is what all experiments share: steps that can be interrupted and resumed, tables, plots,
//!   claims kept as data, verdicts, and the report.
//! - [`boards`], [`sliders`], [`boards::exchange`], and the programs [`fixafan`] and [`classic`] are what is
//!   measured.
//! - [`the`], [`rasmussen`], [`reul`], [`aalborg`] and [`algobrain`] are the experiments of the works;
//!   [`experiments()`] lists them all.

pub mod aalborg;
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

/// All experiments, work by work, in the order in which the works were written.
pub fn experiments() -> Vec<&'static dyn Experiment> {
    [
        the::EXPERIMENTS,
        rasmussen::EXPERIMENTS,
        reul::EXPERIMENTS,
        aalborg::EXPERIMENTS,
        algobrain::EXPERIMENTS,
    ]
    .concat()
}
