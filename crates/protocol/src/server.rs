//! Any [`Analyst`](tabiya_engine::Analyst) as an engine in a GUI.
//!
//! What a server does is apart from the words that it uses:
//!
//! ```text
//!  GUI ── a line ──> front end (uci.rs) ──> Session ──> Analyst ──> search threads
//!                       │ direct answers       │ notes       │ events, result
//!                       v                      v             v
//!  GUI <── lines ──── Output <────────────── Dialect (uci/dialect.rs): how they are worded
//! ```
//!
//! - The *session* (`session.rs`) has the game, the search under way, the options that wait for its end,
//!   and the gate that holds its answer back (`active_search.rs`). It knows no protocol.
//! - The *dialect* (`dialect.rs`) words what is said unasked and from other threads: infos, the current
//!   move, the best move, notes. It writes any number of lines for each, none too. A search keeps the
//!   dialect that it began with.
//! - The *front end* (`uci.rs`) reads lines, calls the session, and says direct answers itself
//!   (`readyok`, the list of options, errors in a line). It has what only its protocol has.
//!
//! [`UciServer`] is the only front end. CECP (xboard, protocol 2) would be `cecp.rs` with
//! `cecp/dialect.rs`. Where each of its parts would go:
//!
//! | CECP | UCI | place |
//! | --- | --- | --- |
//! | `feature ... option="..." done=1` after `protover` | `id`, `option`, `uciok` after `uci` | front end |
//! | `pong N` after `ping N`, when the move is made | `readyok` at once | front end |
//! | `new`, `setboard`, `usermove`, `undo`, `remove` change one game | `position` brings a whole game | front end, on the session's game |
//! | `Illegal move: e2e5`, `Error (unknown command): x` | `info string ...` | front end, when it has parsed a line |
//! | `level`, `st`, `sd`, `time`, `otim` come before `go` and last | the limits come with `go` | front end: state from which it makes `Limits` |
//! | `force`, `go`, `playother`: which side the engine plays | the GUI says `go` for every move | front end |
//! | `memory`, `cores`, `option` | `setoption` | front end, by `Session::set_option` |
//! | `?`: move now | `stop` | front end, by `Session::stop` |
//! | `analyze`, `exit`: a search without an answer | `go infinite`, `stop`, `bestmove` | front end searches with `infinite`; a dialect made for analysis writes nothing for the best move |
//! | `depth score time nodes pv` if `post`: centiseconds, a mate as 100000 + moves | `info ...` | dialect; after `nopost` it writes nothing |
//! | `move e2e4`, then perhaps `offer draw`, or `resign` instead | `bestmove e2e4 ponder e7e5` | dialect |
//! | `# text` | `info string text` | dialect |
//!
//! Two things are decided by the GUI in UCI and by the engine in CECP: its move is on the board as soon as
//! it has said it, and after `hard` it ponders without being asked. A CECP front end therefore has to act
//! when an answer is given, not only when a line comes. That is one more source of events for its loop: a
//! thread reads lines into a channel, and the answer thread of `active_search.rs` sends into the same
//! channel. The search on the opponent's time is then an ordinary one with `Limits::ponder`. If the
//! expected move comes, `Session::ponder_hit` opens the gate. If another comes, the search ends without an
//! answer; the gate has two states today (held back, let through) and gets that third one with CECP.
//!
//! A GUI that has not said yet which protocol it speaks may send `xboard` and then `uci`. So `xboard` is
//! answered by silence, and the first of `protover` and `uci` would choose the front end.

mod active_search;
mod board;
mod commands;
mod dialect;
mod output;
mod perft;
mod report;
mod session;
#[cfg(test)]
mod testing;
mod uci;

pub use commands::{BackgroundTask, Command, CommandError, CommandKind, PrepareTask, RunCommand};
pub use uci::UciServer;
