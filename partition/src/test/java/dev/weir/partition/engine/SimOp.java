package dev.weir.partition.engine;

import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One section of a simulated entry, in a form that {@link PartitionModel} understands without decoding anything. */
sealed interface SimOp {
    void addTo(EntryBuilder entry);

    /** The reply has an outcome for it. */
    default boolean answers() {
        return true;
    }

    record Block(TableSchema schema, List<Rows.Row> rows) {}

    record Append(BatchId batch, @Nullable IdempotencyUnit unit, int generation, int seriesMax, List<Block> blocks)
            implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(
                    new AppendRequest(
                            Rows.PARTITION,
                            generation,
                            1,
                            batch,
                            unit,
                            blocks.stream()
                                    .map(block -> Rows.block(block.schema, block.rows))
                                    .toList()),
                    seriesMax);
        }

        int rowCount() {
            return blocks.stream().mapToInt(block -> block.rows.size()).sum();
        }
    }

    /** @param host of the series to delete; null drops the table */
    record Delete(
            BatchId batch, TableSchema schema, @Nullable String host) implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(new DeleteSection(
                    batch,
                    Rows.GENERATION,
                    schema.tenant(),
                    schema.tableId(),
                    schema.name(),
                    host == null ? null : tags(host),
                    "change-" + batch.counter()));
        }
    }

    /** @param asOf not 0: rows are set aside as they were before this seq */
    record RangeDelete(BatchId batch, TableSchema schema, List<Tag> predicate, long from, long to, long asOf)
            implements SimOp {
        RangeDelete(BatchId batch, TableSchema schema, List<Tag> predicate, long from, long to) {
            this(batch, schema, predicate, from, to, 0);
        }

        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(section());
        }

        RangeDeleteSection section() {
            return new RangeDeleteSection(
                    batch,
                    Rows.GENERATION,
                    schema.tenant(),
                    schema.tableId(),
                    schema.name(),
                    predicate,
                    from,
                    to,
                    asOf > 0 ? RangeDeleteCause.QUARANTINE : RangeDeleteCause.STATEMENT,
                    "change-" + batch.counter(),
                    asOf);
        }
    }

    record Trim(long seq) implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.addTrim(seq);
        }

        @Override
        public boolean answers() {
            return false;
        }
    }

    record Tick() implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.addTick();
        }

        @Override
        public boolean answers() {
            return false;
        }
    }

    record Flush(int tableId, long fromSeq, long toSeq, List<StoredFile> files) implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(new FlushSection(tableId, fromSeq, toSeq, files, 1));
        }

        @Override
        public boolean answers() {
            return false;
        }
    }

    record Move(MovedSegment segment, long term) implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(new MoveSection(segment, term));
        }

        @Override
        public boolean answers() {
            return false;
        }
    }

    record MovesBegin() implements SimOp {
        @Override
        public void addTo(EntryBuilder entry) {
            entry.addMovesBegin();
        }

        @Override
        public boolean answers() {
            return false;
        }
    }

    static List<Tag> tags(String host) {
        return host.isEmpty() ? List.of() : List.of(new Tag("host", host));
    }
}
