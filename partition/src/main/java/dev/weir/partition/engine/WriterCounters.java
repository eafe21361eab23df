package dev.weir.partition.engine;

import java.util.concurrent.atomic.LongAdder;

/** What a writer has done since it was made. Any thread. */
final class WriterCounters {
    final LongAdder entries = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder entryBytes = new LongAdder();
    final LongAdder overloaded = new LongAdder();
    final LongAdder buffersFull = new LongAdder();

    WriterStats read(long bytes, int waiting, int inFlight) {
        return new WriterStats(
                bytes,
                waiting,
                inFlight,
                entries.sum(),
                requests.sum(),
                entryBytes.sum(),
                overloaded.sum(),
                buffersFull.sum());
    }
}
