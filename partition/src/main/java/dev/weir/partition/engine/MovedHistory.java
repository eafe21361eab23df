package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.wal.segment.SegmentFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The oldest part of a partition's history, which is in the object store: segments without holes between them, oldest first. A function of the log alone. Immutable.
 *
 * @param through events before it were moved or trimmed, or were never here, as far as is known since moves began; 0 before, when nothing remembers trims
 */
record MovedHistory(List<MovedSegment> segments, long through) {
    static final MovedHistory NONE = new MovedHistory(List.of(), 0);

    MovedHistory {
        segments = List.copyOf(segments);
    }

    /** From here on trims are remembered, so that no copy that one has overtaken is taken. */
    MovedHistory begun(long firstSeq) {
        return isBegun() ? this : new MovedHistory(List.of(), firstSeq);
    }

    boolean isBegun() {
        return through > 0;
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** Seq of the oldest event; there is one. */
    long oldestSeq() {
        return segments.getFirst().firstSeq();
    }

    long bytes() {
        return segments.stream().mapToLong(MovedSegment::bytes).sum();
    }

    /** Where the next segment begins that is moved, out of a log that begins with {@code oldestSeq}. */
    long nextSeq(long oldestSeq) {
        return segments.isEmpty() ? Math.max(oldestSeq, through) : through;
    }

    /** Whether a segment goes on from here: nothing of it was trimmed, and nothing is missing before it. */
    boolean takes(MovedSegment next) {
        boolean goesOn = segments.isEmpty() ? next.firstSeq() >= through : next.firstSeq() == through;
        return isBegun() && goesOn && next.nextSeq() > next.firstSeq();
    }

    MovedHistory with(MovedSegment next) {
        List<MovedSegment> more = new ArrayList<>(segments);
        more.add(next);
        return new MovedHistory(more, next.nextSeq());
    }

    /** Without segments all of whose events are before {@code seq}. */
    MovedHistory trimmed(long seq) {
        if (!isBegun()) {
            return this;
        }
        List<MovedSegment> kept =
                segments.stream().filter(segment -> segment.nextSeq() > seq).toList();
        return new MovedHistory(kept, Math.max(through, seq));
    }

    /** Bytes of a segment here, from an event on, that are not counted with what was moved; in proportion. It goes a moment after, or is moved in part. */
    double bytesBehind(SegmentFile here, long seq) {
        long from = isEmpty() ? seq : Math.max(seq, through);
        return share(here.firstSeq(), here.nextSeq(), here.bytes(), from);
    }

    static double share(long firstSeq, long nextSeq, long bytes, long fromSeq) {
        long events = nextSeq - firstSeq;
        long wanted = Math.min(events, nextSeq - fromSeq);
        return wanted > 0 ? (double) bytes * wanted / events : 0;
    }

    /** The segment that has an event; null where none has. */
    @Nullable
    MovedSegment holding(long seq) {
        int low = 0;
        int high = segments.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            MovedSegment segment = segments.get(middle);
            if (segment.nextSeq() <= seq) {
                low = middle + 1;
            } else if (segment.firstSeq() > seq) {
                high = middle - 1;
            } else {
                return segment;
            }
        }
        return null;
    }

    boolean holds(String key) {
        return segments.stream().anyMatch(segment -> segment.key().equals(key));
    }
}
