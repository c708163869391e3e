use super::*;
use crate::results::Wdl;
use crate::stats::elo::from_score;
use crate::stats::simulation;
use tabiya_chess::rng::SplitMix64;

fn table(players: &[&str], results: &[(usize, usize, [u32; 3])]) -> ResultTable {
    let mut table = ResultTable::new(players.iter().copied()).unwrap();
    for &(first, second, [wins, draws, losses]) in results {
        table.add(first, second, Wdl { wins, draws, losses }).unwrap();
    }
    table
}

fn near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} ± {tolerance}");
}

/// Two players: the rating difference is the Elo of the score, and without draws its standard
/// deviation is that of the logit of a binomial share, 1/√(npq).
#[test]
fn two_players_by_hand() {
    let table = table(&["a", "b"], &[(0, 1, [75, 0, 25])]);
    let ratings = Ratings::fit(&table, Anchor::Average(1000.0)).unwrap();
    near(ratings.players[0].rating, 1000.0 + 190.8485 / 2.0, 1e-3);
    near(ratings.players[1].rating, 1000.0 - 190.8485 / 2.0, 1e-3);
    let deviation = ELO_PER_NAT / (100.0f64 * 0.75 * 0.25).sqrt();
    near(ratings.players[0].error.unwrap(), 1.96 * deviation / 2.0, 0.1);
    near(ratings.superiority[0][1], normal::cumulative(190.8485 / deviation), 1e-4);
    assert!(!ratings.regularised);

    let anchored = Ratings::fit(&table, Anchor::Player { player: 1, rating: 2800.0 }).unwrap();
    near(anchored.players[0].rating, 2990.8485, 1e-3);
    near(anchored.players[0].error.unwrap(), 1.96 * deviation, 0.2);
    assert_eq!((anchored.players[1].rating, anchored.players[1].error), (2800.0, None));
}

/// A chain: a beats b at 64 %, b beats c at 76 %, a and c never met. Each link is fitted exactly.
#[test]
fn a_chain_by_hand() {
    let table =
        table(&["c", "a", "b"], &[(1, 2, [54, 20, 26]), (2, 0, [70, 12, 18]), (1, 0, [0, 0, 0])]);
    let ratings = Ratings::fit(&table, Anchor::Player { player: 0, rating: 0.0 }).unwrap();
    near(ratings.players[2].rating, from_score(0.76), 1e-6);
    near(ratings.players[1].rating, from_score(0.76) + from_score(0.64), 1e-6);
    // Independent links: the squares of the errors add up.
    let [b, a] = [2, 1].map(|player: usize| ratings.players[player].error.unwrap());
    let against_b = Ratings::fit(&table, Anchor::Player { player: 2, rating: 0.0 }).unwrap();
    near(a * a, b * b + against_b.players[1].error.unwrap().powi(2), 1e-6);
    assert_eq!(ratings.ranking(), [1, 2, 0]);
}

/// A circle of equal victories leaves all equal; draws narrow the bars and move nothing.
#[test]
fn a_circle_by_hand() {
    let sharp =
        table(&["a", "b", "c"], &[(0, 1, [60, 0, 40]), (1, 2, [60, 0, 40]), (2, 0, [60, 0, 40])]);
    let drawn = table(
        &["a", "b", "c"],
        &[(0, 1, [30, 60, 10]), (1, 2, [30, 60, 10]), (2, 0, [30, 60, 10])],
    );
    let [sharp, drawn] =
        [sharp, drawn].map(|table| Ratings::fit(&table, Anchor::Average(0.0)).unwrap());
    for player in 0..3 {
        near(sharp.players[player].rating, 0.0, 1e-6);
        near(drawn.players[player].rating, 0.0, 1e-6);
        near(sharp.superiority[player][(player + 1) % 3], 0.5, 1e-9);
        // 40 of 100 games are decided, so the variance is 0.4 of that without draws.
        let ratio = drawn.players[player].error.unwrap() / sharp.players[player].error.unwrap();
        near(ratio, 0.4f64.sqrt(), 0.01);
    }
}

#[test]
fn expected_points_are_the_points_made() {
    let table = table(
        &["a", "b", "c", "d"],
        &[
            (0, 1, [5, 3, 2]),
            (0, 2, [8, 1, 1]),
            (0, 3, [30, 5, 1]),
            (1, 2, [4, 4, 4]),
            (1, 3, [9, 9, 2]),
            (2, 3, [1, 5, 1]),
        ],
    );
    let ratings = Ratings::fit(&table, Anchor::Average(2300.0)).unwrap();
    for player in 0..4 {
        let expected: f64 = (0..4)
            .map(|opponent| {
                let lead = ratings.players[player].rating - ratings.players[opponent].rating;
                table.between(player, opponent).games() as f64 * expected_score(lead)
            })
            .sum();
        near(expected, table.total(player).points(), 1e-6);
    }
    near(mean(&ratings.players.iter().map(|p| p.rating).collect::<Vec<_>>()), 2300.0, 1e-6);
}

#[test]
fn perfect_scores_are_held_back_by_half_a_virtual_game() {
    let swept = table(&["a", "b"], &[(0, 1, [10, 0, 0])]);
    let ratings = Ratings::fit(&swept, Anchor::Player { player: 1, rating: 0.0 }).unwrap();
    assert!(ratings.regularised);
    near(ratings.players[0].rating, from_score(10.25 / 10.5), 1e-6);
    assert!(ratings.players[0].error.unwrap() > 300.0);

    let camps = table(
        &["a", "b", "c", "d"],
        &[(0, 1, [5, 5, 5]), (2, 3, [5, 5, 5]), (0, 2, [9, 0, 0]), (1, 3, [9, 0, 0])],
    );
    let ratings = Ratings::fit(&camps, Anchor::Average(0.0)).unwrap();
    assert!(ratings.regularised);
    assert!(ratings.players.iter().all(|p| p.rating.abs() < 2000.0));
    assert!(ratings.superiority[0][2] > 0.95 && ratings.superiority[0][2] < 1.0);

    let mut half_a_point = camps;
    half_a_point.add(2, 0, Wdl { wins: 0, draws: 1, losses: 0 }).unwrap();
    assert!(!Ratings::fit(&half_a_point, Anchor::Average(0.0)).unwrap().regularised);
}

#[test]
fn only_draws_are_no_certainty() {
    let drawn = table(&["a", "b"], &[(0, 1, [0, 10, 0])]);
    let ratings = Ratings::fit(&drawn, Anchor::Player { player: 1, rating: 0.0 }).unwrap();
    near(ratings.players[0].rating, 0.0, 1e-9);
    assert!(ratings.players[0].error.unwrap() > 30.0);
    near(ratings.superiority[0][1], 0.5, 1e-9);
}

#[test]
fn what_cannot_be_rated_says_why() {
    let message =
        |table: &ResultTable, anchor| Ratings::fit(table, anchor).unwrap_err().to_string();
    let two = table(&["a", "b"], &[(0, 1, [1, 1, 1])]);
    assert!(message(&table(&["a"], &[]), Anchor::Average(0.0)).contains("two players"));
    assert!(
        message(&two, Anchor::Player { player: 2, rating: 0.0 }).contains("number 2"),
        "the anchor is out of range"
    );
    assert!(message(&two, Anchor::Average(f64::NAN)).contains("NaN"));

    let apart = table(
        &["a", "b", "c", "d", "e"],
        &[(0, 2, [1, 1, 1]), (1, 3, [1, 1, 1]), (3, 4, [0, 0, 0])],
    );
    let error = Ratings::fit(&apart, Anchor::Average(0.0)).unwrap_err();
    assert_eq!(
        error,
        RatingError::Disconnected(vec![
            vec!["a".into(), "c".into()],
            vec!["b".into(), "d".into()],
            vec!["e".into()]
        ])
    );
    assert!(error.to_string().contains("[a, c] [b, d] [e]"), "{error}");
}

#[test]
fn extreme_results_do_not_break_the_numbers() {
    let most = u32::MAX;
    for results in [
        vec![(0, 1, [most, 0, 1]), (1, 2, [most, 0, 1]), (2, 3, [most, 0, 1])],
        vec![(0, 1, [most, most, most]), (1, 2, [1, 0, 0]), (2, 3, [0, 0, 1])],
        vec![(0, 1, [most, 0, 0]), (1, 2, [most, 0, 0]), (2, 3, [most, 0, 0])],
    ] {
        let ratings =
            Ratings::fit(&table(&["a", "b", "c", "d"], &results), Anchor::Average(0.0)).unwrap();
        let finite = |player: &PlayerRating| {
            player.rating.is_finite() && player.error.is_some_and(f64::is_finite)
        };
        assert!(ratings.players.iter().all(finite), "{ratings:?}");
    }
}

#[test]
fn a_large_field_is_rated_in_reasonable_time() {
    let names: Vec<String> = (0..150).map(|n| format!("engine {n}")).collect();
    let mut table = ResultTable::new(names).unwrap();
    let mut random = SplitMix64::new(3);
    for a in 0..150 {
        for b in a + 1..150 {
            let lead = 10.0 * (a as f64 - b as f64);
            table.record(a, b, simulation::game(lead, 200.0, &mut random)).unwrap();
        }
    }
    let ratings = Ratings::fit(&table, Anchor::Average(0.0)).unwrap();
    assert!(ratings.players[149].rating > ratings.players[0].rating + 500.0);
}

/// In simulated tournaments the 95 % bars hold the true distances in about 95 of 100 cases.
#[test]
fn error_bars_cover_the_truth() {
    const TOURNAMENTS: u64 = 400;
    for (draw_elo, games) in [(60.0, 20), (200.0, 20), (327.0, 60)] {
        // Strengths in the generator's own unit; the truth in logistic Elo between two players is
        // what their expected score says, and with draws that is not additive. A field this close
        // together keeps the difference below a tenth of the bars.
        let leads = [0.0, 30.0, -45.0, 60.0, -10.0, 15.0];
        let [loss, _, win] = simulation::game_chances(1.0, draw_elo);
        let elo_per_lead = from_score(0.5 + (win - loss) / 2.0);
        let average = mean(&leads) * elo_per_lead;
        let (mut held_anchored, mut held_average, mut bars) = (0u32, 0u32, 0u32);
        for index in 0..TOURNAMENTS {
            let mut random = SplitMix64::stream(17, index);
            let mut table = ResultTable::new(["a", "b", "c", "d", "e", "f"]).unwrap();
            for a in 0..6 {
                for b in a + 1..6 {
                    for _ in 0..games {
                        let outcome = simulation::game(leads[a] - leads[b], draw_elo, &mut random);
                        table.record(a, b, outcome).unwrap();
                    }
                }
            }
            let anchored = Ratings::fit(&table, Anchor::Player { player: 0, rating: 0.0 }).unwrap();
            let free = Ratings::fit(&table, Anchor::Average(0.0)).unwrap();
            for (player, lead) in leads.iter().enumerate().skip(1) {
                let truth = lead * elo_per_lead;
                let holds = |rated: &PlayerRating, truth: f64| {
                    u32::from((rated.rating - truth).abs() <= rated.error.unwrap())
                };
                held_anchored += holds(&anchored.players[player], truth);
                held_average += holds(&free.players[player], truth - average);
                bars += 1;
            }
        }
        let share = |held: u32| f64::from(held) / f64::from(bars);
        println!(
            "draw Elo {draw_elo}, {games} games an encounter: bars hold {:.4} anchored, {:.4} free",
            share(held_anchored),
            share(held_average)
        );
        assert!((0.93..0.97).contains(&share(held_anchored)));
        assert!((0.93..0.97).contains(&share(held_average)));
    }
}
