//! Splits the page's wasm in two: what reading and drawing need, which the page loads at its start, and the rest, which
//! it loads after that.
//!
//! The rest shares memory, tables and globals with the first module. Where the first one calls a function of the rest,
//! it has a small function instead that calls through a slot of the table. The rest fills those slots when it starts. A
//! call that comes earlier loads the rest first, by [`LOAD`]: which functions are in the rest is a matter of speed only.

use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use walrus::ir::{Call, Instr, Value, VisitorMut, dfs_pre_order_mut};
use walrus::{ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind};
use walrus::{GlobalId, GlobalKind, ImportedFunction, Module, TableId, ValType};

/// The export of the whole module that loads the rest, and returns when it is there.
const LOAD: &str = "load_rest";

/// The first module exports its table of functions under this name. The page's script looks for it.
const TABLE: &str = "rest_table";

/// The name under which the rest imports what the first module exports.
const FIRST: &str = "first";

/// What the rest consists of.
pub(super) struct Rest<'r> {
    /// Functions that scripts call once the first picture is there.
    pub(super) exports: &'r [&'r str],
    /// What the paths of Rust functions contain that only these use, or that are needed rarely.
    pub(super) paths: &'r [&'r str],
}

impl Rest<'_> {
    fn has(&self, path: &str) -> bool {
        // What is dropped may be of a type of the rest that nothing made.
        !path.starts_with("core::ptr::drop_in_place") && self.paths.iter().any(|part| path.contains(part))
    }
}

/// The first module and the rest.
///
/// # Errors
/// When the module is not one that the Rust compiler and wasm-bindgen make.
pub(super) fn split(whole: &[u8], rest: &Rest) -> Result<[Vec<u8>; 2]> {
    let mut first = Module::from_buffer(whole)?;
    let plan = Plan::new(&mut first, rest)?;
    plan.keep_first(&mut first)?;
    let mut second = Module::from_buffer(whole)?;
    plan.keep_rest(&mut second)?;
    Ok([first.emit_wasm(), second.emit_wasm()])
}

/// Which functions go where. Functions are given by their index, which is the same in every copy of the module.
struct Plan {
    /// The functions of the rest that the first module calls or has in its table, with their slots.
    entries: BTreeMap<usize, Vec<i32>>,
    /// The functions of the first module that the rest calls.
    called: BTreeSet<usize>,
    /// How long the table is.
    slots: u64,
}

impl Plan {
    fn new(module: &mut Module, rest: &Rest) -> Result<Self> {
        let table = table(module)?;
        let mut entries = slots(module, table)?;
        let calls = calls(module);
        let exported: BTreeMap<&str, usize> = module
            .exports
            .iter()
            .filter_map(|export| match export.item {
                ExportItem::Function(function) => Some((export.name.as_str(), function.index())),
                _ => None,
            })
            .collect();
        for name in rest.exports.iter().chain([&LOAD]) {
            ensure!(exported.contains_key(name), "the wasm has no export {name}");
        }
        let in_rest: BTreeSet<usize> = rest.exports.iter().filter_map(|name| exported.get(name).copied()).collect();
        let by_path: BTreeSet<usize> = module
            .funcs
            .iter_local()
            .filter(|(id, _)| module.funcs.get(*id).name.as_ref().is_some_and(|path| rest.has(path)))
            .map(|(id, _)| id.index())
            .collect();
        let is_rest = |function: &usize| in_rest.contains(function) || by_path.contains(function);

        let roots = exported.values().chain(entries.keys()).copied().chain(module.start.map(|start| start.index()));
        let mut open: Vec<usize> = roots.filter(|function| !is_rest(function)).collect();
        let mut kept: BTreeSet<usize> = module.funcs.iter().map(|function| function.id().index()).collect();
        kept.retain(|function| !calls.contains_key(function));
        while let Some(function) = open.pop() {
            if kept.insert(function) {
                open.extend(calls[&function].iter().filter(|callee| !is_rest(callee) && !kept.contains(callee)));
            }
        }
        let mut slots = module.tables.get(table).initial;
        entries.retain(|function, _| !kept.contains(function));
        let called_by_kept = kept.iter().filter_map(|function| calls.get(function)).flatten();
        let from_outside = exported.values().chain(called_by_kept).filter(|function| !kept.contains(function));
        for &function in from_outside {
            entries.entry(function).or_insert_with(|| {
                slots += 1;
                vec![i32::try_from(slots - 1).unwrap_or(i32::MAX)]
            });
        }
        let by_rest = calls.iter().filter(|(function, _)| !kept.contains(function)).flat_map(|(_, callees)| callees);
        let called = by_rest.copied().filter(|function| kept.contains(function)).collect();
        Ok(Self { entries, called, slots })
    }

    /// Replaces the functions of the rest by calls through the table.
    fn keep_first(&self, module: &mut Module) -> Result<()> {
        let table = table(module)?;
        lengthen(module, table, self.slots);
        let load = module.exports.get_func(LOAD)?;
        let is_there = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
        builder.func_body().global_get(is_there).if_else(
            None,
            |_| {},
            |missing| {
                missing.call(load);
            },
        );
        let ensure_there = builder.finish(Vec::new(), &mut module.funcs);

        let ids: BTreeMap<usize, FunctionId> =
            module.funcs.iter().map(|function| (function.id().index(), function.id())).collect();
        for (function, slots) in &self.entries {
            let id = ids[function];
            let ty = module.funcs.get(id).ty();
            let (parameters, results) = {
                let ty = module.types.get(ty);
                (ty.params().to_vec(), ty.results().to_vec())
            };
            let arguments: Vec<_> = parameters.iter().map(|kind| module.locals.add(*kind)).collect();
            let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
            let mut body = builder.func_body();
            body.call(ensure_there);
            for argument in &arguments {
                body.local_get(*argument);
            }
            body.i32_const(slots[0]).call_indirect(ty, table);
            module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
        }
        for function in &self.called {
            module.exports.add(&exported_function(*function), ids[function]);
        }
        let globals: Vec<GlobalId> = module.globals.iter().map(walrus::Global::id).collect();
        for global in globals {
            let name = if global == is_there { IS_THERE.into() } else { exported_global(global) };
            module.exports.add(&name, global);
        }
        module.exports.add(TABLE, table);
        walrus::passes::gc::run(module);
        Ok(())
    }

    /// Keeps only the functions of the rest, and imports what they need.
    fn keep_rest(&self, module: &mut Module) -> Result<()> {
        let main = table(module)?;
        lengthen(module, main, self.slots);
        module.start = None;
        let memory = module.get_memory_id()?;
        let named: BTreeMap<TableId, String> = module
            .exports
            .iter()
            .filter_map(|export| match export.item {
                ExportItem::Table(table) => Some((table, export.name.clone())),
                _ => None,
            })
            .collect();
        for export in module.exports.iter().map(walrus::Export::id).collect::<Vec<_>>() {
            module.exports.delete(export);
        }
        for data in module.data.iter().map(walrus::Data::id).collect::<Vec<_>>() {
            module.data.delete(data);
        }
        module.memories.get_mut(memory).data_segments.clear();
        for element in module.elements.iter().map(walrus::Element::id).collect::<Vec<_>>() {
            module.elements.delete(element);
        }

        let import = module.imports.add(FIRST, "memory", memory);
        module.memories.get_mut(memory).import = Some(import);
        for table in module.tables.iter().map(walrus::Table::id).collect::<Vec<_>>() {
            let name = if table == main { TABLE } else { named.get(&table).context("a table that is not exported")? };
            let import = module.imports.add(FIRST, name, table);
            let table = module.tables.get_mut(table);
            table.import = Some(import);
            table.elem_segments.clear();
        }
        for global in module.globals.iter().map(walrus::Global::id).collect::<Vec<_>>() {
            let import = module.imports.add(FIRST, &exported_global(global), global);
            module.globals.get_mut(global).kind = GlobalKind::Import(import);
        }
        let ids: BTreeMap<usize, FunctionId> =
            module.funcs.iter().map(|function| (function.id().index(), function.id())).collect();
        for function in &self.called {
            let id = ids[function];
            let ty = module.funcs.get(id).ty();
            if let FunctionKind::Import(imported) = &module.funcs.get(id).kind {
                let import = module.imports.get_mut(imported.import);
                import.module = FIRST.into();
                import.name = exported_function(*function);
                continue;
            }
            let import = module.imports.add(FIRST, &exported_function(*function), id);
            module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        }

        let mut filled: BTreeMap<i32, FunctionId> = BTreeMap::new();
        for (function, slots) in &self.entries {
            filled.extend(slots.iter().map(|slot| (*slot, ids[function])));
        }
        let mut runs: Vec<(i32, Vec<FunctionId>)> = Vec::new();
        for (slot, function) in filled {
            match runs.last_mut() {
                Some((start, run)) if usize::try_from(slot - *start).is_ok_and(|length| length == run.len()) => {
                    run.push(function);
                }
                _ => runs.push((slot, vec![function])),
            }
        }
        for (start, functions) in runs {
            let kind = ElementKind::Active { table: main, offset: ConstExpr::Value(Value::I32(start)) };
            let element = module.elements.add(kind, ElementItems::Functions(functions));
            module.tables.get_mut(main).elem_segments.insert(element);
        }
        let (is_there, _) = module.add_import_global(FIRST, IS_THERE, ValType::I32, true, false);
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
        builder.func_body().i32_const(1).global_set(is_there);
        module.start = Some(builder.finish(Vec::new(), &mut module.funcs));
        walrus::passes::gc::run(module);
        Ok(())
    }
}

/// The export that says whether the rest is there.
const IS_THERE: &str = "$there";

fn exported_function(function: usize) -> String {
    format!("${function:x}")
}

fn exported_global(global: GlobalId) -> String {
    format!("$g{}", global.index())
}

/// The table of functions.
fn table(module: &Module) -> Result<TableId> {
    module.tables.main_function_table()?.context("the wasm has no table of functions")
}

fn lengthen(module: &mut Module, table: TableId, slots: u64) {
    let table = module.tables.get_mut(table);
    table.initial = slots;
    table.maximum = table.maximum.map(|most| most.max(slots));
}

/// The functions in the table, with all their slots.
fn slots(module: &Module, table: TableId) -> Result<BTreeMap<usize, Vec<i32>>> {
    let mut slots: BTreeMap<usize, Vec<i32>> = BTreeMap::new();
    for element in module.elements.iter() {
        match (&element.kind, &element.items) {
            (
                ElementKind::Active { table: filled, offset: ConstExpr::Value(Value::I32(start)) },
                ElementItems::Functions(functions),
            ) if *filled == table => {
                for (slot, function) in (*start..).zip(functions) {
                    slots.entry(function.index()).or_default().push(slot);
                }
            }
            (ElementKind::Declared, _) => {}
            (_, ElementItems::Expressions(..)) => {}
            other => bail!("an element segment of another kind than the compiler's: {other:?}"),
        }
    }
    Ok(slots)
}

/// The functions that each function calls by name.
fn calls(module: &mut Module) -> BTreeMap<usize, BTreeSet<usize>> {
    struct Calls(BTreeSet<usize>);
    impl VisitorMut for Calls {
        fn visit_instr_mut(&mut self, instr: &mut Instr, _: &mut walrus::ir::InstrLocId) {
            if let Instr::Call(Call { func }) = instr {
                self.0.insert(func.index());
            }
        }
    }
    let functions = module.funcs.iter_local_mut();
    functions
        .map(|(id, function)| {
            let mut calls = Calls(BTreeSet::new());
            let entry = function.entry_block();
            dfs_pre_order_mut(&mut calls, function, entry);
            (id.index(), calls.0)
        })
        .collect()
}
