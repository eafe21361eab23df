package dev.weir.ops.quickstart;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One measured point of this machine. Field values are line protocol already: {@code 0.25}, {@code 17i}. */
record HostRow(String measurement, SortedMap<String, String> tags, Map<String, String> fields, long timestampNanos) {

    String lineProtocol() {
        return measurement
                + tags.entrySet().stream()
                        .map(tag -> "," + escaped(tag.getKey()) + "=" + escaped(tag.getValue()))
                        .collect(Collectors.joining())
                + " "
                + fields.entrySet().stream()
                        .map(field -> escaped(field.getKey()) + "=" + field.getValue())
                        .collect(Collectors.joining(","))
                + " " + timestampNanos + "\n";
    }

    RowKey key() {
        return new RowKey(measurement, tags, timestampNanos);
    }

    private static String escaped(String name) {
        return name.replace(",", "\\,").replace("=", "\\=").replace(" ", "\\ ");
    }

    /** What makes a point this point and no other. */
    record RowKey(String measurement, Map<String, String> tags, long timestampNanos) {
        RowKey {
            tags = Map.copyOf(new TreeMap<>(tags));
        }
    }
}
