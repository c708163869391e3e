//! Extended Position Description (EPD): positions with operations, as test suites have them.

use crate::fen::{Fields, parse_clock};
use crate::{Excerpt, FenError, FenField, Move, Notes, Position, SanError, Setup};
use core::fmt;
use core::str::FromStr;
use std::borrow::Cow;

/// A position and operations on it, as test suites write them: the first four fields of a FEN, then
/// `opcode operand ...;` as often as one likes.
///
/// All operations are kept in their order, whether this crate knows them or not. Two are not
/// operations here but clocks of the position: `hmvc` and `fmvn` set them when read, and are written
/// again unless they are those of a fresh start. A whole FEN before the operations is understood too.
///
/// ```
/// use tabiya_chess::{Epd, Move, Square};
/// let epd: Epd = r#"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id "back rank"; c0 "easy";"#
///     .parse()
///     .unwrap();
/// assert_eq!(epd.best_moves(), Ok(vec![Move::normal(Square::A1, Square::A8)]));
/// assert_eq!(epd.direct_mate(), Ok(Some(1)));
/// assert_eq!(epd.id().as_deref(), Some("back rank"));
/// assert_eq!(epd.operation("c0").unwrap().operands()[0].text(), "easy");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    position: Position,
    operations: Vec<Operation>,
}

/// What is said about a position: an opcode and its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

/// What an operation is about: a word, or a text in quotation marks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operand {
    text: String,
    quoted: bool,
}

/// Why a text is not an EPD, or an operation not what its opcode promises.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The position is at fault.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// More than one line.
    #[error("a line ends within the EPD; an EPD is a single line")]
    LineBreak,
    /// Not an opcode.
    #[error(
        "{0} is not an opcode: that is a letter, followed by up to 14 letters, digits and underscores"
    )]
    Opcode(Excerpt),
    /// A quotation mark that nothing answers.
    #[error("the text {0} has no quotation mark at its end")]
    UnterminatedText(Excerpt),
    /// An operand that should be a number.
    #[error("{opcode}: {found} should be {expected}")]
    Number {
        /// Of which operation.
        opcode: &'static str,
        /// What is there.
        found: Excerpt,
        /// What should be.
        expected: &'static str,
    },
    /// An operand that should be a legal move.
    #[error("{opcode}: {error}")]
    Move {
        /// Of which operation.
        opcode: &'static str,
        /// What is wrong.
        error: SanError,
    },
}

impl Operand {
    /// An operand with this text, in quotation marks if it needs them.
    pub fn new(text: impl Into<String>) -> Operand {
        let text = text.into();
        let quoted = text.is_empty() || text.contains(ends_word);
        Operand { text, quoted }
    }

    /// An operand in quotation marks.
    pub fn quoted(text: impl Into<String>) -> Operand {
        Operand { text: text.into(), quoted: true }
    }

    /// What it says, without quotation marks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Is it written in quotation marks?
    pub fn is_quoted(&self) -> bool {
        self.quoted
    }
}

fn ends_word(sign: char) -> bool {
    sign.is_ascii_whitespace() || matches!(sign, ';' | '"')
}

fn breaks_line(sign: char) -> bool {
    matches!(sign, '\n' | '\r')
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.quoted {
            return f.write_str(&self.text);
        }
        f.write_str("\"")?;
        for sign in self.text.chars() {
            if matches!(sign, '"' | '\\') {
                f.write_str("\\")?;
            }
            write!(f, "{sign}")?;
        }
        f.write_str("\"")
    }
}

impl Operation {
    /// An operation, if the opcode is one and nothing breaks the line.
    pub fn new(opcode: impl Into<String>, operands: Vec<Operand>) -> Result<Operation, EpdError> {
        let opcode = opcode.into();
        let letters = opcode.as_bytes();
        let well_formed = letters.len() <= 15
            && letters.first().is_some_and(u8::is_ascii_alphabetic)
            && letters.iter().all(|letter| letter.is_ascii_alphanumeric() || *letter == b'_');
        if !well_formed {
            return Err(EpdError::Opcode(Excerpt::of(&opcode)));
        }
        if operands.iter().any(|operand| operand.text.contains(breaks_line)) {
            return Err(EpdError::LineBreak);
        }
        Ok(Operation { opcode, operands })
    }

    /// What kind of remark this is.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// What it says.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// All operands as one text.
    fn text(&self) -> Cow<'_, str> {
        match &*self.operands {
            [operand] => Cow::Borrowed(&operand.text),
            operands => {
                Cow::Owned(operands.iter().map(Operand::text).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_str(";")
    }
}

impl Epd {
    /// A position with operations. Any `hmvc` and `fmvn` among these are left out: the position's own
    /// clocks are written.
    pub fn new(position: Position, mut operations: Vec<Operation>) -> Epd {
        operations.retain(|operation| clock_field(&operation.opcode).is_none());
        Epd { position, operations }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// All operations.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The best moves (`bm`), as far as any are named.
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("bm")
    }

    /// The moves to avoid (`am`), as far as any are named.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("am")
    }

    /// The name of the position (`id`).
    pub fn id(&self) -> Option<Cow<'_, str>> {
        self.operation("id").map(Operation::text)
    }

    /// In how many moves the side to move gives mate (`dm`).
    pub fn direct_mate(&self) -> Result<Option<u32>, EpdError> {
        self.number("dm", "a number of moves")
    }

    /// The evaluation in hundredths of a pawn for the side to move (`ce`).
    pub fn centipawns(&self) -> Result<Option<i32>, EpdError> {
        self.number("ce", "a number of hundredths of a pawn")
    }

    /// How many plies deep the analysis behind the other operations went (`acd`).
    pub fn depth(&self) -> Result<Option<u32>, EpdError> {
        self.number("acd", "a number of plies")
    }

    fn moves(&self, opcode: &'static str) -> Result<Vec<Move>, EpdError> {
        self.operations
            .iter()
            .filter(|operation| operation.opcode == opcode)
            .flat_map(|operation| &operation.operands)
            .map(|operand| self.position.parse_san(&operand.text))
            .collect::<Result<_, _>>()
            .map_err(|error| EpdError::Move { opcode, error })
    }

    fn number<N: FromStr>(
        &self,
        opcode: &'static str,
        expected: &'static str,
    ) -> Result<Option<N>, EpdError> {
        let Some(operation) = self.operation(opcode) else {
            return Ok(None);
        };
        let text = operation.text();
        let wrong = |_| EpdError::Number { opcode, found: Excerpt::of(&text), expected };
        text.parse().map(Some).map_err(wrong)
    }
}

fn clock_field(opcode: &str) -> Option<FenField> {
    match opcode {
        "hmvc" => Some(FenField::HalfmoveClock),
        "fmvn" => Some(FenField::MoveNumber),
        _ => None,
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(&self.position).write_epd_fields(f)?;
        if self.position.halfmove_clock() != Setup::EMPTY.halfmove_clock {
            write!(f, " hmvc {};", self.position.halfmove_clock())?;
        }
        if self.position.move_number() != Setup::EMPTY.move_number {
            write!(f, " fmvn {};", self.position.move_number())?;
        }
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}

impl Epd {
    /// Reads an EPD, and notes what had to be corrected in its position.
    pub fn parse_with_notes(text: &str) -> Result<(Epd, Notes), EpdError> {
        let text = text.trim_ascii();
        if text.contains(breaks_line) {
            return Err(EpdError::LineBreak);
        }
        let mut fields = Fields::of(text);
        let mut setup = fields.setup()?;
        // No opcode begins with a digit, so what does is a clock.
        for (field, clock) in [
            (FenField::HalfmoveClock, &mut setup.halfmove_clock),
            (FenField::MoveNumber, &mut setup.move_number),
        ] {
            if fields.rest().trim_ascii_start().starts_with(|sign: char| sign.is_ascii_digit())
                && let Some(digits) = fields.next()
            {
                *clock = parse_clock(field, digits)?;
            }
        }
        let operations = Scanner { rest: fields.rest() }.operations()?;
        for operation in &operations {
            if let Some(field) = clock_field(&operation.opcode) {
                let value = parse_clock(field, &operation.text())?;
                match field {
                    FenField::HalfmoveClock => setup.halfmove_clock = value,
                    _ => setup.move_number = value,
                }
            }
        }
        let (position, notes) = setup.position().map_err(FenError::from)?;
        Ok((Epd::new(position, operations), notes))
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Epd, EpdError> {
        Epd::parse_with_notes(text).map(|(epd, _)| epd)
    }
}

/// Reads operations from the front of a text.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// Everything up to the end. Semicolons with nothing between them are passed over: suites are
    /// about that put one before each operation.
    fn operations(mut self) -> Result<Vec<Operation>, EpdError> {
        let mut operations = Vec::new();
        loop {
            self.rest = self
                .rest
                .trim_start_matches(|sign: char| sign == ';' || sign.is_ascii_whitespace());
            if self.rest.is_empty() {
                return Ok(operations);
            }
            let opcode = self.word();
            if opcode.is_empty() {
                return Err(EpdError::Opcode(Excerpt::of(self.rest)));
            }
            let mut operands = Vec::new();
            while let Some(operand) = self.operand()? {
                operands.push(operand);
            }
            operations.push(Operation::new(opcode, operands)?);
        }
    }

    fn word(&mut self) -> &'a str {
        let (word, rest) = self.rest.split_at(self.rest.find(ends_word).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn operand(&mut self) -> Result<Option<Operand>, EpdError> {
        self.rest = self.rest.trim_ascii_start();
        if let Some(text) = self.rest.strip_prefix('"') {
            return self.quoted(text).map(Some);
        }
        let word = self.word();
        Ok((!word.is_empty()).then(|| Operand::new(word)))
    }

    /// A text up to its closing quotation mark. A backslash takes the meaning from a quotation mark and
    /// from another backslash, as in PGN; before anything else it stands for itself.
    fn quoted(&mut self, after_mark: &'a str) -> Result<Operand, EpdError> {
        let mut text = String::new();
        let mut signs = after_mark.chars();
        while let Some(sign) = signs.next() {
            match sign {
                '"' => {
                    self.rest = signs.as_str();
                    return Ok(Operand::quoted(text));
                }
                '\\' => match signs.as_str().chars().next() {
                    Some(escaped @ ('"' | '\\')) => {
                        text.push(escaped);
                        signs.next();
                    }
                    _ => text.push('\\'),
                },
                _ => text.push(sign),
            }
        }
        Err(EpdError::UnterminatedText(Excerpt::of(after_mark)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use proptest::prelude::*;

    const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    fn read(operations: &str) -> Result<Epd, EpdError> {
        format!("{KINGS}{operations}").parse()
    }

    fn opcodes(epd: &Epd) -> Vec<&str> {
        epd.operations().iter().map(Operation::opcode).collect()
    }

    #[test]
    fn operations_are_kept_and_written_in_order() {
        let text = r#" pv e4 Kd7 Kd2; xyz_1 1 "a; \"b\" \\ c" 2; noop; c9 ""; acd 12; ce -34;"#;
        let epd = read(text).unwrap();
        assert_eq!(opcodes(&epd), ["pv", "xyz_1", "noop", "c9", "acd", "ce"]);
        assert_eq!(epd.operation("xyz_1").unwrap().operands()[1].text(), r#"a; "b" \ c"#);
        assert_eq!(epd.depth(), Ok(Some(12)));
        assert_eq!(epd.centipawns(), Ok(Some(-34)));
        assert_eq!(epd.direct_mate(), Ok(None));
        assert_eq!(epd.to_string(), format!("{KINGS}{text}"));
    }

    #[test]
    fn clocks_come_as_operations_or_as_in_fen() {
        for text in [" hmvc 7; fmvn 30; id x", " 7 30 id x;", " 7 30;id x", " 7 fmvn 30; id x;"] {
            let epd = read(text).unwrap();
            assert_eq!(epd.position().halfmove_clock(), 7, "{text}");
            assert_eq!(epd.position().move_number(), 30, "{text}");
            assert_eq!(opcodes(&epd), ["id"], "{text}");
            assert_eq!(epd.to_string(), format!("{KINGS} hmvc 7; fmvn 30; id x;"));
        }
    }

    #[test]
    fn perft_suites_with_semicolons_in_front_are_understood() {
        let epd = read(" 0 1 ;D1 6 ;D2 30").unwrap();
        assert_eq!(opcodes(&epd), ["D1", "D2"]);
        assert_eq!(epd.operation("D2").unwrap().operands()[0].text(), "30");
    }

    #[test]
    fn moves_are_found_in_the_position() {
        let epd = read(" bm e4 Kd2; am Kf1+!; bm e3; id WAC 001;").unwrap();
        let [e4, kd2, e3] =
            [(Square::E2, Square::E4), (Square::E1, Square::D2), (Square::E2, Square::E3)]
                .map(|(from, to)| Move::normal(from, to));
        assert_eq!(epd.best_moves(), Ok(vec![e4, kd2, e3]));
        assert_eq!(epd.avoid_moves(), Ok(vec![Move::normal(Square::E1, Square::F1)]));
        assert_eq!(epd.id().as_deref(), Some("WAC 001"));

        let error = SanError::Illegal(Excerpt::of("Qh5"));
        let epd = read(" bm e4 Qh5;").unwrap();
        assert_eq!(epd.best_moves(), Err(EpdError::Move { opcode: "bm", error }));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert_eq!(
            read(" 1bm e4"),
            Err(EpdError::Fen(FenError::ClockCharacter {
                field: FenField::HalfmoveClock,
                at: 2,
                found: 'b',
            }))
        );
        assert_eq!(read(" b-m e4"), Err(EpdError::Opcode(Excerpt::of("b-m"))));
        assert_eq!(read(" \"bm\" e4"), Err(EpdError::Opcode(Excerpt::of("\"bm\" e4"))));
        assert_eq!(
            read(" sixteen_letters_ 1"),
            Err(EpdError::Opcode(Excerpt::of("sixteen_letters_")))
        );
        assert_eq!(
            read(" id \"x; bm e4;"),
            Err(EpdError::UnterminatedText(Excerpt::of("x; bm e4;")))
        );
        assert_eq!(read(" id \"x\ny\";"), Err(EpdError::LineBreak));
        assert_eq!(
            read(" hmvc 99999;"),
            Err(EpdError::Fen(FenError::ClockTooLarge {
                field: FenField::HalfmoveClock,
                found: Excerpt::of("99999"),
            }))
        );
        let expected = "a number of moves";
        let found = Excerpt::of("soon");
        let error = EpdError::Number { opcode: "dm", found, expected };
        assert_eq!(read(" dm soon;").unwrap().direct_mate(), Err(error));
        assert_eq!("8/8 w - -".parse::<Epd>(), Err(EpdError::Fen(FenError::Ranks(2))));
    }

    #[test]
    fn what_was_put_right_is_noted_once() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w K e6 id x;";
        let (epd, notes) = Epd::parse_with_notes(text).unwrap();
        assert_eq!(notes.useless_en_passant, Some(Square::E6));
        assert!(notes.castling_without_rook.contains(Square::H1));
        assert_eq!(Epd::parse_with_notes(&epd.to_string()), Ok((epd, Notes::default())));
    }

    #[test]
    fn operations_can_be_made() {
        let operation = Operation::new("c0", vec![Operand::new("two words"), Operand::new("one")]);
        let clock = Operation::new("hmvc", vec![Operand::new("5")]);
        let epd = Epd::new(Position::start(), vec![operation.unwrap(), clock.unwrap()]);
        let text = r#"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 "two words" one;"#;
        assert_eq!(epd.to_string(), text);
        let broken = Operation::new("c0", vec![Operand::new("two\nlines")]);
        assert_eq!(broken, Err(EpdError::LineBreak));
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_written_and_read_again(operations in r#"( |[a-z0-9;"\\é_]){0,40}"#) {
            if let Ok(epd) = read(&operations) {
                prop_assert_eq!(epd.to_string().parse(), Ok(epd));
            }
        }

        #[test]
        fn any_operand_reads_back(text in any::<String>()) {
            if let Ok(operation) = Operation::new("c0", vec![Operand::new(text)]) {
                let epd = Epd::new(Position::start(), vec![operation]);
                prop_assert_eq!(epd.to_string().parse(), Ok(epd));
            }
        }
    }
}
