package dev.weir.node.ingest;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.util.Arrays;

/** A body that grows while it is received or inflated, within a limit of its own and the node's budget. Used by one thread at a time. */
final class GrowingBody {
    private static final int ROOM = 64 << 10;
    private static final byte[] NONE = {};

    private final BytesBudget budget;
    private final int bytesMax;
    private final String limitName;
    private byte[] bytes = NONE;
    private int length;
    private long reserved;

    /** @param limitName as messages call the limit */
    GrowingBody(BytesBudget budget, int bytesMax, String limitName) {
        this.budget = budget;
        this.bytesMax = bytesMax;
        this.limitName = limitName;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Makes room for at least one more byte and returns how many fit. Refuses where the limit is reached. */
    int room() {
        if (length == bytes.length) {
            expect(Math.min(Math.max(ROOM, bytes.length * 2L), bytesMax + 1L));
        }
        return bytes.length - length;
    }

    /**
     * Makes room for so many bytes in all.
     *
     * @throws RefusedException TOO_LARGE past the limit, OVERLOADED where the node holds too much
     */
    void expect(long total) {
        if (length > bytesMax || total > bytesMax + 1L) {
            throw new RefusedException(tooLarge(bytesMax, limitName));
        }
        if (total > bytes.length) {
            if (!budget.reserve(total - reserved)) {
                throw new RefusedException(Refusal.of(
                        ErrorCode.OVERLOADED,
                        "the node holds too many bytes of bodies at present (ingest.bytes-in-flight "
                                + budget.bytesMax() + "): send again later"));
            }
            reserved = total;
            bytes = Arrays.copyOf(bytes, (int) total);
        }
    }

    /** Notes bytes that were written at the end. */
    void grown(int count) {
        length += count;
        if (length > bytesMax) {
            throw new RefusedException(tooLarge(bytesMax, limitName));
        }
    }

    /** Gives the bytes back to the budget. */
    void release() {
        budget.release(reserved);
        reserved = 0;
        bytes = NONE;
        length = 0;
    }

    static Refusal tooLarge(int bytesMax, String limitName) {
        return Refusal.of(
                ErrorCode.TOO_LARGE,
                "the body is larger than " + bytesMax + " bytes (" + limitName + "): send it in smaller pieces");
    }
}
