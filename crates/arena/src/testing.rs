//! Analysts for the tests: they play, or misbehave, as their names say.
//!
//! | name | plays |
//! | --- | --- |
//! | `random`, `random:7` | any move, which one follows from the position and the number |
//! | `greedy` | mates, else takes the most valuable piece, else like `random` |
//! | `script e2e4 g1f3` | these moves, one by one, wherever it stands |
//! | `skill` | like `greedy` as often as its option `Level` says in per cent |
//! | `random crash@5` | like `random`, and at its fifth move does what [`Trick`] has under that name |

use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::Duration;

use tabiya_chess::{Game, Move, PieceKind, Position, Square};
use tabiya_engine::{
    Analyst, AnalystError, Bound, Event, EventSink, Info, Limits, OptionError, OptionKind,
    OptionSetting, OptionSpec, OptionValue, RunOn, Score, SearchHandle, SearchResult,
};

use crate::clock::PlayerLimits;
use crate::game::GameRules;
use crate::openings::Openings;
use crate::player::{OwnEngine, PlayerSpec};
use crate::series::SeriesPlan;
use tabiya_chess::rng::SplitMix64;

/// A description of an analyst with this name.
pub(crate) fn spec(name: &str) -> PlayerSpec {
    format!("tabiya name=\"{name}\"").parse().unwrap()
}

/// Makes an analyst by its name.
pub(crate) fn factory() -> Box<OwnEngine> {
    Box::new(|spec| match &spec.name {
        Some(name) if name.starts_with("broken") => Err("it is broken".into()),
        Some(name) => Ok(Box::new(Fake::new(name))),
        None => Err("it has no name".into()),
    })
}

/// Games without a clock from a few openings, one at a time.
pub(crate) fn plan() -> SeriesPlan {
    SeriesPlan {
        event: "Test".into(),
        limits: Some(nodes()),
        rules: GameRules::default(),
        openings: Openings::builtin(1),
        concurrency: 1,
        pgn: None,
        journal: None,
    }
}

pub(crate) fn nodes() -> PlayerLimits {
    "nodes=1".parse().unwrap()
}

/// What an analyst does instead of a move.
#[derive(Clone, Copy, Debug)]
enum Trick {
    Illegal,
    NoMove,
    /// Takes ten seconds, or until it is stopped.
    Late,
    Crash,
    Panic,
    Silent,
    Nonsense,
    /// Cannot even begin.
    Refuse,
}

impl Trick {
    fn parse(text: &str) -> Self {
        match text {
            "illegal" => Self::Illegal,
            "nomove" => Self::NoMove,
            "late" => Self::Late,
            "crash" => Self::Crash,
            "panic" => Self::Panic,
            "silent" => Self::Silent,
            "nonsense" => Self::Nonsense,
            "refuse" => Self::Refuse,
            _ => panic!("there is no trick {text}"),
        }
    }
}

enum Style {
    Random(u64),
    Greedy,
    Script(Vec<String>),
    Skill(i64),
}

pub(crate) struct Fake {
    name: String,
    style: Style,
    trick: Option<(usize, Trick)>,
    asked: usize,
}

impl Fake {
    pub(crate) fn new(name: &str) -> Self {
        let mut words = name.split_whitespace();
        let style = match words.next().unwrap_or_default() {
            "greedy" => Style::Greedy,
            "skill" => Style::Skill(50),
            "script" => Style::Script(words.by_ref().map(str::to_owned).collect()),
            word => {
                let number = word.strip_prefix("random").unwrap().strip_prefix(':');
                Style::Random(number.map_or(0, |number| number.parse().unwrap()))
            }
        };
        let trick = words.next().map(|word| {
            let (trick, at) = word.split_once('@').unwrap();
            (at.parse().unwrap(), Trick::parse(trick))
        });
        Self { name: name.to_owned(), style, trick, asked: 0 }
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        let any = |salt: u64| {
            let moves = position.legal_moves();
            let index = SplitMix64::new(position.keys().position ^ salt).index(moves.len());
            moves.get(index).copied()
        };
        match &self.style {
            Style::Random(salt) => any(*salt),
            Style::Greedy => greedy(position).or_else(|| any(1)),
            Style::Script(moves) => position.parse_uci(moves.get(self.asked - 1)?).ok(),
            Style::Skill(level) => {
                let lucky =
                    SplitMix64::new(position.keys().position).unit() * 100.0 < *level as f64;
                greedy(position).filter(|_| lucky).or_else(|| any(2))
            }
        }
    }

    fn gone(&self, reason: &str) -> AnalystError {
        AnalystError::Gone { name: self.name.clone(), reason: reason.into() }
    }
}

fn greedy(position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let mates = |mv: &&Move| {
        let mut next = position.clone();
        next.play_unchecked(**mv);
        next.is_checkmate()
    };
    let worth = |mv: &&Move| {
        let taken = position.kind_at(mv.to()).filter(|_| !mv.is_castling());
        let promoted = mv.promoted() == Some(PieceKind::Queen);
        taken.map_or(0, |piece| piece.index() + 1).max(if promoted { 6 } else { 0 })
    };
    let best = moves.iter().max_by_key(worth).filter(|mv| worth(mv) > 0);
    moves.iter().find(mates).or(best).copied()
}

static OPTIONS: LazyLock<[OptionSpec; 2]> = LazyLock::new(|| {
    let level = OptionKind::Spin { default: 50, min: 0, max: 100 };
    let book = OptionKind::Check { default: false };
    [("Level", level), ("Book", book)].map(|(name, kind)| OptionSpec {
        name: name.into(),
        kind,
        help: String::new(),
    })
});

impl Analyst for Fake {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn author(&self) -> String {
        "the tests".into()
    }

    fn options(&self) -> &[OptionSpec] {
        &*OPTIONS
    }

    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError> {
        if let (OptionValue::Spin(value), Style::Skill(level)) = (setting.value(), &mut self.style)
        {
            *level = *value;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.asked = 0;
        Ok(())
    }

    fn search(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _run: RunOn,
        report: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError> {
        self.asked += 1;
        let best = self.choose(game.position());
        let info = Info {
            depth: 1,
            selective_depth: 1,
            line: 1,
            score: Score::Centipawns(25),
            bound: Bound::Exact,
            wdl: None,
            nodes: 1,
            time: Duration::ZERO,
            hash_full: None,
            tablebase_hits: 0,
            pv: best.into_iter().collect(),
        };
        if let Some(mut report) = report {
            report(&Event::Info(info.clone()));
        }
        let mut search = FakeSearch {
            result: Ok(SearchResult { best, info: Some(info), ..SearchResult::default() }),
            delay: None,
            panics: false,
            stopped: Mutex::new(false),
            changed: Condvar::new(),
        };
        let name = || self.name.clone();
        match self.trick.filter(|(at, _)| *at == self.asked).map(|(_, trick)| trick) {
            None => {}
            Some(Trick::Illegal) => {
                let mv = Move::normal(Square::A1, Square::H8);
                search.result = Ok(SearchResult { best: Some(mv), ..SearchResult::default() });
            }
            Some(Trick::NoMove) => search.result = Ok(SearchResult::default()),
            Some(Trick::Late) => search.delay = Some(Duration::from_secs(10)),
            Some(Trick::Crash) => search.result = Err(self.gone("it closed its output")),
            Some(Trick::Panic) => search.panics = true,
            Some(Trick::Silent) => {
                let after = Duration::from_secs(5);
                search.result = Err(AnalystError::Silent { name: name(), after });
            }
            Some(Trick::Nonsense) => {
                let what = "bestmove \"xyzzy\"".into();
                search.result = Err(AnalystError::Protocol { name: name(), what });
            }
            Some(Trick::Refuse) => {
                let what = "it does not read what it is sent".into();
                return Err(AnalystError::Protocol { name: name(), what });
            }
        }
        Ok(Arc::new(search))
    }
}

struct FakeSearch {
    result: Result<SearchResult, AnalystError>,
    delay: Option<Duration>,
    panics: bool,
    stopped: Mutex<bool>,
    changed: Condvar,
}

impl SearchHandle for FakeSearch {
    fn stop(&self) {
        *self.stopped.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        assert!(!self.panics, "a mistake in the search");
        if let Some(delay) = self.delay {
            let stopped = self.stopped.lock().unwrap();
            let _ = self.changed.wait_timeout_while(stopped, delay, |stopped| !*stopped);
        }
        self.result.clone()
    }
}
