package dev.weir.partition.engine;

import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are asked for. A hint: a reader may leave out no row that it names, and gives no other.
 *
 * @param fromNanos first timestamp
 * @param toNanos last timestamp
 * @param tags tag → values, one of which the tag must equal ("" where the series lacks the tag); all must hold
 */
public record RowPick(long fromNanos, long toNanos, Map<String, Set<String>> tags) {
    public static final RowPick ALL = new RowPick(Long.MIN_VALUE, Long.MAX_VALUE, Map.of());

    public RowPick {
        tags = Map.copyOf(tags);
    }

    boolean covers(long timeNanos) {
        return timeNanos >= fromNanos && timeNanos <= toNanos;
    }

    boolean overlaps(long minNanos, long maxNanos) {
        return minNanos <= toNanos && maxNanos >= fromNanos;
    }

    boolean means(List<Tag> series) {
        for (Map.Entry<String, Set<String>> filter : tags.entrySet()) {
            if (!filter.getValue().contains(value(series, filter.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static String value(List<Tag> series, String key) {
        @Nullable String found = null;
        for (Tag tag : series) {
            if (tag.key().equals(key)) {
                found = tag.value();
            }
        }
        return found == null ? "" : found;
    }
}
