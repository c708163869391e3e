//! Progress on standard error, if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar that counts up to `length`, with the unit and a message behind it.
pub(crate) fn progress_bar(length: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    styled(bar, &format!("{{bar:24}} {{pos}}/{{len}} {unit} {{elapsed}} {{msg}}"))
}

/// A bar for work of which only the share that is done says anything.
pub(crate) fn percent_bar() -> ProgressBar {
    styled(ProgressBar::new(0), "{bar:24} {percent:>3} % {elapsed} (ETA {eta})")
}

/// For work without a known end: it turns on its own, with the time and a message beside it.
pub(crate) fn spinner() -> ProgressBar {
    let spinner = styled(ProgressBar::new_spinner(), "{spinner} {elapsed} {wide_msg}");
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
