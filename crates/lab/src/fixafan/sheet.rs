//! A search on a sheet of paper, as the thesis prints them: its last line ply by ply, what it took, and the lines
//! of earlier iterations.

use super::record::Record;
use super::search::Settings;
use crate::frame::table::number;
use std::fmt::Write;
use tabiya_chess::{Color, Position};

/// Writes the sheet.
pub fn sheet(position: &Position, settings: &Settings, record: &Record) -> String {
    let mut text = String::new();
    let side = if position.side_to_move() == Color::White { "White" } else { "Black" };
    let depth = settings.depth;
    let _ = writeln!(text, "{side} to move, order {}, depth {depth}\n", settings.order);
    let depth = record.iterations.len();
    let line = record.iterations.last().map_or(&[][..], |last| &last.line);
    let mut right = vec!["ply  move        nodes    ABF   kills".to_owned()];
    for ply in 0..depth {
        let entry = record.ply(ply, true);
        let nodes = entry.nodes.max(1) as f64;
        right.push(format!(
            "{ply:>3}  {:<7} {:>9} {:>6.2} {:>6.2}%",
            line.get(ply).map_or("", String::as_str),
            number(record.iterations[ply].nodes as f64, 0),
            entry.branches as f64 / nodes,
            100.0 * entry.kills as f64 / nodes
        ));
    }
    let drawing = position.diagram();
    let left: Vec<&str> = drawing.lines().collect();
    for row in 0..left.len().max(right.len()) {
        let (left, right) =
            (left.get(row).unwrap_or(&""), right.get(row).map_or("", String::as_str));
        let _ = writeln!(text, "{}", format!("{left:<18}  {right}").trim_end());
    }
    let score = f64::from(record.score()) / f64::from(settings.evaluation.worth().unit);
    let best = line.first().map_or("none", String::as_str);
    let _ = write!(
        text,
        "\nbest move {best}, score {} pawns{}\n{} interior nodes, {} of them at the horizon; {} table hits; \
         branching factor {:.2}; kills {:.2} %; first-move cutoffs {:.1} %\n{:.3} s, {} nodes/s\n",
        crate::frame::table::natural(score),
        if record.truncated { " (cut short)" } else { "" },
        number(record.nodes as f64, 0),
        number(record.horizon as f64, 0),
        number(record.hits as f64, 0),
        record.branching(true),
        record.kills(true),
        record.first_move_cutoffs(),
        record.seconds(),
        number(record.nodes as f64 / record.seconds().max(1e-6), 0),
    );
    if record.quiescent > 0 {
        let _ = writeln!(text, "{} quiescence nodes", number(record.quiescent as f64, 0));
    }
    text.push_str("\nIterations:\n");
    for (i, iteration) in record.iterations.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>2} {:>9.3} s {:<2} {:>6}  {}",
            i + 1,
            iteration.seconds,
            iteration.fails,
            iteration.score,
            iteration.line.join(" ")
        );
    }
    text.push_str(
        "(H: the score was above the window and the iteration searched again; L: below)\n",
    );
    text
}
