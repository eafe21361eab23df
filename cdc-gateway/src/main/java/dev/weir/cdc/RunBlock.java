package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whole frames of one partition, as a shared run has encoded them for all its members.
 *
 * @param after the position behind the last frame, true for every member that has all blocks before this one
 * @param firstPrev the first frame's {@code prev} as written
 * @param prevAt where that text begins in the buffer
 */
record RunBlock(
        Buffer buffer,
        int frames,
        int partition,
        long lastSeq,
        Position after,
        @Nullable Long firstPrev,
        int prevAt,
        int prevLength,
        boolean int64AsString) {
    private static final int OVERHEAD = 160;

    long weight() {
        return buffer.length() + OVERHEAD + 8L * after.size();
    }

    /** The frames for a member that had another event of the partition last than the run (or none): only the first {@code prev} differs. */
    Buffer bufferFor(@Nullable Long prev) {
        if (Objects.equals(prev, firstPrev)) {
            return buffer;
        }
        return Buffer.buffer(buffer.length() + 24)
                .appendBuffer(buffer, 0, prevAt)
                .appendBytes(EncodedPage.prevText(prev, int64AsString))
                .appendBuffer(buffer, prevAt + prevLength, buffer.length() - prevAt - prevLength);
    }
}
