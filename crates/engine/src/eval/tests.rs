//! What must hold of the evaluation as a whole.

use super::*;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Piece, PieceKind, Setup};

/// A few pieces on random squares: endings of all kinds, and promoted pieces beyond counting.
fn random_setup(random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    let mut put = |random: &mut SplitMix64, color: Color, kind: PieceKind| {
        let square = match kind {
            PieceKind::Pawn => 8 + random.index(48),
            _ => random.index(64),
        };
        setup.pieces[square] = Some(Piece::new(color, kind));
    };
    for _ in 0..random.index(12) {
        let color = Color::ALL[random.index(2)];
        let kind = PieceKind::ALL[random.index(5)];
        put(random, color, kind);
    }
    for color in Color::ALL {
        put(random, color, PieceKind::King);
    }
    setup.side_to_move = Color::ALL[random.index(2)];
    setup.position().ok().map(|(position, _)| position)
}

/// Positions of random games, usual and Chess960, and of random endings.
fn positions(seed: u64, games: usize, setups: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut list = Vec::new();
    for game in 0..games {
        let number = if game % 2 == 0 { 518 } else { random.index(960) as u16 };
        let mut position = Position::chess960(number).expect("a number below 960");
        for _ in 0..150 {
            list.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.index(moves.len())]).expect("a move of the list");
        }
    }
    list.extend((0..setups).filter_map(|_| random_setup(&mut random)));
    list
}

fn fen(fen: &str) -> Position {
    Position::from_fen(fen).expect("a legal position")
}

#[test]
fn both_colors_are_treated_alike() {
    let mut evaluator = Evaluator::default();
    for position in positions(1, 40, 4000) {
        let flipped = position.flip_colors();
        assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&flipped), "{position}");
    }
}

#[test]
fn both_wings_are_treated_alike() {
    let mut evaluator = Evaluator::default();
    let mut compared = 0;
    for position in positions(2, 60, 4000) {
        let Some(mirrored) = position.mirror() else { continue };
        assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&mirrored), "{position}");
        compared += 1;
    }
    assert!(compared > 4000, "{compared} positions without castling rights");
}

#[test]
fn explanations_add_up() {
    let mut evaluator = Evaluator::default();
    let mut without_cache = 0;
    for position in positions(3, 40, 4000) {
        let value = evaluator.evaluate(&position);
        let explanation = evaluator.explain(&position);
        assert_eq!(explanation.value, value, "{position}");
        let sum: i32 = explanation.rows.iter().map(|row| row.value).sum();
        assert_eq!(for_side_to_move(&position, sum), value, "{position}");
        without_cache += usize::from(explanation.known.is_none());
        for row in &explanation.rows {
            let white: i32 = row.parts.iter().map(|part| part.white.midgame).sum();
            assert_eq!(white, row.white.midgame);
        }
    }
    assert!(without_cache > 5000, "{without_cache} explained by terms");
}

#[test]
fn what_is_remembered_changes_nothing() {
    let positions = positions(4, 40, 2000);
    let mut one = Evaluator::default();
    let values: Vec<_> = positions.iter().map(|position| one.evaluate(position)).collect();
    for (position, value) in positions.iter().zip(values) {
        assert_eq!(one.evaluate(position), value, "{position}");
        assert_eq!(one.evaluate_afresh(position), value, "{position}");
    }
}

#[test]
fn traces_give_the_value() {
    let mut evaluator = Evaluator::default();
    let weights: Vec<RealPair> = DEFAULT
        .to_vec()
        .iter()
        .map(|weight| [weight.midgame().into(), weight.endgame().into()])
        .collect();
    let mut traced = 0;
    for position in positions(5, 40, 4000) {
        let Some(trace) = evaluator.trace(&position) else { continue };
        let exact = trace.value(&weights);
        let value = for_side_to_move(&position, evaluator.evaluate(&position));
        if exact.abs() < f64::from(VALUE_LIMIT) {
            // Each king's cost is rounded down to a whole number, and so is the value.
            assert!((exact - f64::from(value)).abs() < 2.0, "{exact} is not {value}: {position}");
            traced += 1;
        }
    }
    assert!(traced > 5000, "{traced} positions traced");
}

#[test]
fn gradients_are_slopes() {
    let evaluator = Evaluator::default();
    let mut weights: Vec<RealPair> = DEFAULT
        .to_vec()
        .iter()
        .map(|weight| [weight.midgame().into(), weight.endgame().into()])
        .collect();
    let position = fen("r1b2rk1/pp3pp1/2n1pn1p/2bq4/3N3Q/2PBP3/PP3PPP/R1B2RK1 w - - 0 12");
    let trace = evaluator.trace(&position).expect("no known ending");
    assert!(trace.danger.iter().all(|list| !list.is_empty()));
    let mut gradient = vec![[0.0; 2]; Weights::COUNT];
    trace.add_gradient(&weights, 3.0, &mut gradient);
    let before = trace.value(&weights);
    let names = Weights::names();
    const STEP: f64 = 1e-4;
    for index in 0..Weights::COUNT {
        for half in 0..2 {
            weights[index][half] += STEP;
            let slope = 3.0 * (trace.value(&weights) - before) / STEP;
            weights[index][half] -= STEP;
            assert!((slope - gradient[index][half]).abs() < 1e-3, "{}: {slope}", names[index]);
        }
    }
}

#[test]
fn a_term_that_is_off_says_nothing() {
    let positions = positions(6, 4, 50);
    for term in Term::ALL {
        let mut evaluator = Evaluator::with_terms(&DEFAULT, Terms::ALL.without(term));
        for position in &positions {
            let explanation = evaluator.explain(position);
            assert_eq!(explanation.value, evaluator.evaluate(position));
            for row in explanation.rows.iter().filter(|row| row.term == term) {
                assert_eq!(row.value, 0, "{term}");
                assert_eq!((row.white, row.black), (Halves::default(), Halves::default()));
            }
        }
    }
    let mut nothing = Evaluator::with_terms(&DEFAULT, Terms::NONE);
    assert!(positions.iter().all(|position| nothing.evaluate(position) == 0));
}

#[test]
fn each_of_the_aalborg_terms_counts() {
    let position = fen("r1bqk2r/1pp2ppp/p1n5/3Pp3/2B5/5N2/PP3PPP/R1BQ1RK1 w kq - 0 10");
    let all = Evaluator::with_terms(&DEFAULT, Terms::AALBORG).explain(&position);
    for term in Term::ALL.into_iter().filter(|&term| Terms::AALBORG.contains(term)) {
        let row = all.rows.iter().find(|row| row.term == term).expect("a row per term");
        assert!(!row.parts.is_empty(), "{term}");
        let without = Evaluator::with_terms(&DEFAULT, Terms::AALBORG.without(term));
        assert_ne!(without.explain(&position).rows, all.rows, "{term}");
    }
}

#[test]
fn values_stay_within_their_limit() {
    let mut evaluator = Evaluator::default();
    for text in [
        "1QQQQQQ1/1QQQQQ1Q/8/8/8/8/8/k6K w - - 0 1",
        "QQQQQQQ1/QQQQQQQ1/8/8/8/8/pp6/kn5K w - - 0 1",
        "QQQQQQQ1/QQQQQQ2/8/8/8/7P/pp6/kn5K w - - 0 1",
    ] {
        let position = fen(text);
        let value = evaluator.evaluate(&position);
        assert!((10_000..VALUE_LIMIT).contains(&value), "{value}");
        assert_eq!(evaluator.explain(&position).value, value);
        assert_eq!(evaluator.evaluate(&position.flip_colors()), value);
    }
}

#[test]
fn tables_are_made_for_people() {
    let evaluator = Evaluator::default();
    let table = evaluator.explain(&Position::start()).to_string();
    assert!(
        table.contains("material") && table.contains("for the side to move (White)"),
        "{table}"
    );
    let known = evaluator.explain(&fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")).to_string();
    assert!(known.contains("king and pawn against king"), "{known}");
}

/// A plain search of `depth` plies.
fn search(
    evaluator: &mut Evaluator,
    position: &Position,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    seen: &[u64],
) -> i32 {
    if seen.contains(&position.keys().position) {
        return 0;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        // Sooner is better: what is left of the depth counts.
        return if position.in_check() { -20_000 - depth as i32 } else { 0 };
    }
    if depth == 0 {
        return evaluator.evaluate(position);
    }
    for &mv in &moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let value = -search(evaluator, &next, depth - 1, -beta, -alpha, seen);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// How many plies White needs to mate, both sides searching so deep.
fn plies_to_mate(text: &str, depth: u32) -> Option<usize> {
    let mut evaluator = Evaluator::default();
    let mut position = fen(text);
    let mut seen = Vec::new();
    for ply in 0..100 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.in_check().then_some(ply);
        }
        seen.push(position.keys().position);
        let best = moves.iter().max_by_key(|&&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            -search(&mut evaluator, &next, depth - 1, -30_000, 30_000, &seen)
        });
        position.play_unchecked(*best?);
    }
    None
}

#[test]
fn elementary_mates_are_found_without_a_table() {
    for (name, text, depth) in [
        ("queen", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 3),
        ("rook", "8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 5),
        ("bishops", "8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", 5),
        ("bishop and knight", "8/8/8/3k4/8/8/8/2B1K1N1 w - - 0 1", 6),
        ("pawn", "8/8/3k4/8/3K4/8/3P4/8 w - - 0 1", 5),
    ] {
        let plies = plies_to_mate(text, depth);
        assert!(plies.is_some(), "{name}");
    }
}
