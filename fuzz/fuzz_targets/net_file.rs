//! A network file is refused in few words, or it is written back as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tabiya_chess::Position;
use tabiya_engine::nnue::{FEATURES, Network, NetworkWeights};
use tabiya_fuzz::assert_short;

const HIDDEN: usize = 32;

/// The least network, all of its weights from a few numbers.
fn network(numbers: &[u8]) -> Result<Network, impl ToString + use<>> {
    let pairs = numbers.as_chunks().0;
    let number = |i: usize| match pairs.len() {
        0 => 0,
        count => i16::from_le_bytes(pairs[i % count]),
    };
    let list = |count: usize, first: usize| (first..first + count).map(number).collect();
    Network::new(
        HIDDEN,
        1,
        &NetworkWeights {
            features: list(FEATURES * HIDDEN, 0),
            biases: list(HIDDEN, 1),
            output: list(2 * HIDDEN, 2),
            output_biases: vec![i32::from(number(3)) << 16],
        },
    )
}

static SOUND: LazyLock<Vec<u8>> =
    LazyLock::new(|| network(&[7, 0]).ok().expect("small weights").to_bytes());

fuzz_target!(|bytes: &[u8]| {
    // The bytes as a file, and written over a part of a sound file.
    let mut written_over = SOUND.clone();
    if let Some((place, over)) = bytes.split_first_chunk() {
        let place = usize::from(u16::from_le_bytes(*place)) % written_over.len();
        let end = written_over.len().min(place + over.len());
        written_over[place..end].copy_from_slice(&over[..end - place]);
    }
    for file in [bytes, &written_over] {
        match Network::from_bytes(file) {
            Ok(network) => assert_eq!(network.to_bytes(), file),
            Err(error) => assert_short(&error),
        }
    }
    // The bytes as weights.
    match network(bytes) {
        Ok(network) => {
            assert!(network.evaluate(&Position::start()).abs() < 29_000);
            assert_eq!(Network::from_bytes(&network.to_bytes()), Ok(network));
        }
        Err(error) => assert_short(&error),
    }
});
