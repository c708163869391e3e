//! `info`: what an engine says while it thinks.

use super::next_number;
use crate::words::Words;
use core::fmt;
use core::time::Duration;
use tabiya_chess::{CastlingStyle, Move, Position, shortened};
use tabiya_engine::{Bound, Event, Info, Score, Wdl};

/// Longer remarks are cut: they are for people.
const LONGEST_NOTE: usize = 1000;

/// Figures that hold until a later line changes them: many engines spread them over several lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub selective_depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: Option<u32>,
    /// Tablebase look-ups that succeeded.
    pub tablebase_hits: u64,
}

/// What a line says. Any of it may be missing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Heard {
    /// How things stand, if there was a score.
    pub info: Option<Info>,
    /// The root move that is being looked at, and its number.
    pub current_move: Option<(Move, u32)>,
    /// A remark.
    pub note: Option<String>,
}

impl Heard {
    /// The same as events.
    pub fn events(self, figures: &Figures) -> impl Iterator<Item = Event> + use<> {
        let depth = figures.depth;
        let current_move =
            self.current_move.map(|(mv, number)| Event::CurrentMove { depth, mv, number });
        let note = self.note.map(Event::Note);
        self.info.map(Event::Info).into_iter().chain(current_move).chain(note)
    }
}

/// Reads what follows `info`. Whatever makes no sense is skipped; a line of play ends where it would
/// become illegal.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::Score;
/// use tabiya_protocol::uci::info;
///
/// let text = "depth 2 score cp 13 nodes 62 time 1 pv e2e4 e7e5 h8h1";
/// let heard = info::parse(text, &Position::start(), &mut info::Figures::default());
/// let info = heard.info.unwrap();
/// assert_eq!((info.depth, info.score), (2, Score::Centipawns(13)));
/// assert_eq!(info.pv.len(), 2);
/// ```
pub fn parse(text: &str, root: &Position, figures: &mut Figures) -> Heard {
    let mut reader = Reader {
        words: Words::of(text),
        root,
        line: 1,
        score: None,
        bound: Bound::Exact,
        wdl: None,
        pv: Vec::new(),
        current_number: 1,
        heard: Heard::default(),
    };
    while let Some(word) = reader.words.next() {
        reader.take(word, figures);
    }
    reader.finish(figures)
}

struct Reader<'a> {
    words: Words<'a>,
    root: &'a Position,
    line: u32,
    score: Option<Score>,
    bound: Bound,
    wdl: Option<Wdl>,
    pv: Vec<Move>,
    current_number: u32,
    heard: Heard,
}

impl Reader<'_> {
    fn take(&mut self, word: &str, figures: &mut Figures) {
        match word {
            "depth" => {
                if let Some(depth) = self.count() {
                    figures.depth = depth;
                    figures.selective_depth = depth;
                }
            }
            "seldepth" => set(&mut figures.selective_depth, self.count()),
            "time" => set(&mut figures.time, self.large_count().map(Duration::from_millis)),
            "nodes" => set(&mut figures.nodes, self.large_count()),
            "hashfull" => set(&mut figures.hash_full, self.count().map(Some)),
            "tbhits" => set(&mut figures.tablebase_hits, self.large_count()),
            "multipv" => self.line = self.count().unwrap_or(self.line),
            "score" => self.take_score(),
            "lowerbound" => self.bound = Bound::Lower,
            "upperbound" => self.bound = Bound::Upper,
            "wdl" => self.take_wdl(),
            "pv" => self.take_pv(),
            "currmove" => {
                let mv = self.words.peek().and_then(|word| self.root.parse_uci(word).ok());
                self.heard.current_move = mv.map(|mv| (mv, 1));
            }
            "currmovenumber" => {
                self.current_number = self.count().unwrap_or(self.current_number);
            }
            "string" => {
                self.heard.note = Some(shortened(self.words.rest(), LONGEST_NOTE));
                self.words = Words::of("");
            }
            _ => {}
        }
    }

    fn large_count(&mut self) -> Option<u64> {
        u64::try_from(next_number(&mut self.words)?).ok()
    }

    fn count(&mut self) -> Option<u32> {
        Some(u32::try_from(self.large_count()?).unwrap_or(u32::MAX))
    }

    fn take_score(&mut self) {
        let unit = self.words.peek();
        if !matches!(unit, Some("cp" | "mate")) {
            return;
        }
        self.words.next();
        if let Some(value) = next_number(&mut self.words) {
            let value = value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            self.score = Some(match unit {
                Some("mate") => Score::Mate(value),
                _ => Score::Centipawns(value),
            });
        }
    }

    fn take_wdl(&mut self) {
        let mut share = || u16::try_from(next_number(&mut self.words)?).ok();
        if let (Some(win), Some(draw), Some(loss)) = (share(), share(), share())
            && u32::from(win) + u32::from(draw) + u32::from(loss) == 1000
        {
            self.wdl = Some(Wdl { win, draw, loss });
        }
    }

    fn take_pv(&mut self) {
        self.pv.clear();
        let mut position = self.root.clone();
        while let Some(mv) = self.words.peek().and_then(|word| position.parse_uci(word).ok()) {
            self.words.next();
            position.play_unchecked(mv);
            self.pv.push(mv);
        }
    }

    fn finish(mut self, figures: &Figures) -> Heard {
        self.heard.info = self.score.map(|score| Info {
            depth: figures.depth,
            selective_depth: figures.selective_depth,
            line: self.line.max(1),
            score,
            bound: self.bound,
            wdl: self.wdl,
            nodes: figures.nodes,
            time: figures.time,
            hash_full: figures.hash_full,
            tablebase_hits: figures.tablebase_hits,
            pv: self.pv,
        });
        if let Some((_, number)) = &mut self.heard.current_move {
            *number = self.current_number;
        }
        self.heard
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// An `info` line on how a search stands, without its end.
#[derive(Clone, Copy, Debug)]
pub struct InfoLine<'a> {
    /// How it stands.
    pub info: &'a Info,
    /// Where the search began.
    pub root: &'a Position,
    /// How castling is written.
    pub style: CastlingStyle,
    /// Is the WDL written, too?
    pub show_wdl: bool,
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, selective_depth, line, nodes, .. } = self.info;
        write!(f, "info depth {depth} seldepth {selective_depth} multipv {line} score ")?;
        match self.info.score {
            Score::Centipawns(value) => write!(f, "cp {value}")?,
            Score::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        if let (true, Some(Wdl { win, draw, loss })) = (self.show_wdl, self.info.wdl) {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let milliseconds = self.info.time.as_millis();
        let speed = u128::from(*nodes) * 1000 / milliseconds.max(1);
        write!(f, " nodes {nodes} nps {speed}")?;
        if let Some(thousandths) = self.info.hash_full {
            write!(f, " hashfull {thousandths}")?;
        }
        write!(f, " tbhits {} time {milliseconds}", self.info.tablebase_hits)?;
        self.write_pv(f)
    }
}

impl InfoLine<'_> {
    fn write_pv(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut position = self.root.clone();
        for (i, &mv) in self.info.pv.iter().enumerate() {
            let separator = if i == 0 { " pv " } else { " " };
            let text = mv.uci(&position, self.style);
            // A GUI may give up on a whole game for one illegal move in a line of play.
            if position.play(mv).is_err() {
                break;
            }
            write!(f, "{separator}{text}")?;
        }
        Ok(())
    }
}

/// An `info` line on the root move that is being looked at, without its end.
#[derive(Clone, Copy, Debug)]
pub struct CurrentMoveLine<'a> {
    /// The iteration's depth.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Its number, from 1.
    pub number: u32,
    /// Where the search began.
    pub root: &'a Position,
    /// How castling is written.
    pub style: CastlingStyle,
}

impl fmt::Display for CurrentMoveLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv.uci(self.root, self.style);
        write!(f, "info depth {} currmove {mv} currmovenumber {}", self.depth, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hear(text: &str) -> Heard {
        parse(text, &Position::start(), &mut Figures::default())
    }

    fn line(info: &Info, show_wdl: bool) -> String {
        InfoLine { info, root: &Position::start(), style: CastlingStyle::KingToTarget, show_wdl }
            .to_string()
    }

    #[test]
    fn as_stockfish_writes_it() {
        let info = hear(
            "depth 20 seldepth 27 multipv 2 score cp -31 upperbound wdl 10 900 90 nodes 515383 nps \
             1004645 hashfull 187 tbhits 3 time 513 pv d2d4 d7d5",
        )
        .info
        .unwrap();
        assert_eq!((info.depth, info.selective_depth, info.line), (20, 27, 2));
        assert_eq!((info.score, info.bound), (Score::Centipawns(-31), Bound::Upper));
        let wdl = Wdl { win: 10, draw: 900, loss: 90 };
        assert_eq!(info.wdl, Some(wdl));
        assert_eq!((info.nodes, info.time.as_millis()), (515_383, 513));
        assert_eq!((info.hash_full, info.tablebase_hits), (Some(187), 3));
        assert_eq!(info.pv.len(), 2);
    }

    #[test]
    fn the_pv_need_not_be_last_and_ends_where_it_is_illegal() {
        let info = hear("depth 3 pv e2e4 e7e5 score mate -2 time 5").info.unwrap();
        assert_eq!((info.score, info.pv.len()), (Score::Mate(-2), 2));
        let info = hear("score cp 5 pv e2e4 e2e4 g1f3 nodes 8").info.unwrap();
        assert_eq!((info.pv.len(), info.nodes), (1, 8));
    }

    #[test]
    fn figures_come_together_from_several_lines() {
        let mut figures = Figures::default();
        let root = Position::start();
        assert_eq!(parse("depth 7 seldepth 12", &root, &mut figures), Heard::default());
        assert_eq!(parse("nodes 800 nps 9 cpuload 3", &root, &mut figures), Heard::default());
        let info = parse("score cp 1 pv e2e4", &root, &mut figures).info.unwrap();
        assert_eq!((info.depth, info.selective_depth, info.nodes), (7, 12, 800));
    }

    #[test]
    fn remarks_and_current_moves() {
        let heard = hear("string depth 7 is  not meant");
        assert_eq!(heard.note.as_deref(), Some("depth 7 is  not meant"));
        assert_eq!(heard.info, None);
        let heard = hear("depth 9 currmove g1f3 currmovenumber 4");
        let (mv, number) = heard.current_move.unwrap();
        assert_eq!((format!("{mv:?}").as_str(), number), ("g1f3", 4));
        assert_eq!(hear("currmove g1f4").current_move, None);
        let note = hear(&format!("string {}", "x".repeat(60_000))).note.unwrap();
        assert_eq!(note.chars().count(), LONGEST_NOTE + 1);
    }

    #[test]
    fn what_makes_no_sense_is_skipped() {
        let info = hear("depth x score cp 12 score cp fast wdl 1 2 3 nodes -4 time").info.unwrap();
        assert_eq!((info.depth, info.score, info.wdl), (0, Score::Centipawns(12), None));
        assert_eq!(info.nodes, 0);
        assert_eq!(hear("score about 12 depth 4").info, None);
    }

    #[test]
    fn the_order_that_guis_like() {
        let mut info =
            hear("depth 12 seldepth 18 score cp 13 lowerbound wdl 120 820 60 nodes 5000")
                .info
                .unwrap();
        info.time = Duration::from_millis(10);
        info.hash_full = Some(7);
        info.pv = vec![Position::start().parse_uci("e2e4").unwrap()];
        assert_eq!(
            line(&info, true),
            "info depth 12 seldepth 18 multipv 1 score cp 13 lowerbound wdl 120 820 60 nodes 5000 \
             nps 500000 hashfull 7 tbhits 0 time 10 pv e2e4"
        );
        assert!(!line(&info, false).contains("wdl"));
    }

    #[test]
    fn an_illegal_line_of_play_is_cut_before_a_gui_sees_it() {
        let mut info = hear("score cp 1 pv e2e4").info.unwrap();
        info.pv.push(info.pv[0]);
        assert!(line(&info, true).ends_with(" pv e2e4"));
    }

    prop_compose! {
        fn any_info()(
            depth in any::<u32>(),
            selective_depth in any::<u32>(),
            line in 1_u32..500,
            score in prop_oneof![
                any::<i32>().prop_map(Score::Centipawns),
                any::<i32>().prop_map(Score::Mate),
            ],
            bound in prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)],
            wdl in proptest::option::of((0_u16..500, 0_u16..500)),
            nodes in 0..i64::MAX as u64,
            time in 0_u64..1 << 40,
            hash_full in proptest::option::of(0_u32..=1000),
            tablebase_hits in 0..i64::MAX as u64,
            choices in proptest::collection::vec(any::<proptest::sample::Index>(), 0..40),
        ) -> Info {
            let mut pv = Vec::new();
            let mut position = Position::start();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[choice.index(moves.len())];
                position.play_unchecked(mv);
                pv.push(mv);
            }
            Info {
                depth,
                selective_depth,
                line,
                score,
                bound,
                wdl: wdl.map(|(win, draw)| Wdl { win, draw, loss: 1000 - win - draw }),
                nodes,
                time: Duration::from_millis(time),
                hash_full,
                tablebase_hits,
                pv,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(info in any_info()) {
            let line = line(&info, true);
            prop_assert_eq!(hear(line.strip_prefix("info").unwrap()).info, Some(info));
        }

        #[test]
        fn no_text_is_too_strange(
            text in any::<String>(),
            words in crate::testing::word_soup(&[
                "depth", "seldepth", "time", "nodes", "pv", "multipv", "score", "cp", "mate", "wdl",
                "lowerbound", "currmove", "currmovenumber", "hashfull", "tbhits", "string",
            ]),
        ) {
            hear(&text);
            hear(&words);
        }
    }
}
