//! Generates `web/js/wire.d.ts`, the types of the objects that cross to JavaScript, from the structs that are
//! serialized. `BLESS=1 cargo test -p ghc-eventlog-wasm --lib` writes the file; without BLESS, the same test compares
//! it.

use crate::{
    calls::CallTreeInfo,
    describe::{JobInfo, LookInfo, Notice, PlanInfo, ProcessInfo, Status, TreeInfo},
    events::{EventsCounted, EventsPage, ReadEventInfo},
    facts::{FactsInfo, PageInfo},
    findings::{AccountInfo, FindingsInfo, IdleReasonInfo},
    found::PlaceInfo,
    search::{CompletionsInfo, FoundSoFar, HitInfo, NameGroup, QueryFault},
};
use ghc_eventlog_model::{Shape, Unit};
use std::{
    any::TypeId,
    collections::{BTreeMap, HashSet},
    env, fs,
    iter::successors,
    path::Path,
};
use ts_rs::{Config, TS, TypeVisitor};

const HEAD: &str = "// The types of the plain objects that come from the binding. Generated from crates/ghc-eventlog-wasm/src/ (wire.rs there says how): do not edit.\n";

/// The types that the binding serializes. The types of their parts are included.
fn declarations() -> BTreeMap<String, String> {
    let mut all = Declarations::default();
    all.visit::<AccountInfo>();
    all.visit::<CallTreeInfo>();
    all.visit::<CompletionsInfo>();
    all.visit::<EventsCounted>();
    all.visit::<EventsPage>();
    all.visit::<FactsInfo>();
    all.visit::<FindingsInfo>();
    all.visit::<FoundSoFar>();
    all.visit::<HitInfo>();
    all.visit::<IdleReasonInfo>();
    all.visit::<JobInfo>();
    all.visit::<Vec<LookInfo>>();
    all.visit::<Vec<Notice>>();
    all.visit::<NameGroup>();
    all.visit::<PageInfo>();
    all.visit::<PlaceInfo>();
    all.visit::<PlanInfo>();
    all.visit::<ProcessInfo>();
    all.visit::<QueryFault>();
    all.visit::<ReadEventInfo>();
    all.visit::<Status>();
    all.visit::<TreeInfo>();
    all.by_name.insert(
        "Unit".into(),
        words("The unit of a value.", "Unit", successors(Some(Unit::Text), |unit| next_unit(*unit)).map(Unit::name)),
    );
    all.by_name.insert(
        "Shape".into(),
        words(
            "How a track is drawn.",
            "Shape",
            successors(Some(Shape::States), |shape| next_shape(*shape)).map(Shape::name),
        ),
    );
    all.by_name
}

/// A union type of words.
fn words(doc: &str, name: &str, words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    format!("/** {doc} */\nexport type {name} = {};\n", words.join(" | "))
}

/// The units in order. A new unit does not compile until it has a place here.
fn next_unit(unit: Unit) -> Option<Unit> {
    Some(match unit {
        Unit::Text => Unit::Time,
        Unit::Time => Unit::Duration,
        Unit::Duration => Unit::Bytes,
        Unit::Bytes => Unit::BytesPerSecond,
        Unit::BytesPerSecond => Unit::Count,
        Unit::Count => Unit::PerSecond,
        Unit::PerSecond => Unit::Share,
        Unit::Share => Unit::Thread,
        Unit::Thread => Unit::Capability,
        Unit::Capability => Unit::Offset,
        Unit::Offset => Unit::ByteTime,
        Unit::ByteTime => Unit::Growth,
        Unit::Growth => Unit::Change,
        Unit::Change => Unit::Integer,
        Unit::Integer => Unit::Levels,
        Unit::Levels => return None,
    })
}

/// The shapes in order.
fn next_shape(shape: Shape) -> Option<Shape> {
    Some(match shape {
        Shape::States => Shape::Level,
        Shape::Level => Shape::Line { unit: Unit::Count, most: 0, below: 0, role: "" },
        Shape::Line { .. } => Shape::Bands { unit: Unit::Bytes, most: 0 },
        Shape::Bands { .. } => Shape::Names,
        Shape::Names => Shape::Points { role: "" },
        Shape::Points { .. } => return None,
    })
}

/// Types, with the types of their parts.
#[derive(Default)]
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Lists and similar types have no declaration of their own.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declared =
                format!("{}export {}\n", with_short_docs(&docs, ""), with_short_docs(&T::decl(&self.config), "    "));
            self.by_name.insert(T::ident(&self.config), declared);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Puts each comment with one line of text on one line. The lines after the first begin with `indent`.
fn with_short_docs(text: &str, indent: &str) -> String {
    let text = text.replace("/**\n * ", "/** ").replace("\n */\n", " */\n");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join(&format!("\n{indent}")) + if text.ends_with('\n') { "\n" } else { "" }
}

#[test]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
fn wire_d_ts_has_the_types_that_are_serialized() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/js/wire.d.ts");
    let all = declarations();
    let text = format!("{HEAD}\n{}", all.into_values().collect::<Vec<_>>().join("\n"));
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &text).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap_or_default() == text,
        "web/js/wire.d.ts is out of date: BLESS=1 writes it"
    );
}
