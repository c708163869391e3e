//! Every margin of the search: one name, one value, one range, in one table that the tuner can read.

/// A parameter as the tuner sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSpec {
    /// Its name.
    pub name: &'static str,
    /// The value in use.
    pub default: i32,
    /// The least that makes sense.
    pub min: i32,
    /// The most that makes sense.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal;)*) => {
        /// The margins of the search. Depths are in plies, values in the search's units, and
        /// reductions in 1024ths of a ply.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The values in use.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// The whole table.
            pub const SPECS: &[ParamSpec] = &[$(ParamSpec {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
            },)*];

            /// Sets a parameter by name; `false` if there is none or the value is out of range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => {
                        self.$name = value;
                        true
                    })*
                    _ => false,
                }
            }
        }
    };
}

params! {
    /// Half-width of the first aspiration window.
    aspiration_window = 14, 5..=60;
    /// From this depth on there is an aspiration window.
    aspiration_depth = 4, 2..=8;

    /// Razoring: below alpha by this per depth squared, only captures can help.
    razor_base = 300, 100..=600;
    /// Razoring: growth with the square of the depth.
    razor_slope = 230, 50..=500;

    /// Reverse futility: the greatest depth.
    rfp_depth = 9, 4..=14;
    /// Reverse futility: margin per ply.
    rfp_margin = 78, 30..=160;
    /// Reverse futility: what improving takes off the margin.
    rfp_improving = 60, 0..=160;

    /// Null move: reduction at depth zero.
    nmp_base = 4, 2..=6;
    /// Null move: a ply more for so many plies of depth.
    nmp_divisor = 4, 2..=8;
    /// Null move: a ply more for so much above beta.
    nmp_eval_divisor = 200, 80..=400;
    /// Null move: verified from this depth on.
    nmp_verify_depth = 14, 8..=24;

    /// ProbCut: the least depth.
    probcut_depth = 5, 3..=9;
    /// ProbCut: how far above beta.
    probcut_margin = 190, 80..=350;

    /// Late-move pruning: moves at depth zero.
    lmp_base = 3, 1..=8;
    /// Futility: the greatest depth after reduction.
    futility_depth = 9, 4..=14;
    /// Futility: margin at depth zero.
    futility_base = 90, 20..=250;
    /// Futility: margin per ply.
    futility_slope = 95, 30..=200;
    /// History pruning: the greatest depth.
    history_depth = 5, 2..=10;
    /// History pruning: below this per ply.
    history_margin = 3500, 1000..=8000;
    /// Exchange pruning of quiet moves: per squared depth.
    see_quiet = 22, 5..=80;
    /// Exchange pruning of captures: per depth.
    see_capture = 95, 30..=200;

    /// Singular extension: the least depth.
    singular_depth = 7, 4..=10;
    /// Singular extension: margin per depth in 16ths.
    singular_margin = 24, 8..=64;
    /// Double extension: how far below.
    double_margin = 18, 0..=60;

    /// Reductions: constant part.
    lmr_base = 750, 0..=2000;
    /// Reductions: the weight of the logarithms, in 1024ths.
    lmr_slope = 440, 200..=900;
    /// Reductions: off the principal variation.
    lmr_non_pv = 900, 0..=2000;
    /// Reductions: at expected cut nodes.
    lmr_cut_node = 1700, 0..=3000;
    /// Reductions: when the position does not improve.
    lmr_not_improving = 800, 0..=2000;
    /// Reductions: less for a move with check.
    lmr_check = 900, 0..=2000;
    /// Reductions: less for a former principal variation.
    lmr_was_pv = 1000, 0..=2500;
    /// Reductions: less for killers.
    lmr_killer = 1000, 0..=2500;
    /// Reductions: a ply for so much history.
    lmr_history = 8000, 3000..=16000;
    /// Reductions: when the table's move is a capture.
    lmr_table_capture = 900, 0..=2000;

    /// History: bonus per ply.
    bonus_slope = 170, 60..=400;
    /// History: the largest bonus.
    bonus_max = 1700, 500..=4000;
    /// History: malus per ply.
    malus_slope = 190, 60..=500;
    /// History: the largest malus.
    malus_max = 1500, 500..=4000;

    /// Quiescence: a capture must come this close to alpha.
    delta_margin = 150, 50..=400;
}
