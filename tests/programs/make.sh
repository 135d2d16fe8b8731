#!/usr/bin/env bash
# Makes the logs of these programs anew with the ghc on PATH, each program with its fault and mended.
#
#   tests/programs/make.sh FOLDER             all programs
#   tests/programs/make.sh FOLDER NAME...     these only
#
# FOLDER gets NAME.eventlog and NAME-mended.eventlog, and beside each the runtime's own figures for the same run, NAME.rts. How a
# program is compiled and run is said at the head of its source, in lines like "-- run: -N2 -l": compile, run (flags of the runtime)
# and arguments; "-- mended run:" and so on say what is different after the remedy. A healthy program has no mended form.
# README.md has the other lines of a head.
#
# The findings depend on what the machine does at the moment: make the logs while it does nothing else, on two cores. If there is other
# work, RUN_WITH is a command to run the programs with, such as "chrt -r 1".
set -euo pipefail

if (($# == 0)); then
  sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
programs=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$programs"/*.hs "$work"
cd "$work" # programs are compiled and run by relative names: no path of this machine gets into a log

# head_of KEY NAME: the value of a line "-- KEY: value"; empty if there is none
head_of() { sed -n "s/^-- $1: *//p" "$2.hs" | head -n 1; }

has() { grep -q "^-- $1:" "$2.hs"; }

# flags VARIANT KEY NAME: the flags of a variant, which are those of the faulty one unless the head says otherwise
flags() {
  if [[ $1 == mended ]] && has "mended $2" "$3"; then head_of "mended $2" "$3"; else head_of "$2" "$3"; fi
}

# make VARIANT NAME LOG
make() {
  local compile run arguments
  compile=$(flags "$1" compile "$2")
  run=$(flags "$1" run "$2")
  arguments=$(flags "$1" arguments "$2")
  # Before 9.4 a program is linked with the runtime that writes logs only if that is asked for; later ones warn of it.
  # shellcheck disable=SC2086 # lists of words
  ghc -v0 -w -rtsopts -eventlog $compile -outputdir "objects.$3" -o "$2" "$2.hs"
  if has "log through" "$2"; then
    mkfifo "$3.eventlog"
    # Both ends are open before the program runs, which may be over before the compressor has begun.
    exec 3<>"$3.eventlog" 4<"$3.eventlog"
    # shellcheck disable=SC2046
    $(head_of "log through" "$2") <&4 3>&- >"$3.through" &
    exec 4<&-
  fi
  # The runtime may write the environment to the log: there is none.
  # shellcheck disable=SC2086
  ${RUN_WITH-} env -i LANG=C.UTF-8 "./$2" $arguments +RTS $run "-ol$3.eventlog" "-t$3.rts" --machine-readable -RTS >"$3.out"
  if has "log through" "$2"; then
    exec 3>&-
    wait
    rm "$3.eventlog"
    gzip -d <"$3.through" >"$3.eventlog"
  fi
  mv "$3.eventlog" "$3.rts" "$folder"
  if [[ $folder == */tests/corpus/* ]] && has "too large for the corpus" "$2" && [[ $1 == faulty ]]; then
    rm "$folder/$3".{eventlog,rts}
    return
  fi
  printf '%-26s %8d bytes\n' "$3" "$(stat -c %s "$folder/$3.eventlog")"
}

made=0
for source in *.hs; do
  name=${source%.hs}
  [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
  made=$((made + 1))
  make faulty "$name" "$name"
  if grep -q '^-- mended ' "$source"; then make mended "$name" "$name-mended"; fi
done
if ((made == 0)); then
  echo "no such program: $*" >&2
  exit 1
fi
