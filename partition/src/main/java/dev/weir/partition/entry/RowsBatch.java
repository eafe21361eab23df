package dev.weir.partition.entry;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Written points of one block, from one of its events on. */
final class RowsBatch implements ChangeBatch {
    private final RecordPlace place;
    private final RowsPart part;
    private final int skipped;
    private final int count;
    private @Nullable List<FieldColumn> fields;

    /** @param skipped events of the part before the batch's first */
    RowsBatch(RecordPlace place, RowsPart part, int skipped, int count) {
        this.place = place;
        this.part = part;
        this.skipped = skipped;
        this.count = count;
    }

    @Override
    public int partition() {
        return place.partition();
    }

    @Override
    public long firstSeq() {
        return place.firstSeq();
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long committedAtNanos() {
        return place.committedAtNanos();
    }

    @Override
    public EventType type() {
        return EventType.POINT_WRITTEN;
    }

    @Override
    public String tenant() {
        return part.schema.tenant();
    }

    @Override
    public String measurement() {
        return part.schema.name();
    }

    @Override
    public int schemaVersion() {
        return part.schema.version();
    }

    @Override
    public TableSchema schema() {
        return part.schema;
    }

    @Override
    public Operation operation(int row) {
        return part.updated(blockRow(row)) ? Operation.UPDATE : Operation.INSERT;
    }

    @Override
    public long timestampNanos(int row) {
        return part.timestamp(blockRow(row));
    }

    @Override
    public int series(int row) {
        return part.series(blockRow(row));
    }

    @Override
    public int seriesCount() {
        return part.seriesCount;
    }

    @Override
    public List<Tag> seriesTags(int series) {
        return part.tags(series);
    }

    @Override
    public long seriesHash(int series) {
        return part.hash(series);
    }

    @Override
    public List<FieldColumn> fields() {
        List<FieldColumn> known = fields;
        if (known == null) {
            List<FieldColumn> made = new ArrayList<>();
            for (ColumnBody.Slice slice : part.columns()) {
                made.add(new BatchColumn(this, slice, columnName(slice.columnId()), part.rows));
            }
            known = List.copyOf(made);
            fields = known;
        }
        return known;
    }

    @Override
    public String detailJson() {
        return "{}";
    }

    /** The block's row of an event of this batch. */
    int blockRow(int row) {
        return part.row(skipped + java.util.Objects.checkIndex(row, count));
    }

    private String columnName(int columnId) {
        for (Column column : part.schema.columns()) {
            if (column.id() == columnId) {
                return column.name();
            }
        }
        throw new FormatException("column " + columnId + " is not in " + part.schema);
    }

    /** One column of the batch; decoded when first asked for a value. */
    private static final class BatchColumn implements FieldColumn {
        private final RowsBatch batch;
        private final ColumnBody.Slice slice;
        private final String name;
        private final int rows;
        private ColumnBody.@Nullable Values values;

        BatchColumn(RowsBatch batch, ColumnBody.Slice slice, String name, int rows) {
            this.batch = batch;
            this.slice = slice;
            this.name = name;
            this.rows = rows;
        }

        @Override
        public int columnId() {
            return slice.columnId();
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FieldType type() {
            return slice.type();
        }

        @Override
        public boolean present(int row) {
            return values().of(batch.blockRow(row)) >= 0;
        }

        @Override
        public double doubleAt(int row) {
            ColumnBody.Values known = values();
            return typed(known.doubles(), FieldType.FLOAT64)[known.of(batch.blockRow(row))];
        }

        @Override
        public long longAt(int row) {
            ColumnBody.Values known = values();
            if (slice.type() == FieldType.BOOL) {
                throw wrongType("an integer");
            }
            return typed(known.longs(), FieldType.INT64)[known.of(batch.blockRow(row))];
        }

        @Override
        public boolean boolAt(int row) {
            ColumnBody.Values known = values();
            if (slice.type() != FieldType.BOOL) {
                throw wrongType("a bool");
            }
            return RowMask.get(typed(known.longs(), FieldType.BOOL), known.of(batch.blockRow(row)));
        }

        @Override
        public String stringAt(int row) {
            ColumnBody.Values known = values();
            Strings strings = known.strings();
            if (strings == null) {
                throw wrongType("a string");
            }
            return strings.get(known.of(batch.blockRow(row)));
        }

        private <T> T typed(@Nullable T array, FieldType asked) {
            if (array == null) {
                throw wrongType(asked.wireName());
            }
            return array;
        }

        private IllegalStateException wrongType(String asked) {
            return new IllegalStateException(
                    "column " + name + " is " + slice.type().wireName() + ", asked for " + asked);
        }

        private ColumnBody.Values values() {
            ColumnBody.Values known = values;
            if (known == null) {
                known = slice.decode(rows);
                values = known;
            }
            return known;
        }
    }
}
