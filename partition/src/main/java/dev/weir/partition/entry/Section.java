package dev.weir.partition.entry;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.partition.write.TenantSeriesLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that an entry of a partition's log says. An entry holds one or more, applied in order. */
public sealed interface Section {
    /** Of files that may be committed whoever leads. */
    long ANY_TERM = 0;

    /**
     * Rows of one request.
     *
     * @param seriesMax rows that would give their table more series than this in the partition are void; 0: no limit
     * @param tenantLimit likewise for the tenant's series in the partition; null: no limit
     */
    record AppendSection(
            BatchId batch,
            @Nullable IdempotencyUnit unit,
            long epoch,
            int generation,
            int seriesMax,
            @Nullable TenantSeriesLimit tenantLimit,
            List<BlockView> blocks)
            implements Section {
        public AppendSection {
            blocks = List.copyOf(blocks);
        }

        public int rowCount() {
            int rows = 0;
            for (BlockView block : blocks) {
                rows += block.rowCount();
            }
            return rows;
        }
    }

    /**
     * Deletes one series, or the whole table.
     *
     * @param tags of the series, sorted by key; null drops the table
     */
    record DeleteSection(
            BatchId batch,
            int generation,
            String tenant,
            int tableId,
            String measurement,
            @Nullable List<Tag> tags,
            String changeId)
            implements Section {
        public DeleteSection {
            tags = tags == null ? null : List.copyOf(tags);
        }
    }

    /**
     * Deletes the rows of a table within a time range whose tags match.
     *
     * @param predicate tags that must be equal, all of them; empty: every series
     * @param fromNanos first timestamp deleted
     * @param toNanos last timestamp deleted
     * @param asOfSeq of a quarantine: void where an event from this seq on, before the delete, wrote a row that it would take; else 0
     */
    record RangeDeleteSection(
            BatchId batch,
            int generation,
            String tenant,
            int tableId,
            String measurement,
            List<Tag> predicate,
            long fromNanos,
            long toNanos,
            RangeDeleteCause cause,
            String changeId,
            long asOfSeq)
            implements Section {
        public RangeDeleteSection {
            predicate = List.copyOf(predicate);
            if (asOfSeq > 0 != (cause == RangeDeleteCause.QUARANTINE)) {
                throw new IllegalArgumentException(
                        "range delete: expected a seq with the cause quarantine alone, found " + asOfSeq + " with "
                                + cause);
            }
        }

        public RangeDeleteSection(
                BatchId batch,
                int generation,
                String tenant,
                int tableId,
                String measurement,
                List<Tag> predicate,
                long fromNanos,
                long toNanos,
                RangeDeleteCause cause,
                String changeId) {
            this(batch, generation, tenant, tableId, measurement, predicate, fromNanos, toNanos, cause, changeId, 0);
        }
    }

    /** The history of events before {@code seq} may go. */
    record TrimSection(long seq) implements Section {}

    /** Moves the commit time alone: no event, no seq. */
    record TickSection() implements Section {}

    /**
     * Forgets records of repeats.
     *
     * @param beforeNanos those last used before this commit time go
     * @param recordsMax of the rest, the oldest go until so many are left
     */
    record ExpirySection(long beforeNanos, int recordsMax) implements Section {}

    /** The partition's own slots from here on; rows of others are void. The first entry of a partition without parents. */
    record FenceSection(List<SlotRange> slots, long epoch, int generation) implements Section {
        public FenceSection {
            slots = List.copyOf(slots);
        }
    }

    /**
     * Where a partition comes from; the first entry of one that has parents. Its first seq is one past the highest last seq of them.
     */
    record LineageSection(List<Parent> parents, List<SlotRange> slots, long epoch, int generation) implements Section {
        public LineageSection {
            parents = List.copyOf(parents);
            slots = List.copyOf(slots);
        }

        public long firstSeq() {
            long last = 0;
            for (Parent parent : parents) {
                last = Math.max(last, parent.lastSeq());
            }
            return last + 1;
        }
    }

    /** @param lastSeq of the parent's last event, 0 where it had none */
    record Parent(int partition, int generation, long lastSeq) {}

    /**
     * A buffer became files. Holds only if {@code fromSeq} is the seq through which the table was flushed here, and in {@code term}; else void.
     *
     * @param toSeq through which it is flushed now
     * @param term of the leader that stored the files: under a later one they may be gone. {@link #ANY_TERM} in entries of before there were terms
     */
    record FlushSection(int tableId, long fromSeq, long toSeq, List<StoredFile> files, long term) implements Section {
        public FlushSection {
            files = List.copyOf(files);
        }
    }

    /**
     * Files became other files. Holds only if all inputs are in the manifest, and in {@code term}; else void.
     *
     * @param inputs keys of the files that go
     * @param deletesThroughSeq deletes up to this seq are in the outputs; later ones stay in force
     * @param term as of a {@link FlushSection}
     */
    record CompactionSection(
            int tableId, List<String> inputs, List<StoredFile> outputs, long deletesThroughSeq, long term)
            implements Section {
        public CompactionSection {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /**
     * The oldest history that was on disk is in the object store, too, and need not be on disk any more. Holds only where it goes on from what was moved before, and in
     * {@code term}; else void.
     *
     * @param term as of a {@link FlushSection}
     */
    record MoveSection(MovedSegment segment, long term) implements Section {}

    /** From here on trims are remembered, and history may be moved: a move that was copied before a trim must not hold after it. */
    record MovesBeginSection() implements Section {}

    /** Why rows of a time range went. Codes are part of the format. */
    enum RangeDeleteCause {
        STATEMENT(1),
        RETENTION(2),
        QUARANTINE(3);

        private final int code;

        RangeDeleteCause(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static RangeDeleteCause ofCode(int code) {
            return switch (code) {
                case 1 -> STATEMENT;
                case 2 -> RETENTION;
                case 3 -> QUARANTINE;
                default -> throw new FormatException("cause of a range delete: " + code + ", expected 1 to 3");
            };
        }
    }
}
