use super::EloModel::{Logistic, Normalized};
use super::*;
use crate::stats::simulation::PairModel;
use tabiya_chess::rng::SplitMix64;

fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

/// Matches whose LLR was published: the tests of Stockfish's patches as quoted in its pull requests
/// (`#n`), computed there from all five frequencies, and the test values of fastchess and racetrack.
#[test]
fn agrees_with_published_matches() {
    let published = [
        ("#2493 STC", Logistic, [424, 2948, 5832, 3045, 460], -1.0, 3.0, 2.94),
        ("#2493 LTC", Logistic, [1284, 17437, 55536, 18085, 1292], 0.0, 2.0, 2.94),
        ("#2598 STC", Logistic, [243, 1665, 3339, 1762, 281], -1.5, 0.5, 2.95),
        ("#2598 LTC", Logistic, [444, 5546, 17841, 5604, 428], -1.5, 0.5, 2.63),
        ("#2950 STC", Logistic, [133, 1751, 5094, 1849, 165], -0.5, 1.5, 2.94),
        ("#2971 STC", Logistic, [17, 253, 1042, 337, 39], -0.5, 1.5, 2.96),
        ("#2971 LTC", Logistic, [11, 407, 3238, 513, 11], 0.25, 1.75, 2.93),
        ("#3209 STC", Logistic, [253, 4282, 17604, 4431, 286], -0.25, 1.25, 2.94),
        ("#3209 LTC", Logistic, [58, 3302, 33130, 3518, 84], 0.25, 1.25, 2.97),
        ("fastchess", Logistic, [223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ("fastchess", Logistic, [871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
        ("#3514 STC", Normalized, [264, 5737, 31270, 5964, 269], -0.5, 2.5, 2.97),
        ("#3514 LTC", Normalized, [29, 2205, 35000, 2392, 34], 0.5, 3.5, 2.94),
        ("#3679 STC", Normalized, [117, 4287, 9664, 4481, 135], -0.5, 2.5, 2.95),
        ("#3679 LTC", Normalized, [11, 1383, 3682, 1571, 17], 0.5, 3.5, 2.94),
        ("#5257 STC", Normalized, [914, 28467, 61458, 29126, 899], 0.0, 2.0, 2.99),
        ("#5257 LTC", Normalized, [82, 18412, 46354, 18988, 89], 0.5, 2.5, 2.96),
        ("#5712 LTC", Normalized, [307, 54901, 140959, 56230, 281], 0.5, 2.5, 2.95),
        ("#5906 STC", Normalized, [467, 16804, 36571, 16874, 484], -1.75, 0.25, 2.94),
        ("#6112 VLTC", Normalized, [9, 4779, 14516, 4970, 5], -1.75, 0.25, 2.95),
        ("#6616 VVLTC", Normalized, [2, 1925, 6607, 2176, 2], 0.0, 2.0, 2.94),
        ("#6616 VVLTC", Normalized, [5, 2968, 10474, 3253, 5], 0.5, 2.5, 2.96),
        ("fastchess", Normalized, [365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.25),
        ("fastchess", Normalized, [127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
        ("racetrack", Normalized, [440, 2910, 5170, 2888, 455], 0.0, 5.0, -2.27),
        ("racetrack", Normalized, [142, 620, 1122, 699, 188], 0.0, 5.0, 2.99),
        ("racetrack", Normalized, [349, 1561, 3340, 1604, 359], -5.0, 0.0, 2.90),
        ("racetrack", Normalized, [98, 382, 674, 369, 71], -5.0, 0.0, -1.11),
        // A rout in 78 games.
        ("fastchess", Normalized, [0, 0, 2, 0, 37], 0.0, 20.0, 2.96),
    ];
    let mut worst: f64 = 0.0;
    for (source, model, counts, elo0, elo1, llr) in published {
        let ours = sprt(elo0, elo1, model).llr(&Pentanomial::new(counts));
        worst = worst.max((ours - llr).abs());
        // The published figures have two decimals, and come from the other likelihood.
        assert!((ours - llr).abs() < 0.03, "{source} {counts:?}: {ours:.3}, published {llr}");
    }
    println!("{} published matches, largest difference {worst:.3}", published.len());
}

/// How a likelihood ratio reads from five frequencies fitted freely under each hypothesis about the
/// mean: the other generalised test, to compare with.
fn multinomial_llr(counts: [u32; 5], elo0: f64, elo1: f64) -> f64 {
    // Empty cells get the thousandth of a pair that is customary for this test.
    let counts = counts.map(|n| f64::from(n).max(1e-3));
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    // By Lagrange's method the fitted frequency is p/(1 + x(a−s)), where x makes the mean s.
    let tilt = |mean: f64| {
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..200 {
            let x = (low + high) / 2.0;
            let excess: f64 = counts
                .iter()
                .zip(scores)
                .map(|(p, a)| p * (a - mean) / (1.0 + x * (a - mean)))
                .sum();
            if excess > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        (low + high) / 2.0
    };
    let (s0, s1) = (elo::expected_score(elo0), elo::expected_score(elo1));
    let (x0, x1) = (tilt(s0), tilt(s1));
    counts
        .iter()
        .zip(scores)
        .map(|(n, a)| n * ((1.0 + x0 * (a - s0)) / (1.0 + x1 * (a - s1))).ln())
        .sum()
}

#[test]
fn the_two_generalised_tests_agree() {
    let mut random = SplitMix64::new(5);
    for (elo, draw_elo) in [(-5.0, 200.0), (3.0, 327.0), (40.0, 100.0), (4.0, 500.0)] {
        let model = PairModel::logistic(elo, draw_elo, &[-90.0, 200.0]);
        for _ in 0..50 {
            let results = model.play(2000, &mut random);
            let ours = sprt(0.0, 5.0, Logistic).llr(&results);
            let theirs = multinomial_llr(results.counts(), 0.0, 5.0);
            assert!(
                (ours - theirs).abs() < 0.02 + 0.03 * theirs.abs(),
                "{results:?}: {ours}, multinomial {theirs}"
            );
        }
    }
}

#[test]
fn the_bounds_are_walds() {
    let (lower, upper) = sprt(0.0, 5.0, Logistic).bounds();
    assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
    let (lower, upper) = Sprt::new(0.0, 5.0, 0.05, 0.1, Logistic).unwrap().bounds();
    assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-12);
    assert!((upper - (0.9f64 / 0.05).ln()).abs() < 1e-12);
}

#[test]
fn verdicts_follow_the_bounds_and_the_limit() {
    let test = sprt(0.0, 5.0, Logistic);
    let nothing = Pentanomial::default();
    assert_eq!(test.llr(&nothing), 0.0);
    assert_eq!(test.verdict(&nothing, None), Verdict::Continue);
    assert_eq!(test.verdict(&nothing, Some(0)), Verdict::Undecided);
    let open = Pentanomial::new([10, 40, 100, 41, 10]);
    assert_eq!(test.verdict(&open, Some(1000)), Verdict::Continue);
    assert_eq!(test.verdict(&open, Some(201)), Verdict::Undecided);
    let better = Pentanomial::new([10, 100, 500, 250, 40]);
    assert_eq!(test.verdict(&better, Some(1)), Verdict::AcceptH1);
    let worse = Pentanomial::new([40, 250, 500, 100, 10]);
    assert_eq!(test.verdict(&worse, None), Verdict::AcceptH0);
}

/// Equal results in a row are what a variance taken at face value would call certainty.
#[test]
fn a_run_of_equal_results_decides_nothing_early() {
    for model in [Logistic, Normalized] {
        for (elo0, elo1) in [(0.0, 5.0), (0.0, 2.0), (-5.0, 0.0)] {
            for cell in 0..5 {
                let mut counts = [0; 5];
                counts[cell] = 40;
                let verdict = sprt(elo0, elo1, model).verdict(&Pentanomial::new(counts), None);
                assert_eq!(verdict, Verdict::Continue, "{model} {elo0} {elo1} {counts:?}");
            }
        }
    }
}

#[test]
fn swapping_the_players_swaps_the_hypotheses() {
    for model in [Logistic, Normalized] {
        let results = [17, 253, 1042, 337, 39];
        let mut swapped = results;
        swapped.reverse();
        let ours = sprt(-1.0, 4.0, model).llr(&Pentanomial::new(results));
        let theirs = sprt(-4.0, 1.0, model).llr(&Pentanomial::new(swapped));
        assert!((ours + theirs).abs() < 1e-9, "{ours} {theirs}");
    }
}

#[test]
fn words_are_read_in_any_order_and_written_back() {
    let test: Sprt = " model=normalised beta=0.1 elo1=2.5 elo0=-0.5  alpha=0.02".parse().unwrap();
    assert_eq!(test, Sprt::new(-0.5, 2.5, 0.02, 0.1, Normalized).unwrap());
    assert_eq!(test.to_string().parse(), Ok(test));
    assert_eq!("elo0=0 elo1=5".parse(), Ok(sprt(0.0, 5.0, Logistic)));
    let json = serde_json::to_string(&test).unwrap();
    assert_eq!(serde_json::from_str::<Sprt>(&json).unwrap(), test);
}

#[test]
fn wrong_words_are_refused_with_a_reason() {
    let message = |words: &str| words.parse::<Sprt>().unwrap_err().to_string();
    for (words, reason) in [
        ("", "elo0 is missing"),
        ("elo0=0", "elo1 is missing"),
        ("elo0=0 elo1", "\"elo1\" should be written name=value"),
        ("elo0=0 elo2=5", "no \"elo2\""),
        ("elo0=0 elo0=0 elo1=5", "elo0 is given twice"),
        ("elo0=0 elo1=five", "elo1=five should be a number, for example elo1=5"),
        ("elo0=5 elo1=0", "elo0=5 should be less than elo1=0"),
        ("elo0=0 elo1=nan", "elo1=NaN should lie between -1000 and 1000"),
        ("elo0=0 elo1=1e9", "should lie between -1000 and 1000"),
        ("elo0=0 elo1=5 alpha=0", "alpha=0 should lie between 0 and 0.5"),
        ("elo0=0 elo1=5 beta=inf", "beta=inf should lie between 0 and 0.5"),
        ("elo0=0 elo1=5 model=bayes", "model=bayes should be model=logistic or model=normalised"),
    ] {
        assert!(message(words).contains(reason), "{words}: {}", message(words));
    }
    let backwards = r#"{"elo0":5.0,"elo1":0.0,"alpha":0.05,"beta":0.05,"model":"logistic"}"#;
    assert!(serde_json::from_str::<Sprt>(backwards).is_err());
}

/// A world in which tests are run: how drawish the games are, and how uneven the openings.
struct World {
    name: &'static str,
    draw_elo: f64,
    openings: &'static [f64],
}

const WORLDS: [World; 4] = [
    World { name: "decisive", draw_elo: 60.0, openings: &[-30.0, 90.0] },
    World { name: "usual", draw_elo: 327.0, openings: &[-90.0, 200.0] },
    World { name: "biased openings", draw_elo: 250.0, openings: &[350.0, 450.0] },
    World { name: "drawish", draw_elo: 600.0, openings: &[0.0, 60.0] },
];

impl World {
    fn engines(&self, elo: f64, model: EloModel) -> PairModel {
        match model {
            Logistic => PairModel::logistic(elo, self.draw_elo, self.openings),
            Normalized => PairModel::normalized(elo, self.draw_elo, self.openings),
        }
    }
}

/// The share of matches that end with `verdict`, and how many pairs they take on average.
fn run(test: &Sprt, engines: &PairModel, verdict: Verdict, matches: u32, seed: u64) -> (f64, f64) {
    let (mut count, mut pairs) = (0u32, 0u64);
    for index in 0..matches {
        let mut random = SplitMix64::stream(seed, u64::from(index));
        let mut counts = [0; 5];
        let (given, played) = loop {
            counts[engines.pair(&mut random)] += 1;
            let results = Pentanomial::new(counts);
            match test.verdict(&results, None) {
                Verdict::Continue => {}
                decided => break (decided, results.pairs()),
            }
        };
        count += u32::from(given == verdict);
        pairs += played;
    }
    (f64::from(count) / f64::from(matches), pairs as f64 / f64::from(matches))
}

/// The promise of the test: with a true lead of `elo0` it accepts H1 in 5 % of all matches at most,
/// and with a true lead of `elo1` it accepts H0 in 5 % at most.
#[test]
fn error_rates_stay_at_the_set_five_per_cent() {
    const MATCHES: u32 = 3000;
    for world in &WORLDS {
        check_error_rates(&sprt(0.0, 40.0, Logistic), world, MATCHES);
        check_error_rates(&sprt(-10.0, 40.0, Normalized), world, MATCHES);
    }
    let [_, usual, _, drawish] = &WORLDS;
    check_error_rates(&sprt(0.0, 10.0, Logistic), usual, MATCHES);
    check_error_rates(&sprt(-10.0, 0.0, Logistic), drawish, MATCHES);
    check_error_rates(&sprt(0.0, 20.0, Normalized), usual, MATCHES);
}

#[test]
#[ignore = "takes minutes; the figures to publish"]
fn error_rates_over_many_more_matches() {
    const MATCHES: u32 = 20_000;
    for world in &WORLDS {
        for (elo0, elo1) in [(0.0, 5.0), (0.0, 10.0), (-10.0, 0.0)] {
            check_error_rates(&sprt(elo0, elo1, Logistic), world, MATCHES);
        }
        for (elo0, elo1) in [(0.0, 10.0), (-5.0, 5.0)] {
            check_error_rates(&sprt(elo0, elo1, Normalized), world, MATCHES);
        }
    }
}

fn check_error_rates(test: &Sprt, world: &World, matches: u32) {
    let null = world.engines(test.elo0(), test.model());
    let alternative = world.engines(test.elo1(), test.model());
    let (positive, length0) = run(test, &null, Verdict::AcceptH1, matches, 11);
    let (negative, length1) = run(test, &alternative, Verdict::AcceptH0, matches, 12);
    println!(
        "{:<10} [{:>3}, {:>2}] {:<15} {matches} matches each: false positives {:.2} %, \
         false negatives {:.2} %, {length0:.0} and {length1:.0} pairs on average",
        test.model().to_string(),
        test.elo0(),
        test.elo1(),
        world.name,
        100.0 * positive,
        100.0 * negative,
    );
    let noise = 3.0 * (0.05 * 0.95 / f64::from(matches)).sqrt();
    assert!(positive <= 0.05 + noise, "false positives {positive}");
    assert!(negative <= 0.05 + noise, "false negatives {negative}");
}
