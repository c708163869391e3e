//! The network that comes with the program is the one that the lineage speaks of.

use std::path::Path;

use tabiya_engine::nnue::Network;
use tabiya_trainer::lineage::Lineage;
use tabiya_trainer::net::{NetReport, Verdict, file_sha256, judge};

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
    let found = judge(&network, &[nets("validation")], 1, &|| false, &mut |_, _| ()).unwrap();
    let said: Verdict =
        serde_json::from_slice(&std::fs::read(nets("validation.json")).unwrap()).unwrap();
    assert_eq!((found.games, found.positions), (said.games, said.positions));
    assert!((found.network - said.network).abs() < 1e-9, "{found:?}");
    assert!((found.classical - said.classical).abs() < 1e-9, "{found:?}");
    assert!(found.network < found.classical);
}
