//! x
#![allow(missing_docs)]
use conformance::{Mutants, check_queries};
use std::{
    env, fs, panic,
    time::{Duration, Instant},
};
fn main() {
    let seconds: u64 = env::var("SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60);
    let mut random = fastrand::Rng::with_seed(env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1));
    let logs: Vec<_> =
        env::args().skip(1).map(|p| (p.clone(), fs::read(&p).unwrap())).filter(|(_, l)| l.len() < 300_000).collect();
    let (begin, mut n, mut hits, mut bad) = (Instant::now(), 0u64, 0usize, 0);
    while begin.elapsed() < Duration::from_secs(seconds) {
        let (path, log) = random.choice(&logs).unwrap();
        let log = if random.bool() { log.clone() } else { Mutants::new(log, random.u64(..)).next().unwrap() };
        let seed = random.u64(..);
        let t = Instant::now();
        let result = panic::catch_unwind(|| check_queries(&log, 12, &mut fastrand::Rng::with_seed(seed)));
        n += 1;
        if t.elapsed() > Duration::from_secs(20) {
            println!("SLOW {path} {:?}", t.elapsed());
        }
        match result {
            Ok(Ok(found)) => hits += found,
            Ok(Err(why)) => {
                bad += 1;
                println!("BAD {path} {seed}: {}", why.chars().take(500).collect::<String>());
                fs::write(format!("/tmp/attack/bad{bad}.eventlog"), &log).unwrap();
                if bad > 30 {
                    break;
                }
            }
            Err(_) => {
                bad += 1;
                println!("PANIC {path} {seed}");
                fs::write(format!("/tmp/attack/panic{bad}.eventlog"), &log).unwrap();
            }
        }
    }
    println!("{n} logs, {hits} hits, {bad} bad, {:?}", begin.elapsed());
}
