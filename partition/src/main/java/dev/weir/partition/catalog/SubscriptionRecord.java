package dev.weir.partition.catalog;

import dev.weir.partition.model.Cursor;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A named consumer of a tenant's change stream.
 *
 * @param filter parameters of the stream, as they are written in its URL: name to values
 * @param from where it was told to begin, as it was written
 * @param cursor what is acknowledged: the next seq of each of its partitions
 * @param generation the version of the catalog in which it was made or moved last; so no two are ever the same, also of subscriptions made again
 * @param ackedAtNanos clock of the node that committed the last acknowledgement; 0 before the first
 * @param commits acknowledgements that moved the cursor
 * @param seeks moves to another place
 * @param group its members, where it is read by such
 */
public record SubscriptionRecord(
        String tenant,
        String name,
        SortedMap<String, List<String>> filter,
        String from,
        Cursor cursor,
        SubscriptionBudget budget,
        long generation,
        long createdAtNanos,
        long ackedAtNanos,
        long commits,
        long seeks,
        ConsumerGroup group) {
    public SubscriptionRecord {
        TreeMap<String, List<String>> copy = new TreeMap<>();
        filter.forEach((parameter, values) -> copy.put(parameter, List.copyOf(values)));
        filter = Collections.unmodifiableSortedMap(copy);
    }

    /** One that has done nothing yet. */
    public static SubscriptionRecord made(
            String tenant,
            String name,
            SortedMap<String, List<String>> filter,
            String from,
            Cursor cursor,
            SubscriptionBudget budget,
            long createdAtNanos) {
        return new SubscriptionRecord(
                tenant, name, filter, from, cursor, budget, 0, createdAtNanos, 0, 0, 0, ConsumerGroup.NONE);
    }

    SubscriptionRecord withGeneration(long version) {
        return new SubscriptionRecord(
                tenant,
                name,
                filter,
                from,
                cursor,
                budget,
                version,
                createdAtNanos,
                ackedAtNanos,
                commits,
                seeks,
                group);
    }

    SubscriptionRecord withBudget(SubscriptionBudget changed) {
        return new SubscriptionRecord(
                tenant,
                name,
                filter,
                from,
                cursor,
                changed,
                generation,
                createdAtNanos,
                ackedAtNanos,
                commits,
                seeks,
                group);
    }

    /** The cursor moved on, never back. */
    SubscriptionRecord acked(Cursor acked, long atNanos) {
        Cursor further = cursor.max(acked);
        if (further.equals(cursor)) {
            return this;
        }
        long at = Math.max(ackedAtNanos, atNanos);
        return new SubscriptionRecord(
                tenant, name, filter, from, further, budget, generation, createdAtNanos, at, commits + 1, seeks, group);
    }

    SubscriptionRecord moved(Cursor to, long version) {
        return new SubscriptionRecord(
                tenant,
                name,
                filter,
                from,
                to,
                budget,
                version,
                createdAtNanos,
                ackedAtNanos,
                commits,
                seeks + 1,
                Groups.moved(group, to, version));
    }

    SubscriptionRecord withGroup(ConsumerGroup changed) {
        return new SubscriptionRecord(
                tenant,
                name,
                filter,
                from,
                cursor,
                budget,
                generation,
                createdAtNanos,
                ackedAtNanos,
                commits,
                seeks,
                changed);
    }
}
