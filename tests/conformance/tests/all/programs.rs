//! What the findings say of real programs, each with one known fault, and of the same programs after the remedy: `tests/programs` has
//! the sources, whose heads say what is expected, and `tests/corpus/programs` the logs.

use conformance::{files, model_in_steps, project, replay};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Findings, Level};
use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::PathBuf};

/// What the head of a source says: values by key.
#[derive(Clone)]
struct Program {
    name: String,
    head: BTreeMap<String, String>,
}

/// The keys that `make.sh` and these tests know.
const KEYS: [&str; 11] = [
    "compile",
    "run",
    "arguments",
    "log through",
    "mended compile",
    "mended run",
    "mended arguments",
    "first",
    "also",
    "mended also",
    "too large for the corpus",
];

impl Program {
    /// The words of a value, none if it is missing.
    fn words(&self, key: &str) -> Vec<&str> {
        self.head.get(key).map(|value| value.split_whitespace().collect()).unwrap_or_default()
    }

    fn is_healthy(&self) -> bool {
        !self.head.contains_key("first")
    }

    fn log(&self, form: Form) -> PathBuf {
        logs().join(format!("{}{}.eventlog", self.name, form.suffix()))
    }

    /// The forms whose logs are in the corpus.
    fn forms(&self) -> Vec<Form> {
        let faulty = (!self.head.contains_key("too large for the corpus")).then_some(Form::AsItIs);
        faulty.into_iter().chain((!self.is_healthy()).then_some(Form::Mended)).collect()
    }

    /// What may be a warning in this form.
    fn expected(&self, form: Form) -> Vec<&str> {
        match form {
            Form::AsItIs => [self.words("first"), self.words("also")].concat(),
            Form::Mended => self.words("mended also"),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// With its fault, or healthy.
    AsItIs,
    Mended,
}

impl Form {
    fn suffix(self) -> &'static str {
        if self == Self::AsItIs { "" } else { "-mended" }
    }
}

fn logs() -> PathBuf {
    project().join("tests/corpus/programs")
}

/// All programs with their heads: the comment lines `-- key: value` before the module begins.
fn programs() -> Vec<Program> {
    let found = files(&project().join("tests/programs"), ".hs").into_iter().map(|path| {
        let source = fs::read_to_string(&path).unwrap();
        let lines = source.lines().take_while(|line| line.starts_with("--"));
        let pairs = lines.filter_map(|line| {
            let (key, value) = line.strip_prefix("-- ")?.split_once(": ")?;
            KEYS.contains(&key).then(|| (key.to_owned(), value.to_owned()))
        });
        Program { name: path.file_stem().unwrap().to_string_lossy().into_owned(), head: pairs.collect() }
    });
    found.collect()
}

/// What is found in a log, when everything about it is known.
fn findings(program: &Program, form: Form) -> Findings {
    let log = fs::read(program.log(form)).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    replay(&mut model, &log);
    let findings = model.findings();
    assert_eq!(findings.waiting, 0, "{}", program.name);
    findings
}

/// The ids of a level, in the order in which they are shown.
fn of_level(findings: &Findings, level: Level) -> Vec<&'static str> {
    findings.list.iter().filter(|finding| finding.level == level).map(|finding| finding.id).collect()
}

/// Each log that should be there, with its program, its form and what is found.
fn all() -> impl Iterator<Item = (Program, Form, Findings)> {
    let forms = |program: Program| program.forms().into_iter().map(move |form| (program.clone(), form));
    programs().into_iter().flat_map(forms).map(|(program, form)| {
        let findings = findings(&program, form);
        (program, form, findings)
    })
}

#[test]
fn heads_name_rules_and_flags_and_logs_are_there() {
    let programs = programs();
    assert!(programs.iter().filter(|program| program.is_healthy()).count() >= 3);
    assert!(programs.iter().filter(|program| !program.is_healthy()).count() >= 15);
    let mut expected = Vec::new();
    for program in &programs {
        let at = &program.name;
        assert!(program.head.contains_key("compile") && program.head.contains_key("run"), "{at}: no flags");
        let is_mended = program.head.keys().any(|key| key.starts_with("mended ") && key != "mended also");
        assert_eq!(is_mended, !program.is_healthy(), "{at}: a remedy belongs to a fault");
        expected.extend(program.forms().into_iter().map(|form| program.log(form)));
    }
    expected.sort();
    assert_eq!(files(&logs(), ".eventlog"), expected, "tests/programs/make.sh makes the logs");

    let (_, _, some) = all().next().unwrap();
    for program in &programs {
        for id in ["first", "also", "mended also"].into_iter().flat_map(|key| program.words(key)) {
            assert!(some.get(id).is_some(), "{}: there is no rule {id}", program.name);
        }
    }
}

#[test]
fn the_fault_comes_first_and_nothing_else_is_a_warning() {
    let mut wrong = Vec::new();
    for (program, form, findings) in all() {
        let at = format!("{}{}", program.name, form.suffix());
        let foremost = findings.list.first().filter(|finding| finding.level.is_found()).map(|finding| finding.id);
        if form == Form::AsItIs
            && !program.is_healthy()
            && !foremost.is_some_and(|id| program.words("first").contains(&id))
        {
            wrong.push(format!("{at}: {foremost:?} comes first"));
        }
        let allowed = program.expected(form);
        let warnings = of_level(&findings, Level::Warning);
        let unexpected: Vec<_> = warnings.into_iter().filter(|id| !allowed.contains(id)).collect();
        if !unexpected.is_empty() {
            wrong.push(format!("{at}: {unexpected:?} should be no warning"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn after_the_remedy_the_fault_is_gone() {
    let mut wrong = Vec::new();
    for (program, form, findings) in all().filter(|(_, form, _)| *form == Form::Mended) {
        for id in program.words("first") {
            if findings.get(id).is_none_or(|finding| finding.level.is_found()) {
                wrong.push(format!("{}{}: still {id}", program.name, form.suffix()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is found, as a table: `BLESS=1 cargo test -p conformance --test all programs::` writes it.
#[test]
fn the_table_of_findings_is_up_to_date() {
    let mut table = String::from(
        "# What is found in the programs\n\n\
         Written by `BLESS=1 cargo test -p conformance --test all programs::`, from the logs in `tests/corpus/programs`. The gravest finding \
         stands first.\n\n\
         | program | warnings | worth knowing | the first one says |\n|---|---|---|---|\n",
    );
    for (program, form, findings) in all() {
        let [warnings, infos] = [Level::Warning, Level::Info].map(|level| of_level(&findings, level).join(", "));
        let first = findings.list.first().filter(|finding| finding.level.is_found());
        let says = first.map(|finding| finding.text.text(Nanos(0)).replace('|', "\\|")).unwrap_or_default();
        writeln!(table, "| {}{} | {warnings} | {infos} | {says} |", program.name, form.suffix()).unwrap();
    }
    let path = project().join("tests/programs/findings.md");
    if env::var_os("BLESS").is_some() {
        fs::write(&path, table).unwrap();
    } else {
        assert!(fs::read_to_string(&path).ok().as_deref() == Some(&*table), "BLESS=1 writes {}", path.display());
    }
}
