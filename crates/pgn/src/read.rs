//! Reads games: `pgn-reader` finds the moves, and they are played here.

use std::io::{self, Read};
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Nag, Outcome, RawComment, RawTag, SanPlus, Skip, Visitor};
use tabiya_chess::{Color, Excerpt, GameResult, Position, SanError};

use crate::fault::{Fault, FaultKind, FaultPlace, Faults};
use crate::frame::{Frames, LINE_BYTES, LONG_TAG, MALFORMED_TAG, Mark};
use crate::game::play;
use crate::limits;
use crate::tags::OWN;
use crate::text::decoded;
use crate::{AddError, Comment, NodeId, PgnGame, PgnResult, TagError};

/// Words besides signs that annotators put after a move: a novelty, a diagram, check and mate.
const REMARKS: [&str; 8] = ["N", "TN", "D", "ch", "dbl", "dis", "ep", "mate"];

/// Variants by the names that other programs write which are chess, and whether they are Chess960.
const VARIANTS: [(&str, bool); 8] = [
    ("standard", false),
    ("normal", false),
    ("chess", false),
    ("from position", false),
    ("chess960", true),
    ("chess 960", true),
    ("fischerandom", true),
    ("fischerrandom", true),
];

/// Games from a stream, one at a time. A damaged game is kept as far as it makes sense, and the next one is
/// not harmed by it.
///
/// ```
/// use tabiya_chess::GameResult;
/// use tabiya_pgn::PgnReader;
/// let file = "1. e4 e5 1/2-1/2\n\n[Event \"Cup\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
/// let games: Vec<_> = PgnReader::new(file.as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(games.len(), 2);
/// assert_eq!((games[1].number, games[1].line), (2, 3));
/// assert_eq!(games[1].game.result(), GameResult::Black.into());
/// assert!(games[1].game.main_game()?.position().is_checkmate());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PgnReader<R> {
    frames: Frames<R>,
    games: u64,
    failed: bool,
}

/// A game that was read.
#[derive(Debug)]
pub struct ReadGame {
    /// Which game of the stream, counted from 1.
    pub number: u64,
    /// The line in which it begins, counted from 1.
    pub line: u64,
    /// The game, as far as it makes sense.
    pub game: PgnGame,
    /// What was damaged.
    pub faults: Faults,
}

impl<R: Read> PgnReader<R> {
    /// Reads from a stream, which need not be buffered.
    pub fn new(read: R) -> Self {
        Self { frames: Frames::new(read), games: 0, failed: false }
    }

    fn read_game(&mut self) -> io::Result<Option<ReadGame>> {
        let Some((line, text)) = self.frames.next_game()? else { return Ok(None) };
        self.games += 1;
        let mut reader =
            pgn_reader::Reader::build(text).set_supported_tag_line_length(LINE_BYTES).finish();
        let number = self.games;
        let read = reader.read_game(&mut GameVisitor { number })?;
        debug_assert!(!reader.has_more()?, "a game is in one piece");
        let (game, faults) = read.unwrap_or_else(|| Builder::new(number).finish());
        Ok(Some(ReadGame { number, line, game, faults }))
    }
}

/// Ends after the last game, and after an error of the stream.
impl<R: Read> Iterator for PgnReader<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = self.read_game();
        self.failed = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}

struct GameVisitor {
    number: u64,
}

impl Visitor for GameVisitor {
    type Tags = Builder;
    type Movetext = Builder;
    type Output = (PgnGame, Faults);

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Builder> {
        ControlFlow::Continue(Builder::new(self.number))
    }

    fn tag(
        &mut self,
        builder: &mut Builder,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        // `RawTag::decode` makes one backslash of two that are escaped.
        builder.tag(name, &decoded(&unescaped(value.as_bytes())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut builder: Builder) -> ControlFlow<Self::Output, Builder> {
        builder.begin_moves();
        ControlFlow::Continue(builder)
    }

    fn san(&mut self, builder: &mut Builder, san: SanPlus) -> ControlFlow<Self::Output> {
        builder.mv(&san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, builder: &mut Builder, nag: Nag) -> ControlFlow<Self::Output> {
        builder.nag(nag.0);
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        builder: &mut Builder,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        builder.comment_so_far.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        builder: &mut Builder,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        let mut whole = std::mem::take(&mut builder.comment_so_far);
        whole.extend_from_slice(comment.as_bytes());
        match Mark::of(&whole) {
            Some((mark, text)) => builder.mark(mark, &decoded(text)),
            None => builder.comment(&decoded(&whole)),
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, builder: &mut Builder) -> ControlFlow<Self::Output, Skip> {
        builder.begin_variation();
        // What is skipped would be read differently: this reader counts the parentheses.
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, builder: &mut Builder) -> ControlFlow<Self::Output> {
        builder.end_variation();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, builder: &mut Builder, outcome: Outcome) -> ControlFlow<Self::Output> {
        builder.result(match outcome {
            Outcome::Known(KnownOutcome::Draw) => GameResult::Draw.into(),
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                GameResult::win(if winner.is_white() { Color::White } else { Color::Black }).into()
            }
            Outcome::Unknown => PgnResult::Unknown,
        });
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, builder: Builder) -> Self::Output {
        builder.finish()
    }
}

fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        match (byte, bytes.as_slice().first()) {
            (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                out.push(next);
                bytes.next();
            }
            _ => out.push(byte),
        }
    }
    out
}

/// A line of moves that is being read: the main line or a variation.
struct Line {
    /// Its last move, or the one it begins after.
    node: NodeId,
    /// Before and after that move; before only if it is of this line.
    before: Option<Position>,
    position: Position,
    /// Comments before its first move.
    opening: Vec<Comment>,
    /// Nothing more can be read of it.
    ended: bool,
}

/// Makes a game of what `pgn-reader` finds.
struct Builder {
    number: u64,
    game: PgnGame,
    faults: Faults,
    /// The parts of a long comment.
    comment_so_far: Vec<u8>,
    fen: Option<String>,
    variant: Option<String>,
    result_tag: Option<String>,
    /// The main line, and the variations that are open.
    lines: Vec<Line>,
    /// Variations that are open and passed over.
    skipped: usize,
    result: Option<PgnResult>,
    after_result: bool,
}

impl Builder {
    fn new(number: u64) -> Self {
        Self {
            number,
            game: PgnGame::new(Position::start()),
            faults: Faults::default(),
            comment_so_far: Vec::new(),
            fen: None,
            variant: None,
            result_tag: None,
            lines: Vec::new(),
            skipped: 0,
            result: None,
            after_result: false,
        }
    }

    fn fault(&mut self, kind: FaultKind) {
        let place = match self.lines.last() {
            None => FaultPlace::Tags,
            Some(line) => FaultPlace::at(&line.position, self.lines.len() > 1 || self.skipped > 0),
        };
        self.faults.push(Fault { game: self.number, players: None, place, kind });
    }

    fn tag(&mut self, name: &[u8], value: &str) {
        if name == MALFORMED_TAG {
            return self.fault(FaultKind::Tag(Excerpt::of(value)));
        }
        if name == LONG_TAG {
            let name = Excerpt::of(value);
            return self.fault(FaultKind::TagValue { name, error: TagError::TooLong });
        }
        let name = decoded(name);
        let own = OWN.into_iter().find(|own| own.eq_ignore_ascii_case(&name));
        let known = match own.unwrap_or(&name) {
            // The FEN says all that this tag says.
            "SetUp" => return,
            "FEN" => &mut self.fen,
            "Variant" => &mut self.variant,
            "Result" => &mut self.result_tag,
            _ => return self.other_tag(&name, value),
        };
        if *known.get_or_insert_with(|| value.to_owned()) != value {
            self.fault(FaultKind::TagTwice(Excerpt::of(&name)));
        }
    }

    fn other_tag(&mut self, name: &str, value: &str) {
        if self.game.tags().known(name).is_some_and(|known| known != value) {
            return self.fault(FaultKind::TagTwice(Excerpt::of(name)));
        }
        if let Err(error) = self.game.tags_mut().set(name, value) {
            self.fault(FaultKind::TagValue { name: Excerpt::of(name), error });
        }
    }

    fn begin_moves(&mut self) {
        let start = self.fen.take().map(|fen| Position::from_fen(&fen));
        let variant = self.variant.take();
        let mut ended = false;
        if let Some(result) = &self.result_tag
            && result.trim().parse::<PgnResult>().is_err()
        {
            self.fault(FaultKind::ResultTag(Excerpt::of(result)));
        }
        let start = match start {
            None => Position::start(),
            Some(Ok(start)) => start,
            Some(Err(error)) => {
                self.fault(FaultKind::Fen(error));
                ended = true;
                Position::start()
            }
        };
        let tags = std::mem::take(self.game.tags_mut());
        self.game = PgnGame::new(start.clone());
        *self.game.tags_mut() = tags;
        if let Some(variant) = variant {
            let name = variant.trim().to_ascii_lowercase();
            match VARIANTS.into_iter().find(|(known, _)| *known == name) {
                Some((_, true)) => self.game.set_chess960(),
                Some((_, false)) => {}
                None => {
                    self.fault(FaultKind::Variant(Excerpt::of(&variant)));
                    ended = true;
                }
            }
        }
        let opening = Vec::new();
        let line = Line { node: NodeId::ROOT, before: None, position: start, opening, ended };
        self.lines.push(line);
    }

    /// The line to go on with, if anything can be added to it.
    fn line(&mut self) -> Option<&mut Line> {
        if self.skipped > 0 {
            return None;
        }
        self.lines.last_mut().filter(|line| !line.ended)
    }

    /// Is the main line complete, so that this is too much? That is noted once.
    fn is_after_result(&mut self) -> bool {
        if self.result.is_some() && !self.after_result {
            self.after_result = true;
            self.fault(FaultKind::AfterResult);
        }
        self.result.is_some()
    }

    fn mv(&mut self, text: &str) {
        if self.is_after_result() {
            return;
        }
        let Some(line) = self.line() else { return };
        let mv = if matches!(text.trim_end_matches(['+', '#']), "--" | "Z0") {
            if line.position.in_check() {
                return self.end_line(FaultKind::NullInCheck);
            }
            None
        } else {
            match line.position.parse_san(text) {
                Ok(mv) => Some(mv),
                Err(error) => return self.end_line(FaultKind::Move(error)),
            }
        };
        let parent = line.node;
        let (node, opening) = match self.game.push(parent, mv) {
            Ok(node) => (node, self.line().map(|line| std::mem::take(&mut line.opening))),
            Err(AddError::TooDeep) => return self.end_line(FaultKind::DeepVariation),
            Err(_) => return self.end_line(FaultKind::LongGame),
        };
        for comment in opening.into_iter().flatten() {
            self.game.add_comment_before(node, comment);
        }
        if let Some(line) = self.line() {
            let mut position = line.position.clone();
            play(&mut position, mv);
            line.before = Some(std::mem::replace(&mut line.position, position));
            line.node = node;
        }
    }

    fn end_line(&mut self, kind: FaultKind) {
        self.fault(kind);
        if let Some(line) = self.lines.last_mut() {
            line.ended = true;
        }
    }

    fn nag(&mut self, nag: u8) {
        let Some(line) = self.line() else { return };
        if line.before.is_some() {
            let node = line.node;
            self.game.add_nag(node, nag);
        } else {
            self.fault(FaultKind::Nag(Excerpt::of(&format!("${nag}"))));
        }
    }

    fn comment(&mut self, text: &str) {
        let Some(line) = self.line() else { return };
        let (node, before) = (line.node, line.before.is_some());
        let Some(comment) = Comment::read(text) else {
            return self.fault(FaultKind::LongComment);
        };
        if before || self.lines.len() == 1 {
            self.game.add_comment(node, comment);
        } else if let Some(line) = self.line() {
            line.opening.push(comment);
        }
    }

    fn mark(&mut self, mark: Mark, text: &str) {
        let kind = match mark {
            Mark::Word => return self.word(text),
            Mark::Nag => FaultKind::Nag(Excerpt::of(text)),
            Mark::StrayBrace => FaultKind::StrayBrace,
            Mark::UnclosedComment => FaultKind::UnclosedComment,
            Mark::LongComment => FaultKind::LongComment,
            Mark::LongGame => FaultKind::LongGame,
        };
        if mark == Mark::LongGame || self.line().is_some() {
            self.fault(kind);
        }
    }

    /// A word that `pgn-reader` does not know.
    fn word(&mut self, word: &str) {
        let Some(line) = self.line() else { return };
        match line.position.parse_san(word) {
            Err(SanError::Malformed(excerpt)) if is_remark(word) => {
                self.fault(FaultKind::Word(excerpt));
            }
            _ => self.mv(word),
        }
    }

    fn begin_variation(&mut self) {
        if self.skipped == 0 && self.is_after_result() {
            self.skipped = 1;
            return;
        }
        let depth = self.lines.len();
        let Some(line) = self.line() else {
            self.skipped += 1;
            return;
        };
        let node = line.node;
        let before = line.before.clone();
        match before {
            Some(position) if depth <= limits::DEPTH => {
                let node = self.game.parent(node);
                let opening = Vec::new();
                self.lines.push(Line { node, before: None, position, opening, ended: false });
            }
            before => {
                self.fault(match before {
                    Some(_) => FaultKind::DeepVariation,
                    None => FaultKind::StrayVariation,
                });
                self.skipped = 1;
            }
        }
    }

    fn end_variation(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.lines.len() > 1 {
            self.close_line();
        } else {
            self.fault(FaultKind::StrayParenthesis);
        }
    }

    /// Ends a variation. The comments of one without moves go to the move before it.
    fn close_line(&mut self) {
        let opening = self.lines.pop().map(|line| line.opening).unwrap_or_default();
        if let Some(node) = self.lines.last().map(|line| line.node) {
            opening.into_iter().for_each(|comment| self.game.add_comment(node, comment));
        }
    }

    fn result(&mut self, result: PgnResult) {
        if self.lines.len() > 1 || self.skipped > 0 {
            self.fault(FaultKind::StrayResult(result));
        } else if !self.is_after_result() {
            self.result = Some(result);
        }
    }

    fn finish(mut self) -> (PgnGame, Faults) {
        if self.lines.len() > 1 || self.skipped > 0 {
            self.fault(FaultKind::UnclosedVariation);
        }
        while self.lines.len() > 1 {
            self.close_line();
        }
        self.skipped = 0;
        let tag = self.result_tag.as_deref().and_then(|tag| tag.trim().parse().ok());
        match (tag, self.result) {
            (Some(tag), Some(moves)) if tag != moves => {
                self.fault(FaultKind::Results { tag, moves });
            }
            (_, None) => self.fault(FaultKind::NoResult),
            _ => {}
        }
        self.game.set_result(self.result.or(tag).unwrap_or_default());
        self.faults.name(self.game.tags());
        (self.game, self.faults)
    }
}

/// Is this something that annotators put after a move, and no part of the moves?
fn is_remark(word: &str) -> bool {
    let sign = |sign: char| !sign.is_alphanumeric() && !"[]<>\"".contains(sign);
    REMARKS.contains(&word) || word.chars().all(sign)
}
