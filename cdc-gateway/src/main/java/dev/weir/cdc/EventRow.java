package dev.weir.cdc;

import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import java.util.EnumMap;
import java.util.Map;

/** What a batch says of one event: texts as UTF-8, which the callee may share and the caller never changes. */
interface EventRow {
    Map<EventType, byte[]> TYPES = types();
    Map<Operation, byte[]> OPERATIONS = operations();

    long seq();

    int partition();

    EventType type();

    Operation operation();

    byte[] measurement();

    /** Of the point; anything on non-writes. */
    long timestampNanos();

    /** JSON object. */
    byte[] tags();

    /** Writes a JSON object; called for writes alone. */
    void fields(JsonBytes out);

    /** Asked on {@link EventType#SERIES_DELETED} alone. */
    long seriesHash();

    int schemaVersion();

    long committedAtNanos();

    /** JSON object. */
    byte[] detail();

    private static Map<EventType, byte[]> types() {
        Map<EventType, byte[]> names = new EnumMap<>(EventType.class);
        for (EventType type : EventType.values()) {
            names.put(type, JsonBytes.ascii(type.wireName()));
        }
        return names;
    }

    private static Map<Operation, byte[]> operations() {
        Map<Operation, byte[]> names = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            names.put(operation, JsonBytes.ascii(operation.wireName()));
        }
        return names;
    }
}
