//! Games of the engine against itself.

use crate::Stop;
use crate::manifest::{Census, DataError, Manifest, Origin, ShardEntry, sha256};
use crate::parallel::{CrewError, in_order};
use crate::recipe::{AdjudicationLimits, Evaluation, Recipe, RecipeError};
use crate::record::{PackedGame, Ply, RecordError, Termination};
use crate::shard::{MAX_FILE, ShardReader, compose};
use std::path::{Path, PathBuf};
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Color, Game, GameResult, Position};
use tabiya_engine::{
    Analyst, AnalystError, Engine, Limits, OptionError, RunOn, ScoreRule, SearchResult, Umpire,
};
use tabiya_files::{FileError, LockFile, make_folder, read, read_if_there, remove, write};

/// The number of the usual starting position.
const USUAL_START: u16 = 518;

/// This many openings are tried for a game before the recipe is found to be at fault.
const MOST_OPENINGS: u32 = 1000;

/// Why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// A number of the recipe makes no sense.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// There are games there by another recipe or another engine.
    #[error("{} holds games made with {there}; {here} cannot add to them", path.display())]
    Other {
        /// Where.
        path: PathBuf,
        /// What made those that are there.
        there: String,
        /// What would make more.
        here: String,
    },
    /// Someone else is at work there.
    #[error("another process is making games in {}", .0.display())]
    Busy(PathBuf),
    /// The files there are not what they should be.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No opening is level enough.
    #[error("game {game}: none of {MOST_OPENINGS} random openings is within the recipe's limit")]
    NoOpening {
        /// Which game.
        game: u64,
    },
    /// The engine fails.
    #[error("the engine failed")]
    Engine(#[from] AnalystError),
    /// The engine does not take the table's size, or the network.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The network is another one by now.
    #[error("{}: SHA-256 is {found}; the recipe says {expected}", path.display())]
    Network {
        /// Which file.
        path: PathBuf,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The engine chose a move that cannot be played.
    #[error("game {game} cannot be written down; this is a bug")]
    Record {
        /// Which game.
        game: u64,
        /// Why.
        source: RecordError,
    },
    /// The threads fail.
    #[error(transparent)]
    Crew(#[from] CrewError),
}

impl From<FileError> for SelfPlayError {
    fn from(error: FileError) -> SelfPlayError {
        SelfPlayError::Data(error.into())
    }
}

/// Plays games by a recipe, one at a time.
///
/// A game depends on the recipe, its number and the engine alone.
pub struct SelfPlayer<'a> {
    engine: Engine,
    recipe: &'a Recipe,
}

impl SelfPlayer<'_> {
    /// A player with an engine of its own.
    ///
    /// # Errors
    /// If there can be none.
    pub fn new(recipe: &Recipe) -> Result<SelfPlayer<'_>, SelfPlayError> {
        recipe.check()?;
        let mut engine = Engine::new()?;
        engine.set_option("Hash", &recipe.hash.to_string())?;
        evaluate_by(&mut engine, &recipe.evaluation)?;
        Ok(SelfPlayer { engine, recipe })
    }

    /// Plays a game.
    ///
    /// # Errors
    /// If no opening for it is level, or the engine fails.
    pub fn play(&mut self, number: u64) -> Result<PackedGame, SelfPlayError> {
        // What was learnt from one game must not color the next, or the order would matter.
        self.engine.new_game()?;
        let mut random = SplitMix64::stream(self.recipe.seed, number);
        let (start, mut game) = self.open(&mut random, number)?;
        let opening = game.moves().to_vec();
        let mut plies = Vec::new();
        let mut arbiter = Arbiter::new(&self.recipe.adjudication);
        let (result, termination) = loop {
            if let Some(end) = arbiter.end(&game) {
                break end;
            }
            let SearchResult { best, value, .. } =
                self.search(&game, &self.recipe.move_limits())?;
            let value = value.unwrap_or_default();
            let white = match game.position().side_to_move() {
                Color::White => value,
                Color::Black => -value,
            };
            let score = white.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            let illegal = SelfPlayError::Record {
                game: number,
                source: RecordError::Move { ply: game.moves().len() },
            };
            let Some(mv) = best else { return Err(illegal) };
            if game.play(mv).is_err() {
                return Err(illegal);
            }
            plies.push(Ply { mv, score });
            arbiter.umpire.hear(Some(score.into()));
        };
        Ok(PackedGame { start, opening, plies, result, termination })
    }

    fn search(&mut self, game: &Game, limits: &Limits) -> Result<SearchResult, AnalystError> {
        self.engine.search(game, limits, RunOn::Waiter, None)?.wait()
    }

    /// Random moves that lead to a level position.
    fn open(&mut self, random: &mut SplitMix64, number: u64) -> Result<(u16, Game), SelfPlayError> {
        let recipe = &self.recipe.opening;
        for _ in 0..MOST_OPENINGS {
            let start = if recipe.chess960 { random.below(960) as u16 } else { USUAL_START };
            let plies = recipe.plies as usize + random.index(2);
            let position = Position::chess960(start).unwrap_or_else(Position::start);
            let Some(game) = Game::random(position, plies, random) else { continue };
            let limits = self.recipe.opening_limits();
            let value = self.search(&game, &limits)?.value.unwrap_or_default();
            if value.unsigned_abs() <= u32::from(recipe.limit.unsigned_abs()) {
                return Ok((start, game));
            }
        }
        Err(SelfPlayError::NoOpening { game: number })
    }
}

/// Has an engine evaluate as a recipe says.
pub(crate) fn evaluate_by(
    engine: &mut Engine,
    evaluation: &Evaluation,
) -> Result<(), SelfPlayError> {
    match evaluation {
        Evaluation::BuiltIn => {}
        Evaluation::Classical => engine.set_option("Eval Mode", "classical")?,
        Evaluation::Material => engine.set_option("Eval Mode", "material")?,
        Evaluation::Network { file, sha256: expected } => {
            let found = sha256(&read(file, MAX_FILE)?);
            if found != *expected {
                let expected = expected.clone();
                return Err(SelfPlayError::Network { path: file.clone(), expected, found });
            }
            engine.set_option("EvalFile", &file.display().to_string())?;
        }
    }
    Ok(())
}

/// Ends games by the rules, then by the scores, then for their length.
struct Arbiter<'a> {
    rules: &'a AdjudicationLimits,
    umpire: Umpire,
}

impl Arbiter<'_> {
    fn new(rules: &AdjudicationLimits) -> Arbiter<'_> {
        let rule = |score: i16, plies| ScoreRule { score: score.unsigned_abs().into(), plies };
        let win = rule(rules.win_score, rules.win_plies);
        let draw = rule(rules.draw_score, rules.draw_plies);
        Arbiter { rules, umpire: Umpire::new(Some(win), Some(draw)) }
    }

    fn end(&self, game: &Game) -> Option<(GameResult, Termination)> {
        if let Some(outcome) = game.outcome_with_claims() {
            return Some((outcome.result(), outcome.into()));
        }
        let played = game.moves().len() as u32;
        if let Some(result) = self.umpire.result(played >= self.rules.draw_from) {
            let drawn = result == GameResult::Draw;
            let termination =
                if drawn { Termination::GivenAsDrawn } else { Termination::GivenAsWon };
            return Some((result, termination));
        }
        (played >= self.rules.longest).then_some((GameResult::Draw, Termination::TooLong))
    }
}

/// A game that has been played, as it goes into a shard.
struct Finished {
    bytes: Vec<u8>,
    positions: u64,
    result: GameResult,
}

impl Finished {
    fn new(game: u64, record: &PackedGame) -> Result<Finished, SelfPlayError> {
        let bytes = record.encode().map_err(|source| SelfPlayError::Record { game, source })?;
        Ok(Finished { bytes, positions: record.plies.len() as u64, result: record.result })
    }
}

/// Plays games until a directory holds as many as are wanted, rounded up to whole shards, and returns
/// its manifest.
///
/// Where games are there already, it goes on after them; so a run that was stopped is taken up by the
/// same call. What the shards hold does not depend on `threads` or on how often the run was stopped.
/// `progress` gets, after each game, what there is.
///
/// # Errors
/// If the directory holds games by another recipe or engine, or the work fails.
pub fn run(
    directory: &Path,
    recipe: &Recipe,
    origin: &Origin,
    games: u64,
    threads: usize,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(&Census),
) -> Result<Manifest, SelfPlayError> {
    recipe.check()?;
    make_folder(directory)?;
    let _lock = claim(directory)?;
    let mut pen = Pen::open(directory, recipe, origin)?;
    let per_shard = u64::from(recipe.games_per_shard);
    let end = games.div_ceil(per_shard).saturating_mul(per_shard);
    let numbers = pen.next_game()..end;
    let result = in_order(
        threads,
        numbers,
        stop,
        || SelfPlayer::new(recipe),
        |player, number| Finished::new(number, &player.play(number)?),
        |_, finished| {
            pen.add(finished)?;
            progress(&pen.all);
            Ok(())
        },
    );
    // What was played is kept even if something failed.
    let kept = pen.put_aside();
    result?;
    kept?;
    Ok(pen.manifest)
}

/// Makes sure that no other process writes here; the lock ends with the process at the latest.
fn claim(directory: &Path) -> Result<LockFile, SelfPlayError> {
    match LockFile::claim(&directory.join(".lock")) {
        Err(error) if error.is_in_use() => Err(SelfPlayError::Busy(directory.to_owned())),
        claimed => Ok(claimed?),
    }
}

/// Writes shards and the manifest.
struct Pen<'a> {
    directory: &'a Path,
    manifest: Manifest,
    /// All games: those in shards, and those that wait for theirs to be full.
    all: Census,
    /// The games of the shard to come.
    games: Vec<Vec<u8>>,
    census: Census,
}

impl Pen<'_> {
    fn open<'a>(
        directory: &'a Path,
        recipe: &Recipe,
        origin: &Origin,
    ) -> Result<Pen<'a>, SelfPlayError> {
        let manifest = match Manifest::load(directory) {
            Err(DataError::File(error)) if error.is_missing() => {
                let manifest = Manifest::new(origin.clone(), recipe.clone());
                manifest.save(directory)?;
                manifest
            }
            manifest => manifest?,
        };
        if manifest.recipe.anywhere() != recipe.anywhere() || manifest.origin.bench != origin.bench
        {
            let tell = |recipe: &Recipe, bench: u64| {
                let recipe = serde_json::to_string(recipe).unwrap_or_default();
                format!("bench {bench} and the recipe {recipe}")
            };
            return Err(SelfPlayError::Other {
                path: directory.to_owned(),
                there: tell(&manifest.recipe, manifest.origin.bench),
                here: tell(recipe, origin.bench),
            });
        }
        let all = manifest.census();
        let (games, census) = (Vec::new(), Census::default());
        let mut pen = Pen { directory, manifest, all, games, census };
        pen.take_up()?;
        Ok(pen)
    }

    /// The number of the next game.
    fn next_game(&self) -> u64 {
        self.all.games
    }

    fn first_of_shard(&self) -> u64 {
        self.all.games - self.census.games
    }

    fn shard_name(&self) -> String {
        format!("{:05}.games", self.manifest.shards.len())
    }

    /// Where games wait for their shard to become full while no run is under way.
    fn aside(&self) -> PathBuf {
        self.directory.join(format!("{}.part", self.shard_name()))
    }

    /// Takes up what a stopped run has put aside.
    fn take_up(&mut self) -> Result<(), SelfPlayError> {
        let path = self.aside();
        let Some(bytes) = read_if_there(&path, MAX_FILE)? else { return Ok(()) };
        let wrong = |source| DataError::Shard { path: path.clone(), source };
        let mut reader = ShardReader::new(&bytes).map_err(wrong)?;
        let games = reader.header().games;
        let expected = self.manifest.header(self.all.games, games.into());
        if reader.header().anywhere() != expected || games >= self.manifest.recipe.games_per_shard {
            return Err(DataError::Contents { path }.into());
        }
        while let Some(record) = reader.next_record() {
            let (game, bytes) = record.map_err(wrong)?;
            let record = PackedGame::decode(bytes)
                .map_err(|source| wrong(crate::shard::ShardError::Record { game, source }))?;
            self.note(Finished::new(game, &record)?);
        }
        Ok(())
    }

    fn note(&mut self, finished: Finished) {
        self.census.add_game(finished.positions, finished.result);
        self.all.add_game(finished.positions, finished.result);
        self.games.push(finished.bytes);
    }

    fn add(&mut self, finished: Finished) -> Result<(), SelfPlayError> {
        self.note(finished);
        if self.games.len() as u64 >= u64::from(self.manifest.recipe.games_per_shard) {
            self.finish_shard()?;
        }
        Ok(())
    }

    fn compose(&self) -> Vec<u8> {
        let header = self.manifest.header(self.first_of_shard(), self.census.games);
        compose(&header, &self.games)
    }

    fn finish_shard(&mut self) -> Result<(), SelfPlayError> {
        let (file, aside, bytes) = (self.shard_name(), self.aside(), self.compose());
        write(&self.directory.join(&file), &bytes)?;
        self.manifest.shards.push(ShardEntry {
            file,
            first_game: self.first_of_shard(),
            census: self.census,
            bytes: bytes.len() as u64,
            sha256: sha256(&bytes),
        });
        self.manifest.save(self.directory)?;
        remove(&aside)?;
        self.games.clear();
        self.census = Census::default();
        Ok(())
    }

    /// Keeps the games of an unfinished shard for a later run.
    fn put_aside(&self) -> Result<(), SelfPlayError> {
        if !self.games.is_empty() {
            write(&self.aside(), &self.compose())?;
        }
        Ok(())
    }
}
