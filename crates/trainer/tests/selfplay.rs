//! Directories of games: made, stopped, taken up, verified, damaged and learnt from.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use tabiya_engine::eval::DEFAULT;
use tabiya_trainer::fit::{Filter, FitRecipe, Samples, fit};
use tabiya_trainer::manifest::{DataError, Manifest, Origin};
use tabiya_trainer::recipe::{AdjudicationLimits, Evaluation, OpeningRule, Recipe};
use tabiya_trainer::record::Termination;
use tabiya_trainer::selfplay::{SelfPlayError, SelfPlayer, run};
use tabiya_trainer::shard::ShardReader;
use tabiya_trainer::verify::{VerifyError, VerifySample, verify};

fn recipe() -> Recipe {
    let adjudication = AdjudicationLimits { longest: 30, ..Recipe::default().adjudication };
    Recipe {
        games_per_shard: 4,
        hash: 1,
        soft_nodes: 30,
        hard_nodes: 300,
        opening: OpeningRule { nodes: 30, ..Recipe::default().opening },
        adjudication,
        ..Recipe::default()
    }
}

fn origin() -> Origin {
    Origin { engine: "test".to_owned(), commit: None, network: None, cpu: None, bench: 42 }
}

const GAMES: u64 = 8;

fn make(directory: &Path, threads: usize) -> Manifest {
    run(directory, &recipe(), &origin(), GAMES, threads, &|| false, &mut |_| ()).unwrap()
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn neither_threads_nor_stopping_make_a_difference() {
    let [one, three, stopped] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let manifest = make(one.path(), 1);
    make(three.path(), 3);
    let straight = files(one.path());
    assert_eq!(straight, files(three.path()));
    assert_eq!(
        straight.keys().collect::<Vec<_>>(),
        ["00000.games", "00001.games", "manifest.json"]
    );
    assert_eq!(manifest, Manifest::load(one.path()).unwrap());
    assert_eq!(manifest.census().games, GAMES);

    // Each run is allowed to ask a little more often than the one before whether it should stop.
    let mut runs = 0;
    loop {
        runs += 1;
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= runs;
        let manifest =
            run(stopped.path(), &recipe(), &origin(), GAMES, 1, &stop, &mut |_| ()).unwrap();
        if manifest.census().games == GAMES {
            break;
        }
    }
    assert!(runs > 2, "{runs}");
    assert_eq!(straight, files(stopped.path()));
}

#[test]
fn games_are_what_the_recipe_says() {
    let recipe = recipe();
    let mut player = SelfPlayer::new(&recipe).unwrap();
    let games: Vec<_> = (0..12).map(|number| player.play(number).unwrap()).collect();
    assert_eq!(games[3], SelfPlayer::new(&recipe).unwrap().play(3).unwrap());
    for game in &games {
        assert!([8, 9].contains(&game.opening.len()));
        let plies = game.opening.len() + game.plies.len();
        assert!(plies <= 30 && (plies == 30) >= (game.termination == Termination::TooLong));
        assert!(game.plies[0].score.unsigned_abs() < 1000, "{}", game.plies[0].score);
    }
    let different: std::collections::HashSet<_> = games.iter().map(|game| &game.opening).collect();
    assert_eq!(different.len(), games.len());

    let random_starts =
        Recipe { opening: OpeningRule { chess960: true, ..recipe.opening }, ..recipe };
    let game = SelfPlayer::new(&random_starts).unwrap().play(0).unwrap();
    assert_ne!(game.start, 518);
}

#[test]
fn decided_games_are_ended() {
    let everything_wins =
        AdjudicationLimits { win_score: 1, win_plies: 3, ..recipe().adjudication };
    let won = Recipe { adjudication: everything_wins, ..recipe() };
    let game = SelfPlayer::new(&won).unwrap().play(0).unwrap();
    assert_eq!(game.termination, Termination::GivenAsWon);
    let [.., a, b, c] = game.plies[..] else { panic!("{game:?}") };
    assert!([a, b, c].iter().all(|ply| ply.score > 0) || [a, b, c].iter().all(|ply| ply.score < 0));

    let everything_draws = AdjudicationLimits {
        draw_score: 30_000,
        draw_plies: 2,
        draw_from: 16,
        ..recipe().adjudication
    };
    let drawn = Recipe { adjudication: everything_draws, ..recipe() };
    let game = SelfPlayer::new(&drawn).unwrap().play(0).unwrap();
    assert_eq!(game.termination, Termination::GivenAsDrawn);
    assert_eq!(game.opening.len() + game.plies.len(), 16);
}

#[test]
fn who_else_is_at_work_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let busy = Cell::new(0);
    run(directory.path(), &recipe(), &origin(), 1, 1, &|| false, &mut |_| {
        let second = run(directory.path(), &recipe(), &origin(), 1, 1, &|| false, &mut |_| ());
        busy.set(busy.get() + u32::from(matches!(second, Err(SelfPlayError::Busy(_)))));
    })
    .unwrap();
    assert_eq!(busy.get(), 4);
}

#[test]
fn games_of_another_kind_are_not_mixed_in() {
    let directory = tempfile::tempdir().unwrap();
    make(directory.path(), 2);
    let go_on = |recipe: &Recipe, origin: &Origin| {
        run(directory.path(), recipe, origin, GAMES + 1, 1, &|| false, &mut |_| ())
    };
    let other = Recipe { seed: 2, ..recipe() };
    assert!(matches!(go_on(&other, &origin()), Err(SelfPlayError::Other { .. })));
    let stronger = Origin { bench: 43, ..origin() };
    let error = go_on(&recipe(), &stronger).unwrap_err().to_string();
    assert!(error.contains("bench 42") && error.contains("bench 43"), "{error}");
    assert_eq!(go_on(&recipe(), &origin()).unwrap().census().games, GAMES + 4);
}

fn check(directory: &Path, origin: &Origin) -> Result<u64, VerifyError> {
    let evaluation = Evaluation::BuiltIn;
    let verified =
        verify(directory, &evaluation, origin, VerifySample::All, 2, &|| false, &mut |_, _| ())?;
    Ok(verified.replayed)
}

#[test]
fn what_is_right_is_verified_and_what_is_wrong_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let manifest = make(path, 2);
    assert_eq!(check(path, &origin()).unwrap(), GAMES);
    let some = VerifySample::Some { games: 3, seed: 1 };
    let built_in = Evaluation::BuiltIn;
    let verified = verify(path, &built_in, &origin(), some, 1, &|| false, &mut |_, _| ()).unwrap();
    assert_eq!((verified.replayed, verified.census), (3, manifest.census()));

    let other = Origin { bench: 1, ..origin() };
    assert!(matches!(check(path, &other), Err(VerifyError::Engine { there: 42, here: 1, .. })));

    // A bit of the last byte that holds a game changes.
    let shard = path.join(&manifest.shards[1].file);
    let sound = fs::read(&shard).unwrap();
    let mut damaged = sound.clone();
    *damaged.last_mut().unwrap() ^= 0x80;
    fs::write(&shard, &damaged).unwrap();
    assert!(matches!(check(path, &origin()), Err(VerifyError::Data(DataError::Hash { .. }))));

    // A manifest of another recipe does not fit the files.
    fs::write(&shard, &sound).unwrap();
    let other = Recipe { seed: 77, ..recipe() };
    Manifest { recipe: other, ..manifest }.save(path).unwrap();
    assert!(matches!(check(path, &origin()), Err(VerifyError::Data(DataError::Contents { .. }))));
}

#[test]
fn games_are_the_same_wherever_their_network_lies() {
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/default.nnue");
    let [here, there, elsewhere] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let moved = elsewhere.path().join("moved.net");
    fs::copy(&network, &moved).unwrap();
    let sha256 = hash(&fs::read(&network).unwrap());
    let by = |file: &Path| Evaluation::Network { file: file.to_owned(), sha256: sha256.clone() };
    let play = |directory: &Path, file: &Path| {
        let recipe = Recipe { evaluation: by(file), ..recipe() };
        run(directory, &recipe, &origin(), 4, 1, &|| false, &mut |_| ()).unwrap()
    };
    let shards = play(here.path(), &network).shards;
    assert_eq!(shards, play(there.path(), &moved).shards);
    // They can be added to and verified with the network in any place.
    assert_eq!(play(here.path(), &moved).shards, shards);
    let check = |evaluation: &Evaluation| {
        verify(here.path(), evaluation, &origin(), VerifySample::All, 1, &|| false, &mut |_, _| ())
    };
    assert_eq!(check(&by(&moved)).unwrap().replayed, 4);
    assert!(matches!(check(&Evaluation::BuiltIn), Err(VerifyError::Evaluation)));
    assert!(matches!(check(&by(&here.path().join("none"))), Err(VerifyError::Play(_))));
}

#[test]
fn the_bench_is_of_the_evaluation_that_plays() {
    let bench = |evaluation| Origin::of_this_engine(&evaluation, None).unwrap().bench;
    let built_in = bench(Evaluation::BuiltIn);
    assert_ne!(built_in, bench(Evaluation::Material));
    assert_ne!(built_in, bench(Evaluation::Classical));
}

#[test]
fn a_manifest_cannot_point_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let mut manifest = make(directory.path(), 2);
    manifest.shards[0].file = "../00000.games".to_owned();
    manifest.save(directory.path()).unwrap();
    let error = Manifest::load(directory.path()).unwrap_err();
    assert!(matches!(error, DataError::Entry { .. }), "{error}");
    fs::write(directory.path().join("manifest.json"), "{").unwrap();
    assert!(matches!(Manifest::load(directory.path()), Err(DataError::Manifest { .. })));
}

#[test]
fn a_shard_of_another_game_is_found_out_by_playing() {
    let [true_games, others] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let manifest = make(true_games.path(), 2);
    // The same header over games of another seed.
    let other = Recipe { seed: 2, ..recipe() };
    run(others.path(), &other, &origin(), GAMES, 2, &|| false, &mut |_| ()).unwrap();
    let file = &manifest.shards[0].file;
    let theirs = fs::read(others.path().join(file)).unwrap();
    let swapped = replace(&theirs, b"\"seed\":2", b"\"seed\":1");
    assert_eq!(ShardReader::new(&swapped).unwrap().header().recipe, recipe());
    fs::write(true_games.path().join(file), &swapped).unwrap();
    let mut forged = Manifest::load(others.path()).unwrap();
    forged.recipe = recipe();
    forged.shards.truncate(1);
    forged.shards[0].sha256 = hash(&swapped);
    forged.save(true_games.path()).unwrap();
    assert!(matches!(check(true_games.path(), &origin()), Err(VerifyError::Differs { .. })));
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let place = bytes.windows(from.len()).position(|part| part == from).unwrap();
    [&bytes[..place], to, &bytes[place + from.len()..]].concat()
}

fn hash(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn games_are_learnt_from() {
    let directory = tempfile::tempdir().unwrap();
    make(directory.path(), 2);
    let filter = Filter { hold_out_every: 4, first_ply: 10, ..Filter::default() };
    let load = |threads| {
        let directories = [directory.path(), directory.path()];
        Samples::load(&directories, &filter, &DEFAULT, threads, &|| false, &mut |_, _| ()).unwrap()
    };
    let samples = load(1);
    assert_eq!(samples.games, 2 * GAMES);
    assert!(samples.training.len() > 2 * samples.validation.len());
    assert!(samples.validation.len() > 10);
    assert_eq!(samples.training, load(3).training);
    let quick = FitRecipe { epochs: 2, batch: 100, ..FitRecipe::default() };
    let fitted = fit(&samples, &DEFAULT, &quick, 1, &|| false, &mut |_, _| ()).unwrap();
    assert_eq!(fitted.epochs.len(), 2);
    assert!(fitted.after.validation <= fitted.before.validation + 1e-4);
}
