package dev.weir.cdc;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import java.nio.charset.StandardCharsets;

/** An event that comes as an object. */
record SingleEvent(ChangeEvent event) implements EventRow {
    @Override
    public long seq() {
        return event.seq();
    }

    @Override
    public int partition() {
        return event.partition();
    }

    @Override
    public EventType type() {
        return event.type();
    }

    @Override
    public Operation operation() {
        return event.operation();
    }

    @Override
    public byte[] measurement() {
        return event.measurement().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public long timestampNanos() {
        return event.timestampNanos();
    }

    @Override
    public byte[] tags() {
        return event.tags().isEmpty() ? TagsJson.NONE : TagsJson.bytes(new JsonBytes(128), event.tags());
    }

    @Override
    public void fields(JsonBytes out) {
        FieldsJson.put(out, event.fields());
    }

    @Override
    public long seriesHash() {
        return event.seriesHash();
    }

    @Override
    public int schemaVersion() {
        return event.schemaVersion();
    }

    @Override
    public long committedAtNanos() {
        return event.committedAtNanos();
    }

    @Override
    public byte[] detail() {
        return event.detailJson().getBytes(StandardCharsets.UTF_8);
    }
}
