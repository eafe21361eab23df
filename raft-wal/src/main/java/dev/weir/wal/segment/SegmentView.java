package dev.weir.wal.segment;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which segments a log keeps, oldest first; an immutable image that readers take once per call.
 *
 * @param emptySeq the next seq where there is no segment
 */
record SegmentView(List<Segment> segments, long emptySeq) {
    SegmentView {
        segments = List.copyOf(segments);
    }

    long oldestSeq() {
        return segments.isEmpty() ? emptySeq : segments.getFirst().file().firstSeq();
    }

    long nextSeq() {
        return segments.isEmpty() ? emptySeq : segments.getLast().file().nextSeq();
    }

    long bytes() {
        return segments.stream().mapToLong(segment -> segment.file().bytes()).sum();
    }

    List<SegmentFile> files() {
        return segments.stream().map(Segment::file).toList();
    }

    /** The place of the last segment that begins at or before {@code seq}. */
    int indexOf(long seq) {
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).file().firstSeq() <= seq) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The segment that {@code file} speaks of. */
    Segment named(SegmentFile file) {
        Segment segment = segments.isEmpty() ? null : segments.get(indexOf(file.firstSeq()));
        if (segment == null || segment.file().firstSeq() != file.firstSeq()) {
            throw new IllegalArgumentException("segment: expected one of " + files() + ", found " + file);
        }
        return segment;
    }

    /** The oldest segment with a record committed at or after {@code committedAtNanos}. */
    @Nullable
    Segment firstEndingAtOrAfter(long committedAtNanos) {
        for (Segment segment : segments) {
            if (segment.file().lastCommittedAtNanos() >= committedAtNanos) {
                return segment;
            }
        }
        return null;
    }

    SegmentView with(Segment segment) {
        List<Segment> longer = new ArrayList<>(segments.size() + 1);
        longer.addAll(segments);
        longer.add(segment);
        return new SegmentView(longer, emptySeq);
    }

    /** Without the segments that end at or before {@code seq}. */
    SegmentView from(long seq) {
        List<Segment> kept = segments.stream()
                .filter(segment -> segment.file().nextSeq() > seq)
                .toList();
        return new SegmentView(kept, nextSeq());
    }
}
