#!/bin/sh
# Makes report.html and a summary in Markdown from the eventlogs that a job has written. The GitHub action and the GitLab job call this.
#
#   LOGS     the logs, one on each line; shell patterns are allowed
#   OUT      the folder for report.html and summary.md (default: report)
#   OPTIONS  options of `ghc-eventlog report`, one on each line: --strip-args, --strip-messages, --env, --embed-limit=20MB. What is left
#            out of the report is left out of the summary, too; the summary never has the environment
#   PROGRAM  the program (default: ghc-eventlog)
#   SUMMARY  a file to which the summary is added, as GITHUB_STEP_SUMMARY
#
# A log that is longer than the embed limit is not in the report: the report fetches it from its own folder. The job must publish the log
# there, and then publishes it unchanged, with everything that is left out of the report.
#
# If something of a log is missing, it still has a report, and the job a warning. A log that cannot be read fails the job.
set -eu

PROGRAM=${PROGRAM:-ghc-eventlog}
OUT=${OUT:-report}
# Sites cut longer summaries off, or refuse them.
MOST=900000

newline='
'
IFS=$newline
# The shell expands the patterns here, one on each line; other lines stay unchanged.
# shellcheck disable=SC2086
set -- ${LOGS:-}
if [ $# -eq 0 ]; then
    echo "report.sh: LOGS names no eventlog" >&2
    exit 2
fi
for log; do
    if [ ! -e "$log" ]; then
        echo "report.sh: there is no $log" >&2
        exit 2
    fi
done

mkdir -p "$OUT"
# 1: something is missing, which has been reported.
missing=0
# shellcheck disable=SC2086
"$PROGRAM" report ${OPTIONS:-} --output "$OUT/report.html" -- "$@" || missing=$?
if [ "$missing" -gt 1 ]; then exit "$missing"; fi

strips=$(printf '%s\n' "${OPTIONS:-}" | grep -e '^--strip-' || :)
: > "$OUT/summary.md"
for log; do
    # shellcheck disable=SC2086
    "$PROGRAM" summary --markdown --top 10 $strips -- "$log" > "$OUT/one.md" || [ $? -eq 1 ]
    # All of it or nothing, since half a table is useless.
    if [ $(($(wc -c < "$OUT/summary.md") + $(wc -c < "$OUT/one.md"))) -le $MOST ]; then
        cat "$OUT/one.md" >> "$OUT/summary.md"
        echo >> "$OUT/summary.md"
    else
        echo "There are more logs: see report.html." >> "$OUT/summary.md"
        break
    fi
done
rm -f "$OUT/one.md"
if [ "$missing" -eq 1 ]; then
    echo "report.sh: something is missing of the logs, see above" >&2
fi
if [ -n "${SUMMARY:-}" ]; then cat "$OUT/summary.md" >> "$SUMMARY"; fi
