/* An eventlog writer that appends, and a main that gives it to the runtime. */
#include <stdio.h>
#include "Rts.h"

extern StgClosure ZCMain_main_closure;

static FILE *sink;

static bool append(void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, sink) == count;
}

static void flush(void) { fflush(sink); }

static const EventLogWriter appender = {
    .writeEventLog = append,
    .flushEventLog = flush,
};

void stopLogging(void) { endEventLogging(); }

void startLogging(void) { startEventLogging(&appender); }

int main(int argc, char **argv)
{
    RtsConfig config = defaultRtsConfig;
    sink = fopen("restarted.eventlog", "wb");
    if (!sink)
        return 1;
    config.rts_opts_enabled = RtsOptsAll;
    config.eventlog_writer = &appender;
    return hs_main(argc, argv, &ZCMain_main_closure, config);
}
