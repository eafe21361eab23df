package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one page of one partition under one filter, whole but for what depends on the reader: the base of the ids, and {@code prev} of
 * the first frame that it takes. Immutable; shared by all who read at this place.
 *
 * <pre>
 * event: point_written\nid:   ← base goes here →   ;3:18\ndata: {"seq":17,"prev": … }\n\n
 * ^ start(i)                  ^ idAt(i)                                  ^ prevAt(i)      ^ start(i + 1)
 * </pre>
 */
final class EncodedPage implements Page {
    private static final byte[] NULL = JsonBytes.ascii("null");

    private final int partition;
    private final long fromSeq;
    private final long nextSeq;
    private final boolean int64AsString;
    private final byte[] bytes;
    private final int count;
    private final int[] places;
    private final long[] seqs;

    /**
     * @param places start, idAt, prevAt of each frame, then the end of the last
     * @param seqs of the frames, ascending
     */
    EncodedPage(
            int partition, long fromSeq, long nextSeq, boolean int64AsString, byte[] bytes, int[] places, long[] seqs) {
        this.partition = partition;
        this.fromSeq = fromSeq;
        this.nextSeq = nextSeq;
        this.int64AsString = int64AsString;
        this.bytes = bytes;
        this.count = seqs.length;
        this.places = places;
        this.seqs = seqs;
    }

    /**
     * Frames of one reader, ready to be written.
     *
     * @param buffer null where no frame was in the range
     * @param nextSeq where the reader stands after it
     * @param lastSeq of the last frame
     * @param prevAt where the text of the first frame's {@code prev} begins
     */
    record Slice(@Nullable Buffer buffer, int frames, long nextSeq, long lastSeq, int prevAt, int prevLength) {}

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public long nextSeq() {
        return nextSeq;
    }

    int frames() {
        return count;
    }

    @Override
    public boolean servesFrom(long seq) {
        return seq >= fromSeq;
    }

    @Override
    public long weight() {
        return bytes.length + 4L * places.length + 8L * seqs.length + 128;
    }

    /**
     * Frames from {@code from} on, below {@code below}, and no more than about {@code bytesMax} (one at least).
     *
     * @param base of the ids
     * @param prev seq of the event that this reader had last from the partition; null for none
     */
    Slice slice(long from, long below, int bytesMax, byte[] base, @Nullable Long prev) {
        int first = indexOf(from);
        int last = first;
        long size = 0;
        while (last < count && seqs[last] < below && (last == first || size < bytesMax)) {
            size += places[3 * last + 3] - places[3 * last] + base.length;
            last++;
        }
        if (last == first) {
            return new Slice(null, 0, Math.max(from, Math.min(nextSeq, below)), 0, 0, 0);
        }
        boolean all = last == count || seqs[last] >= below;
        long next = all ? Math.min(nextSeq, below) : seqs[last - 1] + 1;
        return copy(first, last, next, (int) size, base, prev);
    }

    private Slice copy(int first, int last, long next, int size, byte[] base, @Nullable Long prev) {
        Buffer buffer = Buffer.buffer(size + 24);
        byte[] prevText = prevText(prev, int64AsString);
        int prevAt = 0;
        for (int i = first; i < last; i++) {
            int start = places[3 * i];
            int idAt = places[3 * i + 1];
            int end = places[3 * i + 3];
            buffer.appendBytes(bytes, start, idAt - start).appendBytes(base);
            if (i == first) {
                int oldPrevAt = places[3 * i + 2];
                int oldPrevEnd = prevEnd(oldPrevAt);
                buffer.appendBytes(bytes, idAt, oldPrevAt - idAt);
                prevAt = buffer.length();
                buffer.appendBytes(prevText).appendBytes(bytes, oldPrevEnd, end - oldPrevEnd);
            } else {
                buffer.appendBytes(bytes, idAt, end - idAt);
            }
        }
        return new Slice(buffer, last - first, next, seqs[last - 1], prevAt, prevText.length);
    }

    static byte[] prevText(@Nullable Long prev, boolean int64AsString) {
        if (prev == null) {
            return NULL;
        }
        return JsonBytes.ascii(int64AsString ? "\"" + prev + "\"" : Long.toString(prev));
    }

    private int indexOf(long from) {
        if (from <= fromSeq) {
            return 0;
        }
        int found = Arrays.binarySearch(seqs, from);
        return found >= 0 ? found : -found - 1;
    }

    private int prevEnd(int prevAt) {
        int at = prevAt;
        while (bytes[at] != ',') {
            at++;
        }
        return at;
    }
}
