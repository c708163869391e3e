//! Games as a tree of moves.

use std::fmt;
use std::str::FromStr;

use tabiya_chess::{Game, GameResult, Move, Position};
use thiserror::Error;

use crate::limits;
use crate::{Comment, Tags};

/// How a game ended: PGN's termination marker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PgnResult {
    /// `1-0`, `0-1` or `1/2-1/2`
    Known(GameResult),
    /// `*`: the game goes on, was abandoned, or its result is not known.
    #[default]
    Unknown,
}

impl From<GameResult> for PgnResult {
    fn from(result: GameResult) -> Self {
        Self::Known(result)
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(result) => f.pad(&result.to_string()),
            Self::Unknown => f.pad("*"),
        }
    }
}

/// The text is none of `1-0`, `0-1`, `1/2-1/2` and `*`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
pub struct NoResult;

impl FromStr for PgnResult {
    type Err = NoResult;

    /// Other dashes, `½` and a single `1/2` are understood, too.
    fn from_str(text: &str) -> Result<Self, NoResult> {
        let mut plain = [0; 8];
        let mut length = 0;
        for sign in text.chars() {
            let part: &[u8] = match sign {
                '–' | '—' => b"-",
                '½' => b"1/2",
                '0' => b"0",
                '1' => b"1",
                '2' => b"2",
                '/' => b"/",
                '-' => b"-",
                '*' => b"*",
                _ => return Err(NoResult),
            };
            let room = plain.get_mut(length..length + part.len()).ok_or(NoResult)?;
            room.copy_from_slice(part);
            length += part.len();
        }
        match &plain[..length] {
            b"1-0" => Ok(GameResult::White.into()),
            b"0-1" => Ok(GameResult::Black.into()),
            b"1/2-1/2" | b"1/2" => Ok(GameResult::Draw.into()),
            b"*" => Ok(Self::Unknown),
            _ => Err(NoResult),
        }
    }
}

/// A move in the tree of a game, or the root before all moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root: the start of the game, before all moves.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node has 24 bytes; annotations are kept beside, for the nodes that have any.
#[derive(Clone, Debug)]
struct Node {
    /// The root has none, and a null move is none.
    mv: Option<Move>,
    /// Variations around it.
    depth: u8,
    parent: NodeId,
    first_child: Option<Later>,
    /// So that the last of a million variations is added as quickly as the first.
    last_child: Option<Later>,
    next_sibling: Option<Later>,
    /// Its place among the annotations, from 1.
    annotations: Option<Later>,
}

const _: () = assert!(size_of::<Node>() == 24);

/// A number above zero, so that `Option` needs no room.
type Later = std::num::NonZeroU32;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Annotations {
    nags: Vec<u8>,
    before: Vec<Comment>,
    after: Vec<Comment>,
}

/// A game: tags, start, a tree of moves with annotations, and a result.
///
/// ```
/// use tabiya_chess::{GameResult, Position};
/// use tabiya_pgn::{Comment, NodeId, PgnGame};
///
/// let mut game = PgnGame::new(Position::start());
/// let mv = |uci| Position::start().parse_uci(uci).unwrap();
/// let e4 = game.add(NodeId::ROOT, mv("e2e4"))?;
/// let d4 = game.add(NodeId::ROOT, mv("d2d4"))?;
/// game.add_nag(e4, 1);
/// game.add_comment(d4, Comment::new("as good"));
/// game.set_result(GameResult::Draw);
///
/// let text = game.to_string();
/// assert!(text.ends_with("\n\n1. e4 $1 (1. d4 {as good}) 1/2-1/2\n"));
/// assert_eq!(tabiya_pgn::PgnReader::new(text.as_bytes()).next().unwrap()?.game, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The first child of a node continues its line, the other children are variations. Two games are
/// equal if all that PGN can say of them is equal.
#[derive(Clone)]
pub struct PgnGame {
    tags: Tags,
    start: Position,
    chess960: bool,
    result: PgnResult,
    nodes: Vec<Node>,
    annotations: Vec<Annotations>,
}

/// Why a move cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum AddError {
    /// The rules forbid it.
    #[error("{0:?} is not a legal move there")]
    Illegal(Move),
    /// A null move out of check.
    #[error("a side in check cannot pass")]
    NullInCheck,
    /// Variations within variations beyond the bound.
    #[error("variations are nested {} deep at most", limits::DEPTH)]
    TooDeep,
    /// More moves than the bound on a game's bytes allows.
    #[error("a game has {} moves at most, variations included", limits::GAME_BYTES / 2)]
    TooMany,
}

/// The main line has a null move, which the rules of chess do not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("move {number} of the main line is a null move (--); a game by the rules has none")]
pub struct NullMove {
    /// Which move, as a score sheet counts.
    pub number: u32,
}

impl PgnGame {
    /// A game without moves and without a result.
    #[must_use]
    pub fn new(start: Position) -> Self {
        let chess960 = start.is_chess960();
        let root = Node {
            mv: None,
            depth: 0,
            parent: NodeId::ROOT,
            first_child: None,
            last_child: None,
            next_sibling: None,
            annotations: None,
        };
        Self {
            tags: Tags::default(),
            start,
            chess960,
            result: PgnResult::Unknown,
            nodes: vec![root],
            annotations: Vec::new(),
        }
    }

    /// The tags.
    #[must_use]
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The tags, to be changed.
    pub fn tags_mut(&mut self) -> &mut Tags {
        &mut self.tags
    }

    /// Where the game begins.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Is it a game of Chess960? It is if castling from the start needs that, or the `Variant` tag says
    /// so.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Calls the game one of Chess960, whatever its start.
    pub fn set_chess960(&mut self) {
        self.chess960 = true;
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> PgnResult {
        self.result
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: impl Into<PgnResult>) {
        self.result = result.into();
    }

    /// The move of a node; nothing at the root and for a null move.
    #[must_use]
    pub fn mv(&self, node: NodeId) -> Option<Move> {
        self.nodes[node.index()].mv
    }

    /// The node before; the root's is the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.index()].parent
    }

    /// The continuation of a node, then the variations from it.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.nodes[node.index()].first_child;
        std::iter::successors(first, |child| self.nodes[child.get() as usize].next_sibling)
            .map(|child| NodeId(child.get()))
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |&node| self.children(node).next()).skip(1)
    }

    /// How many moves the tree has, variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Is there no move?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position after a node's move. It is played from the start anew: walk along the tree with a
    /// position of your own where you want all of them.
    #[must_use]
    pub fn position(&self, node: NodeId) -> Position {
        let mut path = Vec::new();
        let mut at = node;
        while at != NodeId::ROOT {
            path.push(self.mv(at));
            at = self.parent(at);
        }
        let mut position = self.start.clone();
        path.into_iter().rev().for_each(|mv| play(&mut position, mv));
        position
    }

    /// The main line as a game by the rules.
    ///
    /// # Errors
    /// If the main line has a null move.
    pub fn main_game(&self) -> Result<Game, NullMove> {
        let mut game = Game::new(self.start.clone());
        for node in self.main_line() {
            let played = self.mv(node).map(|mv| game.play(mv));
            if !matches!(played, Some(Ok(()))) {
                return Err(NullMove { number: game.position().move_number() });
            }
        }
        Ok(game)
    }

    /// The numeric annotation glyphs (NAGs) of a move.
    #[must_use]
    pub fn nags(&self, node: NodeId) -> &[u8] {
        self.annotations(node).map_or(&[], |annotations| &annotations.nags)
    }

    /// The comments after a move; at the root, those before all moves.
    #[must_use]
    pub fn comments(&self, node: NodeId) -> &[Comment] {
        self.annotations(node).map_or(&[], |annotations| &annotations.after)
    }

    /// The comments before a move that begins a variation.
    #[must_use]
    pub fn comments_before(&self, node: NodeId) -> &[Comment] {
        self.annotations(node).map_or(&[], |annotations| &annotations.before)
    }

    /// Adds a NAG to a move. The root has none.
    pub fn add_nag(&mut self, node: NodeId, nag: u8) {
        if node != NodeId::ROOT {
            self.annotations_mut(node).nags.push(nag);
        }
    }

    /// Adds a comment after a move, or at the root before all moves. An empty one is left out.
    pub fn add_comment(&mut self, node: NodeId, comment: Comment) {
        if !comment.is_empty() {
            self.annotations_mut(node).after.push(comment);
        }
    }

    /// Adds a comment before a move that begins a variation. Elsewhere it goes after the move before.
    pub fn add_comment_before(&mut self, node: NodeId, comment: Comment) {
        if !self.begins_variation(node) {
            self.add_comment(self.parent(node), comment);
        } else if !comment.is_empty() {
            self.annotations_mut(node).before.push(comment);
        }
    }

    /// Adds a move after a node: as its continuation if it is the first, else as a variation. A move
    /// that is there already is not added again.
    ///
    /// # Errors
    /// If the move is not legal, or a bound is passed.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, AddError> {
        if let Some(known) = self.children(parent).find(|&child| self.mv(child) == Some(mv)) {
            return Ok(known);
        }
        if !self.position(parent).is_legal(mv) {
            return Err(AddError::Illegal(mv));
        }
        self.push(parent, Some(mv))
    }

    /// Adds a null move (`--`), which annotators use to show a threat.
    ///
    /// # Errors
    /// If the side to move is in check, or a bound is passed.
    pub fn add_null(&mut self, parent: NodeId) -> Result<NodeId, AddError> {
        if let Some(known) = self.children(parent).find(|&child| self.mv(child).is_none()) {
            return Ok(known);
        }
        if self.position(parent).in_check() {
            return Err(AddError::NullInCheck);
        }
        self.push(parent, None)
    }

    /// Adds a move that is known to be legal.
    pub(crate) fn push(&mut self, parent: NodeId, mv: Option<Move>) -> Result<NodeId, AddError> {
        let last = self.nodes[parent.index()].last_child;
        let depth = self.nodes[parent.index()].depth + u8::from(last.is_some());
        if usize::from(depth) > limits::DEPTH {
            return Err(AddError::TooDeep);
        }
        let number = u32::try_from(self.nodes.len()).ok().and_then(Later::new);
        let within = self.len() as u64 <= limits::GAME_BYTES / 2;
        let number = number.filter(|_| within).ok_or(AddError::TooMany)?;
        self.nodes.push(Node {
            mv,
            depth,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            annotations: None,
        });
        self.nodes[parent.index()].last_child = Some(number);
        match last {
            Some(last) => self.nodes[last.get() as usize].next_sibling = Some(number),
            None => self.nodes[parent.index()].first_child = Some(number),
        }
        Ok(NodeId(number.get()))
    }

    fn begins_variation(&self, node: NodeId) -> bool {
        node != NodeId::ROOT && self.children(self.parent(node)).next() != Some(node)
    }

    fn annotations(&self, node: NodeId) -> Option<&Annotations> {
        let place = self.nodes[node.index()].annotations?;
        Some(&self.annotations[place.get() as usize - 1])
    }

    fn annotations_mut(&mut self, node: NodeId) -> &mut Annotations {
        let place = match self.nodes[node.index()].annotations {
            Some(place) => place.get() as usize,
            None => {
                self.annotations.push(Annotations::default());
                let place = self.annotations.len();
                // There are no more of them than nodes.
                self.nodes[node.index()].annotations =
                    u32::try_from(place).ok().and_then(Later::new);
                place
            }
        };
        &mut self.annotations[place - 1]
    }
}

/// The moves so far are the main line.
impl From<&Game> for PgnGame {
    fn from(game: &Game) -> Self {
        let mut pgn = Self::new(game.start().clone());
        let mut last = NodeId::ROOT;
        for &mv in game.moves() {
            match pgn.push(last, Some(mv)) {
                Ok(node) => last = node,
                // Eight million moves: no game by the rules is as long.
                Err(_) => break,
            }
        }
        pgn
    }
}

impl PartialEq for PgnGame {
    fn eq(&self, other: &Self) -> bool {
        let heads = self.tags == other.tags
            && self.start == other.start
            && self.chess960 == other.chess960
            && self.result == other.result
            && self.len() == other.len();
        if !heads {
            return false;
        }
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((mine, theirs)) = pairs.pop() {
            let same = self.mv(mine) == other.mv(theirs)
                && self.nags(mine) == other.nags(theirs)
                && self.comments(mine) == other.comments(theirs)
                && self.comments_before(mine) == other.comments_before(theirs)
                && self.children(mine).count() == other.children(theirs).count();
            if !same {
                return false;
            }
            pairs.extend(self.children(mine).zip(other.children(theirs)));
        }
        true
    }
}

impl Eq for PgnGame {}

impl fmt::Debug for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PgnGame({:?})", self.to_string())
    }
}

/// Plays a move of the tree, which is legal; none is a null move.
pub(crate) fn play(position: &mut Position, mv: Option<Move>) {
    match mv {
        Some(mv) => position.play_unchecked(mv),
        None => {
            position.null_move();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written_by_many() {
        let [white, draw, black] = GameResult::ALL.map(PgnResult::Known);
        let unknown = PgnResult::Unknown;
        let results =
            [("1-0", white), ("0–1", black), ("½-½", draw), ("1/2", draw), ("*", unknown)];
        for (text, result) in results {
            assert_eq!(text.parse(), Ok(result));
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        for text in ["", "1-1", "1", "1/2-1/2-1/2", "won"] {
            assert_eq!(text.parse::<PgnResult>(), Err(NoResult), "{text}");
        }
    }

    #[test]
    fn only_legal_moves_are_added_and_each_once() {
        let mut game = PgnGame::new(Position::start());
        let mv = |text| Position::start().parse_san(text).unwrap();
        let e4 = game.add(NodeId::ROOT, mv("e4")).unwrap();
        assert_eq!(game.add(NodeId::ROOT, mv("e4")), Ok(e4));
        assert_eq!(game.add(e4, mv("d4")), Err(AddError::Illegal(mv("d4"))));
        let null = game.add_null(e4).unwrap();
        assert_eq!(game.add_null(e4), Ok(null));
        assert_eq!(game.len(), 2);
        assert_eq!(game.main_game().err(), Some(NullMove { number: 1 }));
        assert_eq!(game.position(null).side_to_move(), tabiya_chess::Color::White);

        let check = "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1".parse().unwrap();
        assert_eq!(PgnGame::new(check).add_null(NodeId::ROOT), Err(AddError::NullInCheck));
    }

    #[test]
    fn variations_are_nested_within_a_bound() {
        let mut game = PgnGame::new(Position::start());
        let mut node = NodeId::ROOT;
        let mut depth = 0;
        let error = loop {
            let moves = game.position(node).legal_moves().to_vec();
            game.add(node, moves[0]).unwrap();
            match game.add(node, moves[1]) {
                Ok(variation) => node = variation,
                Err(error) => break error,
            }
            depth += 1;
        };
        assert_eq!((error, depth), (AddError::TooDeep, limits::DEPTH));
    }

    #[test]
    fn equality_does_not_depend_on_the_order_of_adding() {
        let mv = |text| Position::start().parse_san(text).unwrap();
        let build = |deep_first: bool| {
            let mut game = PgnGame::new(Position::start());
            let e4 = game.add(NodeId::ROOT, mv("e4")).unwrap();
            let e5 = game.position(e4).parse_san("e5").unwrap();
            if deep_first {
                game.add(e4, e5).unwrap();
            }
            game.add(NodeId::ROOT, mv("d4")).unwrap();
            game.add(e4, e5).unwrap();
            game
        };
        assert_eq!(build(true), build(false));
        let mut other = build(true);
        other.add_nag(NodeId(1), 3);
        assert_ne!(build(true), other);
    }
}
