//! What was damaged, by game and move.

use std::fmt;

use tabiya_chess::{Color, Excerpt, FenError, Position, SanError, shortened};
use thiserror::Error;

use crate::limits;
use crate::{PgnResult, TagError, Tags};

/// Characters of a player's name that a fault quotes.
const NAME: usize = 32;

/// Where in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultPlace {
    /// Before the moves.
    Tags,
    /// At a move, as a score sheet counts.
    Move {
        /// Its number.
        number: u32,
        /// The side to move.
        color: Color,
        /// Within a variation, at any depth.
        variation: bool,
    },
}

impl FaultPlace {
    pub(crate) fn at(position: &Position, variation: bool) -> Self {
        let (number, color) = (position.move_number(), position.side_to_move());
        Self::Move { number, color, variation }
    }
}

/// As in `move 23`, or `move 23...` for Black.
impl fmt::Display for FaultPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Tags => f.write_str("tags"),
            Self::Move { number, color, variation } => {
                let dots = if color == Color::Black { "..." } else { "" };
                let variation = if variation { " of a variation" } else { "" };
                write!(f, "move {number}{dots}{variation}")
            }
        }
    }
}

/// What is wrong, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FaultKind {
    /// A word that is no move here. The line of moves ends before it.
    #[error("{0}; the line is kept up to here")]
    Move(SanError),
    /// A null move (`--`) out of check. The line of moves ends before it.
    #[error("a side in check cannot pass (--); the line is kept up to here")]
    NullInCheck,
    /// A sign that is neither move nor number.
    #[error("{0} means nothing here and is left out")]
    Word(Excerpt),
    /// A glyph that does not exist, or before all moves.
    #[error("{0} is no NAG ($0 to $255, after a move) and is left out")]
    Nag(Excerpt),
    /// `}` without a comment.
    #[error("a comment ends (with a brace) that did not begin")]
    StrayBrace,
    /// A comment without `}`.
    #[error("a comment does not end (with a brace); it is kept up to the next game")]
    UnclosedComment,
    /// A comment beyond the bound.
    #[error("a comment of more than {} characters is left out", limits::COMMENT_CHARS)]
    LongComment,
    /// `)` without a variation.
    #[error("a variation ends that did not begin")]
    StrayParenthesis,
    /// `(` before a move that it could be an alternative to.
    #[error("a variation without a move before it is left out")]
    StrayVariation,
    /// A variation without `)`.
    #[error("a variation does not end")]
    UnclosedVariation,
    /// A variation beyond the bound.
    #[error("variations nested more than {} deep are left out", limits::DEPTH)]
    DeepVariation,
    /// A result within a variation.
    #[error("the result {0} in a variation is left out")]
    StrayResult(PgnResult),
    /// Something after the result.
    #[error("what follows the result is left out")]
    AfterResult,
    /// No result after the moves.
    #[error("the game ends without a result (1-0, 0-1, 1/2-1/2 or *)")]
    NoResult,
    /// The tag and the end of the moves disagree.
    #[error("the tag says {tag}, the moves end in {moves}, which is kept")]
    Results {
        /// The tag's.
        tag: PgnResult,
        /// After the moves.
        moves: PgnResult,
    },
    /// The tag with the result makes no sense.
    #[error("its Result tag: {0} is none of 1-0, 0-1, 1/2-1/2 and *")]
    ResultTag(Excerpt),
    /// A line in brackets that is no tag.
    #[error("{0} is not a tag such as [White \"Smith\"] and is left out")]
    Tag(Excerpt),
    /// A tag that cannot be kept.
    #[error("the tag {name} is left out: {error}")]
    TagValue {
        /// Its name.
        name: Excerpt,
        /// Why.
        error: TagError,
    },
    /// A tag for the second time, with another value.
    #[error("the tag {0} comes again with another value, which is left out")]
    TagTwice(Excerpt),
    /// The start makes no sense. No moves are kept.
    #[error("its FEN tag: {0}")]
    Fen(FenError),
    /// Not chess. No moves are kept.
    #[error("its moves are left out: {0} is not a variant that is known, such as Chess960")]
    Variant(Excerpt),
    /// A game beyond the bound.
    #[error("the game has more than {} bytes; the rest is left out", limits::GAME_BYTES)]
    LongGame,
}

impl FaultKind {
    /// Does the line of moves end here before its end in the file?
    #[must_use]
    pub fn ends_line(&self) -> bool {
        matches!(
            self,
            Self::Move(_) | Self::NullInCheck | Self::Fen(_) | Self::Variant(_) | Self::LongGame
        )
    }
}

/// A fault in a game that is otherwise kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which game of the stream, counted from 1.
    pub game: u64,
    /// White and Black, shortened, where the tags name them.
    pub players: Option<Box<str>>,
    /// Where in the game.
    pub place: FaultPlace,
    /// What it is.
    pub kind: FaultKind,
}

impl Fault {
    /// Is something of the main line missing because of this?
    #[must_use]
    pub fn ends_main_line(&self) -> bool {
        let variation = matches!(self.place, FaultPlace::Move { variation: true, .. });
        self.kind.ends_line() && (!variation || self.kind == FaultKind::LongGame)
    }
}

/// As in `game 17 (Smith - Jones), move 23...: "Nf9" is not a move`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)?;
        if let Some(players) = &self.players {
            write!(f, " ({players})")?;
        }
        match self.place {
            FaultPlace::Tags => write!(f, ": {}", self.kind),
            place @ FaultPlace::Move { .. } => write!(f, ", {place}: {}", self.kind),
        }
    }
}

impl std::error::Error for Fault {}

/// The faults of a game: the first [`limits::FAULTS`], and how many there are beyond.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Faults {
    list: Vec<Fault>,
    left_out: usize,
}

impl Faults {
    pub(crate) fn push(&mut self, fault: Fault) {
        // What ends the main line is what is asked for most.
        if self.list.len() < limits::FAULTS {
            self.list.push(fault);
        } else {
            self.left_out += 1;
            if fault.ends_main_line() && !self.list.iter().any(Fault::ends_main_line) {
                self.list[limits::FAULTS - 1] = fault;
            }
        }
    }

    /// Names the players in all of them.
    pub(crate) fn name(&mut self, tags: &Tags) {
        let name = |tag| shortened(tags.get(tag).unwrap_or("?"), NAME);
        let (white, black) = (name("White"), name("Black"));
        if (&*white, &*black) != ("?", "?") {
            let players: Box<str> = format!("{white} - {black}").into();
            self.list.iter_mut().for_each(|fault| fault.players = Some(players.clone()));
        }
    }

    /// Those that are kept, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.list.iter()
    }

    /// How many are not kept.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
