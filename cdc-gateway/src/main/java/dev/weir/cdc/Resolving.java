package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks leaders to let resolved times move on, for all streams of a node that want to know them: at most one question a partition at a time, and no more than
 * they need. While no stream wants it nothing is asked. Threading: any.
 */
final class Resolving {
    private final FeedDirectory directory;
    private final Map<Integer, Long> askedAt = new ConcurrentHashMap<>();
    private final Set<Integer> open = ConcurrentHashMap.newKeySet();

    Resolving(FeedDirectory directory) {
        this.directory = directory;
    }

    /** Called in every interval by every stream that wants to know. Half of it is the age, so that what a stream says is at most about one interval old. */
    void keepGoing(int partition, Duration interval) {
        Duration age = interval.dividedBy(2);
        long now = System.nanoTime();
        Long before = askedAt.get(partition);
        if ((before != null && now - before < age.toNanos()) || !open.add(partition)) {
            return;
        }
        askedAt.put(partition, now);
        // Without an answer the time stands still, and the next interval asks again.
        directory.resolve(partition, age).whenComplete((resolved, failure) -> open.remove(partition));
    }

    /** A time that no stream was told a later one than before the call, on any node. */
    CompletionStage<Long> floor(int partition, Duration interval) {
        return directory.resolve(partition, interval);
    }

    FeedDirectory directory() {
        return directory;
    }
}
