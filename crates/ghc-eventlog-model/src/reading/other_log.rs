//! Names of info tables from another log of the same program: a binary may have none of its own, or logging may have begun too late.
//!
//! Numbers of info tables mean the same in two logs only if both are of one binary. From GHC 10 on they are the same in each run;
//! before, they are addresses, which are the same as long as the system does not move the program about.

use super::{feed::Leftover, model::Model};
use crate::{
    keeping::places::Places,
    profiles::names::{Info, Names},
};
use alloc::{format, string::ToString, vec::Vec};
use ghc_eventlog::{CStr, Chunk, Decoder, InfoTable, Ipe, ProgramArgs, Record, RtsIdentifier, Step, Text};
use ghc_eventlog_text::LogText;

/// Another log that is read for its names. Its bytes are to be [fed](Self::feed) in order, and then it is given to
/// [`Model::take_names`].
#[derive(Debug)]
pub struct OtherLog {
    decoder: Decoder,
    rest: Leftover,
    is_over: bool,
    /// The info tables without names, and those that the first log names too, by which both are compared.
    asked: Places,
    names: Names,
    /// How many info tables it defines.
    tables: u64,
    program: LogText<'static>,
    runtime: LogText<'static>,
}

/// The names that another log had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamesFound {
    /// How many there are now that were missing.
    pub found: u64,
    /// How many were missing.
    pub missing: u64,
    /// Whether both logs say which program they are of.
    pub is_same_program: bool,
}

/// Why another log's names are none for this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamesRefused {
    /// The first log lacks no names.
    NothingMissing,
    /// The other log defines no info tables, or is no log.
    NoTables,
    /// It is of another program, or of one that another GHC has built: what it says.
    OtherProgram(LogText<'static>),
    /// It names this info table in another way: the program has been built anew.
    OtherBuild(InfoTable),
    /// It has none of the names that are missing.
    NoneFound,
}

impl OtherLog {
    /// Takes the log's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Self { decoder, rest, is_over, asked, names, tables, program, runtime } = self;
        let mut take = |record: Record<'_>| match record.tag {
            Ipe::TAG if record.known => {
                let table = Ipe::read(record.payload);
                *tables += 1;
                if asked.find_number(table.info_table.0).is_some() {
                    names.info_table(table);
                }
            }
            ProgramArgs::TAG if record.known => {
                let first = ProgramArgs::read(record.payload).args.iter().next();
                *program = first.map(|name| base(LogText::of_bytes(name.0))).unwrap_or_default();
            }
            RtsIdentifier::TAG if record.known => {
                *runtime = LogText::of_bytes(RtsIdentifier::read(record.payload).text.0)
            }
            _ => {}
        };
        rest.feed(bytes, |chunk: Chunk<'_>| {
            while !*is_over {
                match decoder.next(chunk) {
                    Ok(Step::Need(_)) => break,
                    Ok(Step::Event(record)) => take(record),
                    Ok(Step::End) | Err(_) => *is_over = true,
                    Ok(_) => {}
                }
            }
            if *is_over { chunk.offset + chunk.bytes.len() as u64 } else { decoder.offset() }
        });
    }
}

/// The last part of a path.
fn base(path: LogText<'_>) -> LogText<'static> {
    let name = path.for_comparing().rsplit(['/', '\\']).next().unwrap_or_default();
    LogText::from(name.strip_suffix(".exe").unwrap_or(name).to_string())
}

impl Model {
    /// The numbers of info tables that the log uses and does not name, each once.
    fn nameless_tables(&self) -> Vec<InfoTable> {
        let mut seen = Places::default();
        let all = self.known.nameless_bands().chain(self.known.nameless_frames());
        all.filter(|table| {
            let is_new = seen.find_number(table.0).is_none();
            if is_new {
                seen.insert_number(table.0, 0);
            }
            is_new
        })
        .collect()
    }

    /// Begins to look in another log for the names of info tables that this one lacks. This one must have been read.
    #[must_use]
    pub fn other_log(&self) -> OtherLog {
        let mut asked = Places::default();
        let known = self.known.stores.profiles.names.tables().iter().map(|table| table.address);
        for table in self.nameless_tables().into_iter().chain(known) {
            if asked.find_number(table.0).is_none() {
                asked.insert_number(table.0, 0);
            }
        }
        OtherLog {
            decoder: Decoder::new(),
            rest: Leftover::default(),
            is_over: false,
            asked,
            names: Names::default(),
            tables: 0,
            program: LogText::default(),
            runtime: LogText::default(),
        }
    }

    /// Takes the names that another log has, if it is of the same program.
    ///
    /// # Errors
    /// When it has none, or is of another program.
    pub fn take_names(&mut self, other: &OtherLog) -> Result<NamesFound, NamesRefused> {
        let process = &self.known.stores.process;
        let program = process.args.first().map(|name| base(name.clone())).unwrap_or_default();
        let both = |one: &LogText<'_>, other: &LogText<'_>| !one.is_empty() && !other.is_empty();
        let differ = |one: &LogText<'_>, other: &LogText<'_>| both(one, other) && one != other;
        let missing = self.nameless_tables();
        if other.tables == 0 {
            return Err(NamesRefused::NoTables);
        }
        if differ(&process.runtime, &other.runtime) {
            return Err(NamesRefused::OtherProgram(other.runtime.clone()));
        }
        if differ(&program, &other.program) {
            return Err(NamesRefused::OtherProgram(other.program.clone()));
        }
        let names = &self.known.stores.profiles.names;
        for table in names.tables() {
            if let Some(same) = other.names.table(table.address)
                && texts(names, table) != texts(&other.names, same)
            {
                return Err(NamesRefused::OtherBuild(table.address));
            }
        }
        let found = missing.iter().filter_map(|table| other.names.table(*table));
        let found: Vec<Info> = found.copied().collect();
        if missing.is_empty() {
            return Err(NamesRefused::NothingMissing);
        }
        if found.is_empty() {
            return Err(NamesRefused::NoneFound);
        }
        let is_same_program = both(&program, &other.program) && both(&process.runtime, &other.runtime);
        let profiles = &mut self.known.stores.profiles;
        found.iter().for_each(|table| profiles.names.adopt(&other.names, table));
        profiles.heap.infer(&profiles.names);
        self.known.revision += 1;
        let missing_before = missing.len() as u64;
        let found = missing_before - self.nameless_tables().len() as u64;
        Ok(NamesFound { found, missing: missing_before, is_same_program })
    }
}

/// What an info table's definition says.
fn texts<'n>(names: &'n Names, table: &Info) -> [&'n str; 5] {
    [table.name, table.type_name, table.label, table.module, table.source].map(|text| names.text(text))
}

impl Names {
    /// Takes a definition of another log.
    fn adopt(&mut self, other: &Self, table: &Info) {
        let text = |id| CStr(Text(other.text(id).as_bytes()));
        self.adopt_table(Ipe {
            info_table: table.address,
            table_name: text(table.name),
            closure_type: text(table.closure_type),
            type_name: text(table.type_name),
            label: text(table.label),
            module: text(table.module),
            location: text(table.source),
        });
    }
}

impl NamesFound {
    /// The same as a sentence.
    #[must_use]
    pub fn sentence(&self) -> LogText<'static> {
        let Self { found, missing, is_same_program } = self;
        let doubt = if *is_same_program { "" } else { " The logs do not say whether they are of the same program." };
        format!("{found} of {missing} missing names of info tables were found.{doubt}").into()
    }
}

impl NamesRefused {
    /// The same as a sentence.
    #[must_use]
    pub fn sentence(&self) -> LogText<'static> {
        match self {
            Self::NothingMissing => "This log lacks no names of info tables.".into(),
            Self::NoTables => "The other log defines no info tables.".into(),
            Self::OtherProgram(name) => {
                LogText::joined(&["The other log is of another program: ".into(), name.clone()], "")
            }
            Self::OtherBuild(table) => {
                format!("The other log is of another build of the program: it has another name for {table}.").into()
            }
            Self::NoneFound => "The other log has none of the missing names.".into(),
        }
    }
}
