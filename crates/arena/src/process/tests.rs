//! With programs for the shell, which every Unix has.

use super::*;
use crate::game::Reason;
use crate::match_run::{MatchPlan, MatchReport, play_match};
use crate::player::{EngineSpec, OwnEngine, Player, PlayerSpec};
use crate::testing::{factory, plan, spec};
use crate::watchdog::Interrupt;
use std::time::Instant;

/// A UCI engine that shuffles its knights, from the second move of the game on as `instead` says.
fn engine(instead: &str) -> String {
    format!(
        r#"
        uci() {{ echo "id name Shuffler"; echo "option name Hash type spin default 1 min 1 max 9"; echo uciok; }}
        home=1
        while read -r first rest; do case "$first" in
            uci) uci ;;
            isready) echo readyok ;;
            ucinewgame) count=0; echo "new game" >&2 ;;
            position) case "$rest" in
                *" "[a-h][1-8][a-h][1-8]" "[a-h][1-8][a-h][1-8]*) ;;
                esac
                set -- $rest; moves=$(($# - 2)); [ $moves -lt 0 ] && moves=0 ;;
            go) count=$((count + 1))
                if [ $count -ge 2 ]; then {instead}; fi
                echo "info depth 1 score cp 7 nodes 5 pv e2e4"
                case $((moves % 2))$((moves / 2 % 2)) in
                    00) echo bestmove g1f3 ;; 01) echo bestmove f3g1 ;;
                    10) echo bestmove g8f6 ;; 11) echo bestmove f6g8 ;;
                esac ;;
            quit) exit ;;
        esac; done"#
    )
}

/// A CECP engine that shuffles its knights and plays only one game each time it is started.
const ONE_GAME: &str = r#"
    games=0
    while read -r first rest; do case "$first" in
        protover) echo 'feature ping=1 usermove=1 reuse=0 myname="Once" done=1' ;;
        ping) echo "pong $rest" ;;
        new) moves=0; games=$((games + 1)); [ $games -gt 1 ] && exit 7 ;;
        usermove) moves=$((moves + 1)) ;;
        go) case $((moves % 2))$((moves / 2 % 2)) in
                00) echo move g1f3 ;; 01) echo move f3g1 ;;
                10) echo move g8f6 ;; 11) echo move f6g8 ;;
            esac
            moves=$((moves + 1)) ;;
        quit) exit ;;
    esac; done"#;

fn shell(name: &str, script: &str) -> PlayerSpec {
    PlayerSpec {
        name: Some(name.into()),
        engine: EngineSpec::Process(ProcessSpec {
            program: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            directory: None,
            protocol: Protocol::Uci,
        }),
        options: Vec::new(),
        limits: None,
    }
}

fn play(script: &str, limits: &str, pairs: u32) -> (MatchReport, Vec<String>) {
    let mut series = plan();
    series.limits = Some(limits.parse().unwrap());
    series.rules.patience = Duration::from_millis(300);
    let start = tabiya_chess::Game::new(tabiya_chess::Position::start());
    series.openings = crate::openings::Openings::new([start.into()]).unwrap();
    let plan = MatchPlan {
        players: [shell("culprit", script), shell("other", &engine("true"))],
        pairs,
        sprt: None,
        series,
    };
    let mut faults = Vec::new();
    let report = play_match(&plan, &*factory(), &Interrupt::new(), &mut |_, record| {
        faults.extend(record.ending.fault.clone());
    });
    (report.unwrap(), faults)
}

#[test]
fn a_program_plays_games() {
    let (report, faults) = play(&engine("true"), "nodes=5", 2);
    assert_eq!(faults, [""; 0]);
    assert_eq!(report.status.reasons[&Reason::Repetition].draws, 4);
}

#[test]
fn who_plays_only_one_game_is_started_for_each() {
    let mut once = shell("once", ONE_GAME);
    if let EngineSpec::Process(process) = &mut once.engine {
        process.protocol = Protocol::Cecp;
    }
    let mut series = plan();
    series.limits = Some("tc=60+0".parse().unwrap());
    let start = tabiya_chess::Game::new(tabiya_chess::Position::start());
    series.openings = crate::openings::Openings::new([start.into()]).unwrap();
    let plan = MatchPlan {
        players: [once, shell("other", &engine("true"))],
        pairs: 2,
        sprt: None,
        series,
    };
    let report = play_match(&plan, &*factory(), &Interrupt::new(), &mut |_, _| ()).unwrap();
    assert_eq!(report.status.reasons[&Reason::Repetition].draws, 4, "{report:?}");
}

#[test]
fn what_an_engine_speaks_is_found_out() {
    for (script, spoken) in [(engine("true"), Protocol::Uci), (ONE_GAME.into(), Protocol::Cecp)] {
        let mut unknown = shell("x", &script);
        if let EngineSpec::Process(process) = &mut unknown.engine {
            process.protocol = Protocol::Auto;
        }
        assert_eq!(start(&unknown).unwrap().protocol(), Some(spoken));
    }
}

#[test]
fn who_misbehaves_loses_by_name_and_is_started_again() {
    for (instead, reason, message) in [
        ("echo bestmove e9e5; continue", Reason::IllegalMove, "e9e5"),
        ("echo bestmove E2E4; continue", Reason::IllegalMove, "E2E4"),
        ("echo bestmove; continue", Reason::IllegalMove, "without a move"),
        ("echo help >&2; exit 3", Reason::Crash, "(exit status: 3); its last words were"),
        ("kill -9 $$", Reason::Crash, "(signal: 9 (SIGKILL))"),
        ("exec >&-; continue", Reason::Crash, "it closed its output"),
    ] {
        let (report, faults) = play(&engine(instead), "nodes=5", 1);
        assert_eq!(report.status.reasons[&reason].losses, 2, "{instead}: {faults:?}");
        assert_eq!(report.status.pairs.ll, 1);
        for fault in faults {
            assert!(fault.starts_with("culprit "), "{fault}");
            assert!(fault.contains(message), "{instead}: {fault}");
        }
    }
}

#[test]
fn who_hangs_is_killed_and_started_again() {
    let begin = Instant::now();
    for limits in ["nodes=5", "tc=1+0.01"] {
        // Deaf to everything, with a child of its own that must not survive.
        let (report, faults) = play(&engine("sleep 1000; sleep 1000"), limits, 1);
        assert_eq!(report.status.reasons[&Reason::Hang].losses, 2, "{faults:?}");
    }
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn who_is_late_but_obeys_loses_on_time() {
    let late = "read -r word; echo bestmove a2a3; continue";
    let (report, faults) = play(&engine(late), "tc=0.5+0.01", 1);
    assert_eq!(report.status.reasons[&Reason::TimeForfeit].losses, 2, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.starts_with("culprit was late: ")), "{faults:?}");
}

#[test]
fn garbage_without_end_is_no_trouble() {
    let noise =
        r"head -c 20000000 /dev/zero; printf '\377\376 bestmove\n'; echo bestmove zzzz; continue";
    let (report, faults) = play(&engine(noise), "tc=60+0", 1);
    assert_eq!(report.status.reasons[&Reason::IllegalMove].losses, 2, "{faults:?}");
}

fn start(spec: &PlayerSpec) -> Result<Player, StartError> {
    let own: &OwnEngine = &|_| Err("none".into());
    Player::start(spec, own)
}

#[test]
fn what_is_no_engine_is_told_so() {
    let message = |spec: &PlayerSpec| match start(spec) {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    };
    let ended = message(&shell("x", "echo no network >&2; exit 4"));
    assert!(ended.contains("(exit status: 4); its last words were \"no network\""), "{ended}");
    let missing: PlayerSpec = "/no/such/engine".parse().unwrap();
    assert!(message(&missing).contains("/no/such/engine cannot be started"));
    let mut unknown = shell("x", &engine("true"));
    unknown.options = vec![("Contempt".into(), "1".into())];
    assert!(message(&unknown).contains("there is no option \"Contempt\""));
}

#[test]
fn a_program_that_does_not_quit_is_ended() {
    let stubborn = engine("true").replace("quit) exit ;;", "quit) sleep 1000 ;;");
    let player = start(&shell("x", &stubborn)).unwrap();
    let begin = Instant::now();
    drop(player);
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_name_is_taken_from_the_engine_unless_given() {
    let mut anonymous = shell("x", &engine("true"));
    anonymous.name = None;
    assert_eq!(start(&anonymous).unwrap().name(), "Shuffler");
    assert_eq!(start(&shell("x", &engine("true"))).unwrap().name(), "x");
    assert_eq!(start(&spec("random")).err().unwrap().to_string(), "random cannot be made ready");
}

#[test]
fn a_name_cannot_steer_the_terminal() {
    let loud = "read -r uci; printf 'id name a\\033[31mb%0200d\\n\\200uciok\\nuciok\\n' 7; cat";
    let mut named = shell("x", loud);
    named.name = None;
    let player = start(&named).unwrap();
    assert!(player.name().starts_with("a\u{fffd}[31mb000"), "{:?}", player.name());
    assert_eq!(crate::label::columns(player.name()), 80);
}

#[test]
fn a_program_is_found_from_here_wherever_it_is_started() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("engine.sh");
    std::fs::write(&path, format!("#!/bin/sh\n[ -e marker ] || exit 9\n{}", engine("true")))
        .unwrap();
    std::os::unix::fs::PermissionsExt::set_mode(
        &mut std::fs::metadata(&path).unwrap().permissions(),
        0o755,
    );
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("marker"), "").unwrap();
    let text = format!("sh {} dir={} proto=uci", path.display(), place.path().display());
    assert_eq!(start(&text.parse().unwrap()).unwrap().name(), "Shuffler");
}
