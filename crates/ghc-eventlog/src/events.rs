//! The event table: one row per event, in the order of GHC's own table. Everything else comes from the row: see
//! `table.rs` for what, and "Add an event" in `docs/contributing.md` for how.
//!
//! The sentence above a row is shown to people, in tooltips and listings too. Sizes are in bytes, times in nanoseconds.

use crate::{
    CapNo, CapsetId, CostCentreId, CostCentreStack, InfoTable, Nanos, TaskId, Text, TextList, ThreadId,
    names::{Breakdown, CapsetType, MessageTag, StopStatus},
    payload::{CStr, Field, Payload, SegmentBlockSize, TextBeforeId, Value},
    table::{Decoded, EventInfo, Visit, events, is_variable},
    wire::Wire,
};

events! {
    /// A thread was created on this capability
    0 CREATE_THREAD fixed CreateThread { thread: ThreadId }
    /// A thread starts to run
    1 RUN_THREAD fixed RunThread { thread: ThreadId }
    /// The running thread stops
    2 STOP_THREAD fixed StopThread {
        thread: ThreadId,
        status: StopStatus,
        /// The owner's thread for a black hole (0 if unknown), the stack's size in words for a stack overflow, else 0.
        info: Option<u32>,
    }
    /// A thread was put on the run queue (until GHC 7.0)
    3 THREAD_RUNNABLE fixed ThreadRunnable { thread: ThreadId }
    /// A thread moves to another capability
    4 MIGRATE_THREAD fixed MigrateThread { thread: ThreadId, cap: CapNo }
    /// A spark of this capability is run (until GHC 7.0)
    5 RUN_SPARK fixed RunSpark { thread: ThreadId }
    /// A spark is stolen from another capability (until GHC 7.0)
    6 STEAL_SPARK fixed StealSpark { thread: ThreadId, victim: CapNo }
    /// The capability shuts down (until GHC 7.4)
    7 SHUTDOWN fixed Shutdown {}
    /// A thread is woken up; it is on the run queue of the given capability now
    8 THREAD_WAKEUP fixed ThreadWakeup { thread: ThreadId, cap: CapNo }
    /// A garbage collection starts, or this capability joins one
    9 GC_START fixed GcStart {}
    /// The garbage collection ends on this capability
    10 GC_END fixed GcEnd {}
    /// A sequential garbage collection is requested
    11 REQUEST_SEQ_GC fixed RequestSeqGc {}
    /// A parallel garbage collection is requested
    12 REQUEST_PAR_GC fixed RequestParGc {}
    /// A thread that runs sparks was created
    15 CREATE_SPARK_THREAD fixed CreateSparkThread { thread: ThreadId }
    /// A message of the runtime
    16 LOG_MSG var LogMsg<'a> { text: Text<'a> }
    /// The runtime starts (until GHC 7.10)
    17 STARTUP fixed Startup { caps: u16 }
    /// A block of one capability's events begins
    18 BLOCK_MARKER fixed BlockMarker {
        /// From the first byte of this marker to the end of the block.
        size: u32,
        end_time: Nanos,
        cap: CapNo,
    }
    /// A message of the program (traceEvent)
    19 USER_MSG var UserMsg<'a> { text: Text<'a> }
    /// This collector thread has run out of work
    20 GC_IDLE fixed GcIdle {}
    /// This collector thread works
    21 GC_WORK fixed GcWork {}
    /// One pass of this collector thread is over; there can be several in a collection
    22 GC_DONE fixed GcDone {}
    /// Version of the compiler (Eden)
    23 VERSION var Version<'a> { text: Text<'a> }
    /// How the program was started (Eden)
    24 PROGRAM_INVOCATION var ProgramInvocation<'a> { text: Text<'a> }
    /// A set of capabilities was created
    25 CAPSET_CREATE fixed CapsetCreate { capset: CapsetId, kind: CapsetType }
    /// A set of capabilities was deleted
    26 CAPSET_DELETE fixed CapsetDelete { capset: CapsetId }
    /// A capability was added to a set
    27 CAPSET_ASSIGN_CAP fixed CapsetAssignCap { capset: CapsetId, cap: CapNo }
    /// A capability was removed from a set
    28 CAPSET_REMOVE_CAP fixed CapsetRemoveCap { capset: CapsetId, cap: CapNo }
    /// The runtime's name and version
    29 RTS_IDENTIFIER var RtsIdentifier<'a> { capset: CapsetId, text: Text<'a> }
    /// The program's name and arguments
    30 PROGRAM_ARGS var ProgramArgs<'a> { capset: CapsetId, args: TextList<'a> }
    /// The program's environment variables (until GHC 8.6)
    31 PROGRAM_ENV var ProgramEnv<'a> { capset: CapsetId, env: TextList<'a> }
    /// Process number
    32 OSPROCESS_PID fixed OsProcessPid { capset: CapsetId, pid: u32 }
    /// Process number of the parent
    33 OSPROCESS_PPID fixed OsProcessPpid { capset: CapsetId, ppid: u32 }
    /// Spark counters of this capability, each a running total
    34 SPARK_COUNTERS fixed SparkCounters {
        created: u64,
        dud: u64,
        overflowed: u64,
        converted: u64,
        gcd: u64,
        fizzled: u64,
        /// The pool's size now.
        remaining: u64,
    }
    /// A spark was added to the pool
    35 SPARK_CREATE fixed SparkCreate {}
    /// A spark was made of something already evaluated
    36 SPARK_DUD fixed SparkDud {}
    /// A spark was dropped since the pool is full
    37 SPARK_OVERFLOW fixed SparkOverflow {}
    /// A spark of this capability's pool is run
    38 SPARK_RUN fixed SparkRun {}
    /// A spark is stolen from another capability's pool and run
    39 SPARK_STEAL fixed SparkSteal { victim: CapNo }
    /// A spark was removed since something else has evaluated it
    40 SPARK_FIZZLE fixed SparkFizzle {}
    /// A spark was removed since nothing refers to it
    41 SPARK_GC fixed SparkGc {}
    /// A string and the number that stands for it (Mercury)
    42 INTERN_STRING var InternString<'a> { text: TextBeforeId<'a>, id: u32 }
    /// Wall-clock time at this moment (Unix epoch)
    43 WALL_CLOCK_TIME fixed WallClockTime { capset: CapsetId, seconds: u64, nanoseconds: u32 }
    /// A thread's label
    44 THREAD_LABEL var ThreadLabel<'a> { thread: ThreadId, label: Text<'a> }
    /// A capability was created
    45 CAP_CREATE fixed CapCreate { cap: CapNo }
    /// A capability was deleted
    46 CAP_DELETE fixed CapDelete { cap: CapNo }
    /// A capability was disabled (setNumCapabilities)
    47 CAP_DISABLE fixed CapDisable { cap: CapNo }
    /// A capability was enabled (setNumCapabilities)
    48 CAP_ENABLE fixed CapEnable { cap: CapNo }
    /// Bytes this capability has allocated since the start
    49 HEAP_ALLOCATED fixed HeapAllocated { capset: CapsetId, bytes: u64 }
    /// The heap's size
    50 HEAP_SIZE fixed HeapSize { capset: CapsetId, bytes: u64 }
    /// Live data, after a major collection
    51 HEAP_LIVE fixed HeapLive { capset: CapsetId, bytes: u64 }
    /// The heap's parameters
    52 HEAP_INFO_GHC fixed HeapInfo {
        capset: CapsetId,
        generations: u16,
        /// 0 if there is no limit.
        max_heap_bytes: u64,
        alloc_area_bytes: u64,
        mblock_bytes: u64,
        block_bytes: u64,
    }
    /// Figures of a garbage collection
    53 GC_STATS_GHC fixed GcStats {
        capset: CapsetId,
        generation: u16,
        copied_bytes: u64,
        slop_bytes: u64,
        fragmentation_bytes: u64,
        /// As configured, not as took part.
        par_threads: u32,
        par_max_copied_bytes: u64,
        par_total_copied_bytes: u64,
        /// Since GHC 8.4.
        par_balanced_copied_bytes: Option<u64>,
    }
    /// All capabilities are stopped for the collection
    54 GC_GLOBAL_SYNC fixed GcGlobalSync {}
    /// A task (OS thread) of the runtime was created
    55 TASK_CREATE fixed TaskCreate {
        task: TaskId,
        cap: CapNo,
        /// 0 if unknown.
        kernel_thread: u64,
    }
    /// A task moves to another capability
    56 TASK_MIGRATE fixed TaskMigrate { task: TaskId, cap: CapNo, new_cap: CapNo }
    /// A task is over
    57 TASK_DELETE fixed TaskDelete { task: TaskId }
    /// A marker of the program (traceMarker)
    58 USER_MARKER var UserMarker<'a> { text: Text<'a> }
    /// Never emitted: its declaration marks GHC 7.8.3 and later
    59 HACK_BUG_T9003 fixed HackBugT9003 {}
    /// A machine starts to receive messages (Eden)
    60 EDEN_START_RECEIVE fixed EdenStartReceive {}
    /// A machine has received its messages (Eden)
    61 EDEN_END_RECEIVE fixed EdenEndReceive {}
    /// A process was created (Eden)
    62 CREATE_PROCESS fixed CreateProcess { process: u32 }
    /// A process is over (Eden)
    63 KILL_PROCESS fixed KillProcess { process: u32 }
    /// A thread belongs to a process (Eden)
    64 ASSIGN_THREAD_TO_PROCESS fixed AssignThreadToProcess { thread: ThreadId, process: u32 }
    /// A machine was started (Eden)
    65 CREATE_MACHINE fixed CreateMachine {
        machine: u16,
        /// In 10 ns.
        start_time: u64,
    }
    /// A machine is over (Eden)
    66 KILL_MACHINE fixed KillMachine { machine: u16 }
    /// A message is sent to another machine (Eden)
    67 SEND_MESSAGE fixed SendMessage {
        message: MessageTag,
        sender_process: u32,
        sender_thread: ThreadId,
        receiver_machine: u16,
        receiver_process: u32,
        receiver_inport: u32,
    }
    /// A message arrives from another machine (Eden)
    68 RECEIVE_MESSAGE fixed ReceiveMessage {
        message: MessageTag,
        receiver_process: u32,
        receiver_inport: u32,
        sender_machine: u16,
        sender_process: u32,
        sender_thread: ThreadId,
        size_bytes: u32,
    }
    /// A message stays within the machine (Eden)
    69 SEND_RECEIVE_LOCAL_MESSAGE fixed LocalMessage {
        message: MessageTag,
        sender_process: u32,
        sender_thread: ThreadId,
        receiver_process: u32,
        receiver_inport: u32,
    }
    /// Memory is given back to the system, in megablocks
    90 MEM_RETURN fixed MemReturn { capset: CapsetId, current: u32, needed: u32, returned: u32 }
    /// Bytes in allocated blocks
    91 BLOCKS_SIZE fixed BlocksSize { capset: CapsetId, bytes: u64 }
    /// A parallel conjunction starts (Mercury)
    100 MER_START_PAR_CONJUNCTION fixed MerStartParConjunction { dynamic: u64, conjunction: u32 }
    /// A parallel conjunction ends (Mercury)
    101 MER_STOP_PAR_CONJUNCTION fixed MerStopParConjunction { dynamic: u64 }
    /// A parallel conjunct ends (Mercury)
    102 MER_STOP_PAR_CONJUNCT fixed MerStopParConjunct { dynamic: u64 }
    /// A spark was created for a conjunction (Mercury)
    103 MER_CREATE_SPARK fixed MerCreateSpark { dynamic: u64, spark: u32 }
    /// A future was created (Mercury)
    104 MER_FUT_CREATE fixed MerFutureCreate { future: u64, name: u32 }
    /// Waiting for a future did not suspend (Mercury)
    105 MER_FUT_WAIT_NOSUSPEND fixed MerFutureWaitNoSuspend { future: u64 }
    /// Waiting for a future suspended (Mercury)
    106 MER_FUT_WAIT_SUSPENDED fixed MerFutureWaitSuspended { future: u64 }
    /// A future was signalled (Mercury)
    107 MER_FUT_SIGNAL fixed MerFutureSignal { future: u64 }
    /// Looks for a global thread to resume (Mercury)
    108 MER_LOOKING_FOR_GLOBAL_CONTEXT fixed MerLookingForGlobalContext {}
    /// Tries to steal a spark (Mercury)
    109 MER_WORK_STEALING fixed MerWorkStealing {}
    /// A thread goes back to the free pool (Mercury)
    110 MER_RELEASE_CONTEXT fixed MerReleaseContext { thread: ThreadId }
    /// The capability goes to sleep (Mercury)
    111 MER_ENGINE_SLEEPING fixed MerEngineSleeping {}
    /// Looks for a local spark to run (Mercury)
    112 MER_LOOKING_FOR_LOCAL_SPARK fixed MerLookingForLocalSpark {}
    /// About to call the program's entry point (Mercury)
    113 MER_CALLING_MAIN fixed MerCallingMain {}
    /// The name of a performance counter (Linux perf)
    140 PERF_NAME var PerfName<'a> { number: u32, name: Text<'a> }
    /// A performance counter was sampled (Linux perf)
    141 PERF_COUNTER fixed PerfCounter { number: u32, kernel_thread: u64, period: u64 }
    /// A trace point was reached (Linux perf)
    142 PERF_TRACEPOINT fixed PerfTracepoint { number: u32, kernel_thread: u64 }
    /// A heap profile begins
    160 HEAP_PROF_BEGIN var HeapProfBegin<'a> {
        profile: u8,
        period: Nanos,
        breakdown: Breakdown,
        module_filter: CStr<'a>,
        closure_filter: CStr<'a>,
        type_filter: CStr<'a>,
        cost_centre_filter: CStr<'a>,
        stack_filter: CStr<'a>,
        retainer_filter: CStr<'a>,
        biography_filter: CStr<'a>,
    }
    /// A cost centre's definition
    161 HEAP_PROF_COST_CENTRE var CostCentre<'a> {
        id: CostCentreId,
        label: CStr<'a>,
        module: CStr<'a>,
        location: CStr<'a>,
        /// Bit 0: a CAF.
        flags: u8,
    }
    /// A heap census begins
    162 HEAP_PROF_SAMPLE_BEGIN fixed HeapProfSampleBegin { number: u64 }
    /// Bytes of one cost-centre stack in a census
    163 HEAP_PROF_SAMPLE_COST_CENTRE var HeapProfSampleCostCentre<'a> { profile: u8, bytes: u64, stack: CostCentreStack<'a> }
    /// Bytes of one band in a census
    164 HEAP_PROF_SAMPLE_STRING var HeapProfSampleString<'a> { profile: u8, bytes: u64, label: CStr<'a> }
    /// A heap census ends
    165 HEAP_PROF_SAMPLE_END fixed HeapProfSampleEnd { number: u64 }
    /// A biographical heap census begins
    166 HEAP_BIO_PROF_SAMPLE_BEGIN fixed HeapBioProfSampleBegin { number: u64, time: Nanos }
    /// A capability's cost-centre stack at a tick of the time profiler
    167 PROF_SAMPLE_COST_CENTRE var ProfSampleCostCentre<'a> { cap: u32, tick: u64, stack: CostCentreStack<'a> }
    /// A time profile begins
    168 PROF_BEGIN fixed ProfBegin { interval: Nanos }
    /// What an info table stands for, and where in the source
    169 IPE var Ipe<'a> {
        info_table: InfoTable,
        table_name: CStr<'a>,
        /// A number in decimal.
        closure_type: CStr<'a>,
        type_name: CStr<'a>,
        label: CStr<'a>,
        module: CStr<'a>,
        location: CStr<'a>,
    }
    /// A binary message of the program (traceBinaryEvent)
    181 USER_BINARY_MSG var UserBinaryMsg<'a> { bytes: &'a [u8] }
    /// The non-moving collector starts to mark
    200 CONC_MARK_BEGIN fixed ConcMarkBegin {}
    /// The non-moving collector has marked
    201 CONC_MARK_END fixed ConcMarkEnd { marked: u32 }
    /// The non-moving collector stops the program to finish marking
    202 CONC_SYNC_BEGIN fixed ConcSyncBegin {}
    /// The non-moving collector lets the program go on
    203 CONC_SYNC_END fixed ConcSyncEnd {}
    /// The non-moving collector starts to sweep
    204 CONC_SWEEP_BEGIN fixed ConcSweepBegin {}
    /// The non-moving collector has swept
    205 CONC_SWEEP_END fixed ConcSweepEnd {}
    /// A capability's update remembered set was flushed
    206 CONC_UPD_REM_SET_FLUSH fixed ConcUpdRemSetFlush { cap: CapNo }
    /// Census of one size class of the non-moving heap
    207 NONMOVING_HEAP_CENSUS fixed NonmovingHeapCensus {
        block_bytes: SegmentBlockSize,
        active_segments: u32,
        filled_segments: u32,
        live_blocks: u32,
    }
    /// Free segments of the non-moving heap were given back
    208 NONMOVING_PRUNED_SEGMENTS fixed NonmovingPrunedSegments { pruned: u32, free: u32 }
    /// A ticky counter's definition
    210 TICKY_COUNTER_DEF var TickyCounterDef<'a> {
        id: u64,
        arity: u16,
        arguments: CStr<'a>,
        name: CStr<'a>,
        /// Since GHC 9.4.
        info_table: Option<InfoTable>,
        /// Since GHC 9.6.
        json: Option<CStr<'a>>,
    }
    /// A ticky counter's increase since the sample before
    211 TICKY_COUNTER_SAMPLE fixed TickyCounterSample { id: u64, entries: u64, allocs_bytes: u64, allocd_bytes: u64 }
    /// A sample of the ticky counters begins
    212 TICKY_COUNTER_BEGIN_SAMPLE fixed TickyCounterBeginSample {}
}

/// The row of an event's number; `None` if it is not known.
#[must_use]
pub fn info(tag: u16) -> Option<&'static EventInfo> {
    EVENTS.get(usize::from(*PLACES.get(usize::from(tag))?))
}

/// The place of each number below 256 in [`EVENTS`]; `u8::MAX`, where nothing is, if it is not known.
#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it, and would fail")]
static PLACES: [u8; 256] = {
    assert!(EVENTS.len() < u8::MAX as usize);
    let mut places = [u8::MAX; 256];
    let mut at = 0;
    while at < EVENTS.len() {
        places[EVENTS[at].tag as usize] = at as u8;
        at += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flaw, VARIABLE};
    use alloc::{format, string::String, vec, vec::Vec};

    #[test]
    fn rows_are_in_order() {
        assert!(EVENTS.is_sorted_by(|a, b| a.tag < b.tag));
        for tag in 0..=u16::MAX {
            let found = EVENTS.iter().find(|info| info.tag == tag);
            assert_eq!(info(tag).map(|info| info.name), found.map(|info| info.name));
        }
    }

    #[test]
    fn a_row_gives_everything() {
        let info = info(4).expect("MIGRATE_THREAD is known");
        assert_eq!((info.name, info.doc), ("MIGRATE_THREAD", "A thread moves to another capability"));
        assert_eq!((info.variable, info.min_size, info.fields), (false, 6, &["thread", "cap"][..]));
        let event = decode(4, &[0, 0, 0, 7, 0, 1]).event;
        assert_eq!(event, Event::MigrateThread(MigrateThread { thread: ThreadId(7), cap: CapNo(1) }));
    }

    #[test]
    fn optional_fields_follow_the_length() {
        let short = decode(2, &[0, 0, 0, 7, 0, 5]).event;
        assert_eq!(short, Event::StopThread(StopThread { thread: ThreadId(7), status: StopStatus(5), info: None }));
        let long = StopThread::read(&[0, 0, 0, 7, 0, 8, 0, 0, 0, 9]);
        assert_eq!(long.info, Some(9));
    }

    #[test]
    fn the_census_has_two_forms() {
        let old = [5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
        let new = [0, 32, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
        assert_eq!(NonmovingHeapCensus::read(&old), NonmovingHeapCensus::read(&new));
    }

    /// What is read of a payload: how many bytes the fields take, what is wrong with them, and the fields.
    fn read(tag: u16, payload: &[u8]) -> (usize, Option<Flaw>, String) {
        let Decoded { event, used, flaw } = decode(tag, payload);
        let mut text = String::new();
        event.visit(&mut |name, value| {
            let value = match value {
                Value::Number(number) | Value::Address(number) => format!("{number}"),
                Value::Text(text) => format!("{text:?}"),
                Value::List(list) => format!("{:?}", list.iter().collect::<Vec<_>>()),
                Value::Stack(stack) => format!("{:?}", stack.iter().map(|id| id.0).collect::<Vec<_>>()),
                Value::Name(name, number) => format!("{number} {}", name.unwrap_or("?")),
                Value::Thread(thread) => format!("{thread}"),
                Value::Capset(capset) => format!("{capset}"),
                Value::Raw(bytes) => format!("{bytes:?}"),
                Value::Absent => String::from("absent"),
                other => format!("{other:?}"),
            };
            text += &format!("{name} {value}, ");
        });
        (used, flaw, text)
    }

    #[test]
    fn missing_fields_give_a_flaw_and_the_others_are_read() {
        type Case = (u16, Vec<u8>, usize, Option<Flaw>, &'static str);
        let profile = [&[1][..], &[0, 0, 0, 0, 0, 0, 0, 9]].concat();
        let with = |rest: &[u8]| [&profile[..], rest].concat();
        let cases: [Case; 17] = [
            (0, vec![0, 0, 0, 7], 4, None, "thread 7, "),
            (0, vec![0, 0, 0, 7, 1, 1], 4, None, "thread 7, "),
            (0, vec![0, 0, 0], 3, Some(Flaw::Short), "thread 0, "),
            // An optional field that is there in part is not there, nor is what follows.
            (2, vec![0, 0, 0, 7, 0, 5], 6, None, "thread 7, status 5 finished, info absent, "),
            (2, vec![0, 0, 0, 7, 0, 5, 0, 0, 1], 6, None, "thread 7, status 5 finished, info absent, "),
            (2, vec![0, 0, 0, 7, 0, 99, 0, 0, 0, 3], 10, None, "thread 7, status 99 ?, info 3, "),
            (19, vec![], 0, None, "text \"\", "),
            (19, b"hi".to_vec(), 2, None, "text \"hi\", "),
            (30, b"\0\0\0\x02a\0b\0".to_vec(), 8, None, "capset 2, args [\"a\", \"b\"], "),
            // The text ends where the last field begins.
            (42, b"text\0\0\0\x05".to_vec(), 8, None, "text \"text\", id 5, "),
            (42, b"\0\0\0\x05".to_vec(), 4, None, "text \"\", id 5, "),
            (42, b"\0\0\x05".to_vec(), 3, Some(Flaw::Short), "text \"\", id 0, "),
            (164, with(b"band\0"), 14, None, "profile 1, bytes 9, label \"band\", "),
            (164, with(b"band\0more"), 14, None, "profile 1, bytes 9, label \"band\", "),
            (164, with(b"band"), 13, Some(Flaw::NoNul), "profile 1, bytes 9, label \"band\", "),
            (163, with(&[1, 0, 0, 0, 3, 9, 9]), 14, None, "profile 1, bytes 9, stack [3], "),
            (163, with(&[2, 0, 0, 0, 3, 9, 9]), 14, Some(Flaw::Count), "profile 1, bytes 9, stack [3], "),
        ];
        for (tag, payload, used, flaw, fields) in cases {
            assert_eq!(read(tag, &payload), (used, flaw, String::from(fields)), "{tag}: {payload:?}");
        }
    }

    /// As different releases have them, the newest form first.
    #[test]
    fn events_have_the_sizes_that_releases_gave_them() {
        let sizes = |tag| info(tag).map(|info| info.sizes().collect::<Vec<_>>()).unwrap_or_default();
        assert_eq!(sizes(CreateThread::TAG), [4]);
        assert_eq!(sizes(StopThread::TAG), [10, 6]);
        assert_eq!(sizes(GcStats::TAG), [58, 50]);
        assert_eq!(sizes(NonmovingHeapCensus::TAG), [14, 13]);
        assert_eq!(sizes(UserMsg::TAG), [VARIABLE]);
    }
}
