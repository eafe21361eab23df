package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.Row;
import dev.weir.node.ingest.rows.SeriesHandle;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.entry.RowBlockBuilder;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of one body on their way to one partition: gathered into blocks by table, cut into requests. Used by one thread. */
final class Lane {
    /** Past either a request is closed; so that it fits well into one entry of the log. */
    static final int ROWS_MAX = 5_000;

    static final int BYTES_MAX = 1 << 20;

    private final PartitionRecord partition;
    private final BuilderPool pool;
    private final IdentityHashMap<TableSchema, Part> parts = new IdentityHashMap<>();
    private final List<Part> inOrder = new ArrayList<>();
    private final List<PendingAppend> requests = new ArrayList<>();
    private @Nullable Part last;
    private int rows;
    private int bytes;

    private record Part(TableSchema schema, RowBlockBuilder builder, SeriesRefs refs, IntList rows) {
        int ref(SeriesHandle series) {
            int known = refs.find(series);
            if (known != SeriesRefs.UNKNOWN) {
                return known;
            }
            byte[] tags = series.canonicalTags();
            int ref = builder.series(tags, 0, tags.length, series.hash());
            refs.add(series, ref);
            return ref;
        }
    }

    Lane(PartitionRecord partition, BuilderPool pool) {
        this.partition = partition;
        this.pool = pool;
    }

    PartitionRecord partition() {
        return partition;
    }

    /** Takes a row that fits its schema. */
    void add(Row row, long timestampNanos, Judge judge, TableSchema schema, int ordinal) {
        Part part = part(schema);
        RowBlockBuilder builder = part.builder;
        int bytesBefore = builder.estimatedBytes();
        SeriesHandle series = row.series();
        builder.beginRow(part.ref(series), timestampNanos);
        int count = row.fieldCount();
        for (int i = 0; i < count; i++) {
            int column = judge.columnId(i);
            switch (judge.columnType(i)) {
                case INT64, UINT64 -> builder.putLong(column, judge.bits(i));
                case FLOAT64 -> builder.putDouble(column, Double.longBitsToDouble(judge.bits(i)));
                case BOOL -> builder.putBool(column, judge.bits(i) != 0);
                case STRING -> builder.putString(column, row.text(i), row.textFrom(i), row.textLength(i));
            }
        }
        builder.endRow();
        part.rows.add(ordinal);
        bytes += builder.estimatedBytes() - bytesBefore;
        rows++;
    }

    boolean isFull() {
        return rows >= ROWS_MAX || bytes >= BYTES_MAX;
    }

    /** Closes the request that is being gathered, if there is one. */
    void close(int chunk) {
        if (rows == 0) {
            return;
        }
        List<RowBlock> blocks = new ArrayList<>(inOrder.size());
        IntList all = new IntList(rows);
        for (Part part : inOrder) {
            blocks.add(part.builder.build());
            all.addAll(part.rows);
            pool.giveBack(part.builder);
        }
        requests.add(new PendingAppend(partition, blocks, all, chunk));
        parts.clear();
        inOrder.clear();
        last = null;
        rows = 0;
        bytes = 0;
    }

    /** The closed ones, in the order of the body. */
    List<PendingAppend> requests() {
        return requests;
    }

    @SuppressWarnings("ReferenceEquality") // one schema object a body and table; another version begins another block
    private Part part(TableSchema schema) {
        Part part = last;
        if (part == null || part.schema != schema) {
            part = parts.get(schema);
            if (part == null) {
                part = new Part(schema, pool.take(schema), new SeriesRefs(), new IntList(64));
                parts.put(schema, part);
                inOrder.add(part);
                bytes += part.builder.estimatedBytes();
            }
            last = part;
        }
        return part;
    }
}
