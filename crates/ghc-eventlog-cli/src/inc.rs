//! `inc`: prints a log's events in file order, as they come, in constant memory.

use crate::{
    input::Log,
    loss::Losses,
    reading::{Pause, Reading},
};
use ghc_eventlog::{Decoder, Step};
use ghc_eventlog_text::{Style, line};
use std::{
    io::{self, IsTerminal, Write},
    thread,
    time::Duration,
};

/// How often `--follow` checks for new bytes.
const PATIENCE: Duration = Duration::from_millis(250);

pub(crate) fn inc(log: Log, follow: bool, style: Style, out: &mut impl Write) -> io::Result<Losses> {
    // As in `show`.
    let style = Style { visible: io::stdout().is_terminal(), ..style };
    inc_in(log, follow, style, out)
}

fn inc_in(log: Log, follow: bool, style: Style, out: &mut impl Write) -> io::Result<Losses> {
    let mut losses = Losses::new(&log.name);
    // The end of a pipe is final.
    let waits = follow && !log.is_stdin();
    log.begin("reading");
    let mut reading = Reading::new(log);
    let mut text = Vec::new();
    let mut print = |out: &mut dyn Write, decoder: &Decoder, step: Step<'_>| {
        match step {
            Step::Event(record) => {
                text.clear();
                if let Some(loss) = line(&mut text, &record, decoder.header(), style) {
                    losses.event(&loss, record.offset);
                }
                out.write_all(&text)?;
            }
            Step::Notice(notice) => losses.notice(notice),
            Step::Header | Step::Need(_) | Step::End => {}
        }
        Ok(())
    };
    let end = loop {
        match reading.some(&mut |decoder, step| print(out, decoder, step))? {
            // The next read may have to wait for the program that writes the log.
            Pause::More => out.flush()?,
            // A program that is started again first truncates its old log.
            Pause::Starved if waits && reading.input.length().is_some_and(|length| length < reading.bytes_read()) => {
                losses.loss("the file has become shorter while it was followed: it is being written anew");
                return Ok(losses);
            }
            Pause::Starved if waits => {
                out.flush()?;
                thread::sleep(PATIENCE);
            }
            Pause::Starved => break reading.all(|decoder, step| print(out, decoder, step))?,
            end => break end,
        }
    };
    losses.unpacking(reading.input.broken());
    losses.end(&end);
    Ok(losses)
}
