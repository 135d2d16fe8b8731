//! A log with every event that has a text. Each text is made to do harm where it is printed: on a terminal, in
//! Markdown, HTML, JSON, a spreadsheet.

use crate::written::stacks::{Frame, LAST, location, piece, string};
use ghc_eventlog::{
    Block, CStr, CapNo, CapsetCreate, CapsetId, CapsetType, CostCentreStack, CreateThread, EVENTS, Event, EventInfo,
    EventType, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleEnd, HeapProfSampleString, LogWriter,
    Nanos, ProfBegin, ProfSampleCostCentre, RunThread, StopStatus, StopThread, Text, ThreadId, TickyCounterBeginSample,
    TickyCounterSample, UserBinaryMsg, UserMsg, VARIABLE, Value, known_types,
};

/// The fields that hold a text, as `EVENT field`. Add a new one only after checking every output with it.
/// `tests/texts.rs` of the command line compares this list with the table of events.
pub const FIELDS: &[&str] = &[
    "LOG_MSG text",
    "USER_MSG text",
    "VERSION text",
    "PROGRAM_INVOCATION text",
    "RTS_IDENTIFIER text",
    "PROGRAM_ARGS args",
    "PROGRAM_ENV env",
    "INTERN_STRING text",
    "THREAD_LABEL label",
    "USER_MARKER text",
    "PERF_NAME name",
    "HEAP_PROF_BEGIN module_filter",
    "HEAP_PROF_BEGIN closure_filter",
    "HEAP_PROF_BEGIN type_filter",
    "HEAP_PROF_BEGIN cost_centre_filter",
    "HEAP_PROF_BEGIN stack_filter",
    "HEAP_PROF_BEGIN retainer_filter",
    "HEAP_PROF_BEGIN biography_filter",
    "HEAP_PROF_COST_CENTRE label",
    "HEAP_PROF_COST_CENTRE module",
    "HEAP_PROF_COST_CENTRE location",
    "HEAP_PROF_SAMPLE_STRING label",
    "IPE table_name",
    "IPE closure_type",
    "IPE type_name",
    "IPE label",
    "IPE module",
    "IPE location",
    "USER_BINARY_MSG bytes",
    "TICKY_COUNTER_DEF arguments",
    "TICKY_COUNTER_DEF name",
    "TICKY_COUNTER_DEF json",
];

/// The same list, from the table of events.
#[must_use]
pub fn fields_of_table() -> Vec<String> {
    let of = |info: &'static EventInfo| {
        let texts = info.fields.iter().copied().filter(|field| holds_text(info, field));
        texts.map(|field| format!("{} {field}", info.name))
    };
    EVENTS.iter().flat_map(of).collect()
}

/// Whether a field can be written as a text.
fn holds_text(info: &EventInfo, field: &str) -> bool {
    LogWriter::new().named(Nanos(0), info.name, &[(field, Value::from("x"))]).is_ok()
}

/// The beginnings of texts: spreadsheet formulas, and what may hide one.
const BEGINS: [&str; 8] = ["=cmd()", "@SUM(1)", "-1+1", "+1", "\t=1", "\"=1\"\t=2", " =1", "\u{ff1d}1"];

/// The rest of a text, after a word of its own.
const REST: &str = " \x1b[2J\x07\x7f\u{9b}31m\u{202e}\u{2066}\u{200b}\u{2028}\r\nx\t<script>alert(1)</script><img src=x>\"&';`x` ``y\\|@octocat #1 \
    https://evil.example 0123456789abcdef0123456789abcdef01234567 [a](x)*b* \u{e0041}";

/// The hostile text number `n`. No two are equal.
#[must_use]
pub fn hostile(n: usize) -> String {
    format!("{} word{n} {REST}", BEGINS[n % BEGINS.len()])
}

/// The log; `text` makes each of its texts from its number.
#[must_use]
pub fn log(text: impl Fn(usize) -> String) -> Vec<u8> {
    let mut numbers = 0..;
    let mut next = || text(numbers.next().unwrap());
    let mut types = known_types();
    // Unknown types only have their descriptions as text.
    types.push(EventType { tag: 900, size: VARIABLE, description: next().into() });
    types.push(EventType { tag: 901, size: 4, description: next().into() });
    let mut log = LogWriter::with_types(&types);
    log.block(Block::GLOBAL, |log| {
        log.event(Nanos(10), CapsetCreate { capset: CapsetId(0), kind: CapsetType(2) });
        for info in EVENTS {
            texts_of(info, log, &mut next);
        }
        log.record(Nanos(500), 900, Event::Unknown(b"x"));
        log.record(Nanos(500), 901, Event::Unknown(&[0; 4]));
        heap(log, &mut next);
        log.event(ms(60), TickyCounterBeginSample {});
        log.event(ms(60), TickyCounterSample { id: 7, entries: 1, allocs_bytes: 1, allocd_bytes: 1 });
    });
    log.block(Block::of(CapNo(0)), |log| program(log, &mut next));
    log.end();
    log.finish()
}

fn ms(millis: u64) -> Nanos {
    Nanos(millis * 1_000_000)
}

/// Writes an event with all of its texts, and with the numbers by which other events name it.
fn texts_of(info: &EventInfo, log: &mut LogWriter, next: &mut impl FnMut() -> String) {
    let mut texts: Vec<(&str, String)> = Vec::new();
    for field in info.fields.iter().filter(|field| holds_text(info, field)) {
        let text = match *field {
            "args" | "env" => format!("{}\0{}\0", next(), next()),
            _ => next(),
        };
        texts.push((field, text));
    }
    if texts.is_empty() {
        return;
    }
    let numbers: &[(&str, u64)] = match info.name {
        "THREAD_LABEL" => &[("thread", 1)],
        // By cost centre, with labels beside.
        "HEAP_PROF_BEGIN" => &[("breakdown", 1)],
        "HEAP_PROF_COST_CENTRE" => &[("id", 1)],
        "HEAP_PROF_SAMPLE_STRING" => &[("bytes", 5000)],
        "IPE" => &[("info_table", 0x40_1000)],
        "TICKY_COUNTER_DEF" => &[("id", 7), ("info_table", 0x40_1000)],
        _ => &[],
    };
    let texts = texts.iter().map(|(field, text)| (*field, Value::from(text.as_str())));
    let fields: Vec<_> = texts.chain(numbers.iter().map(|(field, number)| (*field, Value::from(*number)))).collect();
    log.named(ms(1), info.name, &fields).unwrap();
}

/// Censuses by cost centre, with as many labels as there are begins of a text.
fn heap(log: &mut LogWriter, next: &mut impl FnMut() -> String) {
    let labels = BEGINS.map(|_| next());
    for census in 1..=3 {
        let (at, stack) = (ms(10 * census), [[0, 0, 0, 1]]);
        log.event(at, HeapProfSampleBegin { number: census });
        log.event(at, HeapProfSampleCostCentre { profile: 0, bytes: 9000 * census, stack: CostCentreStack(&stack) });
        for label in &labels {
            log.event(at, HeapProfSampleString { profile: 0, bytes: 100, label: CStr(Text(label.as_bytes())) });
        }
        log.event(at, HeapProfSampleEnd { number: census });
    }
}

/// A thread that runs, is sampled in two ways, and has spans of two kinds.
fn program(log: &mut LogWriter, next: &mut impl FnMut() -> String) {
    let thread = ThreadId(1);
    log.event(ms(1), CreateThread { thread });
    log.event(ms(2), RunThread { thread });
    log.event(ms(2), ProfBegin { interval: ms(10) });
    let (own, first, second) = (next(), next(), next());
    let nested = format!("ot2 begin span 8 {first}");
    let binary = [&b"OT\x03\x01\x09\0\0\0\0\0\0\0"[..], second.as_bytes()].concat();
    let texts = [string(1, &next()), string(2, &next()), location(1, 17, 9, 2)];
    log.event(ms(3), UserMsg { text: Text(format!("START {own}").as_bytes()) });
    log.event(ms(4), UserMsg { text: Text(nested.as_bytes()) });
    log.event(ms(5), UserBinaryMsg { bytes: &binary });
    texts.iter().for_each(|bytes| _ = log.event(ms(6), UserBinaryMsg { bytes }));
    for tick in 1..=5 {
        let at = ms(10 * tick);
        log.event(at, ProfSampleCostCentre { cap: 0, tick, stack: CostCentreStack(&[[0, 0, 0, 1]]) });
        let frames = [Frame::Placed(1, 1), Frame::String(2), Frame::Table(0x40_1000)];
        log.event(at, UserBinaryMsg { bytes: &piece(LAST, 0, 1, &frames) });
    }
    log.event(ms(70), UserBinaryMsg { bytes: b"OT\x03\x02\x09\0\0\0\0\0\0\0" });
    log.event(ms(71), UserMsg { text: Text(b"ot2 end span 8") });
    log.event(ms(72), UserMsg { text: Text(format!("STOP {own}").as_bytes()) });
    log.event(ms(80), StopThread { thread, status: StopStatus(5), info: Some(0) });
}
