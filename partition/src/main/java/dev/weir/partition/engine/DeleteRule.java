package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.Tag;
import java.util.List;

/**
 * A delete that files may not reflect yet: hits rows of its table that an event before its own wrote, with a timestamp in the range, of a series
 * that it means.
 *
 * @param seq of the delete's event
 * @param exact the series has exactly these tags; else at least these
 * @param tags sorted by key
 * @param fromNanos first timestamp deleted
 * @param toNanos last timestamp deleted
 */
public record DeleteRule(long seq, boolean exact, List<Tag> tags, long fromNanos, long toNanos) {
    public DeleteRule {
        tags = List.copyOf(tags);
    }

    static DeleteRule ofSeries(long seq, List<Tag> tags) {
        return new DeleteRule(seq, true, tags, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Of whatever series a row is. */
    boolean meansAll() {
        return !exact && tags.isEmpty();
    }

    boolean means(List<Tag> series) {
        return exact ? series.equals(tags) : series.containsAll(tags);
    }

    /** Whatever the earlier rule deletes, this one does too. */
    boolean replaces(DeleteRule earlier) {
        boolean sameSeries = exact ? earlier.exact && earlier.tags.equals(tags) : earlier.tags.containsAll(tags);
        return sameSeries && earlier.fromNanos >= fromNanos && earlier.toNanos <= toNanos;
    }

    /** The file may still hold rows that the rule deletes. */
    boolean mayHit(StoredFile file) {
        return file.deletesThroughSeq() < seq
                && file.firstSeq() < seq
                && file.minTimestampNanos() <= toNanos
                && file.maxTimestampNanos() >= fromNanos;
    }

    boolean covers(long timeNanos, long rowSeq) {
        return rowSeq < seq && timeNanos >= fromNanos && timeNanos <= toNanos;
    }
}
