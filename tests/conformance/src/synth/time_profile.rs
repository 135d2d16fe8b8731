//! `time-profile`: a time profile of many capabilities and many stacks.

use super::program::{MICROSECOND, MILLISECOND, Program, Writing};
use ghc_eventlog::{CStr, CostCentre, CostCentreId, CostCentreStack, Nanos, ProfBegin, ProfSampleCostCentre, Text};
use std::io::{self, Write};

const CAPS: u16 = 16;

/// Cost centres that are defined.
const CENTRES: u32 = 3000;

/// How deep stacks are, at most.
const DEPTH: usize = 24;

/// With this many ticks. At each, every capability has a sample.
pub(super) fn write(ticks: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    for id in 0..CENTRES {
        let label = format!("function{id}");
        let (module, location) = (format!("Some.Module{}", id % 200), format!("src/Module{}.hs:{id}:1-40", id % 200));
        let [label, module, location] = [&label, &module, &location].map(|text| CStr(Text(text.as_bytes())));
        program.global(CostCentre { id: CostCentreId(id), label, module, location, flags: 0 });
    }
    program.global(ProfBegin { interval: Nanos(MILLISECOND) });
    // Each capability walks up and down in the tree of calls.
    let mut stacks: Vec<Vec<[u8; 4]>> = vec![vec![0u32.to_be_bytes()]; CAPS.into()];
    for tick in 1..=ticks {
        let until = program.now() + MILLISECOND;
        if tick % 100 == 0 {
            for cap in program.all_caps() {
                program.work(cap, until, 200 * MICROSECOND..MILLISECOND);
            }
            program.collect();
        }
        program.idle_until(until);
        for (cap, stack) in (0..).zip(&mut stacks) {
            step(stack, &mut program);
            program.global(ProfSampleCostCentre { cap, tick, stack: CostCentreStack(stack) });
        }
    }
    program.end()
}

/// A call or a return; the innermost cost centre is first.
fn step(stack: &mut Vec<[u8; 4]>, program: &mut Program<'_>) {
    let inner = stack.first().copied().map_or(0, u32::from_be_bytes);
    if stack.len() > 1 && (stack.len() >= DEPTH || program.random.bool()) {
        stack.remove(0);
    } else {
        let callee = (inner * 3 + program.random.u32(1..4)) % CENTRES;
        stack.insert(0, callee.to_be_bytes());
    }
}
