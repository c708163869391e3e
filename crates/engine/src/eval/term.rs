//! The terms of the classical evaluation, by name, and which of them are on.

use core::fmt;
use core::str::FromStr;
use tabiya_chess::Excerpt;

/// A named part of the evaluation that can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Term {
    /// What the pieces are worth, alone and together: the bishop pair is here.
    Material,
    /// Piece-square tables (PST), by the place of either king.
    PieceSquares,
    /// Attacks on the middle of the board, and pieces that hold it.
    Center,
    /// Mobility: squares that pieces can go to.
    Mobility,
    /// King safety: the king's shelter, and the attack that he is under.
    KingSafety,
    /// Isolated, doubled, backward and connected pawns.
    PawnStructure,
    /// Passed pawns, which no enemy pawn can stop, and candidates.
    PassedPawns,
    /// What can be taken, or will be attacked next move.
    Threats,
    /// Space: safe squares behind the own pawns.
    Space,
    /// Outposts, open files, bad bishops and the like.
    Pieces,
    /// Tempo: the right to move.
    Tempo,
    /// Endgames that are harder to win than they look.
    Scaling,
    /// Endgames whose value is known.
    KnownEndings,
}

impl Term {
    /// How many terms there are.
    pub const COUNT: usize = Term::ALL.len();

    /// All of them, in the order in which they are shown.
    pub const ALL: [Term; 13] = [
        Term::Material,
        Term::PieceSquares,
        Term::Center,
        Term::Mobility,
        Term::KingSafety,
        Term::PawnStructure,
        Term::PassedPawns,
        Term::Threats,
        Term::Space,
        Term::Pieces,
        Term::Tempo,
        Term::Scaling,
        Term::KnownEndings,
    ];

    /// The term of this name; blanks may be written as hyphens.
    pub fn named(name: &str) -> Option<Term> {
        let same = |term: &Term| {
            let pairs = term.name().bytes().zip(name.bytes());
            term.name().len() == name.len()
                && pairs.into_iter().all(|(a, b)| {
                    a.eq_ignore_ascii_case(&b) || (a == b' ' && (b == b'-' || b == b'_'))
                })
        };
        Term::ALL.into_iter().find(same)
    }

    /// A number for tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::PieceSquares => "piece squares",
            Term::Center => "center",
            Term::Mobility => "mobility",
            Term::KingSafety => "king safety",
            Term::PawnStructure => "pawn structure",
            Term::PassedPawns => "passed pawns",
            Term::Threats => "threats",
            Term::Space => "space",
            Term::Pieces => "pieces",
            Term::Tempo => "tempo",
            Term::Scaling => "scaling",
            Term::KnownEndings => "known endings",
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of terms: those that are on.
///
/// ```
/// use tabiya_engine::eval::{Term, Terms};
/// let terms = Terms::ALL.without(Term::Space);
/// assert!(terms.contains(Term::Mobility) && !terms.contains(Term::Space));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Terms(u16);

impl Terms {
    /// Nothing is on.
    pub const NONE: Terms = Terms(0);
    /// Everything is on.
    pub const ALL: Terms = Terms((1 << Term::COUNT) - 1);
    /// The six terms of the Aalborg engine of 2012: material, centre control, mobility, king safety,
    /// pawn structure and passed pawns.
    pub const AALBORG: Terms = Terms::NONE
        .with(Term::Material)
        .with(Term::Center)
        .with(Term::Mobility)
        .with(Term::KingSafety)
        .with(Term::PawnStructure)
        .with(Term::PassedPawns);

    /// This set with a term switched on.
    #[must_use]
    pub const fn with(self, term: Term) -> Terms {
        Terms(self.0 | 1 << term as u16)
    }

    /// This set with a term switched off.
    #[must_use]
    pub const fn without(self, term: Term) -> Terms {
        Terms(self.0 & !(1 << term as u16))
    }

    /// The terms that are on in either.
    #[must_use]
    pub const fn union(self, other: Terms) -> Terms {
        Terms(self.0 | other.0)
    }

    /// Is this term on?
    #[inline(always)]
    pub const fn contains(self, term: Term) -> bool {
        self.0 >> term as u16 & 1 != 0
    }
}

/// Why a text is no set of terms.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no term {name}; the terms are {}, and also all, none and aalborg",
    Term::ALL.map(Term::name).join(", ")
)]
pub struct TermsError {
    /// What was written for a term.
    name: Excerpt,
}

/// Names with commas between them. `all`, `none` and `aalborg` are sets; a hyphen before a name takes the
/// term out. A list that begins with such a hyphen begins with all terms.
///
/// ```
/// use tabiya_engine::eval::{Term, Terms};
/// assert_eq!("material, piece-squares".parse(), Ok(Terms::NONE.with(Term::Material).with(Term::PieceSquares)));
/// assert_eq!("-space".parse(), Ok(Terms::ALL.without(Term::Space)));
/// assert_eq!("aalborg,-center".parse(), Ok(Terms::AALBORG.without(Term::Center)));
/// assert!("spice".parse::<Terms>().is_err());
/// ```
impl FromStr for Terms {
    type Err = TermsError;

    fn from_str(text: &str) -> Result<Terms, TermsError> {
        let text = text.trim();
        let mut terms = if text.starts_with('-') { Terms::ALL } else { Terms::NONE };
        for word in text.split(',').map(str::trim) {
            let unknown = |name| TermsError { name: Excerpt::of(name) };
            terms = match word.strip_prefix('-') {
                Some(name) => terms.without(Term::named(name).ok_or_else(|| unknown(name))?),
                None if word.eq_ignore_ascii_case("all") => Terms::ALL,
                None if word.eq_ignore_ascii_case("none") => Terms::NONE,
                None if word.eq_ignore_ascii_case("aalborg") => terms.union(Terms::AALBORG),
                None => terms.with(Term::named(word).ok_or_else(|| unknown(word))?),
            };
        }
        Ok(terms)
    }
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::ALL
    }
}
