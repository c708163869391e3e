//! Pieces of work whose instructions are counted: the program runs itself under a counter, with the name of
//! one of these.

use crate::boards::backend::{Backend, own_recursion};
use crate::boards::suite::{CLOSED, OPEN};
use crate::fixafan::{self, watch::unwatched};
use crate::sliders::contest::Field;
use crate::sliders::work::Pattern;
use std::hint::black_box;
use tabiya_chess::{Position, shortened};

/// The functions that count, by a part of their names.
pub const REGION: &str = "counted_region";

/// The same for a search of the thesis's program.
pub const SEARCH_REGION: &str = "counted_search_region";

/// How deep recursions go, so that a counter that is fifty times slower ends soon.
pub const DEPTH: u8 = 3;

/// There is no such piece of work.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a specimen; these are sliders:NAME:PATTERN, recursion:BOARD:KIND:POSITION and \
     fixafan:POSITION:ORDER:DEPTH"
)]
pub struct UnknownSpecimen(pub String);

/// Does a piece of work, and returns a number that depends on it.
///
/// # Errors
/// When there is none by that name.
pub fn run(name: &str) -> Result<u64, UnknownSpecimen> {
    let unknown = || UnknownSpecimen(shortened(name, 80));
    match *name.split(':').collect::<Vec<_>>() {
        ["sliders", finder, pattern] => {
            let pattern = Pattern::ALL.into_iter().find(|p| p.name() == pattern);
            let pattern = pattern.ok_or_else(unknown)?;
            let field = Field::default();
            let contenders = field.contenders(|name| name == finder, false);
            Ok(contenders.first().ok_or_else(unknown)?.run(pattern))
        }
        ["recursion", board, kind, position] => {
            let fen = match position {
                "closed" => CLOSED,
                "open" => OPEN,
                _ => return Err(unknown()),
            };
            let position = Position::from_fen(fen).map_err(|_| unknown())?;
            let work: fn(&Position, u32) -> u64 = match (Backend::find(board), kind) {
                (Some(backend), "basic") => backend.basic,
                (Some(backend), "advanced") => backend.advanced,
                (None, "basic") if board == OWN => own_recursion,
                _ => return Err(unknown()),
            };
            // Tables are filled when first asked for: that is not counted.
            black_box(work(&position, 1));
            Ok(counted_region(work, &position))
        }
        ["fixafan", number, order, depth] => {
            let number = number.parse().map_err(|_| unknown())?;
            let test = fixafan::positions::get(number).ok_or_else(unknown)?;
            let order = order.parse().map_err(|_| unknown())?;
            let depth = depth.parse().map_err(|_| unknown())?;
            if !(1..=fixafan::MAX_DEPTH).contains(&depth) {
                return Err(unknown());
            }
            let settings = fixafan::Settings::new(fixafan::Profile::Fixafan, order, depth);
            Ok(counted_search_region(&test.position, &settings))
        }
        _ => Err(unknown()),
    }
}

#[inline(never)]
fn counted_search_region(position: &Position, settings: &fixafan::Settings) -> u64 {
    black_box(fixafan::search(position, settings, &mut unwatched).nodes)
}

/// The project's own board in a specimen's name.
pub const OWN: &str = "Tabiya";

#[inline(never)]
fn counted_region(work: fn(&Position, u32) -> u64, position: &Position) -> u64 {
    black_box(work(position, DEPTH.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specimens_do_their_work() {
        assert_eq!(run("recursion:mailbox:basic:closed"), Ok(26_298));
        assert_eq!(run("recursion:magic:advanced:open"), Ok(26_407));
        assert_eq!(run("recursion:Tabiya:basic:open"), Ok(26_407));
        let sums = ["ray scan", "rotated", "magic, minimal", "mailbox walk"]
            .map(|finder| run(&format!("sliders:{finder}:games")).unwrap());
        assert_eq!(sums, [sums[0]; 4]);
        assert_eq!(run("fixafan:7:c1:4"), Ok(1258));
        for bad in [
            "fixafan:25:c:4",
            "fixafan:1:x:4",
            "fixafan:1:c:-1",
            "fixafan:1:c:0",
            "fixafan:1:c:99",
            "",
            "sliders",
            "sliders:x:games",
            "recursion:x:basic:open",
            "a:b:c:d:e",
        ] {
            assert_eq!(run(bad), Err(UnknownSpecimen(bad.to_owned())));
        }
    }
}
