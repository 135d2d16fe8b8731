//! Writes the part of a line after time and capability: one arm for each event (SHOW 6).

use super::{Style, names, number, strings};
use alloc::{format, string::String, vec::Vec};
use ghc_eventlog::{CStr, CostCentreStack, Event, Header, Record, Text};

/// Writes literal text, and fields by `$kind(value)`, to `$out`. The result is whether every piece was valid.
macro_rules! put {
    ($out:expr, $($piece:expr),* $(,)?) => {{
        let mut sound = true;
        $(sound &= $piece.put($out);)*
        sound
    }};
}

/// Something that can be written on a line.
trait Put {
    /// Writes itself; returns whether it was valid.
    fn put(self, out: &mut Vec<u8>) -> bool;
}

impl Put for &str {
    // For the page, a smaller module is worth a few ns.
    fn put(self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(self.as_bytes());
        true
    }
}

macro_rules! put_numbers {
    ($($type:ty)*) => {$(
        impl Put for $type {
            fn put(self, out: &mut Vec<u8>) -> bool {
                number(out, self.into());
                true
            }
        }
    )*};
}

put_numbers!(u8 u16 u32 u64);

impl Put for Text<'_> {
    fn put(self, out: &mut Vec<u8>) -> bool {
        strings::text(out, self.0)
    }
}

impl Put for CStr<'_> {
    fn put(self, out: &mut Vec<u8>) -> bool {
        self.0.put(out)
    }
}

impl Put for CostCentreStack<'_> {
    fn put(self, out: &mut Vec<u8>) -> bool {
        for (at, id) in self.iter().enumerate() {
            put!(out, if at > 0 { ", " } else { "" }, id.0);
        }
        true
    }
}

/// In hexadecimal, without a prefix.
struct Hex(u64);

impl Put for Hex {
    fn put(self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(format!("{:x}", self.0).as_bytes());
        true
    }
}

/// Anything else, written by a function.
struct With<F>(F);

impl<F: FnOnce(&mut Vec<u8>) -> bool> Put for With<F> {
    fn put(self, out: &mut Vec<u8>) -> bool {
        (self.0)(out)
    }
}

/// Writes an event; returns what is wrong with it if the reference gives up on it.
pub(crate) fn body(out: &mut Vec<u8>, record: &Record<'_>, header: &Header, style: Style) -> Option<String> {
    let decoded = record.decode();
    if has_no_decoder(&decoded.event) {
        match header.declared(record.tag) {
            _ if style.numbers_unknown => put!(out, "Unknown Event (ref: ", record.tag, ")"),
            Some(declared) => put!(out, &*declared.description),
            None => true,
        };
    }
    // The decoder reports other flaws.
    let sound = event(out, decoded.event, style) || decoded.flaw.is_some();
    let name = ghc_eventlog::info(record.tag).map_or("event", |info| info.name);
    (!sound).then(|| format!("{name} with a text or a number that the format does not allow"))
}

/// Whether the reference only prints the description of an event, because it does not know the event or its form.
fn has_no_decoder(event: &Event<'_>) -> bool {
    match event {
        Event::Unknown(_) | Event::HackBugT9003(_) | Event::Shutdown(_) | Event::RunSpark(_) | Event::StealSpark(_) => {
            true
        }
        Event::StopThread(stop) => stop.info.is_none(),
        _ => false,
    }
}

fn event(out: &mut Vec<u8>, event: Event<'_>, style: Style) -> bool {
    if has_no_decoder(&event) {
        return true;
    }
    match event {
        Event::CreateThread(e) => put!(out, "creating thread ", e.thread.0),
        Event::RunThread(e) => put!(out, "running thread ", e.thread.0),
        Event::StopThread(e) => {
            let reason = With(|out: &mut Vec<u8>| names::stop(out, &e, style.old).is_some());
            put!(out, "stopping thread ", e.thread.0, " (", reason, ")")
        }
        Event::ThreadRunnable(e) => put!(out, "thread ", e.thread.0, " is runnable"),
        Event::MigrateThread(e) => put!(out, "migrating thread ", e.thread.0, " to cap ", e.cap.0),
        Event::ThreadWakeup(e) => put!(out, "waking up thread ", e.thread.0, " on cap ", e.cap.0),
        Event::CreateSparkThread(e) => put!(out, "creating spark thread ", e.thread.0),
        Event::Startup(e) => put!(out, "startup: ", e.caps, " capabilities"),
        Event::ThreadLabel(e) => put!(out, "thread ", e.thread.0, " has label \"", e.label, "\""),
        Event::CapCreate(e) => put!(out, "created cap ", e.cap.0),
        Event::CapDelete(e) => put!(out, "deleted cap ", e.cap.0),
        Event::CapDisable(e) => put!(out, "disabled cap ", e.cap.0),
        Event::CapEnable(e) => put!(out, "enabled cap ", e.cap.0),
        Event::TaskCreate(e) => {
            let thread = e.kernel_thread;
            put!(out, "task 0x", Hex(e.task.0), " created on cap ", e.cap.0, " with OS kernel thread ", thread)
        }
        Event::TaskMigrate(e) => {
            put!(out, "task 0x", Hex(e.task.0), " migrated from cap ", e.cap.0, " to cap ", e.new_cap.0)
        }
        Event::TaskDelete(e) => put!(out, "task 0x", Hex(e.task.0), " deleted"),
        Event::BlockMarker(e) => put!(out, "event block: cap ", e.cap.0, ", end time: ", e.end_time.0, "\n"),
        Event::SparkCreate(_) => put!(out, "spark created"),
        Event::SparkDud(_) => put!(out, "dud spark discarded"),
        Event::SparkOverflow(_) => put!(out, "overflowed spark discarded"),
        Event::SparkRun(_) => put!(out, "running a local spark"),
        Event::SparkSteal(e) => put!(out, "stealing a spark from cap ", e.victim.0),
        Event::SparkFizzle(_) => put!(out, "spark fizzled"),
        Event::SparkGc(_) => put!(out, "spark GCed"),
        Event::SparkCounters(e) => {
            put!(out, "spark stats: ", e.created, " created, ", e.converted, " converted, ", e.remaining);
            put!(out, " remaining (", e.overflowed, " overflowed, ", e.dud, " dud, ", e.gcd, " GC'd, ");
            put!(out, e.fizzled, " fizzled)")
        }
        event => collector(out, event),
    }
}

/// Garbage collection, heap, the non-moving collector.
fn collector(out: &mut Vec<u8>, event: Event<'_>) -> bool {
    match event {
        Event::GcStart(_) => put!(out, "starting GC"),
        Event::GcEnd(_) => put!(out, "finished GC"),
        Event::RequestSeqGc(_) => put!(out, "requesting sequential GC"),
        Event::RequestParGc(_) => put!(out, "requesting parallel GC"),
        Event::GcIdle(_) => put!(out, "GC idle"),
        Event::GcWork(_) => put!(out, "GC working"),
        Event::GcDone(_) => put!(out, "GC done"),
        Event::GcGlobalSync(_) => put!(out, "all caps stopped for GC"),
        Event::GcStats(e) => {
            put!(out, "GC stats for heap capset ", e.capset.0, ": generation ", e.generation, ", ", e.copied_bytes);
            put!(
                out,
                " bytes copied, ",
                e.slop_bytes,
                " bytes slop, ",
                e.fragmentation_bytes,
                " bytes fragmentation, "
            );
            put!(out, e.par_threads, " par threads, ", e.par_max_copied_bytes, " bytes max par copied, ");
            put!(out, e.par_total_copied_bytes, " bytes total par copied");
            let balanced = |bytes: u64| put!(out, ", ", bytes, " bytes balanced par copied");
            e.par_balanced_copied_bytes.is_none_or(balanced)
        }
        Event::HeapAllocated(e) => {
            put!(out, "allocated on heap capset ", e.capset.0, ": ", e.bytes, " total bytes till now")
        }
        Event::HeapSize(e) => put!(out, "size of heap capset ", e.capset.0, ": ", e.bytes, " bytes"),
        Event::HeapLive(e) => put!(out, "live data in heap capset ", e.capset.0, ": ", e.bytes, " bytes"),
        Event::BlocksSize(e) => put!(out, "blocks size of heap capset ", e.capset.0, ": ", e.bytes, " bytes"),
        Event::MemReturn(e) => {
            put!(
                out,
                "memory returned (mblocks): current(",
                e.current,
                ") needed(",
                e.needed,
                ") returned(",
                e.returned,
                ")"
            )
        }
        Event::HeapInfo(e) => {
            put!(
                out,
                "heap stats for heap capset ",
                e.capset.0,
                ": generations ",
                e.generations,
                ", ",
                e.max_heap_bytes
            );
            put!(out, " bytes max heap size, ", e.alloc_area_bytes, " bytes alloc area size, ", e.mblock_bytes);
            put!(out, " bytes mblock size, ", e.block_bytes, " bytes block size")
        }
        Event::ConcMarkBegin(_) => put!(out, "concurrent mark began"),
        Event::ConcMarkEnd(e) => put!(out, "concurrent mark ended: marked ", e.marked, " objects"),
        Event::ConcSyncBegin(_) => put!(out, "post-mark synchronization began"),
        Event::ConcSyncEnd(_) => put!(out, "post-mark synchronization ended"),
        Event::ConcSweepBegin(_) => put!(out, "concurrent sweep began"),
        Event::ConcSweepEnd(_) => put!(out, "concurrent sweep ended"),
        Event::ConcUpdRemSetFlush(e) => put!(out, "update remembered set flushed by ", e.cap.0),
        Event::NonmovingHeapCensus(e) => {
            put!(out, "nonmoving heap census ", e.block_bytes.0, ": ", e.active_segments, " active segments, ");
            put!(out, e.filled_segments, " filled segments, ", e.live_blocks, " live blocks")
        }
        Event::NonmovingPrunedSegments(e) => {
            put!(out, "nonmoving segments pruned: ", e.pruned, " pruned segments, ", e.free, " free segments retained")
        }
        event => process(out, event),
    }
}

/// The process, its capability sets, and messages.
fn process(out: &mut Vec<u8>, event: Event<'_>) -> bool {
    match event {
        Event::CapsetCreate(e) => put!(out, "created capset ", e.capset.0, " of type ", names::capset(e.kind)),
        Event::CapsetDelete(e) => put!(out, "deleted capset ", e.capset.0),
        Event::CapsetAssignCap(e) => put!(out, "assigned cap ", e.cap.0, " to capset ", e.capset.0),
        Event::CapsetRemoveCap(e) => put!(out, "removed cap ", e.cap.0, " from capset ", e.capset.0),
        Event::RtsIdentifier(e) => put!(out, "capset ", e.capset.0, ": RTS version \"", e.text, "\""),
        Event::ProgramArgs(e) => {
            put!(out, "capset ", e.capset.0, ": args: ", With(|out: &mut Vec<u8>| strings::haskell_list(out, e.args)))
        }
        Event::ProgramEnv(e) => {
            put!(out, "capset ", e.capset.0, ": env: ", With(|out: &mut Vec<u8>| strings::haskell_list(out, e.env)))
        }
        Event::OsProcessPid(e) => put!(out, "capset ", e.capset.0, ": pid ", e.pid),
        Event::OsProcessPpid(e) => put!(out, "capset ", e.capset.0, ": parent pid ", e.ppid),
        Event::WallClockTime(e) => {
            put!(out, "capset ", e.capset.0, ": wall clock time ", e.seconds, "s ", e.nanoseconds, "ns (unix epoch)")
        }
        Event::LogMsg(e) => put!(out, e.text),
        Event::UserMsg(e) => put!(out, e.text),
        Event::UserMarker(e) => put!(out, "marker: ", e.text),
        Event::UserBinaryMsg(e) => {
            out.extend_from_slice(b"binary message ");
            strings::binary(out, e.bytes);
            true
        }
        Event::InternString(e) => {
            out.extend_from_slice(b"Interned string: \"");
            strings::latin1(out, e.text.0.0);
            put!(out, "\" with id ", e.id)
        }
        Event::PerfName(e) => put!(out, "perf event ", e.number, " named \"", e.name, "\""),
        Event::PerfCounter(e) => {
            let period = e.period.wrapping_add(1);
            put!(out, "perf event counter ", e.number, " incremented by ", period, " in OS thread ", e.kernel_thread)
        }
        Event::PerfTracepoint(e) => {
            put!(out, "perf event tracepoint ", e.number, " reached in OS thread ", e.kernel_thread)
        }
        event => profile(out, event),
    }
}

/// Heap, time and ticky profiles.
fn profile(out: &mut Vec<u8>, event: Event<'_>) -> bool {
    match event {
        Event::HeapProfBegin(e) => {
            let breakdown = With(|out: &mut Vec<u8>| names::breakdown(out, e.breakdown).is_some());
            let mut sound = put!(
                out,
                "start heap profiling ",
                e.profile,
                " at sampling period ",
                e.period.0,
                " broken down by ",
                breakdown
            );
            let filters = [e.module_filter, e.closure_filter, e.type_filter, e.cost_centre_filter].into_iter().chain([
                e.stack_filter,
                e.retainer_filter,
                e.biography_filter,
            ]);
            for (at, filter) in filters.filter(|filter| !filter.0.0.is_empty()).enumerate() {
                // The reference writes a comma after every filter, including the last one.
                sound &= put!(out, if at == 0 { " filtered by " } else { "" }, filter, ", ");
            }
            sound
        }
        Event::CostCentre(e) => {
            let caf = if e.flags & 1 == 1 { " CAF" } else { "" };
            put!(out, "cost centre ", e.id.0, " ", e.label, " in ", e.module, " at ", e.location, caf)
        }
        Event::HeapProfSampleBegin(e) => put!(out, "start heap prof sample ", e.number),
        Event::HeapBioProfSampleBegin(e) => put!(out, "start heap prof sample ", e.number, " at time ", e.time.0),
        Event::HeapProfSampleEnd(e) => put!(out, "end prof sample ", e.number),
        Event::HeapProfSampleCostCentre(e) => {
            put!(out, "heap prof sample ", e.profile, ", residency ", e.bytes, ", cost centre stack ", e.stack)
        }
        Event::HeapProfSampleString(e) => {
            put!(out, "heap prof sample ", e.profile, ", residency ", e.bytes, ", label ", e.label)
        }
        Event::ProfBegin(e) => put!(out, "start time profiling, tick interval ", e.interval.0, " (ns)"),
        Event::ProfSampleCostCentre(e) => {
            put!(out, "cap no ", e.cap as u16, ", prof sample ", e.tick, ", cost centre stack ", e.stack)
        }
        Event::Ipe(e) => {
            let digits = e.closure_type.0.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
            // It is written as a number, without leading zeros.
            let closure_type = e.closure_type.0.0.get(..digits).unwrap_or_default();
            let closure_type = Text(significant(closure_type));
            put!(out, "Info Table: ", Hex(e.info_table.0), ":", closure_type, ":", e.table_name, " - ", e.location)
                && digits > 0
        }
        Event::TickyCounterDef(e) => {
            put!(out, "ticky counter definition ", e.id, ", arity: ", e.arity, ", def kinds: ", e.arguments)
                & put!(out, ", name: ", e.name, ", itbl: ", Hex(e.info_table.map_or(0, |table| table.0)))
        }
        Event::TickyCounterSample(e) => {
            put!(out, "ticky counter sample ", e.id, ": entry count: ", e.entries, ", ", e.allocs_bytes, " allocs, ");
            put!(out, e.allocd_bytes, " allocd")
        }
        Event::TickyCounterBeginSample(_) => put!(out, "ticky begin counter sample"),
        event => parallel(out, event),
    }
}

/// The digits of a number without its leading zeros.
fn significant(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(zeros.min(digits.len().saturating_sub(1))..).unwrap_or_default()
}

/// The runtimes of Eden and Mercury.
fn parallel(out: &mut Vec<u8>, event: Event<'_>) -> bool {
    let message = |tag| With(move |out: &mut Vec<u8>| names::message(out, tag).is_some());
    match event {
        Event::Version(e) => {
            out.extend_from_slice(b"compiler version is ");
            strings::latin1(out, e.text.0);
            true
        }
        Event::ProgramInvocation(e) => {
            out.extend_from_slice(b"program invocation: ");
            strings::latin1(out, e.text.0);
            true
        }
        Event::EdenStartReceive(_) => put!(out, "starting to receive"),
        Event::EdenEndReceive(_) => put!(out, "stop receiving"),
        Event::CreateProcess(e) => put!(out, "creating process ", e.process),
        Event::KillProcess(e) => put!(out, "killing process ", e.process),
        Event::AssignThreadToProcess(e) => put!(out, "assigning thread ", e.thread.0, " to process ", e.process),
        Event::CreateMachine(e) => put!(out, "creating machine ", e.machine, " at ", e.start_time),
        Event::KillMachine(e) => put!(out, "killing machine ", e.machine),
        Event::SendMessage(e) => {
            let sound = put!(out, "sending message with tag ", message(e.message), " from process ", e.sender_process);
            put!(out, ", thread ", e.sender_thread.0, " to machine ", e.receiver_machine, ", process ");
            put!(out, e.receiver_process, " on inport ", e.receiver_inport) & sound
        }
        Event::ReceiveMessage(e) => {
            let sound =
                put!(out, "receiving message with tag ", message(e.message), " at process ", e.receiver_process);
            put!(
                out,
                ", inport ",
                e.receiver_inport,
                " from machine ",
                e.sender_machine,
                ", process ",
                e.sender_process
            );
            put!(out, ", thread ", e.sender_thread.0, " with size ", e.size_bytes) & sound
        }
        Event::LocalMessage(e) => {
            let sound = put!(out, "sending/receiving message with tag ", message(e.message), " from process ");
            put!(out, e.sender_process, ", thread ", e.sender_thread.0, " to process ", e.receiver_process);
            put!(out, " on inport ", e.receiver_inport) & sound
        }
        Event::MerStartParConjunction(e) => {
            put!(out, "Start a parallel conjunction 0x", Hex(e.dynamic), ", static_id: ", e.conjunction)
        }
        Event::MerStopParConjunction(e) => put!(out, "End par conjunction: 0x", Hex(e.dynamic)),
        Event::MerStopParConjunct(e) => put!(out, "End par conjunct: 0x", Hex(e.dynamic)),
        Event::MerCreateSpark(e) => {
            put!(out, "Create spark for conjunction: 0x", Hex(e.dynamic), " spark: 0x", Hex(e.spark.into()))
        }
        Event::MerFutureCreate(e) => put!(out, "Create future 0x", Hex(e.future), " named ", e.name),
        Event::MerFutureWaitNoSuspend(e) => put!(out, "Wait didn't suspend for future: 0x", Hex(e.future)),
        Event::MerFutureWaitSuspended(e) => put!(out, "Wait suspended on future: 0x", Hex(e.future)),
        Event::MerFutureSignal(e) => put!(out, "Signaled future 0x", Hex(e.future)),
        Event::MerLookingForGlobalContext(_) => put!(out, "Looking for global thread to resume"),
        Event::MerWorkStealing(_) => put!(out, "Trying to steal a spark"),
        Event::MerReleaseContext(e) => put!(out, "Releasing thread ", e.thread.0, " to the free pool"),
        Event::MerEngineSleeping(_) => put!(out, "Capability going to sleep"),
        Event::MerLookingForLocalSpark(_) => put!(out, "Looking for a local spark to execute"),
        Event::MerCallingMain(_) => put!(out, "About to call the program entry point"),
        _ => true,
    }
}
