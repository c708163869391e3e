use super::*;
use crate::game::{Ending, Reason};
use crate::match_run::{MatchPlan, play_match};
use crate::openings::Openings;
use crate::testing::{factory, plan, spec};
use crate::watchdog::Interrupt;
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, KnownOutcome, Position as _};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use tabiya_chess::{Game, GameResult, Position};

/// A game as an independent reader understands it.
struct Understood {
    tags: BTreeMap<String, String>,
    last: Chess,
    plies: usize,
    outcome: Option<Outcome>,
}

struct Independent;

impl Visitor for Independent {
    type Tags = BTreeMap<String, String>;
    type Movetext = Understood;
    type Output = Understood;

    fn begin_tags(&mut self) -> ControlFlow<Understood, Self::Tags> {
        ControlFlow::Continue(BTreeMap::new())
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Understood> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        let again = tags.insert(name, value.decode_utf8().unwrap().into_owned());
        assert_eq!(again, None, "a tag twice");
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Understood, Understood> {
        let start = tags.get("FEN").map(|fen| {
            assert_eq!(tags["SetUp"], "1");
            let fen: Fen = fen.parse().unwrap();
            fen.into_position(CastlingMode::Standard).unwrap()
        });
        ControlFlow::Continue(Understood {
            tags,
            last: start.unwrap_or_default(),
            plies: 0,
            outcome: None,
        })
    }

    fn san(&mut self, game: &mut Understood, san: SanPlus) -> ControlFlow<Understood> {
        let mv = san.san.to_move(&game.last).expect("a legal move");
        game.last.play_unchecked(mv);
        game.plies += 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Understood, outcome: Outcome) -> ControlFlow<Understood> {
        game.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Understood) -> Understood {
        game
    }
}

fn understand(text: &str) -> Vec<Understood> {
    let mut reader = Reader::new(text.as_bytes());
    std::iter::from_fn(|| reader.read_game(&mut Independent).unwrap()).collect()
}

#[test]
fn an_independent_reader_understands_every_game() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.pgn");
    let mut series = plan();
    series.pgn = Some(path.clone());
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/1P6/8/8/8/8/1p6/4K3 b - - 3 40",
    ];
    let from_fens = fens.map(|fen| Game::new(Position::from_fen(fen).unwrap()).into());
    let made = Openings::builtin(2);
    let all = (0..6).map(|number| (*made.get(number)).clone()).chain(from_fens);
    series.openings = Openings::new(all).unwrap();
    let plan = MatchPlan {
        players: ["greedy", "random:5 illegal@30"].map(spec),
        pairs: 8,
        sprt: None,
        series,
    };
    let mut endings = Vec::new();
    play_match(&plan, &*factory(), &Interrupt::new(), &mut |_, record| {
        endings.push((record.ending.clone(), record.plies));
    })
    .unwrap();

    let text = std::fs::read_to_string(&path).unwrap();
    let games = understand(&text);
    assert_eq!(games.len(), 16);
    for (game, (ending, plies)) in games.iter().zip(&endings) {
        assert_eq!(game.tags["Result"], ending.result.to_string());
        let known = game.outcome.and_then(Outcome::known);
        let expected = match ending.result {
            GameResult::White => KnownOutcome::Decisive { winner: shakmaty::Color::White },
            GameResult::Black => KnownOutcome::Decisive { winner: shakmaty::Color::Black },
            GameResult::Draw => KnownOutcome::Draw,
        };
        assert_eq!(known, Some(expected));
        assert_eq!(game.tags["PlyCount"], game.plies.to_string());
        assert!(game.plies >= *plies);
        assert_eq!(game.last.is_checkmate(), ending.reason == Reason::Checkmate);
        assert_eq!(game.last.is_stalemate(), ending.reason == Reason::Stalemate);
        assert_eq!(game.tags["Termination"], ending.reason.pgn_termination());
        assert_eq!(game.tags["TimeControl"], "-");
        assert_eq!(game.tags["WhiteLimits"], "nodes=1");
    }
    assert!(games.iter().any(|game| game.tags.contains_key("FEN")));
    assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= 80));
}

fn game(opening: &[&str], moves: &[&str], ending: Ending) -> PlayedGame {
    let mut so_far = Game::new(Position::start());
    for mv in opening {
        so_far.play(so_far.position().parse_uci(mv).unwrap()).unwrap();
    }
    let opening = Arc::new(so_far.clone().into());
    let mut played = Vec::new();
    for mv in moves {
        let mv = so_far.position().parse_uci(mv).unwrap();
        so_far.play(mv).unwrap();
        played.push(PlayedMove {
            mv,
            score: Some(Score::Centipawns(-34)),
            depth: Some(12),
            time: Duration::from_millis(52),
        });
    }
    PlayedGame {
        opening,
        moves: played,
        ending,
        started: UNIX_EPOCH + Duration::from_secs(1_709_210_096),
        duration: Duration::from_secs(3_725),
    }
}

#[test]
fn a_game_looks_as_people_expect() {
    let mut played = game(
        &["f2f3"],
        &["e7e5", "g2g4", "d8h4"],
        Ending { result: GameResult::Black, reason: Reason::Checkmate, fault: None },
    );
    played.moves[1].score = Some(Score::Mate(-1));
    played.moves[2].score = Some(Score::Mate(1));
    played.moves[2].depth = None;
    let tags = GameTags {
        event: "Test",
        round: "1.2".into(),
        names: ["A \"quoted\" \\ name", "B\nC"],
        identities: ["A 1.0 (commit 9c50120)", "B\nC"],
        limits: ["tc=40/60+0.6", "movetime=100 nodes=5"].map(|limits| limits.parse().unwrap()),
    };
    assert_eq!(
        write(&played, &tags),
        r#"[Event "Test"]
[Site "?"]
[Date "2024.02.29"]
[Round "1.2"]
[White "A \"quoted\" \\ name"]
[Black "B C"]
[Result "0-1"]
[WhiteEngine "A 1.0 (commit 9c50120)"]
[WhiteTimeControl "40/60+0.6"]
[BlackTimeControl "1/0.1"]
[BlackLimits "nodes=5"]
[Termination "normal"]
[PlyCount "4"]
[UTCDate "2024.02.29"]
[UTCTime "12:34:56"]
[GameDuration "01:02:05"]

1. f3 e5 {-0.34/12 0.052s} 2. g4 {-M1/12 0.052s} 2... Qh4# {+M1 0.052s}
{checkmate} 0-1

"#
    );
}

#[test]
fn whatever_an_engine_says_cannot_break_the_file() {
    let played = game(
        &[],
        &["e2e4"],
        Ending {
            result: GameResult::White,
            reason: Reason::Crash,
            fault: Some("x } 1-0 {\n[Event \"y\"] \u{7} crashed".repeat(20)),
        },
    );
    let tags = GameTags {
        event: "]\"\n[White \"z\"]",
        round: "1".into(),
        names: ["a\r\n\r\n1. d4", "\"]"],
        identities: ["\n\n", "\"]\n"],
        limits: ["nodes=1", "nodes=1"].map(|limits| limits.parse().unwrap()),
    };
    let text = write(&played, &tags);
    let games = understand(&format!("{text}{text}"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.plies == 1));
    assert_eq!(games[0].tags["Black"], "\"]");
}
