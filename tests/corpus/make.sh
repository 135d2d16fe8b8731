#!/usr/bin/env bash
# Makes every log of this corpus anew with the ghc on PATH (Debian's 9.0.2: packages ghc, ghc-prof).
#
#   tests/corpus/make.sh              all cases
#   tests/corpus/make.sh NAME...      these only (the cut-* ones need threaded/log.eventlog)
#
# Times, process ids and schedules differ from run to run: a log made anew needs its expectations made anew.
set -euo pipefail

corpus=$(cd "$(dirname "$0")" && pwd)
wanted=" $* "
limit=100000 # bytes: the corpus lives in the repository

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$corpus"/src/* "$work"
cd "$work" # programs are compiled and run by relative names: no path of this machine gets into a log

made=0
is_wanted() { [[ $wanted == "  " || $wanted == *" $1 "* ]]; }

# compile PROGRAM SOURCES FLAGS...
compile() {
  local program=$1 sources=$2 options=-rtsopts
  shift 2
  [[ $* == *-no-hs-main* ]] && options= # its own main allows them
  # shellcheck disable=SC2086 # several sources
  ghc -v0 -O $options -outputdir "objects.$program" -o "$program" "$@" $sources
}

# keep CASE LOG [RTS]
keep() {
  made=$((made + 1))
  mkdir -p "$corpus/$1"
  cp "$2" "$corpus/$1/log.eventlog"
  rm -f "$corpus/$1/rts.txt"
  if [ $# = 3 ]; then cp "$3" "$corpus/$1/rts.txt"; fi
  local size
  size=$(stat -c %s "$2")
  printf '%-22s %6d bytes\n' "$1" "$size"
  if ((size > limit)); then
    echo "$1: larger than $limit bytes" >&2
    exit 1
  fi
}

# Programs that run to their end: the program gets the case's name, its log is NAME.eventlog, and the runtime's
# own figures for the same run go to rts.txt.
#
# case | source | compile | program's arguments | run with
ended=$(cat <<'TABLE'
# Three capabilities, everything a usual log has: labels, messages, markers, MVar, STM, delays, foreign calls, an asynchronous exception, sequential and parallel collections.
threaded              | Threaded.hs  | -threaded -eventlog |       | -N3 -la -A512k
# The same program with one class of events only: threads nobody introduced, nothing ever runs.
only-messages         | Threaded.hs  | -threaded -eventlog |       | -N3 -l-au
# The same program, collections without threads.
only-collections      | Threaded.hs  | -threaded -eventlog |       | -N3 -l-ag -A512k
# The runtime without OS threads: one capability, collections without requests.
single                | Single.hs    | -eventlog           |       | -l -A256k
# Sparks of every fate, each with its event.
sparks                | Sparks.hs    | -threaded -eventlog |       | -N2 -la
# Sparks without the other extra classes, and a pool (-e: of 64) that overflows.
sparks-full           | Sparks.hs    | -threaded -eventlog | flood | -N2 -lsgf -e64
# Sparks as counters only, as plain -l gives them.
sparks-sampled        | Sparks.hs    | -threaded -eventlog | flood | -N2 -l -e64
# Every reason to stop that the threaded runtime has.
blocked-threads       | Blocked.hs   | -threaded -eventlog |       | -N2 -la -C0.001
# The three that only the runtime without OS threads has: waiting to read, to write, for time.
blocked-io            | BlockedIO.hs | -eventlog           |       | -l
# The runtime without OS threads: delays and a pipe, whose waits end without a wake-up event.
alone                 | Alone.hs     | -package unix -eventlog |   | -l
# A chat room: threads that wait in every way and move, one bound to an OS thread of its own, while the number of capabilities
# changes; spans that go with their threads.
chat                  | Chat.hs      | -threaded -eventlog -package unix | | -N4 -la -A256k
# The same without OS threads.
chat-single           | Chat.hs      | -eventlog -package unix |   | -la -A256k
# Capabilities enabled, disabled, made during the run.
resized               | Resized.hs   | -threaded -eventlog |       | -l
# Four capabilities, of which some are disabled for a while: threads and collections only.
disabled              | Disabled.hs  | -threaded -eventlog |       | -N4 -lsg -A1m -qg
# Texts that are hard to show, and spans written as START and STOP.
messages              | Messages.hs  | -eventlog           |       | -l
# Spans written as START and STOP: nested, crossed, told apart by numbers, moving with their threads, without an end.
spans                 | Spans.hs     | -threaded -eventlog |       | -N2 -l -A256k
# The same program with user events only: nothing tells which thread speaks.
spans-user            | Spans.hs     | -threaded -eventlog |       | -N2 -l-au
# Messages that are not UTF-8 (ghc-events refuses the log) and binary ones.
message-bytes         | Bytes.hs     | -eventlog           |       | -l
# Heap profile by closure type: needs no profiling build.
heap-closure          | Heap.hs      | -eventlog           |       | -l -hT -i0.001
# Heap profiles of a profiling build: by cost centre (own sample event) and by the other classes (text).
heap-cost-centre      | Heap.hs      | -prof -fprof-auto-top |     | -l -hc -i0.001
heap-module           | Heap.hs      | -prof -fprof-auto-top |     | -l -hm -i0.001
heap-description      | Heap.hs      | -prof -fprof-auto-top |     | -l -hd -i0.001
heap-type             | Heap.hs      | -prof -fprof-auto-top |     | -l -hy -i0.001
heap-retainer         | Heap.hs      | -prof -fprof-auto-top |     | -l -hr -i0.001
# By biography: samples written at the end, with their own time field.
heap-biography        | Heap.hs      | -prof -fprof-auto-top |     | -l -hb -i0.001
# Time profile on two capabilities: one sample per capability and tick.
time-profile          | Heap.hs      | -prof -fprof-auto-top -threaded | | -N2 -l -p -V0.002
# The non-moving collector with its census and the runtime's own messages (class n, which a leaves out), with OS
# threads (a pause to synchronise) and without (none).
nonmoving             | Threaded.hs  | -threaded -eventlog |       | -N3 -lan -xn -A512k
nonmoving-single      | Heap.hs      | -eventlog           |       | -lan -xn
# Logging stopped and started again into a writer that appends: two streams in one file.
restarted             | Restarted.hs restarted.c | -threaded -eventlog -no-hs-main |   | -N2 -la
TABLE
)

# What only newer runtimes write: these want a ghc of 9.2 or later on PATH (Debian trixie's is 9.6.6, which made them).
newer=$(cat <<'TABLE'
# The heap grows and shrinks: its blocks, and memory given back to the system; a capability disabled and enabled again.
returned              | Returned.hs  | -threaded           |       | -la -A256k -Fd0.5
TABLE
)
if [[ $(printf '%s\n' 9.2 "$(ghc --numeric-version)" | sort -V | head -n 1) == 9.2 ]]; then
  ended+=$'\n'$newer
else
  echo "ghc $(ghc --numeric-version) does not make: $(cut -d' ' -f1 <<<"$newer" | grep -v '#' | xargs)" >&2
fi

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

while IFS='|' read -r name sources flags arguments run; do
  [[ $name == \#* ]] && continue
  name=$(trim "$name")
  is_wanted "$name" || continue
  # shellcheck disable=SC2086 # lists of words
  compile "$name" "$sources" $flags
  # shellcheck disable=SC2086
  "./$name" $arguments +RTS $run "-t$name.rts" --machine-readable -RTS 2>"$name.err" ||
    { cat "$name.err" >&2; exit 1; }
  keep "$name" "$name.eventlog" "$name.rts"
done <<<"$ended"

# A forked child has its own log, whose times count from boot. Parent and child would write the same figures
# file, so there is none.
if is_wanted forked; then
  compile forked Forked.hs -eventlog
  ./forked +RTS -l
  keep forked forked.[0-9]*.eventlog
fi

# A log torn by the runtime itself (GHC issue 25165): without OS threads the timer writes its samples into the
# buffer in which the program is just writing another record. A matter of luck: repeated until it happens.
if is_wanted torn; then
  compile torn Heap.hs -prof -fprof-auto-top
  [ -x cutplace ] || compile cutplace CutPlace.hs
  for ((try = 1; ; try++)); do
    ./torn +RTS -l -p -hy -V0.0002 -i0.0002 -ttorn.rts --machine-readable
    ./cutplace end torn.eventlog >/dev/null 2>&1 || break
    if ((try == 200)); then
      echo "torn: sound 200 times, none kept" >&2
      exit 1
    fi
  done
  keep torn torn.eventlog torn.rts
fi

# A program killed before a buffer was full: GHC 9.0 has written the header and nothing else.
if is_wanted killed-early; then
  compile killed-early Sleeper.hs -threaded -eventlog
  mkfifo said
  ./killed-early +RTS -la >said &
  read -r _ <said
  kill -KILL $!
  wait $! 2>/dev/null || true
  keep killed-early killed-early.eventlog
fi

# The beginning of the threaded log. Block: where a killed program's log ends, all blocks of capabilities and
# not the global one, which GHC 9.0 writes last (no process facts, no capabilities introduced). The others: a
# copy broken off in the header, in a record's tag and time, in a payload.
cut_off() {
  is_wanted "$1" || return 0
  [ -x cutplace ] || compile cutplace CutPlace.hs
  head -c "$(./cutplace "$2" "$corpus/threaded/log.eventlog")" "$corpus/threaded/log.eventlog" >"$1"
  keep "$1" "$1"
}
cut_off cut-after-blocks block
cut_off cut-in-header header
cut_off cut-in-head head
cut_off cut-in-event payload

# A file that was made and never written.
if is_wanted empty; then
  : >empty
  keep empty empty
fi

if ((made == 0)); then
  echo "no such case: $*" >&2
  exit 1
fi
