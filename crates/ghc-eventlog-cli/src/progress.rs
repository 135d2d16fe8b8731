//! A line on the terminal's standard error that shows how far reading has come, while that takes longer than a second.
//!
//! Whatever reads only counts its bytes; a thread of its own draws, ten times a second. Messages are written above the
//! line ([`above`]), and it is gone before the program's output may reach the same terminal ([`make_way`]).

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

/// What is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const PACE: Duration = Duration::from_millis(100);

/// Bytes that the work at hand has gone through.
static READ: AtomicU64 = AtomicU64::new(0);

/// The line; none where it is not wanted, or not any more.
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

/// From now on, what takes long shows how far it is, if somebody can see that.
pub(crate) fn allow() {
    if !is_seen() {
        return;
    }
    *line() = Some(Line { bar: ProgressBar::hidden(), begun: Instant::now(), is_drawn: false });
    // A line that is half erased would be in the way of the shell's prompt.
    #[cfg(unix)]
    crate::output::clean_up_before_the_end();
    // Without a thread there is no line.
    let _ = thread::Builder::new().name("progress".to_string()).spawn(|| {
        while draw() {
            thread::sleep(PACE);
        }
    });
}

/// Whether standard error is a terminal that can move its cursor, before which somebody sits.
fn is_seen() -> bool {
    let in_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let is_dumb = match env::var_os("TERM") {
        Some(term) => term == "dumb",
        None => cfg!(unix),
    };
    !in_ci && !is_dumb && io::stderr().is_terminal()
}

/// Draws the line anew; whether it is still wanted.
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
        // As wide as the terminal: a line that does not fit would be two.
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
        // Where it cannot be written there is no line either.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// Other work begins, of so many bytes if that is known.
pub(crate) fn begin(doing: &'static str, total: Option<u64>) {
    let mut line = line();
    READ.store(0, Ordering::Relaxed);
    let Some(line) = &mut *line else { return };
    // A new one, so that none of its settings is drawn before it has all of them.
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    bar.set_style(style(total.is_some()));
    bar.set_message(doing);
    mem::replace(&mut line.bar, bar).finish_and_clear();
    if line.is_drawn {
        line.show();
    }
}

/// More bytes have been gone through.
pub(crate) fn add(bytes: u64) {
    READ.fetch_add(bytes, Ordering::Relaxed);
}

/// So many bytes have been gone through by now.
pub(crate) fn reach(bytes: u64) {
    READ.store(bytes, Ordering::Relaxed);
}

/// Writes something on standard error while the line is not there.
pub(crate) fn above(write: impl FnOnce()) {
    match &*line() {
        Some(Line { bar, is_drawn: true, .. }) => bar.suspend(write),
        _ => write(),
    }
}

/// Removes the line, for good.
pub(crate) fn end() {
    if let Some(line) = line().take() {
        line.bar.finish_and_clear();
    }
}

/// Removes the line for a program that a signal ends. A terminal that takes nothing, as after Ctrl-S, must not keep it.
#[cfg(unix)]
pub(crate) fn end_soon() {
    let (done, is_done) = std::sync::mpsc::channel();
    thread::spawn(move || {
        end();
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(Duration::from_millis(500));
}

/// Removes the line, for good, if what goes to standard output may be seen on the same terminal. From a pipe it may, too:
/// the next program's output is.
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

/// Counts what is read.
pub(crate) struct Counted<R>(pub(crate) R);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(out)?;
        add(read as u64);
        Ok(read)
    }
}
