//! The report: one page that needs nothing else.

use super::experiment::{Card, Effort};
use super::store::Outcome;
use super::table::{Origin, Table};
use super::verdict::{Counts, Judgment, Verdict, judge};
use super::works::Work;
use std::collections::BTreeMap;
use std::fmt::Write;
use tabiya_chart::escape;

const STYLE: &str = include_str!("report.css");

/// Writes the report on works.
pub fn html(works: &[&Work], cards: &[Card], outcomes: &BTreeMap<String, Outcome>) -> String {
    let judged: Vec<(&Work, Vec<Judgment<'_>>)> =
        works.iter().map(|&work| (work, judge(work, outcomes))).collect();
    let all = Counts::of(judged.iter().flat_map(|(_, judgments)| judgments));
    let mut page = String::new();
    let _ = writeln!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>The laboratory: published experiments, measured again</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<p class=\"over\">Tabiya · laboratory</p>\n\
         <h1>Published experiments in computer chess, measured again</h1>\n\
         <p class=\"lead\">What the works said, what they printed, and what this machine says today. \
         Counts are the same on every machine; times stand apart, with their ranges.</p>"
    );
    machines(&mut page, outcomes);
    tally(&mut page, &all);
    page.push_str("</header>\n<nav>\n");
    for (work, judgments) in &judged {
        let _ = writeln!(
            page,
            "<div><a class=\"work\" href=\"#{id}\">{author}, {published}</a>",
            id = escape(&work.id),
            author = escape(&work.author),
            published = escape(&work.published)
        );
        for card in cards.iter().filter(|card| card.work == work.id) {
            let of_card = judgments.iter().filter(|judgment| judgment.experiment == card.id);
            let share = shares(&Counts::of(of_card));
            let _ = writeln!(page, "<a href=\"#{}\">{}{share}</a>", card.id, escape(card.title));
        }
        page.push_str("</div>\n");
    }
    page.push_str("</nav>\n<main>\n");
    for (work, judgments) in &judged {
        work_section(&mut page, work, judgments, cards, outcomes);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn machines(page: &mut String, outcomes: &BTreeMap<String, Outcome>) {
    let mut told: Vec<String> = Vec::new();
    for outcome in outcomes.values() {
        let machine = &outcome.machine;
        let program = match &machine.program {
            Some(program) => program.to_string(),
            None => format!("Tabiya {}", machine.version),
        };
        let line = format!(
            "{}, {} thread{} · {program}, {} · {}{}",
            machine.processor,
            machine.threads,
            if machine.threads == 1 { "" } else { "s" },
            machine.build,
            outcome.date,
            match outcome.effort {
                Effort::Quick =>
                    " · quick runs: times are rough, and some claims wait for full ones",
                Effort::Full => "",
            }
        );
        if !told.contains(&line) {
            told.push(line);
        }
    }
    for line in told {
        let _ = writeln!(page, "<p class=\"machine\">{}</p>", escape(&line));
    }
}

/// A bar with a part for each verdict.
fn shares(counts: &Counts) -> String {
    let parts = [
        (Verdict::Holds, counts.hold),
        (Verdict::DoesNotHold, counts.do_not_hold),
        (Verdict::CannotBeTested, counts.cannot_be_tested),
    ];
    let parts: String = parts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| {
            format!("<i class=\"{}\" style=\"flex:{count}\"></i>", class(verdict))
        })
        .collect();
    format!("<span class=\"shares\" title=\"{counts}\">{parts}</span>")
}

fn tally(page: &mut String, counts: &Counts) {
    let Counts { hold, do_not_hold, cannot_be_tested } = counts;
    let _ = writeln!(
        page,
        "<ul class=\"tally\">\n<li class=\"holds\"><b>{hold}</b> claims hold</li>\n\
         <li class=\"fails\"><b>{do_not_hold}</b> do not hold</li>\n\
         <li class=\"open\"><b>{cannot_be_tested}</b> cannot be tested</li>\n</ul>"
    );
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::DoesNotHold => "fails",
        Verdict::CannotBeTested => "open",
    }
}

fn work_section(
    page: &mut String,
    work: &Work,
    judgments: &[Judgment<'_>],
    cards: &[Card],
    outcomes: &BTreeMap<String, Outcome>,
) {
    let _ = writeln!(
        page,
        "<section class=\"work\" id=\"{}\">\n<p class=\"over\">{}, {}</p>\n<h2>{}</h2>\n<p>{}</p>",
        escape(&work.id),
        escape(&work.author),
        escape(&work.published),
        escape(&work.title),
        escape(&work.about)
    );
    tally(page, &Counts::of(judgments));
    contradicted(page, judgments);
    for card in cards.iter().filter(|card| card.work == work.id) {
        let _ = writeln!(
            page,
            "<article id=\"{}\">\n<h3>{}</h3>\n<p class=\"question\">{}</p>",
            card.id,
            escape(card.title),
            escape(card.question)
        );
        match outcomes.get(card.id) {
            Some(outcome) => experiment(page, outcome),
            None => {
                let _ = writeln!(
                    page,
                    "<p class=\"missing\">Not measured yet: <code>tabiya lab run {}</code></p>",
                    card.id
                );
            }
        }
        claims(page, judgments.iter().filter(|judgment| judgment.experiment == card.id));
        page.push_str("</article>\n");
    }
    let untested = judgments.iter().filter(|judgment| judgment.experiment.is_empty());
    if untested.clone().next().is_some() {
        page.push_str("<article>\n<h3>What nobody can test any more</h3>\n");
        claims(page, untested);
        page.push_str("</article>\n");
    }
    page.push_str("</section>\n");
}

/// What does not hold, in one list.
fn contradicted(page: &mut String, judgments: &[Judgment<'_>]) {
    let fails = judgments.iter().filter(|j| j.verdict == Verdict::DoesNotHold);
    if fails.clone().next().is_none() {
        return;
    }
    page.push_str("<details>\n<summary>What does not hold</summary>\n<ul>\n");
    for judgment in fails {
        let _ = writeln!(
            page,
            "<li><a href=\"#{}\">{}</a><small>{} · {}</small></li>",
            judgment.experiment,
            escape(judgment.says),
            escape(judgment.source),
            escape(&judgment.why)
        );
    }
    page.push_str("</ul>\n</details>\n");
}

fn experiment(page: &mut String, outcome: &Outcome) {
    let findings = &outcome.findings;
    for note in &findings.notes {
        let _ = writeln!(page, "<p>{}</p>", escape(note));
    }
    page.push_str("<div class=\"plots\">\n");
    for plot in &findings.plots {
        let _ = writeln!(page, "<figure>\n{}</figure>", plot.svg());
    }
    page.push_str("</div>\n");
    for table in &findings.tables {
        html_table(page, table);
    }
    let _ = writeln!(
        page,
        "<p class=\"took\"><code>tabiya lab run {}{}</code> took {} on {}.</p>",
        outcome.experiment,
        if outcome.effort == Effort::Quick { " --quick" } else { "" },
        match outcome.seconds {
            seconds if seconds < 0.5 => "less than a second".to_owned(),
            seconds => format!("{seconds:.0} s"),
        },
        outcome.date
    );
}

fn html_table(page: &mut String, table: &Table) {
    let _ = writeln!(
        page,
        "<div class=\"table\"><table{}>\n<caption>{}</caption>\n<thead><tr>",
        if table.columns.len() > 7 { " class=\"wide\"" } else { "" },
        escape(&table.title)
    );
    let class = |origin: Origin| match origin {
        Origin::Label => "label",
        origin => origin.word(),
    };
    for column in &table.columns {
        let origin = column.origin.word();
        let _ = write!(
            page,
            "<th class=\"{}\"><small>{origin}</small>{}</th>",
            class(column.origin),
            escape(&column.name)
        );
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            let text = escape(&cell.text());
            // A range is there to be looked at when wanted.
            let text = match text.split_once(" (") {
                Some((median, range)) if cell.is_numeric() => {
                    format!("{median} <span class=\"range\">({range}</span>")
                }
                _ => text,
            };
            let _ = write!(page, "<td class=\"{}\">{text}</td>", class(column.origin));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
    if !table.note.is_empty() {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(&table.note));
    }
}

fn claims<'a>(page: &mut String, judgments: impl Iterator<Item = &'a Judgment<'a>>) {
    let mut judgments = judgments.peekable();
    if judgments.peek().is_none() {
        return;
    }
    page.push_str("<ul class=\"claims\">\n");
    for judgment in judgments {
        let _ = writeln!(
            page,
            "<li class=\"{}\"><span class=\"verdict\">{}</span><div><p>{}</p>\
             <p class=\"why\">{} · {} · {}</p></div></li>",
            class(judgment.verdict),
            judgment.verdict,
            escape(judgment.says),
            escape(judgment.claim),
            escape(judgment.source),
            escape(&judgment.why)
        );
    }
    page.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::STYLE;
    use tabiya_chart::{FAINT, GRID, INK};

    #[test]
    fn a_dark_page_knows_the_colors_of_plots() {
        for (part, color) in [("fill", FAINT), ("stroke", GRID), ("stroke", INK)] {
            assert!(STYLE.contains(&format!("[{part}=\"{color}\"]")), "{part} {color}");
        }
    }
}
