//! Writes weights down as the source of `weights.rs`.

use super::layout::{Axis, FIELDS, Field, Weights};
use super::pair::Pair;
use core::fmt::Write;

const HEAD: &str = "\
//! The weights in use, as the fitter has written them; see `layout.rs` for what each means.

use super::layout::Weights;
use super::pair::Pair;

const fn p(midgame: i32, endgame: i32) -> Pair {
    Pair::new(midgame, endgame)
}

/// The weights in use.
#[rustfmt::skip]
pub const DEFAULT: Weights = Weights {
";

/// Weights on a line: a rank of the board.
const PER_LINE: usize = 8;

impl Weights {
    /// The text of `weights.rs` with these weights in it.
    pub fn source(&self) -> String {
        let flat = self.to_vec();
        let mut text = HEAD.to_owned();
        for field in FIELDS {
            let weights = &flat[field.offset..field.offset + field.len];
            let _ = write!(text, "    {}: ", field.name);
            write_block(&mut text, field, 0, weights);
            text.push_str(",\n");
        }
        text.push_str("};\n");
        text
    }
}

/// Writes a part of a field, from one of its axes on.
fn write_block(text: &mut String, field: &Field, depth: usize, weights: &[Pair]) {
    let Some(&(axis, len)) = field.axes.get(depth) else {
        for weight in weights {
            let _ = write!(text, "p({}, {})", weight.midgame(), weight.endgame());
        }
        return;
    };
    let indent = "    ".repeat(depth + 2);
    let innermost = depth + 1 == field.axes.len();
    let per_line = if axis == Axis::HalfSquare { PER_LINE / 2 } else { PER_LINE };
    text.push('[');
    let stride = weights.len() / len;
    for (i, part) in weights.chunks(stride).enumerate() {
        if !innermost || len > per_line && i % per_line == 0 {
            let _ = write!(text, "\n{indent}");
        } else if i > 0 {
            text.push(' ');
        }
        if !innermost && field.axes.len() > 2 {
            let _ = write!(text, "// {}\n{indent}", axis.label(i));
        }
        write_block(text, field, depth + 1, part);
        if !innermost || len > per_line || i + 1 < len {
            text.push(',');
        }
    }
    if !innermost || len > per_line {
        let _ = write!(text, "\n{}", "    ".repeat(depth + 1));
    }
    text.push(']');
}

#[cfg(test)]
mod tests {
    use super::super::weights::DEFAULT;

    #[test]
    fn writes_the_file_that_is_in_use() {
        assert_eq!(DEFAULT.source(), include_str!("weights.rs"));
    }
}
