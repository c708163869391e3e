//! The frame that all experiments share.
//!
//! An [`Experiment`](experiment::Experiment) is code: it measures, step by step, and returns its [`Findings`](findings::Findings): tables, plots and
//! named figures. What a work claims is data: a [`Work`](works::Work) in TOML holds its tables as printed
//! and its claims, each with its source, the figure it is judged by and a tolerance. A new work is one file
//! in `works/`, one module with experiments, and a line in each of the two registers.

pub mod callgrind;
pub mod claim;
pub mod experiment;
pub mod findings;
pub(crate) mod labor;
pub mod machine;
pub mod plot;
pub mod report;
pub(crate) mod statistics;
pub mod store;
pub mod table;
pub mod timing;
pub mod verdict;
pub mod works;
