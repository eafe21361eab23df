package dev.weir.cdc;

import dev.weir.partition.engine.SurvivingRows;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which seqs of a stretch of one partition's log have rows that survived. A bit each, in pages that are made when something of them is found: most stretches have few
 * survivors, or lie close together. One thread.
 */
final class FoundSeqs {
    private static final int PAGE_BITS = 1 << 16;

    private final int partition;
    private final long since;
    private final long end;
    private final @Nullable BitSet[] pages;

    /** @param end exclusive */
    FoundSeqs(int partition, long since, long end) {
        this.partition = partition;
        this.since = since;
        this.end = end;
        this.pages = new @Nullable BitSet[Math.toIntExact(Math.ceilDiv(end - since, PAGE_BITS))];
    }

    boolean has(long seq) {
        return seq >= since && seq < end;
    }

    void add(SurvivingRows rows) {
        for (int row = 0; row < rows.count(); row++) {
            add(rows.seq(row));
        }
    }

    /** Nothing where it lies outside of the stretch. */
    void add(long seq) {
        if (has(seq)) {
            int page = page(seq);
            BitSet known = pages[page];
            if (known == null) {
                known = new BitSet(PAGE_BITS);
                pages[page] = known;
            }
            known.set(bit(seq));
        }
    }

    /** The first stretch of seqs without rows that begins at or after a seq; null where none does. */
    @Nullable
    Gap gapFrom(long seq) {
        long from = firstMissing(Math.max(seq, since));
        return from >= end ? null : new Gap(partition, from, firstFound(from) - 1, Gap.Reason.COMPACTED);
    }

    private long firstMissing(long seq) {
        for (long at = seq; at < end; at = pageEnd(at)) {
            BitSet page = pages[page(at)];
            int missing = page == null ? bit(at) : page.nextClearBit(bit(at));
            if (missing < PAGE_BITS) {
                return at - bit(at) + missing;
            }
        }
        return end;
    }

    private long firstFound(long seq) {
        for (long at = seq; at < end; at = pageEnd(at)) {
            BitSet page = pages[page(at)];
            int found = page == null ? -1 : page.nextSetBit(bit(at));
            if (found >= 0) {
                return at - bit(at) + found;
            }
        }
        return end;
    }

    private long pageEnd(long seq) {
        return seq - bit(seq) + PAGE_BITS;
    }

    private int page(long seq) {
        return (int) ((seq - since) / PAGE_BITS);
    }

    private int bit(long seq) {
        return (int) ((seq - since) % PAGE_BITS);
    }
}
