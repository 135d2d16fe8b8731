//! Signals end the program, but first it removes its temporary files with names, and its line on the terminal.

use crate::progress;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ},
    iterator::Signals,
    low_level::emulate_default_handler,
};
use std::{
    fs, io,
    sync::{Arc, Once, atomic::AtomicBool},
    thread,
};

/// Makes writing beyond the largest file size (`ulimit -f`) an error like a full disk, instead of ending the program.
pub(crate) fn too_large_files_are_errors() {
    // If this fails, the system's default remains, which ends the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// From now on, signals that end the program leave no files. The program still ends by the signal itself, so that a
/// shell sees 128 + its number, and knows that it was interrupted.
pub(crate) fn clean_up_before_the_end() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // If this fails, signals end the program as usual, and a temporary file may be left.
        let _ = watch();
    });
}

fn watch() -> io::Result<()> {
    let ignored = ignored();
    let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| ignored & bit(*signal) == 0);
    let mut signals = Signals::new(watched.collect::<Vec<_>>())?;
    thread::Builder::new().name("signals".to_string()).spawn(move || {
        for signal in signals.forever() {
            super::pending::remove_all();
            progress::end_soon();
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// The signals that were ignored when this program was started, such as SIGHUP under `nohup`: they stay ignored. Only
/// Linux says which these are. On other systems SIGHUP is assumed to be one, so that it may leave a temporary file.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    mask(&status).unwrap_or(bit(SIGHUP))
}

fn mask(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_lists_ignored_signals_as_bits() {
        let ignored = mask("SigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\nSigCgt:\t0\n").unwrap();
        assert_ne!(ignored & bit(SIGHUP), 0);
        assert_eq!(ignored & bit(SIGINT), 0);
        assert_eq!(mask("Name:\tx\n"), None);
    }
}
