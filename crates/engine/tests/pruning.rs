//! Pruning must not change the answer where it would be wrong: zugzwang, stalemate, quiet mates.

use tabiya_chess::{CastlingStyle, Game, Position};
use tabiya_engine::{Analyst, Engine, Limits, RunOn, Score, SearchResult};

/// Each technique, and the parameters that switch it off.
const OFF: [(&str, &[(&str, &str)]); 14] = [
    ("nothing", &[]),
    ("razoring", &[("razor_base", "30000")]),
    ("RFP", &[("rfp_depth", "0")]),
    ("NMP", &[("nmp_depth", "128")]),
    ("ProbCut", &[("probcut_depth", "128")]),
    ("IIR", &[("iir_depth", "128")]),
    ("LMP", &[("lmp_base", "1000")]),
    ("futility pruning", &[("futility_depth", "0")]),
    ("history pruning", &[("history_depth", "0")]),
    ("SEE pruning", &[("see_quiet", "30000"), ("see_capture", "30000")]),
    ("singular extensions and multi-cut", &[("singular_depth", "128")]),
    ("LMR", &[("lmr_depth", "128")]),
    ("delta pruning", &[("delta_margin", "30000")]),
    ("aspiration windows", &[("aspiration_depth", "128")]),
];

fn without(technique: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::tunable().unwrap();
    for (name, value) in technique {
        engine.set_option(name, value).unwrap();
    }
    engine
}

fn search(engine: &mut Engine, fen: &str, depth: u32) -> SearchResult {
    engine.new_game().unwrap();
    let game = Game::new(Position::from_fen(fen).unwrap());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.search(&game, &limits, RunOn::OwnThread, None).unwrap().wait().unwrap()
}

/// The best move in UCI notation.
fn best(result: &SearchResult, fen: &str) -> String {
    let position = Position::from_fen(fen).unwrap();
    result.best.unwrap().uci(&position, CastlingStyle::KingToTarget).to_string()
}

#[test]
fn every_technique_switched_off_finds_the_same_mates() {
    let mates = [
        // Back rank; rook and king; queen and king; a quiet rook move that shuts the sixth rank.
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 4, 1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 4, 1),
        ("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1", 8, 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 8, 3),
        // Smothered: the queen goes first.
        ("r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 10, 2),
    ];
    for (name, technique) in OFF {
        let mut engine = without(technique);
        for (fen, depth, moves) in mates {
            let score = search(&mut engine, fen, depth).info.unwrap().score;
            assert_eq!(score, Score::Mate(moves), "{fen} without {name}");
        }
    }
}

#[test]
fn null_move_pruning_does_not_believe_in_passing_where_zugzwang_decides() {
    // In both the best move leaves the opponent, who would like to pass, without a good one.
    for (fen, depth, mv) in [
        ("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", 12, "e1f1"),
        ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", 12, "g5h6"),
    ] {
        for technique in [&[][..], &[("nmp_depth", "128")]] {
            let result = search(&mut without(technique), fen, depth);
            assert_eq!(best(&result, fen), mv, "{fen} with {technique:?}");
        }
    }
}

#[test]
fn razoring_does_not_miss_a_stalemate_that_saves_the_game() {
    // White gives all pieces away: the last capture is stalemate.
    let fen = "8/6B1/p5p1/Pp4kp/1P5r/5P1Q/4q1PK/8 w - - 0 32";
    for technique in [&[][..], &[("razor_base", "30000")]] {
        let result = search(&mut without(technique), fen, 12);
        assert_eq!(best(&result, fen), "g7f6");
        assert_eq!(result.info.unwrap().score, Score::Centipawns(0));
    }
}

#[test]
fn futility_pruning_does_not_skip_a_quiet_move_that_mates() {
    // White is far behind: only the quiet queen move to h6 wins.
    let fen = "6k1/nn3p1p/np3Pp1/nb6/8/7Q/7K/8 w - - 0 1";
    for technique in [&[][..], &[("futility_depth", "0")], &[("lmp_base", "1000")]] {
        let result = search(&mut without(technique), fen, 8);
        assert_eq!(result.info.unwrap().score, Score::Mate(2), "{technique:?}");
    }
}

#[test]
fn multi_cut_and_singular_extensions_keep_the_only_move() {
    for (fen, depth, mv) in [
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 10, "d6d1"),
        ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", 14, "g5h6"),
    ] {
        for technique in [&[][..], &[("singular_depth", "128")], &[("singular_depth", "4")]] {
            let result = search(&mut without(technique), fen, depth);
            assert_eq!(best(&result, fen), mv, "{fen} with {technique:?}");
        }
    }
}
