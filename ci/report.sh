#!/bin/sh
# Makes report.html and a summary in Markdown of the eventlogs that a job has written: what the GitHub action and the GitLab job call.
#
#   LOGS     the logs, one a line; patterns of the shell, too
#   OUT      the folder for report.html and summary.md (default: report)
#   OPTIONS  options of `ghc-eventlog report`, one a line: --strip-args, --strip-messages, --env, --embed-limit=20MB. What is left
#            out of the report is left out of the summary, too; the environment is never in that
#   PROGRAM  the program (default: ghc-eventlog)
#   SUMMARY  a file to which the summary is added, as GITHUB_STEP_SUMMARY
#
# A log that is longer than the embed limit is not in the report, which asks for it beside itself. It is for the job to publish it
# there: as it is, with all that was left out of the report.
#
# A log of which something is missing has a report all the same, and a warning. One that cannot be read fails the job.
set -eu

PROGRAM=${PROGRAM:-ghc-eventlog}
OUT=${OUT:-report}
# Sites cut longer summaries off, or refuse them.
MOST=900000

newline='
'
IFS=$newline
# The patterns are meant to become names here, and each line is one; what is no pattern stays as it is.
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
# 1: something is missing, which has been told.
missing=0
# shellcheck disable=SC2086
"$PROGRAM" report ${OPTIONS:-} --output "$OUT/report.html" -- "$@" || missing=$?
if [ "$missing" -gt 1 ]; then exit "$missing"; fi

strips=$(printf '%s\n' "${OPTIONS:-}" | grep -e '^--strip-' || :)
: > "$OUT/summary.md"
for log; do
    # shellcheck disable=SC2086
    "$PROGRAM" summary --markdown --top 10 $strips -- "$log" > "$OUT/one.md" || [ $? -eq 1 ]
    # As a whole or not at all: half a table is none.
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
