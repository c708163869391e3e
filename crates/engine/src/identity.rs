//! Which program this is: what a report must say for its figures to be repeated.

use crate::evaluation::built_in;
use crate::nnue::{self, Network};
use core::fmt;
use tabiya_chess::attacks::sliders;

/// The SHA-256 of the network's file that is built in, from `build.rs`.
const BUILT_IN_SHA256: &str = env!("TABIYA_NETWORK_SHA256");

/// A build of the program with the network it evaluates by and the CPU path it has chosen.
///
/// ```
/// use tabiya_engine::Identity;
/// let identity = Identity::of(Some("1a2b3c4"));
/// assert!(identity.to_string().starts_with("Tabiya "));
/// assert!(identity.to_string().contains("commit 1a2b3c4, network "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Identity {
    /// The version.
    pub version: String,
    /// The commit it was built from; none if that is not known.
    pub commit: Option<String>,
    /// The SHA-256 of the network's file; none for the classical evaluation.
    pub network: Option<String>,
    /// The compilations that run on this CPU: of the network's sums, then of the slider attacks.
    pub cpu: String,
}

impl Identity {
    /// Of a program built from such a commit, with the network inside it.
    pub fn of(commit: Option<&str>) -> Identity {
        Identity::with_network(commit, built_in().as_deref())
    }

    /// The same with another network, or with none.
    pub fn with_network(commit: Option<&str>, network: Option<&Network>) -> Identity {
        Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit.map(str::to_owned),
            network: network.map(sha256),
            cpu: format!("{}+{}", nnue::cpu_path(), sliders::cpu_path()),
        }
    }
}

/// A network's SHA-256, which is known already if it is the one that is built in.
fn sha256(network: &Network) -> String {
    match built_in() {
        Some(built_in) if std::ptr::eq(&*built_in, network) => BUILT_IN_SHA256.to_owned(),
        _ => network.sha256(),
    }
}

/// As in `Tabiya 0.2.0 (commit 9c50120, network 6d0e612d, cpu avx2+pext)`.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity { version, commit, network, cpu } = self;
        let commit = commit.as_deref().unwrap_or("unknown");
        let network = network.as_deref().unwrap_or("none");
        let network = network.get(..8).unwrap_or(network);
        write!(f, "Tabiya {version} (commit {commit}, network {network}, cpu {cpu})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_the_built_in_network_is_that_of_its_file() {
        assert_eq!(built_in().unwrap().sha256(), BUILT_IN_SHA256);
    }
}
