//! Ways to order moves: the thesis's eight heuristics, in any combination, and some that it did not try.

use std::fmt;
use std::str::FromStr;
use tabiya_chess::shortened;

/// How captures are put first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Captures {
    /// The greatest victim first, as in the thesis.
    Victim,
    /// The greatest victim first, and of its attackers the least.
    VictimAttacker,
    /// The same, but those that lose material come last of all moves.
    Exchange,
}

/// What is done with the history of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum History {
    /// The two best moves go to the front, as in the thesis.
    TopTwo,
    /// All moves are sorted.
    Full,
}

/// What DYNAMIC does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Dynamic {
    /// It also puts the last two killers first when moves are generated, as the thesis's program does.
    WithLastTwo,
    /// It only brings moves forward later, as the thesis's text says.
    Pure,
}

/// An ordering: which heuristics are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Order {
    /// `a`: the reply that refuted the same move before.
    pub assoc: bool,
    /// `b`: the table's move.
    pub table: bool,
    /// `c`: captures.
    pub captures: Option<Captures>,
    /// `d`: killers of two plies deeper, while a node is being searched.
    pub dynamic: Option<Dynamic>,
    /// `h`: the history of moves.
    pub history: Option<History>,
    /// `k`: the move with the most cutoffs.
    pub best_killer: bool,
    /// `1`: the last killer of a ply. With `2` or more it has no effect.
    pub last_one: bool,
    /// `2` to `9`: so many last killers of a ply; 0 for none.
    pub last_several: u8,
}

/// The thesis's tests, in the order of its tables.
pub const THESIS: [&str; 22] = [
    "0", "a", "d", "h", "k", "1", "2", "c", "b", "ca", "cb", "cd", "ch", "ck", "c1", "c2", "cba",
    "cbd", "cbh", "cbk", "cb1", "cb2",
];

/// The other combinations that its table 5.11 shows.
pub const OTHERS: [&str; 4] = ["1d", "2d", "1cd", "2cd"];

impl Order {
    /// Does it need more than the thesis's way of putting moves into a list?
    pub(super) fn is_variant(&self) -> bool {
        self.last_several > 2
            || self.history == Some(History::Full)
            || matches!(self.captures, Some(Captures::VictimAttacker | Captures::Exchange))
    }

    /// How many last killers are put first when moves are generated.
    pub(super) fn static_killers(&self) -> usize {
        match self.dynamic {
            Some(Dynamic::WithLastTwo) => usize::from(self.last_several.max(2)),
            _ => usize::from(self.last_several),
        }
    }

    /// How many last killers of a ply are remembered.
    pub(super) fn kept_killers(&self) -> usize {
        let dynamic = if self.dynamic.is_some() { 2 } else { 0 };
        usize::from(self.last_several).max(dynamic)
    }

    /// Is there one move for each ply that is put first?
    pub(super) fn has_single(&self) -> bool {
        self.assoc || self.best_killer || (self.last_one && self.last_several == 0)
    }
}

/// Why a word is no ordering.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// A letter that stands for nothing.
    #[error(
        "{0:?} in {1:?} is not a heuristic; there are a (reply to the move before), b (table move), \
         c (captures), d (dynamic), h (history), k (most cutoffs), 1 (last killer), 2 to 9 (last killers); \
         0 is none"
    )]
    Letter(char, String),
    /// A letter comes twice, or 0 with others.
    #[error("{0:?} in {1:?} comes twice, or does not go with the others")]
    Twice(char, String),
    /// A variant that is not known, or whose heuristic is off.
    #[error(
        "{0:?} is not a variant, or its heuristic is off; there are history=full with h, captures=mvv-lva \
         and captures=see with c, dynamic=pure with d, as in `cbh,history=full`"
    )]
    Variant(String),
}

impl FromStr for Order {
    type Err = OrderError;

    /// Reads letters, and variants after them: `cb1`, `cbh,history=full,captures=see`.
    fn from_str(text: &str) -> Result<Order, OrderError> {
        let shown = || shortened(text, 40);
        let mut parts = text.split(',');
        let letters = parts.next().unwrap_or_default().to_ascii_lowercase();
        let mut order = Order::default();
        for (i, letter) in letters.char_indices() {
            let twice = letters[..i].contains(letter)
                || (letter == '0' && letters.len() > 1)
                || (letter.is_ascii_digit() && letter > '1' && order.last_several > 0);
            if twice {
                return Err(OrderError::Twice(letter, shown()));
            }
            match letter {
                '0' => {}
                'a' => order.assoc = true,
                'b' => order.table = true,
                'c' => order.captures = Some(Captures::Victim),
                'd' => order.dynamic = Some(Dynamic::WithLastTwo),
                'h' => order.history = Some(History::TopTwo),
                'k' => order.best_killer = true,
                '1' => order.last_one = true,
                '2'..='9' => order.last_several = letter as u8 - b'0',
                other => return Err(OrderError::Letter(other, shown())),
            }
        }
        for part in parts {
            match part.trim() {
                "history=full" if order.history.is_some() => order.history = Some(History::Full),
                "history=top2" if order.history.is_some() => order.history = Some(History::TopTwo),
                "captures=mvv" if order.captures.is_some() => {
                    order.captures = Some(Captures::Victim);
                }
                "captures=mvv-lva" if order.captures.is_some() => {
                    order.captures = Some(Captures::VictimAttacker);
                }
                "captures=see" if order.captures.is_some() => {
                    order.captures = Some(Captures::Exchange);
                }
                "dynamic=pure" if order.dynamic.is_some() => order.dynamic = Some(Dynamic::Pure),
                "dynamic=+last2" if order.dynamic.is_some() => {
                    order.dynamic = Some(Dynamic::WithLastTwo);
                }
                other => return Err(OrderError::Variant(shortened(other, 40))),
            }
        }
        Ok(order)
    }
}

impl fmt::Display for Order {
    /// As the thesis writes it, without braces: `0`, `CB1`; variants follow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut letter = |on: bool, letter: char| {
            if on {
                text.push(letter);
            }
        };
        letter(self.captures.is_some(), 'C');
        letter(self.table, 'B');
        letter(self.assoc, 'A');
        letter(self.dynamic.is_some(), 'D');
        letter(self.history.is_some(), 'H');
        letter(self.best_killer, 'K');
        letter(self.last_one, '1');
        if self.last_several > 0 {
            letter(true, char::from(b'0' + self.last_several.min(9)));
        }
        if text.is_empty() {
            text.push('0');
        }
        for (on, name) in [
            (self.captures == Some(Captures::VictimAttacker), ",captures=mvv-lva"),
            (self.captures == Some(Captures::Exchange), ",captures=see"),
            (self.dynamic == Some(Dynamic::Pure), ",dynamic=pure"),
            (self.history == Some(History::Full), ",history=full"),
        ] {
            if on {
                text.push_str(name);
            }
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_and_written() {
        for (text, shown) in [
            ("0", "0"),
            ("", "0"),
            ("cb1", "CB1"),
            ("1CD", "CD1"),
            ("cbh,history=full,captures=see", "CBH,captures=see,history=full"),
            ("d,dynamic=pure", "D,dynamic=pure"),
            ("4", "4"),
        ] {
            let order: Order = text.parse().unwrap();
            assert_eq!(order.to_string(), shown);
            assert_eq!(shown.parse(), Ok(order));
        }
        for bad in ["x", "cc", "0c", "23", "c,history=full", "h,history=", "ü", "c,,"] {
            assert!(bad.parse::<Order>().is_err(), "{bad}");
        }
        for text in THESIS.iter().chain(&OTHERS) {
            assert!(!text.parse::<Order>().unwrap().is_variant(), "{text}");
        }
    }
}
