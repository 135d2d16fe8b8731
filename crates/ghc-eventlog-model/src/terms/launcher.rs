//! Programs that start others. Options after `+RTS` that were meant for the other program may have gone to them.

use ghc_eventlog_text::LogText;

/// A program that starts others, in place of which a log is of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launcher {
    /// Its name.
    pub name: &'static str,
    /// The command that records the program that it starts.
    pub instead: &'static str,
    /// Whether it was told to run a program. If not, it may be what the user wanted to record.
    pub(crate) runs: bool,
}

struct KnownLauncher {
    name: &'static str,
    /// What it can be told to run, with what to do instead.
    commands: &'static [(&'static str, &'static str)],
    otherwise: &'static str,
    /// Whether it does nothing but run programs.
    always_runs: bool,
}

const COMPILE: &str = "ghc -threaded Main.hs && ./Main +RTS -l";

/// The compiler is not among them: who works on it records it, and the programs that it interprets are in its own log.
const LAUNCHERS: [KnownLauncher; 4] = [
    KnownLauncher {
        name: "stack",
        commands: &[
            ("exec", "stack exec prog -- +RTS -l"),
            ("run", "stack run -- +RTS -l"),
            ("test", "stack test --test-arguments='+RTS -l'"),
            ("bench", "stack bench --benchmark-arguments='+RTS -l'"),
            ("runghc", COMPILE),
            ("runhaskell", COMPILE),
            ("script", COMPILE),
        ],
        otherwise: "stack exec prog -- +RTS -l",
        always_runs: false,
    },
    KnownLauncher {
        name: "cabal",
        commands: &[
            ("run", "cabal run prog -- +RTS -l"),
            ("exec", "cabal exec -- prog +RTS -l"),
            ("test", "cabal test --test-options='+RTS -l'"),
            ("bench", "cabal bench --benchmark-options='+RTS -l'"),
        ],
        otherwise: "cabal run prog -- +RTS -l",
        always_runs: false,
    },
    KnownLauncher { name: "runghc", commands: &[], otherwise: COMPILE, always_runs: true },
    KnownLauncher { name: "runhaskell", commands: &[], otherwise: COMPILE, always_runs: true },
];

impl Launcher {
    /// The launcher that has these arguments, its own name included.
    pub(crate) fn of(args: &[LogText<'_>]) -> Option<Self> {
        let mut args = args.iter().map(LogText::for_comparing);
        let program = args.next()?;
        let known = LAUNCHERS.iter().find(|known| is_called(program, known.name))?;
        let command = |arg| known.commands.iter().find(|(command, _)| *command == arg);
        let command = args.take_while(|arg| *arg != "--").find_map(command);
        let instead = command.map_or(known.otherwise, |(_, instead)| *instead);
        Some(Self { name: known.name, instead, runs: known.always_runs || command.is_some() })
    }
}

/// Whether the last part of a path is this name, perhaps with a version, as in "cabal-3.10.1.0", and ".exe".
fn is_called(path: &str, name: &str) -> bool {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let file = file.strip_suffix(".exe").unwrap_or(file);
    let version = |rest: &str| rest.bytes().all(|byte| matches!(byte, b'-' | b'.' | b'0'..=b'9'));
    file.strip_prefix(name).is_some_and(version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn of(line: &str) -> Option<(&'static str, &'static str, bool)> {
        let args: Vec<LogText<'_>> = line.split(' ').map(LogText::from).collect();
        Launcher::of(&args).map(|Launcher { name, instead, runs }| (name, instead, runs))
    }

    #[test]
    fn launchers_are_known_by_the_last_part_of_their_path() {
        let stack = Some(("stack", "stack exec prog -- +RTS -l", true));
        for line in [
            "stack exec prog +RTS -l",
            "/home/me/.local/bin/stack --resolver lts exec prog +RTS -l",
            "C:\\sr\\stack.exe exec prog +RTS -l",
            "stack-2.15.7 +RTS -l -RTS exec prog",
        ] {
            assert_eq!(of(line), stack, "{line}");
        }
        for line in ["./stacker exec", "/stack/prog exec", "stack-machine run", "prog stack exec", "ghc --make run", ""]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_to_be_run_instead_depends_on_the_command() {
        assert_eq!(of("cabal run prog +RTS -l"), Some(("cabal", "cabal run prog -- +RTS -l", true)));
        assert_eq!(of("cabal-3.10.1.0 build +RTS -l"), Some(("cabal", "cabal run prog -- +RTS -l", false)));
        assert_eq!(of("cabal build -- run"), Some(("cabal", "cabal run prog -- +RTS -l", false)));
        assert_eq!(of("runghc Main.hs +RTS -l"), Some(("runghc", COMPILE, true)));
    }
}
