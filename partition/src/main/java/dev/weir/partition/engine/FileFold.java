package dev.weir.partition.engine;

import dev.weir.partition.entry.Section;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.StoredFile;
import java.util.List;

/**
 * Folds what becomes of a partition's files: flushes, compactions and moves of history, compare-and-set each; one that does not fit is void, and its files belong to
 * nobody. So is one that comes under another term than that of the leader which stored its files: the next leader may have swept them. None causes an event.
 * Single-threaded.
 */
final class FileFold {
    private final LogFacts facts;
    private final FoldCounters counters;

    FileFold(LogFacts facts, FoldCounters counters) {
        this.facts = facts;
        this.counters = counters;
    }

    /**
     * Returns whether the flush holds.
     *
     * @param term of the entry
     */
    boolean fold(FlushSection flush, long term) {
        FileSet now = facts.files(flush.tableId());
        boolean holds = isOf(term, flush.term())
                && !facts.drops().containsKey(flush.tableId())
                && flush.fromSeq() == now.flushedThrough()
                && flush.toSeq() > flush.fromSeq()
                && flush.toSeq() < facts.nextSeq();
        if (holds) {
            facts.files(flush.tableId(), now.flushed(flush.toSeq(), flush.files()));
            counters.flushes++;
            counters.flushedRows += rows(flush.files());
        } else {
            counters.voidFlushes++;
        }
        return holds;
    }

    /** @param term of the entry */
    void fold(CompactionSection compaction, long term) {
        FileSet now = facts.files(compaction.tableId());
        boolean holds = isOf(term, compaction.term())
                && !facts.drops().containsKey(compaction.tableId())
                && !compaction.inputs().isEmpty()
                && now.holds(compaction.inputs());
        if (holds) {
            facts.files(compaction.tableId(), now.compacted(compaction.inputs(), compaction.outputs()));
            counters.compactions++;
            counters.coveredFiles +=
                    compaction.outputs().isEmpty() ? compaction.inputs().size() : 0;
        } else {
            counters.voidCompactions++;
        }
    }

    /**
     * Returns whether the move holds.
     *
     * @param term of the entry
     */
    boolean fold(MoveSection move, long term) {
        MovedHistory now = facts.moved();
        boolean holds =
                isOf(term, move.term()) && move.segment().nextSeq() <= facts.nextSeq() && now.takes(move.segment());
        if (holds) {
            facts.moved(now.with(move.segment()));
            counters.moves++;
        } else {
            counters.voidMoves++;
        }
        return holds;
    }

    void beginMoves() {
        facts.moved(facts.moved().begun(facts.firstSeq()));
    }

    private static boolean isOf(long term, long stored) {
        return stored == term || stored == Section.ANY_TERM;
    }

    private static long rows(List<StoredFile> files) {
        return files.stream().mapToLong(StoredFile::rows).sum();
    }
}
