package dev.weir.partition.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table that a change stream comes to: points merged by field, last seq wins, deletes applied. The slow and obvious way, to compare the fast
 * ones with. Events of one partition must come in order of seq. Not thread-safe.
 */
public final class FoldedTable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<SeriesKey, TreeMap<Long, Map<String, Object>>> series = new HashMap<>();
    private final Map<SeriesKey, Integer> partitionOf = new HashMap<>();
    private final Violations violations = new Violations();

    /** Folds one event; an operation other than what the table so far says is a violation. */
    public void event(ChangeEvent event) {
        switch (event.type()) {
            case POINT_WRITTEN -> write(event);
            case SERIES_DELETED -> series.remove(key(event));
            case MEASUREMENT_DROPPED -> series.keySet().removeIf(key -> ofTable(key, event) && inPartition(key, event));
            case RANGE_DELETED -> deleteRange(event);
            case SCHEMA_CHANGED -> {}
        }
    }

    /** Points by series and time. */
    public Map<SeriesKey, NavigableMap<Long, Map<String, Object>>> points() {
        Map<SeriesKey, NavigableMap<Long, Map<String, Object>>> all = new HashMap<>();
        series.forEach((key, points) -> all.put(key, Collections.unmodifiableNavigableMap(points)));
        return all;
    }

    /** The merged fields of a point, null where the table has none. */
    public @Nullable Map<String, Object> point(PointKey key) {
        TreeMap<Long, Map<String, Object>> points = series.get(key.series());
        return points == null ? null : points.get(key.timestampNanos());
    }

    public long size() {
        return series.values().stream().mapToLong(TreeMap::size).sum();
    }

    /** Events whose operation was wrong. */
    public Violations violations() {
        return violations;
    }

    private void write(ChangeEvent event) {
        SeriesKey key = key(event);
        partitionOf.put(key, event.partition());
        TreeMap<Long, Map<String, Object>> points = series.computeIfAbsent(key, k -> new TreeMap<>());
        Map<String, Object> before = points.get(event.timestampNanos());
        Operation expected = before == null ? Operation.INSERT : Operation.UPDATE;
        if (event.operation() != expected) {
            violations.add("partition " + event.partition() + " seq " + event.seq() + ": expected operation "
                    + expected.wireName() + ", found " + event.operation().wireName());
        }
        Map<String, Object> merged = before == null ? new LinkedHashMap<>() : before;
        merged.putAll(event.fields());
        points.put(event.timestampNanos(), merged);
    }

    private void deleteRange(ChangeEvent event) {
        JsonNode detail = detail(event);
        long from = Long.parseLong(detail.required("from").asText());
        long to = Long.parseLong(detail.required("to").asText());
        List<Tag> predicate = new ArrayList<>();
        detail.required("tags")
                .properties()
                .forEach(tag ->
                        predicate.add(new Tag(tag.getKey(), tag.getValue().asText())));
        series.forEach((key, points) -> {
            if (ofTable(key, event) && inPartition(key, event) && key.tags().containsAll(predicate)) {
                points.subMap(from, true, to, true).clear();
            }
        });
        series.values().removeIf(TreeMap::isEmpty);
    }

    private boolean inPartition(SeriesKey key, ChangeEvent event) {
        Integer partition = partitionOf.get(key);
        return partition == null || partition == event.partition();
    }

    private static boolean ofTable(SeriesKey key, ChangeEvent event) {
        return key.tenant().equals(event.tenant()) && key.table().equals(event.measurement());
    }

    private static SeriesKey key(ChangeEvent event) {
        return new SeriesKey(event.tenant(), event.measurement(), event.tags());
    }

    private static JsonNode detail(ChangeEvent event) {
        try {
            return JSON.readTree(event.detailJson());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("detail of seq " + event.seq() + ": " + event.detailJson(), e);
        }
    }
}
