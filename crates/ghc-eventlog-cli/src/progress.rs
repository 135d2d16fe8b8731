//! Shows the progress of reading in a line on standard error, if it is a terminal and reading takes longer than a
//! second.
//!
//! Readers only count their bytes; a thread of its own draws the line, ten times a second. Messages are written above
//! the line ([`above`]). The line is removed before the program's output can reach the same terminal ([`make_way`]).

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    env, fmt,
    io::{self, IsTerminal, Read},
    mem,
    sync::{
        Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Work that takes less time shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const PACE: Duration = Duration::from_millis(100);

/// How many bytes the current work has read.
static READ: AtomicU64 = AtomicU64::new(0);

/// The line; `None` if it is not wanted, or no longer.
static LINE: Mutex<Option<Line>> = Mutex::new(None);

struct Line {
    bar: ProgressBar,
    /// When progress was allowed: the line appears a second later.
    begun: Instant,
    is_drawn: bool,
}

impl Line {
    fn show(&mut self) {
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
        self.is_drawn = true;
    }
}

fn line() -> MutexGuard<'static, Option<Line>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, work that takes long shows its progress, if standard error is a terminal.
pub(crate) fn allow() {
    if !is_seen() {
        return;
    }
    *line() = Some(Line { bar: ProgressBar::hidden(), begun: Instant::now(), is_drawn: false });
    // A half erased line would disturb the shell's prompt.
    #[cfg(unix)]
    crate::output::clean_up_before_the_end();
    // Without a thread there is no line.
    let _ = thread::Builder::new().name("progress".to_string()).spawn(|| {
        while draw() {
            thread::sleep(PACE);
        }
    });
}

/// Whether standard error is a terminal that can move its cursor, and a user sees it (not CI).
fn is_seen() -> bool {
    let in_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let is_dumb = match env::var_os("TERM") {
        Some(term) => term == "dumb",
        None => cfg!(unix),
    };
    !in_ci && !is_dumb && io::stderr().is_terminal()
}

/// Redraws the line; returns whether it is still wanted.
fn draw() -> bool {
    let mut line = line();
    let Some(line) = &mut *line else { return false };
    let read = READ.load(Ordering::Relaxed);
    // An entry of an archive may be compressed once more.
    if line.bar.length().is_some_and(|total| read > total) {
        line.bar.set_style(style(false));
        line.bar.unset_length();
    }
    if !line.is_drawn && line.begun.elapsed() >= PATIENCE {
        line.show();
    }
    line.bar.set_position(read);
    line.bar.tick();
    true
}

fn style(knows_total: bool) -> ProgressStyle {
    let template = if knows_total {
        // The width of the terminal, since a longer line would take two lines.
        "{msg} [{wide_bar}] {binary_bytes} of {binary_total_bytes} ({percent} %){left}"
    } else {
        "{spinner} {msg}, {binary_bytes}"
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ").tick_chars("|/-\\ ").with_key("left", time_left)
}

/// There is no estimate before the first byte.
fn time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        // If this cannot be written, the line is not shown either.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// Begins other work, of `total` bytes if that is known.
pub(crate) fn begin(doing: &'static str, total: Option<u64>) {
    let mut line = line();
    READ.store(0, Ordering::Relaxed);
    let Some(line) = &mut *line else { return };
    // A new bar, so that it is not drawn before it has all of its settings.
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    bar.set_style(style(total.is_some()));
    bar.set_message(doing);
    mem::replace(&mut line.bar, bar).finish_and_clear();
    if line.is_drawn {
        line.show();
    }
}

/// Counts `bytes` more bytes.
pub(crate) fn add(bytes: u64) {
    READ.fetch_add(bytes, Ordering::Relaxed);
}

/// Sets the number of bytes that have been read.
pub(crate) fn reach(bytes: u64) {
    READ.store(bytes, Ordering::Relaxed);
}

/// Removes the line while `write` writes on standard error.
pub(crate) fn above(write: impl FnOnce()) {
    match &*line() {
        Some(Line { bar, is_drawn: true, .. }) => bar.suspend(write),
        _ => write(),
    }
}

/// Removes the line permanently.
pub(crate) fn end() {
    if let Some(line) = line().take() {
        line.bar.finish_and_clear();
    }
}

/// Removes the line when a signal ends the program. Does not wait for a terminal that accepts no output, as after
/// Ctrl-S.
#[cfg(unix)]
pub(crate) fn end_soon() {
    let (done, is_done) = std::sync::mpsc::channel();
    thread::spawn(move || {
        end();
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(Duration::from_millis(500));
}

/// Removes the line permanently if standard output may appear on the same terminal. A pipe may, too, through the output
/// of the next program.
pub(crate) fn make_way() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if io::stdout().is_terminal() || is_pipe() {
            end();
        }
    });
}

#[cfg(unix)]
fn is_pipe() -> bool {
    use std::{
        fs::File,
        os::{fd::AsFd, unix::fs::FileTypeExt},
    };
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let kind = stdout.and_then(|stdout| stdout.metadata()).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}

#[cfg(not(unix))]
fn is_pipe() -> bool {
    true
}

/// A reader that counts its bytes for the progress.
pub(crate) struct Counted<R>(pub(crate) R);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(out)?;
        add(read as u64);
        Ok(read)
    }
}
