package dev.weir.partition.entry;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A batch of one event that is no row. */
final class EventBatch implements ChangeBatch {
    private final RecordPlace place;
    private final TableEvent event;
    private final TableSchema schema;
    private final List<Tag> tags;

    EventBatch(RecordPlace place, TableEvent event, TableSchema schema) {
        this.place = place;
        this.event = event;
        this.schema = schema;
        byte[] canonical = event.canonicalTags();
        this.tags = canonical == null ? List.of() : CanonicalTags.decode(canonical, 0, canonical.length);
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
        return 1;
    }

    @Override
    public long committedAtNanos() {
        return place.committedAtNanos();
    }

    @Override
    public EventType type() {
        return event.type();
    }

    @Override
    public String tenant() {
        return event.tenant();
    }

    @Override
    public String measurement() {
        return event.measurement();
    }

    @Override
    public int schemaVersion() {
        return event.schemaVersion();
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public Operation operation(int row) {
        Objects.checkIndex(row, 1);
        return event.type() == EventType.SCHEMA_CHANGED ? Operation.NONE : Operation.DELETE;
    }

    @Override
    public long timestampNanos(int row) {
        Objects.checkIndex(row, 1);
        return 0;
    }

    @Override
    public int series(int row) {
        Objects.checkIndex(row, 1);
        return seriesCount() - 1;
    }

    @Override
    public int seriesCount() {
        return event.canonicalTags() == null ? 0 : 1;
    }

    @Override
    public List<Tag> seriesTags(int series) {
        Objects.checkIndex(series, seriesCount());
        return tags;
    }

    @Override
    public long seriesHash(int series) {
        Objects.checkIndex(series, seriesCount());
        return event.seriesHash();
    }

    @Override
    public List<FieldColumn> fields() {
        return List.of();
    }

    @Override
    public String detailJson() {
        return event.detailJson();
    }

    @Override
    public ChangeEvent event(int row) {
        return new ChangeEvent(
                partition(),
                firstSeq(),
                type(),
                operation(row),
                tenant(),
                measurement(),
                0,
                tags,
                Map.of(),
                schemaVersion(),
                committedAtNanos(),
                event.type() == EventType.SERIES_DELETED ? event.seriesHash() : 0,
                detailJson());
    }
}
