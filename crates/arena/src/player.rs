//! Who plays: what a user writes about an engine, and the engine once it runs.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabiya_chess::{Excerpt, Game};
use tabiya_engine::{
    Analyst, AnalystError, EventSink, Limits, OptionError, RunOn, SearchHandle, SearchResult,
};
use tabiya_protocol::client::{Gesture, Remote};
use thiserror::Error;

use crate::clock::{PlayerLimits, PlayerLimitsError, put};
use crate::label::fit_columns;
use crate::process::{Process, Protocol};
use crate::watchdog::{Guard, Kill};

/// The word that stands for this program's own engine.
const OWN: &str = "tabiya";

/// Columns of a terminal that a name may take.
const LONGEST_NAME: usize = 80;

/// The same for a name with all that tells builds apart.
const LONGEST_IDENTITY: usize = 200;

/// An engine as a user describes it: what to start, how to set it up, how long it may think.
///
/// In words: either `tabiya` for our own engine or a command line (given as it is, or as
/// `cmd="..."`), then any of `name=`, `dir=`, `proto=uci`, `option.Hash=16` and the limits of [`PlayerLimits`].
/// Quotation marks of either kind hold words together.
///
/// ```
/// use tabiya_arena::player::{EngineSpec, PlayerSpec};
///
/// let spec: PlayerSpec = r#"/usr/games/gnuchess --uci name=GNU option."Move Overhead"=50"#.parse()?;
/// assert_eq!(spec.name.as_deref(), Some("GNU"));
/// assert_eq!(spec.options, [("Move Overhead".into(), "50".into())]);
///
/// let own: PlayerSpec = "tabiya option.Hash=16 nodes=2000".parse()?;
/// assert_eq!(own.engine, EngineSpec::Own);
/// # Ok::<(), tabiya_arena::player::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSpec {
    /// What to call it, if not by the name it gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What to start.
    pub engine: EngineSpec,
    /// Options to set before the first game, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// How long it may think, if not as long as everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<PlayerLimits>,
}

/// What runs the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineSpec {
    /// This program's own engine, in this process.
    Own,
    /// A program of its own.
    Process(ProcessSpec),
}

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessSpec {
    /// The program: a path, or a name to be found on the search path.
    pub program: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Where it is started, if not here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// What it speaks.
    #[serde(default)]
    pub protocol: Protocol,
}

/// Why a text does not describe an engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Nothing to start.
    #[error("no engine is named; write tabiya, or a command line such as \"/usr/games/stockfish\"")]
    NoEngine,
    /// A quotation mark that nothing answers.
    #[error("a quotation mark {0} has no counterpart")]
    OpenQuotation(char),
    /// An unknown setting.
    #[error(
        "{0} is not a setting; settings are cmd=, name=, dir=, proto=, option.NAME=, tc=, movetime=, nodes= and depth="
    )]
    UnknownSetting(Excerpt),
    /// The same word again.
    #[error("{0} is given twice")]
    GivenTwice(&'static str),
    /// A setting that only a program has.
    #[error("{0}= is for engines that are programs of their own, and this one is built in")]
    NotForOwn(&'static str),
    /// An unknown protocol.
    #[error("proto={0} should be proto=uci, proto=cecp or proto=auto")]
    UnknownProtocol(Excerpt),
    /// A limit that makes no sense.
    #[error(transparent)]
    Limits(#[from] PlayerLimitsError),
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut command, mut name, mut directory, mut protocol) = (Vec::new(), None, None, None);
        let mut options: Vec<(String, String)> = Vec::new();
        let mut limits = PlayerLimits::default();
        for word in words(text)? {
            let setting = word.split_once('=').filter(|_| !word.starts_with('-'));
            let Some((key, value)) = setting else {
                command.push(word);
                continue;
            };
            match key {
                "cmd" if !command.is_empty() => return Err(SpecError::GivenTwice("the command")),
                "cmd" => command = words(value)?,
                "name" => put(&mut name, SpecError::GivenTwice("name"), value.to_owned())?,
                "dir" => put(&mut directory, SpecError::GivenTwice("dir"), PathBuf::from(value))?,
                "proto" => put(&mut protocol, SpecError::GivenTwice("proto"), value.parse()?)?,
                "tc" | "movetime" | "nodes" | "depth" => limits.set(key, value)?,
                _ => match key.strip_prefix("option.") {
                    Some(option) if !option.is_empty() => {
                        options.push((option.to_owned(), value.to_owned()));
                    }
                    _ => return Err(SpecError::UnknownSetting(Excerpt::of(key))),
                },
            }
        }
        let mut command = command.into_iter();
        let program = command.next().ok_or(SpecError::NoEngine)?;
        let arguments: Vec<String> = command.collect();
        let engine = if program == OWN {
            let misplaced = [
                ("dir", directory.is_some()),
                ("proto", protocol.is_some()),
                ("cmd", !arguments.is_empty()),
            ];
            if let Some((key, _)) = misplaced.into_iter().find(|(_, given)| *given) {
                return Err(SpecError::NotForOwn(key));
            }
            EngineSpec::Own
        } else {
            EngineSpec::Process(ProcessSpec {
                program,
                arguments,
                directory,
                protocol: protocol.unwrap_or_default(),
            })
        };
        Ok(Self { name, engine, options, limits: (!limits.is_unlimited()).then_some(limits) })
    }
}

/// The words of a text; quotation marks hold together what is between them, and are left out.
fn words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quotation = None;
    for sign in text.chars() {
        match quotation {
            Some(mark) if sign == mark => quotation = None,
            Some(_) => word.get_or_insert_default().push(sign),
            None if matches!(sign, '"' | '\'') => {
                quotation = Some(sign);
                word.get_or_insert_default();
            }
            None if sign.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(sign),
        }
    }
    match quotation {
        Some(mark) => Err(SpecError::OpenQuotation(mark)),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

impl FromStr for Protocol {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "uci" => Ok(Self::Uci),
            "cecp" | "xboard" => Ok(Self::Cecp),
            "auto" => Ok(Self::Auto),
            _ => Err(SpecError::UnknownProtocol(Excerpt::of(text))),
        }
    }
}

/// For messages before the engine has sent its name.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, &self.engine) {
            (Some(name), _) => f.write_str(name),
            (None, EngineSpec::Own) => f.write_str(OWN),
            (None, EngineSpec::Process(process)) => f.write_str(&process.program),
        }
    }
}

/// Makes our own engine, which the arena does not know.
pub type OwnEngine =
    dyn Fn(&PlayerSpec) -> Result<Box<dyn Analyst>, Box<dyn Error + Send + Sync>> + Send + Sync;

/// Why an engine cannot play.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program does not start.
    #[error("{program} cannot be started")]
    Spawn {
        /// The program.
        program: String,
        /// Why not.
        source: std::io::Error,
    },
    /// It starts, but cannot be talked to.
    #[error("{program} started, but cannot be used as an engine: {error}{last_words}")]
    Handshake {
        /// The program.
        program: String,
        /// What went wrong.
        error: AnalystError,
        /// What it wrote to standard error, if anything.
        last_words: String,
    },
    /// It does not take an option.
    #[error("{player} refuses to be set up: {error}")]
    Option {
        /// Who.
        player: String,
        /// Why.
        error: OptionError,
    },
    /// Our own engine could not be made.
    #[error("{player} cannot be made ready")]
    Own {
        /// Who.
        player: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// An engine that is ready to play.
pub struct Player {
    name: String,
    identity: String,
    engine: Engine,
    /// Has it been prepared for the game that comes next?
    ready: bool,
}

enum Engine {
    Own(Box<dyn Analyst>),
    /// In this order: the client says good-bye before the process is waited for.
    Other(Box<dyn Remote>, Process),
}

/// What came of a player's thinking.
pub(crate) struct MoveReply {
    pub(crate) result: SearchResult,
    pub(crate) used: Duration,
    pub(crate) gesture: Option<Gesture>,
}

/// Why a player has no move.
pub(crate) enum Failure {
    /// It could not even begin to think.
    ToBegin(AnalystError),
    /// It came to nothing.
    ToDecide(AnalystError),
}

impl Player {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If it does not start, does not answer, or does not take its options.
    pub fn start(spec: &PlayerSpec, own_engine: &OwnEngine) -> Result<Self, StartError> {
        let engine = match &spec.engine {
            EngineSpec::Own => Engine::Own(
                own_engine(spec)
                    .map_err(|source| StartError::Own { player: spec.to_string(), source })?,
            ),
            EngineSpec::Process(process) => {
                let (client, process) = Process::start(process)?;
                Engine::Other(client, process)
            }
        };
        let (name, identity) = (spec.to_string(), String::new());
        let mut player = Self { name, identity, engine, ready: false };
        if spec.name.is_none() {
            player.name = player.analyst().name();
        }
        // Wherever it is shown, it must not steer the terminal.
        player.name = fit_columns(&player.name, LONGEST_NAME);
        for (name, value) in &spec.options {
            player.set_option(name, value)?;
        }
        // Options may have chosen another network.
        player.identity = fit_columns(&player.analyst().identity(), LONGEST_IDENTITY);
        Ok(player)
    }

    /// The name it was given, or else gives itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name it gives itself, with all that tells its build from others, whatever the user calls it.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The engine itself.
    pub fn analyst(&mut self) -> &mut dyn Analyst {
        match &mut self.engine {
            Engine::Own(analyst) => &mut **analyst,
            Engine::Other(client, _) => &mut **client,
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If there is none of that name, or the value does not fit.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        self.analyst()
            .set_option(name, value)
            .map_err(|error| StartError::Option { player: self.name.clone(), error })
    }

    /// Tells it that a new game begins, unless it knows.
    pub(crate) fn prepare(&mut self) -> Result<(), Failure> {
        if !self.ready {
            self.analyst().new_game().map_err(Failure::ToBegin)?;
            self.ready = true;
        }
        Ok(())
    }

    /// Lets it think, and measures how long.
    pub(crate) fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: Option<EventSink>,
        guard: &Guard<'_>,
    ) -> Result<MoveReply, Failure> {
        self.ready = false;
        match &mut self.engine {
            Engine::Own(analyst) => {
                let begin = Instant::now();
                let search = analyst
                    .search(game, limits, RunOn::Waiter, report)
                    .map_err(Failure::ToBegin)?;
                guard.attach(&search);
                let result = search.wait().map_err(Failure::ToDecide)?;
                Ok(MoveReply { result, used: begin.elapsed(), gesture: None })
            }
            Engine::Other(client, _) => {
                let begin = Instant::now();
                let search =
                    client.remote_search(game, limits, report).map_err(Failure::ToBegin)?;
                guard.attach(&(Arc::clone(&search) as Arc<dyn SearchHandle>));
                let result = search.wait().map_err(Failure::ToDecide)?;
                Ok(MoveReply {
                    result,
                    // It knows when the move came, however long it took this thread to wake up.
                    used: search.thinking_time().unwrap_or_else(|| begin.elapsed()),
                    gesture: search.gesture(),
                })
            }
        }
    }

    /// What it speaks, if it is a program of its own.
    pub(crate) fn protocol(&self) -> Option<Protocol> {
        match &self.engine {
            Engine::Own(_) => None,
            Engine::Other(_, process) => Some(process.protocol()),
        }
    }

    /// The way to end it if it does not listen.
    pub(crate) fn kill(&self) -> Option<Kill> {
        match &self.engine {
            Engine::Own(_) => None,
            Engine::Other(_, process) => Some(process.kill_switch()),
        }
    }

    /// What is known of its end beyond what it said: the exit status and what it wrote to standard error.
    pub(crate) fn last_words(&self) -> String {
        match &self.engine {
            Engine::Own(_) => String::new(),
            Engine::Other(_, process) => process.last_words(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> PlayerSpec {
        text.parse().unwrap()
    }

    fn process(text: &str) -> ProcessSpec {
        match parse(text).engine {
            EngineSpec::Process(process) => process,
            EngineSpec::Own => panic!("{text} is our own"),
        }
    }

    #[test]
    fn all_words_find_their_place() {
        let spec = parse(
            r#"cmd="'/opt/my engine' --uci --threads=2" name="My Engine" dir=/tmp proto=uci
               option.Hash=16 'option.Book File=a=b c' tc=8+0.08 nodes=2000"#,
        );
        assert_eq!(
            spec,
            PlayerSpec {
                name: Some("My Engine".into()),
                engine: EngineSpec::Process(ProcessSpec {
                    program: "/opt/my engine".into(),
                    arguments: vec!["--uci".into(), "--threads=2".into()],
                    directory: Some("/tmp".into()),
                    protocol: Protocol::Uci,
                }),
                options: vec![("Hash".into(), "16".into()), ("Book File".into(), "a=b c".into())],
                limits: Some("tc=8+0.08 nodes=2000".parse().unwrap()),
            }
        );
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<PlayerSpec>(&text).unwrap(), spec);
    }

    #[test]
    fn a_command_needs_no_ceremony() {
        assert_eq!(process("stockfish").program, "stockfish");
        let gnu = process("/usr/games/gnuchess --uci --memory=64 name=GNU");
        assert_eq!(gnu.arguments, ["--uci", "--memory=64"]);
        assert_eq!(gnu.protocol, Protocol::Auto);
        assert_eq!(process("./tabiya uci").program, "./tabiya");
        assert_eq!(parse("tabiya").to_string(), "tabiya");
    }

    #[test]
    fn nonsense_is_refused_with_what_would_be_right() {
        for (text, message) in [
            ("", "no engine is named"),
            ("name=x", "no engine is named"),
            ("cmd=", "no engine is named"),
            ("\"stockfish", "a quotation mark \" has no counterpart"),
            ("stockfish speed=9", "\"speed\" is not a setting"),
            ("stockfish option.=9", "\"option.\" is not a setting"),
            ("stockfish cmd=toga2", "the command is given twice"),
            ("stockfish name=a name=b", "name is given twice"),
            ("tabiya proto=uci", "proto= is for engines that are programs"),
            ("tabiya dir=/", "dir= is for engines that are programs"),
            ("tabiya bench", "cmd= is for engines that are programs"),
            ("stockfish proto=usi", "proto=\"usi\" should be proto=uci"),
            ("stockfish tc=fast", "is not a time"),
            ("stockfish nodes=1 nodes=2", "nodes is given twice"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
