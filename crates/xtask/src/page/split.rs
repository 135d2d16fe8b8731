//! Cuts the page's wasm in two: what every log needs, and what waits until somebody asks for it, such as the texts of single events. The
//! first is what the page loads; the worker loads the second by itself (web/js/worker/second.js).
//!
//! ```text
//! before      markdown: <body>                  words: <body>      feed: <body>
//!
//! first       markdown: call table[70]          (not there)        feed: <body>
//! second      70: <body>                        words: <body>      (imported, where it is called)
//! ```
//!
//! Both share memory and stack. The second has the bodies of [`DEFERRED`], and whatever nothing else calls. What stands in their place in
//! the first calls through the table, where the worker puts those of the second. Data stay in the first.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use walrus::ir::{
    BinaryOp, Call, CallIndirect, Instr, InstrLocId, Visitor, VisitorMut, dfs_in_order, dfs_pre_order_mut,
};
use walrus::{
    ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalKind, ImportId, ImportKind, ImportedFunction, Module,
    ModuleConfig, RefType, TableId, TypeId, ValType, passes,
};

/// What waits, by the names of exports or of functions, without the hash after those: nothing calls any of them before the worker has
/// loaded the second part (`Answering` in web/js/worker/answering.js).
pub(crate) const DEFERRED: [&str; 7] = [
    "log_markdown",
    "log_flame",
    // Rows of a table that are sorted, or filtered.
    "ghc_eventlog_model::facts::table::order::chosen",
    // All events, one by one; and a single one of those that are points on the timeline.
    "log_read_rows",
    "log_rows_read",
    "<ghc_eventlog_model::asking::events::EventRows as ghc_eventlog_model::asking::job::Job>::give",
    "ghc_eventlog_model::asking::events::event_at::EventAt::take",
];

/// Where the second part gets all that the first has.
const FIRST: &str = "first";

/// The two parts.
pub(crate) struct Parts {
    pub(crate) first: Vec<u8>,
    pub(crate) second: Vec<u8>,
}

/// Cuts a module in two.
///
/// Both say what they were cut from: the first by a function `second-<hash>`, which is given a number and a function; the second by its
/// functions `second-<hash>-<number>`, which are to be given to that.
///
/// The table itself is within the first part only: Chromium's debugger dies where it looks at an exported table of functions.
///
/// # Errors
/// When something that shall wait is not there, or the module is none.
pub(crate) fn split(wasm: &[u8], deferred: &[&str]) -> Result<Parts> {
    let key = format!("second-{}", hash(wasm));
    let (mut first, table, place) = without(wasm, deferred)?;
    let put = putting(&mut first, table, place)?;
    first.exports.add(&key, put);

    // However often a module is read, its items have the same places.
    let mut second = config().parse(wasm)?;
    let entries = entries(&second, deferred)?;
    keep_only(&mut second, &entries, &key);
    import_all(&mut second, &kept(wasm, deferred)?, &entries);
    passes::gc::run(&mut second);
    call_by_first(&mut second, &mut first, table);
    passes::gc::run(&mut second);

    export_for(&mut first, &second)?;
    passes::gc::run(&mut first);
    Ok(Parts { first: first.emit_wasm(), second: second.emit_wasm() })
}

/// The module with calls in the place of what shall wait; the table that they go through, and the first of their places in it.
fn without(wasm: &[u8], deferred: &[&str]) -> Result<(Module, TableId, u64)> {
    let mut module = config().parse(wasm)?;
    let entries = entries(&module, deferred)?;
    let table = module.tables.main_function_table()?.context("no table of functions")?;
    let place = add_places(&mut module, table, entries.len());
    for (entry, place) in entries.into_iter().zip(place..) {
        call_through(&mut module, entry, table, place)?;
    }
    Ok((module, table, place))
}

/// A function that puts another one into a table: so many places after `place`.
fn putting(module: &mut Module, table: TableId, place: u64) -> Result<FunctionId> {
    let function = ValType::Ref(RefType::FUNCREF);
    let (at, given) = (module.locals.add(ValType::I32), module.locals.add(function));
    let mut builder = FunctionBuilder::new(&mut module.types, &[ValType::I32, function], &[]);
    let mut body = builder.func_body();
    body.local_get(at).i32_const(i32::try_from(place)?).binop(BinaryOp::I32Add).local_get(given).table_set(table);
    Ok(builder.finish(vec![at, given], &mut module.funcs))
}

/// The second part's calls through the table are made by functions of the first, one for each type of what is called.
fn call_by_first(second: &mut Module, first: &mut Module, table: TableId) {
    let mut calls = Calls { types: BTreeMap::new() };
    let functions: Vec<_> = second.funcs.iter_local().map(|(id, _)| id).collect();
    for id in &functions {
        let function = second.funcs.get(*id).kind.unwrap_local();
        dfs_in_order(&mut calls, function, function.entry_block());
    }
    for (at, (ty, call)) in calls.types.iter_mut().enumerate() {
        let name = format!("c{at}");
        let (params, results) = (second.types.get(*ty).params().to_vec(), second.types.get(*ty).results().to_vec());
        // The place in the table comes last, as it does where it is called.
        let with_place = [&params[..], &[ValType::I32]].concat();
        let imported = second.types.add(&with_place, &results);
        *call = Some(second.add_import_func(FIRST, &name, imported).0);

        let arguments: Vec<_> = with_place.iter().map(|ty| first.locals.add(*ty)).collect();
        let mut builder = FunctionBuilder::new(&mut first.types, &with_place, &results);
        let called = first.types.add(&params, &results);
        let mut body = builder.func_body();
        for argument in &arguments {
            body.local_get(*argument);
        }
        body.call_indirect(called, table);
        let by_first = builder.finish(arguments, &mut first.funcs);
        first.exports.add(&name, by_first);
    }
    for id in functions {
        let function = second.funcs.get_mut(id).kind.unwrap_local_mut();
        let entry = function.entry_block();
        dfs_pre_order_mut(&mut calls, function, entry);
    }
}

/// The types of what is called through a table; and who makes the call instead.
struct Calls {
    types: BTreeMap<TypeId, Option<FunctionId>>,
}

impl Visitor<'_> for Calls {
    fn visit_call_indirect(&mut self, call: &CallIndirect) {
        self.types.entry(call.ty).or_default();
    }
}

impl VisitorMut for Calls {
    fn visit_instr_mut(&mut self, instr: &mut Instr, _: &mut InstrLocId) {
        if let Instr::CallIndirect(CallIndirect { ty, .. }) = instr
            && let Some(Some(func)) = self.types.get(ty)
        {
            *instr = Instr::Call(Call { func: *func });
        }
    }
}

/// The functions that the first part needs, and all of JS, by their places.
fn kept(wasm: &[u8], deferred: &[&str]) -> Result<BTreeSet<usize>> {
    let (mut module, ..) = without(wasm, deferred)?;
    let of_js = module.funcs.iter().filter(|of| matches!(of.kind, FunctionKind::Import(_)));
    let mut kept: BTreeSet<usize> = of_js.map(|of| of.id().index()).collect();
    passes::gc::run(&mut module);
    kept.extend(module.funcs.iter().map(|of| of.id().index()));
    Ok(kept)
}

fn config() -> ModuleConfig {
    let mut config = ModuleConfig::new();
    // Whoever makes it smaller afterwards has no use for names.
    config.generate_name_section(false).generate_producers_section(false);
    config
}

/// How the parts fit together: another number whenever that changes.
const FORM: u8 = 1;

fn hash(wasm: &[u8]) -> String {
    let hash = Sha256::new().chain_update([FORM]).chain_update(wasm).finalize();
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The functions that shall wait.
fn entries(module: &Module, deferred: &[&str]) -> Result<Vec<FunctionId>> {
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let path = |name: &str| {
        name.rsplit_once("::h").filter(|(_, hash)| is_hash(hash)).map_or(name, |(path, _)| path).to_string()
    };
    // Several of one name are made of one function for several types: none of them is named for sure.
    let named = |name: &str| {
        let mut all = module.funcs.iter().filter(|of| of.name.as_deref().is_some_and(|other| path(other) == name));
        all.next().filter(|_| all.next().is_none()).map(|of| of.id())
    };
    let found = deferred.iter().map(|name| {
        let entry = module.exports.get_func(name).ok().or_else(|| named(name));
        entry.with_context(|| format!("the wasm has no function {name}, or several: it may have been put in line"))
    });
    found.collect()
}

/// Makes room in a table; the first of the new places.
fn add_places(module: &mut Module, table: TableId, count: usize) -> u64 {
    let table = module.tables.get_mut(table);
    let place = table.initial;
    table.initial += count as u64;
    table.maximum = table.maximum.map(|most| most.max(table.initial));
    place
}

/// Puts a call of what stands in the table in the place of a function's body.
fn call_through(module: &mut Module, entry: FunctionId, table: TableId, place: u64) -> Result<()> {
    let of = module.types.get(module.funcs.get(entry).ty());
    let (params, results) = (of.params().to_vec(), of.results().to_vec());
    let ty = module.funcs.get(entry).ty();
    let arguments: Vec<_> = params.iter().map(|ty| module.locals.add(*ty)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    let mut body = builder.func_body();
    for argument in &arguments {
        body.local_get(*argument);
    }
    body.i32_const(i32::try_from(place)?).call_indirect(ty, table);
    module.funcs.get_mut(entry).kind = FunctionKind::Local(builder.local_func(arguments));
    Ok(())
}

/// What waits is all that the module gives, and all that it has at first.
fn keep_only(module: &mut Module, entries: &[FunctionId], key: &str) {
    let exports: Vec<_> = module.exports.iter().map(|export| export.id()).collect();
    exports.into_iter().for_each(|id| module.exports.delete(id));
    module.start = None;
    let data: Vec<_> = module.data.iter().map(|data| data.id()).collect();
    data.into_iter().for_each(|id| module.data.delete(id));
    let elements: Vec<_> = module.elements.iter().map(|element| element.id()).collect();
    elements.into_iter().for_each(|id| module.elements.delete(id));
    module.memories.iter_mut().for_each(|memory| memory.data_segments.clear());
    module.tables.iter_mut().for_each(|table| table.elem_segments.clear());
    for (at, entry) in entries.iter().enumerate() {
        module.exports.add(&format!("{key}-{at}"), *entry);
    }
}

/// All else is imported: memory, tables, globals, and the functions that the first part keeps.
fn import_all(module: &mut Module, kept: &BTreeSet<usize>, entries: &[FunctionId]) {
    let imports: Vec<_> = module.imports.iter().map(|import| import.id()).collect();
    imports.into_iter().for_each(|id| module.imports.delete(id));
    let functions: Vec<_> = module.funcs.iter().map(|of| (of.id(), of.ty())).collect();
    for (id, ty) in functions.into_iter().filter(|(id, _)| kept.contains(&id.index()) && !entries.contains(id)) {
        let import = import(module, 'f', id.index(), id);
        module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
    }
    let globals: Vec<_> = module.globals.iter().map(|global| global.id()).collect();
    for id in globals {
        let import = import(module, 'g', id.index(), id);
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
    let tables: Vec<_> = module.tables.iter().map(|table| table.id()).collect();
    for id in tables {
        let import = import(module, 't', id.index(), id);
        let table = module.tables.get_mut(id);
        table.import = Some(import);
        // As large as the first part has made it.
        table.maximum = None;
    }
    let memories: Vec<_> = module.memories.iter().map(|memory| memory.id()).collect();
    for id in memories {
        let import = import(module, 'm', id.index(), id);
        module.memories.get_mut(id).import = Some(import);
    }
}

/// An import of what the first part has at the same place of its list.
fn import(module: &mut Module, kind: char, index: usize, item: impl Into<ImportKind>) -> ImportId {
    module.imports.add(FIRST, &format!("{kind}{index}"), item)
}

/// Gives the second part what it imports.
fn export_for(first: &mut Module, second: &Module) -> Result<()> {
    let same = |kind: &ImportKind| match kind {
        ImportKind::Function(id) => {
            first.funcs.iter().find(|of| of.id().index() == id.index()).map(|of| ExportItem::Function(of.id()))
        }
        ImportKind::Global(id) => {
            first.globals.iter().find(|of| of.id().index() == id.index()).map(|of| ExportItem::Global(of.id()))
        }
        ImportKind::Table(id) => {
            first.tables.iter().find(|of| of.id().index() == id.index()).map(|of| ExportItem::Table(of.id()))
        }
        ImportKind::Memory(id) => {
            first.memories.iter().find(|of| of.id().index() == id.index()).map(|of| ExportItem::Memory(of.id()))
        }
        ImportKind::Tag(_) => None,
    };
    let given: BTreeSet<String> = first.exports.iter().map(|export| export.name.clone()).collect();
    let wanted: Vec<_> = second.imports.iter().filter(|import| !given.contains(&import.name)).collect();
    let items: Vec<_> = wanted.iter().map(|import| same(&import.kind)).collect();
    for (import, item) in wanted.into_iter().zip(items) {
        let item = item.with_context(|| format!("the first part has no {} for the second", import.name))?;
        first.exports.add(&import.name, item);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that a body has in it, so that it can be told where that body is.
    const BODIES: [i32; 4] = [70_001, 70_002, 70_003, 70_004];

    /// `early` and `late` are exported; `late` calls `both`, as `early` does, `own`, and what stands in the table.
    fn module() -> Vec<u8> {
        let mut module = Module::default();
        let table = module.tables.add_local(false, 3, Some(3), RefType::FUNCREF);
        let through = module.types.add(&[ValType::I32], &[ValType::I32]);
        let [early, late, both, own] = BODIES;
        let mut add = |name: &str, number: i32, calls: &[FunctionId]| {
            let mut builder = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
            let argument = module.locals.add(ValType::I32);
            let mut body = builder.name(name.into()).func_body();
            body.local_get(argument).i32_const(number).binop(BinaryOp::I32Add);
            for call in calls {
                body.call(*call);
            }
            if name == "late" {
                body.i32_const(0).call_indirect(through, table);
            }
            builder.finish(vec![argument], &mut module.funcs)
        };
        let both = add("crate::both::h0123456789abcdef", both, &[]);
        let own = add("crate::own::h0123456789abcdef", own, &[]);
        let early = add("early", early, &[both]);
        let late = add("late", late, &[both, own]);
        module.exports.add("early", early);
        module.exports.add("late", late);
        module.emit_wasm()
    }

    /// Which bodies a module has.
    fn bodies(wasm: &[u8]) -> Vec<i32> {
        struct Numbers(Vec<i32>);
        impl Visitor<'_> for Numbers {
            fn visit_const(&mut self, instr: &walrus::ir::Const) {
                if let walrus::ir::Value::I32(number) = instr.value {
                    self.0.push(number);
                }
            }
        }
        let module = Module::from_buffer(wasm).unwrap();
        let mut numbers = Numbers(Vec::new());
        for (_, function) in module.funcs.iter_local() {
            dfs_in_order(&mut numbers, function, function.entry_block());
        }
        numbers.0.retain(|number| BODIES.contains(number));
        numbers.0.sort_unstable();
        numbers.0
    }

    #[test]
    fn what_shall_wait_is_in_the_second_part_with_what_nothing_else_calls() {
        let [early, late, both, own] = BODIES;
        let Parts { first, second } = split(&module(), &["late"]).unwrap();
        assert_eq!((bodies(&first), bodies(&second)), (vec![early, both], vec![late, own]));
        // By the name of a function, whatever hash stands after it.
        let Parts { first, second } = split(&module(), &["crate::both"]).unwrap();
        assert_eq!((bodies(&first), bodies(&second)), (vec![early, late, own], vec![both]));
    }

    #[test]
    fn the_first_part_gives_what_the_second_imports_and_both_say_what_they_are_of() {
        let Parts { first, second } = split(&module(), &["late", "early"]).unwrap();
        let (first, second) = (Module::from_buffer(&first).unwrap(), Module::from_buffer(&second).unwrap());
        for import in second.imports.iter() {
            assert_eq!(import.module, FIRST);
            assert!(first.exports.iter().any(|export| export.name == import.name), "{}", import.name);
        }
        let key = &first.exports.iter().find(|export| export.name.starts_with("second-")).unwrap().name;
        let names: Vec<_> = second.exports.iter().map(|export| export.name.clone()).collect();
        assert_eq!(names, [format!("{key}-0"), format!("{key}-1")]);
        let table = first.tables.iter().next().unwrap();
        assert_eq!((table.initial, table.maximum), (5, Some(5)), "room for both");
        // It stays where it is: what the second part calls through it, the first calls for it.
        assert!(first.exports.iter().all(|export| !matches!(export.item, ExportItem::Table(_))));
        assert_eq!(second.tables.iter().count(), 0);
        assert!(second.imports.iter().any(|import| import.name == "c0"));
        // What was exported is so still.
        for name in ["early", "late"] {
            assert!(first.exports.iter().any(|export| export.name == name), "{name}");
        }
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = split(&module(), &["crate::gone"]).err().unwrap().to_string();
        assert!(error.contains("crate::gone"), "{error}");
    }
}
