//! Fritz Reul, *New Architectures in Computer Chess* (2009).

mod arithmetic;
mod bit_pairs;
mod bit_scan;
mod boards;
mod branching;
mod geometry;
mod list_order;
mod lists;
mod magic_bits;
mod magic_tables;
mod magic_time;
mod make_unmake;
mod profile;
mod recursion;
mod see_example;
mod see_pruning;

use crate::frame::experiment::Experiment;

const WORK: &str = "reul-2009";

/// The thesis's experiments, in its order.
pub const EXPERIMENTS: &[&dyn Experiment] = &[
    &geometry::Geometry,
    &boards::Boards,
    &profile::Profile,
    &make_unmake::MakeUnmake,
    &lists::Lists,
    &list_order::ListOrder,
    &recursion::Recursion,
    &bit_scan::BitScan,
    &magic_time::MagicTime,
    &magic_bits::MagicBits,
    &magic_tables::MagicTables,
    &see_example::SeeExample,
    &see_pruning::SeePruning,
    &branching::Branching,
    &arithmetic::Arithmetic,
];
