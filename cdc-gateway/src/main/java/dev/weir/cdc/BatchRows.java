package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch that a filter wants, one at a time: moved to a row, it is that row. What is the same in many rows is turned into bytes once.
 * One thread.
 */
final class BatchRows implements EventRow {
    private final ChangeBatch batch;
    private final StreamFilter filter;
    private final byte[] measurement;
    private final byte[] detail;
    private final FieldsJson fields;
    private final JsonBytes scratch = new JsonBytes(256);
    private final byte[][] seriesTags;
    private final boolean[] seriesSeen;
    private int row = -1;
    private byte[] tags = TagsJson.NONE;

    BatchRows(ChangeBatch batch, RunKey key) {
        this.batch = batch;
        this.filter = key.filter();
        this.measurement = batch.measurement().getBytes(StandardCharsets.UTF_8);
        this.detail = batch.detailJson().getBytes(StandardCharsets.UTF_8);
        this.fields = new FieldsJson(batch.fields(), key.int64AsString());
        this.seriesTags = new byte[batch.seriesCount()][];
        this.seriesSeen = new boolean[batch.seriesCount()];
    }

    /** False where the filter does not want the row. */
    boolean moveTo(int newRow) {
        row = newRow;
        int series = batch.series(newRow);
        byte[] known = series < 0 ? TagsJson.NONE : tags(series);
        if (known == null) {
            return false;
        }
        tags = known;
        return true;
    }

    private byte @Nullable [] tags(int series) {
        if (!seriesSeen[series]) {
            seriesSeen[series] = true;
            var found = batch.seriesTags(series);
            seriesTags[series] = filter.matches(found) ? TagsJson.bytes(scratch, found) : null;
        }
        return seriesTags[series];
    }

    @Override
    public long seq() {
        return batch.seq(row);
    }

    @Override
    public int partition() {
        return batch.partition();
    }

    @Override
    public EventType type() {
        return batch.type();
    }

    @Override
    public Operation operation() {
        return batch.operation(row);
    }

    @Override
    public byte[] measurement() {
        return measurement;
    }

    @Override
    public long timestampNanos() {
        return batch.timestampNanos(row);
    }

    @Override
    public byte[] tags() {
        return tags;
    }

    @Override
    public void fields(JsonBytes out) {
        fields.put(out, row);
    }

    @Override
    public long seriesHash() {
        int series = batch.series(row);
        return series < 0 ? 0 : batch.seriesHash(series);
    }

    @Override
    public int schemaVersion() {
        return batch.schemaVersion();
    }

    @Override
    public long committedAtNanos() {
        return batch.committedAtNanos(row);
    }

    @Override
    public byte[] detail() {
        return detail;
    }
}
