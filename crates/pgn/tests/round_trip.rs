//! What is written reads back as the same game, and what is read is written stably.

use std::io::Read;
use std::ops::ControlFlow;
use std::time::Duration;

use proptest::prelude::*;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{GameResult, Position};
use tabiya_pgn::{Comment, Eval, NodeId, PgnGame, PgnReader, PgnResult, PgnScore, ReadGame, Tags};

fn read(bytes: &[u8]) -> Vec<ReadGame> {
    PgnReader::new(bytes).collect::<Result<_, _>>().expect("bytes in memory")
}

/// A game with everything that there is, in the order that a seed fixes.
fn any_game(seed: u64, texts: &[String]) -> PgnGame {
    let mut random = SplitMix64::new(seed);
    let start = match random.index(3) {
        0 => Position::start(),
        1 => Position::chess960(random.below(960) as u16).unwrap(),
        _ => "4k3/1P6/8/8/8/8/1p6/4K3 b - - 3 40".parse().unwrap(),
    };
    let mut game = PgnGame::new(start);
    if random.index(4) == 0 {
        game.set_chess960();
    }
    let [white, draw, black] = GameResult::ALL.map(PgnResult::Known);
    let results = [white, black, draw, PgnResult::Unknown];
    game.set_result(results[random.index(4)]);
    for (index, name) in ["Event", "Date", "White", "ECO", "Annotator"].into_iter().enumerate() {
        if let Some(text) = texts.get(index) {
            game.tags_mut().set(name, text).unwrap();
        }
    }
    let comment = |random: &mut SplitMix64| {
        let mut comment = Comment::new(&texts[random.index(texts.len())]);
        if random.index(3) == 0 {
            comment = comment.with_clock(Duration::from_millis(random.below(1 << 34)));
        }
        if random.index(4) == 0 {
            comment = comment.with_elapsed(Duration::from_secs(random.below(90)));
        }
        if random.index(3) == 0 {
            let score = random.below(3000) as i32 - 1500;
            let score =
                if score % 7 == 0 { PgnScore::Mate(score) } else { PgnScore::Centipawns(score) };
            comment = comment.with_eval(Eval { score, depth: Some(score_depth(random)) });
        }
        comment
    };
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..random.index(60) {
        // Mostly on from the last move, sometimes from any.
        let any = random.index(nodes.len());
        let parent = if random.index(4) == 0 { nodes[any] } else { nodes[nodes.len() - 1] };
        let moves = game.position(parent).legal_moves().to_vec();
        let added = if moves.is_empty() || random.index(20) == 0 {
            game.add_null(parent)
        } else {
            game.add(parent, moves[random.index(moves.len())])
        };
        let Ok(node) = added else { continue };
        nodes.push(node);
        if random.index(4) == 0 {
            game.add_nag(node, random.next() as u8);
        }
        if random.index(3) == 0 {
            game.add_comment(node, comment(&mut random));
        }
        if random.index(5) == 0 {
            game.add_comment_before(node, comment(&mut random));
        }
    }
    game
}

fn score_depth(random: &mut SplitMix64) -> u32 {
    1 + random.below(60) as u32
}

/// Gives one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        any::<String>(),
        "[a-z(){};%$\\\\\"\\[\\] \n\\-0-9.]{0,60}",
        Just("[%clk 0:01:02] [%eval #3] x".to_owned()),
        Just("[%clk [%emt 0:00:01]0:00:02]".to_owned()),
        Just("% at the start of a word % % ".repeat(9)),
        Just("\n\n[Event \"x\"]\n\n1. d4 1-0 }".to_owned()),
    ];
    proptest::collection::vec(piece, 1..6)
}

proptest! {
    #[test]
    fn what_is_written_reads_back_as_the_same(seeds in proptest::collection::vec(any::<u64>(), 1..4), texts in texts()) {
        let games: Vec<_> = seeds.iter().map(|&seed| any_game(seed, &texts)).collect();
        let file: String = games.iter().map(|game| format!("{game}\n")).collect();
        for again in [read(file.as_bytes()), PgnReader::new(Trickle(file.as_bytes())).map(Result::unwrap).collect()] {
            prop_assert_eq!(again.len(), games.len(), "{}", file);
            for (again, game) in again.iter().zip(&games) {
                prop_assert!(again.faults.is_empty(), "{:?}\n{}", again.faults, file);
                prop_assert_eq!(&again.game, game);
                prop_assert_eq!(again.game.to_string(), game.to_string());
            }
        }
        prop_assert!(file.lines().all(|line| line.len() <= 80 || line.starts_with('[') || !line.contains(' ') || line.contains(" %")), "{}", file);
    }

    #[test]
    fn an_independent_reader_finds_the_same(seed in any::<u64>(), texts in texts()) {
        let game = any_game(seed, &texts);
        let text = game.to_string();
        let mut reader = pgn_reader::Reader::new(text.as_bytes());
        let counts = reader.read_game(&mut Counter).unwrap().unwrap();
        prop_assert_eq!(counts.moves, game.len(), "{}", text);
        prop_assert_eq!(counts.tags, 1 + game.tags().iter().count() + usize::from(game.is_chess960()) + 2 * usize::from(*game.start() != Position::start()));
        prop_assert_eq!(counts.results, 1);
        prop_assert!(reader.read_game(&mut Counter).unwrap().is_none());
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        is_stable(&bytes)?;
    }

    #[test]
    fn no_text_is_too_strange(text in "([a-h][1-8]|[NBRQK][a-h][1-8]|O-O|[{}();!?$*.%\\[\\]\"\n ]|1\\.|[0-9]|\\[Event \"[a-z\"\\\\]*\"\\]\n|[ \t\r]|1-0|--|\\{[^}]*\\}|\\[%clk 0:00:0[0-9]\\]|[\\x00-\\xff]){0,60}") {
        is_stable(text.as_bytes())?;
    }
}

/// Whatever is read is written in a form that reads back as the same, without faults.
fn is_stable(bytes: &[u8]) -> Result<(), TestCaseError> {
    let games = read(bytes);
    for (number, ReadGame { game, faults, .. }) in games.iter().enumerate() {
        for fault in faults.iter() {
            prop_assert_eq!(fault.game, number as u64 + 1);
            prop_assert!(fault.to_string().len() < 1000);
        }
        let written = game.to_string();
        let again = read(written.as_bytes());
        prop_assert_eq!(again.len(), 1, "{}", written);
        prop_assert!(again[0].faults.is_empty(), "{:?}\n{}", again[0].faults, written);
        prop_assert_eq!(&again[0].game, game);
        prop_assert_eq!(again[0].game.to_string(), written);
    }
    Ok(())
}

/// What `pgn-reader` finds by itself.
#[derive(Default)]
struct Counts {
    tags: usize,
    moves: usize,
    results: usize,
}

struct Counter;

impl pgn_reader::Visitor for Counter {
    type Tags = Counts;
    type Movetext = Counts;
    type Output = Counts;

    fn begin_tags(&mut self) -> ControlFlow<Counts, Counts> {
        ControlFlow::Continue(Counts::default())
    }

    fn tag(
        &mut self,
        counts: &mut Counts,
        _: &[u8],
        _: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<Counts> {
        counts.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, counts: Counts) -> ControlFlow<Counts, Counts> {
        ControlFlow::Continue(counts)
    }

    fn san(&mut self, counts: &mut Counts, _: pgn_reader::SanPlus) -> ControlFlow<Counts> {
        counts.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Counts) -> ControlFlow<Counts, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(false))
    }

    fn outcome(&mut self, counts: &mut Counts, _: pgn_reader::Outcome) -> ControlFlow<Counts> {
        counts.results += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, counts: Counts) -> Counts {
        counts
    }
}

#[test]
fn the_export_format_looks_like_this() {
    let text = "[Black \"Jones\"]\n[Annotator \"A \\\"B\\\" \\\\\\\\\"]\n[White \"Smith\"]\n\n{Before.} 1. e4! ( {Or} 1. d4 d5 ( 1... Nf6 ) 2. c4 ) e5 {a long remark that does not fit on the line and is broken where it has a space} 2. Nf3 (2. f4 exf4 (2... d5)) (2. d4) Nc6 {[%clk 0:59:58] [%eval 0.3]} 1-0";
    let games = read(text.as_bytes());
    assert!(games[0].faults.is_empty());
    assert_eq!(
        games[0].game.to_string(),
        r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Smith"]
[Black "Jones"]
[Result "1-0"]
[Annotator "A \"B\" \\\\"]

{Before.} 1. e4 $1 ({Or} 1. d4 d5 (1... Nf6) 2. c4) 1... e5 {a long remark that
does not fit on the line and is broken where it has a space} 2. Nf3 (2. f4 exf4
(2... d5)) (2. d4) 2... Nc6 {[%eval 0.30] [%clk 0:59:58]} 1-0
"#
    );
    assert_eq!(games[0].game.main_game().unwrap().moves().len(), 4);
    assert_eq!(games[0].game.len(), 12);
}

#[test]
fn chess960_is_read_from_tags_of_all_kinds() {
    let fen = Position::chess960(0).unwrap().fen();
    let shredder = Position::chess960(0).unwrap().shredder_fen();
    for fen in [fen, shredder] {
        let text = format!("[Variant \"Fischerandom\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. b3 *");
        let game = &read(text.as_bytes())[0].game;
        assert!(game.is_chess960() && game.start().is_chess960());
        assert!(
            game.to_string().contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bbqnnrkr/")
        );
        assert_eq!(&read(game.to_string().as_bytes())[0].game, game);
    }
    let usual = &read(b"[Variant \"Chess960\"]\n\n1. e4 *")[0].game;
    assert!(usual.is_chess960());
    assert_eq!(*usual.start(), Position::start());
    assert_eq!(*usual.tags(), Tags::default());
}
