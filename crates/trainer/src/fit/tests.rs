//! Fits to positions of random games.

use super::*;
use crate::record::tests::random_game;
use std::sync::Arc;
use tabiya_chess::rng::SplitMix64;
use tabiya_engine::eval::{DEFAULT, Evaluator};

pub(super) fn start() -> Vec<RealPair> {
    to_real(&DEFAULT)
}

/// Positions of random games, each with the points that a coin with the right chance gives it.
pub(super) fn some_samples(games: u64) -> Vec<FitSample> {
    let evaluator = Evaluator::new(Arc::new(DEFAULT));
    let mut random = SplitMix64::stream(9, 9);
    let weights = start();
    let mut samples = Vec::new();
    for seed in 0..games {
        let mut ply = 0;
        let visit = |position: &tabiya_chess::Position, _: &crate::record::Ply| {
            ply += 1;
            if ply % 7 == 0
                && !position.in_check()
                && let Some(trace) = evaluator.trace(position)
            {
                let value = trace.value(&weights);
                let coin = random.below(1 << 32) as f64 / (1u64 << 32) as f64;
                let points = f32::from(u8::from(coin < sigmoid(value / 200.0)));
                samples.push(FitSample { trace, score: value as i16, points });
            }
        };
        random_game(seed, 120).replay(visit).unwrap();
    }
    samples
}

fn split(samples: Vec<FitSample>) -> Samples {
    let mut samples = samples;
    let validation = samples.split_off(samples.len() * 4 / 5);
    Samples { training: samples, validation, ..Samples::default() }
}

/// Without material the evaluation is far off; the fit must find that pieces are worth something.
fn without_material() -> Weights {
    Weights { material: [Pair::ZERO; 5], ..DEFAULT }
}

fn quick() -> FitRecipe {
    FitRecipe { batch: 256, epochs: 8, rate: 20.0, ..FitRecipe::default() }
}

#[test]
fn the_scale_is_found() {
    let scale = fit_scale(&some_samples(300), &start());
    assert!((150.0..270.0).contains(&scale), "{scale}");
}

#[test]
fn what_was_lost_is_found_again() {
    let samples = split(some_samples(900));
    // Larger steps let other weights take over from material by chance.
    let gentle = FitRecipe { rate: 5.0, ..quick() };
    let mut seen = Vec::new();
    let fitted = fit(&samples, &without_material(), &gentle, 1, &|| false, &mut |epoch, errors| {
        seen.push((epoch, errors.validation));
    })
    .unwrap();
    assert!(fitted.after.validation < 0.6 * fitted.before.validation, "{fitted:?}");
    assert!(fitted.after.training < 0.6 * fitted.before.training);
    assert_eq!(seen.len(), fitted.epochs.len());
    // Where a pawn stands tells that there is one: the other weights can take over from its own.
    let [_, knight, bishop, rook, queen] = fitted.weights.material.map(Pair::midgame);
    assert!(knight > 20 && bishop > 20 && rook > 20, "{:?}", fitted.weights.material);
    assert!(queen > knight.max(bishop).max(rook), "{:?}", fitted.weights.material);
}

#[test]
fn threads_do_not_matter() {
    let samples = split(some_samples(60));
    let fits = [1, 2, 3].map(|threads| {
        fit(&samples, &without_material(), &quick(), threads, &|| false, &mut |_, _| ()).unwrap()
    });
    assert_eq!(fits[0], fits[1]);
    assert_eq!(fits[0], fits[2]);
    assert_eq!(fits[0].after.validation.to_bits(), fits[2].after.validation.to_bits());
}

#[test]
fn a_firm_hold_lets_nothing_move() {
    let samples = split(some_samples(60));
    let firm = FitRecipe { hold: 1e3, rate: 0.01, ..quick() };
    let fitted = fit(&samples, &without_material(), &firm, 1, &|| false, &mut |_, _| ()).unwrap();
    assert_eq!(fitted.weights, without_material());
}

#[test]
fn nonsense_is_refused() {
    let samples = split(some_samples(5));
    let none = Samples::default();
    let attempt = |samples, recipe: &FitRecipe| {
        fit(samples, &DEFAULT, recipe, 1, &|| false, &mut |_, _| ()).unwrap_err()
    };
    let too_few = FitError::TooFew { training: 0, validation: 0 };
    assert_eq!(attempt(&none, &quick()), too_few);
    let bad = FitRecipe { rate: f64::NAN, ..quick() };
    assert!(attempt(&samples, &bad).to_string().starts_with("the fit's rate is NaN"));
    let bad = FitRecipe { wdl_weight: 1.5, ..quick() };
    assert!(attempt(&samples, &bad).to_string().contains("0 to 1"));
}
