//! `tabiya lab list`: what can be measured.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;
use tabiya_lab::experiments;
use tabiya_lab::frame::experiment::{Card, Effort};
use tabiya_lab::frame::works::Library;

use super::Place;
use crate::{Outcome, json};

/// List all experiments, and which of them have been measured.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    card: Card,
    claims: usize,
    measured: Option<Effort>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let library = Library::load()?;
    let store = args.place.store();
    let mut lines = Vec::new();
    for experiment in experiments() {
        let card = experiment.card();
        let claims = library.works.iter().flat_map(|work| &work.claims);
        let claims = claims.filter(|claim| claim.experiment == card.id).count();
        let measured = store.best(card.id)?.map(|outcome| outcome.effort);
        lines.push(Line { card, claims, measured });
    }
    if args.json {
        json::print(out, &lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wide = lines.iter().map(|line| line.card.id.len()).max().unwrap_or_default();
    for work in &library.works {
        writeln!(out, "{}: {} ({})", work.author, work.title, work.published)?;
        for line in lines.iter().filter(|line| line.card.work == work.id) {
            let measured = line.measured.map_or("-", Effort::name);
            let claims = line.claims;
            let of = if claims == 1 { "claim" } else { "claims" };
            writeln!(
                out,
                "  {:<wide$}  {:<48} {claims:>3} {of:<6}  {measured}",
                line.card.id, line.card.title
            )?;
        }
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}
