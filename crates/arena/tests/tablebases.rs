//! With real tables of up to four pieces, which `cargo xtask setup` installs; without them, what needs them is
//! left out, with a note.

#![expect(clippy::print_stdout, reason = "a test that is left out must say so")]

use std::path::{Path, PathBuf};

use tabiya_arena::adjudication::{Adjudication, Tables};
use tabiya_arena::game::{GameRules, Reason};
use tabiya_arena::match_run::{MatchPlan, play_match};
use tabiya_arena::openings::{Opening, Openings};
use tabiya_arena::player::OwnEngine;
use tabiya_arena::series::SeriesPlan;
use tabiya_arena::watchdog::Interrupt;
use tabiya_chess::{Game, GameResult, Position};
use tabiya_engine::Engine;

fn tables() -> Option<Tables> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/syzygy");
    if !directory.exists() {
        println!("note: there are no tablebases in {}; skipped", directory.display());
        return None;
    }
    Some(Tables::open(&directory).unwrap())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn results_are_told_only_where_they_are_certain() {
    use GameResult::{Black, Draw, White};
    let Some(tables) = tables() else { return };
    for (fen, result) in [
        ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", Some(White)),
        ("7k/8/8/8/8/8/8/KQ6 b - - 0 1", Some(White)),
        ("7K/8/8/8/8/8/8/kq6 w - - 0 1", Some(Black)),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", Some(Draw)),
        // A draw stays one however long it is played, but a win may come too late.
        ("7k/8/8/8/8/8/8/KNN5 w - - 90 80", Some(Draw)),
        ("7k/8/8/8/8/8/8/KQ6 w - - 90 80", None),
        // Five pieces, and the right to castle.
        ("7k/7p/8/8/8/8/P7/KQ6 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        // The pawn is taken en passant, or never.
        ("8/8/8/8/3Pp3/8/4K2k/8 b - d3 0 1", Some(Draw)),
        ("8/8/8/8/3Pp3/8/4K2k/8 b - - 0 1", Some(White)),
    ] {
        assert_eq!(tables.result(&position(fen)), result, "{fen}");
    }
}

#[test]
fn games_end_where_tables_begin() {
    let Some(tables) = tables() else { return };
    let own_engine: &OwnEngine = &|_| Ok(Box::new(Engine::new()?));
    let opening = |fen| Opening::from(Game::new(position(fen)));
    let ending = "8/5k2/8/4p3/4P3/8/5K2/8 w - - 0 1";
    let plan = MatchPlan {
        players: ["tabiya name=a", "tabiya name=b"].map(|spec| spec.parse().unwrap()),
        pairs: 1,
        sprt: None,
        series: SeriesPlan {
            event: "Tables".into(),
            limits: Some("nodes=200".parse().unwrap()),
            rules: GameRules {
                adjudication: Adjudication { tables: Some(tables), ..Adjudication::default() },
                ..GameRules::default()
            },
            openings: Openings::new([opening(ending)]).unwrap(),
            concurrency: 1,
            pgn: None::<PathBuf>,
            journal: None,
        },
    };
    let mut endings = Vec::new();
    play_match(&plan, own_engine, &Interrupt::new(), &mut |_, record| {
        endings.push((record.ending.result, record.ending.reason, record.plies));
    })
    .unwrap();
    // Level, and known to be: at the first move.
    assert_eq!(endings, [(GameResult::Draw, Reason::Tablebase, 1); 2]);
}
