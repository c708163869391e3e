//! From the search's values to chances and to centipawns that mean something.
//!
//! The chance to win is a logistic curve of the value, whose middle and steepness depend on the
//! material left: the same advantage wins more often when less is on the board. 100 centipawns are, by
//! definition, the value at which the chance to win is one half.

use crate::score::{Chances, Score};
use crate::value::{Value, told as told_by};
use tabiya_chess::{Piece, Position};

/// Middle and width of the curve, in the search's units.
struct Curve {
    middle: i32,
    width: i32,
}

/// Material in pawns, both sides together, from bare kings to the start.
fn material(position: &Position) -> i32 {
    const WORTH: [(Piece, i32); 5] = [
        (Piece::Pawn, 1),
        (Piece::Knight, 3),
        (Piece::Bishop, 3),
        (Piece::Rook, 5),
        (Piece::Queen, 9),
    ];
    WORTH.iter().map(|&(piece, worth)| worth * position.pieces(piece).len() as i32).sum()
}

fn curve(position: &Position) -> Curve {
    let material = material(position).clamp(10, 78);
    Curve { middle: 90 + material / 2, width: 48 + material / 4 }
}

/// The score to tell.
pub(crate) fn told(value: Value, position: &Position) -> Score {
    let middle = curve(position).middle;
    told_by(value, |value| value * 100 / middle)
}

/// The chances by the model.
pub(crate) fn chances(value: Value, position: &Position) -> Chances {
    let Curve { middle, width } = curve(position);
    let win = logistic(value - middle, width);
    let loss = logistic(-value - middle, width);
    Chances { win, loss, draw: 1000 - win - loss }
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
        let middle = curve(&start).middle;
        assert_eq!(told(middle, &start), Score::Centipawns(100));
        let chances = chances(middle, &start);
        assert!((498..=502).contains(&chances.win));
        assert_eq!(chances.win + chances.draw + chances.loss, 1000);
    }
}
