//! The network file: a network as bytes.
//!
//! All numbers are little-endian.
//!
//! | bytes   | meaning                                                       |
//! |---------|---------------------------------------------------------------|
//! | 0-7     | `TabiyaNN`                                                    |
//! | 8-11    | version of the format                                         |
//! | 12-15   | neurons a side, H                                             |
//! | 16-19   | output buckets, B                                             |
//! | 20-31   | [`QA`], [`QB`], [`SCALE`]                                     |
//! | 32-39   | checksum of what follows                                      |
//! | 40-     | feature weights 768 H, feature biases H, output weights B 2 H, |
//! |         | 16 bits each, and output biases B, 32 bits each               |

use super::feature::FEATURES;
use super::lanes::Lanes;
use super::network::{Network, NetworkError, NetworkWeights, check_shape};
use super::{BUCKETS, QA, QB, SCALE};
use std::io::{self, Read};
use std::path::Path;
use tabiya_files::{FileError, FileProblem, open_regular};

const MAGIC: [u8; 8] = *b"TabiyaNN";
const HEADER: usize = 40;

/// The length of a file.
const fn length(hidden: usize, buckets: usize) -> usize {
    HEADER + 2 * hidden * (FEATURES + 1 + 2 * buckets) + 4 * buckets
}

/// FNV-1a: every step can be undone, so that no single wrong byte goes unnoticed.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

impl Network {
    /// No network file is longer.
    pub const MAX_BYTES: usize = length(Network::MAX_HIDDEN, BUCKETS);

    /// The network as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length(self.hidden(), self.buckets()));
        bytes.extend(MAGIC);
        for number in [
            Network::VERSION,
            self.hidden() as u32,
            self.buckets() as u32,
            QA as u32,
            QB as u32,
            SCALE as u32,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0; 8]);
        let lanes = [&self.features, &self.biases, &self.output].into_iter().flatten();
        bytes.extend(lanes.flat_map(|Lanes(lane)| lane).flat_map(|number| number.to_le_bytes()));
        bytes.extend(self.output_biases.iter().flat_map(|number| number.to_le_bytes()));
        let sum = checksum(&bytes[HEADER..]);
        bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The network behind the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(&MAGIC[..MAGIC.len().min(bytes.len())]) || bytes.is_empty() {
            return Err(NetworkError::Foreign);
        }
        let found = bytes.len();
        let Some((header, payload)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(NetworkError::Truncated { found, expected: HEADER });
        };
        let [version, hidden, buckets, qa, qb, scale] =
            [8, 12, 16, 20, 24, 28].map(|at| u32::from_le_bytes(field(header, at)));
        if version != Network::VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let (hidden, buckets) = (hidden as usize, buckets as usize);
        check_shape(hidden, buckets)?;
        if [qa, qb, scale] != [QA, QB, SCALE].map(|unit| unit as u32) {
            return Err(NetworkError::Units { qa, qb, scale });
        }
        let expected = length(hidden, buckets);
        if found < expected {
            return Err(NetworkError::Truncated { found, expected });
        }
        if found > expected {
            return Err(NetworkError::Overlong { expected });
        }
        if checksum(payload) != u64::from_le_bytes(field(header, HEADER - 8)) {
            return Err(NetworkError::Damaged);
        }
        let (small, large) = payload.split_at(payload.len() - 4 * buckets);
        let mut numbers = small.as_chunks().0.iter().copied().map(i16::from_le_bytes);
        let mut take = |count: usize| numbers.by_ref().take(count).collect();
        let weights = NetworkWeights {
            features: take(FEATURES * hidden),
            biases: take(hidden),
            output: take(buckets * 2 * hidden),
            output_biases: large.as_chunks().0.iter().copied().map(i32::from_le_bytes).collect(),
        };
        Network::new(hidden, buckets, &weights)
    }

    /// The network in a file.
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        let refused = |error: FileError| {
            NetworkError::Unreadable(match error.problem {
                FileProblem::Io { error, .. } => error.to_string(),
                problem => problem.to_string(),
            })
        };
        let unreadable = |error: io::Error| NetworkError::Unreadable(error.to_string());
        let file = open_regular(path).map_err(refused)?;
        let mut bytes = Vec::new();
        // One more than any network has, to tell a file that goes on from one that ends.
        file.take(Network::MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        Network::from_bytes(&bytes)
    }
}

/// Bytes of the header.
fn field<const N: usize>(header: &[u8; HEADER], at: usize) -> [u8; N] {
    core::array::from_fn(|i| header[at + i])
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_network;
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| random_network(32, 8, 1).to_bytes());

    #[test]
    fn files_are_read_as_they_were_written() {
        for (hidden, buckets) in [(32, 1), (96, 8), (1024, 8)] {
            let network = random_network(hidden, buckets, 2);
            let bytes = network.to_bytes();
            assert_eq!(bytes.len(), length(hidden, buckets));
            assert_eq!(Network::from_bytes(&bytes), Ok(network));
        }
    }

    /// A sound file with a number of the header changed.
    fn with_field(at: usize, number: u32) -> Result<Network, NetworkError> {
        let mut bytes = SOUND.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        Network::from_bytes(&bytes)
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        assert_eq!(Network::from_bytes(b""), Err(NetworkError::Foreign));
        assert_eq!(Network::from_bytes(b"PK\x03\x04"), Err(NetworkError::Foreign));
        assert_eq!(with_field(8, 2), Err(NetworkError::Version { found: 2 }));
        assert_eq!(with_field(12, 2048), Err(NetworkError::Hidden { found: 2048 }));
        assert_eq!(
            with_field(12, u32::MAX),
            Err(NetworkError::Hidden { found: u32::MAX as usize })
        );
        assert_eq!(with_field(16, 3), Err(NetworkError::Buckets { found: 3 }));
        let units = NetworkError::Units { qa: 255, qb: 64, scale: 340 };
        assert_eq!(with_field(28, 340), Err(units));
        let expected = length(64, 8);
        let cut_off = NetworkError::Truncated { found: SOUND.len(), expected };
        assert_eq!(with_field(12, 64), Err(cut_off));
        let longer = [&SOUND[..], &[0]].concat();
        let expected = SOUND.len();
        assert_eq!(Network::from_bytes(&longer), Err(NetworkError::Overlong { expected }));
    }

    #[test]
    fn weights_are_checked_after_the_checksum() {
        let mut bytes = SOUND.clone();
        let output = HEADER + 2 * 32 * (FEATURES + 1);
        bytes[output..output + 2].copy_from_slice(&300i16.to_le_bytes());
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Damaged));
        let sum = checksum(&bytes[HEADER..]);
        bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::OutputWeight { found: 300 }));
    }

    #[test]
    fn a_missing_file_is_told() {
        let error = Network::load(Path::new("/no/such/network")).unwrap_err();
        assert!(matches!(error, NetworkError::Unreadable(_)), "{error}");
        let error = Network::load(&std::env::temp_dir()).unwrap_err();
        assert!(error.to_string().ends_with("it is a folder; a regular file is needed"), "{error}");
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_much(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Network::from_bytes(&bytes).is_err());
        }

        #[test]
        fn a_wrong_byte_is_noticed(at in 0..SOUND.len(), change in 1u8..) {
            let mut bytes = SOUND.clone();
            bytes[at] ^= change;
            let error = Network::from_bytes(&bytes).unwrap_err();
            prop_assert!(error.to_string().len() < 200);
        }

        #[test]
        fn a_cut_is_noticed(len in 8..SOUND.len()) {
            let error = Network::from_bytes(&SOUND[..len]).unwrap_err();
            let expected = if len < HEADER { HEADER } else { SOUND.len() };
            prop_assert_eq!(error, NetworkError::Truncated { found: len, expected });
        }
    }
}
