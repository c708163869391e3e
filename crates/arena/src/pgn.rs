//! Games as PGN: written so that a file is complete after every game.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tabiya_chess::shortened;
use tabiya_engine::Score;
use tabiya_pgn::{Comment, NodeId, PgnGame};
use thiserror::Error;

use crate::calendar::civil_date;
use crate::clock::PlayerLimits;
use crate::game::{PlayedGame, PlayedMove};

/// Characters of a tag's value. Names and events are the user's.
const TAG: usize = 1000;

const _: () = assert!(TAG * 4 <= tabiya_pgn::limits::TAG_BYTES);

/// What the tags say besides what the game itself knows.
#[derive(Clone, Debug)]
pub struct GameTags<'a> {
    /// The match or tournament.
    pub event: &'a str,
    /// Which game of it.
    pub round: String,
    /// Who played White and Black.
    pub names: [&'a str; 2],
    /// Which builds of them, if more is known than the name.
    pub identities: [&'a str; 2],
    /// How long each could think.
    pub limits: [PlayerLimits; 2],
}

/// Why games cannot be written down.
#[derive(Debug, Error)]
#[error("games cannot be written to {path}")]
pub struct PgnError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// A file of games, one appended after the other.
pub struct PgnFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl PgnFile {
    /// Opens a file to go on at its end, or makes a new one.
    ///
    /// # Errors
    /// If the file cannot be opened for writing.
    pub fn open(path: &Path) -> Result<Self, PgnError> {
        let opened =
            OpenOptions::new().write(true).create(true).truncate(false).open(path).and_then(
                |mut file| {
                    let length = file.seek(SeekFrom::End(0))?;
                    Ok((file, length))
                },
            );
        let path = path.to_owned();
        match opened {
            Ok((file, length)) => Ok(Self { path, file, length }),
            Err(source) => Err(PgnError { path, source }),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes the file has.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Takes away what was written beyond this length, a game that was cut short.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn cut_back(&mut self, length: u64) -> Result<(), PgnError> {
        if length < self.length {
            let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::End(0)));
            self.length = cut.map_err(|source| self.fail(source))?;
        }
        Ok(())
    }

    /// Adds a game, in one piece.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, game: &str) -> Result<(), PgnError> {
        self.file
            .write_all(game.as_bytes())
            .and_then(|()| self.file.flush())
            .map_err(|source| self.fail(source))?;
        self.length += game.len() as u64;
        Ok(())
    }

    fn fail(&self, source: io::Error) -> PgnError {
        PgnError { path: self.path.clone(), source }
    }
}

/// A game as PGN, with an empty line after it.
#[must_use]
pub fn write(game: &PlayedGame, tags: &GameTags<'_>) -> String {
    let mut whole = game.opening.game();
    for played in &game.moves {
        // The players' moves were legal when they were played.
        let _ = whole.play(played.mv);
    }
    let mut pgn = PgnGame::from(&whole);
    let ending = &game.ending;
    pgn.set_result(ending.result);
    set_tags(pgn.tags_mut(), game, tags);
    let nodes: Vec<_> = pgn.main_line().collect();
    for (&node, played) in nodes.iter().skip(game.opening.moves().len()).zip(&game.moves) {
        pgn.add_comment(node, Comment::new(&remark(played)));
    }
    let reason = match &ending.fault {
        Some(fault) => format!("{}: {fault}", ending.reason),
        None => ending.reason.to_string(),
    };
    pgn.add_comment(nodes.last().copied().unwrap_or(NodeId::ROOT), Comment::new(&reason));
    format!("{pgn}\n")
}

fn set_tags(out: &mut tabiya_pgn::Tags, game: &PlayedGame, tags: &GameTags<'_>) {
    let (date, time) = date_and_time(game.started);
    let mut tag = |name: &str, value: &str| {
        // Only a value that is too long could be refused.
        let _ = out.set(name, &shortened(value, TAG));
    };
    tag("Event", tags.event);
    tag("Date", &date);
    tag("Round", &tags.round);
    tag("White", tags.names[0]);
    tag("Black", tags.names[1]);
    for (name, color) in [("WhiteEngine", 0), ("BlackEngine", 1)] {
        if tags.identities[color] != tags.names[color] {
            tag(name, tags.identities[color]);
        }
    }
    let [white, black] = tags.limits.map(time_control);
    if white == black {
        tag("TimeControl", &white);
    } else {
        tag("WhiteTimeControl", &white);
        tag("BlackTimeControl", &black);
    }
    for (name, limits) in [("WhiteLimits", tags.limits[0]), ("BlackLimits", tags.limits[1])] {
        if limits.nodes.is_some() || limits.depth.is_some() {
            let limits = PlayerLimits { control: None, move_time: None, ..limits };
            tag(name, &limits.to_string());
        }
    }
    tag("Termination", game.ending.reason.pgn_termination());
    tag("PlyCount", &(game.opening.moves().len() + game.moves.len()).to_string());
    tag("UTCDate", &date);
    tag("UTCTime", &time);
    tag("GameDuration", &clock_face(game.duration));
}

/// PGN's notation: a time for each move is a period of one move, and `-` is no clock at all.
fn time_control(limits: PlayerLimits) -> String {
    match (limits.control, limits.move_time) {
        (Some(control), _) => control.to_string(),
        (None, Some(time)) => format!("1/{}", time.as_millis() as f64 / 1000.0),
        (None, None) => "-".into(),
    }
}

/// As other programs write it: score and depth, then the time, as in `+0.34/12 0.052s`.
fn remark(played: &PlayedMove) -> String {
    let mut text = String::new();
    if let Some(score) = played.score {
        // Writing to a string cannot fail, here and below.
        let _ = match score {
            Score::Centipawns(_) => write!(text, "{score}"),
            Score::Mate(moves) => {
                let sign = if moves > 0 { '+' } else { '-' };
                write!(text, "{sign}M{}", moves.unsigned_abs())
            }
        };
        if let Some(depth) = played.depth {
            let _ = write!(text, "/{depth}");
        }
        text.push(' ');
    }
    let milliseconds = played.time.as_millis();
    let _ = write!(text, "{}.{:03}s", milliseconds / 1000, milliseconds % 1000);
    text
}

/// The day and the time of day, in the calendar of Greenwich.
fn date_and_time(time: SystemTime) -> (String, String) {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, seconds) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil_date(days);
    let date = format!("{year:04}.{month:02}.{day:02}");
    (date, clock_face(Duration::from_secs(seconds)))
}

fn clock_face(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests;
