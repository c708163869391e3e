//! Evaluating by a network.

use std::path::Path;
use std::time::Duration;
use tabiya_chess::{Game, Position};
use tabiya_engine::nnue::{FEATURES, Network, NetworkWeights};
use tabiya_engine::{Analyst, Engine, Limits, RunOn, SearchResult};

/// A network that knows what pieces are worth, roughly, and adds some noise.
fn network(seed: usize) -> Network {
    const HIDDEN: usize = 32;
    let noise = |i: usize, size: usize| ((i * 7919 + seed * 104_729) % (2 * size + 1)) as i16;
    let mut weights = NetworkWeights {
        features: (0..FEATURES * HIDDEN).map(|i| noise(i, 3) - 3).collect(),
        biases: vec![40; HIDDEN],
        output: vec![0; 2 * HIDDEN],
        output_biases: vec![0],
    };
    let worth = [4, 12, 13, 20, 38, 0];
    for feature in 0..FEATURES / 2 {
        // Only own pieces count.
        for neuron in 0..HIDDEN {
            weights.features[feature * HIDDEN + neuron] += worth[feature / 64];
        }
    }
    weights.output[..HIDDEN].fill(12);
    weights.output[HIDDEN..].fill(-12);
    Network::new(HIDDEN, 1, &weights).unwrap()
}

/// The result of a search, without its time.
fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> SearchResult {
    let mut result = engine.search(game, limits, RunOn::Waiter, None).unwrap().wait().unwrap();
    result.info.as_mut().unwrap().time = Duration::ZERO;
    result
}

fn think(engine: &mut Engine, fen: &str, nodes: u64) -> SearchResult {
    engine.new_game().unwrap();
    let game = Game::new(Position::from_fen(fen).unwrap());
    search(engine, &game, &Limits { nodes: Some(nodes), ..Limits::default() })
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";

#[test]
fn the_evaluation_is_chosen_by_options() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] =
        [1, 2].map(|seed| write(folder.path(), &seed.to_string(), &network(seed).to_bytes()));
    let mut engine = Engine::new().unwrap();
    let in_use = engine.eval_in_use();

    engine.set_option("Eval Mode", "classical").unwrap();
    assert!(in_use.network().is_none());
    let classical = think(&mut engine, MIDDLE, 2000);
    engine.set_option("EvalFile", &one).unwrap();
    assert!(in_use.network().is_none(), "rules are preferred");
    assert_eq!(think(&mut engine, MIDDLE, 2000), classical);

    engine.set_option("eval mode", "Network").unwrap();
    assert_eq!(in_use.network().as_deref(), Some(&network(1)));
    let by_one = think(&mut engine, MIDDLE, 2000);
    assert_ne!(by_one, classical);
    assert_eq!(think(&mut engine, MIDDLE, 2000), by_one, "the same again");

    engine.set_option("EvalFile", &two).unwrap();
    assert_ne!(think(&mut engine, MIDDLE, 2000), by_one);
    engine.set_option("EvalFile", "<empty>").unwrap();
    assert_eq!(
        in_use.network().is_some(),
        Engine::new().unwrap().eval_in_use().network().is_some()
    );
    engine.set_option("Eval Mode", "classical").unwrap();
    assert_eq!(think(&mut engine, MIDDLE, 2000), classical);
    engine.set_option("Eval Mode", "material").unwrap();
    assert!(in_use.network().is_none());
    let by_material = think(&mut engine, MIDDLE, 2000);
    assert_ne!(by_material, classical);
    engine.set_option("Threads", "2").unwrap();
    engine.set_option("Threads", "1").unwrap();
    engine.new_game().unwrap();
    assert_eq!(think(&mut engine, MIDDLE, 2000), by_material);
    assert!(engine.set_option("Eval Mode", "oracle").is_err());
}

#[test]
fn a_bad_file_is_refused_and_the_network_in_use_stays() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good", &network(1).to_bytes());
    let mut damaged = network(2).to_bytes();
    damaged[5000] ^= 1;
    let bad = write(folder.path(), "bad", &damaged);
    let mut engine = Engine::new().unwrap();
    engine.set_option("EvalFile", &good).unwrap();
    let before = think(&mut engine, MIDDLE, 1000);
    let error = engine.set_option("EvalFile", &bad).unwrap_err().to_string();
    assert_eq!(error, "option EvalFile: the network file is damaged: its checksum is wrong");
    assert!(engine.set_option("EvalFile", "/no/such/file").is_err());
    assert_eq!(engine.eval_in_use().network().as_deref(), Some(&network(1)));
    assert_eq!(think(&mut engine, MIDDLE, 1000), before);
}

/// Where assertions are on, every value of these searches is worked out from nothing as well.
#[test]
fn a_search_keeps_its_sums_right() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = Engine::new().unwrap();
    let file = write(folder.path(), "net", &network(3).to_bytes());
    engine.set_option("EvalFile", &file).unwrap();
    for fen in [
        MIDDLE,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        let result = think(&mut engine, fen, 4000);
        let depth = result.info.as_ref().unwrap().depth;
        assert!(result.best.is_some() && depth > 2, "{fen}: {result:?}");
    }
    // It wins the queen.
    let game = Game::new(Position::from_fen("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1").unwrap());
    let limits = Limits { soft_nodes: Some(500), nodes: Some(5000), ..Limits::default() };
    assert_eq!(search(&mut engine, &game, &limits).best, game.position().parse_san("Rxd8").ok());
}

#[test]
fn certain_endings_go_before_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = Engine::new().unwrap();
    let file = write(folder.path(), "net", &network(4).to_bytes());
    engine.set_option("EvalFile", &file).unwrap();
    // Not even an extra rook's pawn and bishop win here, whatever the network says of pieces.
    let drawn = think(&mut engine, "k7/8/8/P7/8/8/5B2/K7 w - - 0 1", 3000);
    assert!(drawn.value.unwrap().abs() < 20, "{drawn:?}");
    let won = think(&mut engine, "8/8/8/4k3/8/8/4P3/4K2Q w - - 0 1", 3000);
    assert!(won.value.unwrap() > 6000, "{won:?}");
}
