use super::*;
use std::sync::Arc;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Color, File, Move, MoveKind, Piece, PieceKind, Position, Square};

/// From -size to size.
fn weight(random: &mut SplitMix64, size: i16) -> i16 {
    random.index(2 * size as usize + 1) as i16 - size
}

/// Random weights; the sums at neurons are at times below, within and above what is passed on.
pub(super) fn random_weights(hidden: usize, buckets: usize, seed: u64) -> NetworkWeights {
    let mut random = SplitMix64::new(seed);
    let mut list =
        |count: usize, size: i16| (0..count).map(|_| weight(&mut random, size)).collect();
    NetworkWeights {
        features: list(FEATURES * hidden, 100),
        biases: list(hidden, 200),
        output: list(buckets * 2 * hidden, 127),
        output_biases: (0..buckets as i32).map(|bucket| 1000 - 300 * bucket).collect(),
    }
}

pub(super) fn random_network(hidden: usize, buckets: usize, seed: u64) -> Network {
    Network::new(hidden, buckets, &random_weights(hidden, buckets, seed)).expect("a fit network")
}

/// Games of random moves, from the usual start and from those of Chess960.
pub(super) fn random_games(games: usize, seed: u64) -> Vec<Vec<Position>> {
    let mut random = SplitMix64::new(seed);
    (0..games)
        .map(|game| {
            let start = if game % 2 == 0 { 518 } else { random.index(960) as u16 };
            let mut position = Position::chess960(start).expect("a number below 960");
            let mut line = vec![position.clone()];
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.index(moves.len())]).expect("a move of the list");
                line.push(position.clone());
            }
            line
        })
        .collect()
}

fn move_between(from: &Position, to: &Position) -> Option<Move> {
    let leads_there = |&mv: &Move| {
        let mut next = from.clone();
        next.play_unchecked(mv);
        next == *to
    };
    from.legal_moves().iter().copied().find(leads_there)
}

#[test]
fn every_man_on_every_square_is_a_feature_of_its_own() {
    for perspective in Color::ALL {
        for king in [Square::A1, Square::D8, Square::E1, Square::H5] {
            let mut seen = [false; FEATURES];
            for piece in Piece::ALL {
                for square in (0..64).filter_map(Square::new) {
                    seen[feature(perspective, king, piece, square)] = true;
                }
            }
            assert_eq!(seen, [true; FEATURES]);
            // The own king always seems to stand on the left.
            let own = Piece::new(perspective, PieceKind::King);
            assert!(feature(perspective, king, own, king) % 8 < 4);
        }
    }
}

#[test]
fn buckets_go_by_fours() {
    assert_eq!([2, 5, 6, 9, 29, 30, 32].map(bucket), [0, 0, 1, 1, 6, 7, 7]);
}

#[test]
fn values_do_not_know_colors_or_sides_of_the_board() {
    for buckets in [1, BUCKETS] {
        let network = random_network(64, buckets, 1);
        let mut mirrored = 0;
        let mut values = std::collections::HashSet::new();
        for position in random_games(6, 2).iter().flatten() {
            let value = network.evaluate(position);
            values.insert(value);
            assert_eq!(network.evaluate(&position.flip_colors()), value, "{}", position.fen());
            if let Some(mirror) = position.mirror() {
                assert_eq!(network.evaluate(&mirror), value, "{}", position.fen());
                mirrored += 1;
            }
        }
        assert!(mirrored > 100 && values.len() > 300, "{mirrored} {}", values.len());
    }
}

#[test]
fn a_value_by_hand() {
    // One neuron counts own pawns, ten for each; another the opponent's, and is clipped.
    let mut weights = NetworkWeights {
        features: vec![0; FEATURES * 32],
        biases: vec![0; 32],
        output: vec![0; 64],
        output_biases: vec![-QA],
    };
    for square in 0..64 {
        weights.features[square * 32] = 10;
        weights.features[(384 + square) * 32 + 1] = 300;
    }
    weights.biases[0] = 5;
    weights.output[0] = 100;
    weights.output[1] = -50;
    let network = Network::new(32, 1, &weights).unwrap();
    let position = Position::from_fen("4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1").unwrap();
    let sum = 35 * 35 * 100 - 255 * 255 * 50;
    assert_eq!(network.evaluate(&position), (sum / QA - QA) * SCALE / (QA * QB));
}

#[test]
fn values_stay_within_the_limit() {
    let mut weights = random_weights(1024, 1, 3);
    weights.output.fill(127);
    weights.output_biases[0] = i32::MAX;
    let most = Network::new(1024, 1, &weights).unwrap().evaluate(&Position::start());
    weights.output.fill(-127);
    weights.output_biases[0] = i32::MIN;
    let least = Network::new(1024, 1, &weights).unwrap().evaluate(&Position::start());
    assert_eq!([most, least], [28_999, -28_999]);
}

#[test]
fn unfit_parts_are_refused() {
    let refused = |change: fn(&mut NetworkWeights)| {
        let mut weights = random_weights(32, 8, 4);
        change(&mut weights);
        Network::new(32, 8, &weights).unwrap_err()
    };
    let count = |part, found, expected| NetworkError::Count { part, found, expected };
    assert_eq!(
        refused(|weights| weights.features.push(0)),
        count("feature weights", FEATURES * 32 + 1, FEATURES * 32)
    );
    assert_eq!(refused(|weights| weights.biases.clear()), count("feature biases", 0, 32));
    assert_eq!(refused(|weights| weights.output.truncate(64)), count("output weights", 64, 512));
    assert_eq!(refused(|weights| weights.output_biases.push(0)), count("output biases", 9, 8));
    assert_eq!(
        refused(|weights| weights.output[7] = -128),
        NetworkError::OutputWeight { found: -128 }
    );
    for hidden in [0, 16, 48, 1056, usize::MAX] {
        let error = Network::new(hidden, 1, &NetworkWeights::default()).unwrap_err();
        assert_eq!(error, NetworkError::Hidden { found: hidden });
    }
    for buckets in [0, 2, 9] {
        let error = Network::new(32, buckets, &NetworkWeights::default()).unwrap_err();
        assert_eq!(error, NetworkError::Buckets { found: buckets });
    }
}

#[test]
fn sums_that_could_overflow_are_refused() {
    // Sixteen own pieces and sixteen others, on different squares, in one neuron, up or down.
    for sign in [1, -1] {
        let mut weights = random_weights(32, 1, 5);
        for feature in 0..FEATURES {
            weights.features[feature * 32 + 9] = 0;
        }
        for square in 0..32 {
            weights.features[square * 32 + 9] = sign * 1000;
            // Of two kinds on one square only one can be there.
            weights.features[(64 + square) * 32 + 9] = sign * 1000;
            weights.features[(384 + square) * 32 + 9] = sign * 1000;
        }
        weights.biases[9] = sign * 767;
        assert!(Network::new(32, 1, &weights).is_ok());
        weights.biases[9] += sign;
        let error = Network::new(32, 1, &weights).unwrap_err();
        assert_eq!(error, NetworkError::Overflow { neuron: 9, reach: 32_768 });
    }
}

/// Both ways to keep sums, at a root.
fn both_ways(network: &Arc<Network>, root: &Position) -> [Accumulators; 2] {
    [
        Accumulators::new(Arc::clone(network), root),
        Accumulators::portable(Arc::clone(network), root),
    ]
}

#[test]
fn sums_that_are_kept_are_those_from_nothing() {
    // Widths that fill a processor's registers, that do not, and that need more than 32 bits.
    for (hidden, games) in [(32, 8), (96, 4), (256, 4), (352, 2), (1024, 1)] {
        let network = Arc::new(random_network(hidden, BUCKETS, hidden as u64));
        let mut random = SplitMix64::new(6);
        for line in random_games(games, 7) {
            for mut ways in both_ways(&network, &line[0]).map(|way| [way.clone(), way]) {
                for pair in line.windows(2) {
                    let expected = network.evaluate(&pair[1]);
                    let mv = move_between(&pair[0], &pair[1]);
                    // One is asked at every move, the other now and then.
                    for way in &mut ways {
                        way.push(&pair[0], mv);
                    }
                    assert_eq!(ways[0].evaluate(&pair[1]), expected, "{}", pair[1].fen());
                    if random.index(4) == 0 {
                        assert_eq!(ways[1].evaluate(&pair[1]), expected, "{}", pair[1].fen());
                    }
                }
                for position in line.iter().rev() {
                    for way in &mut ways {
                        assert_eq!(way.evaluate(position), network.evaluate(position));
                        way.pop();
                    }
                }
            }
        }
    }
}

/// All positions up to a depth, null moves among them, as a search goes through them: some are
/// evaluated and some are not.
fn walk(
    ways: &mut [Accumulators; 2],
    position: &Position,
    depth: usize,
    seen: &mut Seen,
    random: &mut SplitMix64,
) {
    if random.index(3) > 0 {
        let expected = ways[0].network().evaluate(position);
        for way in &mut *ways {
            assert_eq!(way.evaluate(position), expected, "{}", position.fen());
        }
    }
    if depth == 0 {
        return;
    }
    let mut next = position.clone();
    let mut follow = |mv: Option<Move>, next: &Position, seen: &mut Seen| {
        ways.iter_mut().for_each(|way| way.push(position, mv));
        walk(ways, next, depth - 1, seen, random);
        ways.iter_mut().for_each(Accumulators::pop);
    };
    if next.null_move() {
        seen.passes += 1;
        follow(None, &next, seen);
    }
    for &mv in &position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let us = position.side_to_move();
        let half = |king: Square| king.file() >= File::E;
        seen.crossings += usize::from(half(position.king(us)) != half(next.king(us)));
        seen.castlings += usize::from(mv.kind() == MoveKind::Castling);
        seen.en_passant += usize::from(mv.kind() == MoveKind::EnPassant);
        seen.promotions += usize::from(mv.kind() == MoveKind::Promotion);
        follow(Some(mv), &next, seen);
    }
}

#[derive(Default, Debug)]
struct Seen {
    passes: usize,
    crossings: usize,
    castlings: usize,
    en_passant: usize,
    promotions: usize,
}

#[test]
fn every_kind_of_move_keeps_the_sums_right() {
    let network = Arc::new(random_network(64, BUCKETS, 8));
    let mut random = SplitMix64::new(9);
    let mut seen = Seen::default();
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        // Kings beside their rooks, who change places.
        "5kr1/8/3p4/2pP4/8/8/8/5KR1 w Gg c6 0 1",
        "1rk5/8/8/8/8/8/8/1RK5 w Bb - 0 1",
        "1r2k2r/8/8/8/8/8/8/R2K3R b KQkq - 0 1",
    ] {
        let position = Position::from_fen(fen).expect("a legal position");
        let mut ways = both_ways(&network, &position);
        walk(&mut ways, &position, 2, &mut seen, &mut random);
    }
    let Seen { passes, crossings, castlings, en_passant, promotions } = seen;
    assert!(
        [passes, crossings, castlings, promotions].iter().all(|&count| count > 10)
            && en_passant > 0,
        "{seen:?}"
    );
}

#[test]
fn the_quick_way_agrees_on_the_largest_sums() {
    for sign in [1, -1] {
        let mut weights = random_weights(1024, 1, 10);
        weights.biases.fill(i16::MAX - 32 * 100);
        weights.output.fill(sign * Network::MAX_OUTPUT_WEIGHT);
        // Just so much that the value is not at its limit.
        let sum = 2 * 1024 * i64::from(QA) * i64::from(sign * Network::MAX_OUTPUT_WEIGHT);
        weights.output_biases[0] = (-sum) as i32 + 12_345;
        let network = Arc::new(Network::new(1024, 1, &weights).unwrap());
        let expected = 12_345 * SCALE / (QA * QB);
        let start = Position::start();
        assert_eq!(network.evaluate(&start), expected);
        for mut way in both_ways(&network, &start) {
            assert_eq!(way.evaluate(&start), expected);
        }
    }
}

#[test]
fn lines_longer_than_any_search_are_followed() {
    let network = Arc::new(random_network(32, 1, 11));
    let start = Position::start();
    let mut line = vec![start.clone()];
    for san in ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(600) {
        let mut next = line[line.len() - 1].clone();
        next.play(next.parse_san(san).unwrap()).unwrap();
        line.push(next);
    }
    let mut accumulators = Accumulators::new(Arc::clone(&network), &start);
    for pair in line.windows(2) {
        accumulators.push(&pair[0], move_between(&pair[0], &pair[1]));
    }
    assert_eq!(accumulators.evaluate(&line[600]), network.evaluate(&line[600]));
    line.iter().for_each(|_| accumulators.pop());
    assert_eq!(accumulators.evaluate(&start), network.evaluate(&start));
}
