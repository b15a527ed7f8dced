//! A program of someone else as a player: the side of the arbiter in the Hub protocol, version 2.
//!
//! The program runs as a child and talks by lines, `name argument=value ...`, values with blanks in
//! double quotes. It is told a position and the moves since, as far back as positions can repeat, and
//! answers `done move=...`. Positions are a letter for the side to move and one for each square, moves
//! `32-28` or, for a capture, origin, destination and the captured squares, `28x10x14x23`. The
//! protocol knows international draughts on 10x10 squares only.
//!
//! Source: the protocol's description in the program Scan 3.1 by F. Letouzey.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Game, Progress};
use crate::games::draughts::draw::Played;
use crate::games::draughts::{Board, Draughts, Duplicates, Move, Position, Rules, Side};
use crate::self_play::{Choice, Description, Player, PlayerError, Thinking};

/// How long a program may take to start, and beyond its time to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a waiting arbiter looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(100);
/// Lines that may wait to be read; a program that says more waits too.
const UNREAD: usize = 1024;
/// A level without a time gets this much.
const LONGEST: Duration = Duration::from_secs(3600);

/// A program and how long it thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct HubProgram {
    command: String,
    thinking: Thinking,
}

impl HubProgram {
    /// Reads `hub=COMMAND,time=SECONDS` (or `depth=D`, `nodes=N`); `None` when the text does not begin
    /// with `hub=`.
    ///
    /// # Errors
    /// Names the part that is wrong.
    pub fn parse(text: &str) -> Option<Result<Self, String>> {
        let rest = text.strip_prefix("hub=")?;
        let (command, how) = rest.split_once(',').unwrap_or((rest, ""));
        if command.trim().is_empty() {
            return Some(Err(format!("'{text}': no command after hub=")));
        }
        let read = |how: &str| {
            if how.is_empty() {
                return Err(format!(
                    "'{text}' does not say how long to think (allowed: hub=COMMAND,time=SECONDS)"
                ));
            }
            let only = Description::parse(how).map_err(|error| error.to_string())?;
            if how.contains(',') {
                return Err(format!("'{how}': a program is told only how long to think"));
            }
            if only.thinking == Thinking::Depth(0) {
                return Err(format!("'{how}' is no depth of a search"));
            }
            Ok(Self { command: command.trim().to_owned(), thinking: only.thinking })
        };
        Some(read(how))
    }

    /// The player; the program is started when it is first asked for a move.
    pub fn player<R: Rules, B: Board>(&self) -> Box<dyn Player<R, B>> {
        Box::new(HubPlayer { program: self.clone(), session: None })
    }
}

impl fmt::Display for HubProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hub={}", self.command)?;
        match self.thinking {
            Thinking::Depth(depth) => write!(f, ",depth={depth}"),
            Thinking::Nodes(nodes) => write!(f, ",nodes={nodes}"),
            Thinking::Time(seconds) => write!(f, ",time={seconds}"),
        }
    }
}

/// The program as it runs.
struct Session {
    child: Child,
    input: ChildStdin,
    /// What it says, a line each.
    lines: Receiver<String>,
}

impl Session {
    fn start(command: &str) -> Result<Self, String> {
        let mut words = command.split_whitespace();
        let program = words.next().expect("the command was checked");
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start '{command}': {error}"))?;
        let input = child.stdin.take().expect("its input is a pipe");
        let output = child.stdout.take().expect("its output is a pipe");
        let (sender, lines) = sync_channel(UNREAD);
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                let Ok(line) = line else { break };
                if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    break;
                }
            }
        });
        let mut session = Self { child, input, lines };
        session.say("hub")?;
        session.until(PATIENCE, &mut || false, |line| (word(line) == "wait").then_some(()))?;
        session.say("init")?;
        session.until(PATIENCE, &mut || false, |line| (word(line) == "ready").then_some(()))?;
        Ok(session)
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|error| format!("does not take '{line}': {error}"))
    }

    /// The first line in which `find` finds something; an `error` line is one.
    fn until<T>(
        &mut self,
        patience: Duration,
        stopped: &mut dyn FnMut() -> bool,
        mut find: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, String> {
        let end = Instant::now() + patience;
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) if word(&line) == "error" => {
                    let message = argument(&line, "message").unwrap_or(&line);
                    return Err(format!("says: {message}"));
                }
                Ok(line) => {
                    if let Some(found) = find(&line) {
                        return Ok(found);
                    }
                    // Lines without end are no answer either.
                    if stopped() {
                        return Err("stopped".to_owned());
                    }
                    if Instant::now() >= end {
                        return Err("does not answer".to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) if stopped() => return Err("stopped".to_owned()),
                Err(RecvTimeoutError::Timeout) if Instant::now() < end => {}
                Err(RecvTimeoutError::Timeout) => return Err("does not answer".to_owned()),
                Err(RecvTimeoutError::Disconnected) => return Err("has ended".to_owned()),
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.say("quit");
        for _ in 0..10 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(GLANCE / 10);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first word of a line.
fn word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// The value of `name=value` or `name="a value"` in a line.
fn argument<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = line;
    loop {
        let at = rest.find(name)?;
        let before = rest[..at].chars().next_back();
        let after = &rest[at + name.len()..];
        match after.strip_prefix('=') {
            Some(value) if before.is_none_or(char::is_whitespace) => {
                return match value.strip_prefix('"') {
                    Some(quoted) => quoted.split('"').next(),
                    None => value.split_whitespace().next(),
                };
            }
            _ => rest = after,
        }
    }
}

/// The position as a letter for the side to move and one for each square.
fn write_position<B: Board>(position: &Position<B>) -> String {
    let letter = |square: u32| {
        let set = <B::Word as crate::games::draughts::Word>::bit(B::bit_of(square));
        let is = |pieces: B::Word| pieces & set == set;
        match () {
            () if is(position.kings(Side::White)) => 'W',
            () if is(position.kings(Side::Black)) => 'B',
            () if is(position.men(Side::White)) => 'w',
            () if is(position.men(Side::Black)) => 'b',
            () => 'e',
        }
    };
    let side = if position.side() == Side::White { 'W' } else { 'B' };
    std::iter::once(side).chain((1..=B::SQUARES).map(letter)).collect()
}

/// The captured squares, lowest first.
fn captured<B: Board>(mv: &Move<B>) -> Vec<u32> {
    (1..=B::SQUARES)
        .filter(|square| {
            let set = <B::Word as crate::games::draughts::Word>::bit(B::bit_of(*square));
            mv.captured & set == set
        })
        .collect()
}

fn write_move<B: Board>(mv: &Move<B>) -> String {
    let square = |bit: u8| B::square_of(u32::from(bit));
    let taken = captured(mv);
    let sign = if taken.is_empty() { '-' } else { 'x' };
    let mut text = format!("{}{sign}{}", square(mv.from), square(mv.to));
    for square in taken {
        text.push_str(&format!("x{square}"));
    }
    text
}

/// The one of `moves` that `text` names.
fn read_move<B: Board>(moves: &[Move<B>], text: &str) -> Option<Move<B>> {
    let squares: Vec<u32> =
        text.split(['-', 'x']).map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let (ends, taken) = squares.split_at_checked(2)?;
    let mut taken = taken.to_vec();
    taken.sort_unstable();
    let square = |bit: u8| B::square_of(u32::from(bit));
    moves
        .iter()
        .find(|mv| ends == [square(mv.from), square(mv.to)] && captured(mv) == taken)
        .copied()
}

/// The program as a player.
struct HubPlayer {
    program: HubProgram,
    session: Option<Session>,
}

impl HubPlayer {
    fn ask<R: Rules, B: Board>(
        &mut self,
        played: &Played<B>,
        moves: &[Move<B>],
        progress: &dyn Progress,
    ) -> Result<Choice<B>, String> {
        let thinking = self.program.thinking;
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(Session::start(&self.program.command)?),
        };
        let positions: Vec<&Position<B>> =
            played.earlier().iter().chain([played.position()]).collect();
        let since: Vec<String> = positions.windows(2).map(between::<R, B>).collect();
        let mut line = format!("pos pos={}", write_position(positions[0]));
        if !since.is_empty() {
            line.push_str(&format!(" moves=\"{}\"", since.join(" ")));
        }
        session.say(&line)?;
        let (level, time) = match thinking {
            Thinking::Time(seconds) => {
                (format!("move-time={seconds}"), Duration::from_secs_f64(seconds))
            }
            Thinking::Depth(depth) => (format!("depth={depth}"), LONGEST),
            Thinking::Nodes(nodes) => (format!("nodes={nodes}"), LONGEST),
        };
        session.say(&format!("level {level}"))?;
        session.say("go think")?;
        let (mut score, mut nodes) = (None, 0);
        let mut stopped = || progress.stopped();
        let text = session.until(time + PATIENCE, &mut stopped, |line| match word(line) {
            "info" => {
                let men = argument(line, "score").and_then(|text| text.parse::<f64>().ok());
                score = men.map(|men| (100.0 * men) as i32).or(score);
                let visited = argument(line, "nodes").and_then(|text| text.parse().ok());
                nodes = visited.unwrap_or(nodes);
                None
            }
            "done" => Some(argument(line, "move").unwrap_or_default().to_owned()),
            _ => None,
        })?;
        let mv = read_move(moves, &text).ok_or_else(|| {
            let position = write_position(played.position());
            format!("plays '{text}', which is no legal move in {position}")
        })?;
        Ok(Choice { mv, score, nodes })
    }
}

/// The move that leads from the first to the second of two positions of a game.
fn between<R: Rules, B: Board>(pair: &[&Position<B>]) -> String {
    let game = Draughts::<R, B>::new(Duplicates::Drop);
    let mut moves = Vec::new();
    game.legal_moves(pair[0], &mut moves);
    let leads = |mv: &&Move<B>| {
        let mut next = *pair[0];
        game.play(&mut next, **mv);
        next == *pair[1]
    };
    moves.iter().find(leads).map(write_move).expect("positions of a game follow one another")
}

impl<R: Rules, B: Board> Player<R, B> for HubPlayer {
    fn begin(&mut self) {
        if let Some(session) = &mut self.session {
            // A program that has gone is noticed when it is asked for a move.
            let _ = session.say("new-game");
        }
    }

    fn choose(
        &mut self,
        played: &Played<B>,
        moves: &[Move<B>],
        _generator: Option<&mut Xoshiro256PlusPlus>,
        progress: &dyn Progress,
    ) -> Result<Choice<B>, PlayerError> {
        if progress.stopped() {
            return Err(PlayerError::Stopped);
        }
        self.ask::<R, B>(played, moves, progress).map_err(|problem| match problem.as_str() {
            "stopped" => PlayerError::Stopped,
            _ => PlayerError::Failed(format!("{}: {problem}", self.program)),
        })
    }

    fn glance(&mut self, _played: &Played<B>) -> Option<i32> {
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::game::Notation;
    use crate::games::draughts::{B10, International};

    #[test]
    fn arguments_are_found_by_their_whole_name_and_may_be_quoted() {
        let line = "info depth=4 score=-0.12 pv=\"32-28 19-23\" nodes=7";
        assert_eq!(argument(line, "score"), Some("-0.12"));
        assert_eq!(argument(line, "pv"), Some("32-28 19-23"));
        assert_eq!(argument(line, "nodes"), Some("7"));
        assert_eq!(argument(line, "ore"), None);
        assert_eq!(argument("done", "move"), None);
    }

    #[test]
    fn moves_and_positions_are_written_as_the_protocol_has_them() {
        let game = Draughts::<International, B10>::new(Duplicates::Drop);
        let start = game.initial();
        let text = write_position(&start);
        assert_eq!(text, format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20)));
        let position = game.read_position("W:W28,K50:B23,14,K1").unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&position, &mut moves);
        let names: Vec<String> = moves.iter().map(write_move).collect();
        assert_eq!(names, ["28x10x14x23"]);
        for mv in &moves {
            assert_eq!(read_move(&moves, &write_move(mv)), Some(*mv));
        }
        // Captured squares come in any order; a capture without them, or other squares, is none.
        assert!(read_move(&moves, "28x10x23x14").is_some());
        for wrong in ["28x10", "28-10", "28x10x14", "", "x", "28"] {
            assert_eq!(read_move(&moves, wrong), None, "{wrong}");
        }
        assert!(write_position(&position).ends_with('W'));
    }

    #[test]
    fn a_program_is_described_by_command_and_time() {
        let text = "hub=some program --quiet,time=0.1";
        assert_eq!(HubProgram::parse(text).unwrap().unwrap().to_string(), text);
        assert_eq!(HubProgram::parse("depth=3"), None);
        for wrong in ["hub=", "hub=,time=1", "hub=a", "hub=a,time=x", "hub=a,time=1,table=5"] {
            assert!(HubProgram::parse(wrong).unwrap().is_err(), "{wrong}");
        }
    }
}
