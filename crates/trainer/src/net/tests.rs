//! Trainings on positions of random games.

use super::adam::AdamStep;
use super::machine::{Lesson, Machine};
use super::tile::Path;
use super::*;
use crate::fit::Target;
use crate::record::tests::random_game;

const TARGET: Target = Target { scale: 300.0, wdl_weight: 0.3 };

/// Positions of random games whose scores tell who has more pieces.
pub(super) fn some_samples(games: u64) -> NetSamples {
    let mut samples = NetSamples::default();
    for seed in 0..games {
        let record = random_game(seed, 120);
        let list = if seed % 5 == 0 { &mut samples.validation } else { &mut samples.training };
        record
            .replay(|position, _| {
                let pieces = |color| position.colors(color).len() as i16;
                let score =
                    100 * (pieces(tabiya_chess::Color::White) - pieces(tabiya_chess::Color::Black));
                list.push(Sample::new(position, score, record.result));
            })
            .unwrap();
        samples.games += 1;
        samples.positions += record.plies.len() as u64;
    }
    samples
}

fn recipe() -> NetRecipe {
    let source = DataSource { directory: "made up".into(), manifest_sha256: None };
    NetRecipe {
        data: vec![source],
        hidden: 64,
        buckets: 8,
        batch: Some(300),
        epochs: 3,
        ..NetRecipe::default()
    }
}

fn never() -> bool {
    false
}

fn trained(samples: &NetSamples, recipe: &NetRecipe, threads: usize) -> Trained {
    train(samples, recipe, None, threads, None, &never, &mut |_| ()).unwrap().unwrap()
}

/// The mean squared error over samples, in as many digits as there are.
fn error(model: &Model, samples: &[Sample], target: Target) -> f64 {
    let miss = |sample: &Sample| {
        target.chance(model.value(sample)) - target.of(sample.score(), sample.points())
    };
    samples.iter().map(|sample| miss(sample).powi(2)).sum::<f64>() / samples.len() as f64
}

#[test]
fn the_gradient_is_the_derivative() {
    let samples = some_samples(30).training;
    let samples = &samples[..150];
    let shape = Shape { hidden: 32, buckets: 8 };
    let mut model = Model::random(shape, 5);
    let order: Vec<u32> = (0..samples.len() as u32).collect();
    let lesson =
        Lesson { samples, order: &order, batch: 1000, done: 0, error: 0.0, target: TARGET };
    // The first step of Adam's mean from nothing is a tenth of the gradient.
    let mut machine = Machine::new(model.clone(), Moments::new(shape.count()), 1);
    let mut stand_still = AdamStep::default;
    let standing = machine.go_through(&lesson, Some(&mut stand_still), &never, &mut |_| ());
    let slopes: Vec<f32> = machine.state().1.mean.iter().map(|mean| mean * 10.0).collect();
    let whole = error(&model, samples, TARGET);
    assert!((standing.error / samples.len() as f64 - whole).abs() < 1e-6);

    let mut felt = 0;
    // Every 97th number, and all of the outputs' biases.
    let places = (0..shape.biases_at()).step_by(97).chain(shape.biases_at()..shape.count());
    for place in places {
        let here = model.numbers[place];
        let mut at = |value: f32| {
            model.numbers[place] = value;
            error(&model, samples, TARGET)
        };
        let (up, down) = (here + 1e-3, here - 1e-3);
        let found = (at(up) - at(down)) / f64::from(up - down);
        model.numbers[place] = here;
        let slope = f64::from(slopes[place]);
        assert!((found - slope).abs() < 2e-7 + 2e-3 * slope.abs(), "{place}: {found} {slope}");
        felt += usize::from(slope.abs() > 1e-6);
    }
    assert!(felt > 50, "only {felt} numbers matter");
}

#[test]
fn threads_tiles_and_processors_do_not_matter_to_the_last_bit() {
    let samples = some_samples(20).training;
    let shape = Shape { hidden: 128, buckets: 8 };
    let order: Vec<u32> = (0..samples.len() as u32).rev().collect();
    let lesson = Lesson {
        samples: &samples,
        order: &order,
        batch: 300,
        done: 0,
        error: 0.0,
        target: TARGET,
    };
    let run = |threads: usize, width: usize, path: Path| {
        let model = Model::random(shape, 5);
        let mut machine = Machine::with(model, Moments::new(shape.count()), threads, width, path);
        let mut clock = AdamSteps::new();
        let mut next_step = || clock.tick(&recipe(), 10);
        let standing = machine.go_through(&lesson, Some(&mut next_step), &never, &mut |_| ());
        let (model, moments) = machine.state();
        (standing.error.to_bits(), model.clone(), moments.clone())
    };
    let first = run(1, 32, Path::Portable);
    for (threads, width, path) in [
        (2, 32, Path::Portable),
        (3, 64, Path::Portable),
        (1, 128, Path::Portable),
        (1, 32, Path::best()),
        (3, 64, Path::best()),
        (2, 128, Path::best()),
    ] {
        assert!(run(threads, width, path) == first, "{threads} {width} {path:?}");
    }
}

#[test]
fn who_has_more_men_is_learnt() {
    let samples = some_samples(600);
    let simple = NetRecipe { buckets: 1, epochs: 6, ..recipe() };
    let Trained { network, report } = trained(&samples, &simple, 2);
    let [first, .., last] = report.epochs[..] else { panic!("{report:?}") };
    assert!(last.training < 0.3 * first.training, "{report:?}");
    assert!(last.validation < 0.5 * first.validation, "{report:?}");
    let rounding = report.quantization;
    assert!(rounding.mean_difference < 4.0 && rounding.largest_difference < 40.0, "{rounding:?}");
    assert_eq!(rounding.positions, samples.validation.len());
    let more = "4k3/8/8/8/8/8/3PPP2/4K3 w - - 0 1".parse().unwrap();
    assert!(network.evaluate(&more) > 30, "{}", network.evaluate(&more));
}

/// A network's hash says that every bit of the training is as it was.
#[test]
fn the_mini_recipe_gives_the_same_network_everywhere() {
    let samples = some_samples(60);
    let hashes = [1, 2, 3].map(|threads| trained(&samples, &recipe(), threads).report.sha256);
    assert_eq!(hashes, [GOLDEN; 3]);
}

const GOLDEN: &str = "5ac5ebbbd22cf326350cfc7fe5c93081b21ae99277ccd9974289f109dc37d673";

#[test]
fn a_stopped_training_goes_on_as_if_nothing_had_been() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let samples = some_samples(40);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.checkpoint");
    let attempt = |recipe: &NetRecipe, stop: Stop<'_>| {
        train(&samples, recipe, None, 2, Some(&path), stop, &mut |_| ())
    };
    let mut stops = 0;
    let patched = loop {
        let asked = AtomicU32::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 3;
        match attempt(&recipe(), &stop).unwrap() {
            Some(trained) => break trained,
            None => stops += 1,
        }
        assert!(stops < 100);
    };
    assert!(stops >= 4, "{stops}");
    let whole = trained(&samples, &recipe(), 1);
    assert_eq!(patched.report, whole.report);
    assert_eq!(patched.network, whole.network);

    let other = attempt(&NetRecipe { seed: 2, ..recipe() }, &never);
    assert!(matches!(other, Err(NetError::Checkpoint(CheckpointError::Other(_)))));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let damaged = attempt(&recipe(), &never);
    assert!(matches!(damaged, Err(NetError::Checkpoint(CheckpointError::Damaged(_)))));
    for length in [0, 7, 10, 40, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(matches!(attempt(&recipe(), &never), Err(NetError::Checkpoint(_))), "{length}");
    }
}

#[test]
fn a_network_can_be_trained_further() {
    let samples = some_samples(60);
    let first = trained(&samples, &recipe(), 1);
    let model = Model::from_network(&first.network);
    assert_eq!(model.quantized().unwrap(), first.network);
    let gentle = NetRecipe { epochs: 1, rate: 1e-4, ..recipe() };
    let further = |recipe: &NetRecipe, start| {
        train(&samples, recipe, Some(start), 1, None, &never, &mut |_| ())
    };
    let second = further(&gentle, &first.network).unwrap().unwrap();
    assert!(second.report.epochs[0].training < first.report.epochs[1].training);
    let wide = NetRecipe { hidden: 96, ..gentle.clone() };
    assert!(matches!(further(&wide, &first.network), Err(NetError::Start { hidden: 64, .. })));
    let single = NetRecipe { buckets: 1, ..gentle };
    assert!(matches!(further(&single, &first.network), Err(NetError::Start { buckets: 8, .. })));
}

#[test]
fn one_output_becomes_as_many_as_are_wanted() {
    let samples = some_samples(30);
    let single = NetRecipe { buckets: 1, ..recipe() };
    let first = trained(&samples, &single, 1);
    let eight = Model::from_network(&first.network).with_buckets(8).quantized().unwrap();
    assert_eq!(eight.buckets(), 8);
    for sample in &samples.validation {
        let position = sample.position().unwrap();
        assert_eq!(eight.evaluate(&position), first.network.evaluate(&position));
    }
    let start = Some(&first.network);
    assert!(train(&samples, &recipe(), start, 1, None, &never, &mut |_| ()).is_ok());
}

#[test]
fn nothing_is_learnt_from_nothing() {
    let none = NetSamples::default();
    let error = train(&none, &recipe(), None, 1, None, &never, &mut |_| ()).unwrap_err();
    assert!(matches!(error, NetError::TooFew { training: 0, validation: 0 }));
    let bad = NetRecipe { hidden: 33, ..recipe() };
    let error = train(&none, &bad, None, 1, None, &never, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("hidden is 33"), "{error}");
}
