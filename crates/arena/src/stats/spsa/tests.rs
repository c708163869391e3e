use super::*;
use crate::stats::simulation;

fn parameter(name: &str, value: f64, c_end: f64, r_end: f64) -> Parameter {
    Parameter { name: name.into(), value, min: 0.0, max: 1000.0, c_end, r_end }
}

/// Four parameters that start well away from the summit, each on its own scale.
fn far_from_the_summit(iterations: u64, r_end: f64) -> (Spsa, [f64; 4], [f64; 4]) {
    let parameters = vec![
        parameter("a", 100.0, 8.0, r_end),
        parameter("b", 500.0, 20.0, r_end),
        parameter("c", 12.0, 1.0, r_end),
        parameter("d", 900.0, 40.0, r_end),
    ];
    let summit = [160.0, 380.0, 20.0, 700.0];
    let widths = [8.0, 20.0, 1.0, 40.0];
    (Spsa::new(parameters, iterations, 99).unwrap(), summit, widths)
}

/// A hill whose height falls with the square of the distance from its summit, in units of `widths`.
fn height(values: &[f64], summit: &[f64], widths: &[f64]) -> f64 {
    -values.iter().zip(summit).zip(widths).map(|((v, s), w)| ((v - s) / w).powi(2)).sum::<f64>()
}

fn values(tuning: &Spsa) -> Vec<f64> {
    tuning.parameters().iter().map(|parameter| parameter.value).collect()
}

#[test]
fn climbs_a_noisy_quadratic() {
    let (mut tuning, summit, widths) = far_from_the_summit(2000, 0.01);
    let mut random = SplitMix64::new(4);
    let before = height(&values(&tuning), &summit, &widths);
    for k in 1..=2000 {
        let sides = tuning.perturbation(k).unwrap();
        let noise = 20.0 * (random.unit() - 0.5);
        let difference =
            height(&sides.plus, &summit, &widths) - height(&sides.minus, &summit, &widths);
        tuning.advance(k, difference + noise).unwrap();
    }
    let after = height(&values(&tuning), &summit, &widths);
    println!("noisy quadratic: from {before:.1} to {after:.3}");
    assert!(before < -150.0 && after > -1.0, "from {before} to {after}");
}

/// The real thing in small: the height is in Elo, all that is seen of it are pairs of games, and the
/// engine takes whole numbers only.
#[test]
fn climbs_a_hill_of_elo_by_playing_games() {
    const PAIRS: u64 = 30_000;
    let (mut tuning, summit, widths) = far_from_the_summit(PAIRS, 0.01);
    let elo = |values: &[f64]| 0.5 * height(values, &summit, &widths);
    let mut random = SplitMix64::new(5);
    let before = elo(&values(&tuning));
    for k in 1..=PAIRS {
        let [plus, minus] = tuning
            .perturbation(k)
            .unwrap()
            .rounded()
            .map(|side| elo(&side.iter().map(|&value| value as f64).collect::<Vec<_>>()));
        let mut games = Wdl::default();
        for bias in [120.0, -120.0] {
            games.record(simulation::game(plus - minus + bias, 250.0, &mut random));
        }
        tuning.update(k, games).unwrap();
    }
    let after = elo(&values(&tuning));
    println!("hill of Elo: from {before:.1} to {after:.2} Elo in {PAIRS} pairs");
    assert!(before < -75.0 && after > -5.0, "from {before} to {after}");
    assert_eq!(tuning.finished(), PAIRS);
    assert_eq!(tuning.unfinished().next(), None);
}

#[test]
fn shifts_and_rates_end_where_the_parameter_asks() {
    let tuning = Spsa::new(vec![parameter("a", 500.0, 7.0, 0.002)], 1000, 1).unwrap();
    let last = tuning.perturbation(1000).unwrap();
    assert!(((last.plus[0] - 500.0).abs() - 7.0).abs() < 1e-9);
    assert_eq!(last.plus[0] - 500.0, 500.0 - last.minus[0]);
    let first = tuning.perturbation(1).unwrap();
    assert!(((first.plus[0] - 500.0).abs() - 7.0 * 1000f64.powf(GAMMA)).abs() < 1e-9);

    // In the last iteration one game more won than lost moves the value by r_end times the shift.
    let mut moved = tuning.clone();
    moved.update(1000, Wdl { wins: 1, draws: 1, losses: 0 }).unwrap();
    let step = moved.parameters()[0].value - 500.0;
    assert!((step - 0.002 * (last.plus[0] - 500.0)).abs() < 1e-9, "{step}");
}

#[test]
fn perturbations_depend_on_seed_and_number_alone() {
    let (tuning, ..) = far_from_the_summit(1000, 0.01);
    let (mut other, ..) = far_from_the_summit(1000, 0.01);
    other.update(3, Wdl { wins: 0, draws: 2, losses: 0 }).unwrap();
    for k in 1..=1000 {
        assert_eq!(tuning.perturbation(k), other.perturbation(k));
    }
    let mut seeds = BTreeSet::new();
    for seed in 0..20 {
        let tuning = Spsa::new(tuning.parameters.clone(), 1000, seed).unwrap();
        let directions: Vec<bool> =
            (1..=16).map(|k| tuning.perturbation(k).unwrap().plus[0] > 100.0).collect();
        seeds.insert(directions);
    }
    assert!(seeds.len() > 15, "the seed chooses the directions");
}

#[test]
fn directions_are_fair_and_rounding_keeps_the_mean() {
    let mut tuning = Spsa::new(vec![parameter("a", 50.3, 0.25, 0.01)], 20_000, 8).unwrap();
    tuning.parameters.push(parameter("b", 70.0, 0.25, 0.01));
    let (mut ups, mut agreements, mut sums) = (0u32, 0u32, [0i64; 2]);
    for k in 1..=20_000 {
        let sides = tuning.perturbation(k).unwrap();
        let up = [sides.plus[0] > 50.3, sides.plus[1] > 70.0];
        ups += u32::from(up[0]);
        agreements += u32::from(up[0] == up[1]);
        let [plus, minus] = sides.rounded();
        sums[0] += plus[0] + minus[0];
        sums[1] += if up[0] { plus[0] - minus[0] } else { minus[0] - plus[0] };
    }
    // Five standard deviations of a fair coin.
    assert!(ups.abs_diff(10_000) < 354 && agreements.abs_diff(10_000) < 354);
    let [center, distance] = sums.map(|sum| sum as f64 / 20_000.0);
    assert!((center / 2.0 - 50.3).abs() < 0.02, "{center}");
    // Twice the shift, averaged over its slow fall.
    assert!((distance - 0.5 / (1.0 - GAMMA)).abs() < 0.02, "{distance}");
}

#[test]
fn values_stay_in_their_range() {
    let mut tuning = Spsa::new(vec![parameter("a", 1.0, 5.0, 50.0)], 200, 3).unwrap();
    for k in 1..=200 {
        let sides = tuning.perturbation(k).unwrap();
        for value in [sides.plus[0], sides.minus[0]] {
            assert!((0.0..=1000.0).contains(&value));
        }
        assert!(sides.rounded().iter().all(|side| (0..=1000).contains(&side[0])));
        tuning.update(k, Wdl { wins: 2, draws: 0, losses: 0 }).unwrap();
        assert!((0.0..=1000.0).contains(&tuning.parameters()[0].value));
    }
}

/// Written out, read back and gone on with, a tuning ends where it would have ended anyway; what was
/// being played when it stopped is played again.
#[test]
fn goes_on_after_an_interrupt() {
    let result = |k: u64| match SplitMix64::stream(6, k).next() % 3 {
        0 => Wdl { wins: 2, draws: 0, losses: 0 },
        1 => Wdl { wins: 0, draws: 1, losses: 1 },
        _ => Wdl { wins: 1, draws: 0, losses: 1 },
    };
    let (start, ..) = far_from_the_summit(50, 0.01);
    let mut straight = start.clone();
    for k in (1..=10).chain([12, 13]).chain(11..=11).chain(14..=50) {
        straight.update(k, result(k)).unwrap();
    }

    let mut interrupted = start;
    for k in (1..=10).chain([12, 13]) {
        interrupted.update(k, result(k)).unwrap();
    }
    let text = serde_json::to_string(&interrupted).unwrap();
    let mut resumed: Spsa = serde_json::from_str(&text).unwrap();
    assert_eq!(resumed, interrupted);
    assert_eq!(resumed.finished(), 12);
    let rest: Vec<u64> = resumed.unfinished().collect();
    assert_eq!(rest[..3], [11, 14, 15]);
    for k in rest {
        resumed.update(k, result(k)).unwrap();
    }
    assert_eq!(resumed, straight);
    assert!(resumed.finished_early.is_empty());
}

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    let good = parameter("a", 5.0, 1.0, 0.01);
    let new = |change: fn(&mut Parameter)| {
        let mut parameter = good.clone();
        change(&mut parameter);
        Spsa::new(vec![parameter], 10, 0).unwrap_err().to_string()
    };
    assert!(new(|p| p.min = 1000.0).contains("less than max 1000"));
    assert!(new(|p| p.value = -1.0).contains("starts at -1, which should lie between 0 and 1000"));
    assert!(new(|p| p.c_end = 0.0).contains("c_end of parameter \"a\" should be greater than 0"));
    assert!(new(|p| p.r_end = -1.0).contains("r_end of parameter \"a\" should be greater than 0"));
    assert!(new(|p| p.max = f64::INFINITY).contains("max of parameter \"a\""));
    assert!(new(|p| p.c_end = 1e300).contains("c_end of parameter \"a\""));
    assert_eq!(Spsa::new(vec![], 10, 0), Err(SpsaError::NoParameters));
    assert_eq!(Spsa::new(vec![good.clone()], 0, 0), Err(SpsaError::NoIterations));
    assert_eq!(
        Spsa::new(vec![good.clone(), good.clone()], 10, 0),
        Err(SpsaError::DuplicateName("a".into()))
    );

    let mut tuning = Spsa::new(vec![good], 10, 0).unwrap();
    let outside = |iteration| SpsaError::NoSuchIteration { iteration, iterations: 10 };
    assert_eq!(tuning.perturbation(0), Err(outside(0)));
    assert_eq!(tuning.update(11, Wdl::default()), Err(outside(11)));
    tuning.update(2, Wdl::default()).unwrap();
    assert_eq!(tuning.update(2, Wdl::default()), Err(SpsaError::FinishedBefore(2)));
    tuning.update(1, Wdl::default()).unwrap();
    assert_eq!(tuning.update(1, Wdl::default()), Err(SpsaError::FinishedBefore(1)));

    let text = serde_json::to_string(&tuning).unwrap();
    for (from, to) in [("\"finished\":2", "\"finished\":11"), ("_early\":[]", "_early\":[1]")] {
        assert!(text.contains(from), "{text}");
        assert!(serde_json::from_str::<Spsa>(&text.replace(from, to)).is_err());
    }
}

#[test]
fn the_longest_tuning_can_be_counted() {
    let mut tuning = Spsa::new(vec![parameter("a", 5.0, 1.0, 0.01)], u64::MAX, 0).unwrap();
    tuning.finished = u64::MAX - 1;
    assert!(tuning.unfinished().eq([u64::MAX]));
    tuning.update(u64::MAX, Wdl::default()).unwrap();
    assert_eq!((tuning.finished(), tuning.unfinished().next()), (u64::MAX, None));
}

#[test]
fn the_wildest_parameter_stays_a_number() {
    let wild = Parameter {
        name: "wild".into(),
        value: 0.0,
        min: -1e15,
        max: 1e15,
        c_end: 1e15,
        r_end: 1e15,
    };
    let mut tuning = Spsa::new(vec![wild], 1000, 0).unwrap();
    for (k, wins) in [(1, 0), (2, u32::MAX), (3, 0)] {
        tuning.update(k, Wdl { wins, draws: 0, losses: 0 }).unwrap();
        assert!(tuning.parameters()[0].value.abs() <= 1e15);
    }
}
