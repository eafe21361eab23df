package dev.weir.node.internal;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.List;

/** Change events as another node sent them. */
record DecodedBatch(
        int partition,
        long firstSeq,
        int count,
        long committedAtNanos,
        EventType type,
        TableSchema schema,
        String detailJson,
        byte[] operations,
        long[] timestamps,
        int[] seriesOfRow,
        List<List<Tag>> tags,
        long[] hashes,
        List<FieldColumn> fields)
        implements ChangeBatch {
    @Override
    public String tenant() {
        return schema.tenant();
    }

    @Override
    public String measurement() {
        return schema.name();
    }

    @Override
    public int schemaVersion() {
        return schema.version();
    }

    @Override
    public Operation operation(int row) {
        return Operation.ofCode(operations[row]);
    }

    @Override
    public long timestampNanos(int row) {
        return timestamps[row];
    }

    @Override
    public int series(int row) {
        return seriesOfRow[row];
    }

    @Override
    public int seriesCount() {
        return hashes.length;
    }

    @Override
    public List<Tag> seriesTags(int series) {
        return tags.get(series);
    }

    @Override
    public long seriesHash(int series) {
        return hashes[series];
    }
}
