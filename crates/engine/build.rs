//! Gives the engine the SHA-256 of the network that is built in, as `TABIYA_NETWORK_SHA256`: to reckon it at every
//! start would take longer than the rest of the start.

use sha2::{Digest, Sha256};

fn main() {
    const NETWORK: &str = "../../nets/default.nnue";
    println!("cargo::rerun-if-changed={NETWORK}");
    let bytes = std::fs::read(NETWORK).expect("the network is in the repository");
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=TABIYA_NETWORK_SHA256={hash}");
}
