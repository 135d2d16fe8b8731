//! `generate`: writes completions for shells, and manual pages. A release has them beside the program.

use crate::{
    arguments::{Arguments, NAME, USAGE, general_help},
    output::cannot_write,
    say::shown,
};
use clap::{Command, CommandFactory, Subcommand};
use clap_complete::Shell;
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

#[derive(Subcommand)]
pub(crate) enum What {
    /// Print a script that lets a shell complete this program's arguments
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write manual pages, one for the program and one for each of its commands
    Man {
        /// The folder for them; it is created if it does not exist
        folder: PathBuf,
    },
}

/// Writes completions or manual pages.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn generate(what: &What, out: &mut impl Write) -> io::Result<()> {
    let mut command = command();
    match what {
        What::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command, NAME, &mut script);
            out.write_all(&script)
        }
        What::Man { folder } => manual(command, folder).map_err(|error| about(folder, &error)),
    }
}

/// The commands to complete and describe: all but `generate`, which users do not need.
fn command() -> Command {
    let all = Arguments::command();
    let shown: Vec<_> = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let about = all.get_about().cloned().unwrap_or_default();
    Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .after_help(general_help())
        .override_usage(USAGE)
        .args(all.get_arguments().cloned())
        .subcommands(shown)
}

fn manual(command: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)
}

fn about(folder: &Path, error: &io::Error) -> io::Error {
    cannot_write(error.kind(), format!("cannot write into {}: {error}", shown(folder.as_os_str())))
}
