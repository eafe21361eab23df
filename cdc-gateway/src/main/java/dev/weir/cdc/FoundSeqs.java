package dev.weir.cdc;

import dev.weir.partition.engine.SurvivingRows;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Which seqs of a stretch of one partition's log have rows that survived. One thread. */
final class FoundSeqs {
    private final int partition;
    private final long since;
    private final long end;
    private final BitSet found;

    /** @param end exclusive */
    FoundSeqs(int partition, long since, long end) {
        this.partition = partition;
        this.since = since;
        this.end = end;
        this.found = new BitSet(Math.toIntExact(end - since));
    }

    boolean has(long seq) {
        return seq >= since && seq < end;
    }

    void add(SurvivingRows rows) {
        for (int row = 0; row < rows.count(); row++) {
            if (has(rows.seq(row))) {
                found.set((int) (rows.seq(row) - since));
            }
        }
    }

    /** The first stretch of seqs without rows that begins at or after a seq; null where none does. */
    @Nullable
    Gap gapFrom(long seq) {
        int from = found.nextClearBit((int) (Math.max(seq, since) - since));
        if (since + from >= end) {
            return null;
        }
        int to = found.nextSetBit(from);
        return new Gap(partition, since + from, to < 0 ? end - 1 : since + to - 1, Gap.Reason.COMPACTED);
    }
}
