//! The network that comes with the program is the one that the lineage speaks of.

use std::path::Path;

use tabiya_chess::Position;
use tabiya_engine::nnue::Network;
use tabiya_trainer::lineage::Lineage;
use tabiya_trainer::net::{NetReport, Validation, file_sha256, validate};

fn nets(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("nets").join(name)
}

#[test]
fn the_network_in_use_has_passed_its_gate() {
    let hash = file_sha256(&nets("default.nnue")).unwrap();
    let lineage = Lineage::load(&nets("lineage.json")).unwrap();
    let run = lineage.runs.iter().find(|run| run.sha256 == hash);
    assert!(
        run.is_some_and(|run| run.accepted && run.has_passed()),
        "{hash} is not a network that has passed both tests"
    );
    let recipe = std::fs::read(nets("default.json")).unwrap();
    let report: NetReport = serde_json::from_slice(&recipe).unwrap();
    assert_eq!(report.sha256, hash);
}

#[test]
fn the_network_in_use_errs_as_little_as_is_said() {
    let network = Network::load(&nets("default.nnue")).unwrap();
    let found = validate(&network, &[nets("validation")], 1, &|| false, &mut |_, _| ()).unwrap();
    let said: Validation =
        serde_json::from_slice(&std::fs::read(nets("validation.json")).unwrap()).unwrap();
    assert_eq!((found.games, found.positions), (said.games, said.positions));
    assert!((found.network - said.network).abs() < 1e-9, "{found:?}");
    assert!((found.classical - said.classical).abs() < 1e-9, "{found:?}");
    assert!(found.network < found.classical);
}

/// The network's value of a position, which White is to move in.
fn value(network: &Network, fen: &str) -> i32 {
    network.evaluate(&Position::from_fen(fen).unwrap())
}

#[test]
fn the_network_in_use_knows_what_men_are_worth() {
    let network = Network::load(&nets("default.nnue")).unwrap();
    let start = network.evaluate(&Position::start());
    assert!(start.abs() < 60, "the start is level: {start}");
    // Without a pawn, a knight, a rook and the queen, Black's and then White's.
    let without_black = [
        "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ]
    .map(|fen| value(&network, fen));
    let without_white = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
    ]
    .map(|fen| value(&network, fen));
    assert!(without_black.is_sorted() && without_black[0] > start, "{without_black:?}");
    assert!(without_white.iter().rev().is_sorted(), "{without_white:?}");
    assert!(without_white[0] < start, "{without_white:?}");
    assert!(without_black[3] > 400 && without_white[3] < -400, "{without_white:?}");
}

#[test]
fn the_recipe_names_the_manifests_that_are_kept() {
    let recipe = std::fs::read(nets("default.json")).unwrap();
    let report: NetReport = serde_json::from_slice(&recipe).unwrap();
    for source in &report.recipe.data {
        let name = source.directory.file_name().unwrap().to_str().unwrap();
        let manifest = nets("manifests").join(format!("{name}.json"));
        let hash = file_sha256(&manifest).unwrap();
        assert_eq!(source.manifest_sha256.as_deref(), Some(&*hash), "{name}");
    }
}
