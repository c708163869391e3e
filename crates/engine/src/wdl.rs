//! The WDL model: from the search's values to the probabilities of win, draw and loss, and to normalised
//! centipawns.
//!
//! The chance to win is a logistic curve of the value, whose middle and steepness depend on the
//! material left: our network's values grow as pieces go, so that an even chance takes a greater one then.
//! 100 centipawns are, by definition, the value at which the chance to win is one half.

use crate::score::{Score, Wdl};
use crate::value::Value;
use tabiya_chess::{PieceKind, Position};

/// The least material at which the curve still changes, in pawns of both sides.
pub const LEAST_MATERIAL: i32 = 10;
/// The most: that of the start.
pub const MOST_MATERIAL: i32 = 78;

/// A quantity that changes evenly with the material, in the search's units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WdlCurve {
    /// At [`LEAST_MATERIAL`] and below.
    pub at_least_material: i32,
    /// At [`MOST_MATERIAL`].
    pub at_most_material: i32,
}

/// From values to chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WdlModel {
    /// The value with an even chance to win.
    pub middle: WdlCurve,
    /// How slowly the chance rises there.
    pub width: WdlCurve,
}

/// The model in use, fitted by `tabiya train wdl` to a thousand games of our own with about 4,000 nodes a move.
pub const IN_USE: WdlModel = WdlModel {
    middle: WdlCurve { at_least_material: 182, at_most_material: 59 },
    width: WdlCurve { at_least_material: 55, at_most_material: 75 },
};

/// Material in pawns, both sides together, from bare kings to the start.
pub fn material(position: &Position) -> i32 {
    const WORTH: [(PieceKind, i32); 5] = [
        (PieceKind::Pawn, 1),
        (PieceKind::Knight, 3),
        (PieceKind::Bishop, 3),
        (PieceKind::Rook, 5),
        (PieceKind::Queen, 9),
    ];
    WORTH.iter().map(|&(piece, worth)| worth * position.pieces(piece).len() as i32).sum()
}

impl WdlCurve {
    fn at(self, position: &Position) -> i32 {
        let material = material(position).clamp(LEAST_MATERIAL, MOST_MATERIAL);
        let rise = self.at_most_material - self.at_least_material;
        self.at_least_material
            + rise * (material - LEAST_MATERIAL) / (MOST_MATERIAL - LEAST_MATERIAL)
    }
}

/// The score to tell.
pub(crate) fn score(value: Value, position: &Position) -> Score {
    let middle = IN_USE.middle.at(position);
    Score::from_value(value, |value| value * 100 / middle)
}

/// The chances by the model.
pub(crate) fn wdl(value: Value, position: &Position) -> Wdl {
    let (middle, width) = (IN_USE.middle.at(position), IN_USE.width.at(position));
    let win = logistic(value - middle, width);
    let loss = logistic(-value - middle, width);
    Wdl { win, loss, draw: 1000 - win - loss }
}

/// 1000 / (1 + e^(-x/width)), in whole numbers so that every machine agrees.
fn logistic(x: Value, width: i32) -> u16 {
    // e^y = 2^(y / ln 2), the power of two split into a shift and a quadratic for the fraction.
    let scaled = ((i64::from(x) << 16) / i64::from(width) * 94_548) >> 16;
    let whole = scaled >> 16;
    let fraction = scaled & 0xFFFF;
    // 2^f for f in [0, 1) is 1 + f * (0.6565 + 0.3435 f) to three digits.
    let slope = 43_025 + ((fraction * 22_511) >> 16);
    let power = 65_536 + ((fraction * slope) >> 16);
    let power = match whole {
        20.. => return 1000,
        ..-20 => return 0,
        0.. => power << whole,
        _ => power >> -whole,
    };
    (1000 * power / (power + 65_536)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_logistic() {
        for x in -600..600 {
            let exact = 1000.0 / (1.0 + (-f64::from(x) / 60.0).exp());
            assert!((f64::from(logistic(x, 60)) - exact).abs() <= 2.0, "{x}");
        }
    }

    #[test]
    fn a_hundred_centipawns_are_an_even_chance() {
        let start = Position::start();
        let middle = IN_USE.middle.at(&start);
        assert_eq!(score(middle, &start), Score::Centipawns(100));
        let wdl = wdl(middle, &start);
        assert!((498..=502).contains(&wdl.win));
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
    }
}
