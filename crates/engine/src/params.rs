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
    /// Several threads: nodes with less depth than this are not split.
    split_depth = 5, 1..=128;
    /// Several threads: nodes with so much depth are offered even while nobody idles.
    split_standing = 10, 1..=128;
    /// Several threads: where all moves are expected to fail, nobody waits for the first.
    split_all = 1, 0..=1;
    /// Several threads: where a cutoff is expected, so many moves must have failed before a split.
    split_patience = 1, 1..=64;
    /// Several threads: no more than so many at one split.
    split_workers = 8, 2..=1024;
    /// Several threads: no more than so many moves of one split are searched for their exact values at once.
    split_measured = 2, 1..=1024;
    /// Several threads: while an exact value is searched for, nobody takes up another move.
    split_pause = 1, 0..=1;
    /// Several threads in one tree: how much of their histories they share, from nothing to everything.
    split_sharing = 3, 0..=3;
    /// Several threads: no more than so many share corrections alone, and nothing is offered while nobody
    /// idles.
    split_few = 3, 0..=1024;
    /// Several threads, each for itself: the same.
    lazy_sharing = 0, 0..=3;

    /// Clock: thousandths of the time left for one move, when no more is promised.
    clock_share = 26, 10..=100;

    /// Half-width of the first aspiration window.
    aspiration_window = 18, 5..=60;
    /// From this depth on there is an aspiration window.
    aspiration_depth = 4, 2..=128;

    /// Razoring: below alpha by this per depth squared, only captures can help.
    razor_base = 294, 100..=30000;
    /// Razoring: growth with the square of the depth.
    razor_slope = 245, 50..=500;

    /// Reverse futility: the greatest depth.
    rfp_depth = 9, 0..=14;
    /// Reverse futility: margin per ply.
    rfp_margin = 46, 30..=160;
    /// Reverse futility: what improving takes off the margin.
    rfp_improving = 25, 0..=160;

    /// Null move: the least depth.
    nmp_depth = 3, 1..=128;
    /// Null move: reduction at depth zero.
    nmp_base = 4, 2..=6;
    /// Null move: a ply more for so many plies of depth.
    nmp_divisor = 4, 2..=8;
    /// Null move: a ply more for so much above beta.
    nmp_eval_divisor = 175, 80..=400;
    /// Null move: verified from this depth on.
    nmp_verify_depth = 14, 8..=128;

    /// ProbCut: the least depth.
    probcut_depth = 5, 3..=128;
    /// ProbCut: how far above beta.
    probcut_margin = 196, 80..=350;

    /// Internal iterative reduction: the least depth.
    iir_depth = 4, 2..=128;

    /// Late-move pruning: moves at depth zero.
    lmp_base = 3, 1..=1000;
    /// Futility: the greatest depth after reduction.
    futility_depth = 9, 0..=14;
    /// Futility: margin at depth zero.
    futility_base = 54, 20..=250;
    /// Futility: margin per ply.
    futility_slope = 101, 30..=200;
    /// History pruning: the greatest depth.
    history_depth = 5, 0..=10;
    /// History pruning: below this per ply.
    history_margin = 3822, 1000..=8000;
    /// Exchange pruning of quiet moves: per squared depth.
    see_quiet = 20, 5..=30000;
    /// Exchange pruning of captures: per depth.
    see_capture = 87, 30..=30000;

    /// Singular extension: the least depth.
    singular_depth = 7, 4..=128;
    /// Singular extension: margin per depth in 16ths.
    singular_margin = 21, 8..=64;
    /// Double extension: how far below.
    double_margin = 17, 0..=30000;

    /// Reductions: the least depth.
    lmr_depth = 2, 2..=128;
    /// Reductions: constant part.
    lmr_base = 964, 0..=2000;
    /// Reductions: the weight of the logarithms, in 1024ths.
    lmr_slope = 502, 200..=900;
    /// Reductions: off the principal variation.
    lmr_non_pv = 831, 0..=2000;
    /// Reductions: at expected cut nodes.
    lmr_cut_node = 2313, 0..=3000;
    /// Reductions: when the position does not improve.
    lmr_not_improving = 585, 0..=2000;
    /// Reductions: less for a move with check.
    lmr_check = 843, 0..=2000;
    /// Reductions: less for a former principal variation.
    lmr_was_pv = 560, 0..=2500;
    /// Reductions: less for killers.
    lmr_killer = 1384, 0..=2500;
    /// Reductions: a ply for so much history.
    lmr_history = 9253, 3000..=16000;
    /// Reductions: less for each unit that the evaluation had to be put right by.
    lmr_correction = 16, 0..=200;
    /// Reductions: when the table's move is a capture.
    lmr_table_capture = 780, 0..=2000;

    /// History: bonus per ply.
    bonus_slope = 110, 60..=400;
    /// History: the largest bonus.
    bonus_max = 1310, 500..=4000;
    /// History: malus per ply.
    malus_slope = 214, 60..=500;
    /// History: the largest malus.
    malus_max = 1212, 500..=4000;

    /// History: what a quiet move's table entry gets for cutting off before it was tried, in 64ths.
    table_cut_bonus = 64, 0..=128;
    /// History: what the move before gets when nothing here was good, in 64ths of a bonus.
    fail_low_bonus = 48, 0..=128;
    /// History: what the move before gets for the change of the static evaluation, in 64ths.
    eval_bonus = 96, 0..=400;
    /// History: the largest such bonus.
    eval_bonus_max = 600, 0..=2000;
    /// History: what a reduced move gets in its continuations for passing or failing the second
    /// search, in 64ths of a bonus.
    research_bonus = 64, 0..=128;

    /// Ordering: whether the table's move comes first.
    order_table = 1, 0..=1;
    /// Ordering: whether the killer comes before other quiet moves.
    order_killer = 1, 0..=1;
    /// Ordering: weight of a quiet move's own history, in 64ths, as the next ones.
    order_main = 64, 0..=200;
    /// Ordering: weight of its history under these pawns.
    order_pawns = 64, 0..=200;
    /// Ordering: weight of its history after the last move.
    order_cont_1 = 64, 0..=200;
    /// Ordering: weight of its history after the last own move.
    order_cont_2 = 64, 0..=200;
    /// Ordering: weight of its history four plies later.
    order_cont_4 = 32, 0..=200;
    /// Ordering: weight of its history six plies later.
    order_cont_6 = 32, 0..=200;
    /// Ordering: bonus for a check that loses nothing.
    order_check = 10000, 0..=30000;
    /// Ordering: bonus for a minor piece that leaves the reach of lesser men; others by their value.
    order_escape = 7000, 0..=20000;
    /// Ordering: how much of a capture's history counts, in 64ths.
    order_capture = 64, 0..=200;

    /// Corrections: weight of each part's errors, in 64ths: pawns.
    correction_pawns = 64, 0..=200;
    /// Corrections: the pieces of each side.
    correction_pieces = 64, 0..=200;
    /// Corrections: minor pieces.
    correction_minors = 64, 0..=200;
    /// Corrections: the last two moves.
    correction_moves = 64, 0..=200;

    /// A node that was reduced so much on the way gets a ply back if its evaluation speaks against it.
    hindsight_reduction = 3, 2..=128;

    /// The evaluation fades to nothing after so many plies without progress.
    fifty_move_scale = 220, 100..=30000;

    /// Quiescence: a capture must come this close to alpha.
    delta_margin = 140, 50..=30000;
}
