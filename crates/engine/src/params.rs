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
    /// What it steers.
    pub help: &'static str,
}

macro_rules! params {
    ($($(#[doc = $doc:literal])* $name:ident = $default:literal, $min:literal ..= $max:literal;)*) => {
        /// The margins of the search. Depths are in plies, values in the search's units, and
        /// reductions in 1024ths of a ply.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])* pub $name: i32,)*
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
                help: concat!($($doc),*).trim_ascii_start(),
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
    clock_share = 26, 5..=200;
    /// Clock: the share of the increment that is spent, in thousandths.
    time_increment_share = 750, 100..=1000;
    /// Clock: no move takes a greater share of what is left, in thousandths.
    time_hard_share = 600, 100..=950;
    /// Clock: the hard limit in soft limits, in thousandths.
    time_hard_factor = 4500, 1000..=20000;
    /// Clock: the soft limit is never scaled beyond this, in thousandths.
    time_scale_max = 2600, 1000..=10000;
    /// Clock: with much less than this left, in milliseconds, most of the increment is saved.
    time_cushion = 40, 1..=2000;
    /// Clock: the soft limit with no node spent on the best move, in thousandths.
    time_nodes_base = 1900, 1000..=4000;
    /// Clock: how much less with all nodes spent on it, in thousandths.
    time_nodes_slope = 1400, 0..=3000;
    /// Clock: the soft limit right after the best move has changed, in thousandths.
    time_stable_base = 1350, 800..=4000;
    /// Clock: how much less after each iteration without a change, in thousandths.
    time_stable_step = 80, 0..=500;
    /// Clock: for at most this many iterations.
    time_stable_max = 8, 1..=30;
    /// Clock: a fall of the score by this much doubles the soft limit.
    time_fall_unit = 120, 10..=2000;
    /// Clock: the least factor for a rising score, in thousandths.
    time_fall_min = 850, 100..=1000;
    /// Clock: the greatest factor for a falling score, in thousandths.
    time_fall_max = 1600, 1000..=5000;

    /// Half-width of the first aspiration window.
    aspiration_window = 18, 1..=300;
    /// From this depth on there is an aspiration window.
    aspiration_depth = 4, 2..=128;
    /// Aspiration window: it grows by this share after a fail, in hundredths.
    aspiration_growth = 50, 5..=300;
    /// Aspiration window: after fails high, at most this many plies less.
    aspiration_reductions = 3, 0..=8;

    /// TT: no cutoff from this halfmove clock on, for a draw by the fifty-move rule is near.
    tt_cutoff_clock = 90, 0..=101;

    /// Razoring: below alpha by this, only captures can help.
    razor_base = 294, 0..=30000;
    /// Razoring: growth with the square of the depth.
    razor_slope = 245, 0..=1000;

    /// Reverse futility: the greatest depth.
    rfp_depth = 9, 0..=64;
    /// Reverse futility: margin per ply.
    rfp_margin = 46, 5..=300;
    /// Reverse futility: what improving takes off the margin.
    rfp_improving = 25, -160..=300;
    /// Reverse futility: the share of the evaluation in the value returned, in 128ths; the rest is beta.
    rfp_blend = 64, 0..=128;

    /// Null move: the least depth.
    nmp_depth = 3, 1..=128;
    /// Null move: reduction at depth zero.
    nmp_base = 4, 1..=10;
    /// Null move: a ply more for so many plies of depth.
    nmp_divisor = 4, 1..=20;
    /// Null move: a ply more for so much above beta.
    nmp_eval_divisor = 175, 10..=2000;
    /// Null move: at most this many plies more for the evaluation.
    nmp_eval_max = 3, 0..=10;
    /// Null move: verified from this depth on.
    nmp_verify_depth = 14, 4..=128;
    /// Null move: the share of the verification's depth without null moves, in hundredths.
    nmp_verify_share = 75, 0..=100;

    /// ProbCut: the least depth.
    probcut_depth = 5, 3..=128;
    /// ProbCut: how far above beta.
    probcut_margin = 196, 10..=1000;
    /// ProbCut: how many plies less.
    probcut_reduction = 4, 1..=10;

    /// Internal iterative reduction: the least depth.
    iir_depth = 4, 1..=128;

    /// Late-move pruning: moves at depth zero.
    lmp_base = 3, 1..=1000;
    /// Late-move pruning: growth with the square of the depth, in 64ths.
    lmp_slope = 64, 8..=512;
    /// Late-move pruning: the share of moves when the position does not improve, in 64ths.
    lmp_not_improving = 32, 0..=64;
    /// Shallow pruning: a ply of depth for so much history.
    lmr_depth_history = 8192, 500..=100000;
    /// Futility: the greatest depth after reduction.
    futility_depth = 9, 0..=64;
    /// Futility: margin at depth zero.
    futility_base = 54, 0..=600;
    /// Futility: margin per ply.
    futility_slope = 101, 5..=500;
    /// History pruning: the greatest depth.
    history_depth = 5, 0..=64;
    /// History pruning: below this per ply.
    history_margin = 3822, 200..=20000;
    /// Exchange pruning of quiet moves: per squared depth.
    see_quiet = 20, 0..=30000;
    /// Exchange pruning of captures: per depth.
    see_capture = 87, 0..=30000;

    /// Singular extension: the least depth.
    singular_depth = 7, 4..=128;
    /// Singular extension: margin per depth in 16ths.
    singular_margin = 21, 0..=128;
    /// Singular extension: the TT entry may be this many plies shallower.
    singular_tt_depth = 3, 0..=10;
    /// Singular extension: not beyond this many times the iteration's depth from the root.
    singular_ply_factor = 2, 1..=8;
    /// Negative extension: plies less where the TT's value reaches beta.
    negative_extension = 2, 0..=6;
    /// Negative extension: plies less at other expected cut nodes.
    negative_cut_node = 1, 0..=6;
    /// Double extension: how far below.
    double_margin = 17, -200..=30000;
    /// Double extension: at most this many on the way to a node.
    double_limit = 8, 0..=64;

    /// Reductions: the least depth.
    lmr_depth = 2, 2..=128;
    /// Reductions: constant part.
    lmr_base = 964, -1000..=4000;
    /// Reductions: the weight of the logarithms, in 1024ths.
    lmr_slope = 502, 50..=2000;
    /// Reductions: off the principal variation.
    lmr_non_pv = 831, -1000..=4000;
    /// Reductions: at expected cut nodes.
    lmr_cut_node = 2313, -1000..=6000;
    /// Reductions: when the position does not improve.
    lmr_not_improving = 585, -1000..=4000;
    /// Reductions: less for a move with check.
    lmr_check = 843, -1000..=4000;
    /// Reductions: less for a former principal variation.
    lmr_tt_pv = 560, -1000..=6000;
    /// Reductions: less for killers.
    lmr_killer = 1384, -1000..=6000;
    /// Reductions: a ply for so much history.
    lmr_history = 9253, 500..=60000;
    /// Reductions: less for each unit that the evaluation had to be put right by.
    lmr_correction = 16, 0..=1000;
    /// Reductions: when the table's move is a capture.
    lmr_tt_capture = 780, -1000..=4000;
    /// Reductions: the node's children must have cut off more often than this.
    lmr_cutoff_limit = 3, 0..=20;
    /// Reductions: more where they have.
    lmr_cutoffs = 1024, -2000..=4000;
    /// Reductions: less for captures that do not lose material.
    lmr_good_capture = 1024, -2000..=4000;
    /// Re-search after a reduction: a ply deeper if the value is better than the best by more than this.
    deeper_margin = 60, 0..=300;
    /// Re-search after a reduction: a ply shallower if it is better by less than this.
    shallower_margin = 8, 0..=100;
    /// Alpha raise: the other moves get a ply less above this depth.
    alpha_raise_min_depth = 4, 0..=128;
    /// Alpha raise: and below this depth.
    alpha_raise_max_depth = 12, 0..=128;

    /// History: bonus per ply.
    bonus_slope = 110, 5..=1000;
    /// History: the largest bonus.
    bonus_max = 1310, 50..=16000;
    /// History: malus per ply.
    malus_slope = 214, 5..=1000;
    /// History: the largest malus.
    malus_max = 1212, 50..=16000;

    /// History: what a quiet move's table entry gets for cutting off before it was tried, in 64ths.
    tt_cut_bonus = 64, 0..=512;
    /// History: what the move before gets when nothing here was good, in 64ths of a bonus.
    fail_low_bonus = 48, 0..=512;
    /// History: what the move before gets for the change of the static evaluation, in 64ths.
    eval_bonus = 96, 0..=1600;
    /// History: the largest such bonus.
    eval_bonus_max = 600, 0..=8000;
    /// History: what a reduced move gets in its continuations for passing or failing the second
    /// search, in 64ths of a bonus.
    research_bonus = 64, 0..=512;

    /// Ordering: whether the table's move comes first.
    order_tt = 1, 0..=1;
    /// Ordering: whether the killer comes before other quiet moves.
    order_killer = 1, 0..=1;
    /// Ordering: weight of a quiet move's own history, in 64ths, as the next ones.
    order_main = 64, 0..=512;
    /// Ordering: weight of its history under these pawns.
    order_pawns = 64, 0..=512;
    /// Ordering: weight of its history after the last move.
    order_cont_1 = 64, 0..=512;
    /// Ordering: weight of its history after the last own move.
    order_cont_2 = 64, 0..=512;
    /// Ordering: weight of its history four plies later.
    order_cont_4 = 32, 0..=512;
    /// Ordering: weight of its history six plies later.
    order_cont_6 = 32, 0..=512;
    /// Ordering: bonus for a check that loses nothing.
    order_check = 10000, 0..=30000;
    /// Ordering: bonus for a minor piece that leaves the reach of lesser men; others by their value.
    order_escape = 7000, 0..=20000;
    /// Ordering: a check may lose this much by SEE and still get its bonus.
    order_check_risk = 75, 0..=1000;
    /// Ordering: how much of a capture's history counts, in 64ths.
    order_capture = 64, 0..=512;
    /// Ordering: a good capture may lose a pawn's hundredth by SEE for so much history.
    order_capture_credit = 64, 8..=1000;

    /// SEE: a pawn.
    see_pawn = 100, 20..=400;
    /// SEE: a knight.
    see_knight = 320, 100..=1000;
    /// SEE: a bishop.
    see_bishop = 330, 100..=1000;
    /// SEE: a rook.
    see_rook = 500, 200..=1600;
    /// SEE: a queen.
    see_queen = 950, 300..=3000;

    /// Corrections: weight of each part's errors, in 64ths: pawns.
    correction_pawns = 64, 0..=512;
    /// Corrections: the pieces of each side.
    correction_pieces = 64, 0..=512;
    /// Corrections: minor pieces.
    correction_minors = 64, 0..=512;
    /// Corrections: the last two moves.
    correction_moves = 64, 0..=512;
    /// Corrections: the most by which depth counts.
    correction_depth_max = 16, 1..=128;
    /// Corrections: the rate; an error counts by its depth over this.
    correction_divisor = 8, 1..=256;
    /// Corrections: the most that one error moves a correction.
    correction_step_max = 256, 8..=1024;

    /// A node that was reduced so much on the way gets a ply back if its evaluation speaks against it.
    hindsight_reduction = 3, 1..=128;

    /// The evaluation fades to nothing after so many plies without progress.
    fifty_move_scale = 220, 100..=30000;

    /// Quiescence: a capture must come this close to alpha.
    delta_margin = 140, 0..=30000;
    /// Quiescence: the share of a value above beta that is believed, in 128ths; the rest is beta.
    qs_blend = 64, 0..=128;
}
