//! Logs with secrets at every place that a log has.

use crate::Mutants;
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, Event, EventType, HeapSize, LogWriter, Nanos, RunThread, ThreadId, VARIABLE,
    Value, known_types,
};
use ghc_eventlog_strip::Strip;

/// This many bytes of a secret in a row count as giving it away.
const WINDOW: usize = 6;

/// Secrets of 16 letters each, one for each reason to leave something out.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// In bytes that are no event, or an unknown one: these must never be in a copy.
    pub junk: String,
    /// In the environment.
    pub env: String,
    /// In the command line.
    pub args: String,
    /// In messages.
    pub messages: String,
}

/// A log with secrets in it.
pub struct Planted {
    /// Where the secrets are.
    pub place: String,
    /// It.
    pub log: Vec<u8>,
}

impl Secrets {
    /// Random ones.
    pub fn new(random: &mut fastrand::Rng) -> Self {
        let mut secret = || std::iter::repeat_with(|| random.alphanumeric()).take(16).collect();
        Self { junk: secret(), env: secret(), args: secret(), messages: secret() }
    }

    /// Which of the secrets that must be left out are in these bytes.
    pub fn given_away(&self, bytes: &[u8], strip: Strip) -> Vec<&'static str> {
        let all = [
            ("junk", &self.junk, true),
            ("env", &self.env, strip.env),
            ("args", &self.args, strip.args),
            ("messages", &self.messages, strip.messages),
        ];
        let given = all.into_iter().filter(|(_, secret, left_out)| *left_out && gives_away(bytes, secret));
        given.map(|(name, ..)| name).collect()
    }
}

/// Whether `WINDOW` bytes of a secret in a row are in these bytes.
pub fn gives_away(bytes: &[u8], secret: &str) -> bool {
    let windows: Vec<&[u8]> = secret.as_bytes().windows(WINDOW).collect();
    let mut begins = [false; 256];
    windows.iter().for_each(|window| begins[usize::from(window[0])] = true);
    bytes.windows(WINDOW).any(|window| begins[usize::from(window[0])] && windows.contains(&window))
}

/// Two unknown event types: one whose records carry their length, and one of a fixed size.
const UNKNOWN: [(u16, u16); 2] = [(300, VARIABLE), (301, 20)];

/// The event types of a stream with secrets: PROGRAM_ENV as usual or with an unknown size, and HEAP_SIZE longer than
/// the known form.
fn types(secrets: &Secrets, env_size: u16) -> Vec<EventType> {
    let mut types = known_types();
    let unknown = UNKNOWN.map(|(tag, size)| EventType { tag, size, description: secrets.junk.as_str().into() });
    types.extend(unknown);
    for declared in &mut types {
        match declared.tag {
            31 => declared.size = env_size,
            50 => declared.size = 12 + 16,
            // A known number may have an unknown description.
            51 => declared.description = format!("Heap live {}", secrets.junk).into(),
            _ => {}
        }
    }
    types
}

/// A header with secrets in descriptions and extra information.
fn header(log: &mut LogWriter, types: &[EventType], secrets: &Secrets) {
    log.bytes(b"hdrbhetb");
    for declared in types {
        let EventType { tag, size, description } = declared;
        log.bytes(b"etb\0").bytes(&tag.to_be_bytes()).bytes(&size.to_be_bytes());
        let extra: &str = if tag % 3 == 0 { &secrets.junk } else { "" };
        for text in [&**description, extra] {
            log.bytes(&(text.len() as u32).to_be_bytes()).bytes(text.as_bytes());
        }
        log.bytes(b"ete\0").write_as(*tag, *size);
    }
    log.bytes(b"hetehdredatb");
}

/// A stream with a secret in each event that may have one, and where its header ends.
pub fn secretive(secrets: &Secrets, env_size: u16) -> (Vec<u8>, usize) {
    let mut log = LogWriter::empty();
    header(&mut log, &types(secrets, env_size), secrets);
    let data = log.offset();
    log.block(Block::of(CapNo(0)), |block| events(block, secrets));
    log.end();
    (log.finish(), data)
}

fn events(block: &mut LogWriter, secrets: &Secrets) {
    let Secrets { junk, env, args, messages } = secrets;
    let listed = |secret: &str| format!("x\0NAME={secret}\0\0y\0");
    let (env, arguments) = (listed(env), listed(args));
    let fixed = format!("{junk}1234");
    let surplus = |payload: &[u8]| [payload, junk.as_bytes()].concat();
    let cost_centre = surplus(b"\0\0\0\x01label\0module\0place\0\0");
    let heap = surplus(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    let others: [(u16, &[u8]); 5] =
        [(300, junk.as_bytes()), (301, fixed.as_bytes()), (161, &cost_centre), (50, &heap), (300, fixed.as_bytes())];
    let texts = |secret: &str| format!("says {secret}, \0and more");
    let text = texts(messages);
    let mut time = 10;
    let mut next = || {
        time += 1;
        Nanos(time)
    };
    for named in ["LOG_MSG", "USER_MSG", "USER_MARKER"] {
        write(block, next(), named, &[("text", text.as_str().into())]);
    }
    write(block, next(), "USER_BINARY_MSG", &[("bytes", Value::Raw(text.as_bytes()))]);
    let capset = |name, list: &'static str| [("capset", Value::from(0)), (list, name)];
    let list = |text| Value::List(ghc_eventlog::TextList(text));
    write(block, next(), "PROGRAM_ENV", &capset(list(env.as_bytes()), "env"));
    write(block, next(), "PROGRAM_ARGS", &capset(list(arguments.as_bytes()), "args"));
    write(block, next(), "PROGRAM_INVOCATION", &[("text", texts(args).as_str().into())]);
    for filter in ["module", "closure", "type", "cost_centre", "stack", "retainer", "biography"] {
        write(block, next(), "HEAP_PROF_BEGIN", &[(&format!("{filter}_filter"), args.as_str().into())]);
    }
    for (tag, payload) in others {
        block.record(next(), tag, Event::Unknown(payload));
        // The events that follow confirm a record that is longer than the known form.
        for thread in 1..4 {
            block.event(next(), CreateThread { thread: ThreadId(thread) });
        }
    }
    block.event(next(), HeapSize { capset: CapsetId(0), bytes: 1 << 20 });
    block.event(next(), RunThread { thread: ThreadId(1) });
}

fn write(log: &mut LogWriter, time: Nanos, name: &str, fields: &[(&str, Value<'_>)]) {
    log.named(time, name, fields).expect("the table has it");
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// A log with `more` inserted at `at`.
fn inserted(log: &[u8], at: usize, more: &[u8]) -> Vec<u8> {
    joined(&[&log[..at], more, &log[at..]])
}

/// Logs that are undamaged except for the secrets in them, and damaged ones in which no secret becomes an event of
/// another kind. No secret that is left out may be in their copies. `log` is any log that is not cut off within an
/// event. The damage is random, `each` times at each kind of place.
pub fn planted(log: &[u8], secrets: &Secrets, random: &mut fastrand::Rng, each: usize) -> Vec<Planted> {
    let (stream, data) = secretive(secrets, VARIABLE);
    let (odd, _) = secretive(secrets, 64);
    let junk = secrets.junk.as_bytes();
    let mut all = Vec::new();
    let mut add = |place: &str, log: Vec<u8>| all.push(Planted { place: place.to_string(), log });
    add("events", stream.clone());
    add("an environment of another form", odd);
    add("a second stream", joined(&[log, &stream]));
    add("a first stream", joined(&[&stream, log]));
    add("before the header", joined(&[junk, &stream]));
    add("before the second header", joined(&[log, junk, &stream]));
    add("after the end", joined(&[log, &[0xff, 0xff], junk]));
    let long: Vec<u8> = junk.iter().copied().cycle().take(70_000).collect();
    add("after the end, long", joined(&[log, &[0xff, 0xff], &long]));
    add("between the streams, long", joined(&[&stream, &long, &stream]));
    for _ in 0..each {
        let cut = random.usize(..data);
        add("a second header, cut", joined(&[log, &stream[..cut]]));
        add("a second header, cut, with its events", joined(&[log, &stream[..cut], &stream[data..]]));
        add("a header with junk", inserted(&stream, cut, junk));
        add("a second header with junk", joined(&[log, &inserted(&stream, cut, junk)]));
        let mut damaged = stream.clone();
        damaged[cut] ^= 1 << random.u8(..8);
        add("a header, damaged", damaged.clone());
        add("a second header, damaged", joined(&[log, &damaged]));
        let records = Mutants::new(&stream, 1).places();
        let at = *random.choice(&records).unwrap_or(&data);
        add("between records", inserted(&stream, at, junk));
        add("between records, long", inserted(&stream, at, &long[..random.usize(..5000)]));
        // Otherwise an event that is cut in two would have the next stream as its text.
        add("cut, and a second stream", joined(&[&stream[..at], &stream]));
        add("cut", stream[..random.usize(data..stream.len())].to_vec());
    }
    all
}
