package dev.weir.partition.engine;

import dev.weir.partition.entry.BlockView;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the series of one block: which may be written, under which ids, and why the others not. Reusable; single-threaded.
 */
final class AppendDecision {
    static final int UNDEFINED = -1;

    /** Why a row is void; all rows of one series share it. */
    record Reason(VoidCause cause, ErrorCode code, String message) {}

    private int[] ids = new int[64];
    private @Nullable Reason[] reasons = new Reason[64];
    private int series;
    private int voided;

    /** Begins with a block: series of foreign slots are void. */
    void begin(BlockView block, DefinitionTable definitions, LogFacts facts, Reason wrongPartition) {
        series = block.seriesCount();
        voided = 0;
        if (ids.length < series) {
            ids = new int[series];
            reasons = new Reason[series];
        }
        Arrays.fill(reasons, 0, series, null);
        for (int ref = 0; ref < series; ref++) {
            ids[ref] = block.seriesId(ref);
            long hash = ids[ref] >= 0 ? definitions.hash(ids[ref]) : block.inlineHash(ref);
            if (!facts.owns(SeriesHash.slot(hash))) {
                refuse(ref, wrongPartition);
            } else if (ids[ref] < 0) {
                ids[ref] = definitions.seriesId(
                        block.tableId(),
                        hash,
                        block.inlineBytes(),
                        block.inlineTagsFrom(ref),
                        block.inlineTagsLength(ref));
            }
        }
    }

    void refuse(int ref, Reason reason) {
        reasons[ref] = reason;
        voided++;
    }

    void define(int ref, int id) {
        ids[ref] = id;
    }

    /** Series that have no id yet and may be written. */
    boolean needsId(int ref) {
        return ids[ref] == UNDEFINED && reasons[ref] == null;
    }

    @Nullable
    Reason reason(int ref) {
        return reasons[ref];
    }

    int id(int ref) {
        return ids[ref];
    }

    boolean allVoid() {
        return voided == series;
    }

    boolean noneVoid() {
        return voided == 0;
    }

    int series() {
        return series;
    }

    /** The ids for a record, in which void series need some id that is defined: that of a series of the block that is written. */
    int[] recordIds() {
        int any = 0;
        for (int ref = 0; ref < series; ref++) {
            if (reasons[ref] == null) {
                any = ids[ref];
            }
        }
        for (int ref = 0; ref < series; ref++) {
            if (reasons[ref] != null) {
                ids[ref] = any;
            }
        }
        return ids;
    }
}
