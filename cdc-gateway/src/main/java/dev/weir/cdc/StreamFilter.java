package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Which events a stream carries: several values of one key are alternatives, different keys all have to hold.
 *
 * @param tenant whose events, never another's
 * @param measurements empty means all but {@code _dead_letters}
 * @param types empty means all
 * @param tags key → values, of which the series must have one; an empty value means that the tag is missing. Events that concern no single
 *     series (schema changes, drops, range deletes) pass
 * @param partitions empty means all; a partition stands for its descendants too
 * @param exact just these partitions, without descendants; none where there are none
 */
record StreamFilter(
        String tenant,
        SortedSet<String> measurements,
        Set<EventType> types,
        SortedMap<String, SortedSet<String>> tags,
        SortedSet<Integer> partitions,
        boolean exact) {
    static final String DEAD_LETTERS = "_dead_letters";

    StreamFilter(
            String tenant,
            SortedSet<String> measurements,
            Set<EventType> types,
            SortedMap<String, SortedSet<String>> tags,
            SortedSet<Integer> partitions) {
        this(tenant, measurements, types, tags, partitions, false);
    }

    /** The same events, of just these partitions. */
    StreamFilter within(SortedSet<Integer> just) {
        return new StreamFilter(tenant, measurements, types, tags, just, true);
    }

    /** Whether any event of the batch may match; only tags remain to be looked at. */
    boolean matches(ChangeBatch batch) {
        if (!batch.tenant().equals(tenant) || (!types.isEmpty() && !types.contains(batch.type()))) {
            return false;
        }
        return measurements.isEmpty()
                ? !batch.measurement().equals(DEAD_LETTERS)
                : measurements.contains(batch.measurement());
    }

    boolean matches(List<Tag> seriesTags) {
        for (var wanted : tags.entrySet()) {
            if (!wanted.getValue().contains(valueOf(wanted.getKey(), seriesTags))) {
                return false;
            }
        }
        return true;
    }

    boolean hasPartition(int partition) {
        return (partitions.isEmpty() && !exact) || partitions.contains(partition);
    }

    private static String valueOf(String key, List<Tag> seriesTags) {
        for (Tag tag : seriesTags) {
            if (tag.key().equals(key)) {
                return tag.value();
            }
        }
        return "";
    }
}
