package dev.weir.partition.file;

import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted sources into one in which each (series, time) stands once: field by field the value of the row with the highest seq that has
 * one, and that highest seq. Rows that the filter deletes are left out before. Memory: a batch, and one of each source.
 *
 * <p>Streams: where one source is alone for a stretch of rows, the stretch is copied by column.
 */
public final class MergeRows implements RowSource {
    private final TableSchema schema;
    private final List<RowSource> sources;
    private final DeleteFilter deletes;
    private final RowBatch batch;
    private final RowHeap heap;
    private boolean started;
    private byte @Nullable [] filteredSeries;
    private DeleteFilter.@Nullable Rows filter;
    private long in;
    private long out;
    private long merged;
    private long deleted;

    /**
     * @param schema the one that all sources have
     * @param sources closed by {@link #close}
     */
    public MergeRows(TableSchema schema, List<? extends RowSource> sources, DeleteFilter deletes) {
        for (RowSource source : sources) {
            if (!source.schema().equals(schema)) {
                throw new IllegalArgumentException("merge: a source has " + source.schema() + ", expected " + schema);
            }
        }
        this.schema = schema;
        this.sources = List.copyOf(sources);
        this.deletes = deletes;
        this.batch = new RowBatch(schema);
        this.heap = new RowHeap(sources.size());
    }

    /** So far; of all rows once {@link #next} has given null. */
    public MergeCounts counts() {
        return new MergeCounts(in, out, merged, deleted);
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public @Nullable RowBatch next() throws IOException {
        if (!started) {
            started = true;
            for (RowSource source : sources) {
                heap.add(new RowCursor(source));
            }
        }
        batch.clear();
        RowCursor first = heap.first();
        while (first != null && (!batch.full() || continuesLastRow(first))) {
            take(first);
            first = heap.first();
        }
        out += batch.rows();
        return batch.rows() == 0 ? null : batch;
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (RowSource source : sources) {
            try {
                source.close();
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void take(RowCursor first) throws IOException {
        DeleteFilter.Rows rows = filterOf(first);
        int count;
        if (rows != null && rows.deletes(first.time(), first.seq())) {
            deleted++;
            count = 1;
        } else if (continuesLastRow(first)) {
            mergeIntoLastRow(first);
            count = 1;
        } else {
            count = rows != null ? 1 : first.distinctBefore(heap.second(), batch.capacity() - batch.rows());
            copy(first, count);
        }
        in += count;
        first.advance(count);
        heap.restore();
    }

    private DeleteFilter.@Nullable Rows filterOf(RowCursor cursor) {
        if (filteredSeries == null || !Arrays.equals(filteredSeries, cursor.tags())) {
            filteredSeries = cursor.tags();
            filter = deletes.ofSeries(cursor.tags(), cursor.hash());
        }
        return filter;
    }

    private boolean continuesLastRow(RowCursor cursor) {
        int last = batch.rows() - 1;
        return last >= 0
                && batch.times()[last] == cursor.time()
                && Arrays.equals(batch.runTags(batch.runs() - 1), cursor.tags());
    }

    /** Rows of one series and time come by rising seq, so what is there is older. */
    private void mergeIntoLastRow(RowCursor cursor) {
        int last = batch.rows() - 1;
        batch.seqs()[last] = cursor.seq();
        copyFields(cursor, last, 1);
        merged++;
    }

    private void copy(RowCursor cursor, int count) {
        batch.series(cursor.tags(), cursor.hash());
        int at = batch.rows();
        RowBatch from = cursor.batch();
        for (int i = 0; i < count; i++) {
            batch.add(from.times()[cursor.row() + i], from.seqs()[cursor.row() + i]);
        }
        copyFields(cursor, at, count);
    }

    private void copyFields(RowCursor cursor, int at, int count) {
        for (int i = 0; i < batch.fieldColumns().size(); i++) {
            batch.field(i).copy(cursor.batch().field(i), cursor.row(), at, count);
        }
    }
}
