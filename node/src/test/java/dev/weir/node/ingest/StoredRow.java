package dev.weir.node.ingest;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A row as a partition got it. */
public record StoredRow(
        int partition,
        String tenant,
        String table,
        List<Tag> tags,
        long time,
        Map<String, Object> fields,
        int schemaVersion) {

    static StoredRow of(ChangeEvent event) {
        return new StoredRow(
                event.partition(),
                event.tenant(),
                event.measurement(),
                event.tags(),
                event.timestampNanos(),
                new TreeMap<>(event.fields()),
                event.schemaVersion());
    }

    /** Such as {@code m[h=a] {v=1} @5}. */
    String text() {
        StringBuilder out = new StringBuilder(table).append('[');
        tags.forEach(tag -> out.append(out.charAt(out.length() - 1) == '[' ? "" : ",")
                .append(tag.key())
                .append('=')
                .append(tag.value()));
        return out.append("] ").append(fields).append(" @").append(time).toString();
    }
}
