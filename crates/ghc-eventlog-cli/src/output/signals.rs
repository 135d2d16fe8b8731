//! What signals do: they end the program, but first its temporary files with names are removed, and its line on the terminal.

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

/// Writing beyond the largest size of a file (`ulimit -f`) is an error like a full disk, and does not end the program.
pub(crate) fn too_large_files_are_errors() {
    // Without it the system's way remains, which ends the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// From now on, signals that end the program leave nothing behind. Then the program ends by the signal itself: a shell
/// sees 128 + its number, and knows that it was interrupted.
pub(crate) fn clean_up_before_the_end() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it, signals end the program as they always did, and a temporary file may be left.
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

/// The signals that whoever started this program wants ignored, as `nohup` does with SIGHUP: they stay so. Only Linux
/// says which. Elsewhere SIGHUP is taken for one of them; it may leave a temporary file then.
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
