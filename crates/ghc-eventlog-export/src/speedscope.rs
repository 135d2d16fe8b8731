//! The file format of speedscope: for each capability or thread, a profile of frames that open and close at the real
//! times.
//!
//! A sample holds until the next one of its capability or thread. If that comes later than the next tick, for example
//! because the profiler was off, it holds for one tick.
//!
//! Threads come in order of their numbers of samples. If there are very many, the stacks of all others are one more profile,
//! without times: each sample in it lasts for a tick.

use ghc_eventlog::{CapNo, Nanos, ProfSampleCostCentre, Record, ThreadId, UserBinaryMsg};
use ghc_eventlog_model::{
    Frame, LogText, Model, SameFrames, StackMessage, StackMessages, TakeStacks, ThreadSample, doors::safe_json, limits,
};
use serde_json::{Value, json};
use std::{cell::Cell, collections::HashMap};

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

/// The most threads that get a profile of their own, since the log is read once for each: those with the most samples.
const MAX_THREADS: usize = 100;

/// How many samples of a thread are kept for sorting them by time. A thread may move to another capability, and the
/// blocks of capabilities are in the file in any order, but no block is long enough to have this many samples.
const IN_ORDER: usize = 1 << 18;

/// What a pass collects the samples of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Cap(CapNo),
    Thread(ThreadId),
    /// All threads without a profile of their own.
    Others,
}

pub(crate) struct Speedscope<'m> {
    model: &'m Model,
    title: LogText<'m>,
    passes: Vec<Of>,
    /// The threads that have a profile of their own, sorted.
    own: Vec<ThreadId>,
    frames: HashMap<Frame, usize>,
    /// Whether a stack has frames that the model had no room for. All of them share one name, the last in the list.
    has_others: Cell<bool>,
    origin: Nanos,
    tick: Nanos,
    /// What the current pass collects the samples of.
    of: Option<Of>,
    messages: StackMessages,
    /// The offset of the last of these messages in the file.
    offset: u64,
    /// Which of its frames mean the same.
    same: SameFrames,
    /// The thread's samples that are not written yet, each with its stack, outermost first.
    waiting: Vec<(Nanos, Vec<usize>)>,
    /// The open frames, the outermost first, and the time at which the innermost was opened.
    open: Vec<usize>,
    since: Option<Nanos>,
    /// Whether the pass has written a frame.
    any: bool,
    /// How many samples there were of [`Of::Others`], and those that are not written yet.
    others: u64,
    waiting_others: String,
}

impl<'m> Speedscope<'m> {
    pub(crate) fn of(model: &'m Model, title: LogText<'m>) -> Self {
        let profiled = model.profiled();
        let frames = profiled.frames().zip(0..).collect();
        let caps = profiled.sampled_caps().map(Of::Cap);
        let mut own: Vec<ThreadId> = profiled.sampled_threads().take(MAX_THREADS).collect();
        let threads = own.iter().copied().map(Of::Thread);
        let others = profiled.sampled_threads().nth(MAX_THREADS).map(|_| Of::Others);
        let passes = caps.chain(threads).chain(others).collect();
        own.sort_unstable();
        Self {
            model,
            title,
            passes,
            own,
            others: 0,
            waiting_others: String::new(),
            frames,
            has_others: Cell::new(false),
            origin: model.extent().map_or(Nanos(0), |(first, _)| first),
            tick: profiled.tick().unwrap_or(Nanos(1_000_000)),
            of: None,
            messages: StackMessages::default(),
            offset: 0,
            same: profiled.same_frames(),
            waiting: Vec::new(),
            open: Vec::new(),
            since: None,
            any: false,
        }
    }

    pub(crate) fn passes(&self) -> usize {
        self.passes.len()
    }

    pub(crate) fn begin(&mut self, pass: usize, out: &mut String) {
        if pass == 0 {
            let exporter = concat!("ghc-eventlog ", env!("CARGO_PKG_VERSION"));
            let (schema, exporter, name) = (json!(SCHEMA), json!(exporter), as_json(&self.title));
            out.push_str(&format!("{{\"$schema\":{schema},\"exporter\":{exporter},\"name\":{name},\"profiles\":["));
        } else {
            self.end(out);
            out.push(',');
        }
        self.of = self.passes.get(pass).copied();
        self.messages = StackMessages::default();
        (self.any, self.since) = (false, None);
        let name = as_json(&self.of.map_or(LogText::default(), |of| self.name(of)));
        if self.of == Some(Of::Others) {
            out.push_str(&format!("\n{{\"type\":\"sampled\",\"name\":{name},\"unit\":\"nanoseconds\",\"samples\":["));
            return;
        }
        out.push_str(&format!(
            "\n{{\"type\":\"evented\",\"name\":{name},\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":["
        ));
    }

    fn name(&self, of: Of) -> LogText<'static> {
        match of {
            Of::Cap(cap) => format!("Capability {cap}").into(),
            Of::Thread(thread) => match self.model.threads().label(thread) {
                Some(label) => LogText::joined(&[format!("thread {thread}").into(), label], ": "),
                None => format!("thread {thread}").into(),
            },
            Of::Others if self.model.profiled().are_threads_missing() => {
                "All other threads together, not at their times; some may have more samples than those before".into()
            }
            Of::Others => "All other threads together, not at their times".into(),
        }
    }

    pub(crate) fn record(&mut self, record: &Record<'_>, out: &mut String) {
        let Record { offset, tag, time, payload, .. } = *record;
        match (self.of, tag) {
            (Some(Of::Cap(cap)), ProfSampleCostCentre::TAG) => {
                let sample = ProfSampleCostCentre::read(payload);
                // Numbers that no capability can have count as one.
                if u16::try_from(sample.cap).unwrap_or(u16::MAX) == cap.0 {
                    let mut stack = self.places(sample.stack.iter().map(Frame::CostCentre), Frame::Main);
                    stack.reverse();
                    self.sample(time, &stack, out);
                }
            }
            (Some(Of::Thread(thread)), UserBinaryMsg::TAG) => {
                let bytes = UserBinaryMsg::read(payload).bytes;
                self.offset = offset;
                self.messages(thread, |messages, out| messages.take(time, bytes, out));
                if self.waiting.len() >= 2 * IN_ORDER {
                    self.write(IN_ORDER, out);
                }
            }
            (Some(Of::Others), UserBinaryMsg::TAG) => {
                let bytes = UserBinaryMsg::read(payload).bytes;
                self.offset = offset;
                self.messages_of_others(|messages, out| messages.take(time, bytes, out));
                out.push_str(&core::mem::take(&mut self.waiting_others));
            }
            _ => {}
        }
    }

    /// Ends a stream.
    pub(crate) fn end_stream(&mut self) {
        match self.of {
            Some(Of::Thread(thread)) => self.messages(thread, StackMessages::end_stream),
            Some(Of::Others) => self.messages_of_others(StackMessages::end_stream),
            _ => {}
        }
    }

    /// Takes the samples of threads without a profile of their own, in order of the file.
    fn messages_of_others(&mut self, read: impl FnOnce(&mut StackMessages, &mut TakeStacks<'_>)) {
        let mut messages = core::mem::take(&mut self.messages);
        let (mut count, mut out) = (self.others, core::mem::take(&mut self.waiting_others));
        read(&mut messages, &mut |_, message| {
            if let StackMessage::Sample(ThreadSample { thread, frames, .. }) = message
                && self.own.binary_search(&self.model.thread_at(self.offset, thread)).is_err()
            {
                let stack = self.places(frames.iter().map(|frame| self.same.first(*frame)), Frame::Empty);
                let comma = if count > 0 { "," } else { "" };
                out.push_str(&format!("{comma}{}", json!(stack)));
                count += 1;
            }
        });
        (self.messages, self.others, self.waiting_others) = (messages, count, out);
    }

    /// Keeps the samples of a thread that some messages have. The same messages in the same order have the same frames as in the
    /// model, which knows which of them mean the same.
    fn messages(&mut self, of: ThreadId, read: impl FnOnce(&mut StackMessages, &mut TakeStacks<'_>)) {
        let mut messages = core::mem::take(&mut self.messages);
        let mut waiting = core::mem::take(&mut self.waiting);
        read(&mut messages, &mut |time, message| {
            if let StackMessage::Sample(ThreadSample { thread, frames, .. }) = message
                && self.model.thread_at(self.offset, thread) == of
            {
                let frames = frames.iter().map(|frame| self.same.first(*frame));
                waiting.push((time, self.places(frames, Frame::Empty)));
            }
        });
        (self.messages, self.waiting) = (messages, waiting);
    }

    /// Writes the `count` earliest of the waiting samples.
    fn write(&mut self, count: usize, out: &mut String) {
        let mut waiting = core::mem::take(&mut self.waiting);
        waiting.sort_by_key(|(time, _)| *time);
        for (time, stack) in waiting.drain(..count.min(waiting.len())) {
            self.sample(time, &stack, out);
        }
        self.waiting = waiting;
    }

    /// The indexes of a stack's frames. For an empty stack, the index of `none`.
    fn places(&self, stack: impl Iterator<Item = Frame>, none: Frame) -> Vec<usize> {
        let mut stack = stack.peekable();
        let is_none = stack.peek().is_none();
        let place = |frame| {
            self.frames.get(&frame).copied().unwrap_or_else(|| {
                self.has_others.set(true);
                self.frames.len()
            })
        };
        stack.chain(is_none.then_some(none)).map(place).collect()
    }

    /// Writes a sample, from the outermost frame to the innermost.
    fn sample(&mut self, time: Nanos, stack: &[usize], out: &mut String) {
        let mut time = time.max(self.since.unwrap_or_default());
        if let Some(since) = self.since
            && time.since(since).0 > self.tick.0.saturating_mul(limits::TICKS_APART)
        {
            self.close(0, since.plus(self.tick), out);
        }
        let same = self.open.iter().zip(stack).take_while(|(open, new)| open == new).count();
        self.close(same, time, out);
        for frame in stack.iter().skip(same) {
            self.event('O', *frame, time, out);
            self.open.push(*frame);
        }
        time = time.max(self.origin);
        self.since = Some(time);
    }

    /// Closes all frames but the `but` outermost ones.
    fn close(&mut self, but: usize, time: Nanos, out: &mut String) {
        while self.open.len() > but {
            if let Some(frame) = self.open.pop() {
                self.event('C', frame, time, out);
            }
        }
    }

    fn event(&mut self, kind: char, frame: usize, time: Nanos, out: &mut String) {
        let comma = if core::mem::replace(&mut self.any, true) { "," } else { "" };
        let at = time.since(self.origin).0;
        out.push_str(&format!("{comma}{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{at}}}"));
    }

    /// Ends the pass.
    fn end(&mut self, out: &mut String) {
        self.end_stream();
        if self.of == Some(Of::Others) {
            out.push_str(&core::mem::take(&mut self.waiting_others));
            out.push_str("],\"weights\":[");
            let weight = self.tick.0.to_string();
            (0..self.others).for_each(|nth| out.extend([if nth > 0 { "," } else { "" }, &weight]));
            out.push_str(&format!("],\"startValue\":0,\"endValue\":{}}}", self.tick.0.saturating_mul(self.others)));
            return;
        }
        self.write(usize::MAX, out);
        let last = self.since.map_or(self.origin, |since| since.plus(self.tick));
        self.close(0, last, out);
        out.push_str(&format!("],\"endValue\":{}}}", last.since(self.origin).0));
    }

    pub(crate) fn finish(mut self, out: &mut String) {
        self.end(out);
        let profiled = self.model.profiled();
        let frames: Vec<Value> = profiled
            .frames()
            .map(|of| {
                let mut frame = json!({ "name": profiled.frame_name(of).for_json() });
                let module = profiled.frame_module(of).map(|module| module.for_json());
                let source = profiled.frame_source(of).map(|source| source.for_json());
                let at = source.as_deref().and_then(place);
                if let Some((file, line, column)) = at.or_else(|| Some((module.as_deref()?, None, None))) {
                    frame["file"] = json!(file);
                    line.into_iter().for_each(|line| frame["line"] = json!(line));
                    column.into_iter().for_each(|column| frame["col"] = json!(column));
                }
                frame
            })
            .chain(self.has_others.get().then(|| json!({ "name": "(all others)" })))
            .collect();
        let shared = json!({ "frames": frames }).to_string();
        out.push_str(&format!("],\n\"shared\":{}}}\n", safe_json(&shared)));
    }
}

/// A text as a JSON string.
fn as_json(text: &LogText<'_>) -> String {
    safe_json(&json!(text.for_json()).to_string()).into_owned()
}

/// File, line and column of a source location such as `src/Main.hs:15:9-18` or `src/Main.hs:(3,1)-(7,20)`. `None` if it
/// names no file.
fn place(source: &str) -> Option<(&str, Option<u32>, Option<u32>)> {
    let (file, rest) = source.rsplit_once(".hs:").map(|(file, rest)| (source.get(..file.len() + 3), rest))?;
    let mut numbers = rest.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok());
    Some((file?, numbers.next(), numbers.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_locations_have_a_file_a_line_and_a_column() {
        assert_eq!(place("src/Main.hs:15:9-18"), Some(("src/Main.hs", Some(15), Some(9))));
        assert_eq!(place("Main.hs:(3,1)-(7,20)"), Some(("Main.hs", Some(3), Some(1))));
        assert_eq!([place("<built-in>"), place("")], [None, None]);
    }
}
