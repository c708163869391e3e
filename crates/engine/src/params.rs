//! Every number that steers the search, the move ordering or the clock: one name, one value, one range, in one
//! table that the tuner can read.
//!
//! What is not here: sizes of tables, units of fixed-point numbers, bounds of history scores, and the TT's
//! replacement policy (`tt/mod.rs`), which all threads share and no thread may change during a search.

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
    /// YBWC: nodes with less depth are not split.
    ybwc_depth = 5, 1..=128;
    /// YBWC: nodes with this depth or more are offered even while no thread idles.
    ybwc_standing_depth = 10, 1..=128;
    /// YBWC: at an all node no thread waits for the first move.
    ybwc_all_node_moves = 1, 0..=1;
    /// YBWC: moves that must have failed at a cut node before it is split.
    ybwc_cut_node_moves = 1, 1..=64;
    /// YBWC: most threads at one split point.
    ybwc_max_threads = 8, 2..=1024;
    /// YBWC: most moves of one split point that are searched with the full window at once.
    ybwc_max_full_window = 2, 1..=1024;
    /// YBWC: while a move has the full window, no other move of its split point is taken.
    ybwc_pause = 1, 0..=1;
    /// YBWC: histories the threads share: 0 none, 1 correction, 2 continuation as well, 3 all.
    ybwc_sharing = 3, 0..=3;
    /// YBWC: up to this many threads share correction history alone, and offer nodes only to idle threads.
    ybwc_few_threads = 3, 0..=1024;
    /// Lazy SMP: histories the threads share: 0 none, 1 correction, 2 continuation as well, 3 all.
    lazy_sharing = 0, 0..=3;
    /// Lazy SMP: by how much the reductions of two threads differ, in 1024ths of a ply.
    lazy_bias_step = 48, 0..=512;
    /// Lazy SMP: different reductions to either side, after which they repeat.
    lazy_bias_steps = 4, 0..=64;
    /// Lazy SMP: different widths of the aspiration window, after which they repeat.
    lazy_widths = 8, 1..=64;
    /// Lazy SMP: what the vote of the thread with the lowest value counts.
    lazy_vote_min = 20, 1..=1000;

    /// Time: thousandths of the time left for one move, when no more is promised.
    time_share = 26, 5..=200;
    /// Time: at most this many moves to go are reckoned with.
    time_moves_to_go_max = 50, 5..=200;
    /// Time: moves beyond the time control that its time is divided among, too, in thousandths.
    time_spare_moves = 600, 0..=5000;
    /// Time: the share of what is left that the last move before the time control may take, in thousandths.
    time_last_move_share = 900, 100..=990;
    /// Time: the share of what is left that is kept back for the overhead of later moves, in thousandths.
    time_overhead_share = 500, 0..=900;
    /// Time: the share of the increment that is spent, in thousandths.
    time_increment_share = 750, 100..=1000;
    /// Time: no move takes a greater share of what is left, in thousandths.
    time_hard_share = 600, 100..=950;
    /// Time: the hard limit in soft limits, in thousandths.
    time_hard_factor = 4500, 1000..=20000;
    /// Time: the soft limit is scaled by at least this, in thousandths.
    time_scale_min = 100, 10..=1000;
    /// Time: the soft limit is never scaled beyond this, in thousandths.
    time_scale_max = 2600, 1000..=10000;
    /// Time: with much less than this left, in milliseconds, most of the increment is saved.
    time_cushion = 40, 1..=2000;
    /// Time: the soft limit with no node spent on the best move, in thousandths.
    time_nodes_base = 1900, 1000..=4000;
    /// Time: how much less with all nodes spent on it, in thousandths.
    time_nodes_slope = 1400, 0..=3000;
    /// Time: the soft limit right after the best move has changed, in thousandths.
    time_stable_base = 1350, 800..=4000;
    /// Time: how much less after each iteration without a change, in thousandths.
    time_stable_step = 80, 0..=500;
    /// Time: for at most this many iterations.
    time_stable_max = 8, 1..=30;
    /// Time: a fall of the score by this much doubles the soft limit.
    time_fall_unit = 120, 1..=2000;
    /// Time: the weight of the last iteration in the average that the score falls from, in thousandths.
    time_fall_memory = 500, 10..=1000;
    /// Time: the least factor for a rising score, in thousandths.
    time_fall_min = 850, 100..=1000;
    /// Time: the greatest factor for a falling score, in thousandths.
    time_fall_max = 1600, 1000..=5000;
    /// Time: a forced move is not searched deeper than this.
    time_forced_depth = 8, 1..=128;
    /// Time: a mate is believed once the depth is this many times its length in plies.
    time_mate_depth = 2, 1..=16;

    /// Half-width of the first aspiration window.
    aspiration_window = 18, 1..=300;
    /// From this depth on there is an aspiration window.
    aspiration_depth = 4, 2..=128;
    /// Aspiration window: it grows by this share after a fail, in hundredths.
    aspiration_growth = 50, 5..=300;
    /// Aspiration window: the share of alpha in the new beta after a fail low, in 128ths.
    aspiration_pull = 64, 0..=128;
    /// Aspiration window: after fails high, at most this many plies less.
    aspiration_reductions = 3, 0..=8;

    /// TT: no cutoff from this halfmove clock on, for a draw by the fifty-move rule is near.
    tt_cutoff_clock = 90, 0..=101;

    /// Razoring: below alpha by this, only captures can help.
    razor_base = 294, 0..=30000;
    /// Razoring: growth with the square of the depth.
    razor_slope = 245, 0..=1000;

    /// RFP: the greatest depth.
    rfp_depth = 9, 0..=64;
    /// RFP: margin per ply.
    rfp_margin = 46, 5..=300;
    /// RFP: what improving takes off the margin.
    rfp_improving = 25, -160..=300;
    /// RFP: the share of the evaluation in the value returned, in 128ths; the rest is beta.
    rfp_blend = 64, 0..=128;

    /// NMP: the least depth.
    nmp_depth = 3, 1..=128;
    /// NMP: the evaluation must be above beta by this.
    nmp_margin = 0, -300..=600;
    /// NMP: reduction at depth zero.
    nmp_base = 4, 1..=10;
    /// NMP: a ply more for each this many plies of depth.
    nmp_divisor = 4, 1..=20;
    /// NMP: a ply more for each time the evaluation is above beta by this.
    nmp_eval_divisor = 175, 10..=2000;
    /// NMP: at most this many plies more for the evaluation.
    nmp_eval_max = 3, 0..=10;
    /// NMP: verified from this depth on.
    nmp_verify_depth = 14, 4..=128;
    /// NMP: the share of the verification's depth without null moves, in hundredths.
    nmp_verify_share = 75, 0..=100;

    /// ProbCut: the least depth.
    probcut_depth = 5, 3..=128;
    /// ProbCut: how far above beta.
    probcut_margin = 196, 10..=1000;
    /// ProbCut: how many plies less.
    probcut_reduction = 4, 1..=10;

    /// IIR: the least depth.
    iir_depth = 4, 1..=128;
    /// IIR: plies less.
    iir_reduction = 1, 0..=4;

    /// LMP: moves at depth zero.
    lmp_base = 3, 1..=1000;
    /// LMP: growth with the square of the depth, in 64ths.
    lmp_slope = 64, 8..=512;
    /// LMP: the share of moves when the position does not improve, in 64ths.
    lmp_not_improving = 32, 0..=64;
    /// Shallow pruning: a ply of the reduced depth for each this much history.
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
    /// SEE pruning of quiet moves: the loss allowed per squared depth.
    see_quiet = 20, 0..=30000;
    /// SEE pruning of captures: the loss allowed per ply of depth.
    see_capture = 87, 0..=30000;

    /// Singular extension: the least depth.
    singular_depth = 7, 4..=128;
    /// Singular extension: the share of the depth that the search without the TT move gets, in 128ths.
    singular_depth_share = 64, 16..=120;
    /// Singular extension: plies more.
    singular_extension = 1, 0..=3;
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
    /// Double extension: plies more.
    double_extension = 2, 0..=4;
    /// Double extension: how far below.
    double_margin = 17, -200..=30000;
    /// Double extension: at most this many on the way to a node.
    double_limit = 8, 0..=64;

    /// LMR: the least depth.
    lmr_depth = 2, 1..=128;
    /// LMR: moves that are never reduced.
    lmr_moves = 1, 1..=64;
    /// LMR: more such moves at the root.
    lmr_root_moves = 1, 0..=64;
    /// LMR: constant part.
    lmr_base = 964, -1000..=4000;
    /// LMR: the weight of the logarithms, in 1024ths.
    lmr_slope = 502, 50..=2000;
    /// LMR: off the PV.
    lmr_non_pv = 831, -1000..=4000;
    /// LMR: at expected cut nodes.
    lmr_cut_node = 2313, -1000..=6000;
    /// LMR: when the position does not improve.
    lmr_not_improving = 585, -1000..=4000;
    /// LMR: less for a move with check.
    lmr_check = 843, -1000..=4000;
    /// LMR: less for a former PV node.
    lmr_tt_pv = 560, -1000..=6000;
    /// LMR: less for killers.
    lmr_killer = 1384, -1000..=6000;
    /// LMR: a ply for each this much history.
    lmr_history = 9253, 500..=60000;
    /// LMR: less for each unit of correction history's correction.
    lmr_correction = 16, 0..=1000;
    /// LMR: when the TT move is a capture.
    lmr_tt_capture = 780, -1000..=4000;
    /// LMR: the node's children must have cut off more often than this.
    lmr_cutoff_limit = 3, 0..=20;
    /// LMR: more where they have.
    lmr_cutoffs = 1024, -2000..=4000;
    /// LMR: less for captures that do not lose material.
    lmr_good_capture = 1024, -2000..=4000;
    /// Re-search after a reduction: a ply deeper if the value is better than the best by more than this.
    deeper_margin = 60, 0..=300;
    /// Re-search after a reduction: a ply shallower if it is better by less than this.
    shallower_margin = 8, 0..=100;
    /// Alpha raise: the other moves get less depth above this depth.
    alpha_raise_min_depth = 4, 0..=128;
    /// Alpha raise: and below this depth.
    alpha_raise_max_depth = 12, 0..=128;
    /// Alpha raise: plies less.
    alpha_raise_reduction = 1, 0..=4;

    /// History: bonus per ply.
    bonus_slope = 110, 5..=1000;
    /// History: the largest bonus.
    bonus_max = 1310, 50..=16000;
    /// History: malus per ply.
    malus_slope = 214, 5..=1000;
    /// History: the largest malus.
    malus_max = 1212, 50..=16000;

    /// History: the quiet TT move's bonus for a TT cutoff, in 64ths of a bonus.
    tt_cut_bonus = 64, 0..=512;
    /// History: the previous move's bonus when this node fails low, in 64ths of a bonus.
    fail_low_bonus = 48, 0..=512;
    /// Eval history: the previous move's bonus for the change of the static evaluation, in 64ths.
    eval_bonus = 96, 0..=1600;
    /// Eval history: the largest such bonus.
    eval_bonus_max = 600, 0..=8000;
    /// History: a reduced move's bonus or malus in continuation history after its re-search, in 64ths.
    research_bonus = 64, 0..=512;

    /// Ordering: whether the TT move comes first.
    order_tt = 1, 0..=1;
    /// Ordering: whether the killer comes before other quiet moves.
    order_killer = 1, 0..=1;
    /// Ordering: weight of main (butterfly) history, in 64ths, as the next ones.
    order_main = 64, 0..=512;
    /// Ordering: weight of pawn history.
    order_pawns = 64, 0..=512;
    /// Ordering: weight of continuation history, one ply back.
    order_cont_1 = 64, 0..=512;
    /// Ordering: weight of continuation history, two plies back.
    order_cont_2 = 64, 0..=512;
    /// Ordering: weight of continuation history, four plies back.
    order_cont_4 = 32, 0..=512;
    /// Ordering: weight of continuation history, six plies back.
    order_cont_6 = 32, 0..=512;
    /// Ordering: bonus for a check that loses nothing.
    order_check = 10000, 0..=30000;
    /// Ordering: bonus for a minor piece that leaves the attack of a lesser piece; others by their value.
    order_escape = 7000, 0..=20000;
    /// Ordering: a check may lose this much by SEE and still get its bonus.
    order_check_risk = 75, 0..=1000;
    /// Ordering: the same for a rook, in quarters of a minor piece's bonus.
    order_escape_rook = 6, 0..=40;
    /// Ordering: the same for a queen, in quarters of a minor piece's bonus.
    order_escape_queen = 10, 0..=40;
    /// Ordering: weight of the victim's value (MVV).
    order_mvv = 16, 1..=128;
    /// Ordering: weight of capture history, in 64ths.
    order_capture = 64, 0..=512;
    /// Ordering: a good capture may lose a centipawn by SEE for each this much capture history.
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

    /// Correction history: weight of pawn structure, in 64ths, as the next ones.
    correction_pawns = 64, 0..=512;
    /// Correction history: weight of each side's non-pawns.
    correction_pieces = 64, 0..=512;
    /// Correction history: weight of minor pieces.
    correction_minors = 64, 0..=512;
    /// Correction history: weight of the last two moves.
    correction_moves = 64, 0..=512;
    /// Correction history: the most by which depth counts.
    correction_depth_max = 16, 1..=128;
    /// Correction history: the rate, in 64ths; an error counts by its depth times this.
    correction_rate = 8, 1..=512;
    /// Correction history: the most that one error moves a correction.
    correction_step_max = 256, 8..=1024;

    /// Hindsight: a node reduced by at least this gets depth back if the static evaluation speaks against it.
    hindsight_reduction = 3, 1..=128;
    /// Hindsight: plies given back.
    hindsight_extension = 1, 0..=4;

    /// Fifty-move scaling: the evaluation would fade to zero at this halfmove clock.
    fifty_move_scale = 220, 100..=30000;

    /// Delta pruning (qsearch): a capture must come this close to alpha.
    delta_margin = 140, 0..=30000;
    /// Qsearch: the share of a value above beta that is believed, in 128ths; the rest is beta.
    qs_blend = 64, 0..=128;
}
