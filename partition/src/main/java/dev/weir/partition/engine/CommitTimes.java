package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import java.util.List;

/**
 * When events of a table were committed, by seq: exactly where the log was read; of rows in files no later than this, since a file keeps the time of its
 * first and last commit only. One thread.
 */
final class CommitTimes {
    private final List<StoredFile> files;
    private final BufferedRows tail;

    CommitTimes(List<StoredFile> files, BufferedRows tail) {
        this.files = files;
        this.tail = tail;
    }

    long of(long seq) {
        long exact = tail.committedAtNanos(seq);
        if (exact >= 0) {
            return exact;
        }
        long latest = Long.MAX_VALUE;
        for (StoredFile file : files) {
            if (seq >= file.firstSeq() && seq <= file.lastSeq()) {
                latest = Math.min(latest, file.lastCommittedAtNanos());
            }
        }
        if (latest == Long.MAX_VALUE) {
            throw new IllegalStateException("seq " + seq + ": expected it in one of " + files.size() + " files");
        }
        return latest;
    }
}
