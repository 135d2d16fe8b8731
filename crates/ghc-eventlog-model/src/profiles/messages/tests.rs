//! Stacks in all layouts, drawn in characters.

use super::*;
use crate::limits;
use alloc::{
    format,
    string::{String, ToString},
};

/// A version of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    V1,
    V3,
    V5,
}

use Version::{V1, V3, V5};

impl Version {
    fn message(self, mark: u8, parts: &[&[u8]]) -> Vec<u8> {
        let begin: &[u8] = if self == V5 { &[0xff, 0xc0, 1] } else { &[] };
        [begin, &[0xff, mark], &parts.concat()].concat()
    }

    /// A message from a drawing: `ca 0/7: a b`, with a letter or digit for each frame in the order of the bytes. A small letter is a
    /// string with that number; a capital is a place in the source; a digit is an info table.
    fn piece(self, drawn: &str) -> Vec<u8> {
        let (head, frames) = drawn.split_once(": ").unwrap_or((drawn, ""));
        let (mark, of) = head.split_once(' ').expect("a mark");
        let (cap, thread) = of.split_once('/').expect("a capability");
        let [cap, thread] = [cap, thread].map(|number| number.parse::<u32>().expect("a number"));
        let frames: Vec<&str> = frames.split_whitespace().collect();
        let mut bytes = cap.to_be_bytes().to_vec();
        bytes.extend(if self == V5 { u64::from(thread).to_be_bytes().to_vec() } else { thread.to_be_bytes().to_vec() });
        bytes.extend((frames.len() as u16).to_be_bytes());
        for letter in frames.iter().filter_map(|frame| frame.bytes().next()) {
            let number = u64::from(letter).to_be_bytes();
            bytes.push(if letter.is_ascii_digit() { 1 } else { 2 + u8::from(letter.is_ascii_uppercase()) });
            bytes.extend(number);
            bytes.extend(if letter.is_ascii_uppercase() && self != V1 { &number[..] } else { &[] });
        }
        self.message(u8::from_str_radix(mark, 16).expect("a mark"), &[&bytes])
    }

    /// The same stack as the version writes it, in messages of `most` frames: `0/7: a b c`, the outermost frame first.
    fn stack(self, most: usize, drawn: &str) -> Vec<Vec<u8>> {
        let (of, frames) = drawn.split_once(": ").expect("frames");
        let mut frames: Vec<&str> = frames.split_whitespace().collect();
        if self == V1 {
            frames.reverse();
        }
        let pieces: Vec<String> = frames.chunks(most).map(|piece| piece.join(" ")).collect();
        let mark = |at: usize| if at + 1 < pieces.len() { "cb" } else { "ca" };
        pieces.iter().enumerate().map(|(at, piece)| self.piece(&format!("{} {of}: {piece}", mark(at)))).collect()
    }

    fn string(self, number: u64, text: &str) -> Vec<u8> {
        let length = if self == V5 { text.len() } else { text.chars().count() } as u16;
        self.message(0xcc, &[&number.to_be_bytes(), &length.to_be_bytes(), text.as_bytes()])
    }

    /// A place in line 3 of file 102, in function 101.
    fn location(self, number: u64) -> Vec<u8> {
        let function: &[u8] = if self == V1 { &101u64.to_be_bytes() } else { &[] };
        let (row, column) = (3u32.to_be_bytes(), 4u32.to_be_bytes());
        self.message(0xcd, &[&number.to_be_bytes(), &row, &column, function, &102u64.to_be_bytes()])
    }
}

/// The numbers of a reader's strings and locations: frames have their places.
#[derive(Default)]
struct Drawing {
    stacks: StackMessages,
    numbers: Vec<(Frame, u64)>,
    /// Samples as drawings: `7 on 0: b a`, the outermost frame first.
    samples: Vec<String>,
}

impl Drawing {
    fn with(&mut self, step: impl FnOnce(&mut StackMessages, &mut TakeStacks<'_>)) {
        let Self { stacks, numbers, samples } = self;
        step(stacks, &mut |_, message| match message {
            StackMessage::Meaning(Meant::NewString(id, number, _)) => numbers.push((Frame::Named(id), number)),
            StackMessage::Meaning(Meant::NewLocation(id, number, _)) => numbers.push((Frame::Function(id), number)),
            StackMessage::Meaning(_) => {}
            StackMessage::Sample(ThreadSample { cap, thread, frames, is_cut }) => {
                let number =
                    |of: Frame| numbers.iter().find(|(frame, _)| *frame == of).map_or(0, |(_, number)| *number);
                let letter = |frame: &Frame| match *frame {
                    Frame::InfoTable(InfoTable(number)) => char::from(number as u8),
                    Frame::Placed(id, _) => char::from(number(Frame::Named(id)) as u8),
                    frame => char::from(number(frame) as u8),
                };
                let frames: String = frames.iter().map(letter).collect();
                samples.push(format!("{thread} on {cap}: {frames}{}", if is_cut { " cut" } else { "" }));
            }
        });
    }

    fn take(&mut self, messages: &[Vec<u8>]) -> &mut Self {
        messages.iter().for_each(|message| self.with(|stacks, out| stacks.take(Nanos(1), message, out)));
        self
    }

    fn end_stream(&mut self) -> &mut Self {
        self.with(StackMessages::end_stream);
        self
    }
}

/// The samples of some messages, in order; and the number of stacks without an end.
fn told(messages: &[Vec<u8>]) -> (Vec<String>, u64) {
    let mut drawing = Drawing::default();
    drawing.take(messages).end_stream();
    (drawing.samples, drawing.stacks.unfinished())
}

fn of(version: Version, drawn: &[&str]) -> Vec<Vec<u8>> {
    // A place in the source says which frame is first.
    [version.location(1)].into_iter().chain(drawn.iter().map(|drawn| version.piece(drawn))).collect()
}

const ALL: [Version; 3] = [V1, V3, V5];

#[test]
fn a_stack_starts_with_its_outermost_frame() {
    let innermost = "ca 2/7: a B 3";
    assert_eq!(told(&of(V1, &[innermost])), (alloc::vec!["7 on 2: 3Ba".into()], 0));
    for version in [V3, V5] {
        assert_eq!(told(&of(version, &[innermost])), (alloc::vec!["7 on 2: aB3".into()], 0), "{version:?}");
    }
    for version in ALL {
        assert_eq!(told(&of(version, &["ca 2/7"])), (alloc::vec!["7 on 2: ".into()], 0), "{version:?}");
    }
}

/// With pieces of each size, and pieces of threads and capabilities between one another.
#[test]
fn all_versions_tell_the_same_stacks() {
    let drawn = ["0/7: m l 1 A b c", "0/7: m l 1 A d", "1/9: n q", "0/7: m l 2", "1/9: n r s", "0/300: m"];
    for most in 1..7 {
        let samples = ALL.map(|version| {
            let stacks: Vec<_> = drawn.iter().map(|drawn| version.stack(most, drawn)).collect();
            let one_by_one = told(&stacks.concat());
            assert_eq!(one_by_one.0[0], "7 on 0: ml1Abc", "{version:?}");
            // The third stack's messages are put between those of the second one.
            let mut mixed = stacks.clone();
            let third = mixed.remove(2);
            mixed[1] = third.iter().take(1).chain(&mixed[1]).chain(third.iter().skip(1)).cloned().collect();
            let (mut mixed, unfinished) = told(&mixed.concat());
            mixed.sort();
            let mut sorted = one_by_one.0.clone();
            sorted.sort();
            assert_eq!((mixed, unfinished), (sorted, 0), "{version:?} {most}");
            one_by_one
        });
        assert_eq!(samples[0], samples[1], "{most}");
        assert_eq!(samples[1], samples[2], "{most}");
    }
}

#[test]
fn a_late_sign_turns_the_stacks_before_it() {
    for (version, sign) in
        [(V1, V1.location(5)), (V3, V3.location(5)), (V3, V3.piece("ca 1/8: A")), (V1, V1.piece("ca 1/8: A"))]
    {
        let mut drawing = Drawing::default();
        drawing.take(&version.stack(2, "0/7: m l k")).take(&[version.string(5, "x")]);
        assert!(drawing.samples.is_empty(), "{version:?}");
        drawing.take(&[sign]);
        assert_eq!(drawing.samples[0], "7 on 0: mlk", "{version:?}");
        assert!(!drawing.stacks.is_order_unknown);
    }
}

/// Without any other sign, stacks of one thread agree at their outermost ends.
#[test]
fn stacks_of_a_thread_have_a_common_end() {
    let drawn = ["0/7: m l k", "0/7: m l j k", "0/9: n k", "0/7: m k", "0/9: n m k"];
    for version in ALL {
        let stacks: Vec<_> = drawn.iter().map(|drawn| version.stack(9, drawn)).collect();
        let samples = told(&stacks.concat()).0;
        assert_eq!(samples, ["7 on 0: mlk", "7 on 0: mljk", "9 on 0: nk", "7 on 0: mk", "9 on 0: nmk"], "{version:?}");
    }
    // Nothing can be told from a single stack: the newer versions are more likely.
    let mut drawing = Drawing::default();
    drawing.take(&V3.stack(9, "0/7: m l k")).end_stream();
    assert_eq!((&drawing.samples[0][..], drawing.stacks.is_order_unknown), ("7 on 0: mlk", true));
    // A further stream is of the same program.
    let mut drawing = Drawing::default();
    drawing.take(&[V1.location(1)]).end_stream().take(&V1.stack(9, "0/7: m l k")).end_stream();
    assert_eq!((&drawing.samples[0][..], drawing.stacks.is_order_unknown), ("7 on 0: mlk", false));
}

/// If no stack waits for a sign, or all have one frame, nothing is unknown.
#[test]
fn the_order_of_single_frames_does_not_matter() {
    let mut drawing = Drawing::default();
    drawing.take(&of(V1, &[])).end_stream().take(&[V1.piece("ca 0/7: k"), V1.piece("ca 0/7")]).end_stream();
    assert_eq!(drawing.samples, ["7 on 0: k", "7 on 0: "]);
    assert!(!drawing.stacks.is_order_unknown);
}

#[test]
fn stacks_that_wait_for_a_sign_are_bounded() {
    let mut drawing = Drawing::default();
    let stack = [V1.stack(99, "0/7: m l k j").concat(), V1.stack(99, "0/7: m l i j").concat()];
    for at in 0..20_000 {
        drawing.take(&stack[at % 2..=at % 2]);
        assert!(drawing.stacks.bytes_held() < 4 * limits::MAX_WAITING_BYTES);
    }
    assert!(drawing.samples.len() > 19_990 && drawing.samples.iter().all(|drawn| drawn.starts_with("7 on 0: ml")));
}

/// `ff c0` may be a message of its own, and whoever listens late has not got it.
#[test]
fn the_version_may_be_missing_or_a_message_of_its_own() {
    let whole = V5.stack(2, "0/7: m A k");
    let bare: Vec<Vec<u8>> = whole.iter().map(|message| message[3..].to_vec()).collect();
    for messages in [bare.clone(), [&[alloc::vec![0xff, 0xc0, 1]], &bare[..]].concat()] {
        assert_eq!(told(&messages), (alloc::vec!["7 on 0: mAk".into()], 0));
    }
    // A version that has more to say.
    assert_eq!(told(&[&[alloc::vec![0xff, 0xc0, 9, 1, 2]], &bare[..]].concat()).0, ["7 on 0: mAk"]);
}

/// A program of another version may have written on in the same file.
#[test]
fn each_message_is_read_in_its_own_layout() {
    let messages: Vec<Vec<u8>> = ALL.iter().flat_map(|version| version.stack(9, "0/7: m A k")).collect();
    assert_eq!(told(&messages), (alloc::vec!["7 on 0: mAk".to_string(); 3], 0));
}

#[test]
fn messages_are_joined_by_capability_and_thread() {
    let (stacks, unfinished) = told(&of(
        V3,
        &[
            "cb 0/7: a b", // the outermost frames of thread 7
            "cb 1/7: x",   // the same thread on another capability is another stack
            "cb 0/8: p",
            "ca 1/7: y",
            "cb 0/7: c",
            "ca 0/9: q", // whole
            "ca 0/7: d",
            "ca 0/7: e", // the next one
        ],
    ));
    assert_eq!(stacks, ["7 on 1: xy", "9 on 0: q", "7 on 0: abcd", "7 on 0: e"]);
    assert_eq!(unfinished, 1);
}

#[test]
fn a_further_stream_does_not_continue_open_stacks() {
    let mut drawing = Drawing::default();
    drawing.take(&of(V3, &["cb 0/7: a"])).end_stream().take(&of(V3, &["ca 0/7: b"])).end_stream();
    assert_eq!((&drawing.samples[..], drawing.stacks.unfinished()), (&["7 on 0: b".to_string()][..], 1));
}

/// The meanings that some messages give.
fn meanings(messages: &[Vec<u8>]) -> Vec<String> {
    let (mut stacks, mut meanings) = (StackMessages::default(), Vec::new());
    let mut out = |_, message: StackMessage<'_>| match message {
        StackMessage::Meaning(Meant::String(id, text)) => {
            meanings.push(format!("{} {}", id.0, String::from_utf8_lossy(text.0)));
        }
        StackMessage::Meaning(Meant::Location(id, at)) => {
            let function = at.function.map_or(String::new(), |function| format!(" in {}", function.0));
            meanings.push(format!("{} at {}:{}:{}{function}", id.0, at.file.0, at.row, at.column));
        }
        _ => {}
    };
    messages.iter().for_each(|message| stacks.take(Nanos(1), message, &mut out));
    stacks.end_stream(&mut out);
    meanings
}

#[test]
fn definitions_are_read_in_all_layouts() {
    for version in ALL {
        let messages = [version.string(101, "für"), version.string(102, ""), version.location(9)];
        let function = if version == V1 { " in 0" } else { "" };
        let expected = ["0 für".to_string(), "1 ".into(), format!("0 at 1:3:4{function}")];
        assert_eq!(meanings(&messages), expected, "{version:?}");
        // The same once more, and another text.
        let again = [&messages[..], &messages, &[version.string(102, "x")]].concat();
        assert_eq!(meanings(&again), [&expected[..], &["2 x".into()]].concat(), "{version:?}");
    }
}

/// Each byte of a message counts: no piece of it is read as something else.
#[test]
fn a_message_must_be_used_up_exactly() {
    for version in ALL {
        let begin = if version == V5 { 3 } else { 0 };
        for whole in [version.string(5, "fur"), version.location(9), version.piece("ca 0/7: a B 3")] {
            // A place in the source without its last 8 bytes is one of a later version.
            for end in (begin + 2..whole.len()).filter(|end| (version, *end) != (V1, 26)) {
                assert_eq!(meanings(&[whole[..end].to_vec()]), [""; 0], "{version:?} {end}");
                assert_eq!(told(&[version.location(9), whole[..end].to_vec()]).0, [""; 0], "{version:?} {end}");
            }
            let longer = [&whole[..], &[0]].concat();
            assert_eq!(
                (meanings(core::slice::from_ref(&longer)), told(&[longer]).0),
                (Vec::new(), Vec::new()),
                "{version:?}"
            );
        }
    }
}

/// A damaged message that does not say which stack it belongs to changes no open stack; it is counted.
#[test]
fn damaged_and_unknown_messages_are_counted() {
    let whole = V3.piece("ca 0/7: a B 3");
    let mut drawing = Drawing::default();
    drawing.take(&of(V3, &["cb 0/7: z"]));
    // Up to the thread.
    let cut: Vec<Vec<u8>> = (0..10).map(|end| whole[..end].to_vec()).collect();
    drawing.take(&cut);
    assert_eq!((drawing.samples.len(), drawing.stacks.unread), (0, 8), "the mark alone is 2 bytes");
    for (at, byte, unread) in [(0, 0xfe, 8), (1, 0xc9, 9), (1, 0xce, 10), (1, 0, 11)] {
        let mut damaged = whole.clone();
        damaged[at] = byte;
        assert_eq!(drawing.take(&[damaged]).stacks.unread, unread);
    }
    assert_eq!(drawing.take(&[whole]).samples, ["7 on 0: zaB3"]);
}

/// Nothing of it is joined to what comes before or after, whichever message is damaged; a stack of one message is treated
/// as any other message.
#[test]
fn a_stack_with_a_damaged_message_is_given_up() {
    for spoilt in 0..3 {
        for kind in [0, 4, 9] {
            let mut drawing = Drawing::default();
            let mut pieces = of(V3, &["cb 0/7: a b", "cb 0/7: c d", "ca 0/7: e f"]);
            pieces[spoilt + 1][12] = kind;
            assert_eq!(drawing.take(&pieces).samples, [""; 0], "{spoilt}");
            drawing.take(&[V3.piece("ca 0/7: x")]);
            assert_eq!((&drawing.samples[..], drawing.stacks.unfinished()), (&["7 on 0: x".to_string()][..], 1));
        }
    }
    let mut drawing = Drawing::default();
    drawing.take(&[V3.piece("ca 0/7: a b c")[..20].to_vec()]).end_stream();
    assert_eq!((drawing.samples.len(), drawing.stacks.unfinished(), drawing.stacks.unread), (0, 0, 1));
}

#[test]
fn a_stack_given_up_for_lack_of_room_does_not_come_back_without_its_beginning() {
    let mut drawing = Drawing::default();
    drawing.take(&of(V3, &[]));
    for thread in 0..=limits::MAX_OPEN_STACKS {
        drawing.take(&[V3.piece(&format!("cb 0/{thread}: a"))]);
    }
    drawing.take(&["cb 0/0: b", "ca 0/0: c", "ca 0/0: d"].map(|drawn| V3.piece(drawn)));
    assert_eq!((&drawing.samples[..], drawing.stacks.unfinished()), (&["0 on 0: d".to_string()][..], 1));
}

#[test]
fn open_stacks_are_bounded() {
    for version in ALL {
        let mut drawing = Drawing::default();
        drawing.take(&of(version, &[]));
        let many = "a ".repeat(5000);
        let begin = if version == V1 { format!("cb 0/7: y z {many}") } else { format!("cb 0/7: z y {many}") };
        drawing.take(&[version.piece(&begin)]);
        drawing.take(&[version.piece(&format!("cb 0/7: {many}")), version.piece("ca 0/7: i")]);
        // Only its outer part is left.
        let drawn = drawing.samples.last().unwrap();
        let outer = if version == V1 { "7 on 0: iaaa" } else { "7 on 0: zyaaa" };
        assert!(drawn.starts_with(outer) && drawn.ends_with("aaa cut"), "{version:?}");
        for thread in 0..2 * limits::MAX_OPEN_STACKS {
            drawing.take(&[version.piece(&format!("cb 0/{thread}: a b"))]);
        }
        assert_eq!(drawing.stacks.unfinished(), limits::MAX_OPEN_STACKS as u64);
        for thread in 0..20 {
            drawing.take(&[version.piece(&format!("cb 1/{thread}: {many}"))]);
            assert!(drawing.stacks.bytes_held() < 8 * limits::MAX_OPEN_FRAMES * size_of::<Frame>());
        }
        drawing.end_stream();
        assert_eq!(drawing.stacks.unfinished(), 2 * limits::MAX_OPEN_STACKS as u64 + 20);
    }
}
