//! Talk: what goes to stderr, and how work in progress shows itself there.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::game::Progress;

/// How far work is whose units are not known beforehand ([`Progress::share`]).
#[derive(Debug)]
struct Share {
    begun: Instant,
    /// Share and units that were there before the work began.
    first: (f64, u64),
    now: f64,
}

impl Share {
    /// The seconds that the rest will take, when enough is done to tell.
    fn seconds_left(&self) -> Option<f64> {
        let gained = self.now - self.first.0;
        (gained > 0.001).then(|| self.begun.elapsed().as_secs_f64() * (1.0 - self.now) / gained)
    }

    /// Units of work per second.
    fn rate(&self, done: u64) -> f64 {
        let gained = done.saturating_sub(self.first.1);
        gained as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)
    }

    /// `9.40e6 states/s, 12.3 %, 400 s left`
    fn text(&self, done: u64, unit: &str) -> String {
        let left = self.seconds_left().map(|left| format!(", {left:.0} s left"));
        let (rate, percent) = (self.rate(done), 100.0 * self.now);
        format!("{rate:.2e} {unit}/s, {percent:.1} %{}", left.unwrap_or_default())
    }
}

/// Seconds between two lines where no bar can be drawn.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// Steps of a bar that shows a share.
const SHARE_STEPS: u64 = 10_000;

/// How the command talks to its user.
#[derive(Clone, Debug)]
pub struct Talk {
    quiet: bool,
    bar: bool,
    interrupted: Arc<AtomicBool>,
}

impl Talk {
    /// Talk that obeys `--quiet` and `NO_COLOR`, with a handler for interrupts: the first lets
    /// the work stop where nothing is lost, the second kills.
    pub fn new(quiet: bool) -> Talk {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler an interrupt kills at once, which loses at most one batch. A hang-up is
        // left to whoever started the command, so that nohup works.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
            std::thread::spawn(move || {
                for _ in signals.forever() {
                    if flag.swap(true, Ordering::Relaxed) {
                        std::process::exit(130);
                    }
                    say("interrupted: stopping after the work in hand; interrupt again to kill");
                }
            });
        }
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Talk { quiet, bar: std::io::stderr().is_terminal() && !plain, interrupted }
    }

    /// Says `line` unless quiet.
    pub fn line(&self, line: &str) {
        if !self.quiet {
            say(line);
        }
    }

    /// Shows work in progress until it is dropped: `what` in `total` `unit`s, when known.
    pub fn watch(&self, what: &str, total: Option<u64>, unit: &'static str) -> Watch {
        let mut watch = Watch {
            done: Arc::new(AtomicU64::new(0)),
            interrupted: Arc::clone(&self.interrupted),
            share: Arc::new(Mutex::new(None)),
            by_share: AtomicBool::new(false),
            peak_disk: AtomicU64::new(0),
            what: what.to_owned(),
            unit,
            bar: None,
            heartbeat: None,
        };
        if self.quiet {
            return watch;
        }
        if self.bar {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
            let template = match total {
                Some(_) => "{msg} [{bar:30}] {percent}% {per_sec} {eta} left",
                None => "{msg} {spinner} {human_pos} {per_sec} {elapsed}",
            };
            let style =
                ProgressStyle::with_template(template).expect("the template is well formed");
            bar.set_style(style);
            bar.set_message(format!("{what} ({unit})"));
            bar.enable_steady_tick(Duration::from_millis(200));
            watch.bar = Some(bar);
        } else {
            let (done, share) = (Arc::clone(&watch.done), Arc::clone(&watch.share));
            watch.heartbeat = Some(Heartbeat::start(what, total, unit, done, share));
        }
        watch
    }
}

/// Writes `line` to stderr; a closed stderr is not worth dying for.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Work in progress as its user sees it.
pub struct Watch {
    done: Arc<AtomicU64>,
    interrupted: Arc<AtomicBool>,
    share: Arc<Mutex<Option<Share>>>,
    /// Whether the bar shows the share.
    by_share: AtomicBool,
    /// The most that the work has kept on disk, in bytes.
    peak_disk: AtomicU64,
    what: String,
    unit: &'static str,
    bar: Option<ProgressBar>,
    heartbeat: Option<Heartbeat>,
}

impl Watch {
    /// The most that the work has kept on disk, in bytes.
    pub fn peak_disk(&self) -> u64 {
        self.peak_disk.load(Ordering::Relaxed)
    }
}

impl Progress for Watch {
    fn on_disk(&self, bytes: u64) {
        self.peak_disk.fetch_max(bytes, Ordering::Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
        if let Some(bar) = &self.bar
            && !self.by_share.load(Ordering::Relaxed)
        {
            bar.inc(units);
        }
    }

    fn stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn share(&self, done: u64, all: u64) {
        let now = done as f64 / all.max(1) as f64;
        let first = (now, self.done.load(Ordering::Relaxed));
        let begun = Share { begun: Instant::now(), first, now };
        let mut held = lock(&self.share);
        match held.as_mut() {
            Some(share) if now >= share.now => share.now = now,
            // The first report, or that of the next piece of work.
            _ => *held = Some(begun),
        }
        drop(held);
        if let Some(bar) = &self.bar {
            if !self.by_share.swap(true, Ordering::Relaxed) {
                self.show_share(bar);
            }
            bar.set_position((now * SHARE_STEPS as f64) as u64);
        }
    }
}

impl Watch {
    /// Lets the bar show the share of the work, with the rate of its units beside it.
    fn show_share(&self, bar: &ProgressBar) {
        let (done, share, unit) = (Arc::clone(&self.done), Arc::clone(&self.share), self.unit);
        let write = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            if let Some(share) = lock(&share).as_ref() {
                // A terminal that takes no text is the terminal's trouble.
                let _ = out.write_str(&share.text(done.load(Ordering::Relaxed), unit));
            }
        };
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {share}")
            .expect("the template is well formed")
            .with_key("share", write);
        bar.set_style(style);
        bar.set_message(self.what.clone());
        bar.set_length(SHARE_STEPS);
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().expect("nothing panics with the lock in hand")
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if let Some(heartbeat) = self.heartbeat.take() {
            heartbeat.stop();
        }
    }
}

/// A thread that says how far the work is, every ten seconds.
struct Heartbeat {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Heartbeat {
    fn start(
        what: &str,
        total: Option<u64>,
        unit: &'static str,
        done: Arc<AtomicU64>,
        share: Arc<Mutex<Option<Share>>>,
    ) -> Heartbeat {
        let (end, ended) = channel();
        let what = what.to_owned();
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(HEARTBEAT) == Err(RecvTimeoutError::Timeout) {
                let done = done.load(Ordering::Relaxed);
                match lock(&share).as_ref() {
                    Some(share) => {
                        say(&format!("{what}: {done} {unit}, {}", share.text(done, unit)))
                    }
                    None => say(&heartbeat(&what, done, total, unit, start.elapsed())),
                }
            }
        });
        Heartbeat { end, thread }
    }

    fn stop(self) {
        drop(self.end);
        // A heartbeat that panicked has nothing left to say.
        let _ = self.thread.join();
    }
}

fn heartbeat(what: &str, done: u64, total: Option<u64>, unit: &str, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = done as f64 / seconds.max(1e-9);
    match total {
        Some(total) if done > 0 => {
            let percent = 100.0 * done as f64 / total.max(1) as f64;
            let left = total.saturating_sub(done) as f64 / rate;
            format!(
                "{what}: {done} of {total} {unit} ({percent:.1} %), {rate:.3e} {unit}/s, {left:.0} s left"
            )
        }
        Some(total) => format!("{what}: 0 of {total} {unit} after {seconds:.0} s"),
        None => format!("{what}: {done} {unit} after {seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_tells_the_rate_of_what_was_gained_and_the_time_left() {
        let begun = Instant::now() - Duration::from_secs(100);
        let share = Share { begun, first: (0.25, 1_000_000), now: 0.5 };
        assert_eq!(share.text(2_000_000, "states"), "1.00e4 states/s, 50.0 %, 200 s left");
        let barely = Share { begun, first: (0.25, 1_000_000), now: 0.25 };
        assert_eq!(barely.text(1_000_000, "states"), "0.00e0 states/s, 25.0 %");
    }

    #[test]
    fn a_heartbeat_tells_rate_and_time_left() {
        let line = heartbeat("x", 25, Some(100), "games", Duration::from_secs(10));
        assert_eq!(line, "x: 25 of 100 games (25.0 %), 2.500e0 games/s, 30 s left");
    }
}
